import { post } from "./api.js";
import { button, element, labelled, replace } from "./dom.js";
import { LANGUAGES, language, preferredLanguage, t, useLanguage } from "./language.js";
import { openReturn, takeLoginReason } from "./session.js";
import { applyTheme } from "./theme.js";

applyTheme();
await useLanguage(preferredLanguage());
// The token leaves the address bar at once, so that no history or screenshot keeps it.
const given = location.hash.slice(1);
if (given) history.replaceState(null, "", "/login");
const reason = takeLoginReason();

const message = element("p", { class: "message", role: "alert" });

function show() {
  document.title = `${t("login.title")} · beaconmon`;
  const token = element("input", { type: "password", autocomplete: "off", spellcheck: "false", required: true, name: "token" });
  const form = element("form", { on: { submit: (event) => (event.preventDefault(), login(token.value.trim(), token)) } },
    labelled(t("login.token"), token), element("button", { type: "submit", class: "primary" }, t("login.submit")));
  replace(document.getElementById("main"),
    element("div", { class: "card login-card" },
      element("img", { src: "/icon.svg", alt: "", width: 48, height: 48 }),
      element("h1", {}, t("login.title")),
      reason && element("p", { class: "note" }, t(`login.reason.${reason}`)),
      element("p", {}, t("login.how")),
      element("pre", {}, element("code", {}, "beaconmon web login")),
      form, message,
      element("p", { class: "languages" }, LANGUAGES.filter((tag) => tag !== language()).map((tag) =>
        button(t(`language.${tag}`), () => useLanguage(tag, { store: true }).then(show), { class: "link", lang: tag })))));
  if (!given) token.focus();
}

async function login(token, field) {
  if (!token) {
    message.textContent = t("login.empty");
    field?.focus();
    return;
  }
  message.textContent = t("login.checking");
  try {
    await post("login", { token });
    openReturn();
  } catch (error) {
    message.textContent = error.status === 401 ? t("login.wrong") : error.status === 429 ? t("login.tooMany") : error.status ? error.message
      : t("connection.lost");
    field?.focus();
  }
}

show();
if (given) login(given);
