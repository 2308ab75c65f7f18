// What BERT does to a text before it looks for word pieces: the same as py/seeformer/tokenizers/bert_text.py and Hugging Face's own.
// In the place of @huggingface/tokenizers' one, which goes by UTF-16 units, so that it takes ideographs beyond U+FFFF for halves,
// and by words, so that a capital sigma becomes another letter at the end of one.

const IDEOGRAPHS = [
  [0x4e00, 0x9fff], [0x3400, 0x4dbf], [0x20000, 0x2a6df], [0x2a700, 0x2b73f], [0x2b740, 0x2b81f], [0x2b920, 0x2ceaf],
  [0xf900, 0xfaff], [0x2f800, 0x2fa1f],
];
const GOES = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

const isIdeograph = (code) => IDEOGRAPHS.some(([first, last]) => first <= code && code <= last);
const alone = (character) => (isIdeograph(character.codePointAt(0)) ? ` ${character} ` : character);

/** The "normalizer" of a tokenizer.json, of type BertNormalizer -> function text -> text */
export const bertText = ({ clean_text, handle_chinese_chars, lowercase, strip_accents }) => (text) => {
  if (clean_text) text = text.replace(GOES, "").replace(/\s/gu, " ");
  if (handle_chinese_chars) text = Array.from(text, alone).join("");
  if (strip_accents ?? lowercase) text = text.normalize("NFD").replace(/\p{Mn}/gu, "");
  return lowercase ? Array.from(text, (character) => character.toLowerCase()).join("") : text;
};
