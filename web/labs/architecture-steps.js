// Going through the blocks, forwards and backwards: by the bar's buttons, by the arrow keys, by a press on the drawing.
import { h } from "../core/dom.js";
import { onLanguage } from "../core/text.js";

const W = "labs.architecture";
const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity };

/**
 * holder: where the drawing goes; blocks(): names in order; draw(room, {current, choose, tell}) -> element; choose(block) asks
 * for its arrays; where(block) says which it is. The drawing follows at once, the arrays come when they are computed.
 */
export function createSteps({ holder, blocks, draw, choose, where }) {
  let asked = []; // blocks whose results are on their way, the newest last
  let current = null; // the block whose arrays are on show
  let room = 0;
  const hint = h("p", { class: "diagram-hint", "aria-hidden": "true" });
  const place = h("output", { class: "diagram-where" });
  const button = (by, key) => h("button", { type: "button", class: "button", text: [`${W}.${key}`], dataset: { by }, on: { click: () => step(by) } });
  const bar = h("div", { class: "diagram-bar", role: "group", label: [`${W}.stepping`] }, button(-1, "back"), button(1, "forward"), place);
  const frame = h("div");
  holder.append(frame, hint);

  const newest = () => asked.at(-1) ?? current;

  function go(block) {
    if (block === newest()) return;
    asked.push(block);
    paint();
    choose(block);
  }

  function step(by) {
    const at = blocks().indexOf(newest()) + by;
    go(blocks()[Math.max(0, Math.min(blocks().length - 1, at))]);
  }

  const tell = (words) => (hint.textContent = words ?? where(newest()));

  function paint() {
    if (!current || !room) return;
    const focused = frame.contains(document.activeElement);
    frame.replaceChildren(draw(room, { current: newest(), choose: go, tell }));
    if (focused) frame.querySelector("[aria-current]").focus({ preventScroll: true });
    const at = blocks().indexOf(newest());
    for (const each of bar.querySelectorAll("button")) each.disabled = Number(each.dataset.by) < 0 ? at === 0 : at === blocks().length - 1;
    place.textContent = where(newest());
    tell(null);
  }

  for (const element of [frame, bar]) {
    element.addEventListener("keydown", (event) => {
      if (!(event.key in KEYS) || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      step(KEYS[event.key]);
    });
  }
  const observer = new ResizeObserver(([{ contentRect }]) => {
    if (Math.floor(contentRect.width) === room) return;
    room = Math.floor(contentRect.width);
    paint();
  });
  observer.observe(frame);
  const ends = [() => observer.disconnect(), onLanguage(() => paint())];

  return {
    bar,
    /** The block that came, and the one that was asked for: older ones than the newest change nothing in the drawing. */
    update(block, wanted) {
      asked = asked.slice(asked.lastIndexOf(wanted) + 1 || asked.length);
      current = block;
      paint();
    },
    destroy: () => ends.forEach((end) => end()),
  };
}
