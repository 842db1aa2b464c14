import { get } from "../app/api.js";
import { element, labelled, setText } from "../app/dom.js";
import { t } from "../app/language.js";
import { failure } from "../hub/loading.js";
import { TAG_COLUMNS, table } from "../hub/tables.js";

/** The most rows of an answer. */
const MOST = 200;

/** Searches tags at all sites of the person. The text is in the address, so that a search can be kept. */
export function show(main, scope, [given = ""]) {
  const field = element("input", { type: "search", value: given, maxlength: 128, autocomplete: "off", spellcheck: "false" });
  const status = element("p", { class: "quiet-text", role: "status" });
  const { node, draw } = table(t("search.results"), [TAG_COLUMNS[0], { key: "site", cell: (tag) => tag.siteTitle ?? tag.site }, ...TAG_COLUMNS.slice(1)]);
  node.hidden = true;
  const form = element("form", { class: "filters", role: "search", on: { submit: (event) => {
    event.preventDefault();
    const text = field.value.trim();
    history.replaceState(null, "", `#/search/${encodeURIComponent(text)}`);
    search(text);
  } } }, labelled(t("search.text"), field), element("button", { type: "submit", class: "primary" }, t("search.submit")));
  main.append(element("h1", { tabindex: -1 }, t("view.search")), form, element("p", { class: "quiet-text" }, t("search.how")), status, node);
  let latest = 0;

  async function search(text) {
    const own = ++latest;
    if (!text) return setText(status, t("search.empty"));
    setText(status, t("list.loading"));
    try {
      const { tags } = await get("search", { text });
      if (own !== latest || !scope.isOpen) return;
      draw(tags);
      node.hidden = !tags.length;
      setText(status, tags.length >= MOST ? t("search.most", { count: MOST }) : t("search.found", { count: tags.length }));
    } catch (error) {
      if (own === latest) setText(status, failure(error));
    }
  }

  if (given) search(given);
  return {
    navigate([text = ""]) {
      field.value = text;
      search(text);
      return true;
    },
  };
}
