"""Pictures and tables of a note: one line of HTML each, true to the array, small, and safe for the plugin's parser."""

import base64
import contextlib
import io
import json
import re
import subprocess

import numpy as np
import pytest
from PIL import Image
from support.html_line import mistakes

from seeformer.notes.show import show, table
from sitebuild.node import find_node
from sitebuild.paths import VENDOR

WORDS = ["the", "cat & <dog>", '"quoted"', "猫", "x y"]


def printed(draw, *arguments, **options) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), np.errstate(all="raise"):
        draw(*arguments, **options)
    (line,) = out.getvalue().splitlines()
    assert out.getvalue().endswith("\n")
    return line


def pixels(line) -> np.ndarray:
    (data,) = re.findall(r'src="data:image/png;base64,([^"]+)"', line)
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data, validate=True))).convert("RGB"))


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (64, 64), (1, 200), (200, 1), (130, 3)])
def test_one_line_of_whole_html_with_few_spaces(shape):
    array = np.random.default_rng(0).standard_normal(shape)
    line = printed(show, array, range(shape[0]), [f"w {j}" for j in range(shape[1])], "a title & more")
    assert line.startswith("<div ") and line.endswith("</div>")
    assert not mistakes(line)
    assert line.count(" ") < 20
    assert pixels(line).shape[:2] == shape


def test_a_picture_of_64_by_64_is_under_20_kb():
    array = np.random.default_rng(0).standard_normal((64, 64))
    names = [f"token {i}" for i in range(64)]
    assert len(printed(show, array, names, names, "random")) < 20_000
    assert len(printed(show, abs(array))) < 20_000


def test_labels_are_text_whatever_they_hold():
    line = printed(show, np.eye(5), WORDS, WORDS, "<b>")
    assert line.count("cat&nbsp;&amp;&nbsp;&lt;dog&gt;") == 2
    assert "&quot;quoted&quot;" in line
    assert "<dog>" not in line and "<b>" not in line


def page_s_map(name: str) -> list[str]:
    script = f"""
        import {{ interpolateRdBu, interpolateViridis }} from {json.dumps((VENDOR / "colors.js").as_uri())};
        const map = {{ weights: interpolateViridis, signed: (at) => interpolateRdBu(1 - at) }}["{name}"];
        process.stdout.write(JSON.stringify(Array.from({{length: 101}}, (_, at) => map(at / 100))));"""
    answer = subprocess.run(
        [find_node().node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    return json.loads(answer.stdout)


def channels(css: str) -> list[int]:
    if css[0] == "#":
        return [int(css[at : at + 2], 16) for at in (1, 3, 5)]
    return [int(number) for number in re.findall(r"\d+", css)[:3]]


@pytest.mark.parametrize("name, array", [("weights", np.linspace(0, 1, 101)), ("signed", np.linspace(-1, 1, 101))])
def test_the_colours_are_the_page_s(name, array):
    ours = pixels(printed(show, array))[0].astype(int)
    theirs = np.array([channels(css) for css in page_s_map(name)])
    assert abs(ours - theirs).max() <= 6  # of 255: straight lines between 17 of its colours


def test_the_range_is_told_and_a_signed_one_is_centred_on_0():
    assert "0…0.5" in printed(show, np.array([[0.5, 0.25]]))
    line = printed(show, np.array([[-1.0, 0.0, 3.0]]))
    assert "-3…3" in line
    assert (pixels(line)[0, 1] > 230).all()  # 0 is nearly white


def test_hidden_cells_and_nan_are_told_apart_and_nothing_warns():
    line = printed(show, np.array([[0.0, -np.inf, np.nan, np.inf, 1.0]]))
    assert pixels(line)[0].tolist() == [[68, 1, 84], [128, 128, 128], [255, 0, 255], [253, 231, 37], [253, 231, 37]]
    assert printed(show, np.full((2, 2), -np.inf))
    assert printed(show, np.zeros((2, 2)))
    assert printed(show, np.array([[True, False]]))
    assert printed(show, np.arange(3))


def test_a_table_is_one_line_whose_columns_stay():
    line = printed(table, np.array([[1.0, -20.5], [3.25, 4.0]]), "a < b")
    assert line == "<pre>a &lt; b&#10;[[  1.   -20.5 ]&#10; [  3.25   4.  ]]</pre>"
    assert not mistakes(line)
