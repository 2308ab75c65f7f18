// CodeMirror is half of the page's code, and no picture waits for it: fetched when an editor is first shown.
let loading;

/** -> Promise of createEditor (editor.js) */
export const loadEditor = () => (loading ??= import("./editor.js").then(({ createEditor }) => createEditor));
