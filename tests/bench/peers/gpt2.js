// GPT-2 on onnxruntime-web in a page of its own: a text goes on, token by token, with the KV cache that each run gives back.
import { start as startRuntime } from "./ort.js";
import { memories } from "./wasm-memory.js";

let ort;
let session;
let shape; // of an empty cache

export async function start(threads) {
  const has = await startRuntime("wasm", threads);
  ort = await import("/peers/onnxruntime-web/dist/ort.wasm.min.mjs");
  return has;
}

export async function prepare(model, weights, emptyCache) {
  const externalData = [{ path: weights.split("/").pop(), data: weights }];
  session = await ort.InferenceSession.create(model, { executionProviders: ["wasm"], externalData });
  shape = emptyCache;
}

/** -> {times: ms of each step, tokens, logits: of each step, each `stride`-th}; the first step reads the prompt. */
export async function turn(prompt, steps, stride) {
  const told = { times: [], tokens: [], logits: [] };
  const cached = session.inputNames.filter((name) => name !== "ids");
  const feeds = Object.fromEntries(cached.map((name) => [name, new ort.Tensor("float32", new Float32Array(0), shape)]));
  let ids = prompt;
  for (let step = 0; step < steps; step++) {
    const begun = performance.now();
    feeds.ids = new ort.Tensor("int64", BigInt64Array.from(ids, BigInt), [ids.length]);
    const given = await session.run(feeds);
    const { data } = given.logits;
    const token = data.reduce((best, number, place) => (number > data[best] ? place : best), 0);
    for (const name of cached) feeds[name] = given[`${name}.all`];
    ids = [token];
    told.times.push(performance.now() - begun);
    told.tokens.push(token);
    told.logits.push([...data].filter((_, place) => place % stride === 0));
  }
  return told;
}

/** Bytes of the largest memory of wasm in this page. */
export const heap = () => Math.max(...memories.map((memory) => memory.buffer.byteLength));
