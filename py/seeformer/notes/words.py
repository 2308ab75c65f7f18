"""Words of a note before they are the reader's: what labs/<id>_note.py says when it runs as it stands."""


def words(key: str) -> str:
    """A text of the lab, by its key under ``labs.<id>.note``; written out it is a string in the reader's language."""
    return key


def remark(key: str) -> None:
    """The same, written out as a comment."""
