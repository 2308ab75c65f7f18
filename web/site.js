// Where this page lies. The build puts what a reader loads together in page/ (page_bundle.py), beside web/: from both it is one step up.
export const site = new URL("../", import.meta.url).href;
/** The page's worker. */
export const workerURL = new URL("worker.js", import.meta.url).href;
