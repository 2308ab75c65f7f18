// From nothing to a Python that can run labs, in four named stages: download, python, packages, kernels.
import { answerFetches } from "./answer-fetches.js";
import { download } from "./downloads.js";

/** onStage({id, state: "running" | "done", ...}); a failure rejects with an error that has `stage`. */
export async function boot({ manifest, interrupts }, onStage) {
  const base = new URL("../../", import.meta.url).href;
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
  const downloaded = stage("download", (progress) => (downloads = download(manifest.boot, base, progress)).all);
  // Python compiles while the rest still arrives. It may wait for ever for a file that failed: the race tells.
  const started = start(manifest, base, downloads, stage, interrupts);
  started.catch(() => {});
  await Promise.race([started, downloaded.then(() => started)]);
  return started;
}

async function start(manifest, base, downloads, stage, interrupts) {
  const indexURL = `${base}pyodide/`;
  const stopAnswering = answerFetches(downloads);
  try {
    const pyodide = await stage("python", async () => {
      // These two are imported by their address (a policy without blob: scripts), so they are only verified here.
      await Promise.all([downloads.get(`${indexURL}pyodide.mjs`), downloads.get(`${indexURL}pyodide.asm.mjs`)]);
      const { loadPyodide } = await import(`${indexURL}pyodide.mjs`);
      const lock = manifest.network ? "pyodide-lock.full.json" : "pyodide-lock.json";
      return loadPyodide({ indexURL, lockFileURL: indexURL + lock });
    });
    if (interrupts) pyodide.setInterruptBuffer(interrupts);

    await stage("packages", async (progress) => {
      const problems = [];
      await pyodide.loadPackage(manifest.packages, {
        messageCallback: (step) => progress({ step }),
        errorCallback: (problem) => problems.push(problem),
      });
      const absent = manifest.packages.filter((name) => !(name in pyodide.loadedPackages));
      if (absent.length) throw new Error(problems.join("; ") || `not loaded: ${absent.join(", ")}`);
    });

    const kernels = await stage("kernels", async (progress) => {
      progress({ step: manifest.wheel });
      const micropip = pyodide.pyimport("micropip");
      await micropip.install(base + manifest.wheel);
      micropip.destroy();
      const bridge = pyodide.pyimport("seeformer.bridge");
      return { bridge, versions: bridge.start(Boolean(manifest.network)) };
    });
    return { pyodide, ...kernels };
  } finally {
    stopAnswering();
  }
}
