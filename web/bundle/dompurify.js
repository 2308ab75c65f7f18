// What the page takes of DOMPurify; build.py bundles it into web/vendor/dompurify.js.
export { default } from "dompurify";
