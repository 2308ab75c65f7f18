"""Going on with a text: the KV cache, the ways of choosing, beam search."""

import itertools

import numpy as np
import pytest
from arrays import seeds
from families import VOCAB, WRITERS, small
from hypothesis import given
from hypothesis import strategies as st

from seeformer.models.beam import beam_search, beam_steps, log_softmax
from seeformer.models.cache import Cache
from seeformer.models.sampling import generate, probabilities
from seeformer.models.transformer import Transformer, TransformerConfig
from seeformer.trace import trace

pytestmark = pytest.mark.filterwarnings("error")

SOURCE = np.array([4, 7, 3, 9, 11])


def logits_of(model, ids, cache=None):
    """Of a decoder that reads ``ids``, beside a source if it has an encoder."""
    if hasattr(model, "encode"):
        return model.decode(ids, model.encode(SOURCE), cache=cache)
    return model.forward(ids, cache=cache)


@pytest.mark.parametrize("family", WRITERS)
@pytest.mark.parametrize("parts", [(1,) * 8, (3, 5), (5, 1, 2), (8,)], ids=str)
def test_with_the_cache_as_without(family, parts):
    model, ids = small(family), np.random.default_rng(1).integers(0, VOCAB, (2, 8))
    cache, found, start = model.new_cache(), [], 0
    for n in parts:
        assert cache.length == start
        found.append(logits_of(model, ids[:, start : start + n], cache))
        start += n
    np.testing.assert_allclose(np.concatenate(found, axis=1), logits_of(model, ids), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", ["both", "decoder"])
def test_the_plain_transformer_with_the_cache_as_without(kind):
    model = Transformer.random(TransformerConfig(VOCAB, 12, 3, 10, 2, kind=kind))
    memory, ids = model.encode(SOURCE) if kind == "both" else None, np.array([[3, 9, 1, 4], [5, 5, 2, 0]])
    cache = model.new_cache()
    found = [model.decode(ids[:, part], memory, cache=cache) for part in (slice(0, 2), slice(2, 3), slice(3, 4))]
    np.testing.assert_allclose(np.concatenate(found, axis=1), model.decode(ids, memory), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("family", WRITERS)
def test_a_new_token_asks_once(family):
    """One query against everything that was read: no key is computed a second time."""
    model, cache = small(family), small(family).new_cache()
    logits_of(model, np.arange(3, 9), cache)
    with trace() as seen:
        logits_of(model, np.array([5]), cache)
    assert seen["decoder.0.self.Q"].shape[-2] == 1 and seen["decoder.0.self.K"].shape[-2] == 7
    assert seen["decoder.0.self.scores"].shape[-2:] == (1, 7)
    if hasattr(model, "encode"):  # nor is the source's
        assert seen["decoder.0.cross.K"] is cache.layers[0]["cross"][0]
        assert seen["decoder.0.cross.K"].shape[-2] == len(SOURCE)


@pytest.mark.parametrize("family", WRITERS)
def test_the_cache_leaves_what_was_seen_alone(family):
    model, cache = small(family), small(family).new_cache()
    with trace() as seen:
        logits_of(model, np.array([3, 4]), cache)
    before = {name: x.copy() for name, x in seen.items() if hasattr(x, "copy")}
    logits_of(model, np.array([5]), cache)
    assert all((seen[name] == x).all() for name, x in before.items() if x.dtype.kind == "f" and "mask" not in name)


@pytest.mark.parametrize("family", WRITERS)
def test_greedy_takes_the_likeliest_each_time(family):
    model = small(family)
    text = [model.start_token] if hasattr(model, "start_token") else [4, 7]
    start = len(text)
    chosen = list(model.generate(SOURCE if hasattr(model, "encode") else np.array(text), 6, eos=None, forced_eos=None))
    for one in chosen:
        logits = logits_of(model, np.array(text))[-1]
        assert one.token == logits.argmax()
        np.testing.assert_allclose(one.logits, logits, rtol=1e-4, atol=1e-5)
        text.append(one.token)
    assert len(text) == start + 6


def test_the_text_streams():
    """The first token is there before the second is computed."""
    reads = []

    def read(ids):
        reads.append(ids.tolist())
        return np.array([0.0, 1.0, 0.0])

    text = generate(read, np.array([2, 0]), 3)
    assert reads == []
    assert next(text).token == 1 and reads == [[2, 0]]
    assert next(text).token == 1 and reads == [[2, 0], [1]]


def test_each_step_is_named():
    with trace() as seen:
        list(small("gpt2").generate([4, 7], 2, eos=None))
    assert {f"step.{i}.decoder.1.self.weights" for i in range(2)} <= seen.keys()
    assert {name.split(".")[0] for name in seen} == {"step"}


@pytest.mark.parametrize("family", WRITERS)
def test_the_seed_decides(family):
    model = small(family)

    def text(**options):
        return [one.token for one in model.generate(SOURCE, 8, temperature=1.5, eos=None, **options)]

    assert text(seed=1) == text(seed=1)
    assert len({tuple(text(seed=seed)) for seed in range(4)}) > 1
    assert text(seed=1, top_k=1) == text(seed=2, top_k=1) == [x.token for x in model.generate(SOURCE, 8, eos=None)]


def test_the_end():
    def count(ids):
        return np.eye(5)[(ids[-1] + 1) % 5]

    def text(steps, **options):
        return [one.token for one in generate(count, np.array([0]), steps, **options)]

    assert text(9, eos=3) == [1, 2, 3]
    assert text(3, forced_eos=0) == [1, 2, 0]
    assert text(0) == []
    assert text(9, most=4) == [1, 2, 3, 4]  # the last is written, but cannot be read


@pytest.mark.parametrize("family", ["gpt2", "bart"])
def test_a_text_ends_with_the_table_of_positions(family):
    model = small(family)
    ids = np.array([4]) if family == "gpt2" else SOURCE
    assert len(list(model.generate(ids, 50, eos=None, forced_eos=None))) == 14


@given(seeds, st.floats(0.2, 4))
def test_temperature_sharpens_or_flattens(seed, temperature):
    logits = np.random.default_rng(seed).standard_normal(7)
    shares, plain = probabilities(logits, temperature=temperature), probabilities(logits)
    assert shares.argmax() == plain.argmax() and np.isclose(shares.sum(), 1)
    assert (shares.max() >= plain.max() - 1e-12) if temperature <= 1 else (shares.max() <= plain.max() + 1e-12)


@given(seeds, st.integers(1, 9), st.floats(0, 1))
def test_what_is_left_keeps_its_proportions(seed, top_k, top_p):
    logits = np.random.default_rng(seed).standard_normal((2, 7))
    plain = probabilities(logits)
    for options in ({"top_k": top_k}, {"top_p": top_p}, {"top_k": top_k, "top_p": top_p}):
        shares = probabilities(logits, **options)
        left = shares > 0
        assert (left.sum(-1) >= 1).all()
        np.testing.assert_allclose(shares, plain * left / (plain * left).sum(-1, keepdims=True), rtol=1e-9)
        assert (np.where(left, plain, np.inf).min(-1) >= np.where(left, 0, plain).max(-1)).all()  # the likeliest ones
    assert (probabilities(logits, top_k=top_k) > 0).sum() == 2 * min(top_k, 7)


@given(seeds, st.floats(0.01, 0.99))
def test_top_p_keeps_the_fewest_that_hold_the_share(seed, top_p):
    logits = np.random.default_rng(seed).standard_normal(9)
    falling = np.sort(probabilities(logits))[::-1]
    wanted = int(np.argmax(falling.cumsum() >= top_p - 1e-12)) + 1
    assert (probabilities(logits, top_p=top_p) > 0).sum() == wanted


def test_draws_follow_the_shares():
    logits = np.log(np.array([0.5, 0.3, 0.0001, 0.2]))
    text = generate(lambda ids: logits, np.array([0]), 4000, temperature=1.0, seed=5)
    counts = np.bincount([one.token for one in text], minlength=4) / 4000
    np.testing.assert_allclose(counts, np.exp(logits), atol=0.03)


@pytest.mark.parametrize(
    "options",
    [{"temperature": -1}, {"temperature": np.nan}, {"top_k": -1}, {"top_k": 1.5}, {"top_p": 1.1}, {"top_p": -0.1}],
)
def test_a_way_of_choosing_that_is_none(options):
    with pytest.raises(ValueError, match=f"^{next(iter(options))}="):
        probabilities(np.zeros(3), **options)


class Table:
    """A language of its own: what follows depends on the last two tokens."""

    def __init__(self, seed, vocab=4):
        self.logs = log_softmax(2 * np.random.default_rng(seed).standard_normal((vocab, vocab, vocab)))
        self.texts = None

    def read(self, new):
        start = np.zeros((len(new), 1), int) if self.texts is None else self.texts
        self.texts = np.concatenate([start, new], axis=1)
        return self.logs[self.texts[:, -2], self.texts[:, -1]]

    def reorder(self, rows):
        self.texts = self.texts[rows]

    def score(self, text):
        pairs = [0, *text]
        return sum(self.logs[pairs[i], pairs[i + 1], pairs[i + 2]] for i in range(len(text) - 1))


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_as_wide_as_the_language_finds_the_best_text(seed):
    table, steps = Table(seed), 4
    best = beam_search(table.read, [1], steps, reorder=table.reorder, num_beams=4**steps, length_penalty=0.0)[0]
    texts = [(1, *text) for text in itertools.product(range(4), repeat=steps)]
    winner = max(texts, key=table.score)
    assert best.tokens == winner
    np.testing.assert_allclose(best.score, table.score(winner), rtol=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_those_of_the_texts(seed):
    table = Table(seed)
    found = beam_search(table.read, [1], 6, reorder=table.reorder, num_beams=3, length_penalty=0.5, eos=2)
    assert len(found) == 3 and len({one.tokens for one in found}) == 3
    for one in found:
        assert 2 not in one.tokens[1:-1]
        np.testing.assert_allclose(one.score, table.score(one.tokens) / (len(one.tokens) - 1) ** 0.5, rtol=1e-5)
    assert sorted(found, key=lambda one: -one.score) == list(found)


def test_one_beam_is_greedy():
    model = small("gpt2")
    greedy = [one.token for one in model.generate([4, 7], 6, eos=None)]
    assert list(model.beam_search([4, 7], 6, num_beams=1, eos=None)[0].tokens[2:]) == greedy


def test_the_steps_of_the_search_hang_together():
    table, before = Table(1), None
    for beams in beam_steps(table.read, [1], 5, reorder=table.reorder, num_beams=3, eos=2):
        assert beams.tokens.shape[0] == 3 and (np.diff(beams.scores) <= 0).all()
        if before is not None:
            assert (beams.tokens[:, :-1] == before.tokens[beams.parents]).all()
        before = beams


@pytest.mark.parametrize("options", [{"num_beams": 0}, {"early_stopping": "often"}, {"length_penalty": np.inf}])
def test_a_search_that_is_none(options):
    with pytest.raises(ValueError, match=f"^{next(iter(options))}="):
        beam_search(None, [1], 2, **{"reorder": None} | options)


def test_teacher_forcing_reads_the_target_one_step_late():
    model = small("t5")
    assert model.shift_right(np.array([[5, 6, 7]])).tolist() == [[0, 5, 6]]


def test_an_empty_cache():
    assert Cache(2).length == Cache(0).length == 0
