import { get, post } from "../app/api.js";
import { store } from "../app/store.js";
import { changed } from "./items.js";
import { written } from "./toml.js";

/** The most steps that can be undone, and the most characters that they keep. */
const STEPS = 100;
const CHARACTERS = 20_000_000;
/** Changes that follow each other this fast, as by an arrow key that is held, are one step. */
const PAUSE = 300;
const DRAFT = "beaconmon-draft";

/** The text of a venue file that is edited, its model, and the steps that can be undone. The server applies each change to the text. */
export class VenueDocument {
  text = "";
  model = null;
  problems = [];
  warnings = [];
  error = null;
  #undo = [];
  #redo = [];
  #listeners = new Set();
  #pending = [];
  #base = null;
  #timer = null;
  #queue = Promise.resolve();

  /** Opens a venue. A draft from before the session ended comes back as an unsaved step. */
  static async open(venue) {
    const document = new VenueDocument();
    const answer = await get("venue", { venue });
    Object.assign(document, { venue, saved: answer.text, text: answer.text, model: answer.model, revision: answer.revision, editable: answer.editable });
    const draft = document.#draft();
    if (draft?.venue === venue && draft.text !== answer.text && answer.editable) {
      document.revision = draft.revision;
      await document.setText(draft.text);
      document.hasDraft = true;
    }
    return document;
  }

  /** Begins a venue that is not stored yet. */
  static async create(text) {
    const document = new VenueDocument();
    Object.assign(document, { venue: "", saved: "", revision: "", editable: true });
    await document.setText(text);
    return document;
  }

  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get isUnsaved() {
    return this.text !== this.saved || this.#pending.length > 0;
  }

  get canUndo() {
    return this.#undo.length > 0 || this.#pending.length > 0;
  }

  get canRedo() {
    return this.#redo.length > 0;
  }

  /** Shows changes at once, and sends them to the server after a pause. */
  preview(edits) {
    if (!this.editable || !this.model) return;
    this.#base ??= { text: this.text, model: this.model, problems: this.problems };
    for (const edit of edits) {
      const same = this.#pending.find((other) => other.key === edit.key);
      if (same) Object.assign(same.values, edit.values);
      else this.#pending.push({ ...edit, values: { ...edit.values } });
    }
    this.model = changed(this.model, edits);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), PAUSE);
    this.#tell();
  }

  /** Sends the changes that were only shown so far. */
  flush() {
    clearTimeout(this.#timer);
    if (!this.#pending.length) return this.#queue;
    const edits = this.#pending.splice(0);
    const base = this.#base;
    this.#base = null;
    return this.#enqueue(() => this.#send(base, edits));
  }

  /** Applies changes as one step. */
  apply(edits) {
    if (!this.editable) return Promise.resolve();
    this.flush();
    return this.#enqueue(() => this.#send(this.#state(), edits));
  }

  /** Replaces the whole text as one step. */
  setText(text) {
    this.flush();
    return this.#enqueue(async () => {
      const base = this.#state();
      if (text === base.text) return;
      const answer = await post("venue/apply", { text, edits: [] });
      this.#push(base);
      this.#take({ ...answer, text, model: answer.model ?? this.model });
    });
  }

  undo() {
    return this.#step(this.#undo, this.#redo);
  }

  redo() {
    return this.#step(this.#redo, this.#undo);
  }

  /** Stores the text. Throws ServerError with code "stale" or with `problems`. */
  async save() {
    await this.flush();
    const text = this.text;
    const answer = await post("venue/save", { text, revision: this.revision });
    Object.assign(this, { saved: text, revision: answer.revision, venue: answer.venue, error: null });
    this.#tell();
    return answer;
  }

  #state() {
    return { text: this.text, model: this.model, problems: this.problems, warnings: this.warnings };
  }

  #enqueue(action) {
    this.#queue = this.#queue.then(action).then(() => (this.error = null), (error) => (this.error = error)).then(() => this.#tell());
    return this.#queue;
  }

  /** A refused change is taken back, so that the page never shows what the text does not have. */
  async #send(base, edits) {
    try {
      const answer = await post("venue/apply", { text: this.text, edits: edits.map(written) });
      this.#push(base);
      this.#take(answer);
    } catch (error) {
      this.#take(base);
      throw error;
    }
  }

  #take({ text, model, problems, warnings }) {
    this.text = text;
    this.problems = problems ?? [];
    this.warnings = warnings ?? [];
    // Changes that came meanwhile are shown on top.
    if (this.#base) Object.assign(this.#base, { text, model, problems: this.problems });
    this.model = this.#pending.length && model ? changed(model, this.#pending) : model;
  }

  #push(state) {
    this.#undo.push(state);
    this.#redo.length = 0;
    let characters = this.#undo.reduce((sum, step) => sum + step.text.length, 0);
    while (this.#undo.length > STEPS || (characters > CHARACTERS && this.#undo.length > 1)) characters -= this.#undo.shift().text.length;
  }

  #step(from, to) {
    this.flush();
    return this.#enqueue(() => {
      const state = from.pop();
      if (!state) return;
      to.push(this.#state());
      this.#take(state);
    });
  }

  #tell() {
    store.set("unsaved", this.isUnsaved);
    try {
      if (this.isUnsaved && this.editable) sessionStorage.setItem(DRAFT, JSON.stringify({ venue: this.venue, text: this.text, revision: this.revision }));
      else sessionStorage.removeItem(DRAFT);
    } catch {
      // A text that is too large for the storage of the browser has no draft.
    }
    for (const listener of [...this.#listeners]) listener();
  }

  #draft() {
    try {
      return JSON.parse(sessionStorage.getItem(DRAFT));
    } catch {
      return null;
    }
  }
}
