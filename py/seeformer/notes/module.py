"""The top level of a module of this package: what it defines, and where the names it imports are written."""

import ast
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import resolve_name

from ..sources import PACKAGE, source_of
from .edits import Source, parsed
from .strip import stripped


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
