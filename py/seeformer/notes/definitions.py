"""Which functions and constants a piece of code needs, wherever in the package they are written."""

import ast
import builtins
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import resolve_name

from ..sources import PACKAGE, source_of
from .edits import Source, parsed
from .strip import stripped

# What a block may call without an import of its own.
EVERYWHERE = {name: (f"{PACKAGE}.notes.show", name) for name in ("show", "table")}


@dataclass(frozen=True)
class Definition:
    """A function or a constant at the top level of a module, as a note has it."""

    module: str
    name: str
    text: str

    @property
    def is_function(self) -> bool:
        return isinstance(parsed(self.text).body[0], ast.FunctionDef)

    def with_text(self, text: str) -> "Definition":
        return replace(self, text=text)


@dataclass
class Needed:
    """What a piece of code needs: definitions, each after those it calls itself, and lines of import."""

    definitions: list[Definition]
    imports: set[str]


def needed(text: str, module: str, known: dict[tuple[str, str], Definition] | None = None) -> Needed:
    """Follow the names of ``text``, which stands in ``module``.

    Parameters
    ----------
    known : dict, optional
        Definitions, by module and name, whose text is another one by now than in the package.

    Raises
    ------
    ValueError
        If two different things of the same name would meet in one note.
    """
    found = Needed([], set())
    _follow(text, module, known or {}, found, set())
    names = [definition.name for definition in found.definitions]
    for name in names:
        if names.count(name) > 1:
            places = [definition.module for definition in found.definitions if definition.name == name]
            raise ValueError(f"name={name!r} is written in {' and in '.join(places)}: a note can hold one of them")
    return found


def _follow(text, module, known, found, begun):
    contents = Module.of(module)
    for name in free_names(text):
        origin = contents.origin(name) or EVERYWHERE.get(name)
        if origin is None:
            line = contents.imported(name)
            if line is None:
                raise ValueError(f"name={name!r} is unknown in {module}: import it at the top of that file")
            found.imports.add(line)
            continue
        definition = known.get(origin) or Module.of(origin[0]).definition(origin[1])
        place = definition.module, definition.name
        if place not in begun:
            begun.add(place)
            _follow(definition.text, definition.module, known, found, begun)
            found.definitions.append(definition)


def free_names(text: str) -> list[str]:
    """The names that a piece of code reads and does not make, in the order of their first use."""
    tree = parsed(text)
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    own |= {node.asname or node.name for node in ast.walk(tree) if isinstance(node, ast.alias)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    read = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    read.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys(node.id for node in read if node.id not in own and not hasattr(builtins, node.id)))


class Module:
    """The top level of a module of this package."""

    _read: dict[str, "Module"] = {}

    @classmethod
    def of(cls, name: str) -> "Module":
        text = source_of(name)
        if name not in cls._read or cls._read[name].source.text != text:
            cls._read[name] = cls(name, text)
        return cls._read[name]

    def __init__(self, name: str, text: str):
        self.name = name
        self.source = Source(text)
        self._from_package: dict[str, tuple[str, str]] = {}
        self._from_elsewhere: dict[str, str] = {}
        self._own: dict[str, ast.stmt] = {}
        for node in self.source.tree.body:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    renamed = f" as {alias.asname}" if alias.asname else ""
                    self._from_elsewhere[alias.asname or alias.name] = f"import {alias.name}{renamed}"
            elif isinstance(node, ast.ImportFrom):
                self._import_from(node)
            elif isinstance(node, ast.FunctionDef):
                self._own[node.name] = node
            elif isinstance(node, ast.Assign):
                for target in ast.walk(node.targets[0]):
                    if isinstance(target, ast.Name):
                        self._own[target.id] = node

    def _import_from(self, node):
        base = resolve_name("." * node.level + (node.module or ""), self.name.rpartition(".")[0])
        for alias in node.names:
            if base == PACKAGE or base.startswith(f"{PACKAGE}."):
                self._from_package[alias.asname or alias.name] = (base, alias.name)
            else:
                self._from_elsewhere[alias.asname or alias.name] = f"from {base} import {alias.name}"

    def origin(self, name: str) -> tuple[str, str] | None:
        """(module, name) of where it is written in this package; an import "as" may also go by its first name."""
        if name in self._own:
            return self.name, _label(self._own[name])
        by_original = {original: (base, original) for base, original in self._from_package.values()}
        base, original = self._from_package.get(name) or by_original.get(name) or (None, None)
        return Module.of(base).origin(original) if base else None

    def imported(self, name: str) -> str | None:
        return self._from_elsewhere.get(name)

    @cache  # noqa: B019 - a module lives as long as its text
    def definition(self, name: str) -> Definition:
        node = next(node for node in self._own.values() if _label(node) == name)
        text = self.source.text[slice(*self.source.lines(node))]
        return Definition(self.name, name, stripped(text) if isinstance(node, ast.FunctionDef) else text)

    def function(self, name: str) -> ast.FunctionDef:
        return self._own[name]

    def functions(self) -> list[str]:
        """The public ones, in their order."""
        return [
            name for name, node in self._own.items() if isinstance(node, ast.FunctionDef) and not name.startswith("_")
        ]


def _label(node: ast.stmt) -> str:
    """One assignment may make several constants: the first names it."""
    if isinstance(node, ast.FunctionDef):
        return node.name
    return next(target.id for target in ast.walk(node.targets[0]) if isinstance(target, ast.Name))
