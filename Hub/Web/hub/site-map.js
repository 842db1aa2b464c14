import { element } from "../app/dom.js";
import { t } from "../app/language.js";
import { L } from "../plan/leaflet.js";

/** A map of sites without a ground, because the page loads nothing from other hosts: the places of the sites, a grid of degrees, and a scale. */
export class SiteMap {
  #marks = L.layerGroup();
  #grid = L.layerGroup();
  #isFitted = false;

  constructor(node) {
    node.setAttribute("role", "region");
    node.setAttribute("aria-label", t("sites.map"));
    this.map = L.map(node, { attributionControl: false, zoomAnimation: false, fadeAnimation: false, inertia: false, minZoom: 1, maxZoom: 18 }).setView([20, 0], 2);
    this.map.zoomControl.setPosition("topright");
    L.control.scale({ imperial: false }).addTo(this.map);
    this.#grid.addTo(this.map);
    this.#marks.addTo(this.map);
    this.map.on("moveend", () => this.#drawGrid());
  }

  show(sites) {
    this.#marks.clearLayers();
    const isBad = (site) => Boolean(site.problems || site.silent);
    // Of sites at nearly the same place, one with a problem is on top.
    for (const site of [...sites].sort((a, b) => isBad(a) - isBad(b))) {
      const kind = isBad(site) ? "bad" : "good";
      const name = site.title ?? site.site;
      const mark = element("span", { class: "site-mark", data: { kind } });
      L.marker([site.latitude, site.longitude], {
        title: name, alt: t(`sites.mark.${kind}`, { site: name }), keyboard: true, zIndexOffset: kind === "bad" ? 1000 : 0,
        icon: L.divIcon({ className: "site-icon", html: mark, iconSize: [24, 24] }),
      }).bindTooltip(element("span", {}, name), { permanent: sites.length <= 30, direction: "auto", offset: [12, 0], className: "tip", interactive: true })
        .on("click keypress", (event) => {
          if (event.type === "click" || event.originalEvent?.key === "Enter") location.hash = `#/site/${encodeURIComponent(site.site)}`;
        }).addTo(this.#marks);
    }
    if (!this.#isFitted && sites.length) {
      this.#isFitted = true;
      this.map.fitBounds(L.latLngBounds(sites.map((site) => [site.latitude, site.longitude])).pad(0.3), { maxZoom: 13, animate: false });
    }
    this.#drawGrid();
  }

  remove() {
    this.map.remove();
  }

  #drawGrid() {
    this.#grid.clearLayers();
    const view = this.map.getBounds();
    const width = view.getEast() - view.getWest();
    const step = [45, 30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005].find((candidate) => width / candidate >= 4) ?? 0.002;
    const options = { interactive: false, weight: 1, className: "grid-line" };
    for (let x = Math.ceil(view.getWest() / step) * step; x < view.getEast(); x += step) L.polyline([[-85, x], [85, x]], options).addTo(this.#grid);
    for (let y = Math.ceil(Math.max(-85, view.getSouth()) / step) * step; y < Math.min(85, view.getNorth()); y += step) {
      L.polyline([[y, view.getWest() - width], [y, view.getEast() + width]], options).addTo(this.#grid);
    }
  }
}
