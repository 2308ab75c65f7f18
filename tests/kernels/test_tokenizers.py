"""Tokenizers: what is encoded is decoded, no text is too strange, training is what its definition says."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer.tokenizers.bpe import BytePairs
from seeformer.tokenizers.byte_level import ALPHABET, read, visible, words
from seeformer.tokenizers.characters import Characters
from seeformer.tokenizers.merging import learn, merge
from seeformer.tokenizers.wordpiece import WordPiece

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PIECES = ["un", "##aff", "##able", "##ord", "a", "##b", "我", "爱", ",", ".", "'", "s", "cafe", "Cat", "cat", "##s"]
VOCABULARY = [*SPECIAL, *PIECES]
TEXTS = ["low low low low low lower lower newest newest newest", "widest widest, 我爱猫。"]
ANY = st.text() | st.text("ab 's\n\t我é😀[MASK]<|endoftext|>", max_size=40)


class TestCharacters:
    tokenizer = Characters.train(["abcab", "我a"], special=["<pad>", "<bos>"])

    def test_the_frequent_ones_first(self):
        assert self.tokenizer.vocabulary == ["<pad>", "<bos>", "a", "b", "c", "我", "<unk>"]

    @given(st.text("abc我", max_size=20))
    def test_there_and_back(self, text):
        assert self.tokenizer.decode(self.tokenizer.encode(text)) == text

    def test_unknown_and_special(self):
        assert self.tokenizer.tokens("<bos>a猫") == ["<bos>", "a", "<unk>"]
        ids = self.tokenizer.encode("<bos>a猫")
        assert self.tokenizer.decode(ids) == "a<unk>"
        assert self.tokenizer.decode(ids, skip_special=False) == "<bos>a<unk>"

    def test_of_two_special_tokens_the_longer_one(self):
        tokenizer = Characters.train(["x"], special=["<a", "<ab"])
        assert tokenizer.tokens("<abx<ax") == ["<ab", "x", "<a", "x"]

    def test_at_most(self):
        assert Characters.train(["abcab"], most=2).vocabulary == ["a", "b", "<unk>"]


class TestBytes:
    def test_every_byte_has_a_visible_character_of_its_own(self):
        assert len(set(ALPHABET)) == 256 and all(c.isprintable() and not c.isspace() for c in ALPHABET)

    @given(ANY)
    def test_words_are_the_text_and_bytes_come_back(self, text):
        assert "".join(words(text)) == text and all(words(text))
        assert read(visible(text)) == text

    @pytest.mark.parametrize(
        ("text", "cut"),
        [
            ("I'm don't", ["I", "'m", " don", "'t"]),
            ("a  b", ["a", " ", " b"]),
            ("a \n b", ["a", " \n", " b"]),
            ("a  ", ["a", "  "]),
            ("x1 22?!", ["x", "1", " 22", "?!"]),
            ("我爱猫。", ["我爱猫", "。"]),
            ("½²Ⅳ٣", ["½²Ⅳ٣"]),
            ("e\u0301", ["e", "\u0301"]),
            ("a\x1c! b", ["a", "\x1c!", " b"]),
        ],
    )
    def test_words(self, text, cut):
        assert words(text) == cut

    def test_half_a_surrogate_pair_is_told_by_a_replacement(self):
        assert read(visible("a\ud800b")) == "a\ufffdb"


class TestBytePairs:
    tokenizer = BytePairs.train(TEXTS, 280, special=["<|endoftext|>"])

    @given(ANY)
    def test_there_and_back(self, text):
        ids = self.tokenizer.encode(text)
        assert self.tokenizer.decode(ids, skip_special=False) == text
        assert self.tokenizer.decode(ids) == text.replace("<|endoftext|>", "")

    def test_half_a_character(self):
        assert self.tokenizer.decode(self.tokenizer.encode("é")[:1]) == "\ufffd"

    def test_training_merges_the_most_frequent_pair_each_time(self):
        """Counted anew from the start at every step; equally frequent: the smaller ids."""
        vocabulary = list(self.tokenizer.vocabulary[:257])
        counted = Counter(visible(word) for text in TEXTS for word in words(text))
        parts = {word: list(word) for word in counted}
        for pair in self.tokenizer.merges:
            counts = Counter()
            for word, tokens in parts.items():
                for each in zip(tokens, tokens[1:], strict=False):
                    counts[each] += counted[word]
            best = min(counts, key=lambda each: (-counts[each], *map(vocabulary.index, each)))
            assert pair == best
            vocabulary.append("".join(pair))
            parts = {word: merge(tokens, pair) for word, tokens in parts.items()}
        assert vocabulary == self.tokenizer.vocabulary and len(vocabulary) == 280

    def test_training_twice_gives_the_same(self):
        assert BytePairs.train(TEXTS, 280, special=["<|endoftext|>"]).files() == self.tokenizer.files()

    def test_training_ends_when_no_pair_is_left(self):
        assert BytePairs.train(["ab"], 1000).merges == [("a", "b")]
        assert BytePairs.train([], 256).merges == []

    def test_a_run_of_one_letter(self):
        assert merge(list("aaaaa"), ("a", "a")) == ["aa", "aa", "a"]
        assert learn(["aaaa"], ["a"], 3) == (["a", "aa", "aaaa"], [("a", "a"), ("aa", "aa")])

    def test_files_there_and_back(self):
        again = BytePairs.from_files(*self.tokenizer.files())
        assert again.vocabulary == self.tokenizer.vocabulary and again.merges == self.tokenizer.merges
        assert again.encode("lowest<|endoftext|>") == self.tokenizer.encode("lowest<|endoftext|>")

    def test_special_tokens_stand_for_themselves(self):
        assert self.tokenizer.tokens("low<|endoftext|> low")[1] == "<|endoftext|>"
        assert self.tokenizer.encode("<|endoftext|>") == [0]

    @pytest.mark.parametrize(
        ("vocab", "merges", "message"),
        [
            ('{"a": 1}', "", "vocab=its ids are not 0, 1, 2"),
            ("[]", "", "vocab=its ids"),
            ("{", "", "vocab='{' is not JSON"),
            ("[" * 100_000, "", "is not JSON .it is nested too deeply"),
            ('{"a": 0}', "", "vocabulary='\\\\x00'|vocabulary='Ā' is missing"),
            (None, "a b c", "merges='a b c' is no pair"),
            (None, "zq q", "vocabulary='zqq' is missing"),
        ],
    )
    def test_files_that_are_none(self, vocab, merges, message):
        with pytest.raises(ValueError, match=message):
            BytePairs.from_files(vocab or self.tokenizer.files()[0], merges)

    def test_a_size_that_is_too_small(self):
        with pytest.raises(ValueError, match="size=256 is too small: use at least 257"):
            BytePairs.train(TEXTS, 256, special=["<pad>"])


class TestWordPiece:
    tokenizer = WordPiece.from_text("\n".join(VOCABULARY) + "\n")
    cased = WordPiece(VOCABULARY, lowercase=False)

    @pytest.mark.parametrize(
        ("text", "tokens"),
        [
            ("unaffordable", ["un", "##aff", "##ord", "##able"]),
            ("unaffordably", ["[UNK]"]),
            ("Café CAFÉ", ["cafe", "cafe"]),
            ("我爱a", ["我", "爱", "a"]),
            ("cat's, a.", ["cat", "'", "s", ",", "a", "."]),
            ("c\0a\u200bt\ufffds", ["cat", "##s"]),
            (" \n\t\u3000", []),
            ("", []),
            ("a\U0002b820a", ["[UNK]"]),
            ("a\U0002b920a", ["a", "[UNK]", "a"]),
            ("a[MASK]a", ["a", "[MASK]", "a"]),
            ("[mask]", ["[UNK]", "[UNK]", "[UNK]"]),
            ("a" + "b" * 99, ["a", *["##b"] * 99]),
            ("a" + "b" * 100, ["[UNK]"]),
        ],
    )
    def test_pieces(self, text, tokens):
        assert self.tokenizer.tokens(text) == tokens

    def test_a_cased_model_keeps_capitals_and_accents(self):
        assert self.cased.tokens("Cat cat café") == ["Cat", "cat", "[UNK]"]

    @given(ANY)
    def test_any_text(self, text):
        for tokenizer in (self.tokenizer, self.cased):
            ids = tokenizer.encode(text)
            assert ids[0] == 2 and ids[-1] == 3 and all(0 <= i < len(VOCABULARY) for i in ids)
            assert isinstance(tokenizer.decode(ids), str)

    def test_two_texts(self):
        ids = self.tokenizer.encode("cat", "a a")
        assert self.tokenizer.vocabulary.tokens(ids) == ["[CLS]", "cat", "[SEP]", "a", "a", "[SEP]"]
        assert self.tokenizer.segments(ids) == [0, 0, 0, 1, 1, 1]
        assert self.tokenizer.segments(self.tokenizer.encode("cat")) == [0, 0, 0]

    def test_decoding_closes_gaps(self):
        assert self.tokenizer.decode(self.tokenizer.encode("Unaffordable cats, a.")) == "unaffordable cats, a."
        assert self.tokenizer.decode([2, 4, 3], skip_special=False) == "[CLS] [MASK] [SEP]"

    def test_lines_of_a_vocabulary_may_end_as_on_windows(self):
        tokenizer = WordPiece.from_text("\r\n".join([*SPECIAL, "a\u2028b", "\x0c"]) + "\r\n")
        assert tokenizer.vocabulary == [*SPECIAL, "a\u2028b", "\x0c"]

    @pytest.mark.parametrize(
        ("vocabulary", "message"),
        [
            (["[UNK]", "[CLS]"], "vocabulary='\\[SEP\\]' is missing in it: add it"),
            ([*SPECIAL, "a", "a"], "vocabulary='a' is in it twice: keep one"),
        ],
    )
    def test_a_vocabulary_that_is_none(self, vocabulary, message):
        with pytest.raises(ValueError, match=message):
            WordPiece(vocabulary)

    @pytest.mark.parametrize("number", [-1, len(VOCABULARY)])
    def test_an_id_that_is_none(self, number):
        with pytest.raises(ValueError, match=f"ids={number} is no token's number: use 0 to {len(VOCABULARY) - 1}"):
            self.tokenizer.decode([number])
