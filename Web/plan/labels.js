import { colour } from "../app/theme.js";
import { L } from "./leaflet.js";

const FONT = "600 12px system-ui, 'Segoe UI', Cantarell, 'Noto Sans', 'DejaVu Sans', sans-serif";
const LINE = 16;
/** The most labels that are drawn at once. */
const MOST = 250;

/** Names on the plan, drawn so that they do not cover each other. Each label is `{x, y, text, offset, isQuiet}`; the first ones take precedence. */
export const LabelLayer = L.Layer.extend({
  initialize() {
    L.setOptions(this, { pane: "labels" });
    this._labels = [];
  },

  onAdd() {
    this._canvas = L.DomUtil.create("canvas", "labels leaflet-zoom-hide", this.getPane());
    this._draw();
  },

  onRemove() {
    this._canvas.remove();
  },

  getEvents() {
    return { moveend: this._draw, viewreset: this._draw, resize: this._draw };
  },

  setLabels(labels) {
    this._labels = labels;
    if (this._map) this._draw();
  },

  _draw() {
    const map = this._map;
    const margin = map.getSize().multiplyBy(0.25).round();
    const size = map.getSize().add(margin.multiplyBy(2));
    const ratio = devicePixelRatio || 1;
    this._canvas.width = size.x * ratio;
    this._canvas.height = size.y * ratio;
    this._canvas.style.width = `${size.x}px`;
    this._canvas.style.height = `${size.y}px`;
    L.DomUtil.setPosition(this._canvas, map.containerPointToLayerPoint(L.point(0, 0)).subtract(margin));
    const context = this._canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.font = FONT;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = colour("plan-halo");
    const [ink, quiet] = [colour("text"), colour("quiet")];
    const taken = [];
    for (const label of this._labels) {
      if (taken.length >= MOST) break;
      const point = map.latLngToContainerPoint([label.y, label.x]).add(margin);
      if (point.x < 0 || point.y < 0 || point.x > size.x || point.y > size.y) continue;
      const text = label.text.length > 32 ? `${label.text.slice(0, 31)}…` : label.text;
      const half = context.measureText(text).width / 2 + 3;
      const y = point.y + (label.offset ?? 17);
      const box = [point.x - half, y - LINE / 2, point.x + half, y + LINE / 2];
      if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) continue;
      taken.push(box);
      context.strokeText(text, point.x, y);
      context.fillStyle = label.isQuiet ? quiet : ink;
      context.fillText(text, point.x, y);
    }
  },
});
