"""What holds for every model: dtypes, batches, names, causality, filling, and what it says to wrong weights."""

import doctest
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from families import CONFIGS, VOCAB, WITH_CROSS, given, small

from seeformer.models.ablation import without_heads
from seeformer.models.families import FAMILIES as FAMILIES_BY_TYPE
from seeformer.positional import sinusoidal
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

FAMILIES = tuple(CONFIGS)
TEXT = tuple(family for family in FAMILIES if family != "vit")
CAUSAL = {"gpt2": "ids", "transformer_decoder": "ids"} | {family: "decoder_ids" for family in WITH_CROSS}


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_float32_stays_float32_on_every_step(family):
    with trace() as seen:
        logits = small(family).forward(**given(family))
    assert logits.dtype == np.float32
    long = {name for name, x in seen.items() if getattr(x, "dtype", None) == np.float64}
    assert {name for name in long if not name.endswith("angles")} == set()  # of positions, which are rounded later


@pytest.mark.parametrize("family", FAMILIES)
def test_a_batch_is_its_members_side_by_side(family):
    one, batch = small(family), given(family, batch=(2, 3))
    together = one.forward(**batch)
    alone = one.forward(**{name: x[1, 2] for name, x in batch.items()})
    close(together[1, 2], alone)
    assert together.shape == (2, 3, *alone.shape)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_trace_is_the_whole_computation(family):
    """Every layer's parts, every head's weights, from the embeddings to the logits."""
    one = small(family)
    with trace() as seen:
        logits = one.forward(**given(family))
    assert seen["logits"] is logits
    for stack, layers in one.layers.items():
        for number, layer in enumerate(layers):
            at = f"{stack}.{number}"
            for kind in ("self", "cross") if layer.cross_attention else ("self",):
                weights = seen[f"{at}.{kind}.weights"]
                assert weights.shape[-3] == layer.self_attention.num_heads
                close(weights.sum(axis=-1), np.ones(weights.shape[:-1]))
                assert {
                    f"{at}.{kind}.{name}" for name in ("Q", "K", "V", "scores", "heads", "output", "sum")
                } <= seen.keys()
            assert {f"{at}.ffn.{name}" for name in ("hidden", "output", "sum", "norm.mean_square")} <= seen.keys() or (
                f"{at}.ffn.norm.variance" in seen
            )
            assert f"{at}.output" in seen
        assert f"{stack}.output" in seen
    assert any(name.endswith("embeddings.output") for name in seen)


@pytest.mark.parametrize("family", FAMILIES)
def test_weights_have_the_names_and_shapes_of_the_config_and_the_seed_decides(family):
    kind, config = CONFIGS[family]
    one, same, other = (kind.random(config, seed) for seed in (3, 3, 4))
    assert {name: x.shape for name, x in one.weights.items()} == kind.shapes(config)
    assert {x.dtype for x in one.weights.values()} == {np.dtype(np.float32)}
    assert all((one.weights[name] == same.weights[name]).all() for name in one.weights)
    assert any((one.weights[name] != other.weights[name]).any() for name in one.weights)
    assert one.parameter_count() == sum(x.size for x in one.weights.values())


@pytest.mark.parametrize("family", FAMILIES)
def test_no_weight_is_copied(family):
    one = small(family)
    for layers in one.layers.values():
        for layer in layers:
            for attention in filter(None, (layer.self_attention, layer.cross_attention)):
                for name, W in attention.weights.items():
                    assert W is None or any(np.shares_memory(W, x) for x in one.weights.values()), name
            for W in layer.ffn.keywords.values():
                assert not hasattr(W, "shape") or any(np.shares_memory(W, x) for x in one.weights.values())


@pytest.mark.parametrize("family", FAMILIES)
def test_a_missing_or_ill_shaped_tensor_is_named(family):
    kind, config = CONFIGS[family]
    one = small(family)
    name = list(one.weights)[5]
    shape, rest = one.weights[name].shape, {other: x for other, x in one.weights.items() if other != name}
    wrong = np.zeros((*shape, 2), np.float32)
    for weights, problem in (
        (rest, f"{name!r} of shape {shape} is missing"),
        (rest | {name: wrong}, f"{name!r} has shape {wrong.shape}, expected {shape}"),
        (rest | {name: np.zeros(shape, np.int64)}, f"{name!r} has dtype int64, expected a floating one"),
    ):
        with pytest.raises(ValueError) as error:
            kind(config, weights)
        assert str(error.value) == f"weights={problem}: take config and weights from the same model"


def test_a_wrong_config_names_the_first_and_counts_the_rest():
    one = small("gpt2")
    with pytest.raises(
        ValueError, match=r"^weights='transformer.wte.weight' has shape \(19, 12\), expected \(20, 12\): "
    ):
        type(one)(replace(one.config, vocab_size=20), one.weights)
    with pytest.raises(ValueError, match=r"; \d+ more: take config and weights"):
        type(one)(replace(one.config, n_embd=15), one.weights)


@pytest.mark.parametrize("family", FAMILIES)
def test_more_weights_than_the_model_needs_are_left_alone(family):
    one = small(family)
    more = type(one)(one.config, one.weights | {"position_ids": np.arange(9)})
    assert (more.forward(**given(family)) == one.forward(**given(family))).all()


@pytest.mark.parametrize("family", CAUSAL)
def test_a_decoder_does_not_look_ahead(family):
    one, arguments, name = small(family), given(family), CAUSAL[family]
    changed = arguments[name].copy()
    changed[..., 3] = (changed[..., 3] + 1) % VOCAB
    before, after = one.forward(**arguments), one.forward(**arguments | {name: changed})
    close(after[..., :3, :], before[..., :3, :])
    assert abs(after[..., 3:, :] - before[..., 3:, :]).max() > 1e-3


@pytest.mark.parametrize("family", [family for family in TEXT if family not in CAUSAL])
def test_an_encoder_looks_both_ways(family):
    one, ids = small(family), given(family)["ids"].copy()
    before = one.forward(ids)
    ids[..., 3] = (ids[..., 3] + 1) % VOCAB
    assert (abs(one.forward(ids) - before).max(axis=(0, 2)) > 1e-4).all()


@pytest.mark.parametrize("family", TEXT)
def test_filling_changes_nothing(family):
    """Behind the text, hidden by the mask: whatever it is, the real tokens' logits stay."""
    one, arguments = small(family), given(family)
    alone = one.forward(**arguments)
    filling = np.full((2, 2), 5)
    ids = np.concatenate([arguments["ids"], filling], axis=1)
    mask = np.concatenate([np.ones((2, 7), int), np.zeros((2, 2), int)], axis=1)
    padded = one.forward(**arguments | {"ids": ids}, attention_mask=mask)
    close(padded[:, : alone.shape[1]], alone)
    if family not in CAUSAL or family in WITH_CROSS:  # without the mask it is seen
        assert abs(one.forward(**arguments | {"ids": ids})[:, : alone.shape[1]] - alone).max() > 1e-3


@pytest.mark.parametrize("family", TEXT)
@pytest.mark.parametrize(
    ("ids", "message"), [([3, VOCAB], f"ids={VOCAB} is no row"), ([-1], "ids=-1 is no row"), ([0.5], "ids=")]
)
def test_tokens_that_are_none(family, ids, message):
    arguments = {"decoder_ids": [1]} if family in WITH_CROSS else {}
    with pytest.raises(ValueError, match=f"^{message}"):
        small(family).forward(ids, **arguments)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_silenced_head_adds_nothing_and_its_attention_stays(family):
    one, arguments = small(family), given(family)
    stack = list(one.layers)[-1]
    with trace() as before:
        one.forward(**arguments)
    with trace() as after:
        without_heads(one, [(stack, 0, "self", 1)]).forward(**arguments)
    name = f"{stack}.0.self"
    assert (after[f"{name}.weights"] == before[f"{name}.weights"]).all()
    attention = one.layers[stack][0].self_attention
    width = attention.weights["W_O"].shape[0] // attention.num_heads
    share = before[f"{name}.heads"][..., 1, :, :] @ attention.weights["W_O"][width : 2 * width]
    close(after[f"{name}.output"], before[f"{name}.output"] - share)
    assert abs(after["logits"] - before["logits"]).max() > 1e-4


def test_a_head_that_is_none():
    one = small("bert")
    for head, message in (
        (("decoder", 0, "self", 0), "heads="),
        (("encoder", 0, "cross", 0), "heads="),
        (("encoder", 2, "self", 0), "layer=2 is too large"),
        (("encoder", 0, "self", 3), "head=3 is too large"),
    ):
        with pytest.raises(ValueError, match=f"^{message}"):
            without_heads(one, [head])


@pytest.mark.parametrize("family", ["bert", "gpt2", "bart", "t5", "vit"])
def test_the_lens_on_the_last_layer_is_the_model(family):
    one, arguments = small(family), given(family)
    stack = list(one.layers)[-1]
    with trace() as seen:
        logits = one.forward(**arguments)
    close(one.lens(seen[f"{stack}.1.output"]), logits)
    assert abs(one.lens(seen[f"{stack}.0.output"]) - logits).max() > 1e-3


def test_bert_without_a_head_has_a_pooler_and_the_other_way_round():
    kind, config = CONFIGS["bert"]
    bare, full = kind.random(config, head=False), small("bert")
    hidden = bare.forward([1, 2, 3])
    assert hidden.shape == (3, 12) and bare.pool(hidden).shape == (12,)
    with pytest.raises(ValueError, match="no masked-language head"):
        bare.logits(hidden)
    with pytest.raises(ValueError, match="no pooler"):
        full.pool(hidden)


def test_t5_without_a_tie_does_not_scale_its_output():
    """What T5 1.1's configs mean by it, though the table is shared all the same."""
    tied, untied = (replace(CONFIGS["t5_gated"][1], tie_word_embeddings=tie) for tie in (True, False))
    weights, hidden = small("t5_gated").weights, np.random.default_rng(0).standard_normal((3, 12)).astype(np.float32)
    kind = CONFIGS["t5_gated"][0]
    close(kind(tied, weights).logits(hidden), kind(untied, weights).logits(hidden) / np.float32(12**0.5))
    stored = replace(tied, scale_decoder_outputs=False)  # how transformers 5 writes it down
    close(kind(stored, weights).logits(hidden), kind(untied, weights).logits(hidden))


def test_the_plain_transformer_adds_positions_to_scaled_vectors():
    """Vaswani et al. 2017, sections 3.4 and 3.5."""
    one, arguments = small("transformer"), given("transformer")
    with trace() as seen:
        one.forward(**arguments)
    for stack, name in (("encoder", "ids"), ("decoder", "decoder_ids")):
        ids = arguments[name]
        expected = one.weights["embedding"][ids] * 12**0.5 + sinusoidal(ids.shape[-1], 12)
        close(seen[f"{stack}.embeddings.output"], expected)


@pytest.mark.parametrize(
    "options", [{"kind": "decode"}, {"norm": "none"}, {"activation": "tanh"}, {"num_heads": 5}, {"num_layers": 0}]
)
def test_a_transformer_that_cannot_be_built(options):
    kind, config = CONFIGS["transformer"]
    with pytest.raises(ValueError, match="="):
        kind.random(replace(config, **options))


@pytest.mark.parametrize("module", ["trace", "gated", "models.relative", "models.sampling", "models.vit"])
def test_the_examples_in_the_docstrings_are_true(module):
    found = doctest.testmod(import_module(f"seeformer.{module}"))
    assert found.attempted and not found.failed


def test_every_family_is_found_by_its_model_type():
    assert {name: CONFIGS[name][0] for name in FAMILIES_BY_TYPE} == FAMILIES_BY_TYPE
