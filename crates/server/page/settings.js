// What this browser remembers: its secret, the theme, motion, the level, and the games played last.

/** @type {Record<string, string>} */
const fallback = {};

/** @param {string} name */
function read(name) {
  try {
    return localStorage.getItem(`regulus-${name}`) ?? fallback[name] ?? null;
  } catch {
    return fallback[name] ?? null;
  }
}

/** @param {string} name @param {string} value */
function write(name, value) {
  fallback[name] = value;
  try {
    localStorage.setItem(`regulus-${name}`, value);
  } catch {
    // Storage may be full or forbidden; the value then lasts as long as the page.
  }
}

/** The secret by which the server knows this browser again. */
export function client() {
  let secret = read("client");
  if (!secret || !/^[0-9a-zA-Z]{16,64}$/.test(secret)) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    secret = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    write("client", secret);
  }
  return secret;
}

const darkQuery = matchMedia("(prefers-color-scheme: dark)");
const stillQuery = matchMedia("(prefers-reduced-motion: reduce)");

/** @returns {"light" | "dark"} */
export function theme() {
  const chosen = read("theme");
  if (chosen === "light" || chosen === "dark") return chosen;
  return darkQuery.matches ? "dark" : "light";
}

/** @type {Set<() => void>} */
const themeListeners = new Set();

/** Calls back when the theme changes; gives a function that ends this. @param {() => void} listener */
export function onTheme(listener) {
  themeListeners.add(listener);
  return () => themeListeners.delete(listener);
}

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
  for (const listener of themeListeners) listener();
}

export function switchTheme() {
  write("theme", theme() === "dark" ? "light" : "dark");
  applyTheme();
}

darkQuery.addEventListener("change", applyTheme);

/** Whether pieces slide. */
export function moves() {
  const chosen = read("motion");
  return chosen === null ? !stillQuery.matches : chosen === "on";
}

/** Yes-or-no settings by name; `motion` depends on the system until it is set. @param {"motion" | "sound" | "forced"} name */
export function isOn(name) {
  return name === "motion" ? moves() : read(name) === "on";
}

/** @param {"motion" | "sound" | "forced"} name @param {boolean} value */
export function turn(name, value) {
  write(name, value ? "on" : "off");
}

/** The level of a computer that no one has chosen. */
const USUAL_LEVEL = 3;

/** The level of the computer that was used last. */
export function level() {
  const number = Number(read("level") ?? USUAL_LEVEL);
  return Number.isInteger(number) && number >= 1 && number <= 10 ? number : USUAL_LEVEL;
}

/** @param {number} value */
export function setLevel(value) {
  write("level", String(value));
}

/** @typedef {{name?: string, title: string, match: string, time: number}} Recent */

/** @returns {Recent[]} */
export function recent() {
  try {
    const list = JSON.parse(read("recent") ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** @param {Recent} entry */
export function remember(entry) {
  const others = recent().filter((other) => other.match !== entry.match);
  write("recent", JSON.stringify([entry, ...others].slice(0, 12)));
}

/** @param {string} match */
export function forget(match) {
  write("recent", JSON.stringify(recent().filter((other) => other.match !== match)));
}

/** The text that was last in the editor. */
export function draft() {
  return read("draft") ?? "";
}

/** @param {string} text */
export function setDraft(text) {
  write("draft", text);
}
