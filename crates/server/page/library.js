// The library: every bundled game as a card, what was played last, and a way in for one's own texts.

import * as api from "./api.js";
import { go } from "./app.js";
import { fill, h, note, words } from "./dom.js";
import * as settings from "./settings.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */

/** At most this many bytes of a file are read. */
const MOST = 4 * 1024 * 1024;

/** The filters last for as long as the page is open. */
const wanted = { text: "", language: "", players: "" };

export async function showLibrary() {
  const games = await api.games();
  const shelf = h("ul", { class: "shelf" });
  const count = h("span", { class: "count", role: "status" });
  /** @type {HTMLImageElement[]} */
  let pictures = [];
  const list = () => {
    const found = games.filter(fits);
    const cards = found.map(card);
    pictures = cards.map(({ picture }) => picture);
    fill(shelf, ...cards.map(({ element }) => element));
    count.textContent = found.length === games.length ? `${games.length} games` : `${found.length} of ${games.length} games`;
  };
  const languages = [...new Set(games.map((game) => game.language))].sort();
  const numbers = [...new Set(games.map((game) => game.players.length))].sort((a, b) => a - b);
  const filters = h(
    "div",
    { class: "filters", role: "search" },
    h("input", {
      type: "search",
      placeholder: "Find a game",
      "aria-label": "Find a game",
      value: wanted.text,
      oninput: (/** @type {any} */ event) => narrow("text", event.target.value),
    }),
    select("Language", "language", [
      ["", "All languages"],
      ...languages.map((name) => /** @type {[string, string]} */ ([name, name])),
    ]),
    numbers.length > 1 &&
      select("Players", "players", [
        ["", "Players: any"],
        ...numbers.map((n) => /** @type {[string, string]} */ ([String(n), `${n} players`])),
      ]),
    opener(),
    count,
  );
  const narrow = (/** @type {keyof typeof wanted} */ name, /** @type {string} */ value) => {
    wanted[name] = value;
    list();
  };
  /** @param {string} label @param {keyof typeof wanted} name @param {[string, string][]} values */
  function select(label, name, values) {
    const options = values.map(([value, text]) => h("option", { value, selected: wanted[name] === value }, text));
    return h(
      "select",
      { "aria-label": label, onchange: (/** @type {any} */ event) => narrow(name, event.target.value) },
      ...options,
    );
  }
  list();
  const element = h(
    "div",
    { class: "page" },
    h(
      "div",
      { class: "lead" },
      h("h1", {}, "Pick a board and play"),
      h(
        "p",
        {},
        "One click starts a game against the computer. Every game is a text that you can read and change; drop or paste one of your own anywhere on this page.",
      ),
    ),
    recentGames(games),
    filters,
    shelf,
  );
  const unTheme = settings.onTheme(() => {
    for (const picture of pictures) picture.src = api.picture(String(picture.dataset.name), settings.theme());
  });
  const unDrop = acceptFiles();
  return {
    title: "Regulus",
    element,
    leave: () => {
      unTheme();
      unDrop();
    },
  };
}

/** @param {GameInfo} game */
function fits(game) {
  const text = `${game.title} ${game.name} ${game.about}`.toLowerCase();
  const isFound = wanted.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
  return (
    isFound &&
    (!wanted.language || game.language === wanted.language) &&
    (!wanted.players || game.players.length === Number(wanted.players))
  );
}

/** @param {GameInfo} game */
function card(game) {
  const address = api.picture(game.name, settings.theme());
  const picture = h("img", {
    src: address,
    alt: "",
    loading: "lazy",
    decoding: "async",
    "data-name": game.name,
    width: 240,
    height: 180,
  });
  const title = game.title || words(game.name);
  const start = h(
    "button",
    {
      type: "button",
      class: "start",
      title: `Play ${title} against the computer`,
      onclick: () => quickPlay({ name: game.name }, game.players.length),
    },
    title,
  );
  const element = h(
    "li",
    { class: "game-card" },
    h("div", { class: "view" }, picture),
    h(
      "div",
      { class: "words" },
      h("h2", {}, start),
      h("p", {}, game.about),
      h(
        "div",
        { class: "foot" },
        h("span", { class: "tag" }, game.language),
        h("span", {}, `${game.squares} squares`),
        game.players.length !== 2 && h("span", { class: "tag" }, `${game.players.length} players`),
        h("a", { href: gameAddress(game.name, "rules"), "aria-label": `Rules of ${title}` }, "Rules"),
      ),
    ),
  );
  return { element, picture };
}

/** Where a game is. @param {string} name @param {string} [tab] */
export function gameAddress(name, tab) {
  return `/g/${encodeURIComponent(name)}${tab ? `/${tab}` : ""}`;
}

/**
 * Starts a game against the computer and goes there; the first player is the person.
 * @param {import("./types.js").Reference} reference
 * @param {number} players
 */
export async function quickPlay(reference, players) {
  try {
    const { levels } = await api.players();
    const computer = levels.find(({ level }) => level === settings.level()) ?? levels[0];
    const seats = Array.from({ length: players }, (_, seat) => (seat === 0 ? "person" : computer.player));
    const { id } = await api.startMatch(reference, seats, settings.client());
    go(`/m/${id}`);
  } catch (error) {
    note(error instanceof Error ? error.message : String(error));
  }
}

/** @param {GameInfo[]} games */
function recentGames(games) {
  const entries = settings.recent().slice(0, 8);
  if (entries.length === 0) return null;
  const known = new Set(games.map((game) => game.name));
  const items = entries.map(({ name, title, match }) => {
    const picture =
      name && known.has(name)
        ? h("img", { src: api.picture(name, settings.theme()), alt: "", loading: "lazy", width: 36, height: 36 })
        : h("span", { class: "blank" });
    return h("li", {}, h("a", { href: `/m/${match}` }, picture, title));
  });
  return h(
    "section",
    { "aria-label": "Recently played" },
    h("h2", { class: "small muted" }, "Go on with"),
    h("ul", { class: "recent" }, ...items),
  );
}

function opener() {
  const file = h("input", {
    type: "file",
    hidden: true,
    accept: ".rbg,.sbg,.abg,.game,.txt,text/plain",
    onchange: () => file.files?.[0] && openFile(file.files[0]),
  });
  return h("span", {}, h("button", { type: "button", onclick: () => file.click() }, "Open a file"), file);
}

/** @param {File} file */
async function openFile(file) {
  if (file.size > MOST) {
    note(`${file.name} has ${(file.size / 1024 / 1024).toFixed(1)} MB; at most 4 MB are read.`);
    return;
  }
  openText(await file.text());
}

/** @param {string} text */
function openText(text) {
  settings.setDraft(text);
  go("/new");
}

/** Takes files that are dropped and text that is pasted; gives a function that ends this. */
function acceptFiles() {
  const stop = new AbortController();
  const { signal } = stop;
  addEventListener(
    "dragover",
    (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    },
    { signal },
  );
  addEventListener(
    "dragleave",
    (event) => {
      if (!event.relatedTarget) document.body.classList.remove("dropping");
    },
    { signal },
  );
  addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const file = event.dataTransfer?.files[0];
      const text = event.dataTransfer?.getData("text/plain");
      if (file) openFile(file);
      else if (text) openText(text);
    },
    { signal },
  );
  addEventListener(
    "paste",
    (event) => {
      if (event.target instanceof HTMLInputElement) return;
      const file = event.clipboardData?.files[0];
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (file) openFile(file);
      else if (text.trim().length > 20) openText(text);
    },
    { signal },
  );
  return () => {
    stop.abort();
    document.body.classList.remove("dropping");
  };
}
