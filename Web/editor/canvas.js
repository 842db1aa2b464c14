import { colour } from "../app/theme.js";
import { L } from "../plan/leaflet.js";
import { PlanMap } from "../plan/map.js";
import { PlaceMarker } from "../plan/places.js";
import { isArea } from "./items.js";

const at = ([x, y]) => [y, x];
const STEP = 0.1;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Returns the metres of an arrow key: 0.1 m, or 1 m with Shift. */
export function arrowStep(event) {
  const arrow = ARROWS[event.key];
  if (!arrow || event.ctrlKey || event.altKey || event.metaKey) return null;
  return arrow.map((direction) => direction * (event.shiftKey ? 10 * STEP : STEP));
}

/** The plan of the editor: every item can be selected, and the selected one has handles to drag. */
export class EditorCanvas {
  #isDragging = false;

  /** `onSelect(ref)`, `onPlace([x, y])` in the mode of placing, and `onPoints(item, points, isLast)` while a handle is dragged. */
  constructor(node, label, { onSelect, onPlace, onPoints }) {
    Object.assign(this, { onSelect, onPlace, onPoints });
    this.plan = new PlanMap(node, label);
    this.map = this.plan.map;
    this.map.doubleClickZoom.disable();
    this.items = L.featureGroup().addTo(this.map);
    this.handles = L.layerGroup().addTo(this.map);
    this.draft = L.layerGroup().addTo(this.map);
    this.items.on("click", (event) => {
      if (this.isPlacing) return;
      L.DomEvent.stop(event);
      this.onSelect(event.layer.ref);
    });
    this.map.on("click", (event) => (this.isPlacing ? this.onPlace([event.latlng.lng, event.latlng.lat]) : this.onSelect(null)));
    this.colours = Object.fromEntries(["accent", "plan-ink", "plan-floor", "plan-void", "plan-edge", "plan-wall", "rssi-1", "position", "bad", "warn"].map((name) => [name, colour(name)]));
  }

  setPlacing(isPlacing) {
    this.isPlacing = isPlacing;
    this.map.getContainer().classList.toggle("placing", isPlacing);
    if (!isPlacing) this.draft.clearLayers();
  }

  /** The place in the middle of the map, where the keyboard puts an item. */
  get middle() {
    const { lat, lng } = this.map.getCenter();
    return [lng, lat];
  }

  showDraft(points) {
    this.draft.clearLayers();
    if (points.length > 1) L.polyline(points.map(at), { interactive: false, color: this.colours.position, weight: 3, dashArray: "6 6" }).addTo(this.draft);
    for (const place of points) L.circleMarker(at(place), { interactive: false, radius: 5, color: this.colours.position, fillOpacity: 1 }).addTo(this.draft);
  }

  /** Draws all items; areas below walls, and points on top. */
  draw(items, selected) {
    this.items.clearLayers();
    const order = ["walkable", "voids", "wall", "edge", "node", "beacon", "place", "anchors"];
    for (const item of [...items].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))) this.#drawItem(item, item.ref === selected?.ref);
    if (this.#isDragging) return;
    this.handles.clearLayers();
    if (selected) selected.points.forEach((_, index) => this.#addHandle(selected, index));
  }

  close() {
    this.plan.close();
  }

  #drawItem(item, isSelected) {
    if (!item.points.length) return;
    const { colours } = this;
    const add = (layer) => {
      layer.ref = item.ref;
      this.items.addLayer(layer);
    };
    const line = isSelected ? colours.position : null;
    if (isArea(item.kind)) {
      const hole = item.kind === "voids";
      const points = item.points.map(at);
      add(L.polygon(points, { interactive: false, stroke: false, fillColor: colours[hole ? "plan-void" : "plan-floor"], fillOpacity: hole ? 0.85 : 0.5 }));
      add(L.polyline([...points, points[0]], { color: line ?? colours["plan-edge"], weight: isSelected ? 4 : 2 }));
    } else if (item.kind === "wall") add(L.polyline(item.points.map(at), { color: line ?? colours["plan-wall"], weight: isSelected ? 6 : 4, lineCap: "square" }));
    else if (item.kind === "edge") {
      if (item.points.length === 2) add(L.polyline(item.points.map(at), { color: line ?? colours.warn, weight: isSelected ? 5 : 3, dashArray: "2 6" }));
    } else {
      const style = { beacon: ["rssi-1", 7], place: ["accent", 8], node: ["warn", 5], anchors: ["bad", 8] }[item.kind];
      if (item.value.area?.length > 2) add(L.polygon(item.value.area.map(at), { interactive: false, color: colours.accent, weight: 1, fillOpacity: 0.06 }));
      const Marker = item.kind === "place" ? PlaceMarker : L.CircleMarker;
      add(new Marker(at(item.points[0]), {
        radius: style[1], color: line ?? (item.kind === "beacon" ? colours["plan-ink"] : colours[style[0]]), weight: isSelected ? 4 : 2,
        fillColor: item.kind === "beacon" ? colours["rssi-1"] : colours["plan-floor"], fillOpacity: item.kind === "anchors" ? 0 : 1,
      }));
    }
  }

  #addHandle(item, index) {
    if (item.kind === "edge" || item.isReadOnly) return;
    const handle = L.marker(at(item.points[index]), {
      draggable: true, keyboard: false, autoPan: true, icon: L.divIcon({ className: "handle", html: "", iconSize: [22, 22] }),
    });
    const moved = () => item.points.map((old, other) => (other === index ? [handle.getLatLng().lng, handle.getLatLng().lat] : old));
    handle.on("dragstart", () => (this.#isDragging = true));
    handle.on("drag", () => this.onPoints(item, (item.points = moved()), false));
    handle.on("dragend", () => {
      this.#isDragging = false;
      this.onPoints(item, moved(), true);
    });
    handle.on("click", (event) => L.DomEvent.stop(event));
    handle.addTo(this.handles);
  }
}
