const LEAST = 120; // narrower than this, a box is one that shrinks to its content and says nothing of the room there is

function innerWidth(node) {
  const { paddingLeft, paddingRight } = getComputedStyle(node);
  return node.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
}

/**
 * Watches how wide an element may become without widening the boxes around it, whatever it holds now: `changed(width)`.
 * Returns { width, stop }.
 */
export function watchRoom(element, changed) {
  const room = { width: 0, stop: () => observer.disconnect() };
  const known = new Map(); // box -> its width when last heard of
  const observer = new ResizeObserver((entries) => {
    const news = entries.filter(({ target, contentRect }) => known.get(target) !== contentRect.width);
    if (!news.length) return; // only higher: to measure makes the browser lay out the page, once a picture
    for (const { target, contentRect } of news) known.set(target, contentRect.width);
    const before = room.width;
    measure();
    if (room.width !== before) changed(room.width);
  });

  function measure() {
    element.style.contain = "inline-size"; // counts as empty while the boxes around it are measured
    for (let node = element.parentElement; node; node = node.parentElement) {
      room.width = innerWidth(node) || 0; // of what is not on the page yet, nothing is known
      if (!known.has(node)) {
        known.set(node, room.width);
        observer.observe(node);
      }
      if (room.width >= LEAST) break;
    }
    element.style.contain = "";
  }

  measure();
  return room;
}
