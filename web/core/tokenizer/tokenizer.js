// A tokenizer.json, as Hugging Face keeps it, becomes functions. The library that reads it is fetched when it is used.
import { bertText } from "./bert-text.js";

const PARTS = ["model", "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder"];
let library = null;

/** Why a file is no tokenizer: a text key below tokenizer.refused, and its values. */
export class NoTokenizer extends Error {
  constructor(why, vars) {
    super(`${why}: ${Object.values(vars).join(", ")}`);
    Object.assign(this, { name: "NoTokenizer", why, vars });
  }
}

/**
 * text: of tokenizer.json; configText: of tokenizer_config.json, if there is one
 * -> {encode(text, second?) -> {ids: [number], tokens: [string]}, decode(ids) -> text}, with the model's special tokens around it
 */
export async function fromTokenizerJson(text, configText = "{}") {
  const [json, config] = [table(text, "tokenizer.json"), table(configText, "tokenizer_config.json")];
  const missing = PARTS.find((part) => !(part in json));
  if (missing) throw new NoTokenizer("missing", { file: "tokenizer.json", part: missing });
  const { Tokenizer } = await fetched();
  let tokenizer;
  try {
    tokenizer = new Tokenizer(json, { clean_up_tokenization_spaces: false, ...config });
  } catch ({ message }) {
    throw new NoTokenizer("unknown", { file: "tokenizer.json", reason: message });
  }
  if (json.normalizer?.type === "BertNormalizer") tokenizer.normalizer = bertText(json.normalizer);
  return {
    encode(text, second) {
      const { ids, tokens } = tokenizer.encode(text, { text_pair: second ?? null });
      return { ids, tokens };
    },
    decode(ids) {
      return ids.length ? tokenizer.decode(Array.from(ids), { skip_special_tokens: true }) : "";
    },
  };
}

function table(text, file) {
  let json;
  try {
    json = JSON.parse(text);
  } catch ({ message }) {
    throw new NoTokenizer("not_json", { file, reason: message });
  }
  if (json === null || typeof json !== "object" || Array.isArray(json)) throw new NoTokenizer("not_json", { file, reason: text.slice(0, 20) });
  return json;
}

async function fetched() {
  try {
    return await (library ??= import("../../vendor/tokenizers.js"));
  } catch ({ message }) {
    library = null; // the next call asks anew
    throw new NoTokenizer("no_library", { file: "tokenizers.js", reason: message });
  }
}
