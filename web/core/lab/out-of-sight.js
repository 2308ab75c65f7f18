// A lab out of sight is neither laid out nor painted while another one's slider moves: that is most of a change's work. The browser
// keeps the height it last had, so it rests only when it was laid out: else whoever jumps to a lab would land beside it.
import { onLanguage } from "../text.js";

const PAUSE = 1000; // ms; by then its pictures are there

export function restOutOfSight(element) {
  let [known, timer] = [null, 0];
  const layOutAnew = () => {
    element.removeAttribute("data-rests");
    clearTimeout(timer);
    timer = setTimeout(() => element.setAttribute("data-rests", ""), PAUSE);
  };
  new ResizeObserver(([{ contentRect: { width } }]) => {
    if (width !== known) layOutAnew();
    known = width;
  }).observe(element);
  onLanguage(layOutAnew);
}
