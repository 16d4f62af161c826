// Invent: a new game from a seed and the generator's properties.

import * as api from "./api.js";
import { go } from "./app.js";
import { Board } from "./board.js";
import { capital, copy, fill, h, note, saveFile, words } from "./dom.js";
import { guidePanel } from "./guide.js";
import { quickPlay } from "./library.js";
import { quickGames } from "./series.js";
import { setDraft } from "./settings.js";
import { linkTo } from "./share.js";

/** @param {URL} address */
export async function showInvent(address) {
  const { properties } = await api.properties();
  /** Only what was moved is sent; the generator knows the rest. @type {Map<string, number>} */
  const values = new Map();
  for (const { name } of properties) {
    const value = Number.parseFloat(address.searchParams.get(name) ?? "");
    if (value >= 0 && value <= 1) values.set(name, value);
  }
  const given = Number(address.searchParams.get("seed"));
  const seed = h("input", {
    type: "number",
    min: 0,
    step: 1,
    value: Number.isSafeInteger(given) && given > 0 ? given : newSeed(),
    "aria-label": "Seed",
  });
  const result = h("div", { class: "panel", "aria-live": "polite" });
  const sliders = properties.map(({ name, about }) => {
    const output = h("output", { class: "muted numbers" });
    const slider = h("input", {
      type: "range",
      min: 0,
      max: 100,
      step: 1,
      value: Math.round((values.get(name) ?? 0.5) * 100),
      oninput: () => {
        values.set(name, Number(slider.value) / 100);
        show();
      },
    });
    const show = () => {
      output.textContent = values.has(name) ? `${slider.value}%` : "as usual";
    };
    show();
    return h("label", { class: "field" }, h("span", {}, words(name), output), slider, h("small", {}, about));
  });
  let round = 0;
  const make = async () => {
    round += 1;
    const mine = round;
    const chosen = Object.fromEntries(values);
    const query = new URLSearchParams({
      seed: seed.value,
      ...Object.fromEntries([...values].map(([name, value]) => [name, String(value)])),
    });
    history.replaceState(null, "", `/invent?${query}`);
    button.disabled = true;
    try {
      const made = await api.generate(Number(seed.value), chosen);
      const checked = await api.check(made.text, "metagame");
      if (mine === round) fill(result, show(made, checked));
    } catch (error) {
      note(error instanceof Error ? error.message : String(error));
    } finally {
      button.disabled = false;
    }
  };
  const button = h(
    "button",
    {
      type: "button",
      class: "main-button",
      onclick: () => {
        seed.value = String(newSeed());
        make();
      },
    },
    "Invent another",
  );
  const element = h(
    "div",
    { class: "page" },
    h(
      "div",
      { class: "lead" },
      h("h1", {}, "Invent a game"),
      h(
        "p",
        {},
        "The computer makes up a game that nobody has ever played: its board, its pieces, how they move and take, and how one wins. The same seed and sliders always give the same game.",
      ),
    ),
    h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "row" },
        h("label", { class: "row" }, "Seed", seed),
        h("button", { type: "button", onclick: make }, "Make this one"),
        button,
      ),
      properties.length > 0 &&
        h(
          "details",
          { open: values.size > 0 },
          h("summary", {}, "What it should be like"),
          h("div", { class: "sliders" }, ...sliders),
        ),
    ),
    result,
  );
  make();
  return { title: "Invent", element };
}

function newSeed() {
  return 1 + Math.floor(Math.random() * 999999);
}

/** @param {{text: string, name: string, seed: number}} made @param {import("./types.js").Checked} checked */
function show(made, checked) {
  const { text, name } = made;
  const reference = { text, language: "metagame" };
  const preview = h("div", { class: "preview" });
  if (checked.board && checked.position) {
    const board = new Board(checked.board);
    board.setPieces(checked.position.pieces, { still: true });
    preview.append(board.element);
  }
  const players = checked.board?.players.length ?? 2;
  const edit = () => {
    setDraft(text);
    go("/new");
  };
  return h(
    "div",
    { class: "two" },
    preview,
    h(
      "div",
      { class: "panel" },
      h("h2", {}, capital(name.replaceAll("_", " "))),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "main-button", onclick: () => quickPlay(reference, players) }, "Play it"),
        h("button", { type: "button", onclick: edit }, "Change it"),
        h("button", { type: "button", onclick: () => saveFile(`${name}.game`, text) }, "Save as file"),
        h("button", { type: "button", onclick: async () => copy(await linkTo(text), "The link is copied.") }, "Copy link"),
      ),
      checked.ok && checked.board && quickGames(reference, checked.board.players.map(({ name }) => name)),
      guidePanel(reference),
    ),
  );
}
