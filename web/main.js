// Puts the page together: the words, the first lab with its stored picture, Python's first live one; then the other labs and the cells.
import { contentOf, isEmbed, words } from "./early.js";
import { labs as loaders } from "./labs/index.js";
import { parseHash } from "./core/lab/address.js";
import { fromAddress, onAddress, remember } from "./core/page/address-bar.js";
import { installApi } from "./core/page/api.js";
import { createBootView } from "./core/page/boot-view.js";
import { h } from "./core/dom.js";
import { createFastSwitch } from "./core/page/fast-switch.js";
import { mountEmbed } from "./core/page/embed.js";
import { deferred } from "./core/engine/deferred.js";
import { createEngine } from "./core/engine/engine.js";
import { mountLab } from "./core/lab/lab.js";
import { t } from "./core/text.js";

const byId = (id) => document.getElementById(id);
const engine = createEngine();
if (!isEmbed) engine.boot();
const api = installApi(engine);
const PATIENCE = 5000; // ms; where Python is long in coming, the thread has time for the rest

async function start() {
  engine.on("stage", ({ state }) => state === "failed" && engine.ready.catch(api.markFailed));
  if (isEmbed) return words.then(() => mountEmbed({ engine, labs: loaders, contentOf, ...api }));
  const [first, ...others] = Object.keys(loaders);
  const definitions = { [first]: loaders[first]() };
  await words;
  const { createRail } = await import("./core/page/rail.js"); // here, and the cells below: a lab in a frame has neither
  byId("intro").append(h("h1", { text: ["page.title"] }), h("p", { class: "lead", text: ["page.lead"] }));
  const python = [createBootView(engine, byId("intro")), createFastSwitch(engine)];
  const rail = createRail(byId("rail"), [...[first, ...others].map((id) => ({ id, key: `labs.${id}.nav` })), { id: "cells", key: "page.cells" }], python);

  const cells = deferred();
  const [live, whole] = [deferred(), deferred()];
  const mounted = [];
  async function mount(id) {
    const [{ default: definition }, content] = await Promise.all([definitions[id], contentOf(id)]);
    const tryCode = async (source) => (await cells.promise).tryCode(source);
    const onLive = () => (live.resolve(), whole.promise.then(api.markReady));
    mounted.push(mountLab(byId("labs"), definition, { ...content, engine, tryCode, raw: fromAddress(id), onChange: remember, onLive }));
    await painted(); // each lab is on the screen before the next one takes the thread
  }
  // One that is not there yet looks at the address when it comes.
  onAddress((hash) => {
    const target = mounted.find(({ id }) => fromAddress(id, hash));
    target?.set(fromAddress(target.id, hash));
  });
  await mount(first);
  for (const id of others) (definitions[id] = loaders[id]()).catch(() => {}), contentOf(id); // mount tells
  if ([first, ""].includes(parseHash(location.hash).lab ?? "")) await Promise.race([live.promise, restIsWanted()]);
  for (const id of others) await mount(id);
  const { mountCells } = await import("./core/cells/cells.js");
  cells.resolve(mountCells(byId("cells"), { engine }));
  rail.follow();
  whole.resolve();

  const named = parseHash(location.hash).lab;
  byId(named)?.scrollIntoView({ behavior: "instant" });
}

/** When the reader does anything at all, when Python did not start, or when it is long in coming. */
function restIsWanted() {
  const { promise, resolve } = deferred();
  for (const event of ["scroll", "wheel", "pointerdown", "keydown", "dragenter", "hashchange"]) addEventListener(event, resolve, { once: true });
  engine.on("stage", ({ state }) => state === "failed" && resolve());
  setTimeout(resolve, PATIENCE);
  return promise;
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
