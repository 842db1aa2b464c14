import { beaconKey, beaconName, problemWords } from "../app/beacons.js";
import { announce, button, element, keyed, replace, setText } from "../app/dom.js";
import { clock, metres, number, span, t, word } from "../app/language.js";
import { store } from "../app/store.js";
import { headline } from "../events/sentences.js";

/** The most rows of a list beside the plan. */
const ROWS = 40;

/** The lists beside the plan, which say the same without a map. */
export class PlacePanel {
  constructor(view) {
    this.view = view;
    this.where = element("p", { class: "where" });
    this.detail = element("p", { class: "quiet-text" });
    this.chosen = element("section", { class: "card chosen", hidden: true, tabindex: -1, "aria-label": t("panel.chosen") });
    this.regions = element("ul", { class: "rows" });
    this.noRegions = element("p", { class: "quiet-text" }, t("panel.noRegions"));
    this.places = element("ul", { class: "rows" });
    this.beacons = element("ul", { class: "rows" });
    this.events = element("ul", { class: "rows" });
    this.more = { places: element("p", { class: "quiet-text" }), beacons: element("p", {}) };
    this.node = element("div", { class: "panel" },
      element("section", { class: "card" }, element("h2", {}, t("panel.position")), this.where, this.detail), this.chosen,
      element("section", { class: "card" }, element("h2", {}, t("panel.regions")), this.regions, this.noRegions),
      element("section", { class: "card" }, element("h2", {}, t("panel.events")), this.events, element("p", {}, element("a", { href: "#/events" }, t("panel.allEvents")))),
      element("section", { class: "card" }, element("h2", {}, t("panel.beacons")), this.beacons, this.more.beacons),
      element("section", { class: "card" }, element("h2", {}, t("panel.places")), this.places, this.more.places));
  }

  showPosition(position) {
    if (!position || position.latitude === undefined && position.x === undefined) {
      setText(this.where, position?.note ?? (store.get("daemon")?.state === "running" ? t("panel.noPosition") : t("panel.unknownPosition")));
      setText(this.detail, "");
      return;
    }
    const nearest = position.nearest?.[0];
    const plan = (store.get("plans") ?? []).find((other) => other.venue === position.venue && other.level === position.level);
    const level = plan?.name ?? position.levelName ?? position.description;
    setText(this.where, nearest ? t("panel.near", { level: level ?? "", place: nearest.title, distance: metres(nearest.distance) })
      : level ?? `${number(position.latitude, 6)}, ${number(position.longitude, 6)}`);
    const age = (position.age ?? 0) + (Date.now() - position.received) / 1000;
    setText(this.detail, t("panel.accuracy", { accuracy: metres(position.horizontalAccuracy), age: span(age), source: word("source", position.source) }));
  }

  showRegions() {
    const regions = [...(store.get("status")?.regions ?? [])].sort((a, b) => rank(a) - rank(b) || a.identifier.localeCompare(b.identifier));
    this.noRegions.hidden = regions.length > 0;
    keyed(this.regions, regions.slice(0, 100), (region) => region.identifier, () => element("li", {}, element("span", { class: "name" }), element("span", { class: "badge" }),
      element("span", { class: "sub" })), (node, region) => {
      const [name, badge, sub] = node.children;
      setText(name, region.identifier);
      setText(badge, word("regionState", region.state));
      badge.dataset.state = region.state;
      setText(sub, region.note ?? (region.since ? t("panel.since", { time: clock(region.since) }) : ""));
    });
  }

  showEvents(events) {
    keyed(this.events, events.slice(-3).reverse(), (event) => `${event.journal}:${event.sequence}`,
      (event) => element("li", {}, element("span", { class: "name" }, headline(event)), element("time", { class: "aside" }, event.time ? clock(event.time) : "")));
  }

  showPlaces() {
    const places = this.view.placesHere();
    this.#list(this.places, places, (place) => `${place.venue}/${place.id}`, (place) => [place.title, word("kind", place.kind), ""]);
    setText(this.more.places, places.length === 0 ? t("panel.noPlaces") : places.length > ROWS ? t("panel.more", { count: places.length - ROWS }) : "");
  }

  showBeacons() {
    const all = this.view.beaconsHere();
    const order = (beacon) => (beacon.problems?.length ? -1 : 0) * 10_000 + (beacon.distance ?? 9_000);
    const beacons = [...all].sort((a, b) => order(a) - order(b)).slice(0, 12);
    this.#list(this.beacons, beacons, beaconKey, (beacon) => [beaconName(beacon),
      typeof beacon.rssi === "number" ? `${number(beacon.rssi)} dBm` : t("beacon.notHeard"), problemWords(beacon).join(", ")]);
    if (this.known === all.length) return;
    this.known = all.length;
    replace(this.more.beacons, all.length ? element("a", { href: "#/beacons" }, t("panel.allBeacons", { count: all.length })) : t("panel.noBeacons"));
  }

  /** Shows the details of a place or a beacon that was chosen on the plan or in a list. */
  choose(item) {
    const isPlace = item.title !== undefined && item.kind !== undefined;
    const rows = isPlace ? [[t("field.kind"), word("kind", item.kind)], [t("field.id"), item.id]]
      : [[t("field.uuid"), item.uuid], [t("field.numbers"), `${item.major}/${item.minor}`], [t("field.rssi"), typeof item.rssi === "number" ? `${number(item.rssi, 1)} dBm` : t("beacon.notHeard")],
        [t("field.distance"), item.distance === undefined ? "–" : `${metres(item.distance)} ± ${metres(item.accuracy)}`], [t("field.height"), item.height === undefined ? "–" : metres(item.height)],
        [t("field.problems"), problemWords(item).join(", ") || t("beacon.noProblem")]];
    rows.push([t("field.position"), `${number(item.x, 2)}, ${number(item.y, 2)} m`]);
    const title = isPlace ? item.title : beaconName(item);
    this.chosen.hidden = false;
    replace(this.chosen, element("h2", {}, title), element("dl", {}, rows.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
      button(t("shell.close"), () => (this.chosen.hidden = true), { class: "link" }));
    announce(`${title}: ${rows.map((row) => row.join(" ")).join(", ")}`);
    this.chosen.scrollIntoView({ block: "nearest" });
  }

  /** Opens the level of the position and moves there. */
  follow() {
    const position = store.get("position");
    if (position?.x === undefined) return announce(t("panel.noPosition"));
    this.view.open(position.venue, position.level);
    this.view.map.moveTo(position, 4);
  }

  #list(node, items, keyOf, texts) {
    keyed(node, items.slice(0, ROWS), keyOf, () => {
      const row = element("li", {}, button([element("span", { class: "name" }), element("span", { class: "aside" }), element("span", { class: "sub bad" })], () => {
        this.view.moveTo(row.item);
        this.choose(row.item);
      }, { class: "row" }));
      return row;
    }, (row, item) => {
      row.item = item;
      const parts = row.firstChild.children;
      texts(item).forEach((text, index) => setText(parts[index], text));
    });
  }
}

const rank = (region) => ["inside", "unknown", "outside"].indexOf(region.state);
