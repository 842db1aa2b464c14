import { get } from "../app/api.js";
import { element, setText } from "../app/dom.js";
import { dateTime, t } from "../app/language.js";
import { reload } from "../hub/loading.js";
import { ago, count, table } from "../hub/tables.js";

const COLUMNS = [
  { key: "site", isHead: true, cell: (site) => [element("a", { href: `#/site/${encodeURIComponent(site.site)}` }, site.title ?? site.site), site.title && element("small", {}, site.site)] },
  { key: "devices", isNumber: true, cell: (site) => count(site.devices) },
  { key: "silent", isNumber: true, cell: (site) => mark(site.silent) },
  { key: "problems", isNumber: true, cell: (site) => mark(site.problems) },
  { key: "alerts", cell: (site) => alerts(site.alerts) },
  { key: "lastMessage", cell: (site) => ago(site.lastMessage) },
];
const mark = (value) => (value ? element("span", { class: "badge", data: { kind: "bad" } }, count(value)) : count(value));

/** Returns the open alerts of a site, the newest first. */
function alerts(open) {
  if (!open.length) return "–";
  return element("ul", { class: "alerts" }, [...open].reverse().map((alert) => element("li", { title: alert.text }, [
    element("span", { class: "badge", data: { kind: "bad" } }, t(`alert.${alert.kind}`)), alert.device && ` ${alert.device} `, ago(alert.opened),
  ])));
}

/** Shows all sites of the person, on a map if they have places, and as a table. */
export function show(main, scope) {
  const map = element("div", { class: "map site-map", hidden: true });
  const status = element("p", { class: "message", role: "status" }, t("list.loading"));
  const { node, draw } = table(t("view.sites"), COLUMNS);
  const summary = element("p", { class: "quiet-text" });
  const outages = element("p", { class: "message", role: "status" });
  main.append(element("h1", { tabindex: -1 }, t("view.sites")), outages, summary, map, status, node);
  let shown = null;
  scope.add(() => shown?.remove());
  reload(scope, status, null, async () => {
    const { sites } = await get("sites");
    if (!scope.isOpen) return;
    draw(sites);
    // Each site has the outages of the servers of the hub.
    setText(outages, (sites[0]?.outages ?? []).map((outage) => t(`outage.${outage.part}`, { time: dateTime(outage.began) })).join(" "));
    summary.textContent = sites.length ? t("sites.summary", { count: sites.length, devices: t("sites.devices", { count: sites.reduce((sum, site) => sum + site.devices, 0) }) }) : t("sites.none");
    const placed = sites.filter((site) => site.latitude !== null);
    map.hidden = !placed.length;
    if (!placed.length) return;
    const { SiteMap } = await import("../hub/site-map.js");
    if (scope.isOpen) (shown ??= new SiteMap(map)).show(placed);
  });
}
