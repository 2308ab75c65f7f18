"""Runs every lab once at its defaults, so that the page has pictures before Python has started.

    python -m sitebuild.precompute FOLDER LANGUAGES LAB...

Started by build.py with the venv's Python, which has the page's own NumPy. The numbers go through the same
`packing` as a live result, so the page reads both in one way.
"""

import inspect
import json
import sys
import traceback
from importlib import import_module
from pathlib import Path

from sitebuild.labs import text


def main(folder: str, languages: str, *labs: str) -> int:
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for lab in labs:
        try:
            _sources(lab, out)
            for language in languages.split(","):
                _result(lab, language, out)
        except Exception:
            traceback.print_exc()
            print(f"error: lab {lab} does not run at its defaults", file=sys.stderr)
            return 1
    return 0


def _sources(lab: str, out: Path) -> None:
    from seeformer.sources import sources

    _write_json(out / f"{lab}.sources.json", sources(lab))


def _result(lab: str, language: str, out: Path) -> None:
    from seeformer.packing import pack
    from seeformer.trace import trace

    run = import_module(f"seeformer.labs.{lab}").run
    defaults = {name: parameter.default for name, parameter in inspect.signature(run).parameters.items()}
    params = {**defaults, **text(language).get("labs", {}).get(lab, {}).get("defaults", {})}
    with trace() as record:
        result = run(**params)
        if inspect.isgenerator(result):
            *_, result = result
    meta, buffer = pack(result)
    lines = {name: list(place) for name, place in record.lines.items()}
    head = {"lab": lab, "params": params, "defaults": defaults, "meta": meta, "lines": lines}
    _write_json(out / f"{lab}.{language}.json", head | _note(lab, params, language))
    (out / f"{lab}.{language}.bin").write_bytes(buffer.astype("<f4", copy=False).tobytes())


def _note(lab: str, params: dict, language: str) -> dict:
    """What the Note face has before Python runs: the block of these parameters, and which kernels it can offer."""
    from seeformer.notes.block import lab_block
    from seeformer.notes.example import kernels

    block = lab_block(lab, params, words=text(language))
    return {"note": block, "kernels": [".".join(kernel) for kernel in kernels(lab)]}


def _write_json(path: Path, value) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
