import { button, element, labelled, replace, select } from "../app/dom.js";
import { icon } from "../app/icons.js";
import { language, LANGUAGES, number, t } from "../app/language.js";
import { arrowStep } from "./canvas.js";
import { editOfAnchor, editOfPoints, isArea, levelsOf, localised, rounded, titleOf } from "./items.js";

const PLACE_KINDS = ["exhibit", "shop", "room", "gate", "desk", "entrance", "exit", "toilet", "food", "seat", "stairs", "lift", "story", "other"];
const EDGE_KINDS = ["walk", "stairs", "ramp", "escalator", "gate", "moving-walkway"];
const WHEELCHAIR = ["yes", "no", "unknown"];
const words = (group, values) => values.map((value) => [value, t(`${group}.${value}`)]);

/** The form of the selected item, with all its numbers. */
export class ItemForm {
  node = element("section", { class: "card item-form", tabindex: "0", "aria-label": t("panel.chosen") });
  #shown = null;

  /** `editor` has `document`, `levels`, `move(item, step)`, `apply(edits)`, `remove(item)` and `pixelAt`. */
  constructor(editor) {
    this.editor = editor;
  }

  show(item) {
    const state = item && JSON.stringify([item.ref, item.value, item.points, this.editor.document.editable, language()]);
    if (state === this.#shown && state !== null) return;
    const focus = document.activeElement?.closest(".item-form") ? document.activeElement.dataset.name : null;
    this.#shown = state;
    if (!item) return replace(this.node, element("h2", {}, t("editor.noSelection")), element("p", { class: "quiet-text" }, t("editor.noSelectionHow")));
    const isLocked = !this.editor.document.editable;
    replace(this.node, element("h2", {}, `${t(`item.${item.kind}`)} ${item.label}`),
      element("fieldset", { class: "plain", disabled: isLocked }, element("legend", { class: "hidden" }, t("panel.chosen")), this.#fields(item),
        item.kind !== "edge" && this.#moveButton(item),
        button([icon("remove"), t("editor.remove")], () => this.editor.remove(item), { class: "danger", data: { name: "remove" } })));
    if (focus) this.node.querySelector(`[data-name="${CSS.escape(focus)}"]`)?.focus();
  }

  #fields(item) {
    const { model } = this.editor.document;
    const value = item.value;
    const set = (values) => this.editor.apply([{ do: "set", key: item.key, values }]);
    const level = () => this.#select("level", levelsOf(model).map((other) => [other.id, localised(other.name) ?? other.id]), value.level ?? levelsOf(model)[0].id, (id) => set({ level: id }));
    const whole = (name, other) => this.#number(name, value[name], (entered) => set({ [name]: entered }), { step: 1, min: 0, max: 65_535, ...other });
    switch (item.kind) {
      case "beacon": return [whole("major"), whole("minor"), this.#points(item), this.#number("height", value.height, (height) => set({ height }), { isOptional: true, min: 0 }), level(),
        this.#text("uuid", value.uuid ?? "", (uuid) => set({ uuid: uuid || null }), t("editor.uuidOfVenue"))];
      case "place": return [this.#text("id", value.id, (id) => set({ id })), this.#select("kind", words("kind", PLACE_KINDS), value.kind ?? "other", (kind) => set({ kind })),
        this.#titles(value, set), this.#points(item), this.#number("radius", value.radius, (radius) => set({ radius }), { isOptional: true, min: 0 }), level(),
        this.#select("beacon", [["", "–"], ...(model.beacon ?? []).map((beacon) => `${beacon.major}/${beacon.minor}`).map((name) => [name, name])], value.beacon?.join("/") ?? "",
          (name) => set({ beacon: name ? name.split("/").map(Number) : null }))];
      case "wall": return [this.#points(item), this.#number("attenuation", value.attenuation, (attenuation) => set({ attenuation }), { min: 0, max: 100, step: 0.5 }), level()];
      case "node": return [this.#text("id", value.id, (id) => set({ id })), this.#points(item), level(),
        this.#select("place", [["", "–"], ...(model.place ?? []).map((place) => [place.id, titleOf(place)])], value.place ?? "", (place) => set({ place: place || null }))];
      case "edge": {
        const nodes = (model.node ?? []).map((node) => [node.id, node.id]);
        return [this.#select("from", nodes, value.from, (from) => set({ from })), this.#select("to", nodes, value.to, (to) => set({ to })),
          this.#select("kind", words("edgeKind", EDGE_KINDS), value.kind ?? "walk", (kind) => set({ kind })),
          this.#select("two-way", [["true", t("editor.yes")], ["false", t("editor.no")]], String(value["two-way"] ?? true), (text) => set({ "two-way": text === "true" })),
          this.#select("wheelchair", words("wheelchair", WHEELCHAIR), value.wheelchair ?? "unknown", (wheelchair) => set({ wheelchair }))];
      }
      case "anchors": return this.#anchor(item);
      default: return [this.#points(item), element("p", { class: "quiet-text" }, t("editor.corners", { count: item.points.length }))];
    }
  }

  #anchor(item) {
    const { value } = item;
    const set = (values) => this.editor.apply([editOfAnchor(item, values)]);
    return [
      element("p", { class: "residual" }, value.residual === undefined ? t("editor.noResidual") : t("editor.residual", { residual: number(value.residual, 2) })),
      this.#number("pixel-x", value.pixel[0], (x) => set({ pixel: [x, value.pixel[1]] }), { step: 1 }), this.#number("pixel-y", value.pixel[1], (y) => set({ pixel: [value.pixel[0], y] }), { step: 1 }),
      this.#number("latitude", value.latitude, (latitude) => set({ latitude }), { step: "any" }), this.#number("longitude", value.longitude, (longitude) => set({ longitude }), { step: "any" })];
  }

  /** Fields for x and y of each point. Corners of an area can be added and removed. */
  #points(item) {
    return item.points.map(([x, y], index) => {
      const name = item.points.length > 1 ? ` ${index + 1}` : "";
      const set = (values) => this.editor.apply([editOfPoints(item, item.points.map((old, other) => (other === index ? values : old)), this.editor.pixelAt)]);
      return element("div", { class: "point" }, this.#number(`x${name}`, x, (value) => set([value, y])), this.#number(`y${name}`, y, (value) => set([x, value])),
        isArea(item.kind) && element("div", { class: "point-tools" },
          button("+", () => this.#insert(item, index), { class: "quiet", "aria-label": t("editor.addCorner", { number: index + 1 }), data: { name: `add-${index}` } }),
          button("−", () => this.editor.apply([editOfPoints(item, item.points.filter((_, other) => other !== index))]),
            { class: "quiet", disabled: item.points.length < 4, "aria-label": t("editor.removeCorner", { number: index + 1 }), data: { name: `remove-${index}` } })));
    });
  }

  #insert(item, index) {
    const [a, b] = [item.points[index], item.points[(index + 1) % item.points.length]];
    this.editor.apply([editOfPoints(item, item.points.toSpliced(index + 1, 0, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]))]);
  }

  #titles(value, set) {
    // A title in one language is a text of its own.
    if (typeof value.title === "string") return this.#text("title", value.title, (title) => set({ title: title || null }));
    const tags = [...new Set([...Object.keys(value.title ?? {}), ...LANGUAGES])];
    return tags.map((tag) => this.#text(`title-${tag}`, value.title?.[tag] ?? "", (text) => {
      const title = Object.fromEntries(Object.entries({ ...value.title, [tag]: text }).filter(([, other]) => other));
      set({ title: Object.keys(title).length ? title : null });
    }, "", t("editor.titleIn", { language: tag })));
  }

  #moveButton(item) {
    const node = button(t("editor.moveKeys"), () => {}, { class: "move", data: { name: "move" } });
    node.addEventListener("keydown", (event) => {
      const step = arrowStep(event);
      if (!step) return;
      event.preventDefault();
      this.editor.move(this.editor.selected ?? item, step);
    });
    return node;
  }

  #number(name, value, onEnter, { isOptional = false, step = 0.1, min, max } = {}) {
    const shown = typeof value === "number" ? (step === 0.1 ? rounded(value) : value) : "";
    const field = element("input", { type: "number", step, min, max, value: shown, required: !isOptional, data: { name } });
    field.addEventListener("change", () => {
      if (field.value === "" && isOptional) onEnter(null);
      else if (field.value !== "" && Number.isFinite(field.valueAsNumber) && !field.validity.rangeUnderflow && !field.validity.rangeOverflow) onEnter(field.valueAsNumber);
      else field.reportValidity();
    });
    return labelled(t(`number.${name.replace(/ \d+$/, "")}`, { point: / \d+$/.exec(name)?.[0] ?? "" }), field);
  }

  #text(name, value, onEnter, placeholder = "", label = t(`field.${name}`)) {
    const field = element("input", { type: "text", value, placeholder, spellcheck: "false", autocomplete: "off", data: { name } });
    field.addEventListener("change", () => onEnter(field.value.trim()));
    return labelled(label, field);
  }

  #select(name, options, value, onChange) {
    return labelled(t(`choice.${name}`), select(options, value, onChange, { data: { name } }));
  }
}
