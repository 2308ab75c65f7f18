"""The list of labs is what lies in two folders."""

import pytest

from sitebuild import labs
from sitebuild.errors import BuildError


@pytest.fixture
def folders(monkeypatch, tmp_path):
    for name, folder in {"PYTHON_LABS": "py", "PAGE_LABS": "web"}.items():
        (tmp_path / folder).mkdir()
        monkeypatch.setattr(labs, name, tmp_path / folder)

    def lab(name, *, python=True, page=True):
        if python:
            (tmp_path / "py" / f"{name}.py").write_text("def run(*, n=1):\n    return {}\n")
        if page:
            (tmp_path / "web" / f"{name}.js").write_text("export default { id: 1 };\n")

    return lab


def test_pairs_are_labs_sorted(folders):
    folders("mask")
    folders("attention")
    assert labs.labs() == ["attention", "mask"]
    assert labs.index_module("1.2.3", "wheels/it.whl").splitlines()[1:] == [
        'export const version = "1.2.3";',
        'export const wheel = "wheels/it.whl";',
        "export const labs = {",
        '  attention: () => import("./attention.js"),',
        '  mask: () => import("./mask.js"),',
        "};",
    ]


@pytest.mark.parametrize(("half", "missing"), [("python", "py/seeformer/labs/rnn.py"), ("page", "web/labs/rnn.js")])
def test_half_a_lab_is_an_error(folders, half, missing):
    folders("rnn", **{half: False})
    with pytest.raises(BuildError, match=f"lab rnn is half there: no {missing}"):
        labs.labs()


def test_files_beside_labs_are_not_labs(folders, tmp_path):
    folders("attention")
    (tmp_path / "py" / "__init__.py").write_text("")
    (tmp_path / "web" / "index.js").write_text("export const labs = {};")
    assert labs.labs() == ["attention"]
