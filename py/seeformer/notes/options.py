"""Leaves out the options of a function that a note never uses: biases that nobody gives, a mask that is not there.

A parameter goes if no call gives it anything but its default, or all calls give it the same None, True, False or
string; its value is then written where it was read, and what that decides is decided. A function that is handed on
as a value keeps all of its parameters, for nobody knows who calls it.
"""

import ast
from functools import lru_cache

from .calls import MISSING, all_calls, argument, each_call, is_name, parameters
from .edits import Source, parsed
from .fold import UNKNOWN, folded, renaming, value
from .literals import literal
from .module import Definition


def without_options(definitions: list[Definition], demo: str) -> tuple[list[Definition], str]:
    """The definitions and the code that uses them, until nothing more can be left out."""
    texts = {definition.name: definition.text for definition in definitions}
    while True:
        found = _next(texts, demo)
        if found is None:
            break
        name, parameter, constant = found
        texts[name] = _fixed(texts[name], parameter, constant)
        texts = {other: _uncalled(text, texts[name], name, parameter) for other, text in texts.items()}
        demo = _uncalled(demo, texts[name], name, parameter)
        texts[name] = _unlisted(texts[name], parameter)
    return [definition.with_text(texts[definition.name]) for definition in definitions], demo


def _next(texts, demo):
    """(function, parameter, constant) that can go."""
    for name, text in texts.items():
        function = parsed(text).body[0]
        if not isinstance(function, ast.FunctionDef) or function.args.vararg or function.args.kwarg:
            continue
        given = all_calls([*texts.values(), demo], name)
        if not given:
            continue
        for position, parameter, default in parameters(function):
            if parameter in _in_f_strings(function):  # whose places in the text are not to be relied on
                continue
            values = {_constant(argument(call, position, parameter), default) for call in given}
            if len(values) == 1:
                (constant,) = values
                if constant is not UNKNOWN and (constant is None or isinstance(constant, bool | str)):
                    return name, parameter, constant
    return None


@lru_cache(maxsize=1000)
def _in_f_strings(function):
    inside = (part for node in ast.walk(function) if isinstance(node, ast.JoinedStr) for part in ast.walk(node))
    return {node.id for node in inside if isinstance(node, ast.Name)}


def _constant(given, default):
    node = default if given is None else given
    known = UNKNOWN if node is MISSING else value(node)
    return known if known is None or isinstance(known, bool | str) else UNKNOWN


def _fixed(text, parameter, constant):
    """The function with the constant written where the parameter was read, as long as it was not set anew."""
    source = Source(text)
    function = source.tree.body[0]
    for number, statement in enumerate(function.body):
        sets = [node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        if any(node.id == parameter for node in sets):
            end = source.lines(statement)[1]
            rest = source.text[end:] if number + 1 < len(function.body) else ""
            head = Source(source.text[: len(source.text) - len(rest)])
            return folded(head.rewritten(renaming(parameter, literal(constant))) + rest)
    return folded(source.rewritten(renaming(parameter, literal(constant))))


def _unlisted(text, parameter):
    """The function without the parameter, and without a lone star."""
    source = Source(text)
    arguments = source.tree.body[0].args
    listed = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(listed) - len(arguments.defaults)) + arguments.defaults
    parts = [_part(source, *pair) for pair in zip(listed, defaults, strict=True) if pair[0].arg != parameter]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    only = [_part(source, *pair) for pair in named if pair[0].arg != parameter]
    parts += ["*", *only] if only else []
    everything = [*listed, *arguments.kwonlyargs, *filter(None, [*defaults, *arguments.kw_defaults])]
    start = source.text.index("(") + 1
    end = source.text.index(")", max(source.span(node)[1] for node in everything))
    return source.text[:start] + ", ".join(parts) + source.text[end:]


def _part(source, given, default):
    return source.of(given) if default is None else f"{source.of(given)}={source.of(default)}"


def _uncalled(text, changed, name, parameter):
    """Calls without the argument."""
    listed = parameters(parsed(changed).body[0])
    position = next(position for position, other, _ in listed if other == parameter)

    def call(source, node, parent):
        dropped = argument(node, position, parameter)
        kept = [source.of(part) for part in node.args if part is not dropped]
        kept += [
            f"{keyword.arg}={source.of(keyword.value)}" for keyword in node.keywords if keyword.value is not dropped
        ]
        return f"{name}({', '.join(kept)})"

    return each_call(text, name, call)


def without_tables(definitions: list[Definition], demo: str) -> tuple[list[Definition], str]:
    """TABLE["name"], where TABLE = {"name": function}, is the function."""
    texts = {definition.name: definition.text for definition in definitions}
    for name, text in texts.items():
        statement = parsed(text).body[0]
        if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict)):
            continue
        pairs = zip(statement.value.keys, statement.value.values, strict=True)
        functions = {key.value: function.id for key, function in pairs if isinstance(function, ast.Name)}
        rule = _looking_up(name, functions)
        texts = {other: Source(each).rewritten(rule) for other, each in texts.items()}
        demo = Source(demo).rewritten(rule)
    return [each.with_text(texts[each.name]) for each in definitions], demo


def _looking_up(table, functions):
    def rule(source, node, parent):
        if isinstance(node, ast.Subscript) and is_name(node.value, table) and value(node.slice) in functions:
            return *source.span(node), functions[value(node.slice)]
        return None

    return rule
