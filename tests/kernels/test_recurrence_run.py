"""The recurrence lab's run(): what its prose claims, what the pictures hold, no time without being asked, what it refuses."""

import json
from importlib import import_module

import numpy as np
import pytest

import seeformer.labs.recurrence as module
from seeformer.attention import multi_head_attention
from seeformer.labs import recurrence_timing
from seeformer.labs.recurrence import NETWORKS, run
from seeformer.learn.dependence import dependence
from seeformer.recurrence import lstm, rnn
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

CHINESE = list("猫坐在垫子上，因为它累了，想睡觉")
ENGLISH = "the cat sat on the mat because it was tired and wanted to sleep all day".split()
SMALL = dict(n=5, hidden=3)


def first(result):
    """The first token's share in what the last output depends on, in percent, of each network."""
    return np.array([result[f"{name}_first"] for name in NETWORKS])


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("causal", [True, False])
def test_every_step_is_there_in_its_shape(network, causal):
    result = run(network=network, causal=causal, n=6, hidden=4)
    n, hidden = result["n"], result["hidden"]
    assert (n, hidden, len(result["tokens"])) == (6, 4, 6)
    for name in NETWORKS:
        assert result[f"{name}_dependence"].shape == result[f"{name}_share"].shape == (n, n)
        np.testing.assert_allclose(result[f"{name}_share"].sum(axis=-1), 1)
        assert (result["last"][NETWORKS.index(name)] == result[f"{name}_share"][-1, ::-1]).all()
        assert result[f"{name}_first"] == 100 * result[f"{name}_share"][-1, 0]
    steps = {
        "rnn": ("from_input", "rnn_states"),
        "lstm": ("input_gate", "forget_gate", "candidate", "output_gate", "cell", "lstm_states"),
        "attention": ("concat", "output"),
    }[network]
    assert all(result[name].shape == (n, hidden) for name in ("X", *steps))


def test_the_shown_steps_are_those_of_the_kernels():
    seed, hidden = 0, 8
    r, s, a = (run(network=network) for network in NETWORKS)
    X = r["X"]
    weights = [module._network(name, hidden, seed, 16, *x)[1] for name, x in (("rnn", (0.9,)), ("lstm", (0.9, 1.0)))]
    assert (r["rnn_states"] == rnn(X, **weights[0])).all()
    states, cells = lstm(X, **weights[1])
    np.testing.assert_allclose(s["lstm_states"], states, atol=1e-14)
    np.testing.assert_allclose(s["cell"], cells, atol=1e-14)
    np.testing.assert_allclose(s["output_gate"] * np.tanh(s["cell"]), states, atol=1e-14)
    before = np.concatenate([np.zeros((1, 8)), s["cell"][:-1]])
    np.testing.assert_allclose(s["forget_gate"] * before + s["input_gate"] * s["candidate"], s["cell"], atol=1e-14)
    np.testing.assert_allclose(a["exp"] / a["total"], a["weights"], atol=1e-14)
    np.testing.assert_allclose(a["concat"] @ a["W_O"], a["output"], atol=1e-12)


def test_the_dependence_is_that_of_the_kernels_and_of_nothing_later():
    result = run(**SMALL)
    for name in NETWORKS:
        later = result[f"{name}_dependence"][np.triu_indices(5, 1)]
        assert (later == 0).all()
    full = run(**SMALL, causal=False)
    assert (full["attention_dependence"] > 0).all()
    assert (full["rnn_dependence"] == result["rnn_dependence"]).all()


def test_parameters_may_arrive_as_json():
    settings = dict(tokens=CHINESE, network="lstm", **SMALL, forget_bias=2.0, causal=False)
    plain, crossed = run(**settings), run(**json.loads(json.dumps(settings | {"forget_bias": 2})))
    assert plain.keys() == crossed.keys()
    assert all(
        np.array_equal(plain[name], crossed[name], equal_nan=name in ("times", "doubling", "step_us")) for name in plain
    )


def test_a_sentence_is_cut_or_begun_again():
    assert run(tokens=["a", "b", "c"], n=2, hidden=2)["tokens"] == ["a", "b"]
    assert run(tokens=["a", "b", "c"], n=7, hidden=2)["tokens"] == list("abcabca")


# What the prose claims


@pytest.mark.parametrize("tokens", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_the_default_picture_the_rnn_forgets_most_the_lstm_less_attention_least(tokens):
    of_rnn, of_lstm, of_attention = first(run(tokens=tokens))
    assert of_rnn < 0.05 and of_rnn < of_lstm / 5 and of_lstm < of_attention / 5 and of_attention > 1


def test_recurrent_dependence_fades_with_distance_and_attention_s_does_not():
    """Averaged over seeds: near (1 to 4 back) against far (12 to 15 back)."""
    last = np.mean([run(seed=seed)["last"] for seed in range(20)], axis=0)
    near, far = last[:, 1:5].mean(axis=1), last[:, 12:].mean(axis=1)
    ratio = far / near
    assert ratio[0] < 0.01 and ratio[1] < 0.1 and 0.4 < ratio[2] < 2.5


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("scale", [0.5, 0.9])
def test_below_1_the_influence_fades_at_least_by_the_spectral_radius_at_each_step(scale, seed):
    result = run(recurrent_scale=scale, seed=seed)
    steps = result["path_recurrent"]
    bound = np.where(np.isfinite(steps), scale ** np.maximum(steps, 0), 0) * np.linalg.norm(result["W_x"])
    assert (result["rnn_dependence"] <= bound * (1 + 1e-9)).all()
    assert result["rnn_dependence"][-1, 0] < bound[-1, 0] / 5, "tanh takes more"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("tokens", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_at_3_and_16_wide_the_influence_grows_with_distance(tokens, seed):
    of_rnn = run(tokens=tokens, seed=seed, recurrent_scale=3, hidden=16)["rnn_dependence"][-1]
    assert of_rnn[0] > 1.5 * of_rnn[-1] and of_rnn[:4].mean() > 1.2 * of_rnn[-4:].mean()


def test_without_w_h_nothing_is_handed_on():
    """What an RNN knows of other positions goes through W_h, all of it."""
    result = run(recurrent_scale=0)
    assert (result["rnn_dependence"][~np.eye(16, dtype=bool)] == 0).all()


@pytest.mark.parametrize("tokens", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_a_larger_forget_bias_lets_the_lstm_reach_further(tokens):
    results = [run(tokens=tokens, network="lstm", forget_bias=bias) for bias in (-4, -2, 0, 2, 4)]
    shares, gates = [first(each)[1] for each in results], [each["forget_gate"].mean() for each in results]
    assert shares == sorted(shares) and shares[-1] > 1e6 * shares[0]
    assert gates == sorted(gates) and gates[0] < 0.1 and gates[-1] > 0.9
    assert {tuple(each["waits"]) for each in results} == {(16, 16, 1)}, "its queue is not one step shorter"


def test_how_much_a_word_matters_to_attention_depends_on_content_not_on_distance():
    """The same words in another order: each matters as much as before. In an RNN the order decides."""
    words = ENGLISH[:6]
    moved = [*words[:5][::-1], words[5]]
    plain, other = (run(tokens=each, n=6)["attention_dependence"][-1] for each in (words, moved))
    np.testing.assert_allclose(other, [*plain[:5][::-1], plain[5]])
    plain, other = (run(tokens=each, n=6)["rnn_dependence"][-1] for each in (words, moved))
    assert abs(other - [*plain[:5][::-1], plain[5]]).max() > 0.1


def test_a_message_is_handed_on_as_often_as_the_distance_or_once():
    result = run(n=6, hidden=2)
    t, s = np.tril_indices(6)
    assert (result["path_recurrent"][t, s] == t - s).all() and (result["path_attention"][t, s] == (t != s)).all()
    hidden = np.triu_indices(6, 1)
    assert (result["path_recurrent"][hidden] == -np.inf).all() and (result["path_attention"][hidden] == -np.inf).all()
    assert (run(n=6, hidden=2, causal=False)["path_attention"][hidden] == 1).all()
    for array, name in (("path_recurrent", "rnn"), ("path_attention", "attention")):  # hidden is what has no influence
        assert (np.isfinite(result[array]) == (result[f"{name}_dependence"] > 0)).all()
    assert result["when_recurrent"].tolist() == [1, 2, 3, 4, 5, 6] and result["when_attention"].tolist() == [1] * 6
    assert result["longest"].tolist() == [5, 5, 1]


def test_the_multiplications_are_those_of_the_matrix_products():
    """Counted by a matrix that counts."""
    n, hidden = 5, 3
    counted = [0]

    class Counting(np.ndarray):
        def __matmul__(self, other):
            counted[0] += self.size * other.shape[-1]
            return (self.view(np.ndarray) @ other.view(np.ndarray)).view(Counting)

        def __rmatmul__(self, other):
            return Counting.__matmul__(other.view(Counting), self)

    found = []
    for name, settings in zip(NETWORKS, [(0.9,), (0.9, 1.0), (False,)], strict=True):
        _, weights = module._network(name, hidden, 0, n, *settings)
        weights = {key: x.view(Counting) for key, x in weights.items()}
        X = np.ones((n, hidden)).view(Counting)
        counted[0] = 0
        {"rnn": rnn, "lstm": lstm}.get(name, lambda X, **w: multi_head_attention(X, **w, num_heads=1))(X, **weights)
        found.append(counted[0])
    assert run(n=n, hidden=hidden)["products"].tolist() == found


def test_twice_the_sentence_is_four_times_the_scores_and_twice_the_work_of_a_recurrent_network():
    small, large = (run(n=n, hidden=4)["products"] for n in (8, 16))
    assert (large[:2] == 2 * small[:2]).all()
    assert large[2] - 4 * 16 * 16 == 4 * (small[2] - 4 * 8 * 16)  # without the projections, which are of the words


# Times


def test_there_are_no_times_unless_asked_for():
    result = run(**SMALL)
    assert np.isnan(result["times"]).all() and result["turn"] == 0 and result["ahead"] == 0
    assert result["times"].shape == (3, len(result["lengths"]))


def test_asked_for_it_tells_after_each_turn(monkeypatch):
    monkeypatch.setattr(recurrence_timing, "LENGTHS", (4, 8))
    monkeypatch.setattr(recurrence_timing, "AT_LEAST", 1e-4)
    told = list(run(**SMALL, measure=True))
    assert [each["turn"] for each in told] == list(range(1, len(told) + 1)) and len(told) >= recurrence_timing.FEWEST
    last = told[-1]
    assert (last["times"] > 0).all() and last["rnn_share"].shape == (5, 5)
    np.testing.assert_allclose(last["doubling"], last["times"][:, 1] / last["times"][:, 0])
    np.testing.assert_allclose(last["step_us"], 1000 * last["times"][:2, 1] / 8)
    assert (np.diff([each["times"] for each in told], axis=0) <= 0).all(), "the fastest turn counts"


def test_no_turn_begins_when_patience_is_over(monkeypatch):
    monkeypatch.setattr(recurrence_timing, "LENGTHS", (4, 8))
    monkeypatch.setattr(recurrence_timing, "PATIENCE", 0.0)
    assert len(list(recurrence_timing.timings())) == recurrence_timing.FEWEST


def test_attention_is_ahead_where_it_was_faster():
    assert recurrence_timing.told(np.array([[2.0] * 7, [9.0] * 7, [1, 1, 1, 1, 1, 3, 4.0]]), 1)["ahead"] == 256
    assert recurrence_timing.told(np.array([[2.0] * 7, [9.0] * 7, [3.0] * 7]), 1)["ahead"] == 0


# Editing, caching, errors


def test_most_controls_leave_most_of_the_dependences_alone():
    module._dependence.cache_clear()
    run(**SMALL)
    for changed, anew in (({"forget_bias": 2}, 1), ({"network": "lstm"}, 0), ({"causal": False}, 1), ({"seed": 1}, 3)):
        before = module._dependence.cache_info().misses
        run(**SMALL, **changed)
        assert module._dependence.cache_info().misses - before == anew, changed


def test_a_trace_holds_the_shown_pass_at_the_end():
    """Not the copies that the derivatives were taken with."""
    module._dependence.cache_clear()
    with trace() as seen:
        result = run(**SMALL)
    assert seen["rnn_states"] is result["rnn_states"] and type(seen["from_input"]) is np.ndarray


@pytest.mark.parametrize(("network", "name"), [("rnn", "rnn_states"), ("lstm", "forget_gate"), ("attention", "concat")])
def test_an_edited_kernel_that_lost_a_picture_is_told_so(monkeypatch, network, name):
    def blind(given, value):
        return value if given == name else seen(given, value)

    kernels = {"rnn": "seeformer.recurrence", "lstm": "seeformer.recurrence", "attention": "seeformer.attention"}
    kernel = import_module(kernels[network])
    seen = kernel.see
    monkeypatch.setattr(kernel, "see", blind)
    with pytest.raises(ValueError, match=f"^see='{name}' is named nowhere"):
        run(network=network, **SMALL)


def test_the_dependence_follows_an_edited_kernel(monkeypatch):
    plain = run(**SMALL)["rnn_dependence"]
    module._dependence.cache_clear()
    monkeypatch.setattr(module, "rnn", lambda X, **weights: 2 * rnn(X, **weights))
    np.testing.assert_allclose(run(**SMALL)["rnn_dependence"], 2 * plain)
    module._dependence.cache_clear()
    assert (dependence(lambda X: 2 * X, np.ones((2, 4))) == [[4, 0], [0, 4]]).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"network": "gru"}, "network='gru' is unknown: use one of rnn, lstm, attention"),
        ({"tokens": []}, "tokens=0 tokens are too few or too many: use 1 to 128"),
        ({"n": 1}, "n=1 is too small: use at least 2"),
        ({"n": 33}, "n=33 is too large: use at most 32"),
        ({"hidden": 0}, "hidden=0 is too small: use at least 1"),
        ({"hidden": 17}, "hidden=17 is too large: use at most 16"),
        ({"recurrent_scale": -1}, "recurrent_scale=-1 is too small: use at least 0"),
        ({"recurrent_scale": 5}, "recurrent_scale=5 is too large: use at most 4"),
        ({"forget_bias": 7}, "forget_bias=7 is too large: use at most 6"),
        ({"forget_bias": "open"}, "forget_bias='open' is not a finite number: use one such as 1.0"),
        ({"causal": "yes"}, "causal='yes' is neither true nor false: use True or False"),
        ({"seed": -1}, "seed=-1 is too small: use at least 0"),
        ({"measure": 2}, "measure=2 is neither true nor false: use True or False"),
    ],
)
def test_what_it_refuses(settings, message):
    with pytest.raises(ValueError) as refusal:
        run(**SMALL | settings)
    assert str(refusal.value) == message
