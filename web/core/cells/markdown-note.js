// A Markdown note taken apart: prose, Python block, prose, …, prose. Put back together (markdown-join.js) it is the same text.
// markdown-it says where the fences are; it is fetched when the first note comes.

/** The language of a fence's info string: "python", "Python title=x", "py {1,3}", "{.python3 #a}"; not "python-repl" or "pycon". */
const PYTHON = /^\{?\s*\.?(?:python3?|py)(?![\w+#-])/i;

/**
 * splitNote(text) -> {prose: [string], blocks: [{raw, source}], eol}; there is one more prose than blocks.
 * raw: the block's lines as the note has them, fences and margin (of a list, a quotation) included; source: the code alone;
 * open: nobody closed the fence.
 */
export async function splitNote(text) {
  const { default: MarkdownIt } = await import("../../vendor/markdown-it.js");
  const parser = new MarkdownIt("commonmark");
  parser.core.ruler.enableOnly(["normalize", "block"]);

  const plain = text.replace(/\r\n?/g, "\n");
  const lines = plain.split(/(?<=\n)/);
  const fences = parser.parse(withoutFrontMatter(lines).join(""), {})
    .filter(({ type, info }) => type === "fence" && PYTHON.test(info.trim()));

  const prose = [];
  const blocks = [];
  let at = 0;
  for (const { map: [from, to], content } of fences) {
    const mark = from === 0 && plain.startsWith("\uFEFF") ? 1 : 0; // a byte order mark belongs to no block
    prose.push(lines.slice(at, from).join("") + plain.slice(0, mark));
    const source = content.replace(/\n$/, "");
    const open = to - from - 1 === (content ? source.split("\n").length : 0);
    blocks.push({ raw: lines.slice(from, to).join("").slice(mark), source, open });
    at = to;
  }
  prose.push(lines.slice(at).join(""));
  return { prose, blocks, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** The lines with YAML properties at the head left blank: what looks like a fence in there is none. */
function withoutFrontMatter(lines) {
  const [first = "", ...rest] = lines;
  const bare = first.replace(/^\uFEFF/, "");
  const end = /^---[ \t]*\n/.test(bare) ? rest.findIndex((line) => /^(?:---|\.\.\.)[ \t]*\n?$/.test(line)) : -1;
  return end < 0 ? [bare, ...rest] : [...Array(end + 2).fill("\n"), ...rest.slice(end + 1)];
}
