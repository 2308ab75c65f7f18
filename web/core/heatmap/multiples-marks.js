// What lies over the small pictures: which one is current, which is chosen, which are silenced, and a row or column in all of them.
import { corner } from "./multiples-layout.js";

function box(context, [x, y, width, height], line, grow) {
  context.lineWidth = line;
  context.strokeRect(x - grow, y - grow, width + 2 * grow, height + 2 * grow);
}

/** A silenced head is pale and crossed out: not told by colour alone. */
function cross(context, x, y, { width, height }, dpr, { paper, ink }) {
  context.fillStyle = paper;
  context.globalAlpha = 0.62;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  context.strokeStyle = ink;
  context.lineWidth = 1.5 * dpr;
  context.beginPath();
  for (const [from, to] of [[y, y + height], [y + height, y]]) {
    context.moveTo(x, from);
    context.lineTo(x + width, to);
  }
  context.stroke();
}

/** lit: {row?, col?} of every picture; a dark line with a light one inside is readable on every colour. */
function lines(context, x, y, { tile, dpr }, { row, col }) {
  const at = (place) => Math.floor(place / tile.block) * tile.pitch;
  const shapes = [row !== undefined && [x, y + at(row), tile.width, tile.pitch], col !== undefined && [x + at(col), y, tile.pitch, tile.height]].filter(Boolean);
  for (const shape of shapes) {
    for (const [colour, grow] of [["#111", dpr], ["#fff", 0]]) {
      context.strokeStyle = colour;
      box(context, shape, dpr, grow);
    }
  }
}

export function drawMarks(context, placed, layer, head, { current, chosen, silenced, lit, colours }) {
  const [x, y] = corner(placed, layer, head);
  const { tile, dpr } = placed;
  if (silenced) cross(context, x, y, tile, dpr, colours);
  else if (lit) lines(context, x, y, placed, lit);
  if (chosen) {
    context.strokeStyle = colours.accent;
    box(context, [x, y, tile.width, tile.height], 2 * dpr, 1.5 * dpr);
  }
  if (current) {
    context.strokeStyle = colours.ink;
    box(context, [x, y, tile.width, tile.height], dpr, dpr);
  }
}

/** The numbers of the heads that show above, and of the layers on the left, where they stay while the pictures move. */
export function drawNumbers(context, placed, [fromLayer, toLayer, fromHead, toHead], { x, y, width, height }, { colours, font, current }) {
  const { left, top, tile, dpr } = placed;
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width, top);
  context.fillRect(0, 0, left, height);
  Object.assign(context, { font, textBaseline: "middle", textAlign: "center" });
  const write = (number, on, ...at) => {
    context.fillStyle = on ? colours.ink : colours.soft;
    context.fillText(number, ...at);
  };
  context.save();
  context.beginPath();
  context.rect(left, 0, width, top);
  context.clip();
  for (let head = fromHead; head < toHead; head++) write(head + 1, current?.head === head, corner(placed, 0, head)[0] + tile.width / 2 - x, top - 8 * dpr);
  context.restore();
  context.beginPath();
  context.rect(0, top, left, height);
  context.save();
  context.clip();
  for (let layer = fromLayer; layer < toLayer; layer++) write(layer + 1, current?.layer === layer, left - 10 * dpr, corner(placed, layer, 0)[1] + tile.height / 2 - y);
  context.restore();
}
