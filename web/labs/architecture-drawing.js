// The drawing: what ran, as parts that can be pressed. It draws what the lists of the result say, and nothing besides.
import { s } from "../core/dom.js";
import { t } from "../core/text.js";
import { layOut } from "./architecture-layout.js";
import { drawWire, roomForShape, wiresBetween } from "./architecture-wires.js";

const W = "labs.architecture";
const amount = (count) => count.toLocaleString("en");
const text = (x, y, words, extra = "") => s("text", { class: `diagram-text ${extra}`, x, y }, words);

/** What a block is called, and where it stands, in words. */
export const blockName = (kind) => t(`${W}.blocks.${kind}`);
export function placeName(name) {
  const [stack, layer] = name.split(".");
  if (!layer) return t(`${W}.place.head`);
  return /^\d+$/.test(layer) ? t(`${W}.place.layer`, { stack: t(`${W}.stacks.${stack}`), layer: Number(layer) + 1 }) : t(`${W}.stacks.${stack}`);
}

/** A shape in words: what its rows and columns are. */
export function shapeWords(shape, wire, { vocabulary }) {
  const [rows, columns] = shape.split("×");
  const [from] = wire.split(">");
  const of = from === "logits" ? "logits" : from.startsWith("encoder") ? "encoder" : "decoder";
  return t(`${W}.shape.${of}`, { shape, rows, columns, count: vocabulary.length });
}

function counts({ name, kind, stands }, { blocks, counts: each, shared, groups, group_counts, layers }) {
  const group = groups.indexOf(`${stands[0]?.split(".")[0]}.${layers.data[blocks.indexOf(name)]}`);
  const count = kind === "slab" ? group_counts.data[group] : each.data[blocks.indexOf(name)];
  if (shared.includes(name)) return t(`${W}.shared`);
  return count ? amount(count) : "";
}

function words(part, values) {
  if (part.kind === "slab") return t(`${W}.layer`, { layer: part.layer + 1 });
  if (part.kind === "ghost") return t(`${W}.blocks.${part.name.split(".")[2]}`);
  return blockName(part.kind === "self" && part.column.stack === "decoder" ? "masked" : part.kind);
}

function drawPart(part, values, { current, choose, tell }) {
  const { name, kind, x, y, width, height } = part;
  const [middle, centre] = [x + width / 2, y + height / 2];
  const shape = kind === "add" ? s("circle", { class: "diagram-box", cx: middle, cy: centre, r: height / 2 }) : s("rect", { class: "diagram-box", x, y, width, height, rx: 7 });
  const said = words(part, values);
  if (kind === "ghost") return s("g", { class: "diagram-part", dataset: { state: "absent", absent: name } }, shape, text(middle, centre + 4, said));
  const count = counts(part, values);
  const tall = height >= 36 && count;
  const label = kind === "add" ? [text(middle, centre + 5, "+", "sign")]
    : tall ? [text(middle, centre - 3, said), text(middle, centre + 13, ` ${count}`, "small")]
      : [s("text", { class: "diagram-text", x: middle, y: centre + 4.5 }, said, count && s("tspan", { class: "small", dx: 3 }, ` ${count}`))];
  const [at, now] = [values.blocks.indexOf(name), values.blocks.indexOf(current)];
  const state = name === current ? "now" : at < now ? "done" : "later";
  const own = count && !values.shared.includes(name);
  const spoken = t(`${W}.${own ? "partLabel" : "partLabelBare"}`, { place: placeName(name), name: own ? said : `${said} ${count}`.trim(), count });
  return s("g", {
    class: "diagram-part", role: "button", tabindex: 0, "aria-label": spoken, "aria-current": name === current ? "step" : null, dataset: { block: name, kind, state },
    on: {
      click: () => choose(name),
      keydown: (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), choose(name)),
      pointerenter: () => tell(spoken), focus: () => tell(spoken), pointerleave: () => tell(null), blur: () => tell(null),
    },
  }, shape, ...label);
}

function drawShape({ wire, shape }, { x: edge, y, before }, values, tell) {
  const meaning = shapeWords(shape, wire, values);
  const x = before ? edge - 6.4 * shape.length : edge;
  return s("g", { class: "diagram-shape", role: "img", "aria-label": meaning, dataset: { wire }, on: { pointerenter: () => tell(meaning), pointerleave: () => tell(null) } },
    s("rect", { x: x - 3, y: y - 11, width: 6.4 * shape.length + 6, height: 15, rx: 3 }), text(x, y, shape, "shape"));
}

function drawColumn({ column, layer, ghost, ...frame }, values, base) {
  const { stack, middle, top } = column;
  const at = values.groups.indexOf(stack);
  const title = ghost ? t(`${W}.without.${stack}`) : t(`${W}.stackTitle`, { stack: t(`${W}.stacks.${stack}`), layers: values.num_layers });
  const count = at < 0 ? "" : t(`${W}.parameters`, { count: amount(values.group_counts.data[at]) });
  const read = (values[`${stack}_tokens`] ?? []).join(" ");
  return s("g", { class: "diagram-column", dataset: { state: ghost ? "absent" : "there" } },
    s("rect", { class: "diagram-frame", rx: 12, ...frame }),
    text(middle, 15, title, "title"), text(middle, 32, count, "small"),
    !ghost && values.num_layers > 1 && text(column.lane < middle ? frame.x + 8 : frame.x + frame.width - 8, frame.y - 5, t(`${W}.layer`, { layer: layer + 1 }), `layer ${stack}`),
    !ghost && text(middle, base + 20, read.length > 22 ? `${read.slice(0, 21)}…` : read, "tokens"));
}

/** values; room in CSS px; {current, choose(name), tell(words | null)} -> an SVG element. */
export function drawing(values, room, actions) {
  const { parts, frames, base, tight, width, height } = layOut(values, actions.current, room);
  const wires = wiresBetween(parts, values).map((wire) => ({ ...wire, ...drawWire(wire) }));
  return s("svg", { class: `diagram${tight ? " tight" : ""}`, viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": t(`${W}.drawingLabel`), translate: "no" },
    frames.map((frame) => drawColumn(frame, values, base)),
    wires.flatMap(({ wire, elements }) => s("g", { class: "diagram-wire", dataset: { wire } }, elements)),
    parts.map((part) => drawPart(part, values, actions)),
    wires.filter((wire) => wire.label && roomForShape(wire)).map((wire) => drawShape(wire, wire.label, values, actions.tell)));
}
