"""Texts out of a file: fit to be written again, and short enough for a message."""

import re

STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)


def encodable(text):
    if re.search("[\ud800-\udfff]", text):
        raise ValueError(f"its header has {short(text)}, which is no text: half of a surrogate pair")


def short(value):
    text = ascii(value)
    return text if len(text) <= 80 else text[:77] + "…"


def shallow(text, most):
    """ValueError if JSON is nested deeper than that. Inside a browser, parsing it would end Python itself."""
    depth = 0
    for bracket in re.sub(r"[^][{}]+", "", STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > most:
            raise ValueError("it is nested too deeply")
