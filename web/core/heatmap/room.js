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
  const observer = new ResizeObserver(() => {
    const before = room.width;
    measure();
    if (room.width !== before) changed(room.width);
  });

  function measure() {
    element.style.contain = "inline-size"; // counts as empty while the boxes around it are measured
    for (let node = element.parentElement; node; node = node.parentElement) {
      observer.observe(node);
      room.width = innerWidth(node) || 0; // of what is not on the page yet, nothing is known
      if (room.width >= LEAST) break;
    }
    element.style.contain = "";
  }

  measure();
  return room;
}
