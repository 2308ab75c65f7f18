// While Python starts, its requests are answered with the verified bytes: nothing is loaded twice, and nothing that was
// not verified is used. Returns the function that ends this.
const TYPES = { wasm: "application/wasm", json: "application/json", zip: "application/zip", whl: "application/zip" };

export function answerFetches(downloads) {
  const original = globalThis.fetch;
  globalThis.fetch = async (input, options) => {
    const url = new URL(input?.url ?? input, globalThis.location.href).href;
    const bytes = await downloads.get(url);
    if (!bytes) return original(input, options);
    const type = TYPES[url.split(".").pop()] ?? "application/octet-stream";
    return new Response(bytes, { headers: { "Content-Type": type, "Content-Length": bytes.length } });
  };
  return () => {
    globalThis.fetch = original;
    downloads.forget(); // whoever kept the function above reaches the network through it from now on
  };
}
