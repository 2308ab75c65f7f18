// Files dropped anywhere on the page, with a hint while they are dragged over it. What has data-takes-files sees to its own.
import { h } from "../dom.js";

/** Files from outside: a picture of the page that is dragged carries a file too, and HTML. */
const carriesFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files") && !dataTransfer.types.includes("text/html");

/** onFiles([File]) -> the function that ends it */
export function watchDrops(onFiles) {
  const hint = h("div", { class: "drop-hint", hidden: true, "aria-hidden": "true" }, h("p", { text: ["cells.note.drop"] }));
  document.body.append(hint);

  const isOurs = (event) => carriesFiles(event) && !event.target.closest?.("[data-takes-files]");
  const over = (event) => {
    hint.hidden = true;
    if (!isOurs(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    hint.hidden = false;
  };
  const leave = ({ relatedTarget }) => { if (!relatedTarget) hint.hidden = true; };
  const drop = (event) => {
    hint.hidden = true;
    if (!isOurs(event)) return;
    event.preventDefault();
    event.stopPropagation(); // an editor would take in the file's text
    onFiles([...event.dataTransfer.files]);
  };
  const listeners = { dragenter: over, dragover: over, dragleave: leave, drop };
  for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener, { capture: true });
  return () => {
    for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener, { capture: true });
    hint.remove();
  };
}
