"""What the block of a kernel does: the examples of its docstring, printed."""

import ast
import doctest

from ..sources import sources
from .module import Module


def example(module: str, name: str) -> str:
    """The code of the examples in a function's docstring, as a script: what a console would show is printed."""
    parts = doctest.DocTestParser().get_examples(ast.get_docstring(Module.of(module).function(name)) or "")
    return "".join(map(_printed, parts))


def _printed(part) -> str:
    if not part.want:
        return part.source
    say = "table" if part.want.count("\n") > 1 else "print"
    return f"{say}({part.source.strip()})\n"


def kernels(lab: str) -> list[tuple[str, str]]:
    """(module, name) of the functions behind a lab that have examples, in the order of the Code face."""
    modules = [entry["module"] for entry in sources(lab) if ".labs." not in entry["module"]]
    return [(module, name) for module in modules for name in Module.of(module).functions() if example(module, name)]
