import { announce, button, element, replace } from "../app/dom.js";
import { icon } from "../app/icons.js";
import { t } from "../app/language.js";
import { addition, isArea, KINDS, pointsNeeded } from "./items.js";

/** The buttons that add items, and the mode in which their points are placed by mouse or keyboard. */
export class Placing {
  #kind = null;
  #points = [];

  constructor(editor) {
    this.editor = editor;
    this.buttons = element("div", { class: "add-buttons", role: "group", "aria-label": t("editor.add") },
      KINDS.map((kind) => button([icon("add"), t(`item.${kind}`)], () => this.begin(kind), { class: "tool", data: { add: kind } })));
    this.hint = element("div", { class: "placing-hint", role: "status", hidden: true });
  }

  get isActive() {
    return this.#kind !== null;
  }

  begin(kind) {
    this.#kind = kind;
    this.#points = [];
    this.editor.select(null);
    this.editor.canvas.setPlacing(true);
    this.editor.mapNode.focus();
    this.#show();
  }

  cancel() {
    this.#kind = null;
    this.#points = [];
    this.editor.canvas.setPlacing(false);
    this.#show();
  }

  /** Takes a point. An item that has all of its points is added. */
  place(point) {
    this.#points.push(point);
    if (this.#points.length >= pointsNeeded(this.#kind)) this.finish();
    else {
      this.editor.canvas.showDraft(this.#points);
      this.#show();
    }
  }

  async finish() {
    const { editor } = this;
    const kind = this.#kind;
    const points = this.#points;
    if (isArea(kind) && points.length < 3) return announce(t("editor.needsCorners"));
    const options = { title: t("editor.newPlace") };
    if (kind === "edge") options.nodes = points.map((point) => this.#nearestNode(point));
    if (kind === "anchors") {
      options.pixel = editor.picture.pixelAt(points[0]) ?? [0, 0];
      options.earth = editor.picture.earthAt(points[0]) ?? { latitude: 0, longitude: 0 };
    }
    this.cancel();
    if (kind === "edge" && (options.nodes.some((node) => !node) || options.nodes[0] === options.nodes[1])) return editor.message(t("editor.needsNodes"));
    const { edit, ref } = addition(editor.document.model, editor.level, kind, points, options);
    await editor.apply([edit]);
    if (!editor.document.error) editor.select(ref);
  }

  /** Handles a key on the map while placing. Returns whether it did. */
  key(event) {
    if (!this.isActive) return false;
    if (event.key === "Enter") this.place(this.editor.canvas.middle);
    else if (event.key === "Escape") this.cancel();
    else if (event.key.toLowerCase() === "f" && isArea(this.#kind)) this.finish();
    else return false;
    return true;
  }

  #nearestNode([x, y]) {
    const distance = (node) => Math.hypot(node.position[0] - x, node.position[1] - y);
    return (this.editor.document.model.node ?? []).filter((node) => (node.level ?? this.editor.level.id) === this.editor.level.id).sort((a, b) => distance(a) - distance(b))[0];
  }

  #show() {
    this.hint.hidden = !this.isActive;
    for (const node of this.buttons.children) node.setAttribute("aria-pressed", node.dataset.add === this.#kind);
    if (!this.isActive) return;
    replace(this.hint, element("span", {}, t(`placing.${isArea(this.#kind) ? "area" : this.#kind}`, { number: this.#points.length + 1 })),
      isArea(this.#kind) && button(t("editor.finish"), () => this.finish(), { class: "primary", disabled: this.#points.length < 3 }),
      button(t("shell.cancel"), () => this.cancel()));
  }
}
