import { element } from "../app/dom.js";
import { number, t } from "../app/language.js";
import { colour } from "../app/theme.js";
import { AffineOverlay } from "./affine.js";
import { bounds, toEarth } from "./geo.js";
import { L } from "./leaflet.js";

const at = ({ x, y }) => L.latLng(y, x);

/** Returns the place on a map of a point of the plan. */
export const place = at;

/** Leaflet may draw once more after its canvas is removed, because it loses the number of a frame that it requested. */
const CanvasRenderer = L.Canvas.extend({
  _redraw() {
    if (this._ctx) L.Canvas.prototype._redraw.call(this);
  },
});

/** Returns the corners of all that a level contains, or of an empty room. */
function extent(plan) {
  const outlines = [...(plan.walkable ?? []), ...(plan.walls ?? [])].flatMap((shape) => shape.points);
  const box = bounds(outlines.length ? outlines : [...(plan.beacons ?? []), ...(plan.pictureCorners ?? [])])
    ?? { left: 0, bottom: 0, right: 20, top: 20 };
  return L.latLngBounds([[box.bottom, box.left], [box.top, box.right]]);
}

/** A map of one level: one unit is a metre, y is up. The picture and the areas are its ground. */
export class PlanMap {
  plan = null;
  /** Whether a person chose what the map shows. Another level of the venue then leaves it as it is. */
  isMoved = false;

  constructor(node, label) {
    node.setAttribute("role", "application");
    node.setAttribute("aria-label", label);
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.map = L.map(node, {
      crs: L.CRS.Simple, renderer: new CanvasRenderer({ padding: 0.4, tolerance: 6 }), preferCanvas: true, zoomSnap: 0.125, zoomDelta: 0.5,
      wheelPxPerZoomLevel: 140, minZoom: -3, maxZoom: 9, attributionControl: false, zoomControl: false, zoomAnimation: !isCalm, fadeAnimation: false,
    }).setView([0, 0], 3);
    for (const [name, level] of [["picture", 200], ["ground", 220], ["heat", 250], ["labels", 500]]) {
      this.map.createPane(name).style.zIndex = level;
      this.map.getPane(name).style.pointerEvents = "none";
    }
    // The overlays lie on the ground, and all else on them.
    this.groundRenderer = new CanvasRenderer({ pane: "ground", padding: 0.4 });
    this.ground = L.layerGroup().addTo(this.map);
    this.picture = L.layerGroup();
    this.walls = L.layerGroup();
    this.#watchSize(node);
    this.#watchMoves(node);
  }

  /** Shows a level. `showsPicture` and `showsWalls` select parts of its ground. */
  setPlan(plan, { keepsView = this.#keepsView(plan), showsPicture = true, showsWalls = true } = {}) {
    this.plan = plan;
    for (const group of [this.ground, this.picture, this.walls]) group.clearLayers();
    const options = { pane: "ground", renderer: this.groundRenderer, interactive: false, stroke: true, weight: 1, color: colour("plan-edge"), fillOpacity: 1 };
    for (const area of plan.walkable ?? []) {
      L.polygon(area.points.map(at), { ...options, fillColor: colour("plan-floor"), fillOpacity: plan.picture ? 0.35 : 1 }).addTo(this.ground);
    }
    for (const area of plan.voids ?? []) {
      L.polygon(area.points.map(at), { ...options, fillColor: colour("plan-void"), fillOpacity: plan.picture ? 0.6 : 1 }).addTo(this.ground);
    }
    for (const wall of plan.walls ?? []) {
      L.polyline(wall.points.map(at), { interactive: false, color: colour("plan-wall"), weight: Math.min(6, 2 + (wall.attenuation ?? 0) / 4), lineCap: "square" })
        .addTo(this.walls);
    }
    if (plan.picture && plan.pictureCorners?.length === 4) this.picture.addLayer(this.#pictureLayer(plan));
    this.toggle(this.picture, showsPicture);
    this.toggle(this.walls, showsWalls);
    if (!keepsView) this.fit();
  }

  toggle(layer, isShown) {
    if (isShown && !this.map.hasLayer(layer)) layer.addTo(this.map);
    if (!isShown && this.map.hasLayer(layer)) layer.remove();
  }

  fit() {
    if (!this.plan) return;
    this.isMoved = false;
    const isNarrow = this.map.getSize().x < 600;
    this.map.fitBounds(extent(this.plan), { padding: isNarrow ? [16, 52] : [64, 44], animate: false, maxZoom: 6 });
  }

  /** Enlarges by a number of the map's steps, or reduces below zero. */
  zoom(steps) {
    this.isMoved = true;
    this.map.zoomIn(steps * this.map.options.zoomDelta);
  }

  moveTo(point, zoom) {
    this.isMoved = true;
    this.map.setView(at(point), Math.max(this.map.getZoom(), zoom ?? -Infinity), { animate: this.map.options.zoomAnimation });
  }

  /** Shows the coordinates of the pointer, or of the middle of the map after a move by keyboard. */
  showCoordinates(node) {
    const show = ({ lat, lng }) => {
      const point = { x: lng, y: lat };
      const earth = toEarth(this.plan, point);
      node.textContent = `x ${number(point.x, 1)} · y ${number(point.y, 1)} m` + (earth ? `  ·  ${number(earth.latitude, 6)}, ${number(earth.longitude, 6)}` : "");
    };
    this.map.on("mousemove", (event) => show(event.latlng));
    this.map.on("moveend", () => show(this.map.getCenter()));
  }

  close() {
    this.observer?.disconnect();
    this.map.remove();
  }

  #keepsView(plan) {
    const isSame = this.plan?.venue === plan.venue && this.plan.level === plan.level;
    return isSame || this.isMoved && this.plan?.venue === plan.venue && this.map.getBounds().intersects(extent(plan));
  }

  #watchMoves(node) {
    for (const input of ["wheel", "keydown", "dblclick"]) node.addEventListener(input, () => (this.isMoved = true), { passive: true });
    this.map.on("dragstart", () => (this.isMoved = true));
  }

  #pictureLayer(plan) {
    const address = `/api/picture?${new URLSearchParams({ venue: plan.venue, level: plan.level })}`;
    const image = element("img", { src: address, alt: "", class: "plan-picture" });
    image.addEventListener("error", () => image.replaceWith(element("span", { class: "hidden" }, t("place.noPicture"))));
    const size = [plan.width || 1000, plan.height || 1000];
    return new AffineOverlay(image, size, [plan.pictureCorners[0], plan.pictureCorners[1], plan.pictureCorners[3]]);
  }

  #watchSize(node) {
    this.observer = new ResizeObserver(() => this.map.invalidateSize({ animate: false }));
    this.observer.observe(node);
  }
}
