"""The block moves the input by small steps where the page differentiates: both must find the same dependence."""

import contextlib
import io

import numpy as np
import pytest
from notes.blocks import of_lab, parameters

from seeformer.labs.recurrence import NETWORKS, run


@pytest.mark.parametrize("network", NETWORKS)
def test_small_steps_find_what_the_page_differentiates(network):
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(of_lab("recurrence", {"network": network}, form="plain"), names)
    shown = run(**parameters("recurrence", {"network": network}))
    np.testing.assert_allclose(names["share"], shown[f"{network}_share"], atol=1e-8)
