"""The cache: a file is in it whole and right, or not at all."""

import errno
import hashlib
import io

import pytest

from sitebuild.downloads import Cache, File
from sitebuild.errors import BuildError

CONTENT = b"a wheel, for all we know" * 10_000
GOOD = File("good.whl", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


class Breaks:
    """A source that gives some bytes and then fails."""

    def __init__(self, content, error):
        self.content, self.error = io.BytesIO(content), error

    def read(self, size):
        chunk = self.content.read(size)
        if not chunk:
            raise self.error
        return chunk


def names(cache):
    return sorted(path.name for path in cache.folder.iterdir())


def test_what_is_stored_is_there(cache):
    assert not cache.has(GOOD)
    cache.store(GOOD, io.BytesIO(CONTENT))
    assert cache.has(GOOD) and cache.path(GOOD).read_bytes() == CONTENT
    assert names(cache) == ["good.whl"]


@pytest.mark.parametrize("content", [CONTENT[:-1], CONTENT + b"!", b"", b"X" + CONTENT[1:]])
def test_a_wrong_download_is_refused_and_leaves_nothing(cache, content):
    with pytest.raises(BuildError, match=r"good\.whl is not the file that lock\.json names") as caught:
        cache.store(GOOD, io.BytesIO(content))
    assert f"{len(content)} of {len(CONTENT)} bytes" in caught.value.message
    assert "run the command again" in caught.value.remedy
    assert names(cache) == [] and not cache.has(GOOD)


def test_an_interrupted_download_leaves_nothing(cache):
    with pytest.raises(KeyboardInterrupt):
        cache.store(GOOD, Breaks(CONTENT[:70_000], KeyboardInterrupt()))
    assert names(cache) == []


def test_a_full_disk_leaves_nothing(cache):
    with pytest.raises(OSError, match="No space"):
        cache.store(GOOD, Breaks(CONTENT[:70_000], OSError(errno.ENOSPC, "No space left on device")))
    assert names(cache) == []


def test_a_download_cut_off_by_a_power_failure_is_not_taken_for_whole(cache):
    """Only a file with its final name counts: what a killed process left behind has another."""
    cache.folder.mkdir()
    (cache.folder / "good.whl.abc123.part").write_bytes(CONTENT)
    assert not cache.has(GOOD)


def test_a_damaged_file_is_deleted_on_sight(cache, capsys):
    cache.store(GOOD, io.BytesIO(CONTENT))
    cache.path(GOOD).write_bytes(CONTENT[:-1] + b"?")
    assert not cache.has(GOOD)
    assert names(cache) == []
    assert "good.whl in the cache was damaged: deleted" in capsys.readouterr().out
