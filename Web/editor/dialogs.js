import { get } from "../app/api.js";
import { button, element } from "../app/dom.js";
import { dateTime, language, number, t } from "../app/language.js";

/** Shows a dialog until one of its choices is taken. Returns the choice, or null after Escape. */
function ask(title, content, choices) {
  return new Promise((resolve) => {
    const heading = element("h2", { id: "dialog-title" }, title);
    const dialog = element("dialog", { class: "card dialog", "aria-labelledby": "dialog-title" }, heading, content,
      element("div", { class: "dialog-choices" }, choices.map(([value, text, kind]) => button(text, () => dialog.close(value), { class: kind ?? null, data: { choice: value } }))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Returns a difference with its added and removed lines marked, by sign and by colour. */
function differenceView(text) {
  return element("pre", { class: "difference", tabindex: 0 }, text.split("\n").map((line) =>
    element("span", { class: line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : null }, `${line}\n`)));
}

/**
 * Saves a document. If the venue was changed by another user meanwhile, the difference and a choice are shown.
 * Returns "saved" with the warnings, or null if the user decided otherwise. Throws ServerError.
 */
export async function saveWithChoice(document) {
  try {
    return await document.save();
  } catch (error) {
    if (error.code !== "stale") throw error;
    const choice = await ask(t("editor.stale"), [element("p", {}, t("editor.staleText")), differenceView(error.body.difference ?? "")],
      [["mine", t("editor.keepMine"), "primary"], ["theirs", t("editor.takeTheirs")], ["", t("shell.cancel")]]);
    if (!choice) return null;
    const current = await get("venue", { venue: document.venue });
    document.revision = current.revision;
    document.saved = current.text;
    if (choice === "theirs") {
      await document.setText(current.text);
      return null;
    }
    return saveWithChoice(document);
  }
}

/** Shows the stored versions of a venue. Returns the text of the one to bring back, or null. */
export async function chooseVersion(venue) {
  const { versions } = await get("venue/history", { venue });
  const list = versions.length ? element("ul", { class: "rows versions" }, versions.map((version, index) => {
    const place = element("div", { class: "sub" });
    return element("li", {}, element("span", { class: "name" }, dateTime(version.time), index === 0 && ` (${t("editor.current")})`),
      element("span", { class: "aside" }, `${number(version.size)} B${version.user === undefined ? "" : ` · ${t("editor.user", { user: version.user })}`}`),
      place, element("div", { class: "sub" }, button(t("editor.look"), async (event) => {
        const node = event.currentTarget;
        const isOpen = place.childNodes.length > 0;
        node.setAttribute("aria-expanded", !isOpen);
        if (isOpen) return place.replaceChildren();
        const { text } = await get("venue", { venue, revision: version.revision });
        place.replaceChildren(element("pre", { class: "difference", tabindex: 0, lang: language() === "en" ? null : "en" }, text));
      }, { class: "link", "aria-expanded": "false" }), " ", button(t("editor.bringBack"), (event) => event.currentTarget.closest("dialog").close(version.revision), { class: "link" })));
  })) : element("p", {}, t("editor.noVersions"));
  const revision = await ask(t("editor.versions"), [element("p", { class: "quiet-text" }, t("editor.versionsText")), list], [["", t("shell.close")]]);
  return revision ? (await get("venue", { venue, revision })).text : null;
}
