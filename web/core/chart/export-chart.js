// A chart as an SVG file of its own: what the page's style sheets gave it is written into its elements.
const MARGIN = 12;
const TITLE = 24;
const TAKEN = ["fill", "stroke", "color", "font-family", "font-size", "font-weight", "font-variant-numeric"];

function inline(from, to) {
  const style = getComputedStyle(from);
  for (const property of TAKEN) to.style.setProperty(property, style.getPropertyValue(property));
  [...from.children].forEach((child, at) => inline(child, to.children[at]));
}

/** -> { source, width, height }, like svg() of export-image.js. */
export function exported(svg, title) {
  const drawn = svg.cloneNode(true);
  inline(svg, drawn);
  for (const hidden of drawn.querySelectorAll("style")) hidden.remove();
  const [width, height] = ["width", "height"].map((side) => Number(svg.getAttribute(side)));
  const whole = document.createElementNS(svg.namespaceURI, "svg");
  const size = { width: width + 2 * MARGIN, height: height + TITLE + 2 * MARGIN };
  for (const [name, value] of Object.entries({ ...size, viewBox: `0 0 ${size.width} ${size.height}` })) whole.setAttribute(name, value);
  const style = getComputedStyle(svg);
  const paper = getComputedStyle(svg.closest("figure")).backgroundColor;
  const part = (tag, attributes, text = "") => {
    const element = document.createElementNS(svg.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  };
  drawn.setAttribute("x", MARGIN);
  drawn.setAttribute("y", MARGIN + TITLE);
  whole.append(
    part("rect", { ...size, fill: paper }),
    part("text", { x: MARGIN, y: MARGIN + 12, fill: style.color, "font-family": style.fontFamily, "font-size": 14, "font-weight": 600 }, title),
    drawn);
  return { source: new XMLSerializer().serializeToString(whole), ...size };
}
