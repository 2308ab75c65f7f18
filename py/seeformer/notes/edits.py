"""Changes to source text at the places of its syntax tree, so that comments and layout stay as they were written."""

import ast
import re
from collections.abc import Callable, Iterable
from functools import lru_cache

parsed = lru_cache(maxsize=1000)(ast.parse)  # nobody changes a tree: texts are what changes


class Source:
    """A piece of source, its tree, and where in the text each node lies."""

    def __init__(self, text: str):
        self.text = text
        self.tree = parsed(text)
        self._lines = re.findall("[^\\n]*\\n|[^\\n]+", text)  # splitlines() knows more line breaks than Python does
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def place(self, line: int, column: int) -> int:
        """Index into the text; the tree counts columns in bytes of UTF-8."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node lies, a function's decorators included."""
        first = min([node, *getattr(node, "decorator_list", [])], key=lambda part: part.lineno)
        return self.place(first.lineno, first.col_offset), self.place(node.end_lineno, node.end_col_offset)

    def lines(self, node: ast.stmt) -> tuple[int, int]:
        """Where the whole lines of a statement lie, a comment behind it and the line break included."""
        return self._starts[node.lineno - 1], self._starts[node.end_lineno]

    def of(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def edited(self, edits: Iterable[tuple[int, int, str]]) -> str:
        text = self.text
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def rewritten(self, rule: Callable[["Source", ast.AST, ast.AST | None], tuple[int, int, str] | None]) -> str:
        """The text after one edit for each outermost node on which ``rule(source, node, parent)`` gives one."""
        return self.edited(self._walk(self.tree, None, rule))

    def _walk(self, node, parent, rule):
        edit = rule(self, node, parent)
        if edit is not None:
            yield edit
        elif not isinstance(node, ast.JoinedStr):  # before Python 3.12 the nodes of an f-string lie about their place
            for child in ast.iter_child_nodes(node):
                yield from self._walk(child, node, rule)


def settled(text: str, rule: Callable) -> str:
    """Applies a rule until it finds nothing more."""
    while True:
        after = Source(text).rewritten(rule)
        if after == text:
            return text
        text = after


def calls(node: ast.AST, name: str) -> bool:
    """Whether ``node`` is a call of the plain name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def body(function: ast.FunctionDef) -> list[ast.stmt]:
    """Without the docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[1:] if documented else function.body


def inside(text: str, node: ast.AST, parent: ast.AST | None) -> str:
    """The text of an expression as it may stand in ``parent``: in brackets where an operator would tear it apart."""
    atoms = ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict, ast.Set, ast.ListComp
    tight = ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Attribute, ast.Subscript, ast.IfExp, ast.Starred
    loose = isinstance(parent, ast.Subscript) and parent.slice is node
    bare = isinstance(node, atoms) or (isinstance(node, ast.Tuple) and text.startswith("("))
    return text if bare or loose or not isinstance(parent, tight) else f"({text})"


def dedented(text: str, columns: int) -> str:
    """The lines of a block, moved out of the statement that held them."""
    return "".join(line[columns:] if line.strip() else line for line in text.splitlines(keepends=True))
