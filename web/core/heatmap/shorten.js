/** The longest beginning of `text` that fits `room` together with "…"; the text itself if it fits. `measure(text)` → px. */
export function shorten(text, room, measure) {
  if (measure(text) <= room) return text;
  const signs = [...text];
  let [fits, fails] = [0, signs.length];
  while (fails - fits > 1) {
    const middle = (fits + fails) >> 1;
    if (measure(signs.slice(0, middle).join("") + "…") <= room) fits = middle;
    else fails = middle;
  }
  return signs.slice(0, fits).join("") + "…";
}
