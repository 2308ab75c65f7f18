"""Names in index.html every module that the page starts with: all are fetched at once, not one import after another."""

import posixpath
import re
from pathlib import Path

IMPORT = re.compile(r'^(?:(?:import|export)\b[^;"\'=(]*?\bfrom|import) "(\.[^"]+)"', re.MULTILINE)
PLACE = '  <script type="module"'


def with_preloads(index: str, table: dict[str, Path | bytes], entries: list[str]) -> str:
    """index.html with a modulepreload for each module that `entries`, paths in `table`, import statically."""
    links = [f'  <link rel="modulepreload" href="{path}">\n' for path in static_imports(table, entries)]
    head, script, rest = index.partition(PLACE)
    return head + "".join(links) + script + rest


def static_imports(table: dict[str, Path | bytes], entries: list[str]) -> list[str]:
    found = list(entries)
    for path in found:  # grows on the way
        content = table[path]
        text = content.decode() if isinstance(content, bytes) else content.read_text(encoding="utf-8")
        if "/vendor/" in path:
            continue  # bundled: imports nothing
        beside = [posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) for name in IMPORT.findall(text)]
        found += [each for each in dict.fromkeys(beside) if each not in found]
    return found
