"""A reading line is arithmetic: what it spells out comes to the value that it ends with, in every picture of every lab."""

import re

import pytest
from support.arithmetic import worths
from support.labs import restore_defaults, root, set_field

from sitebuild.labs import labs

# Points at a cell of each picture in turn, none on a diagonal or hidden by a causal mask, and gives [picture, what the line then writes].
READ = """(lab) => [...document.querySelectorAll(`[data-lab=${lab}] canvas[data-heatmap]`)].filter((canvas) => canvas.checkVisibility()).map((canvas) => {
  const [rows, cols] = canvas.getAttribute("aria-label").match(/\\d+/g).slice(-2).map(Number);
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const [row, col] = [Math.min(2, rows - 1), Math.min(1, cols - 1)];
  const place = { clientX: left + ((col + 0.5) * width) / cols, clientY: top + ((row + 0.5) * height) / rows, pointerType: "mouse" };
  canvas.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, ...place }));
  const line = document.querySelector(`[data-lab=${lab}] .reading code`).textContent;
  canvas.dispatchEvent(new PointerEvent("pointerleave", place));
  return [canvas.dataset.heatmap, line];
})"""

UNWRITTEN = re.compile(r"Σ|Φ|… |max \|")  # what a line may tell of without writing it out

# What makes the sums short enough to be written out whole, and what else changes the arithmetic.
SETTINGS = {
    "attention": [[("weight_set", "paper")]],
    "recurrence": [[("hidden", 3), ("network", network)] for network in ("rnn", "lstm", "attention")],
    "gpt": [[("prompt", "床前明"), ("d_model", 8)]],
    "seq2seq": [
        [("source", "ab"), ("num_layers", 1), ("d_model", 8), ("num_heads", 2), ("style", style)]
        for style in ("bart", "t5")
    ],
    "speed": [[("tile", 1), ("step", 3)]],
    "positional": [
        [("dims", "0, 1"), ("pair", 1), ("d_model", 4), ("layout", layout)] for layout in ("interleaved", "half")
    ],
    "mask": [[], [("weight_set", "paper")]],
    "vit": [[("d_model", 8)]],
    "norm": [[("input", "paper"), ("kind", kind), ("order", "pre")] for kind in ("layer", "batch", "rms")],
    "architecture": [[("d_model", 4)]],
    "ffn": [[("weight_set", "paper"), ("activation", activation)] for activation in ("relu", "gelu")],
}
PLACES = {"speed": ("A_touched", "B_touched", "C_touched", "before", "after")}  # pictures of where, told in words
CASES = [(lab, settings) for lab in labs() for settings in SETTINGS.get(lab, [[]])]


@pytest.mark.parametrize(("lab", "settings"), CASES)
def test_what_it_spells_out_comes_to_the_value(booted, lab, settings):
    restore_defaults(booted, lab)
    for name, value in settings:
        assert set_field(booted, name, value, lab) == "ready"
    told = booted.evaluate(READ, lab)
    assert len(told) == root(booted, lab).locator("canvas[data-heatmap]:visible").count() > 4
    whole, places = set(), PLACES.get(lab, ())
    assert set(places) <= {name for name, _ in told}
    for name, line in told:
        if name in places:
            assert line.strip()
            continue
        *spelt, value = worths(line)
        assert value is not None, (name, line)
        for worth in spelt:
            assert worth is not None or UNWRITTEN.search(line), (name, line)
            assert worth is None or worth == pytest.approx(value, rel=1e-3, abs=1e-4, nan_ok=True), (name, line)
            whole.add(name if worth is not None else None)
    assert len(whole - {None}) >= (1 if places else 4)
