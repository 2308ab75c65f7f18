"""Calls of one function wherever they stand in a few pieces of source."""

import ast
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from .edits import Source, parsed

MISSING = object()


def parameters(function: ast.FunctionDef):
    """(position or None, name, default or MISSING) of each."""
    arguments = function.args
    defaults = [MISSING] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults
    for position, (argument, default) in enumerate(zip(arguments.args, defaults, strict=True)):
        yield position, argument.arg, default
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield None, argument.arg, MISSING if default is None else default


def argument(call: ast.Call, position: int | None, parameter: str) -> ast.expr | None:
    """The expression that a call gives for a parameter."""
    if position is not None and position < len(call.args):
        return call.args[position]
    return next((keyword.value for keyword in call.keywords if keyword.arg == parameter), None)


def is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def calls_in(tree: ast.AST, name: str) -> list[tuple[ast.Call, ast.AST]]:
    """Each call and what it stands in, by the place where it begins."""
    return [(call, node) for call, node in _uses(tree)[0] if is_name(call.func, name)]


@lru_cache(maxsize=1000)  # asked for every function and parameter of a block, of trees that stay the same meanwhile
def _uses(tree: ast.AST) -> tuple[list[tuple[ast.Call, ast.AST]], Counter]:
    """All calls of plain names, with what they stand in; and how often each name stands in the tree."""
    pairs = [(child, node) for node in ast.walk(tree) for child in ast.iter_child_nodes(node)]
    calls = [(child, node) for child, node in pairs if isinstance(child, ast.Call) and isinstance(child.func, ast.Name)]
    names = Counter(child.id for child, _ in pairs if isinstance(child, ast.Name))
    return sorted(calls, key=lambda pair: (pair[0].lineno, pair[0].col_offset)), names


def reads(text: str, name: str) -> int:
    """How often the name stands in the text."""
    return _uses(parsed(text))[1][name] if name in text else 0


def all_calls(texts, name: str) -> list[ast.Call]:
    """All calls of a function, or none if one hands on lists of arguments, or the function itself is handed on."""
    found = []
    for tree in (parsed(text) for text in texts if name in text):
        made = [call for call, _ in calls_in(tree, name)]
        if _uses(tree)[1][name] > len(made):
            return []
        found += made
    starred = any(isinstance(part, ast.Starred) for call in found for part in call.args)
    return [] if starred or any(keyword.arg is None for call in found for keyword in call.keywords) else found


def each_call(text: str, name: str, new: Callable[[Source, ast.Call, ast.AST], str]) -> str:
    """Every call of a function rewritten once, the inner ones first, since they are part of the outer ones."""
    if name not in text:
        return text
    for number in reversed(range(len(calls_in(parsed(text), name)))):
        source = Source(text)
        call, parent = calls_in(source.tree, name)[number]
        text = source.edited([(*source.span(call), new(source, call, parent))])
    return text
