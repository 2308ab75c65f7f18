// From nothing to a Python that can run labs, in four named stages: download, python, packages, kernels.
import { site as base } from "../site.js";
import { answerFetches } from "./answer-fetches.js";
import { download } from "./downloads.js";
import { later } from "./later.js";
import { place } from "./packages.js";
import { startPython } from "./start-python.js";
import { unzip } from "./unzip.js";

/** onStage({id, state: "running" | "done", ...}); a failure rejects with an error that has `stage`. */
export async function boot({ manifest, interrupts, kept = { files: {} } }, onStage) {
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

  let downloads;
  const downloaded = stage("download", (progress) => (downloads = download(manifest.boot, base, kept, progress)).all);
  // Python compiles while the rest still arrives. It may wait for ever for a file that failed: the race tells.
  const started = start({ manifest, base, downloads, stage, interrupts });
  started.catch(() => {});
  await Promise.race([started, downloaded.then(() => started)]);
  return started;
}

async function start({ manifest, base, downloads, stage, interrupts }) {
  const stopAnswering = answerFetches(downloads);
  try {
    // While Python starts.
    const unpacked = Promise.all(manifest.packages.map(async ({ name, path }) => [name, unzip(await downloads.get(base + path))]));
    unpacked.catch(() => {});
    const pyodide = await stage("python", () => startPython(manifest, base, downloads));
    if (interrupts) pyodide.setInterruptBuffer(interrupts);
    await stage("packages", async () => place(pyodide, await unpacked));
    const kernels = await stage("kernels", async (progress) => {
      progress({ step: manifest.wheel });
      const bridge = pyodide.pyimport("seeformer.bridge");
      return { bridge, versions: bridge.start(Boolean(manifest.network)) };
    });
    return { ...kernels, later: later(pyodide, kernels.bridge, manifest, base), kept: await downloads.hand() };
  } finally {
    stopAnswering();
  }
}
