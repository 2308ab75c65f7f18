"""The notes of the course, in the order of the article, in one language: {path in the vault: content}."""

import inspect
import re
from importlib import import_module

from seeformer.laboratory import lab_ids
from seeformer.notes.block import kernel_block, lab_block
from seeformer.notes.demo import MODULE
from seeformer.notes.example import kernels
from seeformer.notes.section import fenced, formulas, prose
from sitebuild.labs import text
from sitebuild.vault.pictures import pictures

SECTIONS = {"why": "1", "architecture": "2"}  # of the notes that belong to no lab
BEFORE, AFTER = ("index",), ("kernels", "setup")


def pages() -> list[str]:
    """The notes in their order: those of the labs stand where their SECTION belongs."""
    sections = SECTIONS | {lab: import_module(MODULE.format(lab)).SECTION for lab in lab_ids()}
    numbered = sorted(sections, key=lambda page: [int(part) for part in sections[page].split(".")])
    return [*BEFORE, *numbered, *AFTER]


def course(language: str) -> dict[str, bytes]:
    """All files of a vault."""
    words = text(language)
    files = {}
    for at, page in enumerate(pages()):
        body, assets = _lab(page, words) if page in lab_ids() else ([], {})
        body = [*(PROSE[page](words) if page in PROSE else ()), *body]  # a lab may share its note with prose
        files[f"{title(page, words)}.md"] = _note(page, at, body, words, language).encode()
        files |= assets
    return files


def title(page: str, words: dict) -> str:
    if page in words["labs"]:
        return f"{import_module(MODULE.format(page)).SECTION} {words['labs'][page]['nav']}"
    return words["vault"]["titles"][page]


def link(page: str, words: dict) -> str:
    return f"[[{title(page, words)}]]"


def _note(page, at, body, words, language) -> str:
    """Properties, heading, body, and the way on."""
    head = ["---", f'title: "{title(page, words)}"', f"lang: {language}", "tags:", "  - transformer", "  - seeformer"]
    head += [f"  - seeformer/{page}", "---"]
    around = [None, *pages(), None][at : at + 3 : 2]
    ways = [
        words["vault"][way].format(link(other, words))
        for way, other in zip(("back", "on"), around, strict=True)
        if other
    ]
    parts = ["\n".join(head), f"# {title(page, words)}", *body, "---", " · ".join(ways)]
    return "\n\n".join(parts) + "\n"


def callout(kind: str, heading: str, said: str = "") -> str:
    lines = [f"> [!{kind}] {heading}", *(f"> {line}" for line in said.splitlines())]
    return "\n".join(lines)


def _lab(lab, words):
    """What the page says of a lab; its blocks, each with what it draws."""
    texts, vault = words["labs"][lab], words["vault"]
    module = import_module(MODULE.format(lab))
    body = [callout("abstract", texts["lead"]), *prose(texts), *formulas(lab)]
    assets = {}
    for preset, changed in module.PRESETS.items():
        params = {**_defaults(lab), **texts.get("defaults", {}), **changed}
        code = lab_block(lab, params, words=words)
        body += [f"## {vault['presets'][preset]}", fenced(code)]
        for name, (caption, png) in pictures(lab, params, words).items():
            path = f"assets/{lab}-{preset}-{name}.png"
            assets[path] = png
            body.append(f"![[{path}|{caption}]]")
    body.append(callout("question", vault["question"], texts["note"]["question"]))
    return body, assets


def _defaults(lab):
    run = import_module(f"seeformer.labs.{lab}").run
    return {name: parameter.default for name, parameter in inspect.signature(run).parameters.items()}


def _index(words):
    vault = words["vault"]
    said = vault["entries"] | {lab: texts["lead"] for lab, texts in words["labs"].items()}
    entries = [f"- {link(page, words)}: {said[page]}" for page in pages()[1:]]
    return [
        vault["lead"],
        callout("tip", vault["start"], vault["start_help"].format(link("setup", words))),
        "\n".join(entries),
    ]


def _architecture(words):
    vault = words["vault"]
    said = [vault["architecture"]["lead"], _drawing(vault["architecture"]["boxes"]), vault["architecture"]["parts"]]
    parts = ("positional", "attention", "mask", "norm", "ffn")
    return [*said, "\n".join(f"- {vault['architecture'][part]} {link(part, words)}" for part in parts)]


def _drawing(boxes: dict) -> str:
    """The encoder-decoder of Vaswani et al. 2017, figure 1."""
    lines = [
        "flowchart BT",
        *(f'  {key}["{label}"]' for key, label in boxes.items() if key not in ("encoder", "decoder")),
        f'  subgraph enc["{boxes["encoder"]}"]',
        "    self --> norm1 --> ffn1 --> norm2",
        "  end",
        f'  subgraph dec["{boxes["decoder"]}"]',
        "    masked --> norm3 --> cross --> norm4 --> ffn2 --> norm5",
        "  end",
        "  source --> self",
        "  target --> masked",
        "  norm2 -->|K, V| cross",
        "  norm5 --> head",
    ]
    return "```mermaid\n" + "\n".join(lines) + "\n```"


def _kernels(words):
    """Each public kernel, with the examples of its docstring."""
    vault, body = words["vault"], []
    found = dict.fromkeys(kernel for lab in lab_ids() for kernel in kernels(lab))
    for module, name in found:
        if not re.search("hand_built|sentence", module):  # what the labs build by hand stands in their own notes
            said = words["notes"]["functions"][name]
            body += [f"## `{name}`", said, fenced(kernel_block(module, name, words=words))]
    return [vault["kernels"], *body]


PROSE = {
    "index": _index,
    "why": lambda words: [words["vault"]["why"], callout("info", *words["vault"]["why_info"])],
    "architecture": _architecture,
    "kernels": _kernels,
    "setup": lambda words: [words["vault"]["setup"], callout("warning", *words["vault"]["phones"])],
}
