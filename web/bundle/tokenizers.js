// What the page takes of @huggingface/tokenizers; build.py bundles it into web/vendor/tokenizers.js.
export { Tokenizer } from "@huggingface/tokenizers";
