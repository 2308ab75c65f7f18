"""The vaults as Obsidian opens them: links lead somewhere, pictures are there, and nothing of the reader's is lost."""

import io
import json
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from markdown_it import MarkdownIt
from PIL import Image
from support.note_blocks import python_blocks

from sitebuild import cli
from sitebuild.errors import BuildError
from sitebuild.labs import labs, languages, text
from sitebuild.vault.course import pages, title
from sitebuild.vault.deliver import LEDGER, deliver
from sitebuild.vault.pack import vaults, zipped
from sitebuild.vault.picture import FONT, picture

EACH = pytest.mark.parametrize("language", languages())


@pytest.fixture(scope="module")
def made():
    return vaults()


def notes(files):
    return {path: content.decode() for path, content in files.items() if path.endswith(".md")}


def links(note: str) -> set[str]:
    """[[notes]] outside of code, pictures left out."""
    return set(re.findall(r"(?<!!)\[\[([^\]|]+)", re.sub(r"^```.*?^```$", "", note, flags=re.DOTALL | re.MULTILINE)))


def properties(note: str) -> dict:
    """The YAML at the head, in the few forms that the writer uses; anything else fails."""
    head = re.fullmatch(r"---\n(.*?)\n---\n.*", note, re.DOTALL)[1]
    found, key = {}, None
    for line in head.split("\n"):
        if item := re.fullmatch(r"  - ([\w/-]+)", line):
            found[key].append(item[1])
        elif listed := re.fullmatch(r"(\w+):", line):
            key = listed[1]
            found[key] = []
        else:
            key, value = re.fullmatch(r"(\w+): (.+)", line).groups()
            found[key] = json.loads(value) if value.startswith('"') else value
    return found


@EACH
def test_every_link_leads_to_a_note_and_every_note_is_linked(made, language):
    titles = {path.removesuffix(".md") for path in notes(made[language])}
    index = text(language)["vault"]["titles"]["index"]
    linked = {path: links(note) for path, note in notes(made[language]).items()}
    assert set().union(*linked.values()) <= titles
    assert linked[f"{index}.md"] == titles - {index}


@EACH
def test_every_note_has_a_name_that_every_file_system_and_a_link_can_hold(made, language):
    for path in notes(made[language]):
        assert not set(path) & set('*"\\/<>:|?#^[]') and path.removesuffix(".md").strip(" .") + ".md" == path


@EACH
def test_every_picture_that_a_note_shows_is_there_and_every_picture_is_shown(made, language):
    shown = re.findall(r"!\[\[([^\]|]+)", "".join(notes(made[language]).values()))
    assets = [path for path in made[language] if path.startswith("assets/")]
    assert sorted(shown) == sorted(assets)
    assert len(assets) >= 30
    for path in assets:
        image = Image.open(io.BytesIO(made[language][path]))
        assert len(image.getcolors(image.width * image.height)) > 10, path


@EACH
def test_properties_and_tags(made, language):
    for path, note in notes(made[language]).items():
        found = properties(note)
        assert found["title"] == path.removesuffix(".md")
        assert found["lang"] == language
        assert {"transformer", "seeformer"} < set(found["tags"])


@EACH
def test_markdown_is_whole(made, language):
    for path, note in notes(made[language]).items():
        body = note.split("\n---\n", 1)[1]
        tokens = MarkdownIt("commonmark").parse(body)
        fences = [token for token in tokens if token.type == "fence"]
        assert {token.info for token in fences} <= {"python", "mermaid"}, path
        assert not [token for token in tokens if token.type in ("html_block", "code_block")], path
        assert body.count("```") == 2 * len(fences), path
        assert body.count("$$") % 2 == 0, path
        assert [token.tag for token in tokens if token.type == "heading_open"][0] == "h1", path


@EACH
def test_every_lab_and_every_kernel_is_in_the_course(made, language):
    words, files = text(language), notes(made[language])
    for lab in labs():
        note = files[f"{title(lab, words)}.md"]
        assert words["labs"][lab]["lead"] in note
        assert len(python_blocks(note)) >= 1
        assert "$$" in note
    assert len(python_blocks(files[f"{words['vault']['titles']['kernels']}.md"])) > 20
    assert "```mermaid" in files[f"{words['vault']['titles']['architecture']}.md"]


@EACH
def test_file_names_are_good_everywhere(made, language):
    for path in made[language]:
        assert not re.search(r'[\\:*?"<>|#^\[\]]', path), path


def test_a_picture_shows_values_labels_and_what_is_no_number():
    array = np.array([[0.0, 1.0], [-np.inf, np.nan]])
    sheet = np.asarray(Image.open(io.BytesIO(picture(array, ["猫", "狗"], ["猫", "狗"], "权重"))))
    colours = {tuple(map(int, colour)) for colour in np.unique(sheet.reshape(-1, 3), axis=0)}
    assert {(68, 1, 84), (253, 231, 37), (255, 0, 255), (255, 255, 255), (185, 185, 185)} <= colours
    blank = np.asarray(Image.open(io.BytesIO(picture(array))))
    assert sheet.shape[1] > blank.shape[1]  # labels take room
    signed = np.asarray(Image.open(io.BytesIO(picture(np.array([[-1.0, 0.0, 1.0]])))))
    assert {(5, 48, 97), (103, 0, 31)} <= {tuple(map(int, pixel)) for pixel in np.unique(signed.reshape(-1, 3), axis=0)}


@EACH
def test_the_font_has_every_sign_of_the_labels(made, language):
    from PIL import ImageFont

    font = ImageFont.truetype(FONT, 20)
    captions = "".join(re.findall(r"!\[\[[^|]+\|([^\]]+)", "".join(notes(made[language]).values())))
    tokens = "".join(
        sum(
            (
                words["defaults"]["tokens"]
                for words in text(language)["labs"].values()
                if words.get("defaults", {}).get("tokens")
            ),
            [],
        )
    )
    missing = bytes(font.getmask("\U0010ffff"))
    for sign in set(captions + tokens) - set(" "):
        assert bytes(font.getmask(sign)) != missing, sign


FILES = {"a.md": b"one", "b.md": b"two", "assets/p.png": b"three"}


def test_a_vault_is_renewed_where_the_reader_has_changed_nothing(tmp_path):
    assert deliver(FILES, tmp_path).written == list(FILES)
    assert deliver(FILES, tmp_path).unchanged == list(FILES)
    newer = FILES | {"b.md": b"newer"}
    assert deliver(newer, tmp_path).written == ["b.md"]
    assert (tmp_path / "b.md").read_bytes() == b"newer"


NEWER = FILES | {"a.md": b"newer ![[assets/p.png|p]]", "b.md": b"newer", "assets/p.png": b"newer"}


def test_a_note_that_the_reader_changed_is_never_written_over(tmp_path):
    deliver(FILES, tmp_path)
    (tmp_path / "a.md").write_text("mine")
    with pytest.raises(BuildError, match=r"holds notes of yours that would be written over: a.md") as refused:
        deliver(NEWER, tmp_path)
    assert "--merge" in str(refused.value)
    assert (tmp_path / "a.md").read_text() == "mine"
    assert (tmp_path / "b.md").read_bytes() == b"two"  # all or nothing


def test_where_there_is_nothing_newer_the_reader_s_note_is_no_conflict(tmp_path):
    deliver(FILES, tmp_path)
    (tmp_path / "a.md").write_text("mine")
    for merge in (False, True):
        done = deliver(FILES, tmp_path, merge=merge)
        assert (done.kept, done.beside, done.written) == (["a.md"], {}, [])
    assert sorted(path.name for path in tmp_path.glob("*.md")) == ["a.md", "b.md"]


def test_merge_writes_beside_once_for_each_version(tmp_path):
    deliver(FILES, tmp_path)
    (tmp_path / "a.md").write_text("mine")
    assert deliver(NEWER, tmp_path, merge=True).beside == {"a.md": "a (seeformer).md"}
    assert (tmp_path / "a.md").read_text() == "mine"
    assert (tmp_path / "a (seeformer).md").read_bytes() == NEWER["a.md"]
    assert deliver(NEWER, tmp_path, merge=True).kept == ["a.md"]
    (tmp_path / "a (seeformer).md").write_text("mine too")
    newest = NEWER | {"a.md": b"newest"}
    assert deliver(newest, tmp_path, merge=True).beside == {"a.md": "a (seeformer 2).md"}
    assert (tmp_path / "a (seeformer).md").read_text() == "mine too"


def test_a_note_beside_shows_the_picture_beside(tmp_path):
    (tmp_path / "assets").mkdir()
    for path in ("a.md", "assets/p.png"):
        (tmp_path / path).write_text("mine")
    deliver(NEWER, tmp_path, merge=True)
    assert (tmp_path / "a (seeformer).md").read_bytes() == b"newer ![[assets/p (seeformer).png|p]]"
    assert (tmp_path / "assets/p (seeformer).png").read_bytes() == b"newer"


def test_files_that_were_there_before_or_whose_ledger_is_gone_are_the_reader_s(tmp_path):
    (tmp_path / "a.md").write_text("older than any vault")
    with pytest.raises(BuildError, match=r"a\.md"):
        deliver(FILES, tmp_path)
    (tmp_path / "a.md").unlink()
    deliver(FILES, tmp_path)
    (tmp_path / LEDGER).write_text("not JSON")
    assert deliver(FILES, tmp_path).unchanged == list(FILES)
    (tmp_path / LEDGER).unlink()
    with pytest.raises(BuildError, match=r"b\.md"):
        deliver(NEWER, tmp_path)


def test_a_deleted_note_comes_back_and_what_is_no_folder_is_refused(tmp_path):
    deliver(FILES, tmp_path)
    (tmp_path / "a.md").unlink()
    assert deliver(FILES, tmp_path).written == ["a.md"]
    (tmp_path / "file").write_text("")
    with pytest.raises(BuildError, match="is a file"):
        deliver(FILES, tmp_path / "file")
    (tmp_path / "b.md").unlink()
    (tmp_path / "b.md").mkdir()
    with pytest.raises(BuildError, match="is a folder"):
        deliver(FILES, tmp_path)


def test_the_command_makes_both_vaults_or_one(tmp_path, capsys, made):
    assert cli.main(["vault", "--out", str(tmp_path / "both")]) == 0
    for language in languages():
        written = {
            path.relative_to(tmp_path / "both" / language).as_posix()
            for path in (tmp_path / "both" / language).rglob("*.*")
        }
        assert written == {*made[language], LEDGER}
    assert cli.main(["vault", "--lang", "zh", "--out", str(tmp_path / "one")]) == 0
    some = next(path for path in (tmp_path / "one").glob("*.md"))
    some.write_text("mine")
    (tmp_path / "one" / LEDGER).unlink()  # as if the course had changed since
    assert cli.main(["vault", "--lang", "zh", "--out", str(tmp_path / "one")]) == 1
    assert "--merge" in capsys.readouterr().err
    assert cli.main(["vault", "--lang", "zh", "--out", str(tmp_path / "one"), "--merge"]) == 0
    assert "is yours and stays" in capsys.readouterr().out
    assert some.read_text() == "mine"


@EACH
def test_the_zip_holds_the_same_vault_and_is_the_same_each_time(made, language):
    packed = zipped(made[language], "seeformer")
    assert packed == zipped(dict(reversed(made[language].items())), "seeformer")
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert {name.removeprefix("seeformer/"): archive.read(name) for name in archive.namelist()} == made[language]


def test_the_site_carries_the_zips(site):
    for language in languages():
        assert zipfile.is_zipfile(Path(site, "downloads", f"seeformer-vault-{language}.zip"))


def test_notes_stand_in_the_order_of_their_numbers():
    titles = [title(page, text("en")) for page in pages()]
    numbered = [[int(part) for part in found[0].split(".")] for each in titles if (found := re.match(r"[\d.]+", each))]
    assert numbered == sorted(numbered) and {(1,), (2,), (3,)} <= {tuple(each) for each in numbered}
