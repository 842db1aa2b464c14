import { get } from "../app/api.js";
import { beaconKey, beaconName } from "../app/beacons.js";
import { labelled, select } from "../app/dom.js";
import { number, t } from "../app/language.js";
import { predictedError, surveyHeat } from "../plan/heat.js";

/** The overlays of a level that are loaded on request: the predicted error, and the survey of one beacon. */
export class Overlays {
  #kind = "none";
  #beacon = null;
  #layer = null;

  constructor(view) {
    this.view = view;
  }

  /** Begins with a level. The chosen overlay stays, with the values of this level. */
  load(plan) {
    this.plan = plan;
    this.survey = null;
    this.#show();
  }

  async #show() {
    this.#layer?.remove();
    this.#layer = null;
    this.#choice();
    this.view.tools.showScale(null);
    const plan = this.plan;
    if (this.#kind === "none") return;
    const query = { venue: plan.venue, level: plan.level };
    try {
      if (this.#kind === "error") {
        const grid = await get("predicted-error", query);
        if (plan !== this.plan || this.#kind !== "error" || !this.view.scope.isOpen) return;
        const { layer, range } = predictedError(grid);
        this.#add(layer);
        this.view.tools.showScale("error", "0 m", `${number(range[1])} m`, t("overlay.error"));
        return;
      }
      this.survey ??= await get("survey", query);
      if (plan !== this.plan || this.#kind !== "survey" || !this.view.scope.isOpen) return;
      const index = Math.max(0, this.survey.beacons.findIndex((beacon) => beaconKey(beacon) === this.#beacon));
      this.#beacon = this.survey.beacons.length ? beaconKey(this.survey.beacons[index]) : null;
      this.#choice();
      const heat = surveyHeat(this.survey, index);
      if (!heat) return this.#note(t("overlay.nothing"));
      this.#add(heat.layer);
      this.view.tools.showScale("rssi", `${number(heat.range[0])}`, `${number(heat.range[1])} dBm`, t("overlay.survey"));
    } catch (error) {
      if (plan === this.plan) this.#note(error.status === 404 && this.#kind === "survey" ? t("overlay.noSurvey") : error.message);
    }
  }

  #add(layer) {
    this.#layer?.remove();
    this.#layer = layer;
    layer.addTo(this.view.map.map);
  }

  #note(text) {
    this.view.tools.showScale("none", "", "", text);
  }

  #choice() {
    const kinds = ["none", "error", "survey"].map((kind) => [kind, t(`overlay.choice.${kind}`)]);
    const fields = [labelled(t("overlay.title"), select(kinds, this.#kind, (kind) => {
      this.#kind = kind;
      this.#show().then(() => document.getElementById("overlay-kind")?.focus());
    }, { id: "overlay-kind" }))];
    if (this.#kind === "survey" && this.survey) {
      const names = new Map(this.view.beaconsHere().map((beacon) => [beaconKey(beacon), beaconName(beacon)]));
      const options = this.survey.beacons.map((beacon) => [beaconKey(beacon), names.get(beaconKey(beacon)) ?? beaconName(beacon)]);
      fields.push(labelled(t("overlay.beacon"), select(options, this.#beacon, (beacon) => {
        this.#beacon = beacon;
        this.#show().then(() => document.getElementById("overlay-beacon")?.focus());
      }, { id: "overlay-beacon" })));
    }
    this.view.tools.setOverlayChoice(fields);
  }
}
