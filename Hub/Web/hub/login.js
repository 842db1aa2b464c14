import { post } from "../app/api.js";
import { button, element, labelled, replace } from "../app/dom.js";
import { LANGUAGES, addTexts, language, preferredLanguage, t, useLanguage } from "../app/language.js";
import { openReturn, takeLoginReason } from "../app/session.js";
import { applyTheme } from "../app/theme.js";
import { failure } from "./loading.js";

applyTheme();
addTexts("/hub/strings");
await useLanguage(preferredLanguage());
const reason = takeLoginReason();
const message = element("p", { class: "message", role: "alert" });

function show() {
  document.title = `${t("login.title")} · beaconmon`;
  const person = element("input", { autocomplete: "username", autocapitalize: "off", spellcheck: "false", required: true, name: "person" });
  const password = element("input", { type: "password", autocomplete: "current-password", required: true, name: "password" });
  const submit = element("button", { type: "submit", class: "primary" }, t("login.submit"));
  const form = element("form", { on: { submit: (event) => (event.preventDefault(), signIn(person, password, submit)) } },
    labelled(t("login.person"), person), labelled(t("login.password"), password), submit);
  replace(document.getElementById("main"),
    element("div", { class: "card login-card" },
      element("img", { src: "/icon.svg", alt: "", width: 48, height: 48 }),
      element("h1", {}, t("login.title")),
      reason && element("p", { class: "note" }, t(`login.reason.${reason}`)),
      form, message,
      element("p", { class: "languages" }, LANGUAGES.filter((tag) => tag !== language()).map((tag) =>
        button(t(`language.${tag}`), () => useLanguage(tag, { store: true }).then(show), { class: "link", lang: tag })))));
  person.focus();
}

async function signIn(person, password, submit) {
  message.textContent = t("login.checking");
  submit.disabled = true;
  try {
    await post("login", { person: person.value.trim(), password: password.value });
    openReturn();
  } catch (error) {
    message.textContent = error.status === 401 ? t("login.wrong") : error.status === 429 ? t("login.tooMany") : failure(error);
    password.value = "";
    password.focus();
  }
  submit.disabled = false;
}

show();
