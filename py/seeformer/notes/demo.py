"""What a lab's note does, as code at the top level: the body of its ``note`` with the reader's parameters in it.

``labs/<id>_note.py`` is ordinary Python, which runs and is tested as it stands. Written out, a condition on the
parameters is decided, the parameters that are left become assignments at the top, and the words become the reader's.
"""

import ast
import re

from .calls import reads
from .edits import Source, body, calls, dedented, parsed, settled
from .fold import UNKNOWN, folded, renaming, value
from .literals import literal
from .module import Module

MODULE = "seeformer.labs.{}_note"


def demo(lab: str, params: dict, words: dict) -> str:
    """The code of a lab's note for these parameters; ``words`` are those under ``labs.<id>.note``."""
    module = Module.of(MODULE.format(lab))
    text = module.source.text[slice(*module.source.lines(module.function("note")))]
    source = Source(text)
    function = source.tree.body[0]
    text = dedented(source.text[source.lines(body(function)[0])[0] :], 4)
    used = {argument.arg: params[argument.arg] for argument in function.args.kwonlyargs}
    text = folded(settled(text, _deciding(used)))
    text = settled(text, _speaking(words))
    text = re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"
    renamed = _aliases(text, module)
    return _unaliased(_assigned(text, used, set(renamed.values())), renamed)


def _deciding(params):
    """Conditions that hang on parameters alone, with their values in place of their names."""

    def rule(source, node, parent):
        if not (isinstance(node, ast.expr) and getattr(parent, "test", None) is node):
            return None
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - {"len"}
        if not names or not names <= params.keys():
            return None
        text = source.of(node)
        for name in names:
            text = Source(text).rewritten(renaming(name, _in_test(params[name])))
        known = value(ast.parse(text, mode="eval").body)
        return None if known is UNKNOWN else (*source.span(node), repr(bool(known)))

    return rule


def _in_test(given) -> str:
    return repr(list(given) if isinstance(given, tuple) else given)


def _speaking(words):
    """remark("key") is a comment, words("key") a string."""

    def rule(source, node, parent):
        if isinstance(node, ast.Expr) and calls(node.value, "remark"):
            start, end = source.lines(node)
            return start, end, " " * node.col_offset + f"# {words[node.value.args[0].value]}\n"
        if calls(node, "words"):
            return *source.span(node), literal(words[node.args[0].value])
        return None

    return rule


def _aliases(text, module) -> dict[str, str]:
    """Functions that the file imports by another name, because a parameter has theirs."""
    names = {node.id for node in ast.walk(parsed(text)) if isinstance(node, ast.Name)}
    origins = {name: module.origin(name) for name in names}
    return {name: origin[1] for name, origin in origins.items() if origin and origin[1] != name}


def _unaliased(text, renamed):
    for name, original in renamed.items():
        text = Source(text).rewritten(renaming(name, original))
    return text


def _assigned(text, params, taken):
    """The parameters that are still read: long lists, texts and numbers above, all others in their place."""
    above = []
    for name, given in params.items():
        times = reads(text, name)
        if not times or _set_first(text, name):
            continue
        nested = isinstance(given, list | tuple) and not (given and all(isinstance(item, str) for item in given))
        if isinstance(given, bool | str) or (nested and times == 1) or name in taken:
            text = Source(text).rewritten(renaming(name, literal(given)))
        else:
            above.append((name, given))
    numbers = [(name, given) for name, given in above if isinstance(given, int | float)]
    lines = [f"{name} = {literal(given)}\n" for name, given in above if (name, given) not in numbers]
    for start in range(0, len(numbers), 4):
        names, values = zip(*numbers[start : start + 4], strict=True)
        lines.append(f"{', '.join(names)} = {', '.join(map(literal, values))}\n")
    return "".join(lines) + text


def _set_first(text, name) -> bool:
    """Whether the code gives the name a value of its own before it reads it."""
    for statement in parsed(text).body:
        found = [node for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id == name]
        if found:
            return all(isinstance(node.ctx, ast.Store) for node in found)
    return False
