"""Clearer words for a package that is missing: whether this page ships it, and what to do."""

import re
import sys
import traceback
from collections.abc import Callable
from importlib.util import find_spec

_NO_SUCH_PACKAGE = re.compile(r"(?:Can't fetch metadata for|Can't find a pure Python 3 wheel for:?) '([\w.-]+)")
_ADDRESS = re.compile(r"https?://[^\s'\"]+")


def explainer(shelf: dict[str, list[str]], *, network: bool) -> Callable[[BaseException], BaseException]:
    """Make the function that explains: error in, the same error or one of its type with clearer words out.

    Parameters
    ----------
    shelf : dict
        Package name to the modules it gives, for all that micropip finds by itself.
    network : bool
        Whether it may fetch others too.
    """
    package_of = {module: package for package, modules in shelf.items() for module in modules}
    only = f"this page ships only {', '.join(sorted(shelf, key=str.lower))}"
    remedy = "start it with `python build.py serve --allow-network` to install others"

    def explain(error: BaseException) -> BaseException:
        if isinstance(error, ModuleNotFoundError) and error.name:
            says = _no_module(error.name.partition(".")[0])
            return _again(error, f"No module named {error.name!r}: {says}", name=error.name) if says else error
        if not network and _comes_from_micropip(error):
            return _not_fetched(error)
        return error

    def _no_module(module: str) -> str | None:
        if module in sys.modules or find_spec(module):
            return None  # it is there, a part of it is not: the message says so already
        if module in sys.stdlib_module_names:
            return "this piece of the standard library does not exist in a browser"
        if module in package_of:
            return f'run `import micropip; await micropip.install("{package_of[module]}")` first'
        return "micropip may know it under another name" if network else f"{only}; {remedy}"

    def _not_fetched(error: BaseException) -> BaseException:
        if package := _NO_SUCH_PACKAGE.search(str(error)):
            return _again(error, f"{package[1]!r} is not here: {only}; {remedy}")
        if address := _ADDRESS.search(str(error)):
            return _again(error, f"{address[0]} cannot be fetched: this page loads nothing from elsewhere; {remedy}")
        return error

    return explain


def _again(error: BaseException, message: str, **options) -> BaseException:
    """The same error with other words, and without the chain of attempts that led to it."""
    return type(error)(message, **options).with_traceback(error.__traceback__)


def _comes_from_micropip(error: BaseException) -> bool:
    frames = traceback.walk_tb(error.__traceback__)
    return any(frame.f_globals.get("__name__", "").startswith("micropip") for frame, _ in frames)
