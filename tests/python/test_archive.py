"""All arrays of a lab in one file."""

import io

import numpy as np
import pytest

from seeformer.archive import npz
from seeformer.laboratory import Laboratory


def read(content):
    with np.load(io.BytesIO(content)) as archive:
        return dict(archive)


def test_numpy_opens_it_and_every_value_is_there():
    values = {
        "decoder.0.self.weights": np.arange(6, dtype=np.float32).reshape(2, 3),
        "file": np.array([1, 2]),
        "n": 3,
        "scale": 0.5,
        "name": "甲",
        "tokens": ["a", "猫"],
        "none": np.zeros((0, 4)),
    }
    found = read(npz(values))
    assert list(found) == list(values)
    assert found["decoder.0.self.weights"].dtype == np.float32
    for name, value in values.items():
        np.testing.assert_array_equal(found[name], value)


def test_a_lab_gives_what_run_returned_and_all_that_the_trace_saw():
    params = {"tokens": ["a", "b", "c"], "d_model": 8, "num_heads": 2}
    found = read(npz(Laboratory().arrays("attention", params)))
    values, lines = Laboratory().run("attention", params)
    assert values.keys() | lines.keys() == found.keys()
    np.testing.assert_array_equal(found["weights"], values["weights"])


def test_edits_count_and_a_refusal_is_raised():
    edits = {"seeformer.mask": "def combine(*masks):\n    raise KeyError('mine')\n"}
    with pytest.raises(Exception, match=r"padding|causal|mine"):
        Laboratory().arrays("attention", {"causal": True}, edits)
    with pytest.raises(ValueError, match="^d_model="):
        Laboratory().arrays("attention", {"d_model": 10})
