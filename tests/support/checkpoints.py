"""Small checkpoints, and handing them to a lab as a reader does."""

import json
from functools import cache

from seeformer.io.model_files import save_model
from seeformer.models.gpt import GPT2, GPT2Config
from sitebuild.paths import ROOT

from .labs import root, settled

CONFIG = GPT2Config(700, 20, 12, 2, 3, eos_token_id=None)
TOKENIZER = (ROOT / "tests/reference/gpt2.tokenizer.json").read_bytes()  # written by Hugging Face's library


@cache
def model(seed=3):
    return GPT2.random(CONFIG, seed, spread=0.3)


@cache
def files(seed=3):
    """File name -> bytes."""
    weights, config = save_model(model(seed))
    return {"model.safetensors": weights, "config.json": config.encode(), "tokenizer.json": TOKENIZER}


def vocabulary():
    """vocab.json and merges.txt, as older checkpoints have them."""
    described = json.loads(TOKENIZER)["model"]
    merges = [" ".join(pair) if isinstance(pair, list) else pair for pair in described["merges"]]
    return {"vocab.json": json.dumps(described["vocab"]).encode(), "merges.txt": "\n".join(merges).encode()}


def choose_files(page, given, lab):
    """Files by name, through the picker; returns what the panel says."""
    listed = [{"name": name, "mimeType": "", "buffer": data} for name, data in given.items()]
    root(page, lab).locator(".checkpoint input[type=file]").set_input_files(listed)
    return rests(page, lab)


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
