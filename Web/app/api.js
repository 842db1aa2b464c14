/** An unsuccessful answer of the server. `code` is a short name, `body` the whole answer. */
export class ServerError extends Error {
  constructor(status, body) {
    super(body?.error ?? `HTTP ${status}`);
    this.status = status;
    this.code = body?.code;
    this.body = body ?? {};
  }
}

let formToken = "";
let onSessionEnd = () => {};

/** Calls `handler` when the server no longer knows the session. */
export function whenSessionEnds(handler) {
  onSessionEnd = handler;
}

/** Returns the session, and keeps its form token for later requests. */
export async function readSession() {
  const session = await get("session");
  formToken = session.formToken;
  return session;
}

/** Returns the JSON of a GET request below /api. Throws ServerError, or TypeError if the server cannot be reached. */
export function get(path, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== ""));
  const text = query.toString();
  return answer(fetch(`/api/${path}${text && `?${text}`}`, { headers: { Accept: "application/json" }, cache: "no-store" }), path);
}

/** Returns the JSON of a POST request below /api. */
export function post(path, body) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  if (formToken) headers["X-Form-Token"] = formToken;
  return answer(fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) }), path);
}

async function answer(request, path) {
  const response = await request;
  const text = await response.text();
  let body = null;
  try {
    body = text ? JSON.parse(text) : {};
  } catch {
    body = null;
  }
  if (response.ok && body !== null) return body;
  if (response.status === 401 && path !== "login") onSessionEnd();
  throw new ServerError(response.status, body);
}
