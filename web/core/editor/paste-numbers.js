// Line numbers that a web page's code block leaves in the clipboard. Each function returns null when the text is not
// numbered soundly: consecutive numbers, at least two lines of code, most of them more than numbers.
const ALONE = /^[ \t\u00a0]*(\d{1,6})[ \t\u00a0]*$/;
const PREFIX = /^[ \t\u00a0]*(\d{1,6})(?:[ \t]+[|│][ \t]?|[:.|)│]?[ \t\u00a0]|[:.|)│]?$|[:|│])/;

const numberAlone = (line) => (ALONE.test(line) ? Number(ALONE.exec(line)[1]) : null);

/** A column of plain numbers is data, not code. */
function isCode(lines) {
  const full = lines.filter((line) => line.trim());
  const code = full.filter((line) => /[^\s\d.,;:eE+-]/.test(line));
  return lines.length > 1 && code.length > 0 && code.length * 2 >= full.length;
}

/** `1⏎import x⏎2⏎⏎3⏎y = x` -> the code. Blank lines of code are blank lines here, or missing. */
export function interleavedNumbers(text) {
  const lines = text.split("\n");
  lines.splice(0, Math.max(0, lines.findIndex((line) => line.trim())));
  const start = numberAlone(lines[0]);
  if (start === null) return null;
  const code = alternating(lines, start) ?? withoutBlanks(lines, start);
  return code && isCode(code) ? code.join("\n") : null;
}

/** A selection that began after the first number, `import x⏎2⏎⏎3⏎y = x` -> {code, numbersAt: offsets in the text} */
export function continuedNumbers(text) {
  const lines = text.split("\n");
  const code = numberAlone(lines[0]) === null && lines.length > 3 ? alternating(["1", ...lines], 1) : null;
  if (!code || !isCode(code)) return null;
  const numbersAt = [];
  let offset = 0;
  lines.forEach((line, at) => {
    if (at % 2 && numberAlone(line) !== null) numbersAt.push(offset + line.search(/\d/));
    offset += line.length + 1;
  });
  return { code: code.join("\n"), numbersAt };
}

/** number, line, number, line ...; blank lines after the last are no part of the code */
function alternating(lines, start) {
  const code = [];
  for (let at = 0; at < lines.length; at += 2) {
    if (lines.slice(at).every((line) => !line.trim())) break;
    if (numberAlone(lines[at]) !== start + code.length) return null;
    code.push(lines[at + 1] ?? "");
  }
  return code;
}

/** The same where the page dropped the blank lines of code, or set blank lines between all others. */
function withoutBlanks(lines, start) {
  const code = [];
  for (const line of lines) {
    if (numberAlone(line) === start + code.length) code.push("");
    else if (line.trim() && code.at(-1) === "") code[code.length - 1] = line;
    else if (line.trim()) return null;
  }
  return code.filter((line) => line).length * 2 >= code.length ? code : null;
}

/** `1 import x`, `12: y`, ` 3| z`, `4` (a blank line) -> the code */
export function prefixedNumbers(text) {
  const lines = text.trimEnd().split("\n");
  const numbers = lines.map((line) => PREFIX.exec(line));
  if (!numbers.every((match, at) => match && Number(match[1]) === Number(numbers[0][1]) + at)) return null;
  const code = lines.map((line, at) => line.slice(numbers[at][0].length));
  if (!isCode(code)) return null;
  // the page may have set the numbers apart by more than one space
  const indents = code.filter((line) => line.trim()).map((line) => /^[ \u00a0]*/.exec(line)[0].length);
  return code.map((line) => line.slice(Math.min(...indents))).join("\n");
}
