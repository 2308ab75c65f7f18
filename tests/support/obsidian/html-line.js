// Which printed line becomes HTML. The plugin's pattern backtracks: on a line that begins `<tag ` and is no one-line
// element it takes about 2^spaces steps. So the same question is answered in linear time first, and the pattern is
// only let loose on lines that it cannot choke on.
const HTML_LINE = /^\s*<([A-Za-z_][\w-]*)(\s+[^>]+)*>.*<\/\1>\s*$/;
const OPENING = /^\s*<([A-Za-z_][\w-]*)([^>]*)>/;

window.htmlLine = {
  /** What the pattern would say. */
  isElement(line) {
    const [opening, tag, attributes] = OPENING.exec(line) ?? [];
    if (opening === undefined || !/^(\s[^]|$)/.test(attributes)) return false;
    const rest = line.slice(opening.length).trimEnd();
    return rest.endsWith(`</${tag}>`) && !/[\n\r\u2028\u2029]/.test(rest);
  },

  /** Whether the pattern would backtrack on it without end. */
  chokes(line) {
    return /^\s*<[A-Za-z_][\w-]*\s/.test(line) && !this.isElement(line);
  },

  /** The plugin's own way, and its milliseconds; a line it would choke on is not given to it. */
  ask(line) {
    if (this.chokes(line)) return { html: false, chokes: true, milliseconds: 0 };
    const start = performance.now();
    const html = HTML_LINE.test(line);
    return { html, chokes: false, milliseconds: performance.now() - start };
  },

  /** The pattern itself, for those who know that the line is short. */
  pattern: HTML_LINE,
};
