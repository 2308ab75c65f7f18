// TensorFlow.js on wasm in a page of its own; `peers/` is its folder of npm packages.
import { float32, runs } from "./turns.js";
export { look, measure } from "./turns.js";

const script = (src) => new Promise((onload, onerror) => document.head.append(Object.assign(document.createElement("script"), { src, onload, onerror })));

export async function start(threads) {
  await script("/peers/@tensorflow/tfjs-core/dist/tf-core.min.js");
  await script("/peers/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js");
  tf.wasm.setWasmPaths("/peers/@tensorflow/tfjs-backend-wasm/dist/");
  tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", threads > 1);
  tf.wasm.setThreadsCount(threads);
  await tf.setBackend("wasm");
  await tf.ready();
  if (tf.getBackend() !== "wasm") throw new Error(`TensorFlow.js took ${tf.getBackend()}`);
  return threads === 1 || tf.wasm.getThreadsCount() === threads; // 4.22.0 says 1, whatever it was asked for
}

/** One run is `times` products, each with the one before. */
export async function prepare(name, times, inputs) {
  const [A, B] = await Promise.all(Object.values(inputs).map(async ([url, shape]) => tf.tensor(await float32(url), shape)));
  runs[name] = () => tf.tidy(() => {
    let product = tf.matMul(A, B);
    for (let time = 1; time < times; time++) product = tf.matMul(product, B);
    return product;
  });
}
