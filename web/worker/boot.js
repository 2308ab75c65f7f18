// From nothing to a Python that can run labs, in four named stages: download, python, packages, kernels.
import { site as base } from "../site.js";
import { answerFetches } from "./answer-fetches.js";
import { download } from "./downloads.js";
import { fetchPackages, later } from "./later.js";
import { loadManifest } from "./manifest.js";
import { place } from "./packages.mjs";
import { startPython } from "./start-python.js";
import { unzip } from "./unzip.mjs";

/** onStage({id, state: "running" | "done", ...}); a failure rejects with an error that has `stage`. */
export async function boot(kept = { files: {}, compiled: {} }, onStage) {
  const stage = async (id, work) => {
    onStage({ id, state: "running" });
    try {
      const result = await work((progress) => onStage({ id, state: "running", ...progress }));
      onStage({ id, state: "done" });
      return result;
    } catch (error) {
      throw Object.assign(error, { stage: error.stage ?? id });
    }
  };

  const manifest = await loadManifest();
  let downloads;
  const downloaded = stage("download", (progress) => (downloads = download(manifest.boot, base, kept, progress)).all);
  // Python compiles while the rest still arrives. It may wait for ever for a file that failed: the race tells.
  const started = start({ manifest, base, downloads, stage });
  started.catch(() => {});
  await Promise.race([started, downloaded.then(() => started)]);
  return started;
}

async function start({ manifest, base, downloads, stage }) {
  const stopAnswering = answerFetches(downloads);
  try {
    // While Python starts.
    const unpacked = Promise.all([
      ...manifest.packages.map(async ({ name, path }) => [name, unzip(await downloads.get(base + path))]),
      // Copies: these bytes go on to the page.
      Promise.all(manifest.modules.map(async ({ path, file }) => [file, (await downloads.get(base + path)).slice()])).then((files) => ["numpy", files]),
    ]);
    unpacked.catch(() => {});
    const { pyodide, restored } = await stage("python", () => startPython(manifest, base, downloads));
    await stage("packages", async () => {
      place(pyodide, await unpacked);
      if (!restored) place(pyodide, await fetchPackages(manifest.later.packages.filter(({ name }) => name === "numpy"), base)); // the image has it
    });
    const kernels = await stage("kernels", async (progress) => {
      progress({ step: manifest.wheel });
      const bridge = pyodide.pyimport("seeformer.bridge");
      return { bridge, versions: bridge.start(Boolean(manifest.network)) };
    });
    const stopWith = (interrupts) => interrupts && pyodide.setInterruptBuffer(interrupts);
    return { ...kernels, stopWith, later: later(pyodide, kernels.bridge, manifest, base), kept: await downloads.hand() };
  } finally {
    stopAnswering();
  }
}
