"""A run of the whole suite enters every folder that has tests in it."""

from fnmatch import fnmatch

from sitebuild.paths import ROOT


def test_pytest_leaves_no_folder_out(pytestconfig):
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert len(folders) > 4
    names = {part for folder in folders for part in folder.relative_to(ROOT).parts}
    left_out = [name for name in names for pattern in pytestconfig.getini("norecursedirs") if fnmatch(name, pattern)]
    assert left_out == []
