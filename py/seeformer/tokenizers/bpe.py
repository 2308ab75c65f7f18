"""Byte-pair encoding on bytes, GPT-2's tokenizer: no text is unknown (Sennrich et al. 2016; Radford et al. 2019).

Every word starts as its bytes; then the pair of neighbours that was merged first in training is merged, until none is
left. ``train`` finds the merges: again and again the most frequent pair.
"""

import json

from ..io.text import shallow, short
from .byte_level import ALPHABET, read, visible, words
from .merging import learn, merge
from .special import splitter
from .vocabulary import Vocabulary


class BytePairs:
    """``vocabulary``: the tokens, as ``byte_level.visible`` writes them; ``merges``: pairs, in order of learning."""

    def __init__(self, vocabulary, merges, *, special=()):
        self.vocabulary, self.special = Vocabulary(vocabulary), tuple(special)
        self.merges = [tuple(pair) for pair in merges]
        self.vocabulary.need(*ALPHABET, *special)
        self.vocabulary.need(*(left + right for left, right in self.merges))
        self._rank = {pair: rank for rank, pair in enumerate(self.merges)}
        self._split = splitter(self.special)

    @classmethod
    def from_files(cls, vocab, merges, *, special=("<|endoftext|>",)):
        """From the texts of vocab.json (token -> id) and merges.txt (a pair a line), as Hugging Face keeps GPT-2's."""
        try:
            shallow(vocab, 1)
            ids = json.loads(vocab)
        except ValueError as error:
            raise ValueError(f"vocab={short(vocab)} is not JSON ({error}): give the text of vocab.json") from None
        if not isinstance(ids, dict) or set(ids.values()) != set(range(len(ids))):
            raise ValueError("vocab=its ids are not 0, 1, 2 …: give the text of vocab.json")
        lines = [line for line in merges.split("\n") if line and not line.startswith("#version")]
        pairs = [line.split(" ") for line in lines]
        if wrong := [line for line, pair in zip(lines, pairs, strict=True) if len(pair) != 2]:
            raise ValueError(f"merges={wrong[0]!r} is no pair: give the text of merges.txt")
        return cls(sorted(ids, key=ids.get), pairs, special=[token for token in special if token in ids])

    @classmethod
    def train(cls, texts, size, *, special=()):
        """Learn merges from ``texts`` until there are ``size`` tokens, or no pair of neighbours is left.

        The same texts give the same tokenizer as ``BpeTrainer`` of Hugging Face: of two equally frequent pairs
        that with the smaller ids goes first.
        """
        start = [*special, *sorted(ALPHABET)]
        if size < len(start):
            raise ValueError(f"size={size} is too small: use at least {len(start)}, the bytes and special tokens")
        split = splitter(special)
        pieces = (piece for text in texts for piece, alone in split(text) if not alone)
        vocabulary, merges = learn((visible(word) for piece in pieces for word in words(piece)), start, size)
        return cls(vocabulary, merges, special=special)

    def files(self):
        """The texts of vocab.json and merges.txt."""
        lines = ["#version: 0.2", *(" ".join(pair) for pair in self.merges)]
        return json.dumps(self.vocabulary.ids, ensure_ascii=False), "\n".join(lines) + "\n"

    def tokens(self, text):
        """The tokens of a text, as they stand in the vocabulary: Ġ is a space."""
        found = []
        for piece, alone in self._split(text):
            found += [piece] if alone else [token for word in words(piece) for token in self.pieces(word)]
        return found

    def pieces(self, word):
        """The tokens of one word."""
        parts = list(visible(word))
        while len(parts) > 1:
            pair = min(zip(parts, parts[1:], strict=False), key=lambda pair: self._rank.get(pair, len(self._rank)))
            if pair not in self._rank:
                break
            parts = merge(parts, pair)
        return parts

    def encode(self, text):
        """The tokens' ids, a list of int."""
        return [self.vocabulary.ids[token] for token in self.tokens(text)]

    def decode(self, ids, *, skip_special=True):
        """The text of ``ids``; half a character becomes U+FFFD, special tokens are left out."""
        skipped = self.special if skip_special else ()
        text = []
        for token in self.vocabulary.tokens(ids):
            if token not in self.special:
                text.append(token)
            elif token not in skipped:
                text.append(visible(token))
        return read("".join(text))
