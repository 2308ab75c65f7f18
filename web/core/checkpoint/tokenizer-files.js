// A tokenizer of whichever files there are: tokenizer.json, or the older vocab.txt (WordPiece), or vocab.json with merges.txt
// (byte pairs), of which a tokenizer.json is made.
import { fromTokenizerJson, NoTokenizer } from "../tokenizer/tokenizer.js";

/** parts: Map part -> File -> {json, encode, decode}, or null if there is none */
export async function readTokenizer(parts) {
  const text = async (part) => (parts.has(part) ? parts.get(part).text() : null);
  const config = (await text("tokenizerConfig")) ?? "{}";
  const json = await tokenizerJson(text, parts, config);
  return json && { json, ...(await fromTokenizerJson(json, config)) };
}

async function tokenizerJson(text, parts, config) {
  if (parts.has("tokenizer")) return text("tokenizer");
  if (parts.has("vocabTxt")) return wordPieces(await text("vocabTxt"), parts.get("vocabTxt").name, table(config, "tokenizer_config.json"));
  if (!parts.has("vocabJson") || !parts.has("merges")) return null;
  return bytePairs(table(await text("vocabJson"), parts.get("vocabJson").name), await text("merges"));
}

const COMMON = { version: "1.0", truncation: null, padding: null, normalizer: null };
const special = (ids) => Object.entries(ids).map(([content, id]) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }));

function wordPieces(text, file, { do_lower_case }) {
  const tokens = text.replace(/\n$/, "").split("\n").map((line) => line.replace(/\r$/, ""));
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const there = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].filter((token) => Object.hasOwn(vocab, token));
  const part = ["[UNK]", "[CLS]", "[SEP]"].find((token) => !there.includes(token));
  if (part) throw new NoTokenizer("missing", { file, part });
  // Without a tokenizer_config.json the vocabulary tells: one of small letters has no A to Z.
  const lowercase = do_lower_case ?? !tokens.some((token) => !there.includes(token) && !/^\[unused\d+\]$/.test(token) && /[A-Z]/.test(token));
  return JSON.stringify({
    ...COMMON,
    added_tokens: special(Object.fromEntries(there.map((token) => [token, vocab[token]]))),
    normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: { type: "BertProcessing", sep: ["[SEP]", vocab["[SEP]"]], cls: ["[CLS]", vocab["[CLS]"]] },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: { type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 100, vocab },
  });
}

function bytePairs(vocab, text) {
  const bytes = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
  const merges = text.split("\n").map((line) => line.replace(/\r$/, "")).filter((line) => line && !line.startsWith("#version"));
  const end = "<|endoftext|>";
  return JSON.stringify({
    ...COMMON,
    added_tokens: special(Object.hasOwn(vocab, end) ? { [end]: vocab[end] } : {}),
    pre_tokenizer: bytes, post_processor: bytes, decoder: bytes,
    model: { type: "BPE", dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null, fuse_unk: false, byte_fallback: false, ignore_merges: false, vocab, merges },
  });
}

function table(text, file) {
  try {
    const json = JSON.parse(text);
    if (json !== null && typeof json === "object" && !Array.isArray(json)) return json;
  } catch {
    // told below
  }
  throw new NoTokenizer("not_json", { file, reason: text.slice(0, 20) });
}
