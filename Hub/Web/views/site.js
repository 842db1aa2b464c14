import { get } from "../app/api.js";
import { element } from "../app/dom.js";
import { day, number, span, t } from "../app/language.js";
import { hasRole } from "../hub/feed.js";
import { pagedList, reload } from "../hub/loading.js";
import { peopleSections } from "../hub/people.js";
import { Rooms } from "../hub/rooms.js";
import { eventList } from "../hub/site-events.js";
import { TAG_COLUMNS, ago, count, stateBadge, table } from "../hub/tables.js";

/** Returns the revision in use, the first digits of the hash of the configuration, and the state of a rollout that the device has not confirmed. */
function revision(device) {
  const notes = [];
  if (device.configuration) notes.push(t("device.configuration", { hash: device.configuration.slice(0, 8) }));
  if (device.rollout && device.rollout.state !== "confirmed") {
    const { revision: number, state, text } = device.rollout;
    notes.push(`${number} ${t(`rolloutState.${state}`)}${text && `: ${text}`}`);
  }
  const inUse = device.revision ? `${device.revision}` : "–";
  // One element, because a cell of a phone puts several side by side.
  return element("span", {}, inUse, ...notes.map((note) => element("small", {}, note)));
}

/** Whether a problem that a device reports says that its clock is not synchronised. */
const namesClock = (problem) => problem.startsWith("the clock is not synchronised");

/** Returns the problems that a device reports, and the findings of the hub about it. */
function problems(device) {
  const isClockUnknown = device.isClockSynchronised === false && !device.problems.some(namesClock);
  return [...device.problems, ...(isClockUnknown ? [t("device.clock")] : []), ...device.findings.map((finding) => t(`finding.${finding}`))].join("; ") || "–";
}

const DEVICE_COLUMNS = [
  { key: "device", isHead: true, cell: (device) => device.device },
  { key: "room", cell: (device) => device.room ?? "–" },
  { key: "state", cell: (device) => stateBadge(device.state) },
  { key: "lastMessage", cell: (device) => ago(device.lastMessage) },
  { key: "lag", isNumber: true, cell: (device) => (device.lag === null ? "–" : device.lag < 0 ? t("device.ahead", { span: span(-device.lag) }) : span(device.lag)) },
  { key: "version", cell: (device) => device.version ?? "–" },
  { key: "revision", cell: (device) => revision(device) },
  { key: "missing", isNumber: true, cell: (device) => count(device.missing) },
  { key: "lost", isNumber: true, cell: (device) => count(device.lost) },
  { key: "freeSpace", isNumber: true, cell: (device) => (device.freeSpace === null ? "–" : `${number(device.freeSpace / 1e9, 1)} GB`) },
  { key: "problems", cell: problems },
];

const VISIT_COLUMNS = [
  { key: "day", isHead: true, cell: (row) => day(row.day) },
  { key: "room", cell: (row) => row.room },
  { key: "visits", isNumber: true, cell: (row) => count(row.visits) },
  { key: "visitors", isNumber: true, cell: (row) => count(row.visitors) },
  { key: "median", isNumber: true, cell: (row) => span(row.median) },
];

/** Shows one site: its plan with the rooms, its devices, its tags, its events, and to an owner its people. */
export function show(main, scope, [site]) {
  const heading = element("h1", { tabindex: -1 }, site);
  const status = element("p", { class: "message", role: "status" });
  const devices = table(t("site.devices"), DEVICE_COLUMNS);
  const tags = table(t("site.tags"), TAG_COLUMNS);
  const events = eventList(site);
  const visits = table(t("site.visits"), VISIT_COLUMNS);
  const visitList = pagedList("visits", { site }, "visits", visits.draw);
  const deviceList = pagedList("devices", { site }, "devices", devices.draw);
  const tagFilter = { site, room: "" };
  const tagList = pagedList("tags", tagFilter, "tags", (rows, hasMore) => {
    tags.draw(rows);
    rooms.showTags(rows, hasMore);
  });
  const rooms = new Rooms(scope, site, (room) => {
    tagFilter.room = room;
    tagList.load();
  });
  main.append(heading, status, rooms.node,
    element("h2", {}, t("site.devices")), devices.node, ...deviceList.nodes,
    element("h2", {}, t("site.tags")), rooms.filter, tags.node, ...tagList.nodes,
    element("h2", {}, t("site.visits")), element("p", { class: "quiet-text" }, t("visits.how")), visits.node, ...visitList.nodes,
    element("h2", {}, t("site.events")), ...events.nodes);
  let people = null;
  reload(scope, status, site, async () => {
    const found = (await get("sites")).sites.find((entry) => entry.site === site);
    if (found) heading.textContent = found.title ?? site;
    if (!scope.isOpen) return;
    if (!hasRole(site, "owner")) {
      people?.node.remove();
      people = null;
    } else if (!people) main.append((people = peopleSections(site)).node);
    await Promise.all([rooms.load(found?.plan ?? null), deviceList.load(), tagList.isFirst() && tagList.load(), events.isFirst() && events.load(), visitList.load(), people?.load()]);
  });
}
