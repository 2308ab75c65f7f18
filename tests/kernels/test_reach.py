"""Which inputs can arrive where: properties of masks followed through layers, and what models say to it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer.mask import causal, sliding_window
from seeformer.reach import reach

SIZES = st.integers(1, 7)


def sees(mask, layers):
    return np.stack([np.isfinite(mask)] * layers)


@given(n=SIZES, layers=st.integers(1, 5))
def test_a_causal_mask_stays_a_lower_triangle_however_many_layers(n, layers):
    assert (reach(sees(causal(n), layers)) == [np.eye(n), *[np.tri(n)] * layers]).all()


@given(n=SIZES, layers=st.integers(1, 5))
def test_without_a_mask_one_layer_is_enough(n, layers):
    assert reach(sees(np.zeros((n, n)), layers))[1:].all()


@given(n=SIZES, layers=st.integers(1, 5), window=st.integers(1, 3))
def test_a_window_reaches_a_window_further_with_each_layer(n, layers, window):
    far = abs(np.arange(n)[:, None] - np.arange(n))
    through = reach(sees(sliding_window(n, window), layers))
    assert all((found == (far <= (window - 1) * layer)).all() for layer, found in enumerate(through))


def test_the_residual_keeps_an_input_that_nobody_looks_at():
    through = reach(np.zeros((2, 3, 3), bool))
    assert (through == np.eye(3, dtype=bool)).all()


@given(m=SIZES, n=SIZES, layers=st.integers(1, 3))
def test_only_cross_attention_leads_from_a_source_to_a_target(m, n, layers):
    read = reach(sees(np.zeros((m, m)), layers), np.eye(m, m + n, dtype=bool))[-1]
    begin = np.eye(n, m + n, k=m, dtype=bool)
    for open_ in (True, False):
        cross = np.full((layers, n, m), open_)
        last = reach(sees(causal(n), layers), begin, cross=cross, memory=read)[-1]
        assert (last[:, :m] == open_).all() and (last[:, m:] == np.tri(n)).all()


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_it_is_the_support_of_what_the_layers_multiply(layers):
    rng = np.random.default_rng(layers)
    visible = rng.random((layers, 6, 6)) < 0.3
    product = np.eye(6)
    for layer in visible:
        product = (np.eye(6) + layer * rng.random((6, 6))) @ product
    assert (reach(visible)[-1] == (product > 0)).all()
