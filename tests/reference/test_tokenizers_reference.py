"""WordPiece and BPE give the ids and texts that Hugging Face's tokenizers give, on a list of nasty strings."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from seeformer.tokenizers.bpe import BytePairs
from seeformer.tokenizers.wordpiece import WordPiece

HERE = Path(__file__).parent
STRINGS = json.loads((HERE / "nasty_strings.json").read_text("utf-8"))
EXPECTED = json.loads((HERE / "tokenizers.json").read_text("utf-8"))


def model(kind):
    return json.loads((HERE / f"{kind}.tokenizer.json").read_text("utf-8"))["model"]


def by_id(vocab):
    return sorted(vocab, key=vocab.get)


def tokenizer(kind):
    if kind == "gpt2":
        merges = "\n".join(map(" ".join, model(kind)["merges"]))
        return BytePairs.from_files(json.dumps(model(kind)["vocab"]), merges)
    return WordPiece.from_text("\n".join(by_id(model(kind)["vocab"])), lowercase=kind == "bert")


def test_the_list():
    assert len(STRINGS) == len(set(STRINGS)) >= 200 and "" in STRINGS
    for kind, found in EXPECTED.items():
        assert len(found["ids"]) == len(found["decoded"]) == len(STRINGS), kind


@pytest.mark.parametrize("kind", ["bert", "bert-cased", "gpt2"])
def test_equals_hugging_face(kind):
    ours = tokenizer(kind)
    for text, ids, decoded in zip(STRINGS, EXPECTED[kind]["ids"], EXPECTED[kind]["decoded"], strict=True):
        assert ours.encode(text) == ids, text
        assert ours.decode(ids) == decoded, text


def test_training_finds_the_merges_that_hugging_face_found():
    theirs = model("gpt2")
    texts = [text for text in STRINGS if "<|endoftext|>" not in text]
    ours = BytePairs.train(texts, 700, special=["<|endoftext|>"])
    assert ours.merges == [tuple(pair) for pair in theirs["merges"]] and ours.vocabulary == by_id(theirs["vocab"])


def test_hugging_face_still_says_the_same(request, tmp_path):
    if not request.config.getoption("--reference", default=False):
        pytest.skip("needs tokenizers: python build.py test --reference")
    fresh = tmp_path / "tokenizers.json"
    subprocess.run([sys.executable, HERE / "make_tokenizers.py", fresh], check=True)
    assert json.loads(fresh.read_text("utf-8")) == EXPECTED
    all_characters()
    longer_texts_train_the_same(request.config.rootpath)
    the_vocabulary_of_a_real_model()


def all_characters():
    """Every character there is, between two letters: BERT's text and words, GPT-2's words. What differs is counted."""
    import unicodedata

    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer, ByteLevel

    from seeformer.tokenizers import bert_text, byte_level

    uncased, cut, bytes_ = tokenizer("bert"), BertPreTokenizer(), ByteLevel(add_prefix_space=False)
    normal = BertNormalizer(lowercase=True)
    differing = {"normal": [], "words": [], "bytes": []}
    for code in (*range(0xD800), *range(0xE000, 0x110000)):
        character = chr(code)
        if unicodedata.category(character) in ("Cn", "Co"):
            continue  # 970,000 unassigned and private ones: some are tried in the list
        text = f"a{character}b"
        theirs = normal.normalize_str(text)
        if uncased.normal(text) != theirs:
            differing["normal"].append(code)
        if bert_text.words(theirs) != [word for word, _ in cut.pre_tokenize_str(theirs)]:
            differing["words"].append(code)
        if [byte_level.visible(word) for word in byte_level.words(text)] != [
            w for w, _ in bytes_.pre_tokenize_str(text)
        ]:
            differing["bytes"].append(code)
    print({kind: len(found) for kind, found in differing.items()})
    everyday = [
        (0, 0x5FF),
        (0x900, 0x97F),
        (0xE00, 0xE7F),
        (0x1E00, 0x2BFF),
        (0x3000, 0x9FFF),
        (0xAC00, 0xD7FF),
        (0xF900, 0xFFFF),
    ]
    everyday += [(0x1F300, 0x1FAFF), (0x20000, 0x2EBE0)]
    for kind, most in (("normal", 500), ("words", 120), ("bytes", 120)):
        assert len(differing[kind]) < most, (kind, len(differing[kind]))
        assert not [hex(code) for code in differing[kind] if any(low <= code <= high for low, high in everyday)], kind


def longer_texts_train_the_same(root):
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    texts = [(root / name).read_text("utf-8") for name in ("README.md", "README.zh.md")]
    theirs = Tokenizer(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    theirs.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=2000, initial_alphabet=alphabet, show_progress=False)
    )
    ours = BytePairs.train(texts, 2000)
    assert ours.vocabulary == by_id(theirs.get_vocab())
    for text in (*texts, *STRINGS):
        assert ours.encode(text) == theirs.encode(text).ids


def the_vocabulary_of_a_real_model():
    """That of all-MiniLM-L6-v2, which is BERT's: 30,522 pieces."""
    from tokenizers import Tokenizer

    from sitebuild.reference_model import minilm

    files = minilm()
    theirs = Tokenizer.from_str(files.read("tokenizer.json").decode())
    theirs.no_truncation()
    theirs.no_padding()
    ours = WordPiece.from_text(files.read("vocab.txt").decode())
    assert len(ours.vocabulary) == 30_522
    for text in STRINGS:
        assert ours.encode(text) == theirs.encode(text).ids, text
        assert ours.decode(ours.encode(text)) == theirs.decode(theirs.encode(text).ids), text
