"""What the page asks for at a Note face."""

import pytest
from notes.blocks import WORDS, of_kernel, of_lab, parameters

from seeformer.notes.request import written
from seeformer.notes.section import section


def asked(params=None, **options):
    words = {"notes": WORDS["en"]["notes"], "labs": {"mask": WORDS["en"]["labs"]["mask"]}}
    return written("mask", params or {}, accept=parameters, words=words, wheel="w.whl", **options)


def test_each_kind_of_text():
    assert asked({"window": 2}) == of_lab("mask", {"window": 2})
    assert asked({"window": 2}, form="short") == of_lab("mask", {"window": 2}, form="short", wheel="w.whl")
    whole = parameters("mask", {"window": 2})
    assert asked({"window": 2}, what="section") == section("mask", whole, words=WORDS["en"])
    assert asked(what="seeformer.mask.causal", form="plain") == of_kernel(("seeformer.mask", "causal"), form="plain")


def test_a_kernel_of_another_lab_is_refused_by_name():
    with pytest.raises(ValueError, match="what='os.system' is no kernel behind the lab 'mask'"):
        asked(what="os.system")
