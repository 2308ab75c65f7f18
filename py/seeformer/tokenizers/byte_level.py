"""How GPT-2 cuts a text into words, and writes every byte as a character that can be seen (Radford et al. 2019).

The cut is the regular expression

    's|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+

Python's ``re`` has no \\p{L}. So it is applied to a text of the same length that says what each character is: L letter,
N number, S the space, W other white space, O all else.
"""

import re
import unicodedata

SHORT = re.compile("'(?:s|t|re|ve|m|ll|d)")
WORD = re.compile(r"S?L+|S?N+|S?O+|[SW]+(?![LNO])|[SW]+")


def words(text):
    """The words of a text, each with the space before it; together they are the text."""
    kinds = "".join(map(_kind, text))
    found, at = [], 0
    while at < len(text):
        end = (SHORT.match(text, at) or WORD.match(kinds, at)).end()
        found.append(text[at:end])
        at = end
    return found


def _kind(character):
    if character == " ":
        return "S"
    if character.isspace() and not "\x1c" <= character <= "\x1f":  # four separators that only Python takes for space
        return "W"
    first = unicodedata.category(character)[0]
    return first if first in "LN" else "O"


def _alphabet():
    """Byte -> character: Latin-1's visible ones stand for themselves, the others follow from U+0100 on."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [byte for byte in range(256) if byte not in seen]
    table = {byte: chr(byte) for byte in seen} | {byte: chr(256 + place) for place, byte in enumerate(rest)}
    return [table[byte] for byte in range(256)]


ALPHABET = _alphabet()
BYTES = {character: byte for byte, character in enumerate(ALPHABET)}


def visible(text):
    """The UTF-8 bytes of a text, a character each: a space is Ġ. Half a surrogate pair counts as U+FFFD."""
    return "".join(ALPHABET[byte] for byte in _utf8(text))


def _utf8(text):
    return re.sub("[\ud800-\udfff]", "\ufffd", text).encode("utf-8")


def read(characters):
    """The text again; bytes that are no UTF-8, such as half of a Chinese character, become U+FFFD."""
    return bytes(BYTES[character] for character in characters).decode("utf-8", "replace")
