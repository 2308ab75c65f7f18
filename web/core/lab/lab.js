// One lab on the page: parameters in, pictures out. It owns the parameters, asks the engine for the newest of them, and tells
// its parts (controls, formula, view, code face, note face) what came back. No lab's name appears here.
import { fromRaw, same, toHash } from "./address.js";
import { createCheckpoint } from "../checkpoint/checkpoint.js";
import { createCodeFace } from "./code-face.js";
import { createControls } from "./controls.js";
import { createFrame } from "./lab-frame.js";
import { latest } from "./latest.js";
import { createNoteFace } from "./note-face.js";
import { onLanguage } from "../text.js";

export function mountLab(parent, definition, { stored, sources, engine, tryCode, raw, onChange, onLive }) {
  const lab = definition.id;
  const { defaults } = stored;
  // {name: value} that a press on Run asks for, and nothing else: no slider, no address, no start of the page.
  const { pressed = {} } = definition;
  const unpressed = Object.fromEntries(Object.keys(pressed).map((name) => [name, defaults[name]]));
  let params = { ...stored.params };
  /** What an address or a note can say: not the reader's own files. */
  const shareable = () => ("checkpoint" in params ? { ...params, checkpoint: defaults.checkpoint } : params);
  let shown = null; // what the pictures show: {values, lines, params}

  const frame = createFrame(parent, definition, {
    run: () => compute(pressed),
    stop: () => engine.stop(),
    restore() {
      frame.unknown([]);
      change({ ...defaults, ...stored.params, ...loaded() });
    },
    apply: (action) => change(action.apply(params)),
    face(face) {
      code.visible(face === "code");
      note.visible(face === "note");
    },
  });
  const controls = createControls(frame.controls, definition.controls, { lab, onChange: change });
  const checkpoint = definition.checkpoint && createCheckpoint(frame.element, definition.checkpoint, { lab, engine, onChange: (name) => change({ checkpoint: name }) });
  if (checkpoint) frame.belowControls(checkpoint.element);
  const loaded = () => (checkpoint ? { checkpoint: params.checkpoint } : {});
  const asked = (wanted = params) => ({ ...wanted, ...checkpoint?.encoded(wanted) });
  const code = createCodeFace(frame.code, { lab, sources, onRun: () => compute(), onEdit: tellEdited });
  const note = createNoteFace(frame.note, { lab, cover: definition.cover, engine, stored, tryCode, address: () => toHash(lab, shareable(), defaults), params: shareable, archive: () => engine.archive(lab, asked(), { edits: code.edits() }) });
  const view = definition.view(frame.see, {
    change,
    hover: (name) => code.light(name === null ? null : shown?.lines?.[name]),
    showCode: (name) => (frame.show("code"), code.go(shown?.lines?.[name])),
  });

  function tellEdited() {
    frame.edited(code.isEdited());
    note.edited(code.isEdited());
  }

  function showParams() {
    controls.set(params);
    frame.params(params);
    note.brought(Boolean(params.checkpoint));
  }

  function change(patch) {
    params = { ...params, ...patch };
    showParams();
    onChange(toHash(lab, shareable(), defaults));
    note.changed();
    return compute();
  }

  function draw({ values, params: used }) {
    frame.formula(definition.formula(values, used));
    view.update(values, used);
    note.pictures(view.pictures());
  }

  function paint(result, source) {
    shown = result;
    draw(result);
    frame.source(source, { matches: same(result.params, params), edited: code.isEdited(), ms: result.ms });
  }

  // A start of Python that failed refuses every call; when a Retry succeeds, the lab asks again by itself.
  let waitsForPython = false;
  engine.on("stage", ({ id }) => id === "ready" && waitsForPython && compute());

  const ask = latest(async (superseded, wanted) => {
    try {
      const edits = code.edits();
      const onUpdate = (update) => paint({ ...update, params: wanted }, "live");
      const result = await engine.call(lab, asked(wanted), { edits, onUpdate, onState: frame.progress });
      refuse(null);
      paint({ ...result, params: wanted }, "live");
      if (!superseded()) rest("ready");
      onLive();
    } catch (error) {
      waitsForPython = Boolean(error.stage);
      if (superseded()) return;
      refuse(waitsForPython ? null : error); // the head of the page tells of a start that failed
      rest("error", { waitsForPython });
      if (!waitsForPython) onLive();
    }
  });

  function rest(...state) {
    frame.state(...state);
    note.refresh(); // after the pictures, which come first
  }

  /** The reader's input and the last pictures stay; the message stands where the remedy is. */
  function refuse(error) {
    const atControl = controls.setError(error?.message);
    code.setError(error);
    frame.error(error && !atControl ? error : null);
  }

  function compute(more = {}) {
    frame.state(shown && frame.isLive() ? "busy" : "loading");
    return ask({ ...params, ...more });
  }

  /** Takes over what an address carries: its own values, run()'s defaults for the rest. */
  function adopt(address) {
    const { params: next, unknown } = fromRaw(address, defaults);
    params = { ...next, ...unpressed, ...loaded() };
    frame.unknown(unknown);
  }

  if (raw) adopt(raw);
  showParams();
  frame.show("see");
  tellEdited();
  paint(stored, "precomputed");
  onLanguage(() => draw(shown));
  compute();
  return { id: lab, set: (address) => (adopt(address), change({})) };
}
