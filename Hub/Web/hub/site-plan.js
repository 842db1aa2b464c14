import { element, replace } from "../app/dom.js";
import { t } from "../app/language.js";
import { LabelLayer } from "../plan/labels.js";
import { L } from "../plan/leaflet.js";
import { PlanMap, place as at } from "../plan/map.js";
import { describeRoom, textIn } from "./rooms.js";

/** The maximum number of devices of a room that have a mark. */
const DEVICES = 5;
/** The size of the mark of a room in pixels. */
const [WIDTH, HEIGHT] = [48, 36];

/**
 * One level of the venue of a site, with the rooms of devices. The ground is that of a device's page. Rooms are SVG with a mark that the
 * keyboard reaches, and live values replace the content of a mark, so that the focus stays.
 */
export class SitePlan {
  #marks = new Map();
  #areas = new Map();
  #level = null;

  constructor(node, onChoose) {
    this.onChoose = onChoose;
    this.map = new PlanMap(node, t("plan.map"));
    const { map } = this.map;
    // The page scrolls over the plan; the buttons and the keys + and - zoom.
    map.scrollWheelZoom.disable();
    map.createPane("rooms").style.zIndex = 450;
    this.renderer = L.svg({ pane: "rooms", padding: 0.4 });
    this.ground = L.layerGroup().addTo(map);
    this.marks = L.layerGroup().addTo(map);
    this.labels = new LabelLayer().addTo(map);
  }

  /** Shows a level with the rooms whose `spots` are on it. */
  show(level, rooms, spots, chosen) {
    if (this.#level !== level) this.#drawLevel(level);
    const here = rooms.filter(({ room }) => spots.get(room)?.level === level);
    const names = new Set(here.map(({ room }) => room));
    for (const [room, mark] of this.#marks) {
      if (names.has(room)) continue;
      mark.remove();
      this.#marks.delete(room);
    }
    const occupied = new Map();
    for (const room of here) {
      const { place } = spots.get(room.room);
      const owners = [...(occupied.get(place) ?? []), room];
      occupied.set(place, owners);
      this.#drawMark(room, place, owners.length - 1, room.room === chosen);
    }
    for (const [place, area] of this.#areas) {
      const owners = occupied.get(place) ?? [];
      area.room = owners[0]?.room;
      const node = area.getElement();
      node?.classList.toggle("is-room", owners.length > 0);
      node?.classList.toggle("chosen", owners.some(({ room }) => room === chosen));
    }
    // The first labels take precedence.
    const labels = level.places.map((place) => ({ x: place.x, y: place.y, text: textIn(place.names, place.id), ...(occupied.has(place) ? { offset: 27 } : { offset: 0, isQuiet: true }) }));
    this.labels.setLabels(labels.sort((a, b) => Boolean(a.isQuiet) - Boolean(b.isQuiet)));
  }

  close() {
    this.map.close();
  }

  #drawLevel(level) {
    this.#level = level;
    for (const mark of this.#marks.values()) mark.remove();
    this.#marks.clear();
    this.#areas.clear();
    this.ground.clearLayers();
    // Beacons count for what the map shows; a venue without walkable areas has places.
    this.map.setPlan({ ...level, beacons: [...(level.beacons ?? []), ...level.places.flatMap((place) => place.area ?? [place])] });
    for (const { x, y } of level.beacons ?? []) {
      L.circleMarker(at({ x, y }), { renderer: this.renderer, className: "plan-beacon", interactive: false, radius: 3 }).addTo(this.ground);
    }
    for (const place of level.places) {
      const options = { renderer: this.renderer, className: "room-area", bubblingMouseEvents: false };
      const area = place.area ? L.polygon(place.area.map(at), options) : L.circle(at(place), { ...options, radius: place.radius });
      area.on("click", () => area.room && this.onChoose(area.room)).addTo(this.ground);
      this.#areas.set(place, area);
    }
  }

  #drawMark(room, place, number, isChosen) {
    let mark = this.#marks.get(room.room);
    if (!mark) {
      const icon = L.divIcon({ className: "room-icon", html: element("span", { class: "room-mark" }), iconSize: [WIDTH, HEIGHT], iconAnchor: [WIDTH / 2, HEIGHT / 2 + number * HEIGHT] });
      mark = L.marker(at(place), { icon, keyboard: true, riseOnHover: true })
        .on("click keypress", (event) => (event.type === "click" || ["Enter", " "].includes(event.originalEvent?.key)) && this.onChoose(room.room))
        .addTo(this.marks);
      this.#marks.set(room.room, mark);
    }
    const node = mark.getElement();
    const text = describeRoom(room);
    node.title = text;
    // Leaflet 1.7 sets none.
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", text);
    node.setAttribute("aria-pressed", isChosen);
    replace(node.firstChild, element("span", { class: "room-count" }, room.tags),
      element("span", { class: "room-devices" }, room.devices.slice(0, DEVICES).map(({ state }) => element("span", { class: "room-device", data: { kind: state === "good" ? "good" : "bad" } }))));
  }
}
