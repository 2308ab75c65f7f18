"""A kernel without what a note has no use for: recording, checks of the arguments, guards that only raise.

The maths stays as it is written. What a check lets through is known from the table below, and a test holds the table
against ``checks.py``.
"""

import ast
import re

from .edits import Source, dedented, inside, settled

# What a check gives back, by the number of its argument. All others (check_...) only raise.
PASSED_THROUGH = {
    **dict.fromkeys(["finite", "flag", "floats", "positive", "whole", "additive", "matrix"], 1),
    **dict.fromkeys(["fit_mask", "same_shape", "sentence"], 0),
}


def stripped(text: str) -> str:
    """Without see(), checks and guards."""
    text = settled(text, _unwrap)
    text = settled(text, _drop_guard)
    return settled(text, _drop_idle)


def _unwrap(source: Source, node: ast.AST, parent):
    """see(name, value) -> value, floats("x", x) -> x, head_width(a, b) -> a // b."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return None
    name = node.func.id
    if name == "see":
        kept = node.args[1]
    elif name in PASSED_THROUGH:
        kept = node.args[PASSED_THROUGH[name]]
    elif name == "head_width":
        whole, parts = (inside(source.of(part), part, ast.BinOp()) for part in node.args)
        divided = f"{whole} // {parts}"
        return *source.span(node), inside(divided, ast.BinOp(), parent)
    else:
        return None
    return *source.span(node), inside(source.of(kept), kept, parent)


def _drop_guard(source: Source, node: ast.AST, parent):
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        if isinstance(called, ast.Name) and re.match("_?check_", called.id):
            return *source.lines(node), ""
    if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ast.Raise):
        return *source.lines(node), ""
    if isinstance(node, ast.Try) and all(isinstance(handler.body[-1], ast.Raise) for handler in node.handlers):
        start, end = source.lines(node.body[0])[0], source.lines(node.body[-1])[1]
        body = "" if _only_tries(node.body) else source.text[start:end]
        return *source.lines(node), dedented(body, node.body[0].col_offset - node.col_offset)
    return None


def _only_tries(statements) -> bool:
    """Whether they were there for their exception alone."""
    return all(isinstance(statement, ast.Expr) for statement in statements)


def _drop_idle(source: Source, node: ast.AST, parent):
    """x = x"""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and source.of(node.targets[0]) == source.of(node.value):
        return *source.lines(node), ""
    return None
