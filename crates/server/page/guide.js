// "How to play", the source and the automaton of a game, as panels.

import * as api from "./api.js";
import { go } from "./app.js";
import { copy, fill, h, readSvg } from "./dom.js";
import { setDraft } from "./settings.js";
import { linkTo } from "./share.js";
import { zoomable } from "./zoom.js";

/** @typedef {import("./types.js").Reference} Reference */
/** @typedef {import("./types.js").Guide} Guide */

/**
 * A panel that shows something once it has come.
 * @template T
 * @param {string} name
 * @param {Promise<T>} promise
 * @param {(value: T) => Node} show
 */
function later(name, promise, show) {
  const element = h("div", { class: name }, h("p", { class: "muted" }, "One moment…"));
  promise.then(
    (value) => fill(element, show(value)),
    (error) => fill(element, h("p", { class: "card" }, error instanceof Error ? error.message : String(error))),
  );
  return element;
}

/** @param {Reference} reference @param {string} [name] */
export function guidePanel(reference, name = "") {
  const panel = later(name, api.guide(reference), showGuide);
  // What scrolls by itself can be reached with the tab key, so that the arrows scroll it.
  if (name === "scrolls") {
    panel.tabIndex = 0;
    panel.setAttribute("role", "region");
    panel.setAttribute("aria-label", "How to play");
  }
  return panel;
}

/** @param {Guide} guide */
function showGuide(guide) {
  const paragraphs = (/** @type {string[]} */ texts) => texts.map((text) => h("p", {}, text));
  const pieces = guide.pieces.map(({ heading, number, text, diagram }) => {
    const figure = h(
      "section",
      { class: "card guide-piece" },
      h("h2", {}, heading, number ? h("span", { class: "muted" }, /^\d/.test(number) ? ` × ${number}` : `, ${number}`) : null),
    );
    if (diagram) {
      const { svg } = readSvg(diagram);
      svg.setAttribute("aria-hidden", "true");
      figure.append(svg);
    }
    figure.append(...paragraphs(text.split("\n").filter(Boolean)));
    return figure;
  });
  return h(
    "article",
    { class: "guide" },
    h("section", {}, ...paragraphs(guide.setting)),
    pieces.length > 0 && h("div", { class: "guide-pieces" }, ...pieces),
    ...guide.sections.map(({ heading, sentences }) => h("section", {}, h("h2", {}, heading), ...paragraphs(sentences))),
    typeof guide.score === "number" &&
      h("p", { class: "hint" }, `How much there is to learn: ${Math.round(guide.score)}. Less is easier.`),
  );
}

/** The automaton, zoomable; of a large one a single turn can be asked for. @param {Reference} reference */
export function automatonPanel(reference) {
  const holder = h("div");
  const show = (/** @type {number | undefined} */ turn) =>
    fill(
      holder,
      later("", api.automaton(reference, turn), ({ svg }) => zoomable(readSvg(svg).svg)),
    );
  const turn = h("input", { type: "number", min: 0, step: 1, placeholder: "all", "aria-label": "Number of a turn" });
  turn.addEventListener("change", () => show(turn.value === "" ? undefined : Math.max(0, Math.floor(Number(turn.value)))));
  show(undefined);
  return h("div", { class: "panel" }, h("label", { class: "row small" }, "One turn in detail: number", turn), holder);
}

/** @param {string} text @param {string} language @param {string} [name] */
export function sourcePanel(text, language, name = "") {
  const change = () => {
    setDraft(text);
    go("/new");
  };
  const listing = h("div", {}, h("pre", { class: `source ${name}`, tabindex: "0" }, h("code", {}, text)));
  // Colours come with the editor; without it the text is plain.
  import("./code.js").then(
    ({ codeEditor }) => fill(listing, h("div", { class: "editor fixed" }, codeEditor(text, () => {}, true).element)),
    () => {},
  );
  return h(
    "div",
    { class: "panel" },
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "main-button", onclick: change }, "Change it"),
      h("button", { type: "button", onclick: async () => copy(text, "The text is copied.") }, "Copy text"),
      h("button", { type: "button", onclick: async () => copy(await linkTo(text), "The link is copied.") }, "Copy as link"),
      h("span", { class: "tag" }, language),
    ),
    listing,
  );
}
