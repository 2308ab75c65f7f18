// Puts the page together: words first, then the labs with their stored pictures, then Python.
import { labs as loaders } from "./labs/index.js";
import { parseHash } from "./core/lab/address.js";
import { fromAddress, onAddress, remember } from "./core/page/address-bar.js";
import { installApi } from "./core/page/api.js";
import { createBootView } from "./core/page/boot-view.js";
import { h } from "./core/dom.js";
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
  const bootStatus = createBootView(engine, byId("intro"));

  const rail = createRail(byId("rail"), [...ordered.map(({ id }) => ({ id, key: `labs.${id}.nav` })), { id: "cells", key: "page.cells" }], bootStatus);
  const { tryCode } = mountCells(byId("cells"), { engine });
  const contents = ordered.map(({ id }) => loadLab(id));
  contents.forEach((content) => content.catch(() => {})); // the await below tells
  const mounted = [];
  let allMounted;
  const whole = new Promise((resolve) => (allMounted = resolve));
  const onLive = () => whole.then(api.markReady);
  for (const [at, definition] of ordered.entries()) {
    mounted.push(mountLab(byId("labs"), definition, { ...(await contents[at]), engine, tryCode, raw: fromAddress(definition.id), onChange: remember, onLive }));
    await painted(); // each lab is on the screen before the next one takes the thread
  }
  rail.follow();
  allMounted();

  const named = parseHash(location.hash).lab;
  byId(named)?.scrollIntoView();
  onAddress((hash) => {
    const target = mounted.find(({ id }) => fromAddress(id, hash));
    target?.set(fromAddress(target.id, hash));
  });
}

/** The next turn after the browser had its chance to paint; a page in the background does not paint, and does not wait. */
const painted = () => new Promise((resolve) => {
  if (document.hidden) setTimeout(resolve);
  else requestAnimationFrame(() => setTimeout(resolve));
});

start().catch((error) => {
  byId("intro").append(h("p", { role: "alert" }, t("page.broken", { reason: error.message })));
  api.markFailed(error);
  throw error;
});
