// Which part of a checkpoint a file is, by the name that Hugging Face gives it; a browser may have added "(1)".
const PARTS = [
  ["tokenizerConfig", /tokenizer_config\.json$/],
  ["other", /(generation|preprocessor|processor|sentence_bert|config_sentence_transformers|adapter)_?config.*\.json$|special_tokens_map\.json$|added_tokens\.json$|modules\.json$|\.md$|\.txt$(?<!vocab\.txt|merges\.txt)/],
  ["split", /-\d+-of-\d+\.safetensors$|\.safetensors\.index\.json$/],
  ["weights", /\.safetensors$/],
  ["tokenizer", /tokenizer\.json$/],
  ["vocabTxt", /vocab\.txt$/],
  ["vocabJson", /vocab\.json$/],
  ["merges", /merges\.txt$/],
  ["config", /config\.json$/],
  ["pickled", /\.(bin|pt|pth|ckpt|h5|msgpack|onnx|gguf|pkl|npz)$/],
];

const plain = (name) => name.toLowerCase().replace(/[ _]?\(\d+\)(?=\.)/, "");

/** "weights", "config", "tokenizer", …; "split" and "pickled" are no form that is read here, "other" is not needed, null is unknown. */
export const partOf = (name) => PARTS.find(([, pattern]) => pattern.test(plain(name)))?.[0] ?? null;

/** What a set of parts still lacks: ["weights", "config", "tokenizer", "merges", "vocabJson"]. parts: Map part -> File */
export function missing(parts, { wantsTokenizer }) {
  const lacking = ["weights", "config"].filter((part) => !parts.has(part));
  if (!wantsTokenizer || parts.has("tokenizer") || parts.has("vocabTxt")) return lacking;
  const [vocabulary, merges] = [parts.has("vocabJson"), parts.has("merges")];
  if (vocabulary && merges) return lacking;
  return [...lacking, vocabulary ? "merges" : merges ? "vocabJson" : "tokenizer"];
}
