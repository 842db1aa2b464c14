/** Returns a value as TOML: a text, a number, a flag, a list, or an object as a table in braces. */
export function toml(value) {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (typeof value === "object") return `{ ${Object.entries(value).map(([key, part]) => `${toml(key)} = ${toml(part)}`).join(", ")} }`;
  // The strings of JSON are those of TOML, except for one character that TOML forbids.
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}

/** Returns an edit as the server reads it: values are TOML, and an empty text removes a key. */
export function written(edit) {
  if (!edit.values) return edit;
  const values = Object.entries(edit.values).map(([key, value]) => [key, value === null || value === undefined ? "" : toml(value)]);
  return { ...edit, values: Object.fromEntries(values) };
}
