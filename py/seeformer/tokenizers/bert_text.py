"""What BERT does to a text before it looks for word pieces (Devlin et al. 2018, the code published with it).

Control characters go, Chinese ones stand alone, accents and capitals go (uncased models), punctuation stands alone.
Where the categories of Unicode count, they are this Python's. Hugging Face's tables are older: the two differ in marks
and punctuation that were added since (some hundred, most of them in historical scripts).
"""

import unicodedata

# The blocks of CJK ideographs, as Hugging Face has them (with 2B920 where the block begins at 2B820).
IDEOGRAPHS = [
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
]


def clean(text):
    """Without control characters and U+FFFD; every kind of white space becomes a space."""
    return "".join(" " if _is_space(c) else c for c in text if not _is_control(c))


def _is_control(character):
    if character in "\t\n\r":
        return False
    return character in "\0\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs")


def _is_space(character):
    return character in "\t\n\r" or character.isspace()


def ideographs_alone(text):
    """A space before and after each Chinese character: there are none between Chinese words."""
    return "".join(f" {c} " if any(first <= ord(c) <= last for first, last in IDEOGRAPHS) else c for c in text)


def without_accents(text):
    """Letters and marks taken apart (NFD), the marks that take no room left out."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")


def lower(text):
    """Character by character: a sigma at the end of a word becomes the same as any other."""
    return "".join(c.lower() for c in text)


def words(text):
    """Split at white space, every punctuation mark a word of its own."""
    found = []
    for part in text.split():
        start = True
        for c in part:
            if is_punctuation(c):
                found.append(c)
                start = True
            elif start:
                found.append(c)
                start = False
            else:
                found[-1] += c
    return found


def is_punctuation(character):
    """Unicode's punctuation, and all of ASCII that is neither letter, digit nor space: $ + < = > ^ ` | ~ too."""
    ascii_mark = "!" <= character <= "~" and not character.isalnum()
    return ascii_mark or unicodedata.category(character).startswith("P")
