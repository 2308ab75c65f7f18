// What the page takes of d3-scale-chromatic; build.py bundles it into web/vendor/colors.js.
export { interpolateRdBu, interpolateViridis } from "d3-scale-chromatic";
