import { get, post } from "../app/api.js";
import { element, labelled, replace, setText } from "../app/dom.js";
import { dateTime, number, t } from "../app/language.js";
import { hasRole } from "../hub/feed.js";
import { failure, reload } from "../hub/loading.js";
import { moveList } from "../hub/moves.js";
import { pathSection } from "../hub/path.js";
import { ago, count, tagNumbers } from "../hub/tables.js";
import { tagSharing } from "../hub/tag-sharing.js";

/** Shows one tag: where it was heard last, and its name, which an operator changes. */
export function show(main, scope, [site, uuid, major, minor]) {
  const heading = element("h1", { tabindex: -1 }, `${major}/${minor}`);
  const status = element("p", { class: "message", role: "status" });
  const facts = element("dl", {});
  const name = element("input", { maxlength: 80, autocomplete: "off" });
  const answer = element("p", { class: "message", role: "status" });
  const form = element("form", { class: "filters", on: { submit: save } }, labelled(t("tag.name"), name),
    element("button", { type: "submit" }, t("tag.save")));
  const moves = moveList({ site, uuid, major, minor });
  const path = pathSection({ site, uuid, major, minor });
  const siteLink = element("a", { href: `#/site/${encodeURIComponent(site)}` }, t("tag.toSite", { site }));
  main.append(heading, status,
    element("section", { class: "card" }, facts),
    ...(hasRole(site, "operator") ? [form, answer] : []),
    tagSharing({ site, uuid, major, minor }),
    element("h2", {}, t("tag.moves")), ...moves.nodes,
    element("h2", {}, t("tag.path")), ...path.nodes,
    element("p", {}, siteLink));
  let isLoaded = false;

  async function load() {
    const [tag] = (await get("tag", { site, uuid, major, minor })).tags;
    if (!tag) return replace(facts, element("dt", {}, t("tag.unknown")), element("dd", {}, t("tag.unknown.do")));
    if (moves.isFirst()) moves.load();
    if (path.isLatest()) path.load();
    heading.textContent = tag.name ?? tagNumbers(tag);
    if (!isLoaded) name.value = tag.name ?? "";
    isLoaded = true;
    siteLink.textContent = t("tag.toSite", { site: tag.siteTitle ?? site });
    const rows = [
      ["site", [element("a", { href: `#/site/${encodeURIComponent(site)}` }, tag.siteTitle ?? site), tag.siteTitle && element("small", {}, ` ${site}`)]],
      ["room", tag.room ? [tag.room, ` · ${t("column.roomSince")} `, dateTime(tag.roomSince)] : t("tag.noRoom")],
      ["heardBy", tag.device ?? "–"],
      ["lastHeard", tag.lastSeen ? [ago(tag.lastSeen), ` (${dateTime(tag.lastSeen)})`] : "–"],
      ["rssi", tag.level === null ? "–" : `${number(tag.level)} dBm`],
      ["sightings", count(tag.sightings)],
      ["uuid", tag.uuid],
      ["numbers", tagNumbers(tag)],
    ];
    replace(facts, rows.map(([key, value]) => [element("dt", {}, t(`column.${key}`)), element("dd", {}, value)]));
  }

  async function save(event) {
    event.preventDefault();
    try {
      await post("tag/name", { site, uuid, major, minor, name: name.value.trim() });
      setText(answer, t("tag.saved"));
      await load();
    } catch (error) {
      setText(answer, failure(error));
    }
  }

  reload(scope, status, site, load);
}
