"""Sentences and their order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer.sentence import sentence, word_order


def test_a_sentence_is_a_list_of_strings():
    assert sentence(("我", "爱", "猫")) == ["我", "爱", "猫"]
    assert sentence(["a"] * 3, most=3) == ["a"] * 3


@pytest.mark.parametrize("tokens", ["我爱猫", None, 3, ["a", 1], [["a"]]])
def test_anything_else_is_refused(tokens):
    with pytest.raises(ValueError, match=r"^tokens=.* is not a list of strings"):
        sentence(tokens)


@pytest.mark.parametrize("count", [0, 4])
def test_too_few_or_too_many(count):
    with pytest.raises(ValueError, match=rf"^tokens={count} tokens are too few or too many: use 1 to 3"):
        sentence(["a"] * count, most=3)


@given(st.integers(2, 20), st.integers(1, 50))
def test_a_shuffle_moves_something_and_loses_nothing(words, shuffle):
    order = word_order(words, shuffle)
    assert sorted(order) == list(range(words)) and (order != np.arange(words)).any()
    np.testing.assert_array_equal(order, word_order(words, shuffle))


@given(st.integers(0, 20))
def test_no_shuffle_leaves_the_order(words):
    np.testing.assert_array_equal(word_order(words, 0), np.arange(words))


@pytest.mark.parametrize("shuffle", [-1, 1.5, "x"])
def test_a_shuffle_is_a_whole_number(shuffle):
    with pytest.raises(ValueError, match="^shuffle="):
        word_order(3, shuffle)
