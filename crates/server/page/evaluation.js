// What the computer thinks, as pictures: the bar beside the board, the plot over the game, the table of moves.

import { fill, h, s } from "./dom.js";

/** @typedef {import("./types.js").EvaluationMessage} EvaluationMessage */
/** @typedef {{name: string, colour: string}} PlayerLook */

/** "63%" @param {number} value */
function percent(value) {
  return `${Math.round(value * 100)}%`;
}

export class Bar {
  /** @param {PlayerLook[]} players */
  constructor(players) {
    this.players = players;
    this.parts = players.map(({ colour }) => h("i", { class: colour }));
    this.element = h("div", { class: "bar", role: "img" }, ...this.parts);
    this.set(null, false);
  }

  /** @param {number[] | null} values @param {boolean} isFlipped */
  set(values, isFlipped) {
    this.element.classList.toggle("flipped", isFlipped);
    this.element.style.visibility = values ? "" : "hidden";
    if (!values) return;
    const sum = values.reduce((all, value) => all + Math.max(0, value), 0) || 1;
    const shares = values.map((value) => Math.max(0, value) / sum);
    this.parts.forEach((part, player) => (part.style.flexGrow = String(shares[player] ?? 0)));
    const text = this.players.map(({ name }, player) => `${name} ${percent(shares[player] ?? 0)}`).join(", ");
    this.element.setAttribute("aria-label", `Evaluation: ${text}`);
    this.element.title = text;
  }
}

const WIDE = 400;
const HIGH = 72;

export class Plot {
  /** @param {PlayerLook[]} players @param {(node: number) => void} goTo */
  constructor(players, goTo) {
    this.players = players;
    this.goTo = goTo;
    /** @type {number[]} */
    this.line = [];
    this.svg = s("svg", {
      class: "plot",
      viewBox: `0 0 ${WIDE} ${HIGH}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": "Evaluation over the game",
    });
    this.caption = h("p", { class: "hint" });
    this.element = h("div", {}, this.svg, this.caption);
    const press = (/** @type {PointerEvent} */ event) => {
      if (event.type === "pointermove" && event.buttons !== 1) return;
      const box = this.svg.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      const node = this.line[Math.round(share * (this.line.length - 1))];
      if (node !== undefined && node !== this.current) this.goTo(node);
    };
    this.svg.addEventListener("pointerdown", press);
    this.svg.addEventListener("pointermove", press);
  }

  /** @param {number[]} line @param {number} current @param {(node: number) => number[] | null} valuesOf */
  show(line, current, valuesOf) {
    this.line = line;
    this.current = current;
    const known = line.filter((node) => valuesOf(node)).length;
    this.element.hidden = known < 2;
    if (known < 2) return;
    const x = (/** @type {number} */ at) => (line.length > 1 ? (at / (line.length - 1)) * WIDE : 0);
    const shown = this.players.length === 2 ? [0] : this.players.map((_, player) => player);
    const graphs = shown.map((player) => {
      const points = line.flatMap((node, at) => {
        const value = valuesOf(node)?.[player];
        return value === undefined ? [] : [`${x(at).toFixed(1)},${((1 - value) * (HIGH - 8) + 4).toFixed(1)}`];
      });
      return s("polyline", {
        class: this.players.length === 2 ? "graph" : `graph ${this.players[player].colour}`,
        points: points.join(" "),
      });
    });
    const here = x(Math.max(0, line.indexOf(current)));
    fill(
      this.svg,
      s("line", { class: "half", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
      s("line", { class: "here", x1: here, x2: here, y1: 0, y2: HIGH }),
      ...graphs,
    );
    this.caption.textContent =
      this.players.length === 2 ? `Higher is better for ${this.players[0].name}.` : "Higher is better for the player.";
  }
}

/** At most this many moves are listed. */
const LISTED = 8;

/**
 * The table of the best moves.
 * @typedef {{hover: (squares: number[] | null) => void, play: (move: string) => void}} TableHandler
 */
export class MoveTable {
  /** @param {TableHandler} handler */
  constructor(handler) {
    this.handler = handler;
    this.body = h("tbody");
    const head = h(
      "tr",
      {},
      h("th", {}, "Move"),
      h("th", {}, h("span", { class: "unseen" }, "Share of thinking")),
      h("th", { class: "number" }, "Looked at"),
      h("th", { class: "number" }, "Wins"),
    );
    this.who = h("p", { class: "hint" });
    this.line = h("p", { class: "best-line" });
    this.speed = h("p", { class: "hint numbers" });
    this.table = h("table", { class: "best" }, h("thead", {}, head), this.body);
    this.element = h("div", { class: "panel" }, this.who, this.table, this.line, this.speed);
    this.body.addEventListener("pointerleave", () => handler.hover(null));
    /** @type {{row: HTMLTableRowElement, button: HTMLButtonElement, share: HTMLElement, visits: HTMLElement, value: HTMLElement, move: import("./types.js").RatedMove | null}[]} */
    this.rows = Array.from({ length: LISTED }, () => this.row());
    this.show(null);
  }

  row() {
    const share = h("i");
    const visits = h("td", { class: "number" });
    const value = h("td", { class: "number" });
    const button = h("button", { type: "button", title: "Play this move" });
    const row = h(
      "tr",
      { hidden: true },
      h("td", {}, button),
      h("td", {}, h("span", { class: "share-bar" }, share)),
      visits,
      value,
    );
    /** @type {any} */
    const entry = { row, button, share, visits, value, move: null };
    const point = () => this.handler.hover(entry.move?.squares ?? null);
    row.addEventListener("pointerenter", point);
    button.addEventListener("focus", point);
    button.addEventListener("blur", () => this.handler.hover(null));
    button.addEventListener("click", () => entry.move && this.handler.play(entry.move.move));
    this.body.append(row);
    return entry;
  }

  /** @param {EvaluationMessage | null} evaluation @param {boolean} [isLearning] */
  show(evaluation, isLearning = false) {
    this.who.textContent = isLearning ? "Learning the game…" : whoThinks(evaluation);
    this.who.hidden = this.who.textContent === "";
    const moves = (evaluation?.moves ?? []).slice(0, LISTED);
    const most = Math.max(1, ...moves.map(({ visits }) => visits));
    this.rows.forEach((entry, number) => {
      const move = moves[number] ?? null;
      entry.move = move;
      entry.row.hidden = !move;
      if (!move) return;
      entry.button.textContent = move.move;
      entry.share.style.width = percent(move.visits / most);
      entry.visits.textContent = move.visits.toLocaleString("en");
      // A search leaves a move when it is clear that it is not better; how much worse it is it does not know.
      const isOpen = move.bound && move.value > 0.005;
      entry.value.textContent = isOpen ? `≤ ${percent(move.value)}` : percent(move.value);
      entry.value.title = isOpen ? "At most; the move was left when another was found to be better." : "";
    });
    this.table.hidden = moves.length === 0;
    const line = evaluation?.line ?? [];
    this.line.textContent = line.length > 0 ? `Best line: ${line.join("  ")}` : "";
    const figures = [];
    const { ends_in: left } = evaluation ?? {};
    if (left) figures.push(`certain: the game ends in ${left} ${left === 1 ? "move" : "moves"}`);
    if (evaluation?.iterations) figures.push(`${evaluation.iterations.toLocaleString("en")} iterations`);
    if (evaluation?.per_second) figures.push(`${Math.round(evaluation.per_second).toLocaleString("en")} per second`);
    if (evaluation?.depth) figures.push(`depth ${evaluation.depth}`);
    this.speed.textContent = figures.join(" · ");
  }
}

/** Who thinks, and why: "By alphabeta: it got 6 of 8 points against mcts." @param {EvaluationMessage | null} evaluation */
function whoThinks(evaluation) {
  if (!evaluation?.player) return "";
  const { player, about } = evaluation;
  return about ? `By ${about}.` : `By ${player.replace("?", " ").replaceAll("&", " ")}.`;
}

/** The most arrows for the best moves. */
const ARROWS = 3;

/**
 * Arrows for the best moves: the more a move was looked at, the stronger; by what moves are worth where only few are known.
 * @param {EvaluationMessage} evaluation
 */
export function arrows({ moves }) {
  const [first] = moves;
  if (!first) return [];
  const hasBounds = moves.some(({ bound }) => bound);
  const known = moves.filter(({ bound }) => !bound).slice(0, ARROWS);
  return known.map(({ squares, visits, value }, number) => {
    const weight = hasBounds ? Math.exp(-8 * Math.max(0, first.value - value)) : visits / Math.max(1, first.visits);
    return { squares, weight: number === 0 ? 1 : Math.min(1, weight) };
  });
}

/** How much each square matters to the moves of an evaluation, from 0 to 1. @param {EvaluationMessage} evaluation */
export function heat(evaluation) {
  /** @type {Map<number, number>} */
  const weights = new Map();
  for (const { squares, visits } of evaluation.moves) {
    const last = squares.at(-1);
    if (last !== undefined) weights.set(last, (weights.get(last) ?? 0) + visits);
  }
  const most = Math.max(1, ...weights.values());
  for (const [square, weight] of weights) weights.set(square, weight / most);
  return weights;
}
