// What the page takes of Observable Plot; build.py bundles it into web/vendor/plot.js.
export { areaY, axisX, axisY, barX, barY, dot, gridX, gridY, lineX, lineY, plot, pointer, rect, rectY, ruleX, ruleY, text, tip } from "@observablehq/plot";
