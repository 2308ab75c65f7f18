"""Private copies of seeformer under edited sources, for one lab alone.

Inside `with world:` every import of `seeformer.*` gives this world's modules: edited ones from the reader's text,
the others loaded again from their files, so that an unedited kernel that uses an edited one finds it. Outside,
nothing has changed: no module is patched, and other labs, cells and notes keep the originals.
"""

import linecache
import re
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from seeformer.sources import PACKAGE, source_of


def edited_filename(module: str) -> str:
    """The name that an edited module's lines carry in tracebacks."""
    return f"<edited {module}>"


def edited_module(filename: str) -> str | None:
    """The other way round; None for the name of any other file."""
    return filename[len("<edited ") : -1] if filename.startswith("<edited ") else None


class World(MetaPathFinder, Loader):
    """A set of edits, {module name: source}, that can be entered."""

    def __init__(self, edits: dict[str, str]):
        for module in edits:
            if source_of(module) is None:
                raise ValueError(f"edits={module!r} names no module of seeformer: edit one that the lab lists")
        self.edits = dict(edits)
        self._modules: dict[str, ModuleType] = {}
        self._originals: dict[str, ModuleType] = {}

    def __enter__(self) -> "World":
        self._originals = _take_ours()
        sys.modules.update(self._modules)
        sys.meta_path.insert(0, self)
        for module, source in self.edits.items():
            linecache.cache[edited_filename(module)] = (
                len(source),
                None,
                source.splitlines(True),
                edited_filename(module),
            )
        return self

    def __exit__(self, *exception) -> None:
        sys.meta_path.remove(self)
        self._modules = _take_ours()
        sys.modules.update(self._originals)

    def find_spec(self, name, path=None, target=None) -> ModuleSpec | None:
        return ModuleSpec(name, self, origin=edited_filename(name)) if name in self.edits else None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__spec__.name
        exec(compile(self.edits[name], edited_filename(name), "exec", dont_inherit=True), module.__dict__)

    def get_source(self, name: str) -> str:
        return self.edits[name]


def _take_ours() -> dict[str, ModuleType]:
    """Removes every seeformer module from sys.modules and returns them; but for `fast` and `brought`.

    Of what these did there is one for all worlds: NumPy, that `fast` has changed, and the reader's files. A copy would
    not know of it.
    """
    ours = [name for name in sys.modules if re.match(rf"{PACKAGE}(\.|$)(?!(fast|brought)(\.|$))", name)]
    return {name: sys.modules.pop(name) for name in ours}
