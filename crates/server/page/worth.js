// What pieces are worth, as players have learnt it: sentences, and a picture of the board for each piece.

import * as api from "./api.js";
import { capital, fill, h, readSvg } from "./dom.js";

/** @typedef {import("./types.js").Reference} Reference */
/** @typedef {import("./types.js").Worth} Worth */

/**
 * A card that says what pieces are worth. The game is learnt for that if it was not before.
 * @param {Reference} reference
 * @param {string[]} names Those of the players.
 */
export function worthCard(reference, names) {
  const content = h("div", { class: "panel", "aria-live": "polite" }, h("p", { class: "muted" }, "Learning the game…"));
  const element = h(
    "section",
    { class: "card worth", "aria-label": "What pieces are worth" },
    h("h2", {}, "What pieces are worth"),
    content,
  );
  api.worth(reference).then(
    (worth) => fill(content, ...show(worth, names)),
    (error) => fill(content, h("p", { class: "muted" }, error instanceof Error ? error.message : String(error))),
  );
  return element;
}

/** @param {Worth} worth @param {string[]} names */
function show({ sentences, pieces }, names) {
  const pictures = pieces.filter(({ svg }) => svg);
  const figure = (/** @type {Worth["pieces"][number]} */ { name, svg }) => {
    const picture = readSvg(svg ?? "").svg;
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", `Where a ${name} is worth more and where less`);
    return h("figure", {}, picture, h("figcaption", {}, capital(name)));
  };
  const groups = names.map((name, owner) => ({ name, own: pictures.filter((piece) => piece.owner === owner) }));
  const [first, ...others] = groups.filter(({ own }) => own.length > 0);
  return [
    h("ul", { class: "findings" }, ...sentences.map((text) => h("li", {}, text))),
    first && h("p", { class: "hint" }, "Red squares are better than the average for the piece, blue ones worse."),
    first && h("div", { class: "worths" }, ...first.own.map(figure)),
    ...others.map(({ name, own }) =>
      h("details", {}, h("summary", {}, `The pieces of ${name}`), h("div", { class: "worths" }, ...own.map(figure))),
    ),
  ];
}
