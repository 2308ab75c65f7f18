from sitebuild.stamps import Stamp, fingerprint


def test_a_fingerprint_sees_content_and_names(tmp_path):
    (tmp_path / "a").write_text("1")
    first = fingerprint(tmp_path)
    assert fingerprint(tmp_path) == first
    (tmp_path / "a").write_text("2")
    second = fingerprint(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    assert len({first, second, fingerprint(tmp_path)}) == 3


def test_a_fingerprint_keeps_its_parts_apart():
    assert fingerprint("ab", "c") != fingerprint("a", "bc")


def test_caches_and_hidden_files_do_not_count(tmp_path):
    before = fingerprint(tmp_path)
    for name in ("__pycache__/a.pyc", ".hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert fingerprint(tmp_path) == before


def test_a_stamp_holds_for_its_mark_only(tmp_path):
    stamp = Stamp(tmp_path / "deep" / "stamp")
    assert not stamp.holds("a")
    stamp.set("a")
    assert stamp.holds("a") and not stamp.holds("b")
    stamp.drop()
    assert not stamp.holds("a")
