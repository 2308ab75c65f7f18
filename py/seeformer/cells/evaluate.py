"""Runs a cell's text: top-level await, and the value of the last expression."""

import ast
import inspect
import io
import linecache
import tokenize
from dataclasses import dataclass


@dataclass
class Value:
    """The last expression's value; `name` if that expression was a plain name."""

    value: object = None
    name: str | None = None


async def evaluate(code: str, filename: str, variables: dict) -> Value:
    """Run `code` in `variables`; like a notebook, a semicolon at its end keeps its value to itself."""
    linecache.cache[filename] = (len(code), None, code.splitlines(True), filename)
    tree = ast.parse(code, filename)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    await _execute(tree, filename, "exec", variables)
    if last is None:
        return Value()
    value = await _execute(ast.Expression(last.value), filename, "eval", variables)
    if _ends_in_semicolon(code):
        return Value()
    return Value(value, last.value.id if isinstance(last.value, ast.Name) else None)


async def _execute(tree: ast.AST, filename: str, mode: str, variables: dict):
    # dont_inherit: this file's own __future__ imports are none of the cell's business
    code = compile(tree, filename, mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    value = eval(code, variables)
    return await value if code.co_flags & inspect.CO_COROUTINE else value


def _ends_in_semicolon(code: str) -> bool:
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.DEDENT}
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(code).readline) if token.type not in blank]
    return bool(tokens) and tokens[-1].string == ";"
