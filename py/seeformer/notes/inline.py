"""Small helpers written where they are used: a note has no use for a name that it reads once."""

import ast

from .calls import all_calls, argument, calls_in, each_call, parameters, reads
from .edits import Source, body, dedented, inside, parsed
from .fold import folded, renaming
from .module import Definition

SHORT = 40  # signs of an expression that may be written twice


def inlined(definitions: list[Definition], demo: str) -> tuple[list[Definition], str]:
    """Without functions that are one expression, tails of another function, or numbers with a name.

    What the demo calls itself stays, and so does a public function that is called more than once.
    """
    texts = {definition.name: definition.text for definition in definitions}
    for name in list(texts):
        others = {other: text for other, text in texts.items() if other != name}
        helper = Source(texts[name])
        put = _way(helper, name, others, demo)
        if put is None:
            continue
        texts = {other: put(text, helper, name) if reads(text, name) else text for other, text in others.items()}
        demo = put(demo, helper, name) if reads(demo, name) else demo
    return [each.with_text(texts[each.name]) for each in definitions if each.name in texts], demo


def _way(helper, name, others, demo):
    """How a definition is written where it is read, or None if it stays."""
    statement = helper.tree.body[0]
    if isinstance(statement, ast.Assign):
        number = isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, int | float)
        read = sum(reads(text, name) for text in [*others.values(), demo])
        return _with_number if number and read == 1 else None
    calls = all_calls([*others.values(), demo], name)
    if not calls:
        return None
    in_demo = bool(calls_in(parsed(demo), name))
    alone = len(calls) == 1 and not in_demo
    if len(body(statement)) == 1 and isinstance(statement.body[-1], ast.Return):
        short = name.startswith("_") and len(helper.of(statement.body[-1].value)) < SHORT
        return _with_expression if alone or short else None
    if alone and any(_is_tail(text, name) for text in others.values()):
        return _with_tail
    return None


def _is_tail(text, name) -> bool:
    """Whether a function does nothing but call this one."""
    function = parsed(text).body[0]
    if not isinstance(function, ast.FunctionDef) or len(body(function)) != 1:
        return False
    last = function.body[-1]
    return isinstance(last, ast.Return) and last.value in [call for call, _ in calls_in(last, name)]


def _with_number(text, helper, name):
    return Source(text).rewritten(renaming(name, helper.of(helper.tree.body[0].value)))


def _with_expression(text, helper, name):
    function = helper.tree.body[0]
    result = function.body[-1].value

    def new(source, call, parent):
        given = {parameter: _given(call, at, parameter, default) for at, parameter, default in parameters(function)}
        texts = {
            parameter: (source if node in set(ast.walk(call)) else helper, node) for parameter, node in given.items()
        }

        def put(inner, node, inner_parent):
            if isinstance(node, ast.Name) and node.id in texts:
                where, put_in = texts[node.id]
                return *inner.span(node), inside(where.of(put_in), put_in, inner_parent)
            return None

        return inside(Source(helper.of(result)).rewritten(put), result, parent)

    return folded(each_call(text, name, new))


def _with_tail(text, helper, name):
    source = Source(text)
    caller, function = source.tree.body[0], helper.tree.body[0]
    call = caller.body[-1].value
    inner = dedented(helper.text[helper.lines(body(function)[0])[0] :], 4)
    above = ""
    for at, parameter, default in parameters(function):
        given = _given(call, at, parameter, default)
        where = source if given in set(ast.walk(call)) else helper
        if isinstance(given, ast.Name | ast.Constant | ast.UnaryOp):
            inner = Source(inner).rewritten(_replacing(parameter, where.of(given), given))
        else:
            above += f"{parameter} = {where.of(given)}\n"
    start, end = source.lines(caller.body[-1])
    lines = (above + inner).splitlines(keepends=True)
    return folded(
        source.text[:start] + "".join(f"    {line}" if line.strip() else line for line in lines) + source.text[end:]
    )


def _replacing(name, text, node):
    def rule(source, found, parent):
        if isinstance(found, ast.Name) and found.id == name and isinstance(found.ctx, ast.Load):
            return *source.span(found), inside(text, node, parent)
        return None

    return rule


def _given(call, position, parameter, default):
    node = argument(call, position, parameter)
    return default if node is None else node
