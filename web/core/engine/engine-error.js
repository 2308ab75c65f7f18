// What a call rejects with: Python's {type, message, traceback, module?, line?} as a JavaScript Error.
export class EngineError extends Error {
  constructor({ type, message, ...rest }) {
    super(message);
    Object.assign(this, { name: type, type, traceback: "" }, rest);
  }
}

export const stopped = () => new EngineError({ type: "Stopped", message: "stopped before it had ended" });
