"""page/: what a reader loads together in one file, from the modules and styles of web/, by esbuild.

A hundred small files cost a browser a third of a second even from this machine. The modules stay beside it as they are:
tests load them one by one. What is imported later (import()) stays apart. Nothing is made unreadable.
"""

import json
import re
import shutil
from pathlib import Path

from .command import run
from .node import find_node
from .paths import NODE_MODULES, WORK
from .stamps import Stamp, fingerprint

ENTRIES = ["early", "main", "worker"]
STYLE = re.compile(r'  <link rel="stylesheet" href="([^"]+)">\n')


def page_bundle(table: dict[str, Path | bytes], index: str) -> dict[str, Path | bytes]:
    """The files of page/, and index.html with them in the place of web/'s. `table` has all files of web/."""
    styles = STYLE.findall(index)
    made, outputs = _bundled({path: content for path, content in table.items() if path.endswith((".js", ".mjs"))})
    first, *rest = (f'  <link rel="stylesheet" href="{path}">\n' for path in styles)
    index = index.replace(first, '  <link rel="stylesheet" href="page/style.css">\n')
    for link in rest:
        index = index.replace(link, "")
    index = re.sub(r'src="web/(early|main)\.js"', r'src="page/\1.js"', index)
    links = [f'  <link rel="modulepreload" href="page/{name}">\n' for name in _wanted_at_once(outputs)]
    head, script, body = index.partition('  <script type="module"')
    files: dict[str, Path | bytes] = {f"page/{path.name}": path for path in made}
    files["page/style.css"] = "\n".join(_text(table[path]) for path in styles).encode()
    return files | {"index.html": (head + "".join(links) + script + body).encode()}


def _bundled(modules: dict[str, Path | bytes]) -> tuple[list[Path], dict]:
    source, out, meta = WORK / "page-source", WORK / "page", WORK / "page.json"
    shutil.rmtree(source, ignore_errors=True)
    for path, content in modules.items():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text(_text(content), encoding="utf-8")
    mark = fingerprint(source, Path(__file__), NODE_MODULES / "esbuild" / "package.json")
    stamp = Stamp(WORK / "page.stamp")
    if not (stamp.holds(mark) and meta.exists()):
        stamp.drop()
        shutil.rmtree(out, ignore_errors=True)
        entries = [source / "web" / f"{name}.js" for name in ENTRIES]
        run(
            [find_node().node, NODE_MODULES / "esbuild" / "bin" / "esbuild", *entries, "--bundle", "--splitting",
             "--format=esm", "--target=es2022", "--charset=utf8",
             "--entry-names=[name]", "--chunk-names=[name]-[hash]", f"--outdir={out}", f"--metafile={meta}",
             "--log-level=warning"],
            name="page",
            doing="putting the page's modules together",
            remedy="mend the module that esbuild names above",
            cwd=WORK,
            show_output=True,
        )  # fmt: skip
        stamp.set(mark)
    outputs = json.loads(meta.read_text(encoding="utf-8"))["outputs"]
    return sorted(out.glob("*.js")), {Path(path).name: told for path, told in outputs.items()}


def _wanted_at_once(outputs: dict) -> list[str]:
    """What the page imports before it does anything, so that all is fetched at once."""
    found = ["early.js", "main.js"]
    for name in found:  # grows on the way
        imports = [Path(each["path"]).name for each in outputs[name]["imports"] if each["kind"] == "import-statement"]
        found += [each for each in dict.fromkeys(imports) if each not in found]
    return found


def _text(content: Path | bytes) -> str:
    return content.decode() if isinstance(content, bytes) else content.read_text(encoding="utf-8")
