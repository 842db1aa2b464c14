import { element, keyed } from "../app/dom.js";
import { icon } from "../app/icons.js";
import { dateTime, number, span, t } from "../app/language.js";
import { pagedList } from "./loading.js";

/** Returns the list of a tag's room changes, the newest first, each with its reason in words. */
export function moveList(tag) {
  const list = element("ol", { class: "events", "aria-label": t("tag.moves") });
  const { nodes, load, isFirst } = pagedList("moves", tag, "moves", (rows) => keyed(list, rows, (row) => row.id, item));
  return { nodes: [list, ...nodes], load, isFirst };
}

function item(move) {
  const kind = move.to === null ? "exit" : move.from === null ? "enter" : "cross";
  return element("li", { class: `event ${kind}` }, element("span", { class: "event-icon" }, icon(kind)),
    element("div", {},
      element("p", { class: "headline" }, t(`move.${kind}`, move), element("time", { datetime: move.time }, dateTime(move.time))),
      element("p", { class: "why" }, reason(move))));
}

const level = (value) => (value === null || value === undefined ? "–" : `${number(value, 1)} dBm`);

/** Returns the reason of a change in words. */
function reason({ reason: why, from, device, formerDevice }) {
  switch (why.kind) {
    case "appeared": return t("move.why.appeared", { device: device ?? "–", level: level(why.level) });
    case "silent": return t("move.why.silent", { span: span(why.silence) });
    case "dropped": return t("move.why.dropped");
    case "moved":
      return [
        t("move.why.moved", { device: device ?? "–", level: level(why.level), usual: level(why.usualLevel), held: span(why.held) }),
        why.formerLevel === undefined ? t("move.why.unheard", { from }) : t("move.why.former", { former: formerDevice ?? "–", level: level(why.formerLevel) }),
        why.betweenFloors && t("move.why.floors"),
      ].filter(Boolean).join(" ");
    default: return "";
  }
}
