// About: what this is, the languages, the keyboard, and where programs find everything.

import { h } from "./dom.js";

/** @type {[string, string][]} */
const LANGUAGES = [
  [
    "RBG",
    "Regular Boardgames. The moves of a game are a regular expression over steps and changes of the board. Any game with full information can be written in it.",
  ],
  ["SBG", "Simplified Boardgames. A board, pieces with expressions for their moves, and goals. Good for games like chess."],
  ["ABG", "Abstract Boardgames. Pieces move by expressions whose letters carry conditions and effects; any number of players."],
  [
    "METAGAME",
    "Symmetric games like chess, put together from movements, captures, promotions and goals. The generator writes these.",
  ],
];

/** @type {[string, string][]} */
const KEYS = [
  ["b", "go to the board"],
  ["← → ↑ ↓", "on the board: to another square; elsewhere ← → go through the moves"],
  ["Enter, Space", "choose the square"],
  ["Esc", "take back a step of the move"],
  ["m", "type a move"],
  ["u", "take back a move"],
  ["t", "show a good move"],
  ["f", "turn the board"],
  ["a", "analyse"],
  ["h (hold)", "which squares the computer thought about"],
  ["Home, End", "to the first and the last position"],
  ["right button", "on the board: draw an arrow, or a ring around a square; a click removes them"],
];

export function showAbout() {
  const element = h(
    "div",
    { class: "page" },
    h(
      "div",
      { class: "prose" },
      h("h1", {}, "About Regulus"),
      h(
        "p",
        {},
        "Regulus plays board games that are written as text. It knows no game by itself: the board, the pieces, the moves and the end all come from the description, and so does everything that this page shows.",
      ),
      h("p", {}, "Everything runs on the machine that serves this page. Nothing is fetched from anywhere else."),
      h("h2", {}, "Languages"),
      h("dl", { class: "keys" }, ...LANGUAGES.flatMap(([name, text]) => [h("dt", {}, h("b", {}, name)), h("dd", {}, text)])),
      h("p", {}, h("a", { href: "/new" }, "Write a game"), " begins with a template of each."),
      h("h2", {}, "Keyboard and mouse"),
      h("dl", { class: "keys" }, ...KEYS.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])),
      h("h2", {}, "For programs"),
      h(
        "p",
        {},
        "The page uses an interface of JSON over HTTP and a WebSocket for each match, which is open to programs too. Begin with ",
        h("a", { href: "/api/games" }, "/api/games"),
        " and ",
        h("a", { href: "/api/players" }, "/api/players"),
        "; all of it is described in docs/server.md.",
      ),
    ),
  );
  return { title: "About", element };
}
