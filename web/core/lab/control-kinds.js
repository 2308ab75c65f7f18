// One function a kind of control: kind(definition, {id, words, change}) -> {element, field, set(value)}.
// `words` is the control's key in the texts (…label, …help, …options.<value>); `change(value)` is called at each input.
import { h, mark, say } from "../dom.js";
import { hasText } from "../text.js";
import { join, split } from "./tokens.js";

export { grid } from "./grid-control.js";
export { picture } from "./picture-control.js";

const caption = (words, id) => h("label", { for: id, text: [`${words}.label`], title: hasText(`${words}.help`) ? [`${words}.help`] : null });

// Where a value stands on a slider, and back. "log" gives each power of ten the same room, and two digits to what is chosen there;
// "doubling" chooses among powers of two.
const SCALES = {
  linear: { place: Number, value: Number },
  log: { place: Math.log10, value: (place) => Number((10 ** place).toPrecision(2)), step: 0.05 },
  doubling: { place: Math.log2, value: (place) => 2 ** Math.round(place), step: 1 },
};

export function range({ min, max, step = 1, scale = "linear" }, { id, words, change }) {
  const { place, value: valueAt, step: slide = step } = SCALES[scale];
  let current; // what an emptied field falls back to when it is left
  const top = (params) => (typeof max === "function" ? max(params) : max);
  const number = h("input", { id, type: "number", min, step, inputmode: "decimal" });
  const slider = h("input", { type: "range", min: place(min), step: slide, label: [`${words}.label`] });
  const told = (event) => {
    if (event.target.value === "") return;
    const fromSlider = event.target === slider;
    const value = fromSlider ? valueAt(slider.value) : Number(number.value);
    if (fromSlider) number.value = value;
    else slider.value = place(value);
    change(value);
  };
  number.addEventListener("input", told);
  number.addEventListener("change", () => number.value === "" && (number.value = current));
  slider.addEventListener("input", told);
  return {
    element: h("div", { class: "control range" }, h("span", {}, caption(words, id), number), slider),
    field: number,
    set(value, params) {
      current = value;
      mark(number, "max", top(params));
      mark(number, "style", `--digits: ${Math.max(3, number.max.length)}`);
      mark(slider, "max", place(number.max));
      if (Number(number.value) !== value || number.value === "") number.value = value;
      if (scale !== "linear") slider.ariaValueText = String(value);
      if (Number(slider.value) !== place(value)) slider.value = place(value);
    },
  };
}

export function check(_, { id, words, change }) {
  const box = h("input", { id, type: "checkbox", on: { change: () => change(box.checked) } });
  return { element: h("div", { class: "control check" }, box, caption(words, id)), field: box, set: (value) => (box.checked = value) };
}

export function choice({ options }, { id, words, change }) {
  const help = h("p", { class: "help" });
  const explain = (value) => options.includes(value) && hasText(`${words}.explain.${value}`) && say(help, "text", `${words}.explain.${value}`);
  const select = h("select", { id, on: { change: () => (explain(select.value), change(select.value)) } },
    options.map((value) => h("option", { value, text: [`${words}.options.${value}`] })));
  const set = (value) => {
    select.value = value;
    explain(value);
  };
  return { element: h("div", { class: "control choice" }, caption(words, id), select, help), field: select, set };
}

export function tokens({ max }, { id, words, change }) {
  const text = h("input", { id, type: "text", autocomplete: "off", spellcheck: "false" });
  const count = h("output", { for: id });
  const recount = (n) => {
    say(count, "text", "controls.tokens", { n, max });
    count.classList.toggle("over", n > max);
  };
  let composing = false;
  const told = () => {
    if (composing) return; // an input method is still choosing characters
    const value = split(text.value);
    recount(value.length);
    change(value);
  };
  text.addEventListener("compositionstart", () => (composing = true));
  text.addEventListener("compositionend", () => ((composing = false), told()));
  text.addEventListener("input", told);
  return {
    element: h("div", { class: "control tokens" }, h("span", {}, caption(words, id), count), text),
    field: text,
    set(value) {
      const list = Array.isArray(value) ? value : [];
      if (JSON.stringify(split(text.value)) !== JSON.stringify(list)) text.value = join(list);
      recount(list.length);
    },
  };
}

/** A line of text as it stands, spaces included; `max` characters. */
export function text({ max }, { id, words, change }) {
  const field = h("input", { id, type: "text", autocomplete: "off", spellcheck: "false" });
  const count = h("output", { for: id });
  const recount = () => {
    const n = [...field.value].length;
    say(count, "text", "controls.characters", { n, max });
    count.classList.toggle("over", n > max);
  };
  let composing = false;
  const told = () => {
    if (composing) return; // an input method is still choosing characters
    recount();
    change(field.value);
  };
  field.addEventListener("compositionstart", () => (composing = true));
  field.addEventListener("compositionend", () => ((composing = false), told()));
  field.addEventListener("input", told);
  return {
    element: h("div", { class: "control text" }, h("span", {}, caption(words, id), count), field),
    field,
    set(value) {
      if (field.value !== value) field.value = value;
      recount();
    },
  };
}

export function matrix({ shape: [rows, columns] }, { id, words, change }) {
  const cells = Array.from({ length: rows * columns }, (_, at) => h("input", {
    id: at ? null : id, type: "number", step: 1, inputmode: "decimal",
    label: ["controls.entry", { name: words.split(".").at(-1).replace("paper_", ""), row: Math.floor(at / columns) + 1, column: (at % columns) + 1 }],
    on: { input: () => cells.every((cell) => cell.value !== "") && change(read()), change: () => set(current) },
  }));
  let current; // what an emptied entry falls back to when it is left
  const read = () => Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns).map((cell) => Number(cell.value)));
  function set(value) {
    current = value;
    cells.forEach((cell, at) => {
      const entry = value?.[Math.floor(at / columns)]?.[at % columns];
      if (entry !== undefined && (cell.value === "" || Number(cell.value) !== entry)) cell.value = entry;
    });
  }
  const grid = h("div", { class: "entries", style: `grid-template-columns: repeat(${columns}, 3.4em)` }, cells);
  return { element: h("div", { class: `control matrix${columns > 2 ? " wide" : ""}` }, caption(words, id), grid), field: cells[0], set };
}

/** A list of numbers, "0, 1, 8". What is no number goes on as it is: run() names it. */
export function numbers(_, { id, words, change }) {
  const text = h("input", { id, type: "text", inputmode: "numeric", autocomplete: "off", spellcheck: "false" });
  const read = () => text.value.split(/[\s,;\uff0c\u3001]+/).filter(Boolean).map((part) => (Number.isFinite(Number(part)) ? Number(part) : part));
  text.addEventListener("input", () => change(read()));
  return {
    element: h("div", { class: "control numbers" }, caption(words, id), text),
    field: text,
    set(value) {
      if (JSON.stringify(read()) !== JSON.stringify(value)) text.value = value.join(", ");
    },
  };
}
