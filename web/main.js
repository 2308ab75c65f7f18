// Puts the page together: words first, then the labs with their stored pictures, then Python.
import { labs as loaders } from "./labs/index.js";
import { parseHash } from "./core/lab/address.js";
import { installApi } from "./core/page/api.js";
import { createBootView } from "./core/page/boot-view.js";
import { mountCells } from "./core/cells/cells.js";
import { h } from "./core/dom.js";
import { createEngine } from "./core/engine/engine.js";
import { loadLab, mountLab } from "./core/lab/lab.js";
import { createRail } from "./core/page/rail.js";
import { loadText, t } from "./core/text.js";

const byId = (id) => document.getElementById(id);
const engine = createEngine();
const api = installApi(engine);

async function start() {
  engine.boot();
  const [definitions] = await Promise.all([Promise.all(Object.values(loaders).map((load) => load())), loadText()]);
  const ordered = definitions.map((module) => module.default).sort((a, b) => a.order - b.order);
  byId("intro").append(h("h1", { text: ["page.title"] }), h("p", { class: "lead", text: ["page.lead"] }));
  const bootStatus = createBootView(engine, byId("intro"));

  engine.on("stage", ({ state }) => state === "failed" && engine.ready.catch(api.markFailed));

  const contents = await Promise.all(ordered.map(({ id }) => loadLab(id)));
  const mounted = ordered.map((definition, at) =>
    mountLab(byId("labs"), definition, { ...contents[at], engine, raw: fromAddress(definition.id), onChange: remember, onLive: api.markReady }));
  mountCells(byId("cells"), { engine });
  createRail(byId("rail"), [...ordered.map(({ id }) => ({ id, key: `labs.${id}.nav` })), { id: "cells", key: "page.cells" }], bootStatus);

  const named = parseHash(location.hash).lab;
  byId(named)?.scrollIntoView();
  addEventListener("hashchange", ({ newURL }) => {
    clearTimeout(pending); // the newer address wins
    const { hash } = new URL(newURL); // location.hash may already be what a timer has put in its place
    const target = mounted.find(({ id }) => fromAddress(id, hash));
    target?.set(fromAddress(target.id, hash));
  });
}

/** What the address sets for this lab, or null: a plain #lab is only an anchor. */
function fromAddress(id, hash = location.hash) {
  const { lab, raw } = parseHash(hash);
  return lab === id && Object.keys(raw).length ? raw : null;
}

let pending = 0;
function remember(hash) {
  clearTimeout(pending); // browsers refuse more than about 100 changes in 30 seconds
  pending = setTimeout(() => history.replaceState(null, "", hash), 250);
}

start().catch((error) => {
  byId("intro").append(h("p", { role: "alert" }, t("page.broken", { reason: error.message })));
  api.markFailed(error);
  throw error;
});
