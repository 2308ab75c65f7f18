"""The site on the disk is exactly its table."""

import pytest

from sitebuild.site import publish


def content(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def table(tmp_path):
    source = tmp_path / "source.js"
    source.write_bytes(b"from a file")
    return {"index.html": b"page", "web/main.js": source, "manifest.json": b"{}"}


def test_all_of_the_table_is_written(tmp_path, table):
    assert publish(table, tmp_path / "site") == 3
    assert content(tmp_path / "site") == {"index.html": b"page", "web/main.js": b"from a file", "manifest.json": b"{}"}


def test_what_has_not_changed_is_not_written_again(tmp_path, table):
    site = tmp_path / "site"
    publish(table, site)
    before = (site / "index.html").stat().st_mtime_ns
    table["web/main.js"].write_bytes(b"from a FILE")
    assert publish(table, site) == 1
    assert (site / "index.html").stat().st_mtime_ns == before
    assert (site / "web/main.js").read_bytes() == b"from a FILE"


def test_what_the_table_does_not_name_disappears_with_its_folder(tmp_path, table):
    site = tmp_path / "site"
    publish(table, site)
    (site / "old/deep").mkdir(parents=True)
    (site / "old/deep/stale.js").write_text("stale")
    (site / "web/main.js.part").write_text("half")
    publish(table, site)
    assert sorted(content(site)) == sorted(table)
    assert not (site / "old").exists()


def test_the_manifest_comes_last(tmp_path, table, monkeypatch):
    order = []
    monkeypatch.setattr(
        "sitebuild.site.os.replace", lambda part, target: order.append(target.name) or part.rename(target)
    )
    publish({"z.js": b"z", **table}, tmp_path / "site")
    assert order[-1] == "manifest.json" and len(order) == 4
