"""The list of labs: a lab is there when its two files are; nobody writes it down."""

import json
import re
from pathlib import Path

from .errors import BuildError
from .paths import PY, WEB

PYTHON_LABS = PY / "seeformer" / "labs"
PAGE_LABS = WEB / "labs"
TEXTS = WEB / "text"


def python_labs() -> list[str]:
    """Files with a `run`: what a lab keeps in a file beside it (matrices, words) is not a lab."""
    return _stems_with(PYTHON_LABS, "*.py", r"^def run\(")


def page_labs() -> list[str]:
    return _stems_with(PAGE_LABS, "*.js", r"^export default\b")


def _stems_with(folder: Path, pattern: str, sign: str) -> list[str]:
    files = folder.glob(pattern)
    return sorted(path.stem for path in files if re.search(sign, path.read_text(encoding="utf-8"), re.MULTILINE))


def labs() -> list[str]:
    """Ids of all labs, sorted. A half one is an error: see DESIGN, "Adding a lab"."""
    python, page = set(python_labs()), set(page_labs())
    for lab in sorted(python ^ page):
        missing = (
            f"py/seeformer/labs/{lab}.py with a run()" if lab in page else f"web/labs/{lab}.js with a default export"
        )
        raise BuildError(f"lab {lab} is half there: no {missing}", "add that file, or remove the other")
    return sorted(python)


def index_module(version: str, wheel: str) -> str:
    """web/labs/index.js of the built site: what the page knows before it has fetched anything, labs in their order."""
    lines = [f'  {property_name(lab)}: () => import("./{lab}.js"),' for lab in in_order()]
    head = [
        "// Written by build.py from the files in this folder.",
        f"export const version = {json.dumps(version)};",
        f"export const wheel = {json.dumps(wheel)};",
    ]
    return "\n".join([*head, "export const labs = {", *lines, "};", ""])


def in_order() -> list[str]:
    return sorted(labs(), key=_order)


def _order(lab: str) -> tuple[float, str]:
    """Where it stands on the page: the `order` that it exports."""
    found = re.search(
        r"^export default .*\border: (\d+)", (PAGE_LABS / f"{lab}.js").read_text(encoding="utf-8"), re.MULTILINE
    )
    return (float(found[1]) if found else float("inf")), lab


def property_name(lab: str) -> str:
    return lab if re.fullmatch(r"[A-Za-z_]\w*", lab) else json.dumps(lab)


def languages() -> list[str]:
    return sorted(path.stem for path in TEXTS.glob("*.json"))


def text(language: str) -> dict:
    path = TEXTS / f"{language}.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BuildError(f"web/text/{path.name} is not JSON: {error}", "mend that line") from None
