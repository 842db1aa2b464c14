import { button, element, keyed, labelled, replace, select, setText } from "../app/dom.js";
import { loadOlderEvents } from "../app/feed.js";
import { icon } from "../app/icons.js";
import { clock, day, locale, t } from "../app/language.js";
import { store } from "../app/store.js";
import { explanation, headline } from "../events/sentences.js";

const ICONS = { enter: "enter", exit: "exit", dwell: "dwell", cross: "cross", state: "state", damaged: "damaged", depart: "appointment", hurry: "appointment", arrive: "appointment", miss: "appointment", "beacon-recovered": "good" };
const GROUPS = { crossings: ["enter", "exit", "dwell", "cross"], beacons: ["beacon-missing", "beacon-weak", "beacon-moved", "beacon-duplicate", "beacon-recovered"], appointments: ["depart", "hurry", "arrive", "miss"], states: ["state", "damaged"] };

const chosen = { region: "", group: "" };
const dayOf = (event) => (event.time ? new Intl.DateTimeFormat("sv", { year: "numeric", month: "2-digit", day: "2-digit" }).format(new Date(event.time)) : "");

/** Shows events as they come, each with its explanation in words. */
export function show(main, scope) {
  const regions = element("div", {});
  const list = element("ol", { class: "events", "aria-label": t("view.events") });
  const empty = element("p", { class: "quiet-text", role: "status" });
  const older = button(t("events.older"), loadOlder, { class: "older" });
  main.append(
    element("h1", { tabindex: -1 }, t("view.events")),
    element("div", { class: "filters" }, regions,
      labelled(t("events.group"), select([["", t("events.all")], ...Object.keys(GROUPS).map((group) => [group, t(`events.group.${group}`)])], chosen.group,
        (group) => ((chosen.group = group), draw())))),
    list, empty, older);
  let known = "";

  function drawRegions(events) {
    const names = [...new Set([...(store.get("status")?.regions ?? []).map((region) => region.identifier), ...events.map((event) => event.region).filter(Boolean)])]
      .sort(new Intl.Collator(locale()).compare);
    if (known === names.join("\n")) return;
    known = names.join("\n");
    replace(regions, labelled(t("events.region"), select([["", t("events.allRegions")], ...names.map((name) => [name, name])], chosen.region,
      (region) => ((chosen.region = region), draw()))));
  }

  function draw() {
    const events = store.get("events") ?? [];
    drawRegions(events);
    const shown = events.filter((event) => (!chosen.region || event.region === chosen.region) && (!chosen.group || GROUPS[chosen.group].includes(event.event))).reverse();
    let last = null;
    const items = shown.flatMap((event) => {
      const date = dayOf(event);
      const heading = date !== last ? [{ key: `day ${date}`, date }] : [];
      last = date;
      return [...heading, { key: `${event.journal}:${event.sequence}`, event }];
    });
    keyed(list, items, (item) => item.key, (item) => (item.event ? eventItem(item.event) : element("li", { class: "day" }, element("h2", {}, item.date ? day(item.date) : t("events.unknownDay")))));
    setText(empty, shown.length ? "" : store.get("events") ? t("events.none") : t("place.loading"));
    older.hidden = store.get("eventsComplete") === true;
  }

  async function loadOlder() {
    older.disabled = true;
    try {
      const count = await loadOlderEvents();
      setText(empty, count ? "" : t("events.noOlder"));
    } catch (error) {
      setText(empty, error.status ? error.message : t("connection.lost"));
    }
    older.disabled = false;
    older.hidden = store.get("eventsComplete") === true;
  }

  const spoken = element("p", { class: "hidden", role: "log", "aria-live": "polite" });
  main.append(spoken);
  let isWaiting = false;
  scope.add(store.on("latestEvent", (event) => {
    // A burst of events is one announcement, because a screen reader reads each one to its end.
    if (isWaiting) return;
    isWaiting = true;
    setText(spoken, headline(event));
    setTimeout(() => (isWaiting = false), 3000);
  }));
  for (const key of ["events", "status"]) scope.add(store.on(key, draw));
  draw();
}

function eventItem(event) {
  const kind = event.event?.startsWith("beacon-") && event.event !== "beacon-recovered" ? "alert" : ICONS[event.event] ?? "state";
  const raw = element("details", {}, element("summary", {}, t("events.raw")));
  raw.addEventListener("toggle", () => {
    if (raw.open && raw.children.length === 1) raw.append(element("pre", { tabindex: 0 }, JSON.stringify(event, null, 2)));
  });
  return element("li", { class: `event ${kind}` }, element("span", { class: "event-icon" }, icon(kind)),
    element("div", {}, element("p", { class: "headline" }, headline(event), event.time && element("time", { datetime: event.time }, clock(event.time))),
      element("p", { class: "why" }, explanation(event).join(" ")),
      event.clockSynchronised === false && element("p", { class: "why bad" }, t("events.clock")),
      event.durable === false && element("p", { class: "why" }, t("events.memory")), raw));
}
