import { get } from "../app/api.js";
import { announce, button, element, replace, select, setText } from "../app/dom.js";
import { icon } from "../app/icons.js";
import { language, t } from "../app/language.js";
import { Scope, store } from "../app/store.js";
import { arrowStep, EditorCanvas } from "./canvas.js";
import { chooseVersion, saveWithChoice } from "./dialogs.js";
import { ItemForm } from "./form.js";
import { editOfPoints, editOfRemoval, itemsOf, levelsOf, localised } from "./items.js";
import { ItemList } from "./list.js";
import { PictureFrame } from "./picture.js";
import { Placing } from "./placing.js";
import { SourceEditor } from "./source.js";

/** The editor of one venue: the plan, the list and the form of its items, the text, and the tools. */
export class VenueEditor {
  #ref = null;
  #items = [];
  #scope = new Scope();
  picture = new PictureFrame(null);
  pixelAt = (point) => this.picture.pixelAt(point);

  constructor(document) {
    this.document = document;
    this.levelId = levelsOf(document.model)[0].id;
    this.mapNode = element("div", { class: "map", tabindex: 0 });
    this.coordinates = element("output", { class: "coordinates", "aria-label": t("place.coordinates") });
    this.form = new ItemForm(this);
    this.list = new ItemList((ref) => this.select(ref, { moves: true }));
    this.placing = new Placing(this);
    this.source = new SourceEditor(document);
    this.note = element("p", { class: "editor-note", role: "status" });
    this.levels = element("div", { class: "field" });
    this.plan = element("div", { class: "editor-plan" }, this.list.node,
      element("section", { class: "plan-card", "aria-label": t("place.plan") }, this.mapNode, this.placing.hint, element("span", { class: "crosshair", "aria-hidden": "true" }), this.coordinates),
      this.form.node);
    this.node = element("div", { class: "editor-body" }, this.#toolbar(), this.note, this.plan, this.source.node);
    this.showTab(document.venue === "" ? "source" : "plan");
  }

  start() {
    this.canvas = new EditorCanvas(this.mapNode, t("editor.mapLabel"), {
      onSelect: (ref) => this.select(ref), onPlace: (point) => this.placing.place(point),
      onPoints: (item, points, isLast) => {
        const edit = editOfPoints(item, points, this.pixelAt);
        if (edit) this.document.preview([edit]);
        if (isLast) this.document.flush();
      },
    });
    this.canvas.plan.showCoordinates(this.coordinates);
    this.#scope.add(this.document.onChange(() => this.show()));
    this.#scope.add(() => this.canvas.close());
    this.#scope.listen(window, "keydown", (event) => this.#key(event));
    this.#scope.listen(this.mapNode, "keydown", (event) => this.#mapKey(event));
    this.#scope.add(store.on("venuesChanged", () => this.#loadPicture(true)));
    this.#loadPicture(false);
    this.show();
  }

  close() {
    this.document.flush();
    this.source.commit();
    this.#scope.close();
  }

  get level() {
    const levels = levelsOf(this.document.model);
    return levels.find((level) => level.id === this.levelId) ?? levels[0];
  }

  get selected() {
    return this.#items.find((item) => item.ref === this.#ref) ?? null;
  }

  select(ref, { moves = false } = {}) {
    this.#ref = ref;
    this.show();
    const item = this.selected;
    this.canvas.map.keyboard[item ? "disable" : "enable"]();
    if (!item) return;
    announce(t("editor.selected", { item: `${t(`item.${item.kind}`)} ${item.label}` }));
    if (moves && item.points.length && !this.canvas.map.getBounds().pad(-0.1).contains([item.points[0][1], item.points[0][0]])) {
      this.canvas.plan.moveTo({ x: item.points[0][0], y: item.points[0][1] });
    }
  }

  /** Moves an item by metres. The steps of a held key are one step to undo. */
  move(item, [dx, dy]) {
    const edit = item && editOfPoints(item, item.points.map(([x, y]) => [x + dx, y + dy]), this.pixelAt);
    if (edit) this.document.preview([edit]);
  }

  apply(edits) {
    return this.document.apply(edits.filter(Boolean));
  }

  remove(item) {
    this.select(null);
    announce(t("editor.removed", { item: item.label }));
    return this.apply([editOfRemoval(item)]);
  }

  message(text) {
    setText(this.note, text);
  }

  showTab(name) {
    this.tab = name;
    this.plan.hidden = name !== "plan";
    this.placing.buttons.hidden = name !== "plan" || !this.document.editable;
    this.source.node.hidden = name !== "source";
    for (const [tab, node] of this.tabs) node.setAttribute("aria-pressed", tab === name);
    if (name === "plan") this.source.commit();
    if (this.canvas) this.show();
  }

  show() {
    const { document } = this;
    this.undo.disabled = !document.canUndo;
    this.redo.disabled = !document.canRedo;
    this.save.disabled = !document.editable || !document.isUnsaved;
    this.message(document.error ? document.error.message : !document.model ? t("editor.noModel") : document.problems.length && this.tab === "plan" ? t("editor.hasProblems", { count: document.problems.length }) : this.last ?? "");
    this.source.show();
    if (!document.model || this.tab !== "plan") return;
    const levels = levelsOf(document.model);
    const state = levels.map((level) => `${level.id} ${localised(level.name)}`).join("\n") + this.level.id;
    if (state !== this.levelState) {
      this.levelState = state;
      replace(this.levels, levels.length > 1 && select(levels.map((level) => [level.id, localised(level.name) ?? level.id]), this.level.id, (id) => this.#openLevel(id), { "aria-label": t("choice.level") }));
    }
    const anchorPoint = (anchor) => this.picture.pointAt(anchor.pixel);
    this.#items = itemsOf(document.model, this.level, anchorPoint);
    if (!document.editable) for (const item of this.#items) item.isReadOnly = true;
    const { selected } = this;
    this.canvas.draw(this.#items, selected);
    this.list.show(this.#items, selected);
    this.form.show(selected);
  }

  #toolbar() {
    const tool = (name, action, shortcut) => button([icon(name), element("span", {}, t(`editor.${name}`))], action, { class: "tool", title: shortcut, "aria-label": t(`editor.${name}`), data: { tool: name } });
    this.undo = tool("undo", () => this.document.undo(), "Ctrl+Z");
    this.redo = tool("redo", () => this.document.redo(), "Ctrl+Shift+Z");
    this.save = button(t("editor.save"), () => this.#save(), { class: "primary", title: "Ctrl+S", data: { tool: "save" } });
    this.versions = button([icon("history"), element("span", {}, t("editor.versions"))], () => this.#versions(), { class: "tool" });
    this.versions.disabled = this.document.venue === "";
    this.tabs = new Map(["plan", "source"].map((name) => [name, button(t(`editor.tab.${name}`), () => this.showTab(name), { class: "tool", data: { tab: name } })]));
    return element("div", { class: "editor-tools" }, element("div", { class: "tab-buttons", role: "group", "aria-label": t("editor.tabs") }, ...this.tabs.values()),
      this.levels, this.undo, this.redo, this.versions, this.save, this.placing.buttons);
  }

  #openLevel(id) {
    this.levelId = id;
    this.#ref = null;
    this.placing.cancel();
    this.#loadPicture(false);
    this.show();
  }

  /** Loads the ground of the level from the daemon. A venue that it does not have yet has no picture. */
  async #loadPicture(keepsView) {
    const level = this.level;
    const summary = (store.get("plans") ?? []).find((plan) => plan.venue === this.document.venue && plan.level === level.id);
    const plan = summary && await get("plan", { venue: this.document.venue, level: level.id, locale: language() }).catch(() => null);
    if (!this.#scope.isOpen || level.id !== this.level.id) return;
    const known = plan ? { ...summary, ...plan } : null;
    this.picture = new PictureFrame(known, level.plan?.size);
    const points = (level.walkable ?? []).map((area) => ({ points: area.map(([x, y]) => ({ x, y })) }));
    this.canvas.plan.setPlan({ ...known, venue: this.document.venue, level: level.id, walkable: points, walls: [], voids: [] }, { keepsView });
    this.canvas.plan.ground.clearLayers();
    this.show();
  }

  async #save() {
    await this.source.commit();
    try {
      const answer = await saveWithChoice(this.document);
      if (answer) this.last = answer.warnings?.length ? t("editor.savedWarnings", { warnings: answer.warnings.join("; ") }) : t("editor.saved");
      this.versions.disabled = this.document.venue === "";
      this.show();
    } catch (error) {
      if (error.body?.problems?.length) {
        this.document.problems = error.body.problems;
        this.showTab("source");
      }
      this.show();
      this.message(error.status ? error.message : t("connection.lost"));
    }
  }

  async #versions() {
    try {
      const text = await chooseVersion(this.document.venue);
      if (text !== null) await this.document.setText(text);
    } catch (error) {
      this.message(error.status ? error.message : t("connection.lost"));
    }
  }

  #key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const isText = event.target.matches?.("input, textarea");
    if (key === "s") this.#save();
    else if (key === "z" && !isText) event.shiftKey ? this.document.redo() : this.document.undo();
    else if (key === "y" && !isText) this.document.redo();
    else return;
    event.preventDefault();
  }

  #mapKey(event) {
    if (this.placing.key(event)) return event.preventDefault();
    const { selected } = this;
    if (!selected) return;
    const step = arrowStep(event);
    if (step) this.move(selected, step);
    else if (event.key === "Delete") this.remove(selected);
    else if (event.key === "Escape") this.select(null);
    else return;
    event.preventDefault();
  }
}
