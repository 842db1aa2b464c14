import { readSession, whenSessionEnds } from "../app/api.js";
import { addTexts, preferredLanguage, useLanguage } from "../app/language.js";
import { Live } from "../app/live.js";
import { openLogin } from "../app/session.js";
import { Shell } from "../app/shell.js";
import { store } from "../app/store.js";
import { applyTheme } from "../app/theme.js";
import { receive, refresh } from "./feed.js";

applyTheme();
addTexts("/hub/strings");
const [, session] = await Promise.all([useLanguage(preferredLanguage()), readSession().catch((error) => error)]);
if (session instanceof Error) {
  if (session.status === 401) openLogin();
  else store.set("connection", "lost");
} else store.set("session", session);

let hasOpened = false;
const live = new Live({
  kinds: ["database", "device", "move", "share", "sites", "heartbeat"],
  onMessage: receive,
  onState: (state) => store.set("connection", state),
  // Later openings may have missed messages.
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
  const shell = new Shell(live, { views: ["sites", "search", "sharing", "site", "tag"], unlisted: ["site", "tag"] });
  shell.title = store.get("session")?.person ?? "";
  store.on("session", ({ person }) => (shell.title = person));
  shell.start();
  live.open();
}
