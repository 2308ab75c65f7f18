// Two hands of a clock face and the way from one to the other. A point (x, y) of the unit circle is drawn x to the right and y
// upwards, so that (sin a, cos a) stands upright at a = 0 and turns clockwise. Every point comes from the result.
import { s } from "../dom.js";

const LINE = 15; // px, of the names
const DURATION = 1400; // ms, of one turn

/**
 * size: CSS px; names: words at the hands' ends; axes: words at the right and at the top; label: [text key, vars] of the whole,
 * none where the words around it say enough. -> { element, update({ sweep [m, 2], names?, label? }), play(), stop() }
 */
export function dial({ size, axes, named = false }) {
  const radius = named ? size * 0.33 : size * 0.44;
  const at = (x, y) => [x * radius, -y * radius];
  const line = (name) => s("line", { class: `hand ${name}` });
  const end = (name) => s("circle", { class: name, r: named ? 4 : 2.5 });
  const words = () => s("text", { class: "name", "dominant-baseline": "middle" });
  const parts = {
    wedge: s("path", { class: "wedge" }), arc: s("path", { class: "arc" }),
    from: [line("from"), end("from"), words()], to: [line("to"), end("to"), words()],
  };
  const axis = axes && [
    s("line", { class: "axis", x1: -radius, x2: radius }), s("line", { class: "axis", y1: -radius, y2: radius }),
    s("text", { class: "axis", x: radius - 4, y: 14, "text-anchor": "end" }, axes[0]), s("text", { class: "axis", x: 5, y: 14 - radius }, axes[1]),
  ];
  const element = s("svg", { class: "dial", width: size, height: size, viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, "aria-hidden": "true" },
    s("circle", { class: "face", r: radius }), axis, parts.wedge, parts.arc, parts.from, parts.to);
  let points = [];
  let frame = 0;

  function hand([line, end, text], [x, y], name) {
    const [right, down] = at(x, y);
    line.setAttribute("x2", right);
    line.setAttribute("y2", down);
    end.setAttribute("cx", right);
    end.setAttribute("cy", down);
    if (name !== undefined) text.textContent = name;
    text.setAttribute("text-anchor", Math.abs(x) < 0.3 ? "middle" : x > 0 ? "start" : "end");
    text.setAttribute("x", right * 1.1);
    text.setAttribute("y", down * 1.14);
  }

  /** The second hand where it is after `count` of the points. */
  function draw(count) {
    const way = points.slice(0, count).map(([x, y]) => at(x, y));
    hand(parts.to, points[count - 1]);
    parts.arc.setAttribute("d", `M${way.map(([x, y]) => `${x * 0.5} ${y * 0.5}`).join("L")}`);
    parts.wedge.setAttribute("d", `M0 0L${way.map(([x, y]) => `${x * 0.5} ${y * 0.5}`).join("L")}Z`);
  }

  /** Two names at almost the same place: the second goes above or below. */
  function part([x, y], [toX, toY]) {
    const text = parts.to[2];
    const touching = Math.hypot(...at(x - toX, y - toY)) < 40 && Math.abs(at(0, y - toY)[1]) < LINE;
    if (touching) text.setAttribute("y", Number(parts.from[2].getAttribute("y")) + (toY > 0 ? -LINE : LINE));
  }

  function stop() {
    cancelAnimationFrame(frame);
    frame = 0;
  }

  return {
    element,
    stop,
    update({ sweep: { data, shape }, names = [] }) {
      stop();
      points = Array.from({ length: shape[0] }, (_, at) => [data[2 * at], data[2 * at + 1]]);
      hand(parts.from, points[0], names[0]);
      hand(parts.to, points.at(-1), names[1]);
      draw(points.length);
      if (named) part(points[0], points.at(-1));
    },
    /** The second hand walks the whole way once. */
    play() {
      stop();
      let began = null;
      const step = (now) => {
        began ??= now;
        const share = Math.min(1, (now - began) / DURATION);
        draw(Math.max(1, Math.round(share * points.length)));
        frame = share < 1 ? requestAnimationFrame(step) : 0;
      };
      frame = requestAnimationFrame(step);
    },
  };
}
