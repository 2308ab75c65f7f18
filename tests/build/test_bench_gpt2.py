"""The graph that onnxruntime-web gets is this project's GPT-2; what was measured is compared and told rightly."""

import os

import numpy as np
import onnx
import pytest
from bench import gpt2, renderer
from bench.onnx_gpt2 import cache_names
from bench.tables import words_of
from onnx.reference import ReferenceEvaluator

from seeformer.io.safetensors import read_safetensors
from seeformer.models.gpt import GPT2, GPT2Config

CONFIG = GPT2Config(vocab_size=61, n_positions=24, n_embd=24, n_layer=2, n_head=3)
PROMPT = np.array([5, 17, 60, 0, 5])


@pytest.fixture
def model_file(tmp_path):
    """Weights and graph, of one checkpoint."""
    gpt2.written(CONFIG, tmp_path)
    return tmp_path / "gpt2.onnx"


def steps_of(graph, ids, steps):
    """As peers/gpt2.js does it: the token with the largest logit, and what was read goes back in."""
    evaluator, names = ReferenceEvaluator(str(graph)), cache_names(CONFIG)
    cached = {name: np.zeros((CONFIG.n_head, 0, CONFIG.n_embd // CONFIG.n_head), np.float32) for name in names}
    for _ in range(steps):
        logits, *kept = evaluator.run(["logits", *(f"{name}.all" for name in names)], {"ids": ids, **cached})
        cached, ids = dict(zip(names, kept, strict=True)), logits.argmax(-1)
        yield logits[0]


class TestGraph:
    def test_it_is_valid_and_small(self, model_file):
        onnx.checker.check_model(str(model_file), full_check=True)
        assert model_file.stat().st_size < 40_000  # the numbers lie in the checkpoint

    def test_it_writes_what_our_model_writes(self, model_file):
        model = GPT2(CONFIG, dict(read_safetensors(model_file.with_name("gpt2.safetensors"))))
        ours = [chosen.logits for chosen in model.generate(PROMPT, 8, eos=None)]
        theirs = list(steps_of(model_file, PROMPT, 8))
        assert np.abs(ours).max() > 0.1
        np.testing.assert_allclose(theirs, ours, atol=2e-6)

    def test_each_of_the_weights_counts(self):
        """Far more than the two may differ: else the same logits would not show that the same model ran."""
        weights = gpt2.weights(CONFIG)
        logits = GPT2(CONFIG, weights).forward(PROMPT, last=True)
        for name, values in weights.items():
            without = GPT2(CONFIG, {**weights, name: np.zeros_like(values)}).forward(PROMPT, last=True)
            assert np.abs(without - logits).max() > 1e-4, name


def told(tokens=(1, 2), logits=((0.5, 0.25), (0.1, 0.2))):
    return {"times": [9.0, 1.0], "tokens": list(tokens), "logits": np.array(logits).tolist()}


class TestAgreement:
    def test_how_far_apart(self):
        other = told(logits=((0.5, 0.25004), (0.1, 0.2)))
        assert gpt2.agreement({"fast": told(), "ort 1": other, "ort 2": told()}) == pytest.approx(4e-5)

    def test_other_tokens_are_an_error(self):
        with pytest.raises(ValueError, match="ort 1 writes"):
            gpt2.agreement({"fast": told(), "ort 1": told(tokens=(1, 3))})

    @pytest.mark.parametrize("wrong", [0.252, np.nan])
    def test_other_logits_are_an_error(self, wrong):
        with pytest.raises(ValueError, match="differ"):
            gpt2.agreement({"fast": told(), "ort 1": told(logits=((0.5, wrong), (0.1, 0.2)))})


class TestTold:
    def test_the_first_step_is_the_prompt(self):
        turns = [[100.0, 5, 6, 7], [300.0, 1, 2, 9], [200.0, 5, 5, 5]]
        assert gpt2.times(turns) == {"prompt": 200, "token": 5, "text": 215}

    def test_slow_ones_once_all_others_in_each_round(self):
        asked = []
        turns = {name: lambda name=name: asked.append(name) or told() for name in ("stock", "fast", "ort 1")}
        rows = gpt2.interleaved(turns, 2)["rows"]
        assert asked == ["fast", "ort 1", "stock", "fast", "ort 1", "fast", "ort 1"]
        assert rows["stock"] == rows["fast"] == {"prompt": 9, "token": 1, "text": 10}

    def test_the_table_has_a_line_for_each_and_the_ratio(self):
        row = {"prompt": 100.0, "token": 10.0, "text": 300.0}
        rows = {
            "fast": {**row, "heap": 640e6, "memory": {"now": 700e6, "most": 800e6}},
            "ort 1": {**row, "text": 450.0},
        }
        lines = gpt2.tables({"rows": rows}, str).splitlines()
        assert len(lines) == 2 + len(gpt2.WHO)
        assert "| our model, seeformer.fast | 100 | 10 | 300 | 1 | 640 | 700 | 800 |" in lines
        assert "| onnxruntime-web wasm, 1 thread | 100 | 10 | 450 | 1.5 |  |  |  |" in lines
        assert "没有" in gpt2.tables({"rows": rows}, words_of("zh"))

    @pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="there is no /proc here")
    def test_memory_of_a_process(self):
        np.ones(10_000_000)  # 80 MB that are given back at once
        mine = renderer.memory(os.getpid())
        assert mine["now"] > 10e6 and mine["most"] - mine["now"] > 40e6
