"""WordPiece, BERT's tokenizer: the longest piece that the vocabulary has, from left to right (Wu et al. 2016).

A piece within a word is written with ## before it: unaffordable → un ##aff ##ord ##able.
"""

from .bert_text import clean, ideographs_alone, lower, without_accents, words
from .special import splitter
from .vocabulary import Vocabulary

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LONGEST_WORD = 100  # characters; a longer one is unknown
# What the decoder takes back of the spaces that the encoder put between.
TIGHT = [(" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m")]
TIGHT += [(" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re")]


class WordPiece:
    """``vocabulary``: the tokens, [UNK], [CLS] and [SEP] among them; ``lowercase``: small letters without accents."""

    def __init__(self, vocabulary, *, lowercase=True):
        self.vocabulary, self.lowercase = Vocabulary(vocabulary), lowercase
        self.vocabulary.need("[UNK]", "[CLS]", "[SEP]")
        self.special = tuple(token for token in SPECIAL if token in self.vocabulary.ids)
        self._split = splitter(self.special)

    @classmethod
    def from_text(cls, vocab, *, lowercase=True):
        """From the text of a vocab.txt: a token a line, the first one has the id 0."""
        lines = vocab.removesuffix("\n").split("\n")  # not splitlines: a token may be any other separator
        return cls([line.removesuffix("\r") for line in lines], lowercase=lowercase)

    def tokens(self, text):
        """The pieces of a text, without [CLS] and [SEP]; [MASK] and its like, written in the text, are themselves."""
        found = []
        for piece, alone in self._split(text):
            found += [piece] if alone else [token for word in words(self.normal(piece)) for token in self.pieces(word)]
        return found

    def normal(self, text):
        """The text as the vocabulary is made for it."""
        text = ideographs_alone(clean(text))
        return lower(without_accents(text)) if self.lowercase else text

    def pieces(self, word):
        """The pieces of one word; one piece that is not there makes the whole word unknown."""
        if len(word) > LONGEST_WORD:
            return ["[UNK]"]
        found, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self.vocabulary.ids), None)
            if end is None:
                return ["[UNK]"]
            found.append(mark + word[start:end])
            start = end
        return found

    def encode(self, text, second=None):
        """Ids of [CLS] text [SEP], or of [CLS] text [SEP] second [SEP]; ``segments`` tells which is which."""
        tokens = ["[CLS]", *self.tokens(text), "[SEP]"]
        if second is not None:
            tokens += [*self.tokens(second), "[SEP]"]
        return [self.vocabulary.ids[token] for token in tokens]

    def segments(self, ids):
        """0 up to the first [SEP], 1 behind it: BERT's token_type_ids."""
        ids = list(ids)
        first = ids.index(self.vocabulary.ids["[SEP]"]) + 1 if self.vocabulary.ids["[SEP]"] in ids else len(ids)
        return [0] * first + [1] * (len(ids) - first)

    def decode(self, ids, *, skip_special=True):
        """Text again; what the normalization took away does not come back."""
        skipped = self.special if skip_special else ()
        tokens = [token for token in self.vocabulary.tokens(ids) if token not in skipped]
        return "".join(map(_written, range(len(tokens)), tokens))


def _written(place, token):
    """A token with the space before it, if there is one."""
    text = token
    if place:
        text = token[2:] if token.startswith("##") else " " + token
    for loose, tight in TIGHT:
        text = text.replace(loose, tight)
    return text
