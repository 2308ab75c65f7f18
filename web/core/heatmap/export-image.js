// One picture as a file: SVG with text as text, or the same drawing as PNG. It is laid out anew, independent of the window.
import { standsTurned } from "./axis-labels.js";
import { nameParts } from "./caption.js";
import { cellTexts } from "./cell-text.js";
import { barPixels, specials, tickText } from "./colorbar.js";
import { MAPS, css, inkOn } from "./colormaps.js";
import { extent } from "./extent.js";
import { length } from "./fit.js";
import { shapeText } from "../format.js";
import { layout } from "./layout.js";
import { imageData, raster } from "./raster.js";
import { scaleFor } from "./scale.js";
import { t } from "../text.js";

const WIDTH = 1100; // CSS px, at most, for labels and cells
const MOST_RECTANGLES = 64; // a side; beyond, an embedded picture of one pixel a value
const MARGIN = 12;
const TITLE = 22;
const BAR = 132;
const FONT = "system-ui, -apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif";

const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt()};`);

const tag = (name, attributes, content = "") =>
  `<${name}${Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`).join("")}>${content}</${name}>`;

const text = (x, y, words, attributes = {}) => tag("text", { x, y, ...attributes }, escape(words));

async function dataUrl(pixels, width, height) {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(imageData(pixels, width, height), 0, 0);
  const reader = new FileReader();
  reader.readAsDataURL(await canvas.convertToBlob());
  return new Promise((resolve) => (reader.onload = () => resolve(reader.result)));
}

const embedded = async (pixels, width, height, box) =>
  tag("image", { ...box, preserveAspectRatio: "none", style: "image-rendering: pixelated", href: await dataUrl(pixels, width, height) });

/** A label that stands on its column: a Latin word turned, Chinese characters one below the other. */
function standing(x, bottom, { text: words, full }, fill) {
  if (standsTurned(full)) return text(0, 0, words, { fill, transform: `translate(${x + 4} ${bottom}) rotate(-90)` });
  return [...words].map((sign, at, all) => text(x, bottom - 13 * (all.length - 1 - at), sign, { fill, "text-anchor": "middle" })).join("");
}

function labels({ rows, columns }, left, top, fill) {
  return [
    ...rows.items.map(({ text: words, center }) => text(left - 6, top + center + 4, words, { fill, "text-anchor": "end" })),
    ...columns.items.map((item) =>
      columns.upright
        ? text(left + item.center, top - 5, item.text, { fill, "text-anchor": "middle" })
        : standing(left + item.center, top - 6, item, fill)),
  ].join("");
}

async function cells({ grid, pixels, texts, colours }, geometry, left, top) {
  const [rows, cols] = grid.shape;
  const [across, down] = [geometry.across.pitch, geometry.down.pitch];
  const box = { x: left, y: top, width: length(geometry.across), height: length(geometry.down) };
  const hatched = tag("rect", { ...box, fill: "url(#hatch)" });
  if (Math.max(rows, cols) > MOST_RECTANGLES) return hatched + (await embedded(pixels, cols, rows, box));
  const drawn = Array.from(grid.data, (value, i) => {
    const [x, y] = [left + (i % cols) * across, top + Math.floor(i / cols) * down];
    const rectangle = value === -Infinity ? "" : tag("rect", { x, y, width: across, height: down, fill: css(pixels[i]) });
    const ink = value === -Infinity ? colours.ink : inkOn(pixels[i]);
    const label = texts?.[i] ?? (Number.isNaN(value) ? "×" : value === Infinity ? "+" : "");
    return rectangle + (label && text(x + across / 2, y + down / 2 + 4, label, { fill: ink, "text-anchor": "middle" }));
  });
  return hatched + tag("g", { "shape-rendering": "crispEdges" }, drawn.join(""));
}

async function bar({ scale, stats, colours, kind }, left, top) {
  const pixels = barPixels(scale, MAPS[kind], colours.marks);
  const anchors = { 0: "start", 1: "end" };
  const ticks = scale.ticks.map((tick) => text(left + tick.at * BAR, top + 21, tickText(tick), { fill: colours.soft, "text-anchor": anchors[tick.at] ?? "middle" }));
  const fills = { hidden: "url(#hatch)", nan: colours.nan, infinite: colours.infinite };
  const legend = specials(stats).map(([kind, key], at) =>
    tag("rect", { x: left, y: top + 32 + 18 * at, width: 12, height: 10, fill: fills[kind] }) + text(left + 18, top + 41 + 18 * at, t(key), { fill: colours.soft }));
  return (await embedded(pixels, pixels.length, 1, { x: left, y: top, width: BAR, height: 8 })) + [...ticks, ...legend].join("");
}

const hatch = (colours) =>
  tag("defs", {}, tag("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse" },
    tag("rect", { width: 6, height: 6, fill: colours.hatch }) + tag("path", { d: "M-1 7L7 -1M-1 1L1 -1M5 7L7 5", stroke: colours["hatch-ink"] })));

/** What picture() of a heatmap or a chart gives, as { source, width, height }. A chart is drawn already. */
export async function svg(picture) {
  if (picture.drawing) return picture.drawing();
  const { name, index, kind, mode, finest, grid, cell, axes, colours } = picture;
  const stats = extent(grid);
  const scale = scaleFor(kind, mode, stats, finest);
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.font = `12px ${FONT}`;
  const measure = (words) => pen.measureText(words).width;
  const { geometry, rows, columns } = layout(grid, { width: WIDTH, dpr: 1, cell, rowTitle: axes.row, measure });
  const left = MARGIN + rows.size + (axes.row ? TITLE : 0);
  const top = MARGIN + TITLE + columns.size + (axes.col ? TITLE : 0);
  const bottom = top + length(geometry.down);
  const { base, sub } = nameParts(name, index);
  const heading = `${base}${sub && ` ${sub}`}`;
  const shape = shapeText(grid.shape);
  const width = Math.ceil(Math.max(left + length(geometry.across), left + BAR, MARGIN + measure(`${heading} ${shape}`) * 1.4) + MARGIN);
  const height = bottom + 42 + 18 * specials(stats).length;
  const pixels = raster(grid, scale, MAPS[kind], colours.marks);
  const title = tag("text", { x: MARGIN, y: MARGIN + 8, fill: colours.ink, "font-size": 15 },
    tag("tspan", { "font-style": "italic", "font-weight": 600, "font-family": "Cambria, Georgia, serif" }, escape(base)) +
    tag("tspan", { "font-size": 11, dy: 3 }, escape(sub)) +
    tag("tspan", { "font-size": 12, dy: sub ? -3 : 0, dx: 8, fill: colours.soft }, escape(shape)));
  const turned = `translate(${MARGIN + 2} ${top}) rotate(90)`;
  const source = tag("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT, "font-size": 12 }, [
    tag("title", {}, escape(`${heading} ${shape}`)), hatch(colours),
    tag("rect", { width, height, fill: colours.paper }), title,
    axes.col ? text(left, top - columns.size - 6, axes.col, { fill: colours.ink }) : "",
    axes.row ? text(0, 0, axes.row, { fill: colours.ink, transform: turned }) : "",
    labels({ rows, columns }, left, top, colours.soft),
    await cells({ grid, pixels, texts: cellTexts(grid, geometry, measure), colours }, geometry, left, top),
    await bar({ scale, stats, colours, kind }, left, bottom + 12),
  ].join(""));
  return { source, width, height };
}

/** The same drawing as a PNG blob, `scale` device pixels to one CSS pixel. */
export async function png(picture, { scale = 3 } = {}) {
  const { source, width, height } = await svg(picture);
  const image = new Image(width, height);
  image.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = new OffscreenCanvas(width * scale, height * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/png" });
}
