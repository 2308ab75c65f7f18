// Code Emitter's way of running a Python block (research: its source, and the built plugin run with a stub of
// Obsidian): Pyodide on this thread, one engine, shared globals, output shown only when the block has ended.
let engine;
let sink; // of the block that ran last: text without a final newline is held back and comes with the next one's
let variables;

window.emitter = {
  async start() {
    const show = (stream) => (line) => sink?.(stream, line);
    engine = await loadPyodide({ indexURL: "/pyodide/", stdout: show("stdout"), stderr: show("stderr") });
    await engine.loadPackage("micropip");
  },

  /** Runs a block and shows it; `alone` gives it globals of its own. -> what it printed and what is to be seen */
  async run(code, { alone = false } = {}) {
    const output = { lines: [], stdout: [], stderr: [], error: null };
    const view = document.createElement("div"); // not on the page until the block has ended
    sink = (stream, line) => {
      output.lines.push(line);
      output[stream].push(line);
    };
    variables = alone ? engine.toPy({ __name__: "__main__" }) : engine.globals;
    try {
      document.pyodideMplTarget = view;
      await engine.runPythonAsync(code, { globals: variables });
    } catch (error) {
      output.error = String(error);
      output.lines.push(output.error);
    } finally {
      delete document.pyodideMplTarget;
    }
    const block = attach(code, view);
    const asked = output.lines.map((line) => showLine(block.querySelector("ul"), line));
    return {
      ...output,
      html: output.lines.filter((_, index) => asked[index].html),
      choking: output.lines.filter((_, index) => asked[index].chokes),
      slowest: Math.max(0, ...asked.map(({ milliseconds }) => milliseconds)),
      pictures: await pictures.of(block),
      id: block.id,
    };
  },

  /** For the test's own questions, in the variables of the block that ran last. */
  ask: (expression) => engine.runPython(expression, { globals: variables }),

  clear: () => document.querySelector("main").replaceChildren(),
};

function attach(code, view) {
  const main = document.querySelector("main");
  const block = Object.assign(document.createElement("pre"), { className: "block", id: `block-${main.childElementCount + 1}` });
  const source = Object.assign(document.createElement("code"), { textContent: code });
  const output = Object.assign(document.createElement("div"), { className: "output" });
  output.append(view, document.createElement("ul"));
  block.append(source, document.createElement("hr"), output);
  main.append(block);
  return block;
}

function showLine(list, line) {
  const asked = htmlLine.ask(line);
  const item = document.createElement("li");
  if (asked.html) item.innerHTML = line;
  else item.textContent = line;
  list.append(item);
  return asked;
}
