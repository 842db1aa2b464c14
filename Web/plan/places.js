import { colour } from "../app/theme.js";
import { beaconKey } from "../app/beacons.js";
import { toPlan } from "./geo.js";
import { L } from "./leaflet.js";

/** A place on the canvas: a diamond, to differ from the round beacons also without colours. */
export const PlaceMarker = L.CircleMarker.extend({
  _updatePath() {
    const renderer = this._renderer;
    if (!renderer._drawing || this._empty()) return;
    const context = renderer._ctx;
    const { x, y } = this._point;
    const r = this._radius;
    context.beginPath();
    context.moveTo(x, y - r);
    context.lineTo(x + r, y);
    context.lineTo(x, y + r);
    context.lineTo(x - r, y);
    context.closePath();
    renderer._fillStroke(context, this);
  },
});

/** The regions that place a visitor inside, by the id of their place or level. */
export function insideRegions(regions, venue) {
  const inside = (regions ?? []).filter((region) => region.state === "inside" && (!region.venue || region.venue === venue));
  return {
    places: new Set(inside.map((region) => region.place).filter(Boolean)),
    levels: new Set(inside.map((region) => region.level).filter(Boolean)),
  };
}

/** The places of a level and the regions of the config on it, with their states. */
export class PlaceLayer {
  constructor({ onSelect, describe }) {
    this.group = L.featureGroup();
    this.group.on("click", (event) => event.layer.place && onSelect(event.layer.place));
    this.group.bindTooltip((layer) => describe(layer.place), { className: "tip", direction: "top", offset: [0, -10] });
    this.accent = colour("accent");
    this.ink = colour("plan-ink");
    this.halo = colour("plan-floor");
  }

  set(plan, places, regions, beacons) {
    this.group.clearLayers();
    const inside = insideRegions(regions, plan.venue);
    this.#circles(plan, regions);
    this.#beaconRegions(regions, beacons);
    const isMany = places.length > 300;
    for (const place of places) {
      const isInside = inside.places.has(place.id);
      const area = { interactive: false, color: this.accent, weight: 1.5, opacity: isInside ? 1 : 0.5, fillColor: this.accent, fillOpacity: isInside ? 0.22 : 0.06 };
      if (place.area?.length > 2) L.polygon(place.area.map(({ x, y }) => [y, x]), area).addTo(this.group);
      else if (place.radius && isInside) L.circle([place.y, place.x], { ...area, radius: place.radius }).addTo(this.group);
      const marker = new PlaceMarker([place.y, place.x], {
        radius: isMany ? 4 : isInside ? 9 : 7, weight: 2, color: isInside ? this.halo : this.accent, fill: true, fillColor: isInside ? this.accent : this.halo, fillOpacity: 1,
      });
      marker.place = place;
      marker.addTo(this.group);
    }
  }

  /** Shows circles of the config that are not much larger than a building. */
  #circles(plan, regions) {
    for (const region of regions ?? []) {
      if (region.kind !== "circle" || !(region.radius < 500)) continue;
      const point = toPlan(plan, region);
      if (point) L.circle([point.y, point.x], this.#ring(region, region.radius)).addTo(this.group);
    }
  }

  /** Shows the distance within which a beacon enters its region, while it is inside. */
  #beaconRegions(regions, beacons) {
    for (const region of regions ?? []) {
      if (region.kind !== "beacon" || region.state !== "inside" || !region.beacon) continue;
      const beacon = beacons.find((other) => beaconKey(other) === beaconKey(region.beacon));
      if (beacon) L.circle([beacon.y, beacon.x], this.#ring(region, region.within ?? 2)).addTo(this.group);
    }
  }

  #ring(region, radius) {
    const isInside = region.state === "inside";
    return { interactive: false, radius, color: this.accent, weight: 1.5, dashArray: "5 5", fill: radius < 30, fillColor: this.accent, fillOpacity: isInside ? 0.1 : 0.03 };
  }
}
