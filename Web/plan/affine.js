import { L } from "./leaflet.js";

/**
 * A picture or a canvas on the plan that may be turned and sheared, which Leaflet's own overlay cannot be.
 * `corners` are three places on the plan: top left, top right, bottom left.
 */
export const AffineOverlay = L.Layer.extend({
  initialize(node, size, corners, options = {}) {
    L.setOptions(this, { pane: "picture", ...options });
    this._node = node;
    this._size = size;
    this._corners = corners.map(({ x, y }) => L.latLng(y, x));
  },

  onAdd(map) {
    L.DomUtil.addClass(this._node, "affine");
    if (map.options.zoomAnimation && L.Browser.any3d) L.DomUtil.addClass(this._node, "leaflet-zoom-animated");
    this.getPane().append(this._node);
    this._place();
  },

  onRemove() {
    this._node.remove();
  },

  getEvents() {
    return { zoom: this._place, viewreset: this._place, zoomanim: this._animate };
  },

  _place() {
    this._transform((place) => this._map.latLngToLayerPoint(place));
  },

  _animate(event) {
    this._transform((place) => this._map._latLngToNewLayerPoint(place, event.zoom, event.center));
  },

  _transform(project) {
    const [origin, right, down] = this._corners.map(project);
    const [width, height] = this._size;
    const matrix = [(right.x - origin.x) / width, (right.y - origin.y) / width, (down.x - origin.x) / height, (down.y - origin.y) / height, origin.x, origin.y];
    this._node.style.width = `${width}px`;
    this._node.style.height = `${height}px`;
    this._node.style.transform = `matrix(${matrix.join(",")})`;
  },
});
