"""The normalization lab's run(): every step by its name, both axes, the order of a block, and what it refuses."""

import json

import numpy as np
import pytest

import seeformer.labs.norm as module
from seeformer.labs.norm import run
from seeformer.norm import batch_norm, layer_norm, rms_norm

pytestmark = pytest.mark.filterwarnings("error")

WORDS = ["我", "爱", "猫", "，", "猫", "爱", "我"]
ORDERS = ("post", "pre", "none")


@pytest.mark.parametrize("input", ["sentence", "paper"])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", ["layer", "batch", "rms"])
def test_every_step_is_there_in_its_shape(input, kind, order):
    result = run(tokens=WORDS, input=input, kind=kind, order=order, depth=2)
    n, d_model = result["n"], result["d_model"]
    steps = [*result[f"steps_{order}"], "X", "normalized", "output", "layer_output", "batch_output"]
    assert all(result[name].shape == (n, d_model) for name in steps)
    per_feature, per_token = (1, d_model), (n, 1)
    if kind == "rms":
        assert result["mean_square"].shape == per_token and "mean" not in result
    else:
        for name in ("mean", "variance"):
            assert result[name].shape == (per_feature if kind == "batch" else per_token)
            assert result[f"layer_{name}"].shape == per_token and result[f"batch_{name}"].shape == per_feature
    assert result["activations"].shape == result["gradients"].shape == (len(result["variants"]), 3)
    assert len(result["tokens"]) == n == (3 if input == "paper" else 7)
    parameters = result["gamma"], result["beta"]
    norm = {"layer": layer_norm, "batch": batch_norm, "rms": lambda x, gamma, beta: rms_norm(x, gamma)}[kind]
    assert (result["output"] == norm(result["X"], *parameters)).all()
    assert (result["layer_output"] == layer_norm(result["X"], *parameters)).all()
    assert (result["batch_output"] == batch_norm(result["X"], *parameters)).all()


def test_parameters_may_arrive_as_json():
    settings = dict(tokens=tuple(WORDS), input="paper", gamma=2.0, paper_X=((1, 2), (3, 4)), paper_gamma=((1, 2),))
    settings |= dict(paper_beta=((0, 1),), paper_W=((1, 0), (0, 1)), depth=2)
    plain, crossed = run(**settings), run(**json.loads(json.dumps(settings | {"gamma": 2})))
    assert plain.keys() == crossed.keys()
    assert all(np.array_equal(plain[name], crossed[name]) for name in plain)


def test_the_marked_token_is_a_loud_row_and_the_marked_feature_a_raised_column():
    result = run(depth=1)
    X, marked = result["X"], result["marked"]
    plain = run(row_scale=1, column_shift=0, depth=1)["X"]
    others = np.arange(len(X)) != marked
    features = np.arange(X.shape[1]) != marked
    assert (X[marked, features] == 4 * plain[marked, features]).all()
    np.testing.assert_allclose(X[others, marked], plain[others, marked] + 4)
    assert (X[np.ix_(others, features)] == plain[np.ix_(others, features)]).all()


def test_the_default_picture_layer_norm_evens_rows_batch_norm_evens_columns():
    """LayerNorm leaves the raised column and no loud row; BatchNorm leaves the loud row and no raised column."""
    result = run(depth=1)
    marked = result["marked"]
    rows = {name: np.sqrt((result[name] ** 2).mean(axis=-1)) for name in ("X", "layer_output", "batch_output")}
    columns = {name: result[name].mean(axis=0) for name in rows}
    assert rows["X"][marked] > 1.5 * np.delete(rows["X"], marked).max()
    np.testing.assert_allclose(rows["layer_output"], 1, atol=1e-3)
    assert rows["batch_output"].argmax() == marked
    assert columns["X"].argmax() == columns["layer_output"].argmax() == marked
    assert columns["layer_output"][marked] > 1
    np.testing.assert_allclose(columns["batch_output"], 0, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_one_loud_token_moves_the_others_in_batch_norm_and_not_in_layer_norm(seed):
    result = run(seed=seed, depth=1)
    assert result["layer_others"] == 0
    assert result["batch_others"] > 0.3
    marked = result["marked"]
    quiet = run(seed=seed, row_scale=1, depth=1)
    assert not {"layer_moved", "batch_moved", "layer_others", "batch_others"} & quiet.keys()
    assert (result["batch_moved"] == result["batch_output"] - quiet["batch_output"]).all()
    assert result["batch_others"] == abs(np.delete(result["batch_moved"], marked, axis=0)).max()


def test_layer_norm_undoes_scale_and_shift():
    """But for eps: with scale 100 the output is that of scale 1; a shift of all features goes altogether."""
    settings = dict(row_scale=1, column_shift=0, depth=1)
    plain, loud, shifted = (run(**settings, **change) for change in ({}, {"scale": 100}, {"shift": 5}))
    np.testing.assert_allclose(loud["output"], plain["output"], atol=1e-4)
    np.testing.assert_allclose(shifted["output"], plain["output"], atol=1e-9)
    assert abs(run(**settings, kind="rms", shift=5)["output"] - run(**settings, kind="rms")["output"]).max() > 0.5


def test_equal_numbers_come_out_as_beta():
    result = run(scale=0, column_shift=0, shift=3, beta=0.5, depth=1)
    np.testing.assert_allclose(result["output"], 0.5)
    paper = run(input="paper", paper_beta=((0, 1, 2, 3),), depth=1)
    assert (paper["output"][2] == [0, 1, 2, 3]).all()


def test_one_token_alone_in_batch_norm_comes_out_as_beta():
    result = run(tokens=["猫"], kind="batch", beta=-1, depth=1)
    np.testing.assert_allclose(result["output"], -1)
    assert "batch_others" not in result


def test_a_greater_eps_makes_the_output_smaller():
    sizes = [abs(run(eps_exponent=exponent, depth=1)["output"]).max() for exponent in (-12, -5, 0, 2)]
    assert sizes[0] > sizes[1] > sizes[2] > sizes[3]
    assert run(depth=1)["eps"] == 1e-5


def test_paper_can_be_followed_with_a_pencil():
    result = run(input="paper", depth=1)
    assert result["mean"].ravel().tolist() == [3, 2, 3] and result["variance"].ravel().tolist() == [4, 4, 0]
    expected = [[-1, -1, 1, 1], [-1, 1, -1, 1], [0, 0, 0, 0]]
    np.testing.assert_allclose(result["output"], expected, atol=1e-5)
    change = run(input="paper", order="none", depth=1)["change"]
    assert (change == [[1, 1, 5, 10], [4, 0, 4, 0], [3, 3, 3, 6]]).all()


@pytest.mark.parametrize("input", ["sentence", "paper"])
@pytest.mark.parametrize("order", ORDERS)
def test_the_block_is_drawn_exactly_as_it_is_computed(input, order):
    """Every wire of the drawing is an equation that the arrays fulfil, and no other drawing would do."""
    result = run(input=input, order=order, depth=1)
    steps, wires = result[f"steps_{order}"], result[f"wires_{order}"]
    assert (
        steps
        == {
            "post": ["change", "sum", "normed"],
            "pre": ["normed", "change", "sum"],
            "none": ["change", "sum"],
        }[order]
    )
    reads = {step: [wire.split(">")[0] for wire in wires if wire.endswith(f">{step}")] for step in steps}
    (given,) = reads["change"]
    assert (result["change"] == result[given] @ result["W"]).all()
    assert (result["sum"] == sum(result[name] for name in reads["sum"])).all() and set(reads["sum"]) == {"X", "change"}
    if "normed" in steps:
        (before,) = reads["normed"]
        assert (result["normed"] == layer_norm(result[before], result["gamma"], result["beta"])).all()
        assert (before, given) == {"post": ("sum", "X"), "pre": ("X", "normed")}[order]
    for other in ORDERS:
        assert result[f"steps_{other}"] == run(input=input, order=other, depth=1)[f"steps_{other}"]
        assert result[f"wires_{other}"] == run(input=input, order=other, depth=1)[f"wires_{other}"]


def test_a_kernel_that_does_it_otherwise_is_drawn_otherwise(monkeypatch):
    """The mistake of a peer: the sublayer's output normed first, the residual added after it."""

    def wrong(x, sublayer, gamma=None, beta=None, *, norm="post", eps=1e-5):
        change = module.see("change", sublayer(x))
        normed = module.see("normed", layer_norm(change, gamma, beta, eps))
        return module.see("sum", x + normed)

    monkeypatch.setattr(module, "residual", wrong)
    monkeypatch.setattr(module, "NORMS", ("post",))
    result = run(depth=1)
    assert result["steps_post"] == ["change", "normed", "sum"]
    assert set(result["wires_post"]) == {"X>change", "change>normed", "X>sum", "normed>sum"}


def test_a_sublayer_that_changes_nothing_is_still_drawn_as_itself():
    """W = 1: what comes out of the sublayer has the numbers of what went in."""
    settings = dict(input="paper", paper_W=np.eye(4).tolist(), depth=1)
    for order in ORDERS:
        assert run(**settings)[f"wires_{order}"] == run(depth=1)[f"wires_{order}"]


def test_no_residual_is_drawn_without_the_way_around(monkeypatch):
    def bare(x, sublayer, gamma=None, beta=None, *, norm="none", eps=1e-5):
        return module.see("sum", module.see("change", sublayer(x)))

    monkeypatch.setattr(module, "residual", bare)
    monkeypatch.setattr(module, "NORMS", ("none",))
    assert run(depth=1, order="none")["wires_none"] == ["X>change", "change>sum"]


def test_an_edited_kernel_that_lost_a_picture_is_told_so(monkeypatch):
    monkeypatch.setattr(module, "residual", residual_without_see)
    with pytest.raises(ValueError, match="^see='change' is named nowhere"):
        run(depth=1)


def residual_without_see(x, sublayer, *rest, **options):
    return x + sublayer(x)


@pytest.mark.parametrize("input", ["sentence", "paper"])
def test_the_histograms_count_every_number_once(input):
    result = run(input=input, depth=1)
    counts, edges, marked = result["histogram"], result["edges"], result["marked"]
    assert counts.shape == (2, 2, 30) and edges.shape == (31,)
    for side, x in enumerate((result["X"], result["output"])):
        assert counts[side].sum() == x.size and counts[side, 1].sum() == x.shape[1]
        assert (counts[side, 1] == np.histogram(x[marked], bins=edges)[0]).all()
        assert edges[0] <= x.min() and x.max() <= edges[-1]


def test_the_depth_is_computed_once_for_all_other_controls():
    module._sizes.cache_clear()
    for settings in ({}, {"beta": 1}, {"kind": "batch"}, {"input": "paper"}):
        run(depth=2, **settings)
    assert module._sizes.cache_info().misses == 1
    assert (run(depth=3)["activations"][:, :2] == run(depth=2)["activations"][:, :2]).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"input": "file"}, "input='file' is unknown: use one of sentence, paper"),
        ({"kind": "group"}, "kind='group' is unknown: use one of layer, batch, rms"),
        ({"order": "sandwich"}, "order='sandwich' is unknown: use one of post, pre, none"),
        ({"tokens": []}, "tokens=0 tokens are too few or too many: use 1 to 128"),
        ({"d_model": 0}, "d_model=0 is too small: use at least 1"),
        ({"d_model": 513}, "d_model=513 is too large: use at most 512"),
        ({"scale": "big"}, "scale='big' is not a finite number: use one such as 1.0"),
        ({"row_scale": 1e9}, "row_scale=1000000000.0 is too large: use at most 1000000"),
        ({"gamma": float("nan")}, "gamma=nan is not a finite number: use one such as 1.0"),
        ({"eps_exponent": 3}, "eps_exponent=3 is too large: use at most 2"),
        ({"eps_exponent": -13}, "eps_exponent=-13 is too small: use at least -12"),
        ({"depth": 49}, "depth=49 is too large: use at most 48"),
        ({"depth": 0}, "depth=0 is too small: use at least 1"),
        ({"seed": -1}, "seed=-1 is too small: use at least 0"),
        (
            {"input": "paper", "paper_gamma": ((1, 1),)},
            "paper_gamma=array of shape (1, 2) does not fit: make it 1 by 4",
        ),
        ({"input": "paper", "paper_W": ((1, 1),)}, "paper_W=array of shape (1, 2) does not fit: make it 4 by 4"),
    ],
)
def test_what_it_refuses(settings, message):
    with pytest.raises(ValueError) as refusal:
        run(**{"depth": 1} | settings)
    assert str(refusal.value) == message
