"""What the tokens of a tokenizer.json say."""

import json

import pytest

from seeformer.tokenizers.token_texts import token_texts


def written(vocab, decoder=None, added=()):
    added = [{"id": number, "content": text} for number, text in added]
    return json.dumps({"model": {"vocab": vocab}, "decoder": decoder, "added_tokens": added})


def test_bytes_become_text():
    vocab = {"\u0120the": 0, "\u00e7\u012e\u00ab": 1, "\u00e7": 2, "<|endoftext|>": 3, "a\u4e00": 4}
    assert token_texts(written(vocab, {"type": "ByteLevel"}, [(3, "<|endoftext|>")])) == [
        " the", "\u732b", "\ufffd", "<|endoftext|>", "a\u4e00",
    ]  # fmt: skip


def test_pieces_of_words_keep_their_mark():
    assert token_texts(written({"[UNK]": 0, "un": 1, "##able": 2}, {"type": "WordPiece"})) == ["[UNK]", "un", "##able"]


@pytest.mark.parametrize("decoder", [{"type": "Metaspace"}, {"type": "Sequence", "decoders": [{"type": "Metaspace"}]}])
def test_pairs_of_piece_and_score(decoder):
    vocab = [["<pad>", 0.0], ["\u2581the", -2.5]]
    assert token_texts(written(vocab, decoder, [(4, "<extra>")])) == ["<pad>", " the", "[2]", "[3]", "<extra>"]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        '{"model": {}}',
        '{"model": {"vocab": 3}}',
        '{"model": {"vocab": {"a": "b"}}}',
        '{"model": {"vocab": {"a": -1}}}',
        '{"model": {"vocab": {"a": 99999999999}}}',
        '{"model": {"vocab": [[1, 2]]}}',
        '{"model": {"vocab": {}}, "added_tokens": [{"id": 1}]}',
        '{"model": {"vocab": {}}, "decoder": 5}',
        '{"model": {"vocab": {}}, "decoder": {"decoders": 5}}',
        '{"model": {"vocab": {}}, "decoder": {"decoders": [5]}}',
        "[" * 100_000,
    ],
)
def test_what_is_no_tokenizer_is_told(text):
    with pytest.raises(ValueError, match="tokenizer="):
        token_texts(text)
