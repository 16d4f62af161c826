// A bundled game: who plays it, how it is played, what its rules look like as an automaton, and its text.

import * as api from "./api.js";
import { go } from "./app.js";
import { capital, h, note, words } from "./dom.js";
import { automatonPanel, guidePanel, sourcePanel } from "./guide.js";
import { gameAddress } from "./library.js";
import { computerForm, playersOf, usualPlayer } from "./seats.js";
import { seriesCard } from "./series.js";
import * as settings from "./settings.js";
import { tabs } from "./tabs.js";
import { worthCard } from "./worth.js";

/** @param {string} name @param {string} [tab] */
export async function showGame(name, tab) {
  const [game, players] = await Promise.all([api.game(name), api.players()]);
  const reference = { name: game.name };
  const title = game.title || words(game.name);
  const picture = h("img", { src: api.picture(game.name, settings.theme()), alt: `The board of ${title}` });
  const play = () =>
    h("div", { class: "two" }, h("div", { class: "preview" }, picture), starter(reference, game.players, playersOf(players, game.game)));
  const analyse = () =>
    h(
      "div",
      { class: "panel" },
      h(
        "section",
        { class: "card" },
        h("h2", {}, "Look into positions"),
        h("p", {}, "Play both sides, and let the computer say what it thinks of each position."),
        h(
          "p",
          { class: "row" },
          h(
            "button",
            {
              type: "button",
              class: "main-button",
              onclick: () =>
                start(
                  reference,
                  game.players.map(() => "person"),
                  "analyse",
                ),
            },
            "Open the board",
          ),
        ),
      ),
      worthCard(reference, game.players),
      seriesCard(reference, game.players, playersOf(players, game.game)),
      h(
        "section",
        { class: "card" },
        h("h2", {}, "The rules as an automaton"),
        h("p", { class: "muted" }, "Every move is a walk along these arrows. The wheel zooms, and dragging moves the picture."),
        automatonPanel(reference),
      ),
    );
  const view = tabs(
    title,
    [
      { id: "play", label: "Play", make: play },
      { id: "rules", label: "How to play", make: () => guidePanel(reference) },
      { id: "analyse", label: "Analyse", make: analyse },
      { id: "source", label: "Source", make: () => sourcePanel(game.source ?? "", game.language) },
    ],
    tab || "play",
    (id) => history.replaceState(null, "", gameAddress(game.name, id === "play" ? "" : id)),
  );
  const element = h(
    "div",
    { class: "page" },
    h(
      "div",
      { class: "game-head" },
      h("h1", {}, title),
      h("p", { class: "muted" }, game.about),
      h(
        "div",
        { class: "row" },
        h("span", { class: "tag" }, game.language),
        h("span", { class: "tag" }, `${game.players.length} players`),
        h("span", { class: "tag" }, `${game.squares} squares`),
      ),
    ),
    view.row,
    view.panel,
  );
  const leave = settings.onTheme(() => (picture.src = api.picture(game.name, settings.theme())));
  return { title, element, leave };
}

/** @param {import("./types.js").Reference} reference @param {string[]} seats @param {string} [tab] */
export async function start(reference, seats, tab) {
  try {
    const { id } = await api.startMatch(reference, seats, settings.client());
    go(`/m/${id}${tab ? `#${tab}` : ""}`);
  } catch (error) {
    note(error instanceof Error ? error.message : String(error));
  }
}

/**
 * A form that says who plays, and starts.
 * @param {import("./types.js").Reference} reference
 * @param {string[]} names
 * @param {import("./types.js").Players} players
 */
function starter(reference, names, players) {
  const usual = usualPlayer(players);
  const seats = names.map((_, seat) => (seat === 0 ? "person" : usual));
  const cards = names.map((name, seat) => {
    const form = h("div");
    const person = h("button", { type: "button", onclick: () => set("person") }, "Person");
    const computer = h("button", { type: "button", onclick: () => set(usual) }, "Computer");
    const set = (/** @type {string} */ player) => {
      seats[seat] = player;
      show();
    };
    const show = () => {
      const isPerson = seats[seat] === "person";
      person.setAttribute("aria-pressed", String(isPerson));
      computer.setAttribute("aria-pressed", String(!isPerson));
      form.replaceChildren();
      if (!isPerson)
        form.append(
          computerForm(players, seats[seat], (player) => (seats[seat] = player), { isPlaying: false }),
        );
    };
    show();
    return h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "row spread" },
        h("h2", {}, capital(name)),
        h("div", { class: "segments", role: "group", "aria-label": `Who plays ${name}` }, person, computer),
      ),
      form,
    );
  });
  return h(
    "div",
    { class: "starter" },
    ...cards,
    h("button", { type: "button", class: "main-button", onclick: () => start(reference, seats) }, "Start"),
  );
}
