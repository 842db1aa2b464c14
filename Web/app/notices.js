import { button, element, keyed } from "./dom.js";
import { icon } from "./icons.js";
import { clock, t } from "./language.js";
import { store } from "./store.js";

/** Returns the state that the page shows: "live", "connecting", "lost", "absent" or "denied". */
export function connectionState() {
  const connection = store.get("connection") ?? "connecting";
  if (connection !== "open") return connection;
  const daemon = store.get("daemon")?.state;
  return daemon === undefined ? "connecting" : daemon === "running" ? "live" : daemon;
}

/** The notices above a view: problems of the connection and the daemon, with what to do about them. */
export class Notices {
  node = element("div", { class: "notices", role: "status" });
  #own = [];
  #since = null;

  /** Adds a notice that stays until it is closed. */
  add(text) {
    this.#own = [...this.#own.slice(-2), { key: `own-${Date.now()}`, kind: "bad", text, isOwn: true }];
    this.show();
  }

  show() {
    keyed(this.node, [...this.#present(), ...this.#own], (notice) => notice.key + notice.text, (notice) => this.#create(notice));
  }

  *#present() {
    const state = connectionState();
    const daemon = store.get("daemon");
    if (state !== "lost" && state !== "connecting") this.#since = null;
    else this.#since ??= new Date();
    if (state === "lost") yield { key: "lost", kind: "bad", text: t("notice.lost", { time: clock(this.#since) }), note: t("notice.lost.do") };
    if (state === "absent") yield { key: "absent", kind: "bad", text: t("notice.absent"), command: t("notice.absent.command"), note: daemon.note };
    if (state === "denied") yield { key: "denied", kind: "bad", text: t("notice.denied"), note: daemon.note };
  }

  #create({ kind, text, note, command, isOwn }) {
    const node = element("div", { class: `notice ${kind}` }, icon("alert"),
      element("div", {}, element("p", {}, text), command && element("code", {}, command), note && element("p", {}, note)));
    if (isOwn) {
      node.append(button(t("shell.close"), () => {
        this.#own = this.#own.filter((notice) => notice.text !== text);
        this.show();
      }, { class: "link" }));
    }
    return node;
  }
}
