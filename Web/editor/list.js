import { button, element, keyed, labelled, setText } from "../app/dom.js";
import { t } from "../app/language.js";
import { KINDS } from "./items.js";

/** The rows of a kind that are shown at once; the filter finds the others. */
const ROWS = 60;

/** The items of a level as lists, to select them without the plan. */
export class ItemList {
  #filter = "";
  #groups = new Map();
  #last = [[], null];

  constructor(onSelect) {
    const field = element("input", { type: "search", autocomplete: "off", spellcheck: "false" });
    field.addEventListener("input", () => {
      this.#filter = field.value.toLowerCase();
      this.show(...this.#last);
    });
    this.node = element("section", { class: "card item-list", "aria-label": t("editor.items") }, labelled(t("editor.filter"), field));
    for (const kind of KINDS) {
      const summary = element("summary", {});
      const rows = element("ul", { class: "rows" });
      const group = element("details", { open: kind === "beacon" || kind === "place" }, summary, rows);
      this.#groups.set(kind, { group, summary, rows });
      this.node.append(group);
    }
    this.onSelect = onSelect;
  }

  show(items, selected) {
    this.#last = [items, selected];
    for (const [kind, { group, summary, rows }] of this.#groups) {
      const all = items.filter((item) => item.kind === kind);
      const found = this.#filter ? all.filter((item) => item.label.toLowerCase().includes(this.#filter)) : all;
      setText(summary, `${t(`items.${kind}`)} (${found.length})`);
      group.hidden = !all.length;
      keyed(rows, [...found.slice(0, ROWS), ...(found.length > ROWS ? [{ ref: "more", more: found.length - ROWS }] : [])], (item) => item.ref,
        (item) => (item.more ? element("li", { class: "quiet-text" }) : element("li", {}, button(element("span", { class: "name" }), () => this.onSelect(item.ref), { class: "row" }))),
        (row, item) => {
          if (item.more) return setText(row, t("panel.more", { count: item.more }));
          const choose = row.firstChild;
          setText(choose.firstChild, item.kind === "walkable" || item.kind === "voids" || item.kind === "anchors" ? `${t(`item.${item.kind}`)} ${item.label}` : item.label);
          choose.setAttribute("aria-pressed", item.ref === selected?.ref);
        });
    }
  }
}
