import { beaconKey } from "../app/beacons.js";
import { colour } from "../app/theme.js";
import { L } from "./leaflet.js";

/** The limits in dBm between the colours, from strong to weak. */
export const RSSI_STEPS = [-65, -75, -85, -95];

/** Returns the number of the colour of an RSSI, 0 for the strongest. */
export function rssiStep(rssi) {
  const step = RSSI_STEPS.findIndex((limit) => rssi >= limit);
  return step < 0 ? RSSI_STEPS.length : step;
}

/** A beacon on the canvas: filled by its RSSI, hollow if it is not heard, and with a mark if it has a problem. */
export const BeaconMarker = L.CircleMarker.extend({
  _updatePath() {
    const renderer = this._renderer;
    renderer._updateCircle(this);
    if (!this.options.hasProblem || !renderer._drawing || this._empty()) return;
    const context = renderer._ctx;
    const { x, y } = this._point;
    context.globalAlpha = 1;
    context.beginPath();
    context.moveTo(x, y - 15);
    context.lineTo(x + 6, y - 5);
    context.lineTo(x - 6, y - 5);
    context.closePath();
    context.fillStyle = this.options.problemColor;
    context.fill();
    context.strokeStyle = this.options.haloColor;
    context.lineWidth = 1;
    context.stroke();
  },

  // The mark lies above the circle, so that the area to draw again is larger.
  _updateBounds() {
    const margin = this._radius + this._clickTolerance() + 16;
    this._pxBounds = new L.Bounds(this._point.subtract([margin, margin]), this._point.add([margin, margin]));
  },
});

/** The beacons of a level. Only markers whose style changes are drawn again. */
export class BeaconLayer {
  #markers = new Map();
  #styles = new Map();

  constructor({ onSelect, describe }) {
    this.group = L.featureGroup();
    this.group.on("click", (event) => onSelect(event.layer.beacon));
    this.group.bindTooltip((layer) => describe(layer.beacon), { className: "tip", direction: "top", offset: [0, -10] });
    this.colours = [0, 1, 2, 3, 4].map((step) => colour(`rssi-${step}`));
    this.ink = colour("plan-ink");
    this.halo = colour("plan-floor");
    this.bad = colour("bad");
  }

  /** Shows beacons with `x` and `y`, and with `rssi` and `problems` if they are known. */
  set(beacons) {
    const kept = new Set();
    const radius = beacons.length > 800 ? 4.5 : 7;
    for (const beacon of beacons) {
      const key = beaconKey(beacon);
      kept.add(key);
      const style = this.#style(beacon, radius);
      const state = `${style.fillColor}${style.hasProblem}${style.radius}`;
      let marker = this.#markers.get(key);
      if (!marker) {
        marker = new BeaconMarker([beacon.y, beacon.x], style);
        this.#markers.set(key, marker);
        this.#styles.set(key, state);
        marker.beacon = beacon;
        this.group.addLayer(marker);
        continue;
      }
      marker.beacon = beacon;
      if (this.#styles.get(key) !== state) {
        this.#styles.set(key, state);
        marker.setStyle(style);
      }
    }
    for (const [key, marker] of this.#markers) {
      if (kept.has(key)) continue;
      this.group.removeLayer(marker);
      this.#markers.delete(key);
      this.#styles.delete(key);
    }
  }

  #style(beacon, radius) {
    const isHeard = typeof beacon.rssi === "number";
    const hasProblem = beacon.problems?.length > 0;
    return {
      radius, weight: isHeard ? 1.5 : 2, color: hasProblem ? this.bad : this.ink, opacity: isHeard || hasProblem ? 1 : 0.55, hasProblem,
      problemColor: this.bad, haloColor: this.halo, fill: true, fillColor: isHeard ? this.colours[rssiStep(beacon.rssi)] : this.halo, fillOpacity: 1,
    };
  }
}
