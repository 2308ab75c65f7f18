import numpy as np
import pytest
from arrays import sizes
from hypothesis import given
from hypothesis import strategies as st

from seeformer.token_vectors import token_vectors

tokens = st.text(st.characters(), max_size=4)  # lone surrogates too: a page can send them
small = st.integers(0, 9)


def test_the_same_numbers_in_every_python():
    """Pinned: CPython and Pyodide, today and in ten years, must agree on what a word looks like."""
    pinned = [-1.3416392301501077, 0.5290723119780114, -2.427028275204779]
    assert token_vectors(["猫"], 3, seed=0)[0] == pytest.approx(pinned)


@given(st.lists(tokens, max_size=5), sizes, small)
def test_a_vector_depends_on_its_own_token_alone(words, width, seed):
    vectors = token_vectors(words, width, seed=seed)
    assert vectors.shape == (len(words), width) and vectors.dtype == np.float64
    for word, vector in zip(words, vectors, strict=True):
        assert (token_vectors([word], width, seed=seed)[0] == vector).all()


@given(tokens, tokens, small, small)
def test_other_token_or_other_seed_other_vector(a, b, s, t):
    same = (token_vectors([a], 4, seed=s) == token_vectors([b], 4, seed=t)).all()
    assert same == ((a, s) == (b, t))


def test_they_are_standard_normal():
    vectors = token_vectors([str(i) for i in range(500)], 20)
    assert abs(vectors.mean()) < 0.03 and abs(vectors.std() - 1) < 0.03


@pytest.mark.parametrize(
    ("width", "seed", "message"),
    [
        (-1, 0, "width=-1 is too small: use at least 0"),
        (1.5, 0, "width=1.5 is not a whole number: use one such as 1"),
        (2, -1, "seed=-1 is too small: use at least 0"),
        (2, None, "seed=None is not a whole number: use one such as 1"),
    ],
)
def test_what_it_refuses(width, seed, message):
    with pytest.raises(ValueError) as refusal:
        token_vectors(["a"], width, seed=seed)
    assert str(refusal.value) == message
