"""A lab for tests, on a page of its own with a Python of its own: it takes a checkpoint and tells what came of it."""

import json

from sitebuild.paths import ROOT

from .modules import blank_page

RUN = """
import numpy as np

from seeformer import norm
from seeformer.checkpoints import held


def run(*, text="ab", checkpoint="", ids=()):
    if text == "refuse":
        raise ValueError("text='refuse' is refused: use another")
    if not checkpoint:
        return {"logits": np.zeros((1, 1)), "tokens": list(text)}
    mine = held(checkpoint)
    ids = mine.ids("text", ids, most=16)
    return {"logits": mine.model.forward(np.array(ids)), "ids": np.array(ids), "tokens": [mine.names[each] for each in ids]}
"""
WORDS = {
    "title": "Probe",
    "lead": "A lab for tests.",
    "nav": "probe",
    "controls": {"text": {"label": "text"}},
    "note": {},
}
BOOT = """async (source) => {
  const { createEngine } = await load("core/engine/engine.js");
  window.engine = createEngine();
  window.placeProbe = async () => {
    const { error } = await engine.runCell(`
import seeformer.labs, pathlib, importlib
(pathlib.Path(seeformer.labs.__path__[0]) / "probe.py").write_text(${JSON.stringify(source)})
importlib.invalidate_caches()`);
    if (error) throw new Error(error.message);
  };
  engine.boot();
  await placeProbe();
}"""
MOUNT = """async ([source, kernel]) => {
  const { mountLab } = await load("core/lab/lab.js");
  localStorage.clear();
  root.replaceChildren();
  window.hashes = [];
  const params = { text: "ab", checkpoint: "", ids: [] };
  const definition = {
    id: "probe", order: 1, cover: "logits", checkpoint: { families: ["gpt2"], encode: { ids: ({ text }) => text } },
    controls: [{ name: "text", kind: "text", max: 20 }],
    formula: () => [],
    view: () => ({ update: (values, used) => { window.shown = { values, used }; }, pictures: () => [], destroy() {} }),
  };
  const values = { logits: { data: new Float32Array(1), shape: [1, 1] }, tokens: ["a", "b"] };
  const stored = { params, defaults: params, lines: {}, note: "", kernels: [], language: "en", values };
  const sources = [{ module: "seeformer.labs.probe", source }, { module: "seeformer.norm", source: kernel }];
  await new Promise((onLive) => {
    window.probe = mountLab(root, definition, { stored, sources, engine, onChange: (hash) => hashes.push(hash), onLive });
  });
}"""


def probe(page, server):
    """Mounts it as ``[data-lab=probe]``, after a start of Python; ``hashes`` are the addresses that it had."""

    def with_words(route):
        answer = route.fetch()
        words = answer.json()
        words["labs"]["probe"] = WORDS
        route.fulfill(response=answer, body=json.dumps(words))

    page.route("**/web/text/*.json", with_words)
    blank_page(page, server)
    page.evaluate(
        "() => document.head.insertAdjacentHTML('beforeend', '<link rel=stylesheet href=/web/style/lab.css><link rel=stylesheet href=/web/style/note.css>')"
    )
    page.evaluate(BOOT, RUN)
    return mounted(page)


def mounted(page):
    """The lab as it is at first, on the Python that is there."""
    page.evaluate(MOUNT, [RUN, (ROOT / "py/seeformer/norm.py").read_text("utf-8")])
    return page


def shown(page):
    """(logits as a list, tokens, parameter checkpoint)"""
    return page.evaluate(
        "() => [Array.from(shown.values.logits.data), shown.values.tokens, shown.used.checkpoint, shown.values.logits.shape]"
    )
