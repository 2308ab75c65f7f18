"""What a block says in the reader's language: one line for each function, with its shapes, and translated comments."""

import ast
import io
import re
import tokenize
import unicodedata

from .edits import Source

LONGEST = 110
SHAPE = r"\[[^\]]*\]"


def documented(text: str, words: dict) -> str:
    """The definition with a docstring of one line and its comments in the language of ``words``.

    Parameters
    ----------
    words : dict
        "functions": name -> what it does; "comments": a comment of the source -> the same in the reader's language.
    """
    return without_gaps(_commented(_summarized(text, words["functions"]), words["comments"]))


def _summarized(text, functions):
    source = Source(text)
    function = source.tree.body[0]
    doc = ast.get_docstring(function) if isinstance(function, ast.FunctionDef) else None
    if doc is None:
        return text
    remaining = [argument.arg for argument in [*function.args.args, *function.args.kwonlyargs]]
    what, form = functions.get(function.name, ""), shapes(doc, remaining)
    says = f"{what} {form}".strip()
    if width(says) > LONGEST:
        says = form
    line = f'    """{says}"""\n' if says else ""
    return source.edited([(*source.lines(function.body[0]), line)])


def width(text: str) -> int:
    """In columns of an editor: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def shapes(doc: str, parameters: list[str]) -> str:
    """The arrays that go in and come out, by a numpydoc docstring: "Q [..., n_q, d_k], ... -> [..., n_q, d_v]"."""
    in_summary = re.search(rf"{SHAPE} -> {SHAPE}", doc.splitlines()[0])
    if in_summary:
        return in_summary[0]
    taken = []
    for names, shape in re.findall(rf"^(\w+(?:, \w+)*) : (?:nd)?array ({SHAPE})(?!.*optional)", doc, re.MULTILINE):
        kept = [name for name in names.split(", ") if name in parameters]
        taken += [f"{', '.join(kept)} {shape}"] if kept else []
    given = re.search(rf"Returns\n-+\n(?:nd)?array ({SHAPE})", doc)
    gone = set(re.findall(r"^(\w+) : \w+", doc, re.MULTILINE)) - set(parameters)
    if given and gone & set(re.findall(r"\w+", given[1])):  # a shape that hangs on an option which is not there
        given = None
    return ", ".join(taken) + (f"{' ' if taken else ''}-> {given[1]}" if given else "")


def _commented(text, comments):
    lines = text.splitlines(keepends=True)
    for token in list(tokenize.generate_tokens(io.StringIO(text).readline)):
        if token.type != tokenize.COMMENT or re.fullmatch(rf"# {SHAPE}", token.string):
            continue
        row, column = token.start[0] - 1, token.start[1]
        said = comments.get(token.string.removeprefix("# "), "")
        before = lines[row][:column]
        lines[row] = f"{before}# {said}\n" if said else f"{before.rstrip()}\n" if before.strip() else ""
    return "".join(lines)


def without_gaps(text: str) -> str:
    """No empty lines but those around functions inside the function: a kernel without its checks is short enough."""
    if "\n    def " in text:
        return re.sub(r'(\n    """.*"""|\):)\n\n', r"\1\n", re.sub(r"\n{3,}", "\n\n", text))
    return re.sub(r"(?<!as plt)\n{2,}", "\n", text)  # the formatter wants one after an import
