// The frame: finds out by the address which place to show, and keeps the header's switches.

import { capital, fill, h, icon, iconButton, note } from "./dom.js";
import * as settings from "./settings.js";

/** @typedef {{title: string, element: HTMLElement, leave?: () => void}} Place */

/** @typedef {(parameters: string[], address: URL) => Promise<Place>} Show */

/** Which module shows which address; each is loaded when it is needed. @type {[RegExp, string, Show][]} */
const PLACES = [
  [/^\/$/, "/", async () => (await import("./library.js")).showLibrary()],
  [/^\/m\/([^/]+)$/, "/", async ([id]) => (await import("./play.js")).showMatch(id)],
  [/^\/g\/([^/]+)(?:\/([a-z]+))?$/, "/", async ([name, tab]) => (await import("./game.js")).showGame(name, tab)],
  [/^\/new$/, "/new", async (_, address) => (await import("./write.js")).showEditor(address)],
  [/^\/invent$/, "/invent", async (_, address) => (await import("./invent.js")).showInvent(address)],
  [/^\/about$/, "/about", async () => (await import("./about.js")).showAbout()],
];

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
/** @type {Place | null} */
let place = null;
let visit = 0;

/** Goes to another address of the page. @param {string} address @param {{replace?: boolean}} [how] */
export function go(address, how = {}) {
  // Where the page was scrolled to is kept for the way back.
  history.replaceState({ y: scrollY }, "");
  if (how.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  show(true);
}

/** @param {boolean} isNew Whether somebody asked for it just now. */
async function show(isNew) {
  visit += 1;
  const mine = visit;
  const address = new URL(location.href);
  const path = address.pathname.replace(/(.)\/$/, "$1");
  const found = PLACES.find(([pattern]) => pattern.test(path));
  for (const link of document.querySelectorAll("header nav a")) {
    if (found && link.getAttribute("href") === found[1]) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  /** @type {Place} */
  let next;
  try {
    if (!found) throw new Error("There is no such page here.");
    const parameters = (found[0].exec(path) ?? []).slice(1).map((part) => decodeURIComponent(part ?? ""));
    next = await found[2](parameters, address);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const again = h("button", { type: "button", onclick: () => show(true) }, "Try again");
    const element = h(
      "div",
      { class: "lone" },
      h("h1", {}, capital(message)),
      h("p", { class: "row" }, again, h("a", { class: "button", href: "/" }, "All games")),
    );
    next = { title: "Not found", element };
  }
  if (mine !== visit) {
    next.leave?.();
    return;
  }
  place?.leave?.();
  place = next;
  document.title = next.title === "Regulus" ? "Regulus" : `${next.title} · Regulus`;
  fill(main, next.element);
  if (isNew) {
    scrollTo(0, 0);
    if (document.activeElement === document.body || !document.activeElement) main.focus({ preventScroll: true });
  } else if (typeof history.state?.y === "number") {
    scrollTo(0, history.state.y);
  }
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api") || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});

addEventListener("popstate", () => show(false));

addEventListener("unhandledrejection", (event) => {
  const error = event.reason;
  if (error instanceof DOMException && error.name === "AbortError") return;
  event.preventDefault();
  note(error instanceof Error ? error.message : String(error));
});

/** The switches in the header: theme, and a few more in a small window. */
function switches() {
  const holder = document.getElementById("switches");
  if (!holder) return;
  const themeButton = iconButton("dark", "Dark theme", settings.switchTheme);
  const showTheme = () => {
    const isDark = settings.theme() === "dark";
    fill(themeButton, icon(isDark ? "light" : "dark"));
    themeButton.setAttribute("aria-label", isDark ? "Light theme" : "Dark theme");
    themeButton.title = isDark ? "Light theme" : "Dark theme";
  };
  settings.onTheme(showTheme);
  const box = (/** @type {"motion" | "sound" | "forced"} */ name, /** @type {string} */ text) => {
    const change = (/** @type {Event} */ event) => {
      settings.turn(name, /** @type {HTMLInputElement} */ (event.target).checked);
      applyStill();
    };
    return h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", checked: settings.isOn(name), onchange: change }),
      text,
    );
  };
  const options = h(
    "div",
    { class: "popover", hidden: true, id: "settings" },
    box("motion", "Pieces slide"),
    box("sound", "A sound for each move"),
    box("forced", "Play forced steps by themselves"),
  );
  const optionsButton = iconButton("options", "Settings", () => toggle(!!options.hidden), {
    "aria-expanded": "false",
    "aria-controls": "settings",
  });
  const toggle = (/** @type {boolean} */ isOpen) => {
    options.hidden = !isOpen;
    optionsButton.setAttribute("aria-expanded", String(isOpen));
  };
  document.addEventListener("pointerdown", (event) => {
    if (!options.hidden && event.target instanceof Node && !holder.contains(event.target)) toggle(false);
  });
  holder.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !options.hidden) {
      toggle(false);
      optionsButton.focus();
    }
  });
  fill(holder, optionsButton, themeButton, options);
  showTheme();
}

function applyStill() {
  document.documentElement.toggleAttribute("data-still", !settings.moves());
}

history.scrollRestoration = "manual";
settings.applyTheme();
applyStill();
switches();
show(false);
