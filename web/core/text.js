// Every word a reader sees comes from web/text/<language>.json through t("key.path", {name: value}).
import { site } from "../site.js";
import { read, write } from "./storage.js";

export const LANGUAGES = ["zh", "en"];
const listeners = new Set();
const loaded = {};
let current = "en";

/** The language that the reader chose, or the browser. */
export const preferred = () => {
  const stored = read("language");
  if (LANGUAGES.includes(stored)) return stored;
  const wanted = navigator.languages ?? [navigator.language];
  return wanted.map((tag) => tag.slice(0, 2)).find((tag) => LANGUAGES.includes(tag)) ?? "en";
};

async function load(language) {
  loaded[language] ??= await fetch(new URL(`web/text/${language}.json`, site)).then((reply) => {
    if (!reply.ok) throw new Error(`web/text/${language}.json: HTTP ${reply.status}`);
    return reply.json();
  });
  current = language;
  document.documentElement.lang = language === "zh" ? "zh-CN" : language;
}

export const loadText = () => load(preferred());
export const language = () => current;

export async function setLanguage(language) {
  await load(language);
  write("language", language);
  for (const listener of [...listeners]) listener(language);
}

/** Calls `listener(language)` after each switch; returns the function that ends it. */
export function onLanguage(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const find = (key) => key.split(".").reduce((node, part) => node?.[part], loaded[current]);

/** All words below a key, for who writes texts of its own from them. */
export const wordsBelow = (key) => find(key);

export const hasText = (key) => find(key) !== undefined;

export function t(key, vars = {}) {
  const words = find(key);
  if (typeof words !== "string") {
    console.error(`no text for ${key} in ${current}`);
    return key;
  }
  return words.replace(/\{(\w+)\}/g, (hole, name) => (name in vars ? String(vars[name]) : hole));
}
