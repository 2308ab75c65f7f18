"""Tokens that stand for themselves in a text, such as [MASK] or <|endoftext|>: no tokenizer looks inside them."""

import re


def splitter(special):
    """A function text -> [(piece, whether it is a special token)], without empty pieces; of two the longer one."""
    if not special:
        return lambda text: [(text, False)] if text else []
    pattern = re.compile("|".join(map(re.escape, sorted(special, key=len, reverse=True))))

    def split(text):
        pieces, at = [], 0
        for found in pattern.finditer(text):
            pieces += [(text[at : found.start()], False), (found[0], True)]
            at = found.end()
        return [(piece, alone) for piece, alone in (*pieces, (text[at:], False)) if piece]

    return split
