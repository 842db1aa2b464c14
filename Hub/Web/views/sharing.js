import { get, post } from "../app/api.js";
import { button, element, setText } from "../app/dom.js";
import { dateTime, t } from "../app/language.js";
import { failure, reload } from "../hub/loading.js";
import { ago, table } from "../hub/tables.js";

/** Shows the shares of the person's tags, and the positions that others share with the person. */
export function show(main, scope) {
  const status = element("p", { class: "message", role: "status" }, t("list.loading"));
  const answer = element("p", { class: "message", role: "status" });
  const empty = element("p", { class: "quiet-text" });
  const { node, draw } = table(t("view.sharing"), [
    { key: "sharer", isHead: true, cell: (share) => [share.state === "own" ? t("sharing.you") : owner(share), share.tag && element("small", {}, share.tag)] },
    { key: "purpose", cell: (share) => [share.purpose, element("small", {}, t("sharing.until", { time: dateTime(share.ends) }))] },
    { key: "position", cell: position },
    { key: "sharedWith", cell: recipients },
    { key: "action", cell: actions },
  ]);
  main.append(element("h1", { tabindex: -1 }, t("view.sharing")), element("p", { class: "quiet-text" }, t("sharing.how")), status, answer, node, empty);

  /** Returns the owner of a share. Several sites may have a device of the same name. */
  function owner(share) {
    return share.owner.startsWith("device:") ? `${share.owner} · ${share.siteTitle ?? share.site}` : share.owner;
  }

  function recipients(share) {
    // A recipient does not see the others.
    if (share.state !== "own") return `${t("sharing.you")}: ${t(`sharing.${share.state}`)}`;
    return share.recipients.map(({ name, state }) => element("div", {}, `${name}: ${t(`sharing.${state}`)}`));
  }

  function position(share) {
    if (share.state === "offered") return t("sharing.offered");
    if (!share.place) return t("sharing.nowhere");
    const { latitude, longitude, level, place, room, time } = share.place;
    const point = latitude === undefined ? null : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
    return [[place ?? room, point, level].filter(Boolean).join(" · ") || t("sharing.nowhere"), " ", ago(new Date(time).toISOString())];
  }

  function actions(share) {
    const name = `${owner(share)}${share.tag ? `, ${share.tag}` : ""}`;
    const act = (path, values, text) => button(t(text), () => change(path, { site: share.site, id: share.id, ...values }), { "aria-label": `${t(text)}: ${name}` });
    if (share.state === "own") return act("share/end", {}, "sharing.end");
    if (share.state === "accepted") return act("share/answer", { accepted: false }, "sharing.leave");
    return [act("share/answer", { accepted: true }, "sharing.accept"), " ", act("share/answer", { accepted: false }, "sharing.decline")];
  }

  async function change(path, values) {
    try {
      await post(path, values);
      setText(answer, "");
      await load();
    } catch (error) {
      setText(answer, failure(error));
    }
  }

  async function load() {
    const { shares } = await get("shares");
    if (!scope.isOpen) return;
    draw(shares);
    node.hidden = !shares.length;
    empty.textContent = shares.length ? "" : t("sharing.none");
  }

  reload(scope, status, null, load);
}
