// A match: the board, the players, the moves and what the computer thinks. All state is the server's; this shows it and
// sends what the person does.

import * as api from "./api.js";
import { go } from "./app.js";
import { Board } from "./board.js";
import { Building } from "./building.js";
import { capital, copy, fill, h, iconButton, note, saveFile, say } from "./dom.js";
import { Bar, MoveTable, Plot, arrows, heat } from "./evaluation.js";
import { gameAddress } from "./library.js";
import { guidePanel, sourcePanel } from "./guide.js";
import { MoveList } from "./moves.js";
import { replay } from "./replay.js";
import { SeatsCard, nameOfSeat, playersOf } from "./seats.js";
import { seriesCard } from "./series.js";
import * as settings from "./settings.js";
import { MatchSocket } from "./socket.js";
import { tick } from "./sound.js";
import { tabs } from "./tabs.js";
import { Tree } from "./tree.js";
import { worthCard } from "./worth.js";

/** @typedef {import("./types.js").StateMessage} StateMessage */
/** @typedef {import("./types.js").EvaluationMessage} EvaluationMessage */
/** @typedef {import("./types.js").MatchInfo} MatchInfo */
/** @typedef {import("./types.js").Players} Players */

/** How long a hint is thought about, in milliseconds. */
const HINT = 900;

/** @param {string} id */
export async function showMatch(id) {
  let info;
  try {
    info = await api.match(id);
  } catch (error) {
    if (error instanceof api.Refusal && error.status === 404) settings.forget(id);
    throw error;
  }
  const view = new MatchView(info, playersOf(await api.players(), info.board.game));
  return { title: info.game.title, element: view.element, leave: () => view.leave() };
}

class MatchView {
  /** @param {MatchInfo} info @param {Players} players */
  constructor(info, players) {
    this.info = info;
    this.players = players;
    this.looks = info.board.players;
    this.tree = new Tree();
    /** @type {StateMessage | null} */
    this.state = null;
    /** What was thought of each position. @type {Map<number, EvaluationMessage>} */
    this.evaluations = new Map();
    /** Only squares where this piece can be put are offered; it was chosen in a tray. @type {number | null} */
    this.held = null;
    /** @type {number[][] | null} */
    this.hint = null;
    /** @type {number[] | null} */
    this.pointed = null;
    this.isFlipped = false;
    this.hasFlipped = false;
    this.showsHeat = false;
    this.chosenOnDown = false;
    this.statusKey = "";
    this.isOpen = true;
    this.board = new Board(info.board, {
      down: (square) => this.down(square),
      up: (from, to, dragged) => this.up(from, to, dragged),
      press: (square) => this.press(square),
    });
    this.building = new Building(
      (message) => this.socket.ask(message),
      this.board,
      () => this.showBuilding(),
    );
    this.element = this.layout();
    this.stop = new AbortController();
    const { signal } = this.stop;
    addEventListener("keydown", (event) => this.key(event), { signal });
    addEventListener("keyup", (event) => event.key === "h" && this.setHeat(false), { signal });
    addEventListener("blur", () => this.setHeat(false), { signal });
    this.socket = new MatchSocket(info.id, {
      message: (message) => this.receive(message),
      connection: (isOpen) => this.connection(isOpen),
    });
    settings.remember({ name: info.game.name, title: info.game.title, match: info.id, time: Date.now() });
  }

  leave() {
    this.isOpen = false;
    clearTimeout(this.hintTimer);
    this.stop.abort();
    this.socket.close();
  }

  // --- Layout -----------------------------------------------------------------------------------------------------------

  layout() {
    const { info } = this;
    this.bar = new Bar(this.looks);
    this.above = h("div", { class: "strip" });
    this.below = h("div", { class: "strip" });
    this.statusText = h("p");
    this.statusButtons = h("div", { class: "row" });
    this.status = h("div", { class: "status" }, this.statusText, this.statusButtons);
    this.offline = h("div", { class: "offline", hidden: true, role: "status" }, "The connection was lost. Trying again…");
    this.buttons = {
      first: iconButton("first", "To the first position (Home)", () => this.goTo(0)),
      back: iconButton("back", "One move back (←)", () => this.step(-1)),
      forward: iconButton("forward", "One move forward (→)", () => this.step(1)),
      last: iconButton("last", "To the last position (End)", () => this.goTo(this.tree.line(this.node).at(-1) ?? 0)),
      undo: iconButton("undo", "Take back my move (u)", () => this.takeBack()),
      hint: iconButton("hint", "Show a good move (t)", () => this.askHint()),
    };
    this.typed = h("input", {
      type: "text",
      placeholder: "Move…",
      "aria-label": "Type a move",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "go",
    });
    const typing = h(
      "form",
      {
        class: "typed",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.playTyped();
        },
      },
      this.typed,
    );
    const { first, back, forward, last, undo, hint } = this.buttons;
    const flip = iconButton("flip", "Turn the board (f)", () => this.flip());
    const tools = h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Match" },
      first,
      back,
      forward,
      last,
      undo,
      hint,
      flip,
    );
    const arena = h("div", { class: "arena" }, this.bar.element, this.board.element);
    const table = h("section", { class: "table", "aria-label": "Board" }, this.above, arena, this.below, this.status);
    table.style.setProperty("--ratio", String(info.board.width / info.board.height));
    return h("div", { class: "match" }, table, this.column(h("div", { class: "tool-row" }, tools, typing)), this.offline);
  }

  /** @param {HTMLElement} tools */
  column(tools) {
    const { info } = this;
    const { game } = info;
    this.seats = new SeatsCard(this.looks, this.players, {
      send: (message) => this.socket.send(message),
      share: () => this.share(),
    });
    this.list = new MoveList(this.looks.length, (node) => this.goTo(node));
    this.plot = new Plot(this.looks, (node) => this.goTo(node));
    this.counters = h("div", { class: "counters", hidden: true });
    const file = h("input", {
      type: "file",
      hidden: true,
      accept: ".txt,text/plain",
      onchange: () => file.files?.[0] && this.loadTranscript(file.files[0]),
    });
    const match = () =>
      h(
        "div",
        { class: "panel" },
        this.seats?.element,
        h(
          "section",
          { class: "card moves-card", "aria-label": "Moves" },
          this.counters,
          this.list?.element,
          this.plot?.element,
        ),
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", onclick: () => this.share() }, "Copy link"),
          h("button", { type: "button", onclick: () => this.saveTranscript() }, "Save moves"),
          h(
            "button",
            { type: "button", onclick: () => file.click(), title: "Plays the moves of a file in a new match" },
            "Load moves",
          ),
          file,
          h("button", { type: "button", onclick: () => this.again() }, "New game"),
        ),
      );
    const rules = () => guidePanel(this.reference(), "scrolls");
    const source = () => sourcePanel(game.source, game.language, "scrolls");
    this.tabs = tabs("About this match", [
      { id: "match", label: "Match", make: match },
      { id: "analyse", label: "Analyse", make: () => this.analysis() },
      { id: "rules", label: "How to play", make: rules },
      { id: "source", label: "Source", make: source },
    ]);
    const title = game.name
      ? h("a", { href: gameAddress(game.name) }, "About the game")
      : h("span", { class: "tag" }, game.language);
    return h(
      "aside",
      { class: "column" },
      h("div", { class: "match-title" }, h("h1", {}, game.title), title),
      tools,
      this.tabs.row,
      this.tabs.panel,
    );
  }

  analysis() {
    this.analysisBox = h("input", { type: "checkbox", onchange: () => this.analyze(this.analysisBox?.checked ?? false) });
    const kinds = this.players.kinds.map(({ name }) => h("option", { value: name }, name));
    this.analysisKind = h(
      "select",
      { "aria-label": "Who analyses", onchange: () => this.state?.analyzing && this.analyze(true) },
      ...kinds,
    );
    this.tableOfMoves = new MoveTable({
      hover: (squares) => {
        this.pointed = squares;
        this.showArrows();
      },
      play: (move) => this.play(move),
    });
    const element = h(
      "div",
      { class: "panel" },
      h(
        "section",
        { class: "card", "aria-label": "Analysis" },
        h(
          "div",
          { class: "row spread" },
          h("label", { class: "check" }, this.analysisBox, h("b", {}, "Analyse this position")),
          kinds.length > 1 && this.analysisKind,
        ),
        h(
          "p",
          { class: "hint" },
          "Arrows show the best moves. Hold h to see which squares were thought about most. Press a move to play it.",
        ),
        this.tableOfMoves.element,
      ),
      worthCard(this.reference(), this.info.board.players.map(({ name }) => name)),
      seriesCard(this.reference(), this.info.board.players.map(({ name }) => name), this.players),
    );
    setTimeout(() => this.showEvaluation(), 0);
    return element;
  }

  reference() {
    const { name, source, language } = this.info.game;
    return name ? { name } : { text: source, language };
  }

  // --- Messages ---------------------------------------------------------------------------------------------------------

  /** @param {boolean} isOpen */
  connection(isOpen) {
    clearTimeout(this.offlineTimer);
    if (isOpen) this.offline?.setAttribute("hidden", "");
    // A short gap is not worth a word.
    else this.offlineTimer = setTimeout(() => this.offline?.removeAttribute("hidden"), 600);
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "state") this.receiveState(message);
    else if (message.type === "evaluation") this.receiveEvaluation(message);
    else if (message.type === "refused") note(message.message);
  }

  /** @param {StateMessage} state */
  receiveState(state) {
    const before = this.state;
    this.state = state;
    this.tree.add(state.nodes);
    this.tree.visit(state.node);
    const hasMoved = before?.node !== state.node;
    if (!before && location.hash === "#analyse") {
      // The address asked for analysis; it does so once.
      history.replaceState(history.state, "", location.pathname);
      this.tabs?.select("analyse");
      if (!state.analyzing) this.analyze(true);
    }
    if (!before || (state.seats.some((seat) => seat.mine) && !before.seats.some((seat) => seat.mine))) this.chooseSide();
    if (hasMoved) {
      this.socket.settle();
      this.building.clear();
      this.board.closeMenu();
      this.board.clearDrawn();
      this.held = null;
      this.hint = null;
      this.pointed = null;
      if (before) this.announce(before.node);
    }
    if (!this.mayMove()) this.building.clear();
    else if (this.building.node !== state.node || !this.building.stage) this.begin();
    this.showBoard(!before);
    this.showPlayers();
    this.seats?.show(state.seats, state.viewers, state.may_play);
    this.list?.show(this.tree, state.node);
    this.showEvaluation();
    this.showTools();
  }

  /** @param {EvaluationMessage} evaluation */
  receiveEvaluation(evaluation) {
    const known = this.evaluations.get(evaluation.node);
    // What was thought longer is kept.
    if (known && (known.iterations ?? 0) > (evaluation.iterations ?? 0) && evaluation.seat !== null) return;
    this.evaluations.set(evaluation.node, evaluation);
    if (evaluation.node === this.node) this.showEvaluation();
  }

  get node() {
    return this.state?.node ?? 0;
  }

  isMyTurn() {
    const { state } = this;
    const player = state?.position.player ?? null;
    return player !== null && !!state && state.seats[player]?.player === "person" && state.seats[player].mine;
  }

  /** Whether a move may be made here: on my turn, or instead of a computer that waits. */
  mayMove() {
    const { state } = this;
    const player = state?.position.player ?? null;
    if (player === null || !state) return false;
    const isWaiting = state.seats[player]?.player !== "person" && (state.thinking ?? null) === null && state.may_play;
    return isWaiting || this.isMyTurn();
  }

  /** The first seat that is mine, or null. */
  mySeat() {
    const seat = this.state?.seats.findIndex((seat) => seat.player === "person" && seat.mine) ?? -1;
    return seat < 0 ? null : seat;
  }

  /** A person who plays only the second side sees it at the bottom. */
  chooseSide() {
    if (this.hasFlipped || this.looks.length !== 2) return;
    this.setFlipped(this.mySeat() === 1);
  }

  /** Says the moves that were made since a position, if they were. @param {number} before */
  announce(before) {
    const path = this.tree.path(this.node);
    const made = path.slice(path.indexOf(before) + 1).flatMap((id) => this.tree.nodes.get(id) ?? []);
    if (!path.includes(before) || made.length === 0 || made.length > 4 || !this.state) return;
    tick();
    const { position } = this.state;
    const moves = made.map(({ player, move }) => `${capital(this.looks[player]?.name ?? "")}: ${move}.`);
    const rest = position.over ? [sentence(position.text)] : this.isMyTurn() ? ["Your move."] : [];
    say([...moves, ...rest].join(" "));
  }

  // --- Moves ------------------------------------------------------------------------------------------------------------

  async begin() {
    this.building.playsForced = settings.isOn("forced");
    const { node } = this;
    try {
      await this.building.start(node);
    } catch (error) {
      // Of a position that is not shown any more nothing needs to be said, nor of a connection that is being opened again.
      if (node === this.node && this.mayMove() && this.socket.isOpen) this.refuse(error);
    }
  }

  /** @param {unknown} error */
  refuse(error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== "closed" && this.isOpen) note(message);
  }

  /** @param {number} square @returns {boolean} */
  down(square) {
    const { building } = this;
    this.chosenOnDown = false;
    if (!this.mayMove() || this.board.isMenuOpen) return false;
    if (building.stage?.lifted?.square === square) return true;
    const hasPiece = !this.board.isEmpty(this.board.shown[square]);
    const isNext = building.squares.has(square);
    if (!hasPiece || this.held !== null || (building.depth > 0 && isNext)) return false;
    // Another piece may be taken up instead of the one that is.
    if (!isNext && building.depth > 0 && building.origins.has(square)) building.reset();
    const choices = building.on(square);
    if (choices.length !== 1) return false;
    this.chosenOnDown = true;
    this.choose(choices[0]);
    return true;
  }

  /** @param {number} from @param {number | null} to @param {boolean} dragged */
  async up(from, to, dragged) {
    if (!this.mayMove() || this.board.isMenuOpen) return;
    if (!dragged) {
      if (!this.chosenOnDown && to === from) this.press(from);
      return;
    }
    try {
      await this.building.pending;
    } catch {
      return;
    }
    if (to === null || to === from) return;
    if (this.building.squares.has(to)) this.pick(to);
    else await this.jump(to);
  }

  /** Goes to a square behind pieces that are taken. @param {number} square */
  async jump(square) {
    try {
      return await this.building.jump(square);
    } catch (error) {
      this.refuse(error);
      return false;
    }
  }

  /** @param {number} square */
  async press(square) {
    const { building } = this;
    // A quick person presses before the answer to the last press is here.
    await building.pending.catch(() => {});
    if (!this.mayMove()) return;
    if (building.squares.has(square)) this.pick(square);
    else if (building.depth > 0 && building.path.at(-1) === square) building.back();
    else if (building.depth > 0 && building.origins.has(square)) {
      building.reset();
      this.pick(square);
    } else if (building.depth > 0) {
      if (!(await this.jump(square))) building.back();
    } else this.letGo();
  }

  /** Chooses on a square; a menu asks if there is more than one choice. @param {number} square */
  pick(square) {
    let choices = this.building.on(square);
    if (this.held !== null) choices = choices.filter(({ choice }) => choice.piece === this.held);
    if (choices.length === 1) this.choose(choices[0]);
    else if (choices.length > 1)
      this.board.menu(square, this.namesOf(choices), (item) => item !== null && this.choose(choices[item]));
  }

  /** What a menu shows; choices that look the same get numbers. @param {import("./building.js").Candidate[]} choices */
  namesOf(choices) {
    const isSame = (/** @type {number} */ a, /** @type {number} */ b) =>
      choices[a].choice.piece === choices[b].choice.piece && choices[a].choice.text === choices[b].choice.text;
    return choices.map(({ choice }, number) => {
      const alike = choices.filter((_, other) => isSame(number, other));
      const text = alike.length > 1 ? `Way ${alike.findIndex((other) => other.choice === choice) + 1}` : choice.text;
      return { piece: alike.length > 1 && this.board.isEmpty(choice.piece ?? -1) ? null : choice.piece, text };
    });
  }

  /** @param {import("./building.js").Candidate} candidate */
  async choose(candidate) {
    this.held = null;
    try {
      await this.building.choose(candidate);
    } catch (error) {
      this.refuse(error);
      if (this.mayMove()) this.begin();
    }
  }

  /** Puts a piece back into its tray. */
  letGo() {
    if (this.held === null) return false;
    this.held = null;
    this.showBoard();
    this.showPlayers();
    return true;
  }

  /** @param {number} piece */
  hold(piece) {
    this.building.reset();
    this.held = this.held === piece ? null : piece;
    this.showBoard();
    this.showPlayers();
  }

  /** Plays a move by its name. @param {string} move */
  play(move) {
    if (!this.socket.send({ type: "play", node: this.node, move }))
      note("There is no connection to the server. It is being tried again.");
  }

  playTyped() {
    const move = this.typed?.value.trim();
    if (!move || !this.typed || this.typed.readOnly) return;
    this.play(move);
    this.typed.value = "";
  }

  playComplete() {
    const complete = this.building.complete;
    if (complete) this.socket.send({ type: "play", node: this.node, actions: complete.actions });
  }

  /** @param {number} node */
  goTo(node) {
    if (node !== this.node) this.socket.send({ type: "goto", node });
  }

  /** @param {1 | -1} direction */
  step(direction) {
    const to = direction === 1 ? this.tree.next(this.node) : this.tree.parent(this.node);
    if (to !== null) this.goTo(to);
  }

  /** Back to before the last move of a seat of mine. */
  takeBack() {
    const isMine = (/** @type {number} */ player) =>
      this.state?.seats[player]?.mine && this.state.seats[player].player === "person";
    let at = this.node;
    for (let parent = this.tree.parent(at); parent !== null; parent = this.tree.parent(at)) {
      const mover = this.tree.nodes.get(at)?.player ?? 0;
      at = parent;
      if (this.mySeat() === null || isMine(mover)) break;
    }
    this.goTo(at);
  }

  async again() {
    const seats = this.state?.seats.map(({ player }) => player) ?? [];
    const { id } = await api.startMatch(this.reference(), seats, settings.client());
    go(`/m/${id}`);
  }

  share() {
    copy(location.origin + location.pathname, "The link is copied.");
  }

  async saveTranscript() {
    saveFile(`${this.info.game.name ?? "game"}-${this.info.id}.txt`, await api.transcript(this.info.id));
  }

  /** @param {File} file */
  async loadTranscript(file) {
    try {
      go(`/m/${await replay(this.reference(), this.looks.length, await file.text())}`);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** @param {boolean} on */
  analyze(on) {
    const player = this.analysisKind?.value || undefined;
    this.hint = null;
    this.socket.send({ type: "analyze", on, player });
  }

  /** Thinks for a moment and shows the best move. */
  askHint() {
    const show = () => {
      const best = this.evaluations.get(this.node)?.moves[0];
      this.hint = best ? [best.squares] : null;
      this.showArrows();
      if (best) say(`A good move: ${best.move}`);
    };
    if (this.state?.analyzing) return show();
    const node = this.node;
    this.socket.send({ type: "analyze", on: true });
    clearTimeout(this.hintTimer);
    const end = () => {
      // A game that is being learnt for the first time takes a few seconds.
      if (this.state?.learning && this.state.analyzing && node === this.node) {
        this.hintTimer = setTimeout(end, HINT);
        return;
      }
      this.socket.send({ type: "analyze", on: false });
      if (node === this.node) show();
    };
    this.hintTimer = setTimeout(end, HINT);
  }

  flip() {
    this.hasFlipped = true;
    this.setFlipped(!this.isFlipped);
    this.showBoard(true);
    this.showPlayers();
    this.showEvaluation();
  }

  /** @param {boolean} isFlipped */
  setFlipped(isFlipped) {
    this.isFlipped = isFlipped;
    this.board.flip(isFlipped);
  }

  // --- Keyboard ---------------------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : null;
    if (event.key === "Escape") {
      if (target === this.typed) this.board.focus();
      else if (!this.building.back()) this.letGo();
      return;
    }
    if (target?.closest("textarea, select, input:not([type=checkbox]), [role=menu], .zoom, .code-holder")) return;
    if (target?.closest("[role=tab]") && event.key.length > 1) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.tree.line(this.node).at(-1) ?? 0),
      f: () => this.flip(),
      u: () => this.takeBack(),
      t: () => this.askHint(),
      a: () => {
        this.tabs?.select("analyse");
        this.analyze(!this.state?.analyzing);
      },
      b: () => this.board.focus(),
      m: () => this.typed?.focus(),
      h: () => this.setHeat(true),
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    if (!event.repeat || event.key.startsWith("Arrow")) action();
  }

  /** @param {boolean} isOn */
  setHeat(isOn) {
    if (this.showsHeat === isOn) return;
    this.showsHeat = isOn;
    this.showArrows();
  }

  // --- Showing ----------------------------------------------------------------------------------------------------------

  /** Shows the move as far as it is made. */
  showBuilding() {
    this.showBoard();
    // Trays show what can be put on the board now.
    if (this.info.board.hands) this.showPlayers();
  }

  /** @param {boolean} [still] */
  showBoard(still) {
    const { state, building, board } = this;
    if (!state) return;
    const isBuilding = building.depth > 0;
    const pieces = (isBuilding && building.pieces) || state.position.pieces;
    const lifted = building.stage?.lifted ?? null;
    board.setPieces(pieces, { path: isBuilding ? building.path : state.position.last, lifted, still });
    const next = building.squares;
    const held =
      this.held === null
        ? null
        : new Set([...next].filter((square) => building.on(square).some(({ choice }) => choice.piece === this.held)));
    board.setMarks({
      last: isBuilding ? [] : state.position.last,
      selected: lifted ? [lifted.square, ...building.path] : building.path,
      targets: held ?? (isBuilding ? next : this.openings(next)),
      can: held ?? (isBuilding ? [...next, ...building.origins] : next),
    });
    this.showStatus();
    this.showArrows();
  }

  /** Free squares where a move may begin, if they are few enough to be worth marks. @param {Set<number>} squares */
  openings(squares) {
    const isFree = (/** @type {number} */ square) => this.board.isEmpty(this.board.shown[square]);
    const free = this.board.shown.filter((piece) => this.board.isEmpty(piece)).length;
    const marked = [...squares].filter(isFree);
    return marked.length * 2 <= free ? marked : [];
  }

  showStatus() {
    const { state, building, status, statusText, statusButtons } = this;
    if (!state || !status || !statusText || !statusButtons) return;
    const { position, thinking } = state;
    const player = position.player;
    const name = capital(player === null ? "" : (this.looks[player]?.name ?? ""));
    const seat = player === null ? null : state.seats[player];
    /** @type {HTMLButtonElement[]} */
    const buttons = [];
    const button = (/** @type {string} */ text, /** @type {() => void} */ action, isMain = false) =>
      buttons.push(h("button", { type: "button", class: isMain ? "main-button" : "", onclick: action }, text));
    let text;
    if (position.over || !seat) {
      text = sentence(position.text);
      button("Play again", () => this.again(), true);
    } else if (thinking !== null && thinking !== undefined) {
      const who = capital(this.looks[thinking]?.name ?? "");
      text = state.learning ? `${who} is learning the game…` : `${who} is thinking…`;
      if (!state.learning) button("Move now", () => this.socket.send({ type: "stop" }));
    } else if (this.mayMove()) {
      const isOnlyMine = state.seats.filter((seat) => seat.mine && seat.player === "person").length === 1;
      text = isOnlyMine && this.isMyTurn() ? `Your move: you play ${this.looks[player ?? 0].name}.` : `${name} to move.`;
      if (!this.isMyTurn()) text = `${name} to move: the computer waits.`;
      if (building.depth > 0) {
        text = building.complete ? "The move may end here, or go on." : "Choose how the move goes on.";
        button("Back", () => building.back());
      }
      for (const candidate of building.on(null)) {
        const { text } = candidate.choice;
        button(text === "end the move" && building.depth === 0 ? "Pass" : capital(text || "go on"), () =>
          this.choose(candidate),
        );
      }
      const [only, ...others] = building.depth === 0 ? building.candidates : [];
      if (only && others.length === 0 && only.choice.text === "end the move")
        button("Make the only move", () => this.choose(only));
      if (building.complete && building.depth > 0) button("Done", () => this.playComplete(), true);
      if (!this.isMyTurn() && building.depth === 0) button("Let it move", () => this.socket.send({ type: "go" }), true);
    } else if (seat.player !== "person") {
      text = `${name} to move.`;
    } else if (seat.free) {
      text = `${name} to move, but nobody sits there.`;
      button("Sit down", () => this.socket.send({ type: "take", seat: player }), true);
    } else {
      text = `${name} to move: another person thinks.`;
    }
    if (state.notice) text = sentence(state.notice);
    else if (!state.may_play && !position.over) text += " You are watching.";
    const key = JSON.stringify([text, buttons.map((button) => button.textContent), building.round]);
    if (key === this.statusKey) return;
    this.statusKey = key;
    status.classList.toggle("over", !!position.over);
    statusText.textContent = text;
    const hadFocus = statusButtons.contains(document.activeElement);
    fill(statusButtons, ...buttons);
    if (hadFocus) (statusButtons.querySelector("button") ?? this.board).focus();
  }

  showPlayers() {
    const { state } = this;
    if (!state || !this.above || !this.below) return;
    const strips = this.looks.map((_, player) => this.strip(player));
    const bottom = this.looks.length === 2 ? (this.isFlipped ? 1 : 0) : (this.mySeat() ?? 0);
    fill(this.above, ...strips.filter((_, player) => player !== bottom));
    fill(this.below, strips[bottom]);
    const { counters } = state.position;
    if (this.counters) {
      this.counters.hidden = counters.length === 0;
      fill(this.counters, ...counters.map(({ name, value }) => h("span", {}, `${capital(name)} `, h("b", {}, value))));
    }
  }

  /** The line with a player's name and tray. @param {number} player */
  strip(player) {
    const { state } = this;
    const { name, colour } = this.looks[player];
    const seat = state?.seats[player];
    const isNext = state?.position.player === player;
    const result = state?.position.over?.results[player];
    return h(
      "div",
      { class: isNext ? "player moves" : "player" },
      h("i", { class: `disc ${colour}` }),
      h("span", { class: "name" }, capital(name)),
      h("span", { class: "kind" }, seat ? nameOfSeat(seat, this.players) : ""),
      state?.thinking === player && h("span", { class: "thinking" }),
      result !== undefined && h("b", { class: "numbers" }, resultText(result)),
      this.info.board.hands && this.tray(player),
    );
  }

  /** The pieces that a player holds. @param {number} player */
  tray(player) {
    const { state } = this;
    const isNext = state?.position.player === player && this.mayMove();
    const pieces = (state?.position.hands[player] ?? [])
      .filter(([, count]) => count > 0)
      .map(([piece, count]) => {
        const name = this.info.board.pieces[piece]?.name ?? "";
        const can = isNext && this.building.candidates.some(({ choice }) => choice.piece === piece);
        const attributes = {
          type: "button",
          title: `${count} × ${name}`,
          "aria-label": `${count} ${name} in hand`,
          "aria-pressed": String(this.held === piece),
          disabled: !can,
        };
        return h(
          "button",
          { ...attributes, onclick: () => this.hold(piece) },
          this.board.picture(piece),
          count > 1 && h("span", { class: "numbers" }, count),
        );
      });
    return h("div", { class: "tray", role: "group", "aria-label": `Held by ${this.looks[player].name}` }, ...pieces);
  }

  showTools() {
    const { buttons, tree, node } = this;
    if (!buttons) return;
    const mayLook = this.state?.may_play ?? false;
    const isFirst = !mayLook || tree.parent(node) === null;
    const isLast = !mayLook || tree.next(node) === null;
    buttons.first.disabled = isFirst;
    buttons.back.disabled = isFirst;
    buttons.undo.disabled = isFirst;
    buttons.forward.disabled = isLast;
    buttons.last.disabled = isLast;
    buttons.hint.disabled = !this.mayMove();
    // A field that is disabled would lose the attention of those who type every move.
    if (this.typed) this.typed.readOnly = !this.mayMove();
    if (this.analysisBox) this.analysisBox.checked = this.state?.analyzing ?? false;
  }

  /** What a position is worth for each player, as far as anybody thought about it. @param {number} id @returns {number[] | null} */
  valuesOf(id) {
    const thought = this.evaluations.get(id);
    // Who plays without thinking expects nothing.
    if (thought && thought.values.length > 0) return thought.values;
    const node = this.tree.nodes.get(id);
    if (this.looks.length !== 2 || typeof node?.value !== "number") return null;
    return node.player === 0 ? [node.value, 1 - node.value] : [1 - node.value, node.value];
  }

  showEvaluation() {
    const { state } = this;
    if (!state) return;
    let values = state.position.over?.results ?? this.valuesOf(this.node);
    // No player thought about this position: that of the move before is the best guess.
    for (let at = this.tree.parent(this.node); !values && at !== null; at = this.tree.parent(at)) values = this.valuesOf(at);
    this.bar?.set(values, this.isFlipped);
    this.plot?.show(this.tree.line(this.node), this.node, (node) => this.valuesOf(node));
    const isLearning = state.analyzing && state.learning;
    if (this.tableOfMoves) this.tableOfMoves.show(this.evaluations.get(this.node) ?? null, isLearning);
    this.showTools();
    this.showArrows();
  }

  showArrows() {
    const { board, state } = this;
    const evaluation = this.evaluations.get(this.node);
    board.setHeat(this.showsHeat && evaluation ? heat(evaluation) : new Map());
    if (!state || this.building.depth > 0) {
      board.setArrows([]);
    } else if (this.pointed) {
      board.setArrows([{ squares: this.pointed, weight: 1 }]);
    } else if (this.hint) {
      board.setArrows(this.hint.map((squares) => ({ squares, weight: 1 })));
    } else if (state.analyzing && evaluation && evaluation.seat === null && this.tabs?.current() === "analyse") {
      board.setArrows(arrows(evaluation).reverse());
    } else {
      board.setArrows([]);
    }
  }
}

/** "white wins" → "White wins." @param {string} text */
function sentence(text) {
  return capital(text) + (/[.!?]$/.test(text) ? "" : ".");
}

/** @param {number} result */
function resultText(result) {
  return Number.isInteger(result) ? String(result) : result === 0.5 ? "½" : result.toFixed(2);
}
