// Code cells written as Markdown: a note's own cells go back where they came from, untouched ones to the letter.

const longestRun = (text, sign) => Math.max(0, ...(text.match(new RegExp(`${sign}+`, "g")) ?? []).map((run) => run.length));

/** A fenced block; its fence is longer than any run of that sign in the code. */
function fenced(source, { margin = "", first = margin, sign = "`", length = 3, info = "python" } = {}) {
  const fence = sign.repeat(Math.max(length, longestRun(source, sign) + 1));
  const code = source === "" ? [] : source.split("\n").map((line) => (line === "" ? margin.trimEnd() : margin + line));
  return [`${first}${fence}${info}`, ...code, `${margin}${fence}`].map((line) => `${line}\n`).join("");
}

/** What the block's first line tells: its fence, what stands before it, and the margin of lines inside and ahead of its list item. */
function anatomy(raw) {
  const [, first, fence, info] = /^([^\n]*?)(`{3,}|~{3,})([^\n]*)/.exec(raw);
  const marker = first.search(/[^\s>]/); // of a list: "- ", "1. "
  return {
    first, info, sign: fence[0], length: fence.length,
    margin: marker < 0 ? first : first.replace(/[^\s>]/g, " "),
    ahead: marker < 0 ? first : first.slice(0, marker),
  };
}

/** The cells of no note. */
export const joinCells = (cells) => cells.map(({ source }) => fenced(source)).join("\n");

/**
 * cells: [{source, block?}] in order; block: which of the note's blocks the cell was (one of them has to be), none for a cell that
 * the reader put between. The prose stays where it is. A block that was moved, and a cell of the reader's, follows the one above it.
 */
export function joinNote({ prose, blocks, eol }, cells) {
  const settled = longestRise(cells.map(({ block }) => block).filter((block) => block !== undefined));
  const slots = blocks.map(() => []);
  let slot = settled[0];
  for (const cell of cells) {
    const stays = settled.includes(cell.block);
    if (stays) slot = cell.block;
    slots[slot].push({ ...cell, stays });
  }
  const text = prose.map((before, at) => before + (slots[at] ? fill(blocks[at], slots[at], blocks[at - 1]) : "")).join("");
  return eol === "\n" ? text : text.replaceAll("\n", eol);
}

/** What stands where the block stood: one cell that stays, and those that follow it or, at the head of a note, come before it. */
function fill({ raw, source, open }, cells, above) {
  if (!cells.length) return above?.open ? "" : "\n"; // the prose on both sides must not grow together, an open fence above not at all
  const { ahead, ...form } = anatomy(raw);
  const place = cells.findIndex(({ stays }) => stays);
  const guest = (cell, margin) => fenced(cell.source, { margin });
  const gap = (margin) => `${margin.trimEnd()}\n`;
  const before = cells.slice(0, place).map((cell) => guest(cell, ahead) + gap(ahead));
  const after = cells.slice(place + 1).map((cell) => gap(form.margin) + guest(cell, form.margin));

  const untouched = cells[place].source === source && !(open && after.length); // an open fence would take in what follows
  const own = untouched ? raw : fenced(cells[place].source, form);
  const line = own.replace(/\n$/, ""); // the last line of a note may have no end
  return [...before, line, after.length || raw.endsWith("\n") ? "\n" : "", ...after].join("");
}

/** The longest part of `numbers` that rises, order kept. */
function longestRise(numbers) {
  const chains = []; // the longest that ends at each number
  for (const number of numbers) {
    const before = chains.filter((chain) => chain.at(-1) < number);
    chains.push([...before.reduce((best, chain) => (chain.length > best.length ? chain : best), []), number]);
  }
  return chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);
}
