"""Pictures by formula, and their written form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeformer.drawings import DRAWINGS, SHADES, drawn, pixels_of, written

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("name", DRAWINGS)
@pytest.mark.parametrize("size", [4, 8, 16, 28])
def test_a_drawing_has_paper_and_ink(name, size):
    picture = drawn(name, size)
    assert picture.shape == (size, size)
    assert 0 <= picture.min() < 0.1 and 0.3 < picture.max() <= 1


def test_drawings_are_different():
    assert len({"".join(written(drawn(name, 8))) for name in DRAWINGS}) == len(DRAWINGS)


def test_x_goes_right_and_y_goes_down():
    """A 7 has its bar on top and its foot to the left of the bar's end; the gradient grows to the right."""
    seven, slope = drawn("seven", 16), drawn("slope", 8)
    assert seven[:4].sum() > seven[-4:].sum() and seven[8:, :8].sum() > 0
    assert seven[2].argmax() < seven[2].nonzero()[0].max() and seven[12].argmax() < 8
    assert (np.diff(slope, axis=1) > 0).all() and (np.diff(slope, axis=0) == 0).all()


def test_the_cross_is_the_same_in_every_mirror():
    cross = drawn("cross", 8)
    for mirrored in (cross[::-1], cross[:, ::-1], cross.T):
        np.testing.assert_allclose(mirrored, cross, atol=1e-12)


@given(st.integers(4, 32).flatmap(lambda n: st.lists(st.text(SHADES, min_size=n, max_size=n), min_size=n, max_size=n)))
def test_writing_undoes_reading(rows):
    picture = pixels_of("picture", rows)
    assert picture.shape == (len(rows), len(rows)) and 0 <= picture.min() and picture.max() <= 1
    assert written(picture) == rows


BAD = {
    "picture='ffff' is no picture: give a string a row, a sign a pixel, 0 (paper) to f (ink)": "ffff",
    "picture=[1] is no picture: give a string a row, a sign a pixel, 0 (paper) to f (ink)": [1],
    "picture=['00gg'] is no picture: give a string a row, a sign a pixel, 0 (paper) to f (ink)": ["00gg"],
    "picture=0 rows of 0 pixels are no square of 4 to 32: give each row as many signs as there are rows": [],
    "picture=4 rows of 3, 4 pixels are no square of 4 to 32: give each row as many signs as there are rows": [
        "000",
        *["0000"] * 3,
    ],
    "picture=33 rows of 33 pixels are no square of 4 to 32: give each row as many signs as there are rows": ["0" * 33]
    * 33,
}


@pytest.mark.parametrize(("message", "rows"), BAD.items())
def test_refusal(message, rows):
    with pytest.raises(ValueError) as refusal:
        pixels_of("picture", rows)
    assert str(refusal.value) == message


def test_an_unknown_drawing_is_named():
    with pytest.raises(ValueError, match="^name='five' is no drawing: use one of zero, one, three"):
        drawn("five", 8)
