// One code cell: a bar, an editor, what the run gave. It knows the engine, and nothing of the other cells.
import { h, say } from "../dom.js";
import { createEditor } from "../editor/editor.js";
import { pasteCleaning } from "../editor/editor-paste.js";
import { createOutput } from "./output.js";

const ACTIONS = ["above", "below", "up", "down", "clear", "delete"];

/** "0.32 s", "12 ms" as a text key with its value */
const duration = (ms) => (ms < 1000 ? ["cells.ms", { n: Math.round(ms) }] : ["cells.s", { n: (ms / 1000).toFixed(ms < 10_000 ? 2 : 1) }]);

/**
 * createCell({id, source, engine, ...}) -> the cell
 *
 * onChange()        the text changed
 * onRun(next)       the reader wants it run; next: and go on to the next cell
 * onCancel()        ... stopped, or called back while it waits
 * onAction(name)    one of above, below, up, down, clear, delete
 * whyWaiting()      text key that says what a waiting cell waits for
 * nextCount()       the number of the run that begins
 * onEnd(outcome, duration)
 */
export function createCell({ id, source, engine, onChange, onRun, onCancel, onAction, whyWaiting, nextCount, onEnd }) {
  const count = h("span", { class: "cell-count", text: ["cells.not_run"] });
  const run = h("button", { type: "button", class: "button cell-run", on: { click: () => (active() ? onCancel() : onRun(false)) } });
  const status = h("span", { class: "cell-status" });
  const actions = Object.fromEntries(ACTIONS.map((name) => [name, h("button", {
    type: "button", class: "cell-action", dataset: { action: name }, label: [`cells.${name}`], title: [`cells.${name}`],
    on: { click: () => onAction(name) },
  })]));
  const notice = h("p", { class: "cell-notice", role: "status", hidden: true });
  const body = h("div", { class: "cell-editor" });
  const element = h("article", { class: "cell", dataset: { cell: id } },
    h("div", { class: "cell-bar" }, run, count, status, h("span", { class: "cell-actions" }, Object.values(actions))), body, notice);
  const editor = createEditor(body, {
    doc: source,
    label: ["editor.label"],
    onChange,
    onRun: () => onRun(false),
    onRunNext: () => onRun(true),
    extensions: [pasteCleaning(tellCleaned)],
  });
  const output = createOutput(element, { onLine: editor.goTo });
  let state, n, began, ticking, cancelled;

  const active = () => state === "queued" || state === "running";
  function enter(next, ...words) {
    state = element.dataset.state = next;
    say(run, "text", state === "running" ? "cells.stop" : state === "queued" ? "cells.call_back" : "cells.run");
    status.hidden = !words.length;
    if (words.length) say(status, "text", ...words);
  }
  enter("idle");

  function tellCleaned(cleaned) {
    notice.hidden = !cleaned;
    notice.replaceChildren(...(cleaned ? [
      h("span", { text: [`cells.cleaned.${cleaned.what}`] }), " ",
      h("button", { type: "button", class: "button bare", on: { click: cleaned.undo }, text: ["cells.undo"] }),
    ] : []));
  }

  function begin() {
    if (cancelled) engine.stop();
    if (cancelled || state === "running") return;
    began = performance.now();
    say(count, "text", "cells.count", { n });
    enter("running", "cells.running");
    ticking = setInterval(() => say(status, "text", "cells.running_for", { n: Math.round((performance.now() - began) / 1000) }), 1000);
  }

  function end(error) {
    clearInterval(ticking);
    output.finish();
    if (cancelled) {
      enter("idle");
      return "stopped";
    }
    const outcome = !error ? "done" : error.type === "Stopped" ? "stopped" : "error";
    const took = duration(performance.now() - (began ?? performance.now()));
    if (outcome === "error") {
      output.error(error);
      if (error.line) editor.setErrors([{ line: error.line, message: `${error.type}: ${error.message}` }]);
    }
    enter(outcome, ...(outcome === "done" ? took : [`cells.${outcome}`]));
    onEnd(outcome, took);
    return outcome;
  }

  const cell = {
    id, element, editor,
    actions,
    number(n) { say(element, "label", "cells.cell", { n }); },
    forgetCount() { say(count, "text", "cells.not_run"); },
    clear() {
      output.clear();
      editor.setErrors([]);
      if (!active()) enter("idle");
    },
    // for the run queue
    wait() { enter("queued", whyWaiting()); },
    waitReason() { if (state === "queued" && !cancelled) say(status, "text", whyWaiting()); },
    calledBack() { enter("idle"); },
    async execute() {
      cancelled = false;
      began = undefined;
      n = nextCount();
      output.clear();
      editor.setErrors([]);
      enter("queued", whyWaiting());
      try {
        const onState = (next) => { if (next === "running") begin(); else cell.waitReason(); };
        const onOutput = (event) => { if (!cancelled) output.add(event); };
        // tracebacks name a cell by the number in its bar, and an earlier run of it by the earlier number
        const { error } = await engine.runCell(editor.get(), { id: String(n), onState, onOutput });
        return end(error);
      } catch (error) {
        return end({ type: error.type ?? error.name, message: error.message, traceback: error.traceback });
      }
    },
    interrupt() {
      if (state === "running") engine.stop();
      else {
        // it waits inside the engine already: it is stopped the moment it starts
        cancelled = true;
        say(status, "text", "cells.calling_back");
      }
    },
    destroy() {
      clearInterval(ticking);
      output.clear();
      editor.destroy();
      element.remove();
    },
  };
  return cell;
}
