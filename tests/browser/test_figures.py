"""matplotlib in a cell: each figure once, where it is shown; what is still open at the end comes then."""

import base64
import struct

import pytest
from support.python_cells import run


@pytest.fixture
def plots(ready_page):
    """Runs a cell and returns its outputs in short: a text, or "picture"."""
    run(ready_page, "import micropip\nawait micropip.install('matplotlib')\nimport matplotlib.pyplot as plt")

    def plots(code):
        told = run(ready_page, code)
        plots.error, plots.pictures = (
            told["error"],
            [output["png"] for output in told["outputs"] if output["kind"] == "image"],
        )
        return ["picture" if output["kind"] == "image" else output["text"] for output in told["outputs"]]

    return plots


def test_show_puts_every_open_figure_there_and_closes_it(plots):
    code = "plt.plot([1, 2])\nprint('a')\nplt.figure(); plt.plot([2, 1])\nplt.show()\nprint('b')\nplt.show()\nplt.get_fignums()"
    assert plots(code) == ["a\n", "picture", "picture", "b\n", "[]"]


def test_one_figure_shown_by_itself(plots):
    assert plots("one, _ = plt.subplots()\ntwo, _ = plt.subplots()\ntwo.show()\nprint('then')") == [
        "picture",
        "then\n",
        "picture",
    ]


def test_a_figure_left_open_comes_at_the_end_and_not_again_in_the_next_cell(plots):
    assert plots("plt.imshow([[1, 2], [3, 4]]);") == ["picture"]
    assert plots("print('next')") == ["next\n"]


def test_it_comes_also_before_an_error_and_for_another_backend(plots):
    assert plots("plt.plot([1, 2])\n1 / 0") == ["picture"]
    assert plots.error["type"] == "ZeroDivisionError"
    assert plots(
        "from matplotlib.backends.backend_agg import FigureCanvasAgg\nplt.plot([1, 2])\nFigureCanvasAgg(plt.gcf());"
    ) == ["picture"]


def test_the_picture_is_a_png_of_a_sensible_size(plots):
    plots("plt.figure(figsize=(4, 3), dpi=100)\nplt.plot([1, 2])\nplt.show()")
    (picture,) = plots.pictures
    png = base64.b64decode(picture.removeprefix("data:image/png;base64,"))
    width, height = struct.unpack(">II", png[16:24])
    assert png.startswith(b"\x89PNG") and 300 < width < 450 and 200 < height < 350


def test_a_figure_that_cannot_be_drawn_is_an_error_of_the_cell(plots):
    assert plots("plt.title(r'$\\frac{$')\nprint('shown')") == ["shown\n"]
    assert plots.error["type"] == "ValueError"
    assert plots("1 + 1") == ["2"] and plots.error is None, "and not of the next"
