"""Which functions and constants a piece of code needs, wherever in the package they are written."""

import ast
import builtins
from dataclasses import dataclass

from ..sources import PACKAGE
from .edits import parsed
from .module import Definition, Module

# What a block may call without an import of its own.
EVERYWHERE = {name: (f"{PACKAGE}.notes.show", name) for name in ("show", "table")}


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
