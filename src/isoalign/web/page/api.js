// Ask the server. The token, if there is one, comes in the address after "#token=" and stays in this tab.

const KEY = "isoalign-token";

export class ServerError extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.suggestions = error.suggestions ?? null; // for unknown words alone
  }
}

export class UnreachableError extends Error {}

export function takeToken() {
  const match = /^#token=(.+)$/.exec(location.hash);
  if (!match) return;
  setToken(decodeURIComponent(match[1]));
  history.replaceState(history.state, "", location.pathname + location.search);
}

export function setToken(token) {
  sessionStorage.setItem(KEY, token);
}

async function request(address, settings = {}) {
  const token = sessionStorage.getItem(KEY);
  const headers = { ...settings.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  let response;
  try {
    response = await fetch(address, { ...settings, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new UnreachableError("The server does not answer.");
  }
  if (response.ok) return response;
  let body = null;
  try {
    body = await response.json();
  } catch {
    // not one of our own answers
  }
  throw new ServerError(response.status, body?.error ?? { message: `The server answered ${response.status}.` });
}

/** A path with its parameters; those that are empty are left out. */
export function withQuery(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return `${path}?${new URLSearchParams(given)}`;
}

export async function ask(path, parameters = {}, signal = undefined) {
  const response = await request(withQuery(path, parameters), { signal });
  return response.json();
}

export async function post(path, values, signal = undefined) {
  const headers = { "Content-Type": "application/json" };
  const response = await request(path, { method: "POST", headers, body: JSON.stringify(values), signal });
  return response.json();
}

export async function download(path, parameters, name) {
  const response = await request(withQuery(path, parameters));
  saveFile(await response.blob(), name);
}

/** Offer a file to be kept. */
export function saveFile(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
