import { announce, button, element, replace } from "./dom.js";
import { icon } from "./icons.js";
import { LANGUAGES, language, t, useLanguage } from "./language.js";
import { logout } from "./session.js";
import { connectionState, Notices } from "./notices.js";
import { Scope, store } from "./store.js";
import { theme, toggleTheme, whenThemeChanges } from "./theme.js";

/**
 * The frame of all views: the head, the navigation, and the view that the address names.
 * `views` are the names of modules in /views, of which the first is the usual one. `unlisted` are not in the navigation.
 * `isPermitted(view)` says whether the session may see a view, and `onLanguage()` is called after a change of the language.
 */
export class Shell {
  #live;
  #title = "";
  #scope = null;
  #name = null;
  #main = document.getElementById("main");

  constructor(live, { views, unlisted = [], isPermitted = () => true, onLanguage = () => {} }) {
    this.#live = live;
    Object.assign(this, { views, unlisted, isPermitted, onLanguage });
  }

  /** Shows a text beside the name of the program. */
  set title(text) {
    this.#title = text;
    if (this.venue) this.venue.textContent = text;
  }

  start() {
    this.#frame();
    this.#show(false);
    // The address names the view, so that the link must not change it.
    document.getElementById("skip").addEventListener("click", (event) => {
      event.preventDefault();
      this.#main.focus();
    });
    addEventListener("hashchange", () => this.#show(true));
    whenThemeChanges(() => this.#repeat());
    for (const key of ["connection", "daemon", "session"]) store.on(key, () => this.#state());
    store.on("session", (session) => session.role !== this.role && this.#repeat());
  }

  #frame() {
    this.role = store.get("session")?.role;
    document.getElementById("skip").textContent = t("shell.skip");
    this.status = element("span", { class: "pill", role: "status" });
    this.venue = element("span", { class: "venue" });
    const other = LANGUAGES.find((tag) => tag !== language());
    replace(document.getElementById("top"),
      element("a", { class: "brand", href: `#/${this.views[0]}`, "aria-label": "beaconmon" }, element("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }),
        element("span", {}, "beaconmon")),
      this.venue, element("span", { class: "space" }), this.status,
      button(other.toUpperCase(), () => this.#useLanguage(other), { class: "quiet", lang: other, "aria-label": t(`language.${other}`) }),
      button(icon("light"), () => (toggleTheme(), this.#repeat()), { class: "quiet", "aria-label": t(theme() === "dark" ? "theme.light" : "theme.dark") }),
      button(icon("logout"), () => this.#logout(), { class: "quiet", id: "logout", "aria-label": t("shell.logout"), title: t("shell.logout") }));
    const nav = document.getElementById("nav");
    nav.setAttribute("aria-label", t("shell.views"));
    replace(nav, element("ul", {}, this.views.filter((view) => !this.unlisted.includes(view) && this.isPermitted(view)).map((view) =>
      element("li", {}, element("a", { href: `#/${view}`, data: { view } }, icon(view), element("span", {}, t(`view.${view}`)))))));
    this.notices = new Notices();
    this.#state();
    this.title = this.#title;
  }

  #state() {
    const state = connectionState();
    if (this.status.dataset.state !== state) {
      this.status.dataset.state = state;
      this.status.textContent = t(`state.${state}`);
    }
    document.body.dataset.state = state;
    this.notices.show();
  }

  async #show(isChange) {
    const [name, ...parameters] = location.hash.replace(/^#\/?/, "").split("/").map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return "";
      }
    });
    const view = this.views.includes(name) && this.isPermitted(name) ? name : this.views[0];
    if (view === this.#name && this.view?.navigate?.(parameters)) return;
    this.#scope?.close();
    const scope = (this.#scope = new Scope());
    this.#name = view;
    for (const link of document.querySelectorAll("#nav a")) {
      if (link.dataset.view === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${t(`view.${view}`)} · beaconmon`;
    let shown;
    try {
      shown = (await import(`/views/${view}.js`)).show;
    } catch (error) {
      console.error(error);
      if (scope.isOpen) replace(this.#main, element("h1", {}, t(`view.${view}`)), element("p", { class: "message" }, t("shell.notLoaded")));
      return;
    }
    if (!scope.isOpen) return;
    this.#main.className = `view-${view}`;
    this.#main.setAttribute("aria-label", t(`view.${view}`));
    replace(this.#main, this.notices.node);
    this.view = shown(this.#main, scope, parameters) ?? null;
    this.#main.scrollTop = 0;
    if (isChange) {
      this.#main.focus({ preventScroll: true });
      announce(t(`view.${view}`));
    }
  }

  /** Shows the frame and the view again, as after a change of the language. */
  #repeat() {
    this.#name = null;
    this.#frame();
    this.#show(false);
  }

  async #useLanguage(tag) {
    await useLanguage(tag, { store: true });
    this.#repeat();
    this.onLanguage();
  }

  async #logout() {
    if (store.get("unsaved") && !confirm(t("editor.leave"))) return;
    store.set("unsaved", false);
    try {
      this.#live.close();
      await logout();
    } catch (error) {
      this.#live.isClosed = false;
      this.#live.open();
      this.notices.add(error.message);
    }
  }
}
