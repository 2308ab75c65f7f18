// Small pictures as files: all of them, whether they are in sight or not.
import { at } from "../lab/slice.js";
import { corner, place } from "./multiples-layout.js";
import { paintTile } from "./multiples-tile.js";
import { t } from "../text.js";

const WIDTH = 1100; // CSS px, at most
const SHARP = 2; // device px to a CSS px
const [MARGIN, TITLE] = [12, 26];
const FONT = "system-ui, -apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif";
const escape = (words) => String(words).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt()};`);

async function dataUrl(canvas) {
  const reader = new FileReader();
  reader.readAsDataURL(await canvas.convertToBlob());
  return new Promise((resolve) => (reader.onload = () => resolve(reader.result)));
}

async function svg({ name, kind, mode, stack, colours }) {
  const [layers, heads] = stack.shape;
  const placed = place({ shape: stack.shape, width: WIDTH, dpr: SHARP });
  const canvas = new OffscreenCanvas(placed.width, placed.height);
  const pen = canvas.getContext("2d");
  const words = [];
  const write = (x, y, said, more = "") => words.push(`<text x="${x / SHARP + MARGIN}" y="${y / SHARP + MARGIN + TITLE}" fill="${colours.soft}" text-anchor="middle" ${more}>${escape(said)}</text>`);
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const [x, y] = corner(placed, layer, head);
      pen.drawImage(paintTile(at(stack, layer, head), placed, { kind, mode, colours }), x, y);
      if (layer === 0) write(x + placed.tile.width / 2, placed.top - 8, head + 1);
      if (head === 0) write(placed.left - 18, y + placed.tile.height / 2 + 8, layer + 1);
    }
  }
  const [width, height] = [placed.width / SHARP + 2 * MARGIN, placed.height / SHARP + TITLE + 2 * MARGIN];
  const title = `${name} ${stack.shape.join("×")} · ${t("multiples.layer")} ${t("multiples.head")}`;
  const source = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escape(FONT)}" font-size="12">` +
    `<title>${escape(title)}</title><rect width="${width}" height="${height}" fill="${colours.paper}"/>` +
    `<text x="${MARGIN}" y="${MARGIN + 10}" fill="${colours.ink}" font-size="14">${escape(title)}</text>` +
    `<image x="${MARGIN}" y="${MARGIN + TITLE}" width="${placed.width / SHARP}" height="${placed.height / SHARP}" href="${await dataUrl(canvas)}"/>${words.join("")}</svg>`;
  return { source, width, height };
}

/** What an exported picture needs (export-image.js, export-data.js): a table has a row for each layer, head and row. */
export function drawing({ stack, ...looks }) {
  const { data, shape: [layers, heads, rows, cols], rows: names, cols: columns } = stack;
  const label = (at) => {
    const [layer, head, row] = [Math.floor(at / (heads * rows)), Math.floor(at / rows) % heads, at % rows];
    return [layer + 1, head + 1, names?.[row] ?? row].join(" ");
  };
  const table = Array.from({ length: layers * heads * rows }, (_, at) => label(at));
  return {
    name: looks.name,
    grid: { data, shape: [layers * heads * rows, cols], rows: table, cols: columns },
    array: { data, shape: stack.shape },
    drawing: () => svg({ stack, ...looks }),
  };
}
