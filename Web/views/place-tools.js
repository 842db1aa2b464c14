import { button, element, replace, select } from "../app/dom.js";
import { icon } from "../app/icons.js";
import { number, t } from "../app/language.js";
import { RSSI_STEPS } from "../plan/beacons.js";
import { insideRegions } from "../plan/places.js";

const STORED = "beaconmon-layers";
const LAYERS = ["picture", "walls", "places", "beacons", "labels", "position", "track"];

/** The layers of the plan that are shown, and whether the plan follows the position. The browser keeps them. */
export const settings = { ...Object.fromEntries(LAYERS.map((name) => [name, true])), follow: false, ...stored() };

function stored() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? {};
  } catch {
    return {};
  }
}

/** The tools on the plan: levels, layers, zoom, the whole level, and following the position. */
export class PlaceTools {
  constructor(view) {
    this.view = view;
    this.venues = element("div", { class: "tool-venue" });
    this.levels = element("div", { class: "tool-levels", role: "group", "aria-label": t("place.levels") });
    this.follow = button([icon("follow"), element("span", {}, t("place.follow"))], () => this.setFollow(!settings.follow, true),
      { class: "tool", "aria-pressed": settings.follow, "aria-label": t("place.follow") });
    this.overlay = element("div", { class: "overlay-choice" });
    this.layers = element("details", { class: "tool-layers" },
      element("summary", { class: "tool", "aria-label": t("place.layers") }, icon("layers"), element("span", {}, t("place.layers"))),
      element("fieldset", { class: "popover" }, element("legend", { class: "hidden" }, t("place.layers")), LAYERS.map((name) => this.#checkbox(name)),
        this.overlay));
    this.layers.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.layers.open) return;
      this.layers.open = false;
      this.layers.querySelector("summary").focus();
    });
    this.node = element("div", { class: "tools" },
      element("div", { class: "tool-row" }, this.venues, this.layers, this.follow),
      element("div", { class: "tool-column" }, this.levels,
        element("div", { class: "tool-zoom", role: "group", "aria-label": t("place.zoom") },
          button("+", () => view.map.zoom(1), { class: "tool", "aria-label": t("place.zoomIn") }),
          button("−", () => view.map.zoom(-1), { class: "tool", "aria-label": t("place.zoomOut") }),
          button(icon("fit"), () => view.map.fit(), { class: "tool", "aria-label": t("place.fit"), title: t("place.fit") }))));
    this.legend = this.#legend();
  }

  showLevels(plans, chosen) {
    const venues = [...new Map(plans.map((plan) => [plan.venue, plan.venueName ?? plan.venue]))];
    replace(this.venues, venues.length > 1 && select(venues, chosen?.venue, (venue) => (location.hash = `#/place/${encodeURIComponent(venue)}`),
      { "aria-label": t("place.venue"), class: "tool" }));
    const levels = plans.filter((plan) => plan.venue === chosen?.venue).sort((a, b) => b.floor - a.floor);
    this.levels.hidden = levels.length < 2;
    this.buttons = new Map(levels.map((plan) => [plan.level, button(plan.shortName ?? String(plan.floor),
      () => (location.hash = `#/place/${encodeURIComponent(plan.venue)}/${encodeURIComponent(plan.level)}`),
      { class: "tool", "aria-label": plan.name, title: plan.name, "aria-pressed": plan.level === chosen.level, data: { level: plan.level } })]));
    replace(this.levels, ...this.buttons.values());
  }

  /** Marks the levels on which the device is. */
  markInside(regions, position) {
    const { levels } = insideRegions(regions, this.view.plan?.venue);
    for (const [level, node] of this.buttons ?? []) {
      const isHere = position?.venue === this.view.plan?.venue && position?.level === level || levels.has(level);
      node.classList.toggle("here", isHere);
      node.setAttribute("aria-label", isHere ? t("place.levelHere", { level: node.title }) : node.title);
    }
  }

  setFollow(isOn, moves = false) {
    if (settings.follow === isOn) return;
    settings.follow = isOn;
    this.#store();
    this.follow.setAttribute("aria-pressed", isOn);
    if (isOn && moves) this.view.panel.follow();
  }

  #checkbox(name) {
    const box = element("input", { type: "checkbox", checked: settings[name], data: { layer: name } });
    box.addEventListener("change", () => {
      settings[name] = box.checked;
      this.#store();
      this.view.applySettings();
    });
    return element("label", { class: "check" }, box, t(`layer.${name}`));
  }

  #store() {
    localStorage.setItem(STORED, JSON.stringify(settings));
  }

  #legend() {
    const steps = [0, 1, 2, 3, 4].map((step) => element("li", {}, element("span", { class: `swatch rssi-${step}` }),
      step < 4 ? t("legend.from", { dbm: number(RSSI_STEPS[step]) }) : t("legend.below", { dbm: number(RSSI_STEPS[3]) })));
    this.overlayLegend = element("div", { class: "overlay-legend", hidden: true });
    return element("div", { class: "legends" }, this.overlayLegend,
      element("details", { class: "legend" }, element("summary", {}, t("legend.title")),
        element("ul", {}, steps, element("li", {}, element("span", { class: "swatch silent" }), t("beacon.notHeard")),
          element("li", {}, element("span", { class: "swatch problem" }), t("legend.problem")),
          element("li", {}, element("span", { class: "swatch diamond" }), t("legend.place")),
          element("li", {}, element("span", { class: "swatch diamond inside" }), t("legend.inside")),
          element("li", {}, element("span", { class: "swatch position" }), t("legend.position")))));
  }

  /** Shows the scale of the overlay: "0 m" to "6 m" with its colours. */
  showScale(kind, from, to, title) {
    this.overlayLegend.hidden = !kind;
    if (kind) replace(this.overlayLegend, element("span", {}, title), element("span", { class: "range" }, from, element("span", { class: `ramp ${kind}` }), to));
  }

  setOverlayChoice(...children) {
    replace(this.overlay, ...children);
  }
}
