// What the page takes of markdown-it; build.py bundles it into web/vendor/markdown-it.js.
export { default } from "markdown-it";
