// onnxruntime-web in a page of its own; `peers/` is its folder of npm packages.
import { float32, runs } from "./turns.js";
export { look, measure } from "./turns.js";

const BUNDLES = { wasm: "ort.wasm.min.mjs", webgpu: "ort.webgpu.min.mjs" };
let ort;
let options;

export async function start(provider, threads) {
  ort = await import(`/peers/onnxruntime-web/dist/${BUNDLES[provider]}`);
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = "error";
  options = { executionProviders: [provider] };
  return threads === 1 || crossOriginIsolated;
}

/** `inputs`: {name: [url, shape]} of float32. */
export async function prepare(name, model, inputs) {
  const session = await ort.InferenceSession.create(model, options);
  const feeds = {};
  for (const [input, [url, shape]] of Object.entries(inputs)) feeds[input] = new ort.Tensor("float32", await float32(url), shape);
  runs[name] = async () => {
    const [output] = Object.values(await session.run(feeds));
    const numbers = await output.getData(); // on WebGPU they are still on their way
    return { data: () => numbers, dispose: () => output.dispose() };
  };
}
