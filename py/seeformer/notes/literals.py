"""Values as a person writes them in Python: what a reader may change stands in the block in the plainest form."""

import json
import re


def literal(value) -> str:
    if isinstance(value, str):  # a half of a surrogate pair cannot leave Python as text
        return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):x}", json.dumps(value, ensure_ascii=False))
    if isinstance(value, list | tuple):
        if value and all(isinstance(item, str) for item in value):
            return _strings(value)
        return f"[{', '.join(map(literal, value))}]"
    return repr(value)


def _strings(values) -> str:
    """Single signs as one string, words as one line of text; a list where that would change them."""
    whole = "".join(values)
    if len(values) > 1 and all(len(value) == 1 for value in values):
        return f"list({literal(whole)})"
    line = " ".join(values)
    if len(values) > 1 and line.split() == list(values):
        return f"{literal(line)}.split()"
    return f"[{', '.join(map(literal, values))}]"
