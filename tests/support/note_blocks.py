"""The Python blocks of a folder of notes: fences tagged `python`, which is all that Code Emitter registers."""

from pathlib import Path

from markdown_it import MarkdownIt


def python_blocks(text: str) -> list[str]:
    tokens = MarkdownIt("commonmark").parse(text)
    return [token.content for token in tokens if token.type == "fence" and token.info.strip() == "python"]


def blocks_of_notes(folder: Path) -> dict[str, list[str]]:
    """{note's path in the folder: its blocks}, of the notes that have some."""
    notes = {path: python_blocks(path.read_text("utf-8")) for path in sorted(folder.rglob("*.md"))}
    return {path.relative_to(folder).as_posix(): blocks for path, blocks in notes.items() if blocks}
