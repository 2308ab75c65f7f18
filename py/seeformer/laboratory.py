"""Runs a lab by its name: defaults, parameters, edits. Knows nothing of JavaScript."""

import difflib
import inspect
import pkgutil
import re
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module

from seeformer import labs
from seeformer.sources import PACKAGE, lab_module, source_of
from seeformer.worlds import World


class Laboratory:
    """The labs of this package, each with the world that its edits made."""

    def __init__(self):
        self._worlds: dict[str, World] = {}
        self._accepted: dict[str, dict] = {}

    def run(
        self,
        lab: str,
        params: dict,
        edits: dict[str, str] | None = None,
        *,
        on_values: Callable[[dict, dict], object] = lambda values, lines: None,
    ) -> tuple[dict, dict]:
        """Run a lab.

        Parameters
        ----------
        params : dict
            What differs from the defaults of the lab's `run`; an unknown name is a ValueError.
        edits : dict, optional
            Module name to the source that replaces it, for this lab alone.
        on_values : callable
            Gets (values, lines) of every step of a `run` that is a generator.

        Returns
        -------
        values : dict
            What `run` returned, or yielded last.
        lines : dict
            For each name that `see()` recorded, the [module, line] that made it.
        """
        values, seen = self._passed(lab, params, edits, on_values)
        return values, _lines(seen)

    def arrays(self, lab: str, params: dict, edits: dict[str, str] | None = None) -> dict:
        """Everything that there is of a lab: what its `run` returns and every value that its trace saw, by name."""
        values, seen = self._passed(lab, params, edits, lambda values, lines: None)
        return {**values, **seen}

    def _passed(self, lab, params, edits, on_values):
        check_lab(lab)
        with self._world(lab, edits or {}):
            run = import_module(lab_module(lab)).run
            _check_params(lab, params, run)
            with import_module(f"{PACKAGE}.trace").trace() as seen:
                result = run(**params)
                if not inspect.isgenerator(result):
                    self._ran(lab, params, edits)
                    return result, seen
                values = {}
                for values in result:
                    on_values(values, _lines(seen))
                self._ran(lab, params, edits)
                return values, seen

    def accept(self, lab: str, params: dict) -> dict:
        """All parameters of the lab; raises what its own code, unedited, raises for these.

        The lab runs for that, unless it just ran with them.
        """
        if self._accepted.get(lab) != params:
            Laboratory().run(lab, params)  # beside the lab's world, which its next run will want again
            self._accepted[lab] = params
        run = import_module(lab_module(lab)).run
        return {name: parameter.default for name, parameter in inspect.signature(run).parameters.items()} | params

    def _ran(self, lab, params, edits) -> None:
        if not edits:
            self._accepted[lab] = params

    def _world(self, lab: str, edits: dict[str, str]):
        """The lab's world, kept while its edits stay the same; without edits the originals do."""
        if not edits:
            self._worlds.pop(lab, None)
            return nullcontext()
        world = self._worlds.get(lab)
        if world is None or world.edits != edits:
            world = self._worlds[lab] = World(edits)
        return world


def lab_ids() -> list[str]:
    """A lab is a module of seeformer.labs that has a `run`; beside it may lie what it keeps in a file of its own."""
    names = sorted(module.name for module in pkgutil.iter_modules(labs.__path__))
    return [name for name in names if re.search(r"^def run\(", source_of(lab_module(name)), re.MULTILINE)]


_found: set[str] = set()


def check_lab(lab: str) -> None:
    """A lab that was found is not looked for again: reading all their files took a third of a small lab's time."""
    if isinstance(lab, str) and lab in _found:
        return
    known = lab_ids()
    if lab not in known:
        raise ValueError(f"lab={lab!r} is not on this page{_did_you_mean(lab, known)}: it has {', '.join(known)}")
    _found.add(lab)


def _check_params(lab: str, params: dict, run) -> None:
    if params.keys() <= (getattr(run, "__kwdefaults__", None) or {}).keys():
        return  # a signature takes a fifth of a small lab's time
    known = list(inspect.signature(run).parameters)
    for name, value in params.items():
        if name not in known:
            raise ValueError(
                f"{name}={_short(value)} is no parameter of the lab {lab!r}{_did_you_mean(name, known)}: "
                f"it takes {', '.join(known)}"
            )


def _lines(seen) -> dict[str, list]:
    return {name: list(line) for name, line in seen.lines.items()}


def _did_you_mean(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _short(value) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
