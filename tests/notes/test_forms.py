"""The other forms of a block where they are meant to run: the package from the page, and matplotlib."""

import re

import numpy as np
import pytest
from notes.blocks import LANGUAGES, of_kernel, of_lab
from support.python_cells import run

from seeformer.laboratory import lab_ids
from seeformer.labs import attention
from sitebuild.wheel import wheel_name


@pytest.fixture(scope="module")
def note(open_note):
    return open_note()


def whole(told):
    assert told.error is None, told.error
    assert told.stderr == []
    assert told.choking == []


@pytest.mark.parametrize("lab", lab_ids())
def test_the_short_form_installs_the_package_from_the_page_s_origin(note, server, lab):
    told = note.run(of_lab(lab, {}, form="short", wheel=f"{server}wheels/{wheel_name()}"))
    whole(told)
    assert [picture for picture in told.pictures if picture["colours"] > 1]
    if lab == "attention":
        np.testing.assert_allclose(note.arrays()["weights"], attention.run()["weights"], rtol=1e-9, atol=1e-12)


def test_the_short_form_of_a_kernel(note, server):
    told = note.run(of_kernel(("seeformer.attention", "softmax"), form="short", wheel=f"{server}wheels/{wheel_name()}"))
    whole(told)
    assert re.findall(r"\d\.\d+", told.stdout[0]) == ["0.09003057", "0.24472847", "0.66524096"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lab", lab_ids())
def test_with_matplotlib_in_obsidian(note, lab, language):
    told = note.run(of_lab(lab, {}, language, form="matplotlib"))
    whole(told)
    drawn = [picture for picture in told.pictures if picture["tag"] == "canvas" and picture["colours"] > 10]
    assert drawn


@pytest.mark.parametrize("form", ["matplotlib", "short", "plain"])
def test_in_a_cell_of_the_page(_booted, server, form):
    page = _booted[0]
    page.evaluate("() => seeformer.reset()")
    if form == "plain":
        run(page, 'import micropip\nawait micropip.install("numpy")')
    told = run(page, of_lab("attention", {}, form=form, wheel=f"{server}wheels/{wheel_name()}"))
    assert told["error"] is None, told["error"]
    assert not told["stderr"]
