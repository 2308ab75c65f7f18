// Code copied from a web page often brings along what is no code: line numbers, prompts, fences, typographic quotes.
//
// cleanPaste(text) -> {text, what}: `what` names the first cleaning made (a text key under cells.cleaned), null when the text is
// returned as it came. Valid Python stays untouched, with one exception: numbers alone on every second line are valid
// too (expression statements), but 1, 2, 3 ... in step with lines of code between them can only be line numbers.
import { pythonLanguage } from "../../vendor/codemirror.js";
import { continuedNumbers, interleavedNumbers, prefixedNumbers } from "./paste-numbers.js";

const FENCE = /^\s*(```+|~~~+)/;
const PROMPT = /^(?:>>>|\.\.\.|In \[\d+\]:| {2,}\.\.\.:)(?: |$)/;
const FIRST_PROMPT = /^(?:>>>|In \[\d+\]:)/;
const SPACES = /[\u00a0\u2002-\u200a\u202f\u3000]/g;
const ZERO_WIDTH = /[\u200b-\u200d\ufeff]/g;
const QUOTES = { "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'" };

const IDENTIFIER = /^[\p{ID_Start}_]\p{ID_Continue}*$/u;

const tree = (text) => pythonLanguage.parser.parse(text);

/** The parser is made for editors and forgives what Python does not: odd names, `12: x = 1`, `1| x = 1`, `1. x`. */
function isWrong({ type, name, node, from, to }, text) {
  if (name === "VariableName" || name === "PropertyName") return !IDENTIFIER.test(text.slice(from, to));
  if (name === "AssignStatement") return ["Number", "BinaryExpression"].includes(node.firstChild?.name);
  if (name === "MemberExpression") return node.firstChild?.name === "Number";
  return type.isError;
}

function parses(text) {
  let right = true;
  tree(text).iterate({ enter: (node) => right && (right = !isWrong(node, text)) });
  return right;
}

/** Valid as a module, or as the inside of a list, a call or a dict: the reader may paste a part. */
const valid = (text) => parses(text) || parses(`[${text}\n]`) || parses(`{${text}\n}`);
const unlessValid = (clean) => (text) => {
  const cleaned = clean(text);
  return cleaned === null || valid(text) ? null : cleaned;
};

function fence(text) {
  const lines = text.trim().split("\n");
  const mark = FENCE.exec(lines[0])?.[1];
  const inside = lines.slice(1, -1);
  if (!mark || lines.length < 2 || lines.at(-1).trim() !== mark || inside.some((line) => FENCE.test(line))) return null;
  return inside.join("\n");
}

/** A console session: the lines with a prompt are the code, the others what it printed. (`In [1]: x` would be valid, and absurd.) */
function prompts(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  if (!FIRST_PROMPT.test(lines[0] ?? "")) return null;
  return lines.filter((line) => PROMPT.test(line)).map((line) => line.replace(PROMPT, "")).join("\n");
}

/** A selection that began after the number 1 could be code with numbers in it: `x = [⏎2⏎]`. The syntax tree tells. */
function continued(text) {
  const found = continuedNumbers(text);
  if (!found || !parses(found.code)) return null;
  const parsed = tree(text);
  const bare = (at) => {
    const node = parsed.resolveInner(at, 1);
    return node.name === "Number" && node.parent.name === "ExpressionStatement";
  };
  return !parses(text) || found.numbersAt.every(bare) ? found.code : null;
}

/** Replaces in code only, never in a string or a comment, and only if that makes a broken text parse. */
const repair = (...changes) => (text) => {
  const replace = (code) => changes.reduce((changed, [pattern, by]) => changed.replace(pattern, by), code);
  if (replace(text) === text || parses(text)) return null;
  let repaired = "";
  let done = 0;
  tree(text).iterate({
    enter({ name, from, to }) {
      if (name !== "String" && name !== "FormatString" && name !== "Comment") return true;
      repaired += replace(text.slice(done, from)) + text.slice(from, to);
      done = to;
      return false;
    },
  });
  repaired += replace(text.slice(done));
  return parses(repaired) ? repaired : null;
};

const STEPS = [
  ["fence", unlessValid(fence)],
  ["numbered_lines", (text) => interleavedNumbers(text) ?? continued(text)],
  ["numbered_prefix", unlessValid(prefixedNumbers)],
  ["prompts", prompts],
  ["spaces", repair([ZERO_WIDTH, ""], [SPACES, " "])],
  ["quotes", repair([ZERO_WIDTH, ""], [SPACES, " "], [/[“”„‘’‚]/g, (quote) => QUOTES[quote]])],
];

export function cleanPaste(text) {
  let what = null;
  for (const [name, clean] of STEPS) {
    const cleaned = clean(text);
    if (cleaned === null || cleaned === text) continue;
    text = cleaned;
    what ??= name;
  }
  return { text, what };
}
