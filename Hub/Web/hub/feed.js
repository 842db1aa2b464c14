import { readSession } from "../app/api.js";
import { store } from "../app/store.js";

/** Applies a message of the stream to the store. Views load their data again when "changed" is set. */
export function receive(kind, data) {
  switch (kind) {
    case "database": {
      const last = store.get("daemon")?.state;
      // The frame shows this state: the page is live while the database answers.
      store.set("daemon", data);
      if (data.state === "running" && last && last !== "running") store.set("changed", { isWhole: true });
      return;
    }
    case "move":
    case "device":
      return store.set("changed", { site: data.site });
    case "share":
      return store.set("changed", {});
    case "sites":
      return void refresh().catch(() => {});
  }
}

/** Loads all that the stream may have missed, and the roles of the person. */
export async function refresh() {
  store.set("session", await readSession());
  store.set("changed", { isWhole: true });
}

/** Returns the role of the person at a site, and whether it has the rights of another one. */
export function hasRole(site, role) {
  const roles = ["viewer", "operator", "owner"];
  const own = store.get("session")?.sites.find((entry) => entry.site === site)?.role;
  return roles.indexOf(own) >= roles.indexOf(role);
}
