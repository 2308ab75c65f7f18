"""One token a character: no unknown word, long sequences; the vocabulary is what the training texts have.

>>> tokenizer = Characters.train(["abba"], special=["<pad>"])
>>> tokenizer.vocabulary, tokenizer.encode("bad"), tokenizer.decode([2, 1])
(['<pad>', 'a', 'b', '<unk>'], [2, 1, 3], 'ba')
"""

from collections import Counter

from .special import splitter
from .vocabulary import Vocabulary


class Characters:
    """``vocabulary``: the tokens; ``special``: those of them that are no characters; ``unknown``: for all others.

    A character is a Unicode code point: an accent that stands alone in the text is a token of its own.
    """

    def __init__(self, vocabulary, *, special=(), unknown="<unk>"):
        self.vocabulary, self.special, self.unknown = Vocabulary(vocabulary), tuple(special), unknown
        self.vocabulary.need(unknown, *special)
        self._split = splitter(self.special)

    @classmethod
    def train(cls, texts, *, special=(), unknown="<unk>", most=None):
        """The characters of ``texts``, the frequent ones first (equally frequent: by code point), at most ``most``."""
        counts = Counter(character for text in texts for character in text)
        characters = sorted(counts, key=lambda character: (-counts[character], character))[:most]
        return cls([*special, *characters, unknown], special=special, unknown=unknown)

    def tokens(self, text):
        """The tokens of a text: its characters, and special tokens that are written in it."""
        found = []
        for piece, alone in self._split(text):
            known = self.vocabulary.ids
            found += [piece] if alone else [c if c in known else self.unknown for c in piece]
        return found

    def encode(self, text):
        """The tokens' ids, a list of int."""
        return [self.vocabulary.ids[token] for token in self.tokens(text)]

    def decode(self, ids, *, skip_special=True):
        """The text of ``ids``; special tokens are left out, unknown ones are written as such."""
        skipped = self.special if skip_special else ()
        return "".join(token for token in self.vocabulary.tokens(ids) if token not in skipped)
