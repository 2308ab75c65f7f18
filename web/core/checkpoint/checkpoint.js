// A lab's checkpoint: collects its files, has them opened, and gives run() its parameters. What was there before stays in use
// until something better is; a file that is refused can be replaced alone.
import { latest } from "../lab/latest.js";
import { droppedFiles } from "./dropped-files.js";
import { createPanel } from "./panel.js";
import { missing, partOf } from "./parts.js";
import { readTokenizer } from "./tokenizer-files.js";

/**
 * definition: {families: ["…"], encode: {parameter: (params) => text or [text, second text]}} of a lab; the parameters of `encode`
 * get the tokens' numbers. root: where files may be dropped; onChange(name) hears what the parameter `checkpoint` is now.
 */
export function createCheckpoint(root, { families, encode = {} }, { lab, engine, onChange }) {
  const wantsTokenizer = Object.keys(encode).length > 0;
  let parts = new Map(); // part -> File, those that were dropped so far
  let used = null; // {name, tokenizer, parts}
  let count = 0;
  const panel = createPanel({ id: `${lab}-checkpoint`, families, wantsTokenizer, onFiles: take, onRandom: leave });
  panel.used(null);
  panel.step("quiet");
  watchDrops(root, take);

  const load = latest(async (superseded, wanted) => {
    const file = wanted.get("weights");
    panel.step("reading", { file });
    try {
      const tokenizer = wantsTokenizer ? await readTokenizer(wanted) : null;
      const name = `${file.name} (${lab} ${(count += 1)})`;
      const texts = { config: await wanted.get("config").text(), families, ...(tokenizer && { tokenizer: tokenizer.json }) };
      const facts = await engine.bring(name, file, texts);
      if (superseded() || wanted !== parts) return engine.forget(name);
      use({ name, tokenizer, parts: wanted, file, facts });
    } catch (error) {
      if (superseded() || wanted !== parts) return;
      tell();
      panel.error(reasonOf(error));
    }
  });

  function use(next) {
    const before = used;
    used = next;
    panel.error(null);
    panel.used(used?.file ?? null);
    tell();
    onChange(used?.name ?? "");
    if (before) engine.forget(before.name).catch(() => {}); // Python did not start: then it has nothing
  }

  function tell() {
    panel.files(parts);
    const lacking = missing(parts, { wantsTokenizer });
    if (used?.parts === parts) panel.step("used", { file: used.file, ...used.facts });
    else if (parts.size && lacking.length) panel.step("missing", { parts: lacking });
    else panel.step("quiet");
  }

  function take(files) {
    const sorted = files.map((file) => [partOf(file.name), file]);
    const good = sorted.filter(([part]) => part && !["split", "pickled", "other"].includes(part));
    panel.open();
    panel.left(sorted.filter((entry) => !good.includes(entry)).map(([part, file]) => [part ?? "unknown", file.name]));
    if (!good.length) return;
    // New weights begin a new set; anything else replaces its like.
    const begins = used?.parts === parts && good.some(([part]) => part === "weights");
    parts = new Map([...(begins ? [] : parts), ...good]);
    panel.error(null);
    tell();
    if (!missing(parts, { wantsTokenizer }).length) load(parts);
  }

  function leave() {
    parts = new Map();
    panel.left([]);
    use(null);
  }

  return {
    element: panel.element,
    /** What run() is called with beside the lab's own parameters: {} for random weights. */
    encoded(params) {
      if (!used || params.checkpoint !== used.name) return {};
      return Object.fromEntries(Object.entries(encode).map(([name, textOf]) => {
        const texts = textOf(params);
        return [name, used.tokenizer.encode(...(Array.isArray(texts) ? texts : [texts])).ids];
      }));
    },
  };
}

/** As the panel's error() takes it. */
function reasonOf(error) {
  if (error.name === "NoTokenizer") return [`tokenizer.refused.${error.why}`, error.vars];
  if (error.name === "NotReadableError" || error.name === "NotFoundError") return ["checkpoint.unreadable", {}];
  if (error.stage) return ["lab.noPython", {}];
  return error.message;
}

function watchDrops(root, onFiles) {
  const carriesFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files") && !dataTransfer.types.includes("text/html");
  const mark = (over) => root.toggleAttribute("data-files-over", over);
  root.dataset.takesFiles = "";
  const over = (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    mark(true);
  };
  const drop = async (event) => {
    mark(false);
    if (!carriesFiles(event)) return;
    event.preventDefault();
    event.stopPropagation(); // an editor would take in the file's text
    onFiles(await droppedFiles(event.dataTransfer));
  };
  const leave = ({ relatedTarget }) => root.contains(relatedTarget) || mark(false);
  for (const [name, listener] of Object.entries({ dragenter: over, dragover: over, dragleave: leave, drop })) root.addEventListener(name, listener, { capture: true });
}
