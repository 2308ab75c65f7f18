// Puts the page together: words first, then the labs with their stored pictures, then Python.
import { labs as loaders } from "./labs/index.js";
import { fromRaw, parseHash } from "./core/address.js";
import { installApi } from "./core/api.js";
import { createBootView } from "./core/boot-view.js";
import { mountCells } from "./core/cells.js";
import { h } from "./core/dom.js";
import { createEngine } from "./core/engine.js";
import { mountLab } from "./core/lab.js";
import { createRail } from "./core/rail.js";
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

  const mounted = [];
  for (const definition of ordered) {
    mounted.push(await mountLab(byId("labs"), definition, { engine, raw: (defaults) => fromAddress(definition.id, defaults), onChange: remember }));
  }
  mountCells(byId("cells"), { engine });
  createRail(byId("rail"), [...ordered.map(({ id }) => ({ id, key: `labs.${id}.nav` })), { id: "cells", key: "page.cells" }], bootStatus);

  const named = parseHash(location.hash).lab;
  byId(named)?.scrollIntoView();
  addEventListener("hashchange", () => {
    const { lab } = parseHash(location.hash);
    const target = mounted.find(({ id }) => id === lab);
    const params = target && fromAddress(lab, target.defaults);
    if (params) target.set(params);
  });
  const first = mounted.find(({ id }) => id === named) ?? mounted[0];
  first.live.then(api.markReady, api.markFailed);
}

/** The parameters that the address carries for this lab, or null: a plain #lab is only an anchor. */
function fromAddress(lab, defaults) {
  const { lab: named, raw } = parseHash(location.hash);
  return named === lab && Object.keys(raw).length ? fromRaw(raw, defaults).params : null;
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
