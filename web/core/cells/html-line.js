// A printed line that is, as a whole, <tag ...>...</tag> becomes HTML or SVG: the rule of Obsidian's Code Emitter.
import DOMPurify from "../../vendor/dompurify.js";

const purifier = DOMPurify(window);
const FORBIDDEN = ["style", "form", "input", "button", "select", "textarea", "audio", "video", "source", "track", "link"];
const LOCAL = /^\s*(?:#|data:image\/)/i;
/** Attributes that load what they name. A link (<a href>) loads nothing until the reader follows it. */
const LOADING = new Set(["src", "srcset", "poster", "background", "xlink:href"]);

purifier.addHook("uponSanitizeAttribute", (element, attribute) => {
  const { attrName: name, attrValue: value } = attribute;
  const loads = LOADING.has(name) || (name === "href" && element.localName !== "a");
  if (loads && !LOCAL.test(value)) attribute.keepAttr = false;
  if (!onlyLocalUrls(value)) attribute.keepAttr = false;
  // with an escape (`u\\72l(...)`) in it nothing is certain
  if (name === "style" && value.includes("\\")) attribute.keepAttr = false;
});
purifier.addHook("afterSanitizeAttributes", (element) => {
  if (element.localName === "a") element.setAttribute("rel", "noopener noreferrer");
  if (element.localName === "a" && element.hasAttribute("href")) element.setAttribute("target", "_blank");
});

/** `style="fill: url(#a)"` stays. */
function onlyLocalUrls(css) {
  if (/image-set|@import/i.test(css)) return false;
  return css.split(/url\(/i).slice(1).every((rest) => LOCAL.test(rest.replace(/^\s*["']?/, "")));
}

/** Looks at both ends only: linear in the line's length, whatever it holds. */
export function isHtmlLine(line) {
  const whole = line.trim();
  const tag = /^<([a-z][a-z0-9-]{0,40})[\s>]/i.exec(whole)?.[1];
  return tag !== undefined && whole.toLowerCase().endsWith(`</${tag.toLowerCase()}>`);
}

/** -> a sanitised fragment, or null when nothing of the line may be shown */
export function renderHtmlLine(line) {
  const fragment = purifier.sanitize(line, { RETURN_DOM_FRAGMENT: true, FORBID_TAGS: FORBIDDEN, ALLOW_DATA_ATTR: false });
  return fragment.childNodes.length ? fragment : null;
}
