/**
 * Compiles while the bytes arrive, and from a response, of which the browser keeps the optimised code for the next visit; what comes
 * of it is given out only when the hash of these bytes was right.
 */
export function createCompiler() {
  let streamed;
  return {
    watch(response) {
      streamed = WebAssembly.compileStreaming(response.clone());
      streamed.catch(() => {});
    },
    /** arriving: Promise of the verified bytes. */
    async module(arriving) {
      const bytes = await arriving;
      // Some servers do not call it application/wasm, and a worker that follows another one has no response.
      return (streamed ?? Promise.reject()).catch(() => WebAssembly.compile(bytes));
    },
  };
}
