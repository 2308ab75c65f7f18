// An engine for tests of the cells' face: it answers at once, and does what the code's first word says.
() => {
  const listeners = {};
  const emit = (event, detail) => (listeners[event] ?? []).forEach((listener) => listener(detail));
  let boot;
  let end = null;
  const ready = new Promise((resolve) => (boot = resolve));
  const did = [];

  const TRACEBACK = 'Traceback (most recent call last):\n  File "<cell 1>", line 2, in <module>\nZeroDivisionError: division by zero\n';
  const ACTS = {
    show: (rest, onOutput) => JSON.parse(rest).forEach((output) => onOutput({ ...output, ...(output.data && { data: Float32Array.from(output.data) }) })),
    fail: () => ({ type: "ZeroDivisionError", message: "division by zero", line: 2, traceback: TRACEBACK }),
    loop: () => new Promise((resolve) => (end = () => resolve({ type: "Stopped", message: "stopped before it had ended", traceback: "" }))),
    print: (rest, onOutput) => onOutput({ kind: "text", stream: "stdout", text: `${rest}\n` }),
  };

  return {
    ready, did, emit,
    finishBoot() {
      emit("stage", { id: "ready", state: "done" });
      boot();
    },
    on(event, listener) {
      (listeners[event] ??= []).push(listener);
      return () => (listeners[event] = listeners[event].filter((other) => other !== listener));
    },
    async runCell(code, { id, onOutput, onState }) {
      did.push(code);
      onState("running");
      emit("busy", { kind: "cell", id });
      const [, act, rest] = /^(\w*) ?([^]*)$/.exec(code);
      const error = (await ACTS[act]?.(rest, onOutput)) ?? null;
      emit("busy", null);
      return { error, result: null };
    },
    stop: async () => end?.(),
    reset: async () => emit("busy", { kind: "reset" }),
  };
}
