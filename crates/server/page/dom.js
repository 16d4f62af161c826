// Makes elements. Text from outside always becomes a text node, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. Attributes that begin with `on` are listeners; `false`, `null` and `undefined` leave an attribute out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes);
  element.append(...present(children));
  return element;
}

/**
 * Makes an SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, tag));
  dress(element, attributes);
  element.append(...present(children));
  return element;
}

/**
 * Replaces what is in an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
}

/** @param {Element} element @param {Record<string, any>} attributes */
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in PROPERTIES) /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** What is set as a property, since the attribute only says how it begins. */
const PROPERTIES = { value: 1, checked: 1, disabled: 1, open: 1, hidden: 1, selected: 1 };

/** @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  /** @type {(Node | string)[]} */
  const kept = [];
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    kept.push(typeof child === "number" ? String(child) : child);
  }
  return kept;
}

let documents = 0;

/**
 * Reads an SVG document and makes its ids unique on the page; gives the prefix that they have now.
 * @param {string} text
 * @returns {{svg: SVGSVGElement, prefix: string}}
 */
export function readSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.localName !== "svg") throw new Error("The server sent a picture that cannot be read.");
  const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(root, true)));
  for (const script of svg.querySelectorAll("script, foreignObject")) script.remove();
  documents += 1;
  const prefix = `s${documents}-`;
  for (const element of svg.querySelectorAll("[id]")) element.id = prefix + element.id;
  for (const element of svg.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      if (name === "href" && value.startsWith("#")) element.setAttribute(name, `#${prefix}${value.slice(1)}`);
      else if (value.includes("url(#")) element.setAttribute(name, value.replaceAll("url(#", `url(#${prefix}`));
    }
  }
  return { svg, prefix };
}

/** The paths of the small pictures on buttons, in a box of 24 by 24. */
const ICONS = {
  first: "M6 5v14M18 5l-8 7 8 7z",
  back: "M15 5l-8 7 8 7z",
  forward: "M9 5l8 7-8 7z",
  last: "M18 5v14M6 5l8 7-8 7z",
  flip: "M8 4v14m0 0l-4-4m4 4l4-4M16 20V6m0 0l-4 4m4-4l4 4",
  hint: "M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-1 1-1 2-1 3H9c0-1 0-2-1-3z",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  dark: "M20 14A8 8 0 1 1 10 4a6 6 0 0 0 10 10z",
  options: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  undo: "M9 5L4 10l5 5M4 10h9a6 6 0 0 1 0 12h-3",
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}

/**
 * A button with a picture only, and a name for those who do not see it.
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {(event: Event) => void} action
 * @param {Record<string, any>} [more]
 */
export function iconButton(name, label, action, more = {}) {
  return h(
    "button",
    { type: "button", class: "tool", "aria-label": label, title: label, onclick: action, ...more },
    icon(name),
  );
}

/** Says something to screen readers. @param {string} text */
export function say(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

let noteTimer = 0;

/** Shows a short note at the edge of the window for some seconds. @param {string} text @param {boolean} [isGood] */
export function note(text, isGood = false) {
  const notes = document.getElementById("notes");
  if (!notes) return;
  fill(notes, h("p", { class: isGood ? "note good" : "note" }, text));
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => fill(notes), 5000);
}

/** Copies text, and says so. @param {string} text @param {string} done */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    note(done, true);
  } catch {
    prompt("Copy this:", text);
  }
}

/** Saves text as a file. @param {string} name @param {string} text */
export function saveFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** "white pawn" → "White pawn" @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "tic_tac_toe" → "Tic tac toe" @param {string} name */
export function words(name) {
  return capital(name.replaceAll("_", " "));
}
