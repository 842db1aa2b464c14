import { get } from "./api.js";

/** The server sends a heartbeat every 15 s; after this silence the connection is lost. */
const SILENCE = 40_000;
/** A timer that is this late shows that the machine slept. */
const SLEPT = 20_000;
const TICK = 5_000;
/**
 * The stream of the server. It opens again after an error, a silence, and a sleep of the machine.
 * `kinds` are the names of the messages. `onMessage(kind, data)` receives each message, `onState("connecting" | "open" | "lost")` the connection,
 * and `onOpen()` is called after each opening, because messages may have been missed.
 */
export class Live {
  #source = null;
  #heard = Date.now();
  #tick = Date.now();
  #attempts = 0;
  #retry = null;
  #lastEvent = "";

  constructor({ kinds, onMessage, onState, onOpen }) {
    Object.assign(this, { kinds, onMessage, onState, onOpen });
    setInterval(() => this.#check(), TICK);
    addEventListener("online", () => this.#reopen());
    addEventListener("pageshow", (event) => event.persisted && this.#reopen());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && Date.now() - this.#heard > SLEPT) this.#reopen();
    });
  }

  open() {
    clearTimeout(this.#retry);
    this.#retry = null;
    this.#source?.close();
    this.#heard = Date.now();
    const source = new EventSource(`/api/live${this.#lastEvent && `?after=${encodeURIComponent(this.#lastEvent)}`}`);
    this.#source = source;
    source.addEventListener("open", () => {
      this.#heard = Date.now();
      this.#attempts = 0;
      this.onState("open");
      this.onOpen();
    });
    source.addEventListener("error", () => source === this.#source && this.#fail());
    for (const kind of this.kinds) {
      source.addEventListener(kind, (message) => {
        this.#heard = Date.now();
        if (message.lastEventId) this.#lastEvent = message.lastEventId;
        let data;
        try {
          data = JSON.parse(message.data);
        } catch {
          return;
        }
        this.onMessage(kind, data);
      });
    }
  }

  /** Ends the stream for good, as after the logout. */
  close() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
    this.isClosed = true;
  }

  #reopen() {
    if (this.isClosed) return;
    this.onState("connecting");
    this.open();
  }

  #check() {
    const now = Date.now();
    const slept = now - this.#tick > TICK + SLEPT;
    this.#tick = now;
    if (this.isClosed || this.#retry) return slept && !this.isClosed ? this.#reopen() : undefined;
    if (slept || now - this.#heard > SILENCE) this.#reopen();
  }

  /** The pause grows to 15 s. A session that ended is not a network failure, and opens the login page. */
  #fail() {
    this.#source?.close();
    this.#source = null;
    if (this.isClosed || this.#retry) return;
    this.onState("lost");
    const pause = Math.min(15_000, 500 * 2 ** this.#attempts++);
    this.#retry = setTimeout(() => this.open(), pause);
    get("session").catch(() => {});
  }
}
