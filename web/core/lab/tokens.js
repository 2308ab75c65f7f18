// Text to tokens: each Chinese character, kana, Hangul syllable, emoji or mark by itself; letters and digits that touch are
// one word (don't, e.g. and well-known stay whole).

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const LONE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const WORDLIKE = /^[\p{L}\p{N}_]/u;
const INNER = /^['’.-]$/;
const inWord = (grapheme) => grapheme !== undefined && WORDLIKE.test(grapheme) && !LONE.test(grapheme);

export function split(text) {
  const parts = Array.from(graphemes.segment(text), ({ segment }) => segment);
  const tokens = [];
  let word = "";
  const close = () => {
    if (word) tokens.push(word);
    word = "";
  };
  parts.forEach((part, at) => {
    if (inWord(part) || (word && INNER.test(part) && inWord(parts[at + 1]))) {
      word += part;
      return;
    }
    close();
    if (part.trim()) tokens.push(part);
  });
  close();
  return tokens;
}

const keepsApart = (left, right) => {
  const again = split(left + right);
  return again.length === 2 && again[0] === left && again[1] === right;
};

/** A text that splits into these tokens: a space where two would run together, and before a word after a Latin mark. */
export function join(tokens) {
  return tokens.reduce((text, token, at) => {
    if (at === 0) return token;
    const before = tokens[at - 1];
    const afterMark = inWord(token) && /^[,.;:!?)\]"”'’-]$/.test(before);
    return text + (keepsApart(before, token) && !afterMark ? "" : " ") + token;
  }, "");
}
