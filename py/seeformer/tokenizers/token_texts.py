"""What the tokens of a tokenizer.json (Hugging Face) say, by their numbers.

>>> token_texts('{"model": {"vocab": {"a": 0, "\u0120b": 2}}, "decoder": {"type": "ByteLevel"}}')
['a', '[1]', ' b']
"""

import json

from ..io.text import shallow, short
from .byte_level import BYTES, read

DEEPEST = 20
MOST = 1 << 20  # tokens; a file may claim any number


def token_texts(text):
    """A list of str: each token as it reads, a space being a space. ##, which marks the inside of a word, stays.

    Parameters
    ----------
    text : str
        Of the file. Numbers that it leaves out are called "[7]".
    """
    try:
        shallow(text, DEEPEST)
        found = json.loads(text)
        vocabulary = found["model"]["vocab"]
        pairs = [(word, number) for number, (word, *_) in enumerate(vocabulary)]
        if isinstance(vocabulary, dict):
            pairs = list(vocabulary.items())
        added = [(token["content"], token["id"]) for token in found.get("added_tokens") or []]
        as_written = {"ByteLevel": _bytes, "Metaspace": _spaces}.get(_decoder(found), str)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"tokenizer={short(text)} has no vocabulary ({error!r}): give a tokenizer.json") from None
    if not all(isinstance(word, str) and type(number) is int and 0 <= number < MOST for word, number in pairs + added):
        raise ValueError("tokenizer=its vocabulary has more than texts and their numbers: give a tokenizer.json")
    texts = {number: as_written(word) for word, number in pairs} | {number: word for word, number in added}
    return [texts.get(number, f"[{number}]") for number in range(max(texts, default=-1) + 1)]


def _decoder(found):
    """The type that says how a space is written, also where it is one of several."""
    decoder = found.get("decoder") or {}
    types = [part.get("type") for part in (decoder, *decoder.get("decoders", []))]
    return next((each for each in types if each in ("ByteLevel", "Metaspace")), None)


def _bytes(word):
    return read(word) if all(character in BYTES for character in word) else word


def _spaces(word):
    return word.replace("\u2581", " ")
