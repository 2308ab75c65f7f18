"""Clearer words for a package that is missing: whether this page ships it, and what to do."""

import re
import traceback
from collections.abc import Callable

_MICROPIP_SAYS = re.compile(r"(?:Can't fetch metadata for|Can't find a pure Python 3 wheel for:?) '([\w.-]+)")


def explainer(shelf: dict[str, list[str]], *, network: bool) -> Callable[[BaseException], BaseException]:
    """Make the function that explains.

    Parameters
    ----------
    shelf : dict
        Package name to the modules it gives, for all that micropip can install here.
    network : bool
        Whether other packages may be fetched too.
    """
    package_of = {module: package for package, modules in shelf.items() for module in modules}
    names = ", ".join(sorted(shelf))
    elsewhere = (
        'micropip.install("…") may fetch others'
        if network
        else "start it with `python build.py serve --allow-network` to install others"
    )

    def explain(error: BaseException) -> BaseException:
        if isinstance(error, ModuleNotFoundError) and error.name:
            return _no_module(error)
        if not network and _comes_from_micropip(error):
            return _not_shipped(error)
        return error

    def _no_module(error: ModuleNotFoundError) -> BaseException:
        module = error.name.partition(".")[0]
        if module in package_of:
            remedy = f'run `import micropip; await micropip.install("{package_of[module]}")` first'
        elif f"'{error.name}'" in str(error) and module == error.name and not getattr(error, "__notes__", None):
            remedy = f"this page ships only {names}; {elsewhere}"
        else:  # a part of a package that is here, or a piece of the standard library that no browser has
            return error
        return _again(error, f"No module named {error.name!r}: {remedy}", name=error.name)

    def _not_shipped(error: BaseException) -> BaseException:
        named = _MICROPIP_SAYS.search(str(error))
        if named:
            return _again(error, f"{named[1]!r} is not shipped: this page ships only {names}; {elsewhere}")
        if isinstance(error, OSError) or "fetch" in str(error):
            return _again(error, f"{error}: this page may load nothing from elsewhere; {elsewhere}", OSError)
        return error

    return explain


def _again(error: BaseException, message: str, kind: type | None = None, **options) -> BaseException:
    """The same error with other words, and without the chain of attempts that led to it."""
    return (kind or type(error))(message, **options).with_traceback(error.__traceback__)


def _comes_from_micropip(error: BaseException) -> bool:
    frames = traceback.walk_tb(error.__traceback__)
    return any(frame.f_globals.get("__name__", "").startswith("micropip") for frame, _ in frames)
