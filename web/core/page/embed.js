// ?embed=1#lab?…: the page with one lab and nothing else, for a frame in somebody's note or blog. It tells the page around it how
// high it is, with parent.postMessage({type: "seeformer:height", lab, height}, "*"); nothing else crosses.
import { parseHash } from "../lab/address.js";
import { mountLab } from "../lab/lab.js";
import { h } from "../dom.js";
import { onLanguage, t } from "../text.js";
import { fromAddress, onAddress, remember } from "./address-bar.js";
import { createBootView } from "./boot-view.js";

const byId = (id) => document.getElementById(id);

/** labs: {id: a function that fetches its definition}, in their order; the words are there. */
export async function mountEmbed({ engine, labs, contentOf, markReady, markFailed }) {
  document.documentElement.dataset.embed = "";
  byId("rail").remove();
  byId("cells").remove();
  const id = parseHash(location.hash).lab || Object.keys(labs)[0];
  const open = h("a", { class: "embed-open", target: "_blank", rel: "noopener", text: ["page.embed.open"] });
  const foot = h("footer", { class: "embed-foot" }, open);
  const linkTo = (hash) => { open.href = new URL(`./${hash}`, location.href).href; };
  byId("main").append(foot);
  linkTo("");
  try {
    if (Object.hasOwn(labs, id)) await mount();
    else refuse();
  } finally {
    reportHeight(id); // of what went wrong too
  }

  async function mount() {
    linkTo(location.hash || `#${id}`);
    foot.prepend(createBootView(engine, byId("intro")));
    engine.boot();
    const [{ default: definition }, content] = await Promise.all([labs[id](), contentOf(id)]);
    const onChange = (hash) => (linkTo(hash), remember(hash));
    const lab = mountLab(byId("labs"), definition, { ...content, engine, raw: fromAddress(id), onChange, onLive: markReady });
    const name = () => { document.title = t(`labs.${id}.title`); };
    name();
    onLanguage(name);
    onAddress((hash) => {
      const raw = fromAddress(id, hash);
      if (raw) lab.set(raw);
      else location.reload(); // another lab, or this one as it is at first
    });
  }

  function refuse() {
    const others = Object.keys(labs).map((other) => h("li", {}, h("a", { href: `#${other}`, text: [`labs.${other}.nav`] })));
    byId("labs").append(h("div", { class: "embed-unknown", role: "alert" }, h("p", { text: ["page.embed.unknown", { lab: id }] }), h("ul", {}, others)));
    onAddress(() => location.reload());
    markFailed(new Error(`there is no lab ${id}: the address names it`));
  }
}

function reportHeight(lab) {
  if (parent === window) return;
  let told = 0;
  const tell = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height); // of what is in the frame, not of the frame
    if (height !== told) parent.postMessage({ type: "seeformer:height", lab, height }, "*");
    told = height;
  };
  new ResizeObserver(tell).observe(document.body);
}
