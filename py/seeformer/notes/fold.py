"""Decides what is already known: branches of constant conditions, and names that are only another name."""

import ast

from .edits import Source, calls, dedented, inside, settled

UNKNOWN = object()


def folded(text: str) -> str:
    """Without branches that are never taken, and without assignments that only rename."""
    while True:
        after = text
        for rule in (_fold_expression, _fold_statement, _fold_unreachable):
            after = settled(after, rule)
        after = _without_aliases(after)
        if after == text:
            return text
        text = after


def value(node: ast.expr):
    """What an expression of constants comes to, or UNKNOWN."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        pass
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        known = value(node.operand)
        return UNKNOWN if known is UNKNOWN else not known
    if isinstance(node, ast.BoolOp):
        return _junction(node)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = value(node.left), value(node.comparators[0])
        if UNKNOWN not in (left, right):
            return _compare(node.ops[0], left, right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.FloorDiv):
        left, right = value(node.left), value(node.right)
        if UNKNOWN not in (left, right):
            return left % right if isinstance(node.op, ast.Mod) else left // right
    if calls(node, "len"):
        known = value(node.args[0])
        return UNKNOWN if known is UNKNOWN else len(known)
    return UNKNOWN


def _junction(node):
    """and, or: known as soon as one side decides."""
    parts = [value(part) for part in node.values]
    decides = isinstance(node.op, ast.Or)
    if any(part is not UNKNOWN and bool(part) == decides for part in parts):
        return decides
    return UNKNOWN if UNKNOWN in parts else not decides


def _compare(operator, left, right):
    match operator:
        case ast.Eq() | ast.Is():
            return left == right
        case ast.NotEq() | ast.IsNot():
            return left != right
        case ast.Gt():
            return left > right
        case ast.Lt():
            return left < right
        case ast.GtE():
            return left >= right
        case ast.LtE():
            return left <= right
        case ast.In():
            return left in right
    return UNKNOWN


def _fold_expression(source: Source, node, parent):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Name):
        return (*source.span(node), "0") if source.of(node.left) == source.of(node.right) else None
    if not isinstance(node, ast.IfExp) or value(node.test) is UNKNOWN:
        return None
    kept = node.body if value(node.test) else node.orelse
    return *source.span(node), inside(source.of(kept), kept, parent)


def _fold_statement(source: Source, node, parent):
    if not isinstance(node, ast.If) or value(node.test) is UNKNOWN:
        return None
    kept = node.body if value(node.test) else node.orelse
    start, end = source.lines(node)
    if not kept:
        return start, end, ""
    indent = node.col_offset
    if len(kept) == 1 and isinstance(kept[0], ast.If) and kept[0].col_offset == indent:  # elif
        first = source.span(kept[0])[0]
        return start, end, " " * indent + "if" + source.text[first + len("elif") : end]
    inner = source.text[source.lines(kept[0])[0] : source.lines(kept[-1])[1]]
    return start, end, dedented(inner, kept[0].col_offset - indent)


def _fold_unreachable(source: Source, node, parent):
    """What follows a return in the same block."""
    body = getattr(parent, "body", None)
    if isinstance(node, ast.Return) and isinstance(body, list) and node in body and node is not body[-1]:
        return source.lines(node)[1], source.lines(body[-1])[1], ""
    return None


def _without_aliases(text: str) -> str:
    """name = other (or a constant None), where neither is ever set again: the one stands for the other."""
    source = Source(text)
    for body in (node.body for node in ast.walk(source.tree) if isinstance(node, ast.Module | ast.FunctionDef)):
        for statement in body:
            if not (isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)):
                continue
            name, other = statement.targets[0].id, statement.value
            renames = isinstance(other, ast.Name) and _times_set(source.tree, other.id) <= 1
            constant = isinstance(other, ast.Constant) and other.value is None
            if (renames or constant) and _times_set(source.tree, name) == 1:
                new = "None" if constant else other.id
                return Source(source.edited([(*source.lines(statement), "")])).rewritten(renaming(name, new))
    return text


def _times_set(tree, name: str) -> int:
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return sum(node.id == name for node in stored) + sum(
        isinstance(node, ast.arg) and node.arg == name for node in ast.walk(tree)
    )


def renaming(name: str, new: str):
    """The rule that writes ``new`` wherever ``name`` is read."""

    def rule(source, node, parent):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            return *source.span(node), new
        return None

    return rule
