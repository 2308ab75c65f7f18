// Controls are data: [{name, kind, …, when?(params)}], name = run()'s parameter. Builds them, keeps them in step with the
// parameters, and shows what run() refused beside the control it names.
import { h, mark, write } from "../dom.js";
import * as kinds from "./control-kinds.js";

export function createControls(parent, definitions, { lab, onChange }) {
  const checks = h("div", { class: "checks" });
  const entries = definitions.map((definition) => {
    const { name, kind } = definition;
    const id = `${lab}-${name}`;
    const words = `labs.${lab}.controls.${name}`;
    const control = kinds[kind](definition, { id, words, change: (value) => onChange({ [name]: value }) });
    const error = h("p", { class: "control-error", id: `${id}-error`, role: "alert", hidden: true });
    control.element.dataset.control = name;
    control.element.append(error);
    (kind === "check" ? checks : parent).append(control.element);
    return { ...control, ...definition, error };
  });

  if (checks.firstChild) parent.append(checks);
  const shown = (entry, params) => !entry.when || entry.when(params);

  return {
    set(params) {
      for (const entry of entries) {
        entry.element.hidden = !shown(entry, params);
        entry.set(params[entry.name], params);
      }
    },
    /** Shows the message at the control it names; returns whether there is one. */
    setError(message) {
      const name = /^(\w+)=/.exec(message ?? "")?.[1];
      let placed = false;
      for (const entry of entries) {
        const mine = entry.name === name && !entry.element.hidden;
        entry.error.hidden = !mine;
        write(entry.error, mine ? message : "");
        mark(entry.field, "aria-invalid", mine ? "true" : null);
        mark(entry.field, "aria-describedby", mine ? entry.error.id : null);
        placed ||= mine;
      }
      return placed;
    },
  };
}
