import { element } from "../app/dom.js";
import { dateTime, number, span, t } from "../app/language.js";

/** Returns a time with its distance from now. */
export function ago(time) {
  if (!time) return "–";
  const seconds = Math.max(0, (Date.now() - Date.parse(time)) / 1000);
  return element("time", { datetime: time, title: dateTime(time) }, seconds < 1 ? t("time.now") : t("time.ago", { span: span(Math.round(seconds)) }));
}

export const count = (value) => number(value ?? 0);

/**
 * Returns a table and its function that shows rows. A column is { key, cell(row), isNumber, isHead }.
 * On a phone each row is a card, whose cells have the name of their column.
 */
export function table(label, columns) {
  const body = element("tbody", { role: "rowgroup" });
  const node = element("div", { class: "table card", tabindex: 0, role: "region", "aria-label": label },
    element("table", { class: "stacked", role: "table" },
      element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, columns.map((column) =>
        element("th", { scope: "col", role: "columnheader", class: column.isNumber ? "number" : null }, t(`column.${column.key}`))))),
      body));
  const draw = (rows) => body.replaceChildren(...rows.map((row) => element("tr", { role: "row" }, columns.map((column) =>
    column.isHead ? element("th", { scope: "row", role: "rowheader" }, column.cell(row))
      : element("td", { role: "cell", class: column.isNumber ? "number" : null, data: { label: t(`column.${column.key}`) } }, column.cell(row))))));
  return { node, draw };
}

/** Returns the mark of a device's state. */
export function stateBadge(state) {
  const kind = state === "good" ? "good" : state === "silent" || state === "problem" ? "bad" : null;
  return element("span", { class: "badge", data: kind ? { kind } : {} }, t(`deviceState.${state}`));
}

export const tagNumbers = (tag) => `${tag.major}/${tag.minor}`;
export const tagAddress = (tag) => `#/tag/${[tag.site, tag.uuid, tag.major, tag.minor].map(encodeURIComponent).join("/")}`;

/** The columns of tags. */
export const TAG_COLUMNS = [
  { key: "tag", isHead: true, cell: (tag) => [element("a", { href: tagAddress(tag) }, tag.name ?? tagNumbers(tag)), element("small", {}, tag.name ? `${tagNumbers(tag)} · ${tag.uuid}` : tag.uuid)] },
  { key: "room", cell: (tag) => tag.room ?? "–" },
  { key: "roomSince", cell: (tag) => ago(tag.roomSince) },
  { key: "heardBy", cell: (tag) => tag.device ?? "–" },
  { key: "lastHeard", cell: (tag) => ago(tag.lastSeen) },
  { key: "rssi", isNumber: true, cell: (tag) => (tag.level === null ? "–" : `${number(tag.level)} dBm`) },
];
