// Games between computers in the background: which player is better, and what a game is like.

import * as api from "./api.js";
import { capital, fill, h, note } from "./dom.js";
import { nameOfPlayer } from "./seats.js";
import * as settings from "./settings.js";

/** @typedef {import("./types.js").Reference} Reference */
/** @typedef {import("./types.js").Series} Series */

/** How often the server is asked how far a series is, in milliseconds. */
const BETWEEN = 600;

/** The player of quick games, and how many of them there are. */
const QUICK = "uct?iterations=100";
const QUICK_GAMES = 12;

/**
 * Starts a series and follows it until it is over, or until `isWanted` says no.
 * @param {Reference} reference
 * @param {string[]} players
 * @param {number} games
 * @param {(series: Series) => void} show
 * @param {() => boolean} isWanted
 */
async function follow(reference, players, games, show, isWanted) {
  let series = await api.startSeries(reference, players, games, settings.client());
  while (isWanted()) {
    show(series);
    if (series.over) return;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN));
    if (isWanted()) series = await api.series(series.id);
  }
  await api.endSeries(series.id, settings.client()).catch(() => {});
}

/** "45%" @param {number} part */
const percent = (part) => `${Math.round(part * 100)}%`;

/** What games are like. @param {Series} series @param {string[]} names @returns {string[]} */
function findings(series, names) {
  const { played, plies, choices, drawn, seats } = series;
  if (played === 0) return [];
  const spread = plies.least === plies.most ? "" : ` (${plies.least} to ${plies.most})`;
  const shares = seats.map((points, seat) => `${capital(names[seat])} ${percent(points / played)}`);
  const cut = series.results.filter(({ reason }) => reason.startsWith("cut short")).length;
  return [
    `Length: ${Math.round(plies.mean)} moves${spread}.`,
    `Choices: ${choices.toFixed(choices < 10 ? 1 : 0)} a turn.`,
    `Balance: ${shares.join(", ")} of the points${drawn > 0 ? `; ${drawn} of ${played} drawn` : ""}.`,
    ...(cut > 0 ? [`${cut} of ${played} did not end.`] : []),
  ];
}

/**
 * Lets computers play a few quick games, and says what they were like.
 * @param {Reference} reference
 * @param {string[]} names Those of the players.
 */
export function quickGames(reference, names) {
  const bar = h("progress", { max: QUICK_GAMES, value: 0, "aria-label": "Quick games" });
  const list = h("ul", { class: "findings" }, h("li", {}, "Computers are trying the game…"));
  const count = h("p", { class: "hint" });
  const title = h("h2", {}, "Tried by computers");
  const element = h("section", { class: "card", "aria-label": "Quick games" }, title, count, bar, list);
  const show = (/** @type {Series} */ series) => {
    bar.value = series.played;
    bar.hidden = series.over;
    count.textContent = `${series.played} of ${series.games} quick games`;
    const found = findings(series, names).map((text) => h("li", {}, text));
    if (found.length > 0 || series.notice) fill(list, ...found, series.notice && h("li", { class: "bad" }, series.notice));
  };
  let wasShown = false;
  const isWanted = () => {
    wasShown ||= element.isConnected;
    return element.isConnected || !wasShown;
  };
  const players = names.map(() => QUICK);
  follow(reference, players, QUICK_GAMES, show, isWanted).catch((error) => {
    bar.hidden = true;
    fill(list, h("li", { class: "bad" }, error instanceof Error ? error.message : String(error)));
  });
  return element;
}

/**
 * A form that lets players meet, and shows how they do.
 * @param {Reference} reference
 * @param {string[]} names Those of the seats.
 * @param {import("./types.js").Players} players
 */
export function seriesCard(reference, names, players) {
  const { levels, kinds } = players;
  const selects = names.map((_, number) =>
    h(
      "select",
      { "aria-label": `Player ${number + 1}` },
      ...levels.map(({ level, name, player }) =>
        h("option", { value: player, selected: level === Math.min(levels.length, number + 3) }, `Level ${level}, ${name}`),
      ),
      ...kinds.map(({ name }) => h("option", { value: name }, name)),
    ),
  );
  const games = h("input", { type: "number", min: 2, max: 200, step: 2, value: 20, "aria-label": "Games" });
  const bar = h("progress", { hidden: true, value: 0, "aria-label": "Games played" });
  const result = h("div", { "aria-live": "polite" });
  let isOn = false;
  const button = h("button", { type: "button", class: "main-button", onclick: () => (isOn ? end() : begin()) }, "Start");
  const end = () => {
    isOn = false;
    button.textContent = "Start";
    bar.hidden = true;
  };
  const show = (/** @type {Series} */ series) => {
    bar.max = series.games;
    bar.value = series.played;
    const row = (/** @type {Series["scores"][number]} */ score) =>
      h(
        "tr",
        {},
        h("td", {}, capital(nameOfPlayer(score.player, players))),
        h("td", { class: "number" }, score.wins),
        h("td", { class: "number" }, score.draws),
        h("td", { class: "number" }, score.losses),
        h("td", { class: "number" }, series.played > 0 && `${percent(score.low)} to ${percent(score.high)}`),
      );
    const heads = ["Won", "Drawn", "Lost", "Points, 95% sure"].map((text) => h("th", { class: "number" }, text));
    fill(
      result,
      h(
        "p",
        { class: "hint" },
        series.learning ? "The players are learning the game…" : `${series.played} of ${series.games} games${series.over ? "." : " so far."}`,
      ),
      h(
        "table",
        { class: "scores" },
        h("thead", {}, h("tr", {}, h("th", {}, "Player"), ...heads)),
        h("tbody", {}, ...series.scores.map(row)),
      ),
      h("ul", { class: "findings" }, ...findings(series, names).map((text) => h("li", {}, text))),
      series.notice && h("p", { class: "bad" }, series.notice),
    );
    if (series.over) end();
  };
  const begin = async () => {
    isOn = true;
    button.textContent = "Stop";
    bar.hidden = false;
    const chosen = selects.map((select) => select.value);
    try {
      await follow(reference, chosen, Number(games.value), show, () => isOn && element.isConnected);
    } catch (error) {
      note(error instanceof Error ? error.message : String(error));
    }
    end();
  };
  const element = h(
    "section",
    { class: "card", "aria-label": "Players against each other" },
    h("h2", {}, "Let players meet"),
    h("p", { class: "hint" }, "Computers play in the background, from varied openings and from every seat."),
    h("div", { class: "row" }, ...selects),
    h("div", { class: "row" }, h("label", { class: "row" }, "Games", games), button),
    bar,
    result,
  );
  return element;
}
