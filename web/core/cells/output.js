// What a cell gave, in the order in which it came. Text streams into the open <pre>; a finished line may turn out to be HTML.
import { h } from "../dom.js";
import { heatmap } from "../heatmap/heatmap.js";
import { isHtmlLine, renderHtmlLine } from "./html-line.js";

const FLUSH_EVERY = 50; // ms: laying out a long text again for every line of it would hold up the page
const ANSI = /\x1b\[[0-9;?]*[A-Za-z]/g;
/** As a terminal shows it: colours dropped, and what follows a carriage return overwrites the line. */
const shown = (line) => line.replace(ANSI, "").replace(/\r$/, "").split("\r").at(-1);

/** createOutput(parent, {onLine}) -> {add(event), finish(), error({type, message, traceback, line}), clear()} */
export function createOutput(parent, { onLine }) {
  const element = h("div", { class: "output", dataset: { outputs: "" } });
  parent.append(element);
  let heatmaps = [];
  let pending = []; // texts that came since the last flush: {stream, text}
  let timer = 0;
  let open = null; // {pre, stream, line: the text node of the unfinished line, raw: its text as it came}

  function openText(stream) {
    if (open?.stream === stream) return;
    endText();
    const pre = h("pre", { class: "output-text", dataset: { output: "text", stream } });
    open = { pre, stream, line: new Text(), raw: "" };
    pre.append(open.line);
    element.append(pre);
  }

  /** The first text is shown at once, what follows closely a little later and together. */
  function text({ stream = "stdout", text: chunk }) {
    if (pending.at(-1)?.stream === stream) pending.at(-1).text += chunk;
    else pending.push({ stream, text: chunk });
    if (!timer) flush();
  }

  function flush() {
    clearTimeout(timer);
    timer = pending.length ? setTimeout(flush, FLUSH_EVERY) : 0;
    for (const { stream, text: chunk } of pending.splice(0)) write(stream, chunk);
  }

  function write(stream, chunk) {
    openText(stream);
    const lines = (open.raw + chunk).split("\n");
    open.raw = lines.pop();
    let plain = "";
    for (const line of lines) {
      const fragment = isHtmlLine(line) ? renderHtmlLine(line) : null;
      if (!fragment) {
        plain += `${shown(line)}\n`;
        continue;
      }
      if (plain) open.line.before(plain);
      plain = "";
      const { raw } = open;
      open.raw = "";
      endText();
      element.append(h("div", { class: "output-html", dataset: { output: "html" } }, fragment));
      openText(stream);
      open.raw = raw;
    }
    const { pre, line, raw } = open;
    const atEnd = pre.scrollTop + pre.clientHeight >= pre.scrollHeight - 4;
    if (plain) line.before(plain);
    // a long line of HTML arrives in pieces: not shown as text meanwhile
    line.data = raw.startsWith("<") ? "" : shown(raw);
    if (atEnd) pre.scrollTop = pre.scrollHeight;
  }

  /** Ends the open text: what printed without a final newline still belongs to this cell. */
  function endText() {
    if (!open) return;
    const { pre, line, raw } = open;
    open = null;
    const fragment = isHtmlLine(raw) ? renderHtmlLine(raw) : null;
    line.data = fragment ? "" : shown(raw);
    if (fragment) pre.after(h("div", { class: "output-html", dataset: { output: "html" } }, fragment));
    if (!pre.textContent) pre.remove();
    else if (pre.scrollHeight > pre.clientHeight) pre.tabIndex = 0; // the keyboard can scroll it
  }

  function finish() {
    flush();
    endText();
  }

  const put = (tag, kind, properties, ...children) => {
    const output = h(tag, { dataset: { output: kind }, ...properties }, ...children);
    element.append(output);
    return output;
  };

  function array({ data, shape, name }) {
    const [rows, cols] = shape.length === 1 ? [1, shape[0]] : shape;
    const place = put("div", "array", {});
    const inUnit = data.every((value) => value >= 0 && value <= 1);
    const picture = heatmap(place, { name: name ?? "result", kind: inUnit ? "weights" : "signed" });
    picture.update({ data, shape: [rows, cols] });
    heatmaps.push(picture);
  }

  const SHOW = {
    text,
    array,
    repr: (event) => put("pre", "repr", { class: "output-text" }, shown(event.text)),
    image: ({ png }) => put("div", "image", { class: "output-image" }, h("img", { src: png, role: "img", label: ["cells.figure"] })),
    truncated: () => put("p", "truncated", { class: "output-note", text: ["cells.truncated"] }),
  };

  return {
    element,
    add(event) {
      if (event.kind !== "text") finish();
      SHOW[event.kind](event);
    },
    finish,
    error({ type, message, traceback, line }) {
      finish();
      element.append(h("div", { class: "output-error", dataset: { output: "error" } },
        h("pre", { class: "output-text" }, shown(traceback || `${type}: ${message}`).trimEnd()),
        line && h("button", { type: "button", class: "button", on: { click: () => onLine(line) }, text: ["cells.go_to_line", { line }] })));
    },
    clear() {
      clearTimeout(timer);
      timer = 0;
      pending = [];
      open = null;
      for (const picture of heatmaps) picture.destroy();
      heatmaps = [];
      element.replaceChildren();
    },
  };
}
