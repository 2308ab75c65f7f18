"""A lab as a section of a note: heading, why, formula, block. Markdown as Obsidian reads it."""

import re
from importlib import import_module

from .block import lab_block
from .demo import MODULE


def section(lab: str, params: dict, *, words: dict, form: str = "note", wheel: str = "seeformer") -> str:
    """The section of a lab, for arguments as in ``lab_block``."""
    texts = words["labs"][lab]
    code = lab_block(lab, params, words=words, form=form, wheel=wheel)
    parts = [f"## {texts['title']}", texts["lead"], *prose(texts), *formulas(lab), fenced(code)]
    return "\n\n".join(parts) + "\n"


def prose(texts: dict) -> list[str]:
    """The paragraphs of a lab; a note has its own where the page's point at the page."""
    return list({**texts["prose"], **texts["note"].get("prose", {})}.values())


def formulas(lab: str) -> list[str]:
    return [f"$$\n{tex}\n$$" for tex in import_module(MODULE.format(lab)).FORMULAS]


def fenced(code: str) -> str:
    """The only tag that Code Emitter runs is "python"; the fence is longer than any run of backticks inside."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
    return f"{fence}python\n{code}{fence}"
