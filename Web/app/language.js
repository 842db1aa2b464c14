export const LANGUAGES = ["en", "de"];
const STORED = "beaconmon-language";

/** The folders of texts. A text of a later one has precedence. */
const folders = ["/strings"];
let strings = {};
let current = "en";
let plurals = new Intl.PluralRules("en");

/** Returns the language of the page: the chosen one, or the first of the browser that the page has. */
export function preferredLanguage() {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages].filter(Boolean).map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((tag) => LANGUAGES.includes(tag)) ?? "en";
}

/** Adds a folder of texts, before the first language is used. */
export function addTexts(folder) {
  folders.push(folder);
}

/** Loads the texts of a language and makes it that of the page. */
export async function useLanguage(language, { store = false } = {}) {
  const parts = await Promise.all(folders.map(async (folder) => {
    const response = await fetch(`${folder}/${language}.json`);
    if (!response.ok) throw new Error(`${folder}/${language}.json: ${response.status}`);
    return response.json();
  }));
  strings = Object.assign({}, ...parts);
  current = language;
  plurals = new Intl.PluralRules(language);
  formats.clear();
  document.documentElement.lang = language;
  if (store) localStorage.setItem(STORED, language);
}

export function language() {
  return current;
}

/** Returns the locale of numbers and times: that of the browser if it speaks the language of the page. */
export function locale() {
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(current)) ?? current;
}

/**
 * Returns the text of a key with `{name}` replaced by values. With a `count`, `key.one` and `key.other` are the forms.
 * A missing key returns itself.
 */
export function t(key, values = {}) {
  let text = strings[key];
  if (text === undefined && values.count !== undefined) text = strings[`${key}.${plurals.select(values.count)}`] ?? strings[`${key}.other`];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (values[name] === undefined || values[name] === null ? "" : String(values[name])));
}

/** Returns the text of a word from the daemon, such as a state, or the word itself. */
export function word(group, value) {
  return value === undefined || value === null ? "" : strings[`${group}.${value}`] ?? String(value);
}

const formats = new Map();
function format(kind, options) {
  const key = kind.name + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new kind(locale(), options));
  return formats.get(key);
}

/** Returns a number with a fixed number of decimals. An absent number is an en dash. */
export function number(value, decimals = 0) {
  if (typeof value !== "number" || !Number.isFinite(value)) return "–";
  return format(Intl.NumberFormat, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value).replace(/^-/, "\u2212");
}

export function metres(value, decimals = value < 10 ? 1 : 0) {
  return `${number(value, decimals)} m`;
}

export function percent(value) {
  return format(Intl.NumberFormat, { style: "percent" }).format(value);
}

export function clock(value) {
  return format(Intl.DateTimeFormat, { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(new Date(value));
}

export function dateTime(value) {
  return format(Intl.DateTimeFormat, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(value));
}

/** Returns a day. `text` is `2026-11-24`, a day without a time zone. */
export function day(text, options = { weekday: "short", day: "numeric", month: "short", year: "numeric" }) {
  return format(Intl.DateTimeFormat, { ...options, timeZone: "UTC" }).format(new Date(`${text}T00:00:00Z`));
}

/** Returns a time span: `0.3 s`, `42 s`, `5 min`, `3.2 h`, `2 d`. */
export function span(seconds) {
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return "–";
  if (seconds < 9.95) return `${number(seconds, 1)} s`;
  if (seconds < 119.5) return `${number(seconds)} s`;
  if (seconds < 7170) return `${number(seconds / 60)} min`;
  if (seconds < 172_800) return `${number(seconds / 3600, 1)} h`;
  return `${number(seconds / 86_400)} d`;
}
