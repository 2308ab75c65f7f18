import katex from "../../vendor/katex.js";
import { h } from "../dom.js";

/** A formula as MathML: the browser draws it and screen readers read it, no fonts or styles needed. */
export function formula(tex, { display = false } = {}) {
  const holder = h("span", { class: "math" });
  const mathml = katex.renderToString(tex, { output: "mathml", displayMode: display, throwOnError: true });
  holder.innerHTML = mathml.replaceAll('<mi mathvariant="double-struck">R</mi>', "<mi>ℝ</mi>"); // browsers dropped mathvariant
  return holder;
}
