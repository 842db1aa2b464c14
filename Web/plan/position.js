import { colour } from "../app/theme.js";
import { L } from "./leaflet.js";

/** The position of the device with the circle of its accuracy, and its track on one level. */
export class PositionLayer {
  constructor() {
    this.group = L.layerGroup();
    const accent = colour("position");
    this.track = L.polyline([], { interactive: false, color: accent, weight: 3, opacity: 0.55, lineJoin: "round", smoothFactor: 1.5 });
    this.circle = L.circle([0, 0], { interactive: false, radius: 1, color: accent, weight: 1.5, opacity: 0.7, fillColor: accent, fillOpacity: 0.12 });
    this.halo = L.circleMarker([0, 0], { interactive: false, radius: 10, stroke: false, fillColor: colour("plan-floor"), fillOpacity: 1 });
    this.dot = L.circleMarker([0, 0], { interactive: false, radius: 7, stroke: false, fillColor: accent, fillOpacity: 1 });
  }

  /** Shows the track of points on the level, and the position if the device is there. */
  set(plan, position, track, { showsTrack = true } = {}) {
    const isHere = (point) => point.level === plan.level && point.venue === plan.venue;
    const lines = [[]];
    if (showsTrack) {
      for (const point of track ?? []) {
        if (isHere(point)) lines.at(-1).push([point.y, point.x]);
        else if (lines.at(-1).length) lines.push([]);
      }
    }
    this.track.setLatLngs(lines);
    this.#toggle(this.track, lines[0].length > 1);
    const isShown = position && position.x !== undefined && isHere(position);
    if (isShown) {
      const place = [position.y, position.x];
      this.circle.setLatLng(place).setRadius(Math.max(0.1, position.horizontalAccuracy ?? 0.1));
      this.halo.setLatLng(place);
      this.dot.setLatLng(place);
    }
    for (const layer of [this.circle, this.halo, this.dot]) this.#toggle(layer, isShown);
    if (isShown) for (const layer of [this.circle, this.halo, this.dot]) layer.bringToFront();
  }

  #toggle(layer, isShown) {
    if (isShown !== this.group.hasLayer(layer)) this.group[isShown ? "addLayer" : "removeLayer"](layer);
  }
}
