// The checkpoints that the reader brought: Python has them as long as it lives, and one that follows gets them again before the
// first call that names one. A File crosses as a handle; the worker reads its bytes where they are.
import { EngineError } from "./engine-error.js";

/** session(): the one of now */
export function createCheckpoints(session) {
  const brought = new Map(); // name -> {file, texts}
  const given = new WeakMap(); // session -> names that it has

  async function give(name, { file, texts }) {
    const to = session();
    const { error, ...facts } = await to.bring(name, file, texts);
    if (error) throw new EngineError(error);
    given.set(to, new Set(given.get(to)).add(name));
    return facts;
  }

  return {
    /** texts: JSON of {config, tokenizer?, families?} -> a promise of {family, parameters} */
    async bring(name, file, texts) {
      const facts = await give(name, { file, texts });
      brought.set(name, { file, texts });
      return facts;
    },
    /** Before a call with this parameter `checkpoint`. */
    async ready(name) {
      if (brought.has(name) && !given.get(session())?.has(name)) await give(name, brought.get(name));
    },
    async forget(name) {
      brought.delete(name);
      if (given.get(session())?.delete(name)) await session().forget(name);
    },
  };
}
