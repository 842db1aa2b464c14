import { get } from "../app/api.js";
import { button, element, setText } from "../app/dom.js";
import { t, word } from "../app/language.js";
import { store } from "../app/store.js";

/** The rows of a page of the server. */
const PAGE_ROWS = 200;
/** Several changes within this time load the data once. */
const PAUSE = 2000;

/** Returns the text for a request that failed: that of its code, or the message of the server for a code without a text. */
export function failure(error) {
  if (!error.status) return t("connection.lost");
  const text = word("error", error.code);
  return text && text !== error.code ? text : error.message;
}

/**
 * Calls `load()` now, and again after changes while the view is open. `site` limits the changes to those of a site.
 * An error is shown in `status`.
 */
export function reload(scope, status, site, load) {
  let timer = null;
  const run = async () => {
    timer = null;
    try {
      await load();
      setText(status, "");
    } catch (error) {
      if (scope.isOpen) setText(status, failure(error));
    }
  };
  scope.add(store.on("changed", (change) => {
    if (site && change.site && change.site !== site) return;
    timer ??= setTimeout(run, PAUSE);
  }));
  scope.add(() => clearTimeout(timer));
  // The times of messages change without a message of the stream.
  scope.every(30_000, () => document.visibilityState === "visible" && (timer ??= setTimeout(run, 0)));
  return run();
}

/** Returns a list that loads its pages on request. `draw(rows, hasMore)` shows all rows that were loaded. `parameters` may change between two loads. */
export function pagedList(path, parameters, list, draw) {
  let rows = [];
  let next = null;
  let latest = null;
  const status = element("p", { class: "quiet-text", role: "status" });
  const more = button(t("list.more"), () => load(next), { hidden: true });

  async function load(beyond) {
    more.disabled = true;
    const request = (latest = Symbol());
    try {
      const answer = await get(path, { ...parameters, beyond });
      // The answer to an earlier request may have other parameters.
      if (request !== latest) return;
      rows = beyond ? [...rows, ...answer[list]] : answer[list];
      next = answer.next;
      draw(rows, Boolean(next));
      setText(status, rows.length ? "" : t("list.none"));
    } catch (error) {
      if (request !== latest) return;
      setText(status, failure(error));
    }
    more.disabled = false;
    more.hidden = !next;
  }

  // A list of which more pages were loaded stays as it is, so that a reader does not lose the place.
  return { nodes: [status, more], load: () => load(), isFirst: () => rows.length <= PAGE_ROWS };
}
