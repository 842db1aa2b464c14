import { element, keyed } from "../app/dom.js";
import { icon } from "../app/icons.js";
import { dateTime, t } from "../app/language.js";
import { explanation, headline } from "../events/sentences.js";
import { pagedList } from "./loading.js";

const ICONS = ["enter", "exit", "dwell", "cross", "damaged"];

/** Returns the list of a site's events, the newest first. */
export function eventList(site) {
  const list = element("ol", { class: "events", "aria-label": t("site.events") });
  const { nodes, load, isFirst } = pagedList("events", { site }, "events", (rows) => keyed(list, rows, (row) => row.id, itemOrText));
  return { nodes: [list, ...nodes], load, isFirst };
}

/** Returns the entry of an event, and of an event that no sentence fits its text: one event must not hide the others. */
function itemOrText(row) {
  try {
    return item(row);
  } catch {
    return element("li", { class: "event state" }, element("span", { class: "event-icon" }, icon("state")),
      element("div", {},
        element("p", { class: "headline" }, t("events.raw"), element("time", { datetime: row.time }, dateTime(row.time))),
        element("p", { class: "why" }, t("event.from", { device: row.device })), element("pre", { tabindex: 0 }, JSON.stringify(row.event))));
  }
}

function item({ device, time, event }) {
  const kind = event.event?.startsWith("beacon-") ? "alert" : ICONS.includes(event.event) ? event.event : "state";
  const raw = element("details", {}, element("summary", {}, t("events.raw")));
  raw.addEventListener("toggle", () => {
    if (raw.open && raw.children.length === 1) raw.append(element("pre", { tabindex: 0 }, JSON.stringify(event, null, 2)));
  });
  return element("li", { class: `event ${kind}` }, element("span", { class: "event-icon" }, icon(kind)),
    element("div", {},
      element("p", { class: "headline" }, headline(event), element("time", { datetime: time }, dateTime(time))),
      element("p", { class: "why" }, [t("event.from", { device }), ...explanation(event)].join(" ")), raw));
}
