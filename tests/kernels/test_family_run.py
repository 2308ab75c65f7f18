"""The family lab's run(): every array in its shape, what its prose claims, and what it refuses."""

import json

import numpy as np
import pytest

from seeformer.drawings import drawn, pixels_of, written
from seeformer.labs.family import ATTENTIONS, CELLS, MODELS, PICTURE, run
from seeformer.labs.family_models import START, Sizes, exchanged, members
from seeformer.mask import causal
from seeformer.models.ablation import without_heads
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

WORDS = ["the", "cat", "chases", "the", "mouse"]
STYLES = pytest.mark.parametrize("style", ["bart", "t5"])
SIZES = Sizes(num_layers=2, num_heads=2, d_model=8, seed=3, spread=0.5)


def of(result, name):
    return {model: result[f"{name}_{model}"] for model in MODELS}


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


@STYLES
@pytest.mark.parametrize("cell", CELLS)
def test_every_cell_opens_arrays_that_are_there(cell, style):
    result = run(cell=cell, style=style)
    row, which = cell.split(".")
    layers, heads, d_model = result["num_layers"], result["num_heads"], result["d_model"]
    if row == "weights":
        n, m = len(result["queries"]), len(result["keys"])
        assert result["weights"].shape == (layers, heads, n, m)
        assert all(result[name].shape == (n, m) for name in ("scores", "added", "masked", "attention"))
        np.testing.assert_array_equal(result["attention"], result[f"weights_{which}"])
        np.testing.assert_allclose(result["scores"], result["Q"] @ result["K"].T * result["scale"], atol=1e-5)
        np.testing.assert_allclose(result["masked"], result["scores"] + result["added"], atol=1e-5)
        np.testing.assert_allclose(result["heads"], result["attention"] @ result["V"], atol=1e-5)
        return
    stacks = [stack for stack in ("encoder", "decoder") if f"{stack}_tokens_{which}" in result]
    sizes = {stack: len(result[f"{stack}_tokens_{which}"]) for stack in stacks}
    if row == "input":
        assert all(result[name].shape == (sizes[name.split("_")[0]], d_model) for name in result["terms"])
        for stack in stacks:
            parts = [name for name in result["terms"] if name.startswith(stack)]
            terms = [result[name] for name in parts if not name.endswith(("sum", "output"))]
            total = result.get(f"{stack}_sum", result[f"{stack}_output"])
            assert not terms or np.allclose(total, sum(terms), atol=1e-6)
    elif row == "flow":
        assert result["stream"].shape == (layers + 1, d_model)
        assert all(result[f"{stack}_norms"].shape == (layers + 1, size) for stack, size in sizes.items())
        norms = result[f"{stacks[-1]}_norms"][:, result[f"row_{which}"]]
        np.testing.assert_allclose(np.linalg.norm(result["stream"], axis=-1), norms, rtol=1e-6)
    elif row == "mask":
        assert result["through"].shape == (layers, sizes[stacks[-1]], len(result["columns"]))
    else:
        np.testing.assert_allclose(result["probabilities"], softmax(result["logits"]), rtol=1e-5)
        likeliest = [result["names"][token] for token in np.argsort(-result["logits"], kind="stable")[:4]]
        assert likeliest == result[f"texts_{which}"] and len(result["names"]) == result[f"vocab_size_{which}"]


def test_parameters_may_arrive_as_json():
    settings = {"tokens": WORDS, "vocabulary": ("dog",), "picture": written(drawn("seven", 16)), "cell": "mask.vit"}
    plain, crossed = run(**settings), run(**json.loads(json.dumps(settings)))
    assert plain.keys() == crossed.keys()
    assert all(np.array_equal(plain[name], crossed[name]) for name in plain)


# What the page says


@pytest.mark.parametrize("position", [1, 3, 5])
def test_all_three_language_models_are_asked_for_the_same_word(position):
    word = WORDS[position - 1]
    gap = [*WORDS[: position - 1], "?", *WORDS[position:]]

    def with_sign(sign):
        return [sign if token == "?" else token for token in gap]

    result = run(tokens=WORDS, position=position)
    assert [result[f"answer_{model}"] for model in MODELS] == [word, word, word, ""]
    assert result["encoder_tokens_bert"] == ["[CLS]", *with_sign("[MASK]"), "[SEP]"]
    assert result["encoder_tokens_bert"][result["row_bert"]] == "[MASK]"
    assert result["decoder_tokens_gpt"] == ["<s>", *WORDS]
    assert result["decoder_tokens_gpt"][result["row_gpt"] + 1] == word, "it is what comes next"
    assert result["encoder_tokens_seq2seq"] == ["<s>", *with_sign("<mask>"), "</s>"]
    assert result["decoder_tokens_seq2seq"] == ["</s>", "<s>", *WORDS], "BART writes the whole sentence"
    assert result["decoder_tokens_seq2seq"][result["row_seq2seq"] + 1] == word
    t5 = run(tokens=WORDS, position=position, style="t5")
    assert t5["encoder_tokens_seq2seq"] == [*with_sign("<X>"), "</s>"]
    assert t5["decoder_tokens_seq2seq"] == ["<pad>", "<X>", word, "<Y>"], "T5 writes only what was in the gap"
    assert t5["decoder_tokens_seq2seq"][t5["row_seq2seq"] + 1] == word


@STYLES
def test_the_masks_are_empty_but_for_the_decoder_s(style):
    result = run(tokens=WORDS, style=style)
    for which in ("bert", "encoder", "cross", "vit"):
        assert (result[f"mask_{which}"] == 0).all()
    for which in ("gpt", "decoder"):
        assert (result[f"mask_{which}"] == causal(len(result[f"mask_{which}"]))).all()


@STYLES
@pytest.mark.parametrize("num_layers", [1, 2, 4])
def test_what_cannot_arrive_moves_nothing_at_all_and_what_can_moves_something(style, num_layers):
    result = run(tokens=WORDS, style=style, num_layers=num_layers, seed=1)
    for model in MODELS:
        moved, arrives = result[f"moved_{model}"], result[f"reach_{model}"] == 1
        assert moved.shape == arrives.shape
        assert (moved[~arrives] == 0).all() and (moved[arrives] > 0).all(), model


@pytest.mark.parametrize("num_layers", [1, 3])
def test_what_arrives_is_all_for_an_encoder_and_the_left_for_a_decoder(num_layers):
    result = run(tokens=WORDS, position=2, num_layers=num_layers)
    assert (result["reach_bert"] == 1).all() and (result["reach_vit"] == 1).all()
    assert (result["reach_gpt"] == np.tri(6)).all()
    m = len(result["encoder_tokens_seq2seq"])
    assert (result["reach_seq2seq"][:, :m] == 1).all(), "the whole source"
    assert (result["reach_seq2seq"][:, m:] == np.tri(7)).all(), "the target so far"
    assert {model: result[f"arriving_{model}"] for model in MODELS} == {"bert": 7, "gpt": 2, "seq2seq": 10, "vit": 16}


def test_without_a_mask_one_layer_is_enough_and_a_causal_one_stays_whatever_the_layers():
    for model, last in (("bert", np.ones((7, 7))), ("gpt", np.tri(6))):
        through = run(tokens=WORDS, num_layers=4, cell=f"mask.{model}")["through"]
        assert through.shape[0] == 4 and (through == last).all()


@STYLES
def test_cross_attention_is_the_only_way_from_source_to_target(style):
    member = members(WORDS, 2, [], drawn("three", 8), style, SIZES)["seq2seq"]
    cross = [("decoder", layer, "cross", head) for layer in range(2) for head in range(2)]
    m = len(member.tokens["encoder"])
    for heads, moves in (([], True), (cross, False)):
        logits = without_heads(member.model, heads).forward(*member.changed)
        moved = abs(logits[:m] - logits[-1]).max(axis=(1, 2)) > 0
        assert (moved == moves).all()


@STYLES
def test_the_parts_are_those_that_ran(style):
    result = run(style=style)
    both = ["encoder.self", "encoder.ffn", "decoder.self", "decoder.cross", "decoder.ffn"]
    alone = {stack: [f"{stack}.self", f"{stack}.ffn"] for stack in ("encoder", "decoder")}
    assert of(result, "parts") == {
        "bert": alone["encoder"], "gpt": alone["decoder"], "seq2seq": both, "vit": alone["encoder"]
    }  # fmt: skip


@STYLES
def test_other_weights_change_what_is_guessed_and_not_what_can_arrive(style):
    first, second = (run(style=style, seed=seed) for seed in (0, 1))
    for name in first:
        fixed = name.startswith(
            ("mask_", "reach_", "arrives_", "parts_", "encoder_", "decoder_", "parameters_", "arriving_")
        )
        assert not fixed or np.array_equal(first[name], second[name]), name
    assert all(not np.array_equal(first[f"weights_{which}"], second[f"weights_{which}"]) for which in ATTENTIONS)
    assert all(not np.array_equal(first[f"shares_{model}"], second[f"shares_{model}"]) for model in MODELS)


def test_the_vit_asks_the_class_token_alone():
    vit = members(WORDS, 0, [], drawn("three", 8), "bart", SIZES)["vit"]
    with trace() as seen:
        logits = vit.model.forward(*vit.inputs)
    hidden = seen["encoder.output"].copy()
    hidden[1:] = 7
    np.testing.assert_array_equal(vit.model.logits(hidden), logits)


# The numbers


@STYLES
def test_moved_is_the_share_of_the_prediction_that_goes_elsewhere(style):
    result = run(tokens=WORDS, style=style)
    family = members(
        WORDS, 2, list("狗鸟鱼小大跑吃看爱"), pixels_of("picture", PICTURE), style, Sizes(2, 4, 32, 0, 0.2)
    )
    for name, member in family.items():
        for at in (0, 2):
            one = tuple(given[at] for given in member.changed)
            before, after = (softmax(np.atleast_2d(member.model.forward(*given))) for given in (member.inputs, one))
            expected = abs(after - before).sum(axis=-1) / 2
            np.testing.assert_allclose(result[f"moved_{name}"][:, at], expected, atol=1e-5)
        told = result[f"told_{name}"].ravel()
        np.testing.assert_array_equal(told, result[f"moved_{name}"][member.row])
        np.testing.assert_allclose(result[f"heat_{name}"].ravel(), told / told.max())


def test_an_exchanged_text_differs_in_one_token():
    texts = exchanged(np.array([0, 4, 2]), 5)
    assert texts.tolist() == [[1, 4, 2], [0, 0, 2], [0, 4, 3], [0, 4, 2]]


@pytest.mark.parametrize("size", [4, 8, 16])
def test_a_patch_is_inverted_in_its_own_square(size):
    picture = drawn("four", size)
    vit = members(WORDS, 0, [], picture, "bart", SIZES)["vit"]
    patch = size // 4
    changed, given = vit.changed[0][:, 0], vit.inputs[0][0]
    differs = abs(changed - given) > 1e-6
    assert not differs[-1].any()
    for at in range(16):
        down, across = divmod(at, 4)
        square = np.s_[down * patch : (down + 1) * patch, across * patch : (across + 1) * patch]
        np.testing.assert_array_equal(changed[at][square], 1 - given[square])
        outside = differs[at].copy()
        outside[square] = False
        assert not outside.any()


def test_special_tokens_have_the_originals_numbers_and_words_come_behind():
    for name, member in members(WORDS, 1, ["dog"], drawn("three", 8), "bart", SIZES).items():
        if name != "vit":
            special = START.get(name, START["bart"])
            assert member.names[: len(special)] == special
            assert list(member.names[len(special) :]) == ["dog", "the", "cat", "chases", "mouse"]


def test_choices_beyond_the_end_are_the_last():
    result = run(position=99, layer=9, head=9)
    assert (result["at"], result["layer"], result["head"]) == (3, 1, 3)


def test_one_word_and_no_vocabulary_are_enough():
    result = run(tokens=["猫"], vocabulary=[])
    assert result["arriving_gpt"] == 1 and result["inputs_bert"] == ["[CLS]", "[MASK]", "[SEP]"]


REFUSED = [
    ({"tokens": []}, "tokens=0 tokens are too few or too many: use 1 to 12"),
    ({"tokens": ["a"] * 13}, "tokens=13 tokens"),
    ({"tokens": "猫"}, "tokens='猫' is not a list of strings"),
    ({"position": 0}, "position=0 is too small"),
    ({"vocabulary": ["a"] * 65}, "vocabulary=65 tokens"),
    ({"picture": ["00", "00"]}, "picture=2 rows"),
    ({"picture": ["0" * 6] * 6}, "picture=6 rows cannot be cut into 4 x 4 patches: use 8 or 16"),
    ({"style": "gpt"}, "style='gpt' is unknown: use one of bart, t5"),
    ({"cell": "mask.cross"}, "cell='mask.cross' is unknown: use one of input.bert"),
    ({"layer": 0}, "layer=0 is too small"),
    ({"head": 1.5}, "head=1.5 is not a whole number"),
    ({"num_layers": 5}, "num_layers=5 is too large"),
    ({"d_model": 30}, "d_model=30 is not divisible by num_heads=4"),
    ({"spread": -1}, "spread=-1 is too small"),
    ({"seed": -1}, "seed=-1 is too small"),
]


@pytest.mark.parametrize(("params", "message"), REFUSED, ids=[next(iter(params)) for params, _ in REFUSED])
def test_what_cannot_be_is_refused_with_the_remedy(params, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        run(**params)
