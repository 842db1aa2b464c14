import { post } from "./api.js";

const RETURN = "beaconmon-return";
const REASON = "beaconmon-login-reason";

let isLeaving = false;

/** Opens the login page, which returns to the present view. `reason` is "ended" or "out". */
export function openLogin(reason = "") {
  // Several requests may find that the session has ended.
  if (isLeaving) return;
  isLeaving = true;
  sessionStorage.setItem(RETURN, location.hash);
  sessionStorage.setItem(REASON, reason);
  location.replace("/login");
}

/** Ends the session. */
export async function logout() {
  await post("logout", {});
  openLogin("out");
}

/** Returns why the login page is open, and forgets it. */
export function takeLoginReason() {
  const reason = sessionStorage.getItem(REASON);
  sessionStorage.removeItem(REASON);
  return reason;
}

/** Opens the view that the session had before. */
export function openReturn() {
  const hash = sessionStorage.getItem(RETURN) ?? "";
  sessionStorage.removeItem(RETURN);
  location.replace(`/${hash.startsWith("#/") ? hash : ""}`);
}
