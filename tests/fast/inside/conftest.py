import pytest

import seeformer.fast
from seeformer.fast import loops


@pytest.fixture(scope="module", params=["relaxed", "plain"])
def build(request):
    """Enabled, with each of the two modules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loops, "best_build", lambda: request.param)
        seeformer.fast.disable()
        assert seeformer.fast.enable()["build"] == request.param
        yield request.param
        assert seeformer.fast.status()["build"] == request.param
        seeformer.fast.disable()
