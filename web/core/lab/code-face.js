// The Code face: the source of the lab's run() and of every kernel it uses. What the reader typed takes effect at Run, for this
// lab alone; it is kept across a reload, and Restore brings the original back.
import { h, say } from "../dom.js";
import { loadEditor } from "../editor/load-editor.js";
import { read, write } from "../storage.js";

const shortName = (module) => `${module.replace(/^seeformer\./, "").replaceAll(".", "/")}.py`;

export function createCodeFace(parent, { lab, sources, onRun, onEdit }) {
  const original = Object.fromEntries(sources.map(({ module, source }) => [module, source]));
  const key = `edits:${lab}`;
  const kept = Object.entries(read(key) ?? {}).filter(([module]) => module in original);
  let applied = Object.fromEntries(kept);
  const drafts = { ...original, ...applied };
  const editors = {};
  let createEditor = null;
  let open = null;
  let visible = false;
  const editorIsThere = async () => { createEditor ??= await loadEditor(); };

  const tabs = Object.fromEntries(sources.map(({ module }) => [module,
    h("button", { type: "button", dataset: { module }, on: { click: () => show(module) } }, shortName(module))]));
  const pane = h("div", { class: "code-pane" });
  const run = h("button", { type: "button", class: "button main", text: ["code.run"], on: { click: apply } });
  const restore = h("button", { type: "button", class: "button", text: ["code.restore"], on: { click: restoreAll } });
  const state = h("span", { class: "code-state", role: "status" });
  parent.append(
    h("p", { class: "code-lead", text: ["code.lead"] }),
    h("div", { class: "code-tabs", role: "group", label: ["code.files"] }, Object.values(tabs)),
    pane, h("div", { class: "code-actions" }, run, restore, state));

  const edited = (module) => drafts[module] !== original[module];
  const changes = () => Object.fromEntries(Object.keys(original).filter(edited).map((module) => [module, drafts[module]]));
  const pending = () => JSON.stringify(changes()) !== JSON.stringify(applied);

  function tell() {
    for (const [module, tab] of Object.entries(tabs)) tab.toggleAttribute("data-edited", edited(module));
    restore.disabled = !Object.keys(original).some(edited);
    say(state, "text", pending() ? "code.pending" : Object.keys(applied).length ? "code.applied" : "code.original");
  }

  function apply() {
    applied = changes();
    write(key, Object.keys(applied).length ? applied : null);
    tell();
    onEdit();
    onRun();
  }

  function restoreAll() {
    for (const module of Object.keys(original).filter(edited)) {
      drafts[module] = original[module];
      editors[module]?.set(original[module]);
    }
    apply();
  }

  function editorOf(module) {
    if (!editors[module]) {
      const holder = h("div", { class: "code-editor", dataset: { module } });
      pane.append(holder);
      editors[module] = createEditor(holder, {
        doc: drafts[module], label: ["code.editor", { file: shortName(module) }], onRun: apply,
        onChange: (text) => ((drafts[module] = text), tell()),
      });
      editors[module].holder = holder;
    }
    return editors[module];
  }

  function show(module) {
    open = module;
    if (!visible) return;
    if (!createEditor) return editorIsThere().then(() => show(open));
    editorOf(module);
    for (const [name, editor] of Object.entries(editors)) editor.holder.hidden = name !== module;
    for (const [name, tab] of Object.entries(tabs)) tab.setAttribute("aria-pressed", String(name === module));
  }

  tell();
  return {
    edits: () => applied,
    isEdited: () => Object.keys(applied).length > 0,
    visible(now) {
      visible = now;
      if (now) show(open ?? sources[0].module);
    },
    /** Lights the line that made a value; [module, line] as the trace recorded it, null for none. */
    light(place) {
      if (!visible) return;
      if (place && !pane.contains(document.activeElement)) show(place[0]);
      for (const [module, editor] of Object.entries(editors)) editor.lightLine(place?.[0] === module ? place[1] : null);
    },
    async go(place) {
      if (!place) return;
      await editorIsThere();
      show(place[0]);
      editorOf(place[0]).lightLine(place[1]);
    },
    setError(error) {
      for (const editor of Object.values(editors)) editor.setErrors([]);
      if (error && Object.keys(applied).length) say(state, "text", "code.failed");
      else tell();
      if (!error?.module || !(error.module in original) || !(error.module in applied)) return;
      show(error.module);
      editors[error.module]?.setErrors([{ line: error.line, message: `${error.type}: ${error.message}` }]);
    },
  };
}
