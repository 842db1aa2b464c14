import { allBeacons, beaconKey, beaconName, problemWords } from "../app/beacons.js";
import { get } from "../app/api.js";
import { element, replace, setText } from "../app/dom.js";
import { language, metres, number, t, word } from "../app/language.js";
import { Scope, store } from "../app/store.js";
import { BeaconLayer } from "../plan/beacons.js";
import { LabelLayer } from "../plan/labels.js";
import { PlanMap } from "../plan/map.js";
import { PlaceLayer } from "../plan/places.js";
import { PositionLayer } from "../plan/position.js";
import { Overlays } from "./overlays.js";
import { PlacePanel } from "./place-panel.js";
import { PlaceTools, settings } from "./place-tools.js";

/** Shows the plan of a level with all that is live on it, and the same as lists. */
export function show(main, scope, [venue, level]) {
  const view = new PlaceView(scope, venue, level);
  main.append(view.node);
  view.start();
  return { navigate: (parameters) => view.open(...parameters) };
}

class PlaceView {
  plan = null;

  constructor(scope, venue, level) {
    this.scope = scope;
    this.wanted = { venue, level };
    this.canvas = element("div", { class: "map", tabindex: 0 });
    this.coordinates = element("output", { class: "coordinates", "aria-label": t("place.coordinates") });
    this.empty = element("p", { class: "map-note", role: "status" }, t("place.loading"));
    this.overlays = new Overlays(this);
    this.tools = new PlaceTools(this);
    this.panel = new PlacePanel(this);
    this.title = element("h1", { tabindex: -1 }, t("view.place"));
    this.node = element("div", { class: "place" },
      element("section", { class: "plan-card", "aria-label": t("place.plan") },
        this.title, this.tools.node, this.canvas, this.empty, this.coordinates, this.tools.legend),
      this.panel.node);
  }

  start() {
    this.map = new PlanMap(this.canvas, t("place.mapLabel"));
    this.map.showCoordinates(this.coordinates);
    const layers = { describe: (item) => this.#describe(item) };
    this.places = new PlaceLayer({ ...layers, onSelect: (place) => this.panel.choose(place) });
    this.beacons = new BeaconLayer({ ...layers, onSelect: (beacon) => this.panel.choose(beacon) });
    this.position = new PositionLayer();
    this.labels = new LabelLayer();
    this.scope.add(() => this.map.close());
    this.map.map.on("dragstart", () => this.tools.setFollow(false));
    this.map.map.on("zoomend", () => this.#drawLabels());
    this.scope.follow("plans", (plans) => plans && this.#openPlans(plans));
    this.scope.follow("plansError", (error) => error && !store.get("plans") && setText(this.empty, error.message));
    this.scope.follow(["beacons"], () => this.#drawBeacons());
    this.scope.follow("status", () => (this.#drawBeacons(), this.#drawPlaces(), this.panel.showRegions()));
    this.scope.follow("places", () => (this.#drawPlaces(), this.panel.showPlaces()));
    this.scope.follow("position", (position) => this.#showPosition(position));
    this.scope.follow("events", (events) => this.panel.showEvents(events ?? []));
    this.scope.every(1000, () => this.panel.showPosition(store.get("position")));
  }

  /** Opens the level that the address names. Returns true because this view shows every level. */
  open(venue, level) {
    if (venue && (venue !== this.plan?.venue || level !== this.plan?.level)) {
      this.wanted = { venue, level };
      this.#openPlans(store.get("plans") ?? []);
    }
    return true;
  }

  applySettings() {
    if (!this.plan) return;
    for (const [layer, name] of [[this.map.picture, "picture"], [this.map.walls, "walls"], [this.places.group, "places"], [this.beacons.group, "beacons"],
      [this.position.group, "position"], [this.labels, "labels"]]) this.map.toggle(layer, settings[name]);
    this.#drawPosition();
    this.#drawLabels();
  }

  moveTo(item) {
    this.tools.setFollow(false);
    this.map.moveTo(item, 4.5);
  }

  beaconsHere() {
    return this.plan ? this.all?.filter((beacon) => typeof beacon.x === "number") ?? [] : [];
  }

  placesHere() {
    return (store.get("places") ?? []).filter((place) => place.venue === this.plan?.venue && place.level === this.plan?.level);
  }

  /** Opens the level that was chosen, or else that of the position. */
  #openPlans(plans) {
    const position = store.get("position");
    const find = (venue, level) => plans.find((plan) => plan.venue === venue && (!level || plan.level === level));
    const chosen = find(this.wanted.venue, this.wanted.level) ?? find(position?.venue, position?.level) ?? find(this.plan?.venue, this.plan?.level)
      ?? [...plans].sort((a, b) => Math.abs(a.floor) - Math.abs(b.floor))[0];
    this.tools.showLevels(plans, chosen);
    if (chosen) this.#load(chosen);
    else {
      this.empty.hidden = false;
      replace(this.empty, t("place.noVenue"));
    }
  }

  async #load(summary) {
    const ticket = (this.ticket = Symbol());
    try {
      const plan = await get("plan", { venue: summary.venue, level: summary.level, locale: language() });
      if (ticket !== this.ticket || !this.scope.isOpen) return;
      this.plan = { ...summary, ...plan };
    } catch (error) {
      if (ticket !== this.ticket) return;
      this.empty.hidden = false;
      setText(this.empty, error.status ? error.message : t("connection.lost"));
      return;
    }
    this.empty.hidden = !this.plan.pictureNote;
    setText(this.empty, this.plan.pictureNote);
    setText(this.title, this.plan.name ?? this.plan.level);
    this.map.setPlan(this.plan, { showsPicture: settings.picture, showsWalls: settings.walls });
    for (const layer of [this.places.group, this.beacons.group, this.position.group]) layer.remove();
    this.overlays.load(this.plan);
    this.applySettings();
    this.#drawBeacons();
    this.#drawPlaces();
    this.panel.showPlaces();
    this.#showPosition(store.get("position"));
  }

  #drawBeacons() {
    if (!this.plan) return;
    this.all = allBeacons(this.plan.beacons);
    this.beacons.set(this.beaconsHere());
    this.panel.showBeacons();
  }

  #drawPlaces() {
    if (!this.plan) return;
    this.places.set(this.plan, this.placesHere(), store.get("status")?.regions, this.beaconsHere());
    this.tools.markInside(store.get("status")?.regions, store.get("position"));
    this.#drawLabels();
  }

  #drawPosition() {
    if (this.plan && settings.position) this.position.set(this.plan, store.get("position"), store.get("track"), { showsTrack: settings.track });
  }

  #showPosition(position) {
    this.panel.showPosition(position);
    if (!this.plan) return;
    this.tools.markInside(store.get("status")?.regions, position);
    const isElsewhere = position?.x !== undefined && (position.level !== this.plan.level || position.venue !== this.plan.venue);
    const plans = store.get("plans") ?? [];
    if (isElsewhere && !settings.follow && !this.wanted.venue) {
      if (plans.some((plan) => plan.venue === position.venue && plan.level === position.level)) this.#openPlans(plans);
    } else if (settings.follow && position?.x !== undefined) {
      if (isElsewhere) this.open(position.venue, position.level);
      else if (!this.map.map.getBounds().pad(-0.3).contains([position.y, position.x])) this.map.moveTo(position);
    }
    this.#drawPosition();
  }

  #drawLabels() {
    if (!this.plan || !settings.labels) return;
    const labels = this.placesHere().map((place) => ({ x: place.x, y: place.y, text: place.title }));
    const named = new Set(this.placesHere().map((place) => place.uuid && beaconKey(place)));
    if (settings.beacons && this.map.map.getZoom() >= 3.5) {
      for (const beacon of this.beaconsHere()) {
        if (!named.has(beaconKey(beacon))) labels.push({ x: beacon.x, y: beacon.y, text: beaconName(beacon), isQuiet: true });
      }
    }
    this.labels.setLabels(labels);
  }

  #describe(item) {
    if (item.kind && item.title) return element("div", {}, element("strong", {}, item.title), element("div", {}, word("kind", item.kind)));
    const problems = problemWords(item);
    return element("div", {}, element("strong", {}, beaconName(item)), element("div", {}, `${item.major}/${item.minor}`),
      element("div", {}, typeof item.rssi === "number" ? `${number(item.rssi)} dBm · ${item.distance === undefined ? "" : metres(item.distance)}` : t("beacon.notHeard")),
      problems.length > 0 && element("div", { class: "bad" }, problems.join(", ")));
  }
}
