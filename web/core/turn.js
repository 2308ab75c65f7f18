// When a picture is drawn: in the next frame if it is near what the reader sees, else when the page is idle, or when it comes near.
import { notWhenIdle, whenIdle } from "./idle.js";

const MARGIN = "50%"; // of the window's height, so that a picture is there before it scrolls into sight
const watched = new WeakMap();

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
}, { rootMargin: `${MARGIN} 0px` });

/**
 * `draw` draws `element`, whatever has been asked for since it last did; `marked` says by data-stale that it has not yet.
 * Returns {ask(urgent), now(), end()}: an urgent one does not wait, wherever the picture is.
 */
export function turn(element, marked, draw) {
  let [near, asked, frame] = [true, false, 0]; // near until the browser says otherwise

  function forget() {
    cancelAnimationFrame(frame);
    notWhenIdle(now);
    [asked, frame] = [false, 0];
    marked.toggleAttribute("data-stale", false);
  }
  function now() {
    forget();
    return draw();
  }
  watched.set(element, (isNear) => {
    near = isNear;
    if (near && asked) now();
  });
  observer.observe(element);

  return {
    now,
    ask(urgent = false) {
      asked = true;
      if (near || urgent) return void (frame ||= requestAnimationFrame(now));
      marked.toggleAttribute("data-stale", true);
      whenIdle(now);
    },
    end() {
      forget();
      observer.unobserve(element);
    },
  };
}
