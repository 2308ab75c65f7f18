// Where a lab's view puts its pictures: a claim on top, headed sections with rows of linked heatmaps, the reading line below.
import { createBoard } from "./board.js";
import { h, say } from "../dom.js";
import { modeControl } from "../heatmap/mode-control.js";
import { createReading } from "./reading.js";
import { hasText, onLanguage } from "../text.js";

/**
 * words: the lab's key in the texts; related(cell, values): what lights up (see board.js); read(cell, values) -> {title, steps}
 * for the reading line; hover, showCode: from the view's context.
 */
export function createStage(root, { words, related, read, hover, showCode }) {
  const reading = createReading({ onSource: showCode });
  const claim = h("p", { class: "claim", role: "note" });
  const sections = h("div", { class: "sections" });
  let values = null;
  let told = null; // the cell that the reading line tells of, and the values of that moment
  const tell = () => told && reading.show({ name: told.cell.name, ...read(told.cell, told.values) });
  const board = createBoard({
    related,
    onHover(cell) {
      hover(cell?.name ?? null);
      if (!cell) return; // the last reading stays, so that it can be read and copied
      told = { cell, values };
      tell();
    },
  });
  onLanguage(tell);
  root.append(claim, sections, reading.element);

  return {
    pictures: board.pictures,
    setMode: board.setMode,
    add: board.add,
    remove: board.remove,
    clear() {
      board.clear();
      sections.replaceChildren();
    },
    /** A headed section (<words>.sections.<key>, …<key>Help) with these elements; returns its row for pictures. */
    section(key, ...children) {
      const help = `${words}.sections.${key}Help`;
      const row = h("div", { class: "flow" });
      sections.append(h("div", { class: "section", dataset: { section: key } },
        h("h3", { text: [`${words}.sections.${key}`] }), hasText(help) && h("p", { class: "help", text: [help] }), children, row));
      return row;
    },
    /** Fills a row: picture declarations go on the board, elements (signs, arrows) straight in. A chart's caption is <words>.charts.<name>. */
    lay(row, ...parts) {
      for (const part of parts.filter(Boolean)) {
        if (part instanceof Node) row.append(part);
        else board.add(row, part.kind === "chart" ? { caption: [`${words}.charts.${part.name}`], ...part } : part);
      }
    },
    /** What the lab says of this result: [key, vars] under `words`, or null. */
    claim(said) {
      claim.hidden = !said;
      if (said) say(claim, "text", `${words}.${said[0]}`, said[1]);
    },
    update(next) {
      values = next;
      board.update(values);
    },
  };
}

export const sign = (words) => h("span", { class: "sign", "aria-hidden": "true" }, words);
export const arrow = (words) => h("span", { class: "arrow", "aria-hidden": "true" }, words, h("i", {}, "→"));

/** One choice of scale for many weight pictures. */
export function modeSwitch(mode, onChoose) {
  return h("label", { class: "modes" }, h("span", { text: ["heatmap.mode.label"] }), modeControl(["unit", "row", "log"], mode, onChoose).element);
}
