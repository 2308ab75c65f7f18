"""Small checkpoints of each family, and handing them to a lab as a reader does."""

import json
from base64 import b64encode
from functools import cache

from seeformer.io.model_files import save_model
from seeformer.models.bart import Bart, BartConfig
from seeformer.models.bert import Bert, BertConfig
from seeformer.models.gpt import GPT2, GPT2Config
from seeformer.models.t5 import T5, T5Config
from seeformer.models.vit import ViT, ViTConfig
from sitebuild.paths import ROOT

from .labs import root, settled

BART = {
    f"{side}_{name}": value
    for side in ("encoder", "decoder")
    for name, value in {"layers": 2, "attention_heads": 3, "ffn_dim": 20}.items()
}
MODELS = {
    "gpt2": (GPT2, GPT2Config(700, 20, 12, 2, 3, eos_token_id=None)),
    "bert": (Bert, BertConfig(600, 12, 2, 3, 20, max_position_embeddings=20)),
    "bart": (Bart, BartConfig(700, 20, 12, **BART)),
    "t5": (T5, T5Config(520, 12, 4, 20, 2, None, 3, 8, 16)),
    "t5_gated": (T5, T5Config(520, 12, 4, 20, 1, 2, 3, feed_forward_proj="gated-gelu", tie_word_embeddings=False)),
    "vit": (ViT, ViTConfig(12, 2, 3, 20, image_size=12, patch_size=3, num_channels=3, num_labels=4)),
}
CLASSES = ["cat", "dog", "ox", "hen"]


def tokenizer(family="gpt2"):
    """Written by Hugging Face's library."""
    return (ROOT / f"tests/reference/{family.removesuffix('_gated')}.tokenizer.json").read_bytes()


TOKENIZER = tokenizer()


@cache
def model(seed=3, family="gpt2", **options):
    kind, config = MODELS[family]
    return kind.random(config, seed, spread=0.3, **options)


@cache
def files(seed=3, family="gpt2", **options):
    """File name -> bytes; options as for ``model``."""
    weights, config = save_model(model(seed, family, **options))
    found = {"model.safetensors": weights, "config.json": config.encode()}
    if family != "vit":
        return found | {"tokenizer.json": tokenizer(family)}
    named = json.loads(config) | {"id2label": dict(enumerate(CLASSES))}
    return found | {"config.json": json.dumps(named).encode()}


def vocabulary():
    """vocab.json and merges.txt, as older checkpoints have them."""
    described = json.loads(TOKENIZER)["model"]
    merges = [" ".join(pair) if isinstance(pair, list) else pair for pair in described["merges"]]
    return {"vocab.json": json.dumps(described["vocab"]).encode(), "merges.txt": "\n".join(merges).encode()}


def word_pieces():
    """vocab.txt, as older checkpoints of BERT have it."""
    vocab = json.loads(tokenizer("bert"))["model"]["vocab"]
    return {"vocab.txt": "\n".join(sorted(vocab, key=vocab.get)).encode()}


def choose_files(page, given, lab):
    """Files by name, through the picker; returns what the panel says."""
    listed = [{"name": name, "mimeType": "", "buffer": data} for name, data in given.items()]
    root(page, lab).locator(".checkpoint input[type=file]").set_input_files(listed)
    return rests(page, lab)


DROP = """([files, selector]) => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))], name));
  const event = (kind) => new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
  const target = document.querySelector(selector);
  const taken = !target.dispatchEvent(event("dragover"));
  const marked = target.closest("[data-takes-files]").hasAttribute("data-files-over");
  target.dispatchEvent(event("drop"));
  return [taken, marked];
}"""


def drop_files(page, given, lab, within=""):
    """Files by name, dropped on the lab or on a part of it; returns whether it took them, and showed that it would."""
    listed = [[name, b64encode(data).decode()] for name, data in given.items()]
    found = page.evaluate(DROP, [listed, f"[data-lab={lab}] {within}"])
    rests(page, lab)
    return found


def rests(page, lab):
    """Waits until what was given has been read; returns what the panel says."""
    panel = f"document.querySelector('[data-lab={lab}] .checkpoint')"
    page.wait_for_function(f"() => {panel}.open && {panel}.dataset.step !== 'reading'")
    settled(page, lab)
    return told(page, lab)


def told(page, lab):
    """("used" or "random", what came of the files, what is wrong)"""
    panel = root(page, lab).locator(".checkpoint")
    lines = [panel.locator(each).inner_text() for each in (".checkpoint-status", ".control-error")]
    return panel.get_attribute("data-checkpoint"), *lines
