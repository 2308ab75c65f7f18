// What a cell has shown so far: kept on the page, so that it is still there when the worker is not.
export function createTranscript(onOutput) {
  const outputs = [];
  return {
    add(output) {
      const last = outputs.at(-1);
      // Text arrives line by line; here it is one output as long as nothing comes in between.
      if (output.kind === "text" && last?.kind === "text" && last.stream === output.stream) last.text += output.text;
      else outputs.push({ ...output });
      onOutput?.(output);
    },
    close({ result, error }) {
      const text = (stream) => outputs.filter((output) => output.stream === stream).map((output) => output.text).join("");
      return { stdout: text("stdout"), stderr: text("stderr"), result: result ?? null, error: error ?? null, outputs };
    },
  };
}
