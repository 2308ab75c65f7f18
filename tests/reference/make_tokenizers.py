"""Make what Hugging Face's tokenizers make of nasty_strings.json, for test_tokenizers_reference.py and the page's tests.

    python tests/reference/make_tokenizers.py [--train | FILE]

tokenizers.json          {kind: {"ids": …, "decoded": …}}, an entry for each string
<kind>.tokenizer.json    the tokenizers, made by --train only (Hugging Face's trainers do not always find the same): small
                         ones, trained on the strings themselves, so that they are nobody else's
"""

import json
import sys
from pathlib import Path

import tokenizers
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

HERE = Path(__file__).parent
VERSION = "0.23"
STRINGS = json.loads((HERE / "nasty_strings.json").read_text("utf-8"))
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def wordpiece(lowercase):
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    # Not all characters: unknown words are wanted.
    trainer = trainers.WordPieceTrainer(vocab_size=600, limit_alphabet=250, special_tokens=BERT, show_progress=False)
    made.train_from_iterator(STRINGS, trainer)
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    made.decoder = decoders.WordPiece()
    return made


def byte_pairs(special, processor):
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    options = {"initial_alphabet": alphabet, "show_progress": False}
    # Hugging Face's trainer looks into special tokens, which stand for themselves afterwards: it gets none to see.
    texts = [text for text in STRINGS if "<|endoftext|>" not in text]
    made.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=700, special_tokens=special, **options))
    made.post_processor = processor
    made.decoder = decoders.ByteLevel()
    return made


def unigram():
    """As T5's, but for its table of characters, which is not ours to copy."""
    made = Tokenizer(models.Unigram())
    made.normalizer = normalizers.NFKC()
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<pad>", "</s>", "<unk>", "<extra_id_0>"]
    options = {"unk_token": "<unk>", "show_progress": False}
    made.train_from_iterator(STRINGS, trainers.UnigramTrainer(vocab_size=500, special_tokens=special, **options))
    made.post_processor = processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 1)])
    made.decoder = decoders.Metaspace()
    return made


BART = ["<s>", "<pad>", "</s>", "<unk>", AddedToken("<mask>", lstrip=True, special=True)]
KINDS = {
    "bert": lambda: wordpiece(True),
    "bert-cased": lambda: wordpiece(False),
    "gpt2": lambda: byte_pairs(["<|endoftext|>"], processors.ByteLevel(trim_offsets=False)),
    "bart": lambda: byte_pairs(BART, processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)),
    "t5": unigram,
}


def results(tokenizer):
    ids = [tokenizer.encode(text).ids for text in STRINGS]
    return {"ids": ids, "decoded": [tokenizer.decode(each) for each in ids]}


def train():
    for kind, build in KINDS.items():
        (HERE / f"{kind}.tokenizer.json").write_text(build().to_str() + "\n", encoding="utf-8")


def make(file):
    assert tokenizers.__version__.startswith(VERSION), f"tokenizers {tokenizers.__version__}: install {VERSION}"
    expected = {kind: results(Tokenizer.from_file(str(HERE / f"{kind}.tokenizer.json"))) for kind in KINDS}
    text = json.dumps(expected, separators=(",", ":")).replace("]],", "]],\n").replace("]},", "]},\n")
    Path(file).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--train"]:
        train()
    make(sys.argv[1] if sys.argv[1:] not in ([], ["--train"]) else HERE / "tokenizers.json")
