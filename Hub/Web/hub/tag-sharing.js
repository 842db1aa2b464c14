import { post } from "../app/api.js";
import { element, labelled, select, setText } from "../app/dom.js";
import { t } from "../app/language.js";
import { hasRole } from "./feed.js";
import { failure } from "./loading.js";

const TIMES = [["1800", "30m"], ["3600", "1h"], ["14400", "4h"], ["86400", "24h"]];

/** Returns the forms in which the owner of a tag shares its room, and an owner of the site names the tag's owner. */
export function tagSharing(tag) {
  const answer = element("p", { class: "message", role: "status" });
  const send = (path, values, done) => async (event) => {
    event.preventDefault();
    try {
      await post(path, { ...tag, major: Number(tag.major), minor: Number(tag.minor), ...values() });
      setText(answer, t(done));
    } catch (error) {
      setText(answer, failure(error));
    }
  };
  const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  const recipients = element("input", { ...plain, required: true, placeholder: "ada role:viewer device:hall" });
  const purpose = element("input", { maxlength: 200, required: true, autocomplete: "off" });
  const owner = element("input", plain);
  let seconds = "3600";
  return element("details", {}, element("summary", {}, t("sharing.tag")),
    element("p", { class: "quiet-text" }, t("sharing.tag.how")),
    element("form", { class: "filters", on: { submit: send("share", () => ({ recipients: recipients.value.trim(), purpose: purpose.value.trim(), seconds: Number(seconds) }), "sharing.begun") } },
      labelled(t("sharing.recipients"), recipients), labelled(t("column.purpose"), purpose),
      labelled(t("sharing.time"), select(TIMES.map(([value, key]) => [value, t(`sharing.${key}`)]), seconds, (value) => (seconds = value))),
      element("button", { type: "submit" }, t("sharing.begin"))),
    hasRole(tag.site, "owner") && element("form", { class: "filters", on: { submit: send("tag/owner", () => ({ person: owner.value.trim() }), "tag.saved") } },
      labelled(t("sharing.owner"), owner), element("button", { type: "submit" }, t("tag.save"))),
    answer);
}
