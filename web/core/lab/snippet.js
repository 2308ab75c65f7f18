// The short form of a lab for a note: installs this page's wheel and calls the lab's run() with the reader's parameters.

export function literal(value) {
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  return JSON.stringify(value);
}

export function snippet(lab, wheelURL, params) {
  const options = Object.entries(params).map(([name, value]) => `    ${name}=${literal(value)},\n`).join("");
  return [
    "import micropip",
    'await micropip.install("numpy")',
    `await micropip.install(${literal(wheelURL)})`,
    `from seeformer.labs import ${lab}`,
    "",
    `result = ${lab}.run(${options ? `\n${options}` : ""})`,
    "for name, value in result.items():",
    '    print(name, getattr(value, "shape", value))',
    "",
  ].join("\n");
}
