// A lab's default result, computed by CPython when the page was built: shown until the reader's own Python is there.
import { site } from "../../site.js";
import { unpack } from "../engine/values.js";

const base = new URL("data/", site);

/** What a lab shows before Python runs: {stored, sources}, its default result and its source. */
export async function loadStored(lab, language) {
  const [stored, sources] = await Promise.all([loadPrecomputed(lab, language), loadSources(lab)]);
  return { stored, sources };
}

export async function loadPrecomputed(lab, language) {
  const [described, buffer] = await Promise.all([
    read(`${lab}.${language}.json`).then((response) => response.json()),
    read(`${lab}.${language}.bin`).then((response) => response.arrayBuffer()),
  ]);
  const { params, defaults, meta, lines, note, kernels } = described;
  return { params, defaults, lines, note, kernels, language, values: unpack(meta, new Float32Array(buffer)) };
}

/** [{module, source}]: the lab's own file first, then what it imports. */
export async function loadSources(lab) {
  return (await read(`${lab}.sources.json`)).json();
}

async function read(name) {
  const response = await fetch(new URL(name, base));
  if (!response.ok) throw new Error(`data/${name}: the server answered ${response.status}`);
  return response;
}
