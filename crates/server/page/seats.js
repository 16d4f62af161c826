// Who sits where: persons, computers and their levels, free seats.

import { capital, fill, h, words } from "./dom.js";
import { level as usualLevel, setLevel } from "./settings.js";

/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Players} Players */

/** "level 3, casual" @param {string} player @param {Players} players */
export function nameOfPlayer(player, players) {
  const level = players.levels.find((level) => level.player === player);
  return level ? `level ${level.level}, ${level.name}` : player.replace("?", " ").replaceAll("&", " ");
}

/** @param {Seat} seat @param {Players} players */
export function nameOfSeat(seat, players) {
  if (seat.player !== "person") return nameOfPlayer(seat.player, players);
  if (seat.free) return "free seat";
  return seat.mine ? "you" : "another person";
}

/** @param {string} text @returns {{kind: string, options: Map<string, string>}} */
function parse(text) {
  const [kind, query = ""] = text.split("?");
  return {
    kind,
    options: new Map(
      query
        .split("&")
        .filter(Boolean)
        .map((pair) => /** @type {[string, string]} */ (pair.split("=", 2))),
    ),
  };
}

/** The players of a game: without the nets of other games. @param {Players} players @param {string} [game] @returns {Players} */
export function playersOf(players, game) {
  return { ...players, kinds: players.kinds.filter((kind) => kind.game === undefined || kind.game === game) };
}

/** The player of the level that was used last. @param {Players} players */
export function usualPlayer({ levels }) {
  return (levels.find(({ level }) => level === usualLevel()) ?? levels[0])?.player ?? "auto";
}

/**
 * A form that chooses a computer: a level, or below it, folded, a kind with options.
 * @param {Players} players
 * @param {string} player
 * @param {(player: string) => void} choose
 * @param {{isPlaying: boolean}} match In a match that is under way, a kind is chosen by a button, when all its options are as they should be.
 */
export function computerForm(players, player, choose, { isPlaying }) {
  const { levels, kinds } = players;
  const known = levels.find((level) => level.player === player);
  const name = h("output", { class: "numbers" });
  const hint = h("p", { class: "hint" }, "Tries which of its ways to play suits the game best, and plays so.");
  const showName = (/** @type {number} */ number) => {
    const level = levels.find(({ level }) => level === number);
    name.textContent = level ? `${level.level} · ${level.name}` : "own settings";
    slider.setAttribute("aria-valuetext", name.textContent);
    hint.hidden = !level;
  };
  const slider = h("input", {
    type: "range",
    min: levels[0]?.level ?? 1,
    max: levels.at(-1)?.level ?? 10,
    step: 1,
    "aria-label": "Level",
    value: known?.level ?? usualLevel(),
    oninput: () => showName(Number(slider.value)),
    onchange: () => {
      const level = levels.find(({ level }) => level === Number(slider.value));
      if (!level) return;
      setLevel(level.level);
      show(level.player);
      choose(level.player);
    },
  });
  showName(known?.level ?? 0);
  const fields = h("div", { class: "options" });
  const about = h("p", { class: "hint" });
  const kindSelect = h(
    "select",
    {
      "aria-label": "Kind of player",
      onchange: () => {
        showKind(kindSelect.value, new Map());
        change();
      },
    },
    ...kinds.map((kind) => h("option", { value: kind.name }, kind.name)),
  );
  /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
  const inputs = new Map();
  const showKind = (/** @type {string} */ name, /** @type {Map<string, string>} */ values) => {
    const kind = kinds.find((kind) => kind.name === name) ?? kinds[0];
    inputs.clear();
    const report = kind?.run !== undefined && h("a", { href: `/api/runs/${encodeURIComponent(kind.run)}`, target: "_blank" }, "How it was trained");
    fill(about, kind?.about, report && ". ", report);
    fill(
      fields,
      ...(kind?.options ?? []).map((option) => {
        const isNumber = option.type === "whole" || option.type === "real";
        const value = values.get(option.name) ?? "";
        const input = option.names
          ? h(
              "select",
              { onchange: change },
              ...option.names.map((name, index) =>
                h("option", { value: index === 0 ? "" : name, selected: name === value }, name),
              ),
            )
          : h("input", {
              type: isNumber ? "number" : "text",
              min: isNumber ? option.least : null,
              max: isNumber ? option.most : null,
              step: option.type === "real" ? "any" : null,
              value,
              placeholder: option.default ?? "",
              onchange: change,
            });
        inputs.set(option.name, input);
        return h("label", { class: "field" }, words(option.name), input, h("small", {}, option.about));
      }),
    );
  };
  const show = (/** @type {string} */ player) => {
    const { kind, options } = parse(player);
    kindSelect.value = kind;
    showKind(kind, options);
  };
  const apply = () => {
    const query = [...inputs].filter(([, input]) => input.value !== "").map(([name, input]) => `${name}=${input.value}`);
    choose(kindSelect.value + (query.length > 0 ? `?${query.join("&")}` : ""));
  };
  const change = () => {
    if (isPlaying) return;
    showName(0);
    apply();
  };
  show(player);
  return h(
    "div",
    { class: "seat-form" },
    h("div", { class: "level" }, slider, name),
    hint,
    kinds.length > 0 &&
      h(
        "details",
        { open: !known },
        h("summary", {}, "Own settings"),
        h(
          "div",
          { class: "seat-form" },
          kindSelect,
          about,
          fields,
          isPlaying && h("button", { type: "button", onclick: apply }, "Use this player"),
        ),
      ),
  );
}

/**
 * @typedef {object} SeatsHandler
 * @property {(message: Record<string, unknown>) => void} send
 * @property {() => void} share
 */

/** The card with the seats of a match. */
export class SeatsCard {
  /** @param {{name: string, colour: string}[]} looks @param {Players} players @param {SeatsHandler} handler */
  constructor(looks, players, handler) {
    this.looks = looks;
    this.players = players;
    this.handler = handler;
    /** The seat whose form is open. @type {number | null} */
    this.open = null;
    this.drawn = "";
    this.list = h("div", { class: "seats" });
    this.viewers = h("p", { class: "hint" });
    this.element = h("section", { class: "card", "aria-label": "Players" }, this.list, this.viewers);
  }

  /** @param {Seat[]} seats @param {number} viewers @param {boolean} mayPlay */
  show(seats, viewers, mayPlay) {
    this.seats = seats;
    this.count = viewers;
    this.mayPlay = mayPlay;
    this.viewers.textContent = viewers > 1 ? `${viewers} browsers look at this match.` : "";
    this.viewers.hidden = viewers <= 1;
    const key = JSON.stringify([seats, this.open, mayPlay]);
    if (key === this.drawn) return;
    this.drawn = key;
    // The focus of people who work with the keyboard stays where it is.
    const focused =
      document.activeElement instanceof HTMLElement && this.list.contains(document.activeElement)
        ? document.activeElement
        : null;
    const nameOf = (/** @type {HTMLElement} */ one) => one.dataset.key ?? one.getAttribute("aria-label") ?? one.textContent;
    const isSame = (/** @type {HTMLElement} */ other) => focused !== null && nameOf(other) === nameOf(focused);
    fill(this.list, ...seats.map((seat, number) => this.seat(seat, number)));
    if (focused)
      [.../** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll("button, input, select"))].find(isSame)?.focus();
  }

  redraw() {
    this.drawn = "";
    if (this.seats) this.show(this.seats, this.count ?? 1, this.mayPlay ?? false);
  }

  /** @param {Seat} seat @param {number} number */
  seat(seat, number) {
    const { name, colour } = this.looks[number];
    const { send } = this.handler;
    const take = seat.player === "person" && seat.free;
    const mayChange = this.mayPlay && (seat.player !== "person" || seat.mine || seat.free);
    // Someone else may have sat down meanwhile.
    const isOpen = this.open === number && mayChange;
    const toggle = () => {
      this.open = isOpen ? null : number;
      this.redraw();
    };
    const head = h(
      "div",
      { class: "seat-head" },
      h("i", { class: `disc ${colour}` }),
      h("div", { class: "who" }, h("b", {}, capital(name)), h("br"), h("span", {}, capital(nameOfSeat(seat, this.players)))),
      take &&
        h("button", { type: "button", class: "main-button", onclick: () => send({ type: "take", seat: number }) }, "Sit down"),
      mayChange &&
        h(
          "button",
          {
            type: "button",
            "aria-expanded": String(isOpen),
            "aria-label": `${isOpen ? "Close" : "Change"}: who plays ${name}`,
            "data-key": `change-${number}`,
            onclick: toggle,
          },
          isOpen ? "Close" : "Change",
        ),
    );
    return h("div", { class: "seat" }, head, isOpen && this.form(seat, number));
  }

  /** @param {Seat} seat @param {number} number */
  form(seat, number) {
    const { send, share } = this.handler;
    const isComputer = seat.player !== "person";
    const set = (/** @type {string} */ player) => send({ type: "seat", seat: number, player });
    const computer = () => set(usualPlayer(this.players));
    const leave = () => {
      if (isComputer) set("person");
      send({ type: "leave", seat: number });
    };
    const choice = (/** @type {string} */ text, /** @type {boolean} */ isOn, /** @type {() => void} */ action) =>
      h("button", { type: "button", "aria-pressed": String(isOn), onclick: () => !isOn && action() }, text);
    const kinds = h(
      "div",
      { class: "segments", role: "group", "aria-label": "Who plays" },
      choice("Me", !isComputer && seat.mine, () => (seat.free ? send({ type: "take", seat: number }) : set("person"))),
      choice("Computer", isComputer, computer),
      choice("Someone else", !isComputer && !seat.mine, leave),
    );
    const invite =
      !isComputer &&
      seat.free &&
      h(
        "p",
        { class: "hint" },
        "Whoever opens this page's address may sit down here. ",
        h("button", { type: "button", class: "quiet", onclick: share }, "Copy the link"),
      );
    return h("div", { class: "seat-form" }, kinds, isComputer && computerForm(this.players, seat.player, set, { isPlaying: true }), invite);
  }
}
