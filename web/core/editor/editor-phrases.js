// CodeMirror's own words (search panel, screen-reader messages) in the page's language.
import { t } from "../text.js";

// text key -> the phrase as CodeMirror knows it
const PHRASES = {
  find: "Find", replace_field: "Replace", next: "next", previous: "previous", all: "all", match_case: "match case",
  by_word: "by word", regexp: "regexp", replace: "replace", replace_all: "replace all", close: "close",
  current_match: "current match", on_line: "on line", replaced_match: "replaced match on line $",
  replaced_matches: "replaced $ matches", go_to_line: "Go to line", go: "go", control_character: "Control character",
  selection_deleted: "Selection deleted",
};

export function phrases() {
  return Object.fromEntries(Object.entries(PHRASES).map(([key, phrase]) => [phrase, t(`editor.phrases.${key}`)]));
}
