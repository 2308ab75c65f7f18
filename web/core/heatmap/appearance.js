// Tells pictures to repaint when their data stay and their looks change: light or dark, or another devicePixelRatio
// (zoom, or a window that moves to another screen).
const listeners = new Set();
const tell = () => listeners.forEach((listener) => listener());

function watchDensity() {
  const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  query.addEventListener("change", () => (watchDensity(), tell()), { once: true });
}

watchDensity();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
new MutationObserver(tell).observe(document.documentElement, { attributeFilter: ["data-theme"] });

/** Calls `listener()` after each change; returns the function that ends it. */
export function onAppearance(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
