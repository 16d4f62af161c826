// A move that is put together step by step. The server says what can come next; this remembers the steps, so that one can go
// back.

/** @typedef {import("./types.js").ChoicesMessage} ChoicesMessage */

/**
 * Something that can come next.
 * @typedef {object} Candidate
 * @property {{piece: number | null, text: string}} choice What it looks like.
 * @property {number | null} square The square to press; null if there is a button for it.
 * @property {number} [action] The next step.
 * @property {string} [move] The whole move, if it is played at once.
 */

/**
 * @typedef {object} Stage
 * @property {ChoicesMessage} said What the server said.
 * @property {Candidate[]} steps What can come next.
 * @property {Candidate[]} landings Where moves that can come end: one may press there at once.
 * @property {number | null} square Where the last step was.
 * @property {{square: number, piece: number} | null} lifted The piece that was taken up and not yet put down.
 */

export class Building {
  /**
   * @param {(message: Record<string, unknown>) => Promise<ChoicesMessage | null>} ask
   * @param {import("./board.js").Board} board
   * @param {() => void} changed
   */
  constructor(ask, board, changed) {
    this.ask = ask;
    this.board = board;
    this.changed = changed;
    /** @type {Stage[]} */
    this.stages = [];
    this.node = -1;
    /** Tells answers to old questions from those to the present one. */
    this.round = 0;
    /** @type {Promise<void>} */
    this.pending = Promise.resolve();
    this.playsForced = false;
  }

  /** Forgets everything: no one is to move here. */
  clear() {
    this.round += 1;
    this.stages = [];
    this.node = -1;
  }

  /** Begins a move. @param {number} node */
  start(node) {
    this.clear();
    this.node = node;
    return this.follow([], null);
  }

  get stage() {
    return this.stages.at(-1) ?? null;
  }

  /** How many steps were chosen. */
  get depth() {
    return Math.max(0, this.stages.length - 1);
  }

  /** The board as it is now, or null if no move is being made. */
  get pieces() {
    return this.stage?.said.pieces ?? null;
  }

  /** The squares chosen so far. */
  get path() {
    return this.stages.flatMap(({ square }) => (square === null ? [] : [square]));
  }

  /** The complete move that could be played now, though it could go on. */
  get complete() {
    return this.stage?.said.complete ? this.stage.said : null;
  }

  /** All that can come next. */
  get candidates() {
    return this.stage ? [...this.stage.steps, ...this.stage.landings] : [];
  }

  /** The squares where something can come next. */
  get squares() {
    return squaresOf(this.candidates);
  }

  /** The squares where a move can begin. */
  get origins() {
    return squaresOf(this.stages[0]?.steps ?? []);
  }

  /** What can be chosen on a square, or off the board (null). @param {number | null} square */
  on(square) {
    return this.candidates.filter((candidate) => candidate.square === square);
  }

  /** Goes on with a choice. @param {Candidate} candidate */
  choose(candidate) {
    const { action, move, square } = candidate;
    if (action === undefined) return this.ask({ type: "play", node: this.node, move });
    return this.follow([...(this.stage?.said.actions ?? []), action], square);
  }

  /**
   * Goes to a square behind pieces that are taken on the way: in some games the pieces are chosen, and people press the square
   * where the move ends. Says whether there was a way.
   * @param {number} square
   */
  async jump(square) {
    const lifted = this.stage?.lifted;
    if (!lifted || this.squares.has(square)) return false;
    const [from, to] = [this.board.at(lifted.square), this.board.at(square)];
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const isBetween = (/** @type {Candidate} */ candidate) => {
      if (candidate.square === null || candidate.choice.piece === null) return false;
      const at = this.board.at(candidate.square);
      const there = Math.hypot(at.x - from.x, at.y - from.y) + Math.hypot(at.x - to.x, at.y - to.y);
      return there < length * 1.02;
    };
    const between = this.stage?.steps.filter(isBetween) ?? [];
    if (between.length !== 1) return false;
    const { depth } = this;
    await this.choose(between[0]);
    if (this.squares.has(square)) {
      const [candidate, ...others] = this.on(square);
      if (others.length === 0) await this.choose(candidate);
      return true;
    }
    // The rules may name only what is taken: then the piece waits behind it, where it was put, until the move goes on.
    const taken = this.stage?.square ?? null;
    if (this.stage && this.depth === depth + 1 && taken !== null && this.board.isEmpty(this.board.shown[square])) {
      const at = this.board.at(taken);
      const isRightBehind = Math.abs(Math.hypot(at.x - from.x, at.y - from.y) * 2 - length) < length * 0.1;
      if (isRightBehind) {
        this.stage.lifted = { square, piece: lifted.piece };
        this.changed();
        return true;
      }
    }
    while (this.depth > depth) this.back();
    return false;
  }

  /** Takes back the last step; says whether there was one. */
  back() {
    if (this.stages.length < 2) return false;
    this.round += 1;
    this.stages.pop();
    this.changed();
    return true;
  }

  /** Takes back all steps. */
  reset() {
    if (this.stages.length < 2) return false;
    this.round += 1;
    this.stages.length = 1;
    this.changed();
    return true;
  }

  /** @param {number[]} actions @param {number | null} square */
  follow(actions, square) {
    this.round += 1;
    const { round, node } = this;
    this.pending = (async () => {
      const said = await this.ask({ type: "choose", node, actions });
      if (round !== this.round || !said) return;
      const lifted = this.liftedBy(square, said);
      const steps = this.stepsOf(said, square);
      const landings = said.landings.flatMap(({ square, moves }) =>
        moves.map((move) => ({ choice: { piece: null, text: move }, square, move })),
      );
      this.stages.push({ said, steps, landings, square, lifted });
      this.changed();
      const [only, ...others] = steps;
      const isOnly = only && others.length === 0 && this.depth > 0 && !said.complete;
      // What follows is a formality, or the landing after a capture.
      if (isOnly && (this.playsForced || only.square === square || (lifted && lifted.square !== square)))
        await this.choose(only);
    })();
    return this.pending;
  }

  /**
   * The steps that can come next. A pass and the end of a move get a button, since their squares mean nothing to a person:
   * they stand alone among choices of squares, or where the last step was.
   * @param {ChoicesMessage} said
   * @param {number | null} last Where the last step was.
   * @returns {Candidate[]}
   */
  stepsOf(said, last) {
    const { choices } = said;
    const names = this.board.info.squares;
    const isFirst = this.stages.length === 0;
    return choices.map((choice) => {
      const { action, piece, text, square } = choice;
      const candidate = { choice: { piece, text }, square, action };
      if (piece !== null || square === null || text === names[square].name) return candidate;
      const same = choices.filter((other) => other.piece === null && other.text === text);
      const isAlone = same.every((other) => other.square === square);
      const isOdd = isFirst ? same.length < choices.length : square === last && choices.length > 1;
      return isAlone && isOdd ? { ...candidate, square: null } : candidate;
    });
  }

  /** The piece that is in the air after a step. @param {number | null} square @param {ChoicesMessage} now */
  liftedBy(square, now) {
    const before = this.stage;
    const pieces = before?.said.pieces;
    if (!before || !pieces || square === null) return before?.lifted ?? null;
    const wasPut = now.pieces.some((piece, at) => piece !== pieces[at] && !this.board.isEmpty(piece));
    if (wasPut) return null;
    if (before.lifted) return before.lifted;
    const isTaken = !this.board.isEmpty(pieces[square]) && this.board.isEmpty(now.pieces[square]);
    return isTaken ? { square, piece: pieces[square] } : null;
  }
}

/** @param {Candidate[]} list */
function squaresOf(list) {
  return new Set(list.flatMap(({ square }) => square ?? []));
}
