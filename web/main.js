// Puts the page together: words first, then the labs with their stored pictures, then Python.
import { labs as loaders } from "./labs/index.js";
import { parseHash } from "./core/lab/address.js";
import { fromAddress, onAddress, remember } from "./core/page/address-bar.js";
import { installApi } from "./core/page/api.js";
import { createBootView } from "./core/page/boot-view.js";
import { h } from "./core/dom.js";
import { createFastSwitch } from "./core/page/fast-switch.js";
import { isEmbed, mountEmbed } from "./core/page/embed.js";
import { createEngine } from "./core/engine/engine.js";
import { loadLab, mountLab } from "./core/lab/lab.js";
import { loadText, t } from "./core/text.js";

const byId = (id) => document.getElementById(id);
const engine = createEngine();
const api = installApi(engine);

async function start() {
  engine.on("stage", ({ state }) => state === "failed" && engine.ready.catch(api.markFailed));
  if (isEmbed()) return mountEmbed({ engine, labs: loaders, ...api });
  engine.boot();
  const [definitions, { mountCells }, { createRail }] = await Promise.all([
    Promise.all(Object.values(loaders).map((load) => load())),
    import("./core/cells/cells.js"), // these two only here: a lab in a frame has neither
    import("./core/page/rail.js"),
    loadText(),
  ]);
  const ordered = definitions.map((module) => module.default).sort((a, b) => a.order - b.order);
  byId("intro").append(h("h1", { text: ["page.title"] }), h("p", { class: "lead", text: ["page.lead"] }));
  const python = [createBootView(engine, byId("intro")), createFastSwitch(engine)];

  const contents = await Promise.all(ordered.map(({ id }) => loadLab(id)));
  const { tryCode } = mountCells(byId("cells"), { engine });
  const mounted = ordered.map((definition, at) =>
    mountLab(byId("labs"), definition, { ...contents[at], engine, tryCode, raw: fromAddress(definition.id), onChange: remember, onLive: api.markReady }));
  createRail(byId("rail"), [...ordered.map(({ id }) => ({ id, key: `labs.${id}.nav` })), { id: "cells", key: "page.cells" }], python);

  const named = parseHash(location.hash).lab;
  byId(named)?.scrollIntoView();
  onAddress((hash) => {
    const target = mounted.find(({ id }) => fromAddress(id, hash));
    target?.set(fromAddress(target.id, hash));
  });
}

start().catch((error) => {
  byId("intro").append(h("p", { role: "alert" }, t("page.broken", { reason: error.message })));
  api.markFailed(error);
  throw error;
});
