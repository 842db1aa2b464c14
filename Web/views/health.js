import { beaconName } from "../app/beacons.js";
import { element, replace } from "../app/dom.js";
import { dateTime, language, number, t, word } from "../app/language.js";
import { store } from "../app/store.js";

const GOOD = ["scanning", "fixing", "measuring", "advertising", "idle", "paused", "off", "on", "away"];
const QUIET = ["idle", "paused", "off", "away"];

/** Shows whether everything works: receivers, location sources, beacons, venues, the journal, and the versions. */
export function show(main, scope) {
  const content = element("div", { class: "health" });
  main.append(element("h1", { tabindex: -1 }, t("view.health")), content);
  let drawn = "";
  const draw = (status) => {
    if (!status) return replace(content, element("p", { role: "status" }, t("place.loading")));
    // The same status draws nothing, so that a selection stays.
    const { statistics, ...rest } = status;
    const state = JSON.stringify([rest, store.get("session")?.version]);
    if (state !== drawn) replace(content, ...sections(status));
    drawn = state;
    const counter = content.querySelector("#advertisements");
    if (counter) counter.textContent = advertisements(statistics);
  };
  scope.follow("status", draw);
}

function* sections(status) {
  const problems = [...findProblems(status)];
  yield element("section", { class: `card summary ${problems.length ? "has-problems" : ""}` },
    element("h2", {}, problems.length ? t("health.problems", { count: problems.length }) : t("health.good")),
    problems.length ? element("ul", {}, problems.map(([name, note]) => element("li", {}, element("strong", {}, name), ": ", foreign(note)))) : element("p", {}, t("health.goodText")));
  yield card("health.source", rows([
    [t("health.sourceName"), status.source], [t("field.state"), badge(status.sourceState)], status.sourceReason && [t("health.reason"), foreign(status.sourceReason)],
    status.sourceNote && [t("field.note"), foreign(status.sourceNote)],
    status.sourcePausedSince && [t("health.pausedSince"), dateTime(status.sourcePausedSince)], [t("health.advertisements"), element("span", { id: "advertisements" }, advertisements(status.statistics))]]));
  yield card("health.adapters", (status.adapters ?? []).length ? list(status.adapters, (adapter) => [adapter.name ?? adapter.address, adapter.state, adapter.note,
    [adapter.address, adapter.reportsPerSecond !== undefined && t("health.reports", { rate: number(adapter.reportsPerSecond, 1) }),
      adapter.rssiOffset && t("health.offset", { offset: number(adapter.rssiOffset, 1) })]]) : element("p", { class: "quiet-text" }, t("health.noAdapters")));
  yield card("health.locations", sourceList(status.locationSources, (source) => [t("health.fixes", { count: source.fixes ?? 0 })]));
  yield card("health.headings", sourceList(status.headingSources, (source) => [source.device, t("health.samples", { count: source.samples ?? 0 })]));
  yield card("health.beacons", beacons(status));
  yield card("health.venues", (status.venues ?? []).length ? list(status.venues, (venue) => [venue.venue, venue.note ? "warning" : "on", venue.note, []])
    : element("p", { class: "quiet-text" }, t("place.noVenue")));
  yield card("health.journal", rows([
    [t("health.journalName"), status.journal], [t("health.lastSequence"), number(status.lastSequence)], [t("health.durable"), t(status.durable ? "health.onDisk" : "health.inMemory")],
    status.damagedEvents > 0 && [t("health.damaged"), number(status.damagedEvents)], status.journalNote && [t("field.note"), foreign(status.journalNote)]]));
  const { configuration = {}, refusedReload: refused } = status;
  yield card("health.version", rows([
    ["beaconmond", status.version], ["beaconmon-web", store.get("session")?.version ?? "–"], [t("health.files"), (configuration.files ?? []).map((file) => element("div", {}, file.path))],
    configuration.time && [t("health.read"), dateTime(configuration.time)], configuration.needsRestart && [t("field.note"), t("health.needsRestart")],
    configuration.note && [t("field.note"), foreign(configuration.note)], refused && [t("health.refused"), foreign(`${dateTime(refused.time)}: ${refused.reason}`)],
    [t("health.map"), "Leaflet, © Vladimir Agafonkin"]]));
}

/** Yields the problems that require an action, as pairs of a name and a note. */
function* findProblems(status) {
  if (status.sourceState === "gone") yield [t("health.source"), status.sourceNote ?? word("sourceState", "gone")];
  if (status.locationServicesEnabled === false) yield [t("health.locations"), t("health.locationOff")];
  for (const adapter of status.adapters ?? []) if (adapter.note) yield [adapter.name ?? adapter.address, adapter.note];
  for (const source of status.locationSources ?? []) if (source.note && source.state !== "off") yield [source.source, source.note];
  for (const venue of status.venues ?? []) if (venue.note) yield [venue.venue, venue.note];
  for (const region of status.regions ?? []) if (region.note) yield [region.identifier, region.note];
  for (const beacon of status.beacons ?? []) for (const problem of beacon.problems ?? []) yield [beaconName(beacon), word("problem", problem.event)];
  for (const missing of status.missingCapabilities ?? []) yield [missing.capability, missing.note];
  if (status.journalNote) yield [t("health.journal"), status.journalNote];
  if (status.refusedReload) yield [t("health.refused"), status.refusedReload.reason];
}

function beacons(status) {
  const all = status.beacons ?? [];
  if (!all.length) return element("p", { class: "quiet-text" }, t("health.noBeacons"));
  const troubled = all.filter((beacon) => beacon.problems?.length);
  return element("div", {}, element("p", {}, t("health.expected", { count: all.length, bad: troubled.length })),
    status.beaconNote && element("p", { class: "note" }, foreign(status.beaconNote)),
    list(troubled, (beacon) => [beaconName(beacon), "warning", beacon.problems.map((problem) => word("problem", problem.event)).join(", "),
      beacon.problems.map((problem) => t("panel.since", { time: dateTime(problem.since) }))]));
}

const sourceList = (sources, details) => ((sources ?? []).length ? list(sources, (source) => [word("source", source.source), source.state, source.note, details(source)])
  : element("p", { class: "quiet-text" }, t("health.noSources")));
const advertisements = (statistics) => t("health.advertisementCount", { count: number(statistics?.advertisements ?? 0), beacons: number(statistics?.iBeacons ?? 0) });
const card = (title, ...content) => element("section", { class: "card" }, element("h2", {}, t(title)), content);
const rows = (pairs) => element("dl", {}, pairs.filter(Boolean).map(([name, value]) => [element("dt", {}, name), element("dd", {}, value ?? "–")]));

/** Returns a note of the daemon, which is in English. */
const foreign = (text) => element("span", { lang: language() === "en" ? null : "en" }, text);

function badge(state, note = " ") {
  const kind = QUIET.includes(state) || (state === "gone" && !note) ? "quiet" : GOOD.includes(state) ? "good" : "bad";
  return element("span", { class: "badge", data: { kind } }, word("sourceState", state));
}

function list(items, describe) {
  return element("ul", { class: "rows" }, items.slice(0, 100).map((item) => {
    const [name, state, note, details] = describe(item);
    return element("li", {}, element("span", { class: "name" }, name), badge(state, note), element("span", { class: "sub" }, details.filter(Boolean).join(" · ")),
      note && element("span", { class: "sub note" }, foreign(note)));
  }));
}
