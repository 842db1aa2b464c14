import { get, readSession } from "./api.js";
import { language } from "./language.js";
import { store } from "./store.js";

/** The most events that the page keeps; older ones are fetched on request. */
const EVENTS = 500;
const TRACK_SECONDS = 600;
const TRACK_POINTS = 1200;

const identity = (event) => `${event.journal ?? ""}:${event.sequence}`;

/** Applies a message of the stream to the store. */
export function receive(kind, data) {
  switch (kind) {
    case "daemon":
      return takeDaemon(data);
    case "heartbeat":
      // A request that failed is repeated, whatever the reason was.
      return store.get("plansError") ? void loadPlans() : undefined;
    case "status":
    case "beacons":
      return store.set(kind, data);
    case "position":
      return addPosition(data);
    case "event":
      addEvents([data], { isLive: true });
      return store.set("latestEvent", data);
    case "missed":
      // The server no longer has the events in between, so that the list begins anew.
      store.set("events", []);
      return void loadEvents().catch(() => {});
    case "venues":
      loadPlans();
      return store.set("venuesChanged", Date.now());
  }
}

/** A daemon that starts again, or answers again, may have other venues and events. */
function takeDaemon(data) {
  const last = store.get("daemon")?.state;
  store.set("daemon", data);
  if (data.state !== "running") return store.set("position", null);
  if (!last || last === "running") return;
  void Promise.allSettled([loadPlans(), loadEvents()]);
  store.set("returned", Date.now());
}

/** Adds events, once each, in the order of their journals and numbers. */
export function addEvents(events, { isLive = false, most = EVENTS } = {}) {
  const known = store.get("events") ?? [];
  const ids = new Set(known.map(identity));
  const added = events.filter((event) => !ids.has(identity(event)));
  if (!added.length) return;
  if (isLive) return store.set("events", [...known, ...added].slice(-most));
  // A journal ends before the next one begins, so that the time orders journals.
  const all = [...known, ...added];
  const begin = new Map();
  for (const event of all) {
    const time = Date.parse(event.time ?? 0) || 0;
    begin.set(event.journal, Math.min(begin.get(event.journal) ?? Infinity, time));
  }
  all.sort((a, b) => (a.journal === b.journal ? a.sequence - b.sequence : begin.get(a.journal) - begin.get(b.journal)));
  store.set("events", all.slice(-most));
}

/**
 * Loads the latest events. If more than these were missed since the last one, the earlier ones are dropped,
 * so that the list has no hidden gap.
 */
export async function loadEvents() {
  const { events, isComplete } = await get("events", { last: 200 });
  const known = new Set((store.get("events") ?? []).map(identity));
  const overlaps = events.some((event) => known.has(identity(event)));
  if (!overlaps) {
    store.set("events", events);
    store.set("eventsComplete", Boolean(isComplete));
  } else addEvents(events);
}

/** Loads older events than those of the page. Returns how many there were. */
export async function loadOlderEvents() {
  const known = store.get("events") ?? [];
  const { events, isComplete } = await get("events", { last: 200, before: known[0]?.sequence });
  store.set("eventsComplete", Boolean(isComplete) || !events.length);
  addEvents(events, { most: known.length + events.length });
  return events.length;
}

/** Loads the plans and places of all venues, in the language of the page. */
export async function loadPlans() {
  try {
    const [{ plans }, { places }] = await Promise.all([get("plans", { locale: language() }), get("places", { locale: language() })]);
    store.set("plansError", null);
    store.set("places", places);
    store.set("plans", plans);
  } catch (error) {
    store.set("plansError", error);
  }
}

/** Loads all that the stream may have missed while it was not connected. */
export async function refresh() {
  store.set("session", await readSession());
  await Promise.allSettled([loadPlans(), loadEvents()]);
  store.set("returned", Date.now());
}

function addPosition(position) {
  store.set("position", { ...position, received: Date.now() });
  if (position.x === undefined) return;
  const now = Date.now();
  const track = (store.get("track") ?? []).filter((point) => now - point.time < TRACK_SECONDS * 1000).slice(-TRACK_POINTS + 1);
  store.set("track", [...track, { time: now, x: position.x, y: position.y, level: position.level, venue: position.venue }]);
}
