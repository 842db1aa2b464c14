import { get } from "../app/api.js";
import { button, element, setText } from "../app/dom.js";
import { dateTime, number, t } from "../app/language.js";
import { failure } from "./loading.js";
import { table } from "./tables.js";

const HOUR = 3_600_000;
/** Levels above this count as near, for the bars. */
const [LOUDEST, WEAKEST] = [-40, -100];

/** Returns the section that shows for each minute of an hour which devices heard a tag, from raw digests. */
export function pathSection(tag) {
  const status = element("p", { class: "quiet-text", role: "status" });
  const title = element("p", { "aria-live": "polite" });
  const { node, draw } = table(t("tag.path"), [
    { key: "time", isHead: true, cell: (row) => element("time", { datetime: row.time }, dateTime(row.time)) },
    { key: "heardBy", cell: (row) => element("div", {}, ...row.devices.map(hearing)) },
  ]);
  // The start of the hour that is shown; null for the last 60 minutes.
  let from = null;
  const earlier = button(t("path.earlier"), () => show((from ?? Date.now() - HOUR) - HOUR));
  const later = button(t("path.later"), () => show(from + HOUR > Date.now() - HOUR ? null : from + HOUR));

  async function show(begin) {
    from = begin;
    const start = from ?? Date.now() - HOUR;
    setText(title, t("path.hour", { from: dateTime(new Date(start).toISOString()), to: dateTime(new Date(start + HOUR).toISOString()) }));
    later.disabled = from === null;
    try {
      const { path } = await get("path", { ...tag, from: from === null ? undefined : Math.round(from) });
      if (from !== begin) return;
      draw(path);
      node.hidden = !path.length;
      setText(status, !path.length ? t("path.none") : path.some((row) => row.truncated) ? t("path.truncated") : "");
    } catch (error) {
      setText(status, failure(error));
    }
  }

  return { nodes: [title, element("div", { class: "filters" }, earlier, later), status, node], load: () => show(from), isLatest: () => from === null };
}

function hearing({ device, level }) {
  const share = Math.max(0, Math.min(1, (level - WEAKEST) / (LOUDEST - WEAKEST)));
  return element("span", { class: "hearing" }, device, " ", element("meter", { min: 0, max: 1, value: share, "aria-hidden": "true" }),
    ` ${number(level, 0)} dBm`);
}
