import { readSession, whenSessionEnds } from "./api.js";
import { loadEvents, loadPlans, receive, refresh } from "./feed.js";
import { preferredLanguage, useLanguage } from "./language.js";
import { Live } from "./live.js";
import { openLogin } from "./session.js";
import { Shell } from "./shell.js";
import { store } from "./store.js";
import { applyTheme } from "./theme.js";

applyTheme();
// The first view needs the map, whose library is the largest file.
if (/^(#\/?)?(place|$)/.test(location.hash)) import("../plan/leaflet.js").catch(() => {});
const [, session] = await Promise.all([useLanguage(preferredLanguage()), readSession().catch((error) => error)]);
if (session instanceof Error) {
  if (session.status === 401) openLogin();
  else store.set("connection", "lost");
} else store.set("session", session);

let hasOpened = false;
const live = new Live({
  kinds: ["daemon", "status", "beacons", "position", "event", "missed", "venues", "heartbeat"],
  onMessage: receive,
  onState: (state) => store.set("connection", state),
  // The first opening comes beside the first load below; later ones may have missed messages.
  onOpen: () => {
    if (hasOpened || !store.get("session")) refresh().catch(() => {});
    hasOpened = true;
  },
});
whenSessionEnds(() => {
  live.close();
  openLogin("ended");
});

if (session.status !== 401) {
  store.set("connection", store.get("connection") ?? "connecting");
  const shell = new Shell(live, {
    views: ["place", "beacons", "events", "history", "health", "editor"],
    isPermitted: (view) => view !== "editor" || store.get("session")?.role === "edit",
    onLanguage: loadPlans,
  });
  store.on("plans", (plans) => (shell.title = [...new Set((plans ?? []).map((plan) => plan.venueName ?? plan.venue))].join(", ")));
  shell.start();
  live.open();
  loadPlans();
  loadEvents().catch(() => {});
}
