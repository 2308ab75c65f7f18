// The logit lens as a table: what the model would say after each layer, at each position; darker is more probable. The column of
// the chosen position is told in full beside it.
import { h, say } from "../dom.js";
import { number } from "../format.js";
import { entry } from "./slice.js";
import { tokenText } from "./token-text.js";

const layerName = (layer) => h("th", { scope: "row", text: layer ? ["model.afterLayer", { layer }] : ["model.embedding"] });

/** Scrolls the room sideways, if need be: never the page. */
function reveal(room, { offsetLeft, offsetWidth }) {
  const beyond = offsetLeft + offsetWidth - room.clientWidth;
  if (beyond > room.scrollLeft) room.scrollLeft = beyond;
  if (offsetLeft < room.scrollLeft) room.scrollLeft = Math.max(0, offsetLeft - offsetWidth);
}

/** label: [text key, vars]; onChoose(position). -> { element, update({tokens, texts, probabilities, chosen}) }: texts flat, probabilities [L + 1, n, k] */
export function lensTable({ label, onChoose }) {
  const table = h("table", { class: "lens", translate: "no" });
  const room = h("div", { class: "lens-room", tabindex: "0", role: "region", label }, table);
  const told = h("table", { class: "figures lens-told" });
  const title = h("p", { class: "help" });
  let before = null;

  return {
    element: h("div", { class: "lens-part" }, room, title, told),
    update({ tokens, texts, probabilities, chosen }) {
      const [layers, n, k] = probabilities.shape;
      const text = (layer, position, rank) => tokenText(texts[(layer * n + position) * k + rank]);
      const focused = [...table.querySelectorAll("button")].indexOf(document.activeElement);
      const head = h("tr", { translate: "no" }, h("td"), tokens.map((token, at) => h("th", { scope: "col" },
        h("button", { type: "button", "aria-pressed": String(at === chosen), on: { click: () => onChoose(at) } }, tokenText(token)))));
      const rows = Array.from({ length: layers }, (_, layer) => h("tr", {}, layerName(layer),
        tokens.map((_, at) => h("td", { class: at === chosen ? "chosen" : null, style: `--share: ${entry(probabilities, layer, at, 0)}`, title: `${number(entry(probabilities, layer, at, 0), 3)}` }, text(layer, at, 0)))));
      table.replaceChildren(h("thead", {}, head), h("tbody", {}, rows));
      table.querySelectorAll("button")[focused]?.focus();
      if (chosen !== before) reveal(room, table.tHead.rows[0].cells[chosen + 1]);
      before = chosen;
      say(title, "text", "model.lensAt", { token: tokenText(tokens[chosen]), place: chosen + 1 });
      told.replaceChildren(h("tbody", {}, Array.from({ length: layers }, (_, layer) => h("tr", {}, layerName(layer),
        Array.from({ length: k }, (_, rank) => h("td", {}, h("b", {}, text(layer, chosen, rank)), ` ${number(entry(probabilities, layer, chosen, rank), 3)}`))))));
    },
  };
}
