// The block of a Note face: Python writes it for the settings of now, of which only the newest count; and it knows at any time
// whether the text that it has belongs to them.
import { same } from "./address.js";
import { latest } from "./latest.js";
import { language, wordsBelow } from "../text.js";

const WORDS = ["title", "lead", "prose", "note"]; // of a lab, as far as the writer reads them

const words = (lab) => ({
  notes: wordsBelow("notes"),
  labs: { [lab]: Object.fromEntries(WORDS.map((name) => [name, wordsBelow(`labs.${lab}.${name}`)])) },
});

/**
 * stored: the lab's stored result with the block that belongs to it; settings() -> {params, what, form}
 * onChange({state, text, error}): "writing", "waiting" (for Python to start), "current" or "refused"; text is the last that there was
 */
export function createNoteBlock({ lab, engine, stored, settings, onChange }) {
  let now = { state: "waiting", text: null };
  let turn = 0;
  let listening = []; // who waits for the end of "writing"

  function tell(change) {
    now = { ...now, error: null, ...change };
    onChange(now);
    if (now.state !== "writing") for (const hear of listening.splice(0)) hear();
  }

  const isStored = ({ params, what, form }) =>
    what === "lab" && form === "note" && language() === stored.language && same(params, stored.params);

  const request = (asked) => engine.note({ lab, ...asked, words: words(lab), wheel: engine.wheelURL() });

  const ask = latest(async (superseded, mine, asked) => {
    const current = () => mine === turn && !superseded();
    try {
      const text = await request(asked);
      if (current()) tell({ state: "current", text });
    } catch (error) {
      if (current()) tell(error.stage ? { state: "waiting" } : { state: "refused", error });
    }
  });

  /** What is there is not for these settings any more, unless they are those that the page was built with. */
  function expire() {
    turn += 1;
    if (isStored(settings())) tell({ state: "current", text: stored.note });
    else tell({ state: engine.alive ? "writing" : "waiting" });
  }

  return {
    expire,
    refresh() {
      expire();
      if (now.state !== "current") ask(turn, settings());
    },
    get state() {
      return now.state;
    },
    /** The text of the settings of now, or null if there is none (yet). */
    async current() {
      if (now.state === "writing") await new Promise((resolve) => listening.push(resolve));
      return now.state === "current" ? now.text : null;
    },
    section: () => request({ ...settings(), what: "section" }),
  };
}
