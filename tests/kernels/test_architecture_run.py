"""The architecture lab's run(): blocks and wires as they were computed, counts, the residual stream, and what the page claims."""

import json

import numpy as np
import pytest

import seeformer.models.layers as layers
from seeformer.labs.architecture import run
from seeformer.models.transformer import Transformer, TransformerConfig

pytestmark = pytest.mark.filterwarnings("error")

POST = ["self", "self.add", "self.norm", "ffn", "ffn.add", "ffn.norm"]
PRE = ["self.norm", "self", "self.add", "ffn.norm", "ffn", "ffn.add"]


def layer(result, name):
    return [block[len(name) + 1 :] for block in result["blocks"] if block.startswith(f"{name}.")]


def count(result, block):
    return result["counts"][result["blocks"].index(block)]


def group(result, name):
    return result["group_counts"][result["groups"].index(name)]


def wires(result):
    return {tuple(wire.split(">")) for wire in result["wires"]}


def test_post_normalizes_behind_each_sum_and_pre_in_front_of_each_sublayer():
    post, pre = run(norm="post"), run(norm="pre")
    assert layer(post, "encoder.0") == layer(post, "encoder.1") == POST
    assert layer(pre, "encoder.0") == PRE
    assert layer(post, "decoder.1") == [*POST[:3], "cross", "cross.add", "cross.norm", *POST[3:]]
    assert layer(pre, "decoder.1") == [*PRE[:3], "cross.norm", "cross", "cross.add", *PRE[3:]]


def test_pre_has_one_more_norm_on_top_of_each_stack():
    more = set(run(norm="pre")["blocks"]) - set(run(norm="post")["blocks"])
    assert more == {"encoder.norm", "decoder.norm"}


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("parts", ["both", "encoder", "decoder"])
@pytest.mark.parametrize("num_layers", [1, 3])
def test_each_block_reads_what_the_transformer_has_it_read(norm, parts, num_layers):
    """Written down here a second time, from the paper: the wires that run() found are these and no others."""
    result = run(norm=norm, parts=parts, num_layers=num_layers)
    expected, memory = set(), None
    for stack in ["encoder", "decoder"] if parts == "both" else [parts]:
        stream = f"{stack}.position"
        expected.add((f"{stack}.token", stream))
        for at in (f"{stack}.{i}" for i in range(num_layers)):
            for name in ["self", "cross", "ffn"] if memory else ["self", "ffn"]:
                sublayer = f"{at}.{name}"
                read = f"{sublayer}.norm" if norm == "pre" else stream
                expected |= {(stream, f"{sublayer}.norm")} if norm == "pre" else set()
                expected |= {(read, sublayer), (sublayer, f"{sublayer}.add"), (stream, f"{sublayer}.add")}
                expected |= {(memory, sublayer)} if name == "cross" else set()
                stream = f"{sublayer}.add"
                if norm == "post":
                    expected.add((stream, f"{sublayer}.norm"))
                    stream = f"{sublayer}.norm"
        if norm == "pre":
            expected.add((stream, f"{stack}.norm"))
            stream = f"{stack}.norm"
        memory = stream
    assert wires(result) == expected | {(memory, "logits"), ("logits", "prediction")}
    assert len(result["carried"]) == len(result["wires"])


def test_a_residual_connection_that_an_edit_cuts_leaves_no_wire(monkeypatch):
    def cut(name, x, sublayer, norm, layer):
        with layers.scope(name):
            total = layers.see("sum", 0 * x + sublayer(x))
            with layers.scope("norm"):
                return norm(total)

    whole = wires(run())
    monkeypatch.setattr(layers, "_around", cut)
    lost = whole - wires(run())
    assert lost and all(end.endswith(".add") and not start.startswith(end[:-4]) for start, end in lost)


def test_all_layers_of_the_decoder_look_at_the_output_of_the_encoder_s_last_layer():
    result = run(num_layers=3)
    ends = {(start, end) for start, end in wires(result) if start.startswith("encoder") and end.startswith("decoder")}
    assert ends == {("encoder.2.ffn.norm", f"decoder.{i}.cross") for i in range(3)}


def test_questions_come_from_the_translation_and_keys_from_the_source():
    result = run(block="decoder.0.cross")
    x, memory = (result[name] for name in result["inputs"])
    assert len(x) == result["n"] and len(memory) == result["m"]
    for letter, source in (("Q", x), ("K", memory), ("V", memory)):
        made = source @ result[f"decoder.0.cross.W_{letter}"]
        np.testing.assert_allclose(np.concatenate(result[f"decoder.0.cross.{letter}"], axis=-1), made)


def test_the_encoder_sees_all_and_the_decoder_only_what_is_written():
    seen = run(block="encoder.1.self")["encoder.1.self.weights"]
    assert (seen > 0).all()
    result = run(block="decoder.1.self")
    weights = result["decoder.1.self.weights"]
    n = result["n"]
    assert ((weights > 0) == np.tril(np.ones((n, n), bool))).all()
    assert result["hidden"] == result["num_heads"] * n * (n - 1) // 2
    np.testing.assert_allclose(weights.sum(axis=-1), 1)
    assert (run(block="decoder.1.cross")["decoder.1.cross.weights"] > 0).all()


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_the_stream_keeps_its_shape_and_each_sublayer_adds_its_change(norm):
    for block in (block for block in run(norm=norm)["blocks"] if block.endswith(".add")):
        result = run(norm=norm, block=block)
        change, x = (result[name] for name in result["inputs"])
        assert result["inputs"][0] == f"{block[:-4]}.output"
        np.testing.assert_array_equal(result["stream"], x + change)
        assert result["stream"].shape == (len(result["tokens"]), result["d_model"])


def test_post_brings_the_stream_back_to_size_1_and_pre_leaves_it_until_the_top():
    post, pre = (run(norm=norm, block="prediction", num_layers=4) for norm in ("post", "pre"))
    normed = [name.endswith("LN") for name in post["stations"]]
    assert normed.count(True) == 12
    np.testing.assert_allclose(post["sizes"][normed], 1, atol=1e-3)
    assert [name for name in pre["stations"] if name.endswith("LN")] == ["LN"]
    np.testing.assert_allclose(pre["sizes"][-1], 1, atol=1e-3)
    assert (pre["sizes"][-2] > 1.5 * pre["sizes"][0]).all()


def test_the_stream_grows_by_a_station_as_the_steps_go_on():
    blocks = run()["blocks"]
    rows = [len(run(block=block)["stations"]) for block in blocks if block.startswith("decoder")]
    assert rows[0] == 1 and rows[-1] == 13
    assert set(np.diff(rows)) == {0, 1}


def test_bert_is_the_encoder_alone_and_gpt_the_decoder_without_cross_attention():
    assert run()["absent"] == []
    assert run(parts="encoder")["absent"] == ["decoder.0.self", "decoder.0.cross", "decoder.0.ffn"]
    assert run(parts="decoder")["absent"] == ["encoder.0.self", "encoder.0.ffn", "decoder.0.cross"]
    for parts in ("encoder", "decoder"):
        result = run(parts=parts)
        assert not [block for block in result["blocks"] if "cross" in block]
        assert set(result["stacks"]) == {parts}


def test_a_layer_of_gpt_has_exactly_the_parameters_of_a_layer_of_bert_and_differs_by_the_mask():
    def shapes(kind):
        every = Transformer.shapes(TransformerConfig(kind=kind))
        return {
            name.removeprefix(f"{kind}.0."): shape for name, shape in every.items() if name.startswith(f"{kind}.0.")
        }

    assert shapes("encoder") == shapes("decoder")
    bert, gpt = run(parts="encoder", block="encoder.0.self"), run(parts="decoder", block="decoder.0.self")
    assert layer(bert, "encoder.0") == layer(gpt, "decoder.0")
    assert bert["hidden"] == 0 and gpt["hidden"] > 0


def test_a_feed_forward_network_has_twice_the_numbers_of_attention():
    for d_model in (8, 16, 64):
        result = run(d_model=d_model, d_ff=4 * d_model, num_heads=2)
        assert count(result, "encoder.0.self") == 4 * d_model**2
        biases = 4 * d_model + d_model
        assert count(result, "encoder.0.ffn") - biases == 2 * count(result, "encoder.0.self")


def test_a_layer_of_the_decoder_has_four_matrices_more_than_one_of_the_encoder():
    result = run()
    d = result["d_model"]
    assert group(result, "decoder.1") - group(result, "encoder.1") == 4 * d**2 + 2 * d


def test_a_longer_sentence_adds_no_parameter_to_the_layers():
    short, long = run(source=["猫"], target=["cat"]), run(source=list("猫追老鼠" * 5), target=["the", "cat"] * 10)
    assert list(short["group_counts"]) == list(long["group_counts"])


@pytest.mark.parametrize("settings", [{}, {"norm": "pre", "num_layers": 3}, {"parts": "encoder"}, {"parts": "decoder"}])
def test_the_counts_are_of_the_actual_weights_and_come_to_the_total(settings):
    result = run(**settings)
    counted = sum(n for name, n in zip(result["blocks"], result["counts"], strict=True) if name not in result["shared"])
    assert counted == result["total"]
    assert {count(result, name) for name in result["shared"]} <= {len(result["vocabulary"]) * result["d_model"]}


def test_every_block_comes_with_its_arrays_and_everything_is_finite():
    for settings in ({}, {"norm": "pre"}, {"parts": "encoder"}, {"parts": "decoder"}):
        for block in run(**settings)["blocks"]:
            result = run(**settings, block=block)
            assert result["block"] == block and result["blocks"][result["step"]] == block
            for name in (*result["inputs"], *result["arrays"], *result["parameters"]):
                assert np.isfinite(result[name]).all() or name.endswith("masked"), name
            assert len(result["sizes"]) == len(result["stations"])


def test_probabilities_add_up_to_1_over_the_words_that_occur():
    result = run(block="prediction")
    assert result["vocabulary"] == ["猫", "追", "老", "鼠", "<s>", "the", "cat", "chases", "mouse", "</s>"]
    np.testing.assert_allclose(result["prediction.probabilities"].sum(axis=-1), 1)
    assert result["expected"] == ["the", "cat", "chases", "the", "mouse", "</s>"]
    assert run(parts="encoder")["expected"] == []


def test_a_block_that_the_model_does_not_have_gives_the_first_of_its_kind():
    assert run(block="decoder.5.cross")["block"] == "decoder.0.cross"
    assert run(parts="encoder", block="decoder.1.ffn.norm")["block"] == "encoder.0.self.norm"
    assert run(block="nothing")["block"] == "encoder.token"


def test_parameters_may_arrive_as_json():
    settings = dict(source=("a", "b"), target=("b",), norm="pre", num_layers=1, block="logits")
    plain, crossed = run(**settings), run(**json.loads(json.dumps(settings)))
    assert plain.keys() == crossed.keys()
    assert all(np.array_equal(plain[name], crossed[name]) for name in plain)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("source", []), ("target", ["x"] * 25), ("parts", "half"), ("norm", "none"), ("num_layers", 0),
        ("num_layers", 7), ("num_heads", 0), ("d_model", 0), ("d_ff", 0), ("seed", -1),
    ],
)  # fmt: skip
def test_what_is_refused_is_named_with_its_value(name, value):
    with pytest.raises(ValueError, match=f"^{name}="):
        run(**{name: value})


def test_heads_that_do_not_divide_d_model_are_refused():
    with pytest.raises(ValueError, match="d_model=16 is not divisible by num_heads=3"):
        run(num_heads=3)
