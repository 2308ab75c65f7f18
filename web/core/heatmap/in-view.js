// Which pictures are near what the reader sees: the others can wait.
const MARGIN = "50%"; // of the window's height, so that a picture is there before it scrolls into sight
const watched = new WeakMap();

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
}, { rootMargin: `${MARGIN} 0px` });

/** Returns {near, stop}: near until the browser says otherwise; came() is called when it comes near again. */
export function watchView(element, came) {
  const view = { near: true, stop: () => observer.unobserve(element) };
  watched.set(element, (near) => {
    view.near = near;
    if (near) came();
  });
  observer.observe(element);
  return view;
}
