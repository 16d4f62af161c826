// The board: the server's SVG with pieces, marks, arrows and heat on it. It knows squares and pieces, but no rules: presses
// and drags are told to the code that made it.

import { h, readSvg, s } from "./dom.js";
import { moves } from "./settings.js";

/** @typedef {import("./types.js").BoardInfo} BoardInfo */

/**
 * @typedef {object} Handler
 * @property {(square: number) => boolean} down A pointer went down on a square; says whether the piece there may be dragged.
 * @property {(from: number, to: number | null, dragged: boolean) => void} up It went up again, over a square or none.
 * @property {(square: number) => void} press A square was chosen with the keyboard.
 */

/**
 * @typedef {object} Marks
 * @property {number[]} [last] The squares of the last move.
 * @property {Iterable<number>} [selected] Squares of the move that is being made.
 * @property {Iterable<number>} [targets] Squares it can go on to.
 * @property {Iterable<number>} [can] Squares that can be pressed.
 */

/** @typedef {{squares: number[], weight: number}} Arrow */

/** How long a slide takes, in milliseconds. */
const SLIDE = 150;
/** How far a pointer moves before it drags, in pixels. */
const DRAG = 5;
/** How far a menu stays from the edges of the window, in pixels. */
const GAP = 8;

export class Board {
  /** @param {BoardInfo} info @param {Handler} [handler] */
  constructor(info, handler) {
    this.info = info;
    this.handler = handler;
    const { svg, prefix } = readSvg(info.svg);
    this.svg = svg;
    this.prefix = prefix;
    this.isFlipped = false;
    /** The number of the piece that is shown on each square. @type {number[]} */
    this.shown = info.squares.map(() => -1);
    /** @type {(SVGUseElement | null)[]} */
    this.uses = info.squares.map(() => null);
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", "Board");
    this.cells = svg.querySelector(".cells");
    this.labels = svg.querySelector(".labels");
    const hits = svg.querySelector(".hits");
    if (!hits) throw new Error("The board has no squares to press.");
    this.hits = /** @type {SVGGElement} */ (hits);
    this.under = s("g", { class: "under" });
    this.heat = s("g", { class: "heat" });
    this.pieces = s("g", { class: "pieces" });
    this.marks = s("g", { class: "marks" });
    this.arrows = s("g", { class: "arrows" });
    this.drawing = s("g", { class: "arrows drawing" });
    this.hits.before(this.under, this.heat, this.pieces, this.marks, this.arrows, this.drawing);
    /** What the person has drawn: arrows, and rings around single squares. @type {Map<string, number[]>} */
    this.drawn = new Map();
    /** @type {SVGElement[]} */
    this.hit = [];
    for (const shape of this.hits.querySelectorAll("[data-square]")) {
      this.hit[Number(shape.getAttribute("data-square"))] = /** @type {SVGElement} */ (shape);
    }
    this.layer = h("div", { class: "board-layer" });
    this.element = h("div", { class: "board" }, svg, this.layer);
    this.element.style.setProperty("--w", String(info.width));
    this.element.style.setProperty("--h", String(info.height));
    /** The square that has the keyboard's attention. */
    this.current = this.bottomLeft();
    this.turned = this.findTurned();
    if (handler) {
      this.listen();
    } else {
      svg.setAttribute("aria-hidden", "true");
      this.hits.remove();
    }
    this.label();
  }

  /** Where a square is shown. @param {number} square */
  at(square) {
    const { x, y } = this.info.squares[square];
    return this.isFlipped ? { x: this.info.width - x, y: this.info.height - y } : { x, y };
  }

  bottomLeft() {
    let best = 0;
    this.info.squares.forEach(({ x, y }, square) => {
      const other = this.info.squares[best];
      if (y - x > other.y - other.x) best = square;
    });
    return best;
  }

  /** @param {number} piece */
  isEmpty(piece) {
    return piece < 0 || (this.info.pieces[piece]?.empty ?? true);
  }

  /** A picture of a piece, for menus and trays. @param {number} piece */
  picture(piece) {
    const use = s("use", { href: `#${this.prefix}p${piece}` });
    return s("svg", { class: "piece", viewBox: "0 0 100 100", "aria-hidden": "true" }, use);
  }

  // --- Pieces -----------------------------------------------------------------------------------------------------------

  /**
   * Shows pieces; those that moved slide.
   * @param {number[]} pieces
   * @param {{path?: number[], lifted?: {square: number, piece: number} | null, still?: boolean}} [how]
   */
  setPieces(pieces, how = {}) {
    const wanted = pieces.slice();
    if (how.lifted) wanted[how.lifted.square] = how.lifted.piece;
    /** @type {{square: number, piece: number, use: SVGUseElement}[]} */
    const gone = [];
    /** @type {{square: number, piece: number}[]} */
    const come = [];
    wanted.forEach((piece, square) => {
      const before = this.shown[square];
      if (before === piece) return;
      const use = this.uses[square];
      if (use) gone.push({ square, piece: before, use });
      if (!this.isEmpty(piece)) come.push({ square, piece });
      this.shown[square] = piece;
      this.uses[square] = null;
    });
    const slides = moves() && !how.still && !document.hidden && come.length + gone.length < 24;
    const path = how.path ?? [];
    for (const { square, piece } of come) {
      const from = this.origin(square, piece, gone, path);
      const use = from ? from.use : s("use");
      if (from) gone.splice(gone.indexOf(from), 1);
      use.setAttribute("href", `#${this.prefix}p${piece}`);
      this.uses[square] = use;
      use.classList.remove("lifted");
      this.pieces.append(use);
      const stops = from ? this.stops(from.square, square, path) : [square];
      const wasDragged = this.dropped === use;
      this.place(use, square);
      if (!slides || wasDragged) continue;
      if (from) {
        const frames = stops.map((stop) => ({ transform: this.transform(stop) }));
        use.animate(frames, { duration: SLIDE * Math.max(1, stops.length - 1), easing: "ease-out" });
      } else {
        use.animate([{ opacity: 0 }, { opacity: 1 }], { duration: SLIDE });
      }
    }
    for (const { use } of gone) {
      if (slides) {
        // What is taken stays below what takes it while it fades.
        this.pieces.prepend(use);
        use.animate([{ opacity: 1 }, { opacity: 0 }], { duration: SLIDE, fill: "forwards" }).onfinish = () => use.remove();
      } else {
        use.remove();
      }
    }
    this.dropped = null;
    this.uses.forEach((use, square) => use?.classList.toggle("lifted", how.lifted?.square === square));
    this.label();
  }

  /**
   * The piece that went away and most likely is the one that came.
   * @param {number} square @param {number} piece
   * @param {{square: number, piece: number, use: SVGUseElement}[]} gone
   * @param {number[]} path
   */
  origin(square, piece, gone, path) {
    const owner = this.info.pieces[piece]?.owner;
    const others = gone.filter((other) => other.square !== square);
    const same = others.filter((other) => other.piece === piece);
    if (same.length > 0) {
      const onPath = same.find((other) => other.square === path[0]);
      if (onPath) return onPath;
      const { x, y } = this.at(square);
      const far = (/** @type {{square: number}} */ other) =>
        Math.hypot(this.at(other.square).x - x, this.at(other.square).y - y);
      return same.reduce((best, other) => (far(other) < far(best) ? other : best));
    }
    // A piece that becomes another on its way.
    const first = others.find((other) => other.square === path[0] && this.info.pieces[other.piece]?.owner === owner);
    return path.includes(square) ? first : undefined;
  }

  /** The squares a piece passes on its way. @param {number} from @param {number} to @param {number[]} path */
  stops(from, to, path) {
    const isWhole = path.length > 2 && path.length < 8 && path[0] === from && path[path.length - 1] === to;
    return isWhole ? path : [from, to];
  }

  /** @param {number} square */
  transform(square) {
    const { x, y } = this.at(square);
    const { room } = this.info;
    return `translate(${x - room / 2}px, ${y - room / 2}px) scale(${room / 100})`;
  }

  /** @param {SVGUseElement} use @param {number} square */
  place(use, square) {
    use.style.transform = this.transform(square);
  }

  // --- Marks ------------------------------------------------------------------------------------------------------------

  /** @param {Marks} marks */
  setMarks(marks) {
    const { room } = this.info;
    const selected = new Set(marks.selected ?? []);
    const under = [];
    for (const square of new Set(marks.last ?? [])) {
      if (!selected.has(square)) under.push(this.clone(square, "last"));
    }
    for (const square of selected) under.push(this.clone(square, "selected"));
    this.under.replaceChildren(...under);
    const over = [];
    for (const square of new Set(marks.targets ?? [])) {
      const { x, y } = this.at(square);
      const takes = !this.isEmpty(this.shown[square]) && !this.uses[square]?.classList.contains("lifted");
      over.push(
        takes
          ? s("circle", { class: "ring", cx: x, cy: y, r: room * 0.5, "stroke-width": room * 0.07 })
          : s("circle", { class: "dot", cx: x, cy: y, r: room * 0.15 }),
      );
    }
    this.marks.replaceChildren(...over);
    const can = new Set(marks.can ?? []);
    this.can = can;
    this.chosen = selected;
    this.hit.forEach((shape, square) => shape.classList.toggle("can", can.has(square)));
    this.label();
  }

  /** The shape of a square. @param {number} square @param {string} name */
  clone(square, name) {
    const shape = /** @type {SVGElement} */ (this.hit[square].cloneNode(false));
    for (const attribute of ["data-square", "fill", "tabindex", "role", "aria-label", "aria-pressed"])
      shape.removeAttribute(attribute);
    shape.setAttribute("class", name);
    return shape;
  }

  /** @param {Arrow[]} arrows */
  setArrows(arrows) {
    this.arrows.replaceChildren(...arrows.map((arrow) => this.arrow(arrow)));
  }

  /** An arrow along squares, or a ring around a single one. @param {Arrow} arrow */
  arrow({ squares, weight }) {
    const { room } = this.info;
    const points = squares.map((square) => this.at(square));
    const width = room * (0.06 + 0.07 * weight);
    const look = { class: "arrow", "stroke-width": width, opacity: 0.35 + 0.5 * weight };
    if (points.length === 0) return s("g");
    const [start] = points;
    const end = points[points.length - 1];
    if (points.length === 1) return s("circle", { ...look, cx: start.x, cy: start.y, r: room * 0.42 });
    const before = points[points.length - 2];
    const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
    const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
    const head = width * 2.4;
    const neck = { x: end.x - dx * head, y: end.y - dy * head };
    const line = [...points.slice(0, -1), neck].map(({ x, y }) => `${x} ${y}`).join("L");
    const [left, right] = [-1, 1].map((side) => `${neck.x - dy * side * head * 0.55} ${neck.y + dx * side * head * 0.55}`);
    return s(
      "g",
      look,
      s("path", { d: `M${line}` }),
      s("path", { class: "head", d: `M${left}L${end.x} ${end.y}L${right}z` }),
    );
  }

  /** Shows what the person has drawn, and what is being drawn. @param {number[] | null} [squares] */
  showDrawn(squares) {
    const all = [...this.drawn.values(), ...(squares ? [squares] : [])];
    this.drawing.replaceChildren(...all.map((squares) => this.arrow({ squares, weight: 0.8 })));
  }

  clearDrawn() {
    this.drawn.clear();
    this.showDrawn();
  }

  /** Colours squares by a weight from 0 to 1. @param {Map<number, number>} weights */
  setHeat(weights) {
    const shapes = [];
    for (const [square, weight] of weights) {
      const shape = this.clone(square, "warm");
      shape.style.opacity = String(0.12 + 0.68 * weight);
      shapes.push(shape);
    }
    this.heat.replaceChildren(...shapes);
  }

  /** @param {boolean} isFlipped */
  flip(isFlipped) {
    this.isFlipped = isFlipped;
    const { width, height } = this.info;
    const turn = isFlipped ? `rotate(180 ${width / 2} ${height / 2})` : "";
    for (const group of [this.cells, this.labels, this.hits, this.under, this.heat]) group?.setAttribute("transform", turn);
    for (const text of this.svg.querySelectorAll(".labels text")) {
      const [x, y] = [Number(text.getAttribute("x")), Number(text.getAttribute("y"))];
      const middle = y - 0.36 * Number(text.getAttribute("font-size"));
      text.setAttribute("transform", isFlipped ? `rotate(180 ${x} ${middle})` : "");
    }
    for (const { shape, isTurned } of this.turned) {
      shape.setAttribute("transform", isTurned !== isFlipped ? "rotate(180 50 50)" : "");
    }
    this.uses.forEach((use, square) => use && this.place(use, square));
    this.arrows.replaceChildren();
    this.marks.replaceChildren();
    this.showDrawn();
  }

  /** Shapes of pieces that point where they go: those that are turned for one of the players. */
  findTurned() {
    const shapes = [...this.svg.querySelectorAll("defs > g > g")];
    const outline = (/** @type {Element} */ shape) => shape.querySelector("path")?.getAttribute("d");
    const turned = new Set(shapes.filter((shape) => shape.hasAttribute("transform")).map(outline));
    const pointing = shapes.filter((shape) => turned.has(outline(shape)));
    return pointing.map((shape) => ({ shape, isTurned: shape.hasAttribute("transform") }));
  }

  // --- Names for screen readers -----------------------------------------------------------------------------------------

  /** "e4, white pawn, can be chosen" @param {number} square */
  nameOf(square) {
    const piece = this.shown[square];
    const parts = [this.info.squares[square].name, this.isEmpty(piece) ? "empty" : this.info.pieces[piece].name];
    if (this.chosen?.has(square)) parts.push("selected");
    else if (this.can?.has(square)) parts.push("can be chosen");
    return parts.join(", ");
  }

  label() {
    if (!this.handler) return;
    this.hit.forEach((shape, square) => {
      const name = this.nameOf(square);
      if (shape.getAttribute("aria-label") !== name) shape.setAttribute("aria-label", name);
    });
  }

  // --- Pointer and keyboard ---------------------------------------------------------------------------------------------

  listen() {
    this.hit.forEach((shape, square) => {
      shape.setAttribute("role", "button");
      shape.setAttribute("tabindex", square === this.current ? "0" : "-1");
    });
    this.svg.addEventListener("pointerdown", (event) => this.pointerDown(event));
    this.svg.addEventListener("contextmenu", (event) => {
      // The right button draws; the key for menus and a long touch are left alone.
      if (event.button === 2 && this.squareOf(event.target) !== null) event.preventDefault();
    });
    // A finger on a piece that can move drags it; elsewhere it scrolls the page.
    const touch = (/** @type {TouchEvent} */ event) => {
      const square = this.squareOf(event.target);
      if (square !== null && (this.can?.has(square) || this.chosen?.has(square))) event.preventDefault();
    };
    this.svg.addEventListener("touchstart", touch, { passive: false });
    this.svg.addEventListener("keydown", (event) => this.key(event));
    // Screen readers press buttons by a click without a pointer.
    this.svg.addEventListener("click", (event) => {
      const square = this.squareOf(event.target);
      if (square !== null && event.detail === 0) this.handler?.press(square);
    });
    this.svg.addEventListener("focusin", (event) => {
      const square = this.squareOf(event.target);
      if (square !== null) this.setCurrent(square);
    });
  }

  /** @param {EventTarget | null} target */
  squareOf(target) {
    const shape = target instanceof Element ? target.closest("[data-square]") : null;
    return shape && this.svg.contains(shape) ? Number(shape.getAttribute("data-square")) : null;
  }

  /** @param {number} square */
  setCurrent(square) {
    this.hit[this.current].setAttribute("tabindex", "-1");
    this.hit[square].setAttribute("tabindex", "0");
    this.current = square;
  }

  /** @param {PointerEvent} event */
  pointerDown(event) {
    if (!event.isPrimary || !this.handler) return;
    const from = this.squareOf(event.target);
    if (event.button === 2 && from !== null) this.draw(event, from);
    if (event.button !== 0) return;
    this.clearDrawn();
    if (from === null) return;
    event.preventDefault();
    this.setCurrent(from);
    if (this.svg.contains(document.activeElement)) this.hit[from].focus({ preventScroll: true });
    const mayDrag = this.handler.down(from);
    const start = { x: event.clientX, y: event.clientY };
    let dragged = false;
    /** @type {SVGUseElement | null} */
    let use = null;
    /** A faint copy that stays where the piece was. @type {Element | null} */
    let trace = null;
    const stop = new AbortController();
    const { signal } = stop;
    const move = (/** @type {PointerEvent} */ now) => {
      if (!mayDrag || now.pointerId !== event.pointerId) return;
      if (!dragged && Math.hypot(now.clientX - start.x, now.clientY - start.y) < DRAG) return;
      dragged = true;
      use = this.uses[from];
      if (!use) return;
      if (!use.classList.contains("dragged")) {
        trace ??= /** @type {Element} */ (use.cloneNode());
        trace.setAttribute("class", "trace");
        this.pieces.prepend(trace);
        use.classList.add("dragged");
        // Above the marks of squares.
        this.marks.after(use);
      }
      const point = new DOMPoint(now.clientX, now.clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
      const { room } = this.info;
      use.style.transform = `translate(${point.x - room * 0.55}px, ${point.y - room * 0.55}px) scale(${(room * 1.1) / 100})`;
      this.setOver(this.squareUnder(now));
    };
    const end = (/** @type {PointerEvent} */ now) => {
      if (now.pointerId !== event.pointerId) return;
      stop.abort();
      trace?.remove();
      this.setOver(null);
      const over = now.type === "pointerup" ? this.squareUnder(now) : null;
      if (use) {
        use.classList.remove("dragged");
        if (this.uses[from] === use) this.pieces.append(use);
        this.dropped = use;
        this.place(use, from);
      }
      this.handler?.up(from, over, dragged);
    };
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", end, { signal });
    addEventListener("pointercancel", end, { signal });
  }

  /** The square under a pointer. @param {PointerEvent} event */
  squareUnder(event) {
    return this.squareOf(document.elementFromPoint(event.clientX, event.clientY));
  }

  /** Marks the square that a piece is dragged over, for fingers as for mice. @param {number | null} square */
  setOver(square) {
    this.hit.forEach((shape, other) => shape.classList.toggle("over", other === square));
  }

  /** Draws an arrow from a square with the right button, or a ring around it. The same again removes it. @param {PointerEvent} event @param {number} from */
  draw(event, from) {
    const stop = new AbortController();
    const { signal } = stop;
    const reached = (/** @type {PointerEvent} */ now) => {
      const to = this.squareUnder(now);
      return to === null ? null : to === from ? [from] : [from, to];
    };
    const move = (/** @type {PointerEvent} */ now) => {
      if (now.pointerId === event.pointerId) this.showDrawn(reached(now));
    };
    const end = (/** @type {PointerEvent} */ now) => {
      if (now.pointerId !== event.pointerId) return;
      stop.abort();
      const squares = now.type === "pointerup" ? reached(now) : null;
      if (squares && !this.drawn.delete(squares.join())) this.drawn.set(squares.join(), squares);
      this.showDrawn();
    };
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", end, { signal });
    addEventListener("pointercancel", end, { signal });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const square = this.squareOf(event.target);
    if (square === null || event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, [number, number]>} */
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const direction = directions[event.key];
    if (direction) {
      event.preventDefault();
      event.stopPropagation();
      const next = this.neighbour(square, direction);
      if (next !== null) this.hit[next].focus({ preventScroll: true });
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.handler?.press(square);
    }
  }

  /** The nearest square in a direction. @param {number} square @param {[number, number]} direction */
  neighbour(square, [dx, dy]) {
    const here = this.at(square);
    let best = null;
    let least = Infinity;
    this.info.squares.forEach((_, other) => {
      const there = this.at(other);
      const [x, y] = [there.x - here.x, there.y - here.y];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      // Within 60 degrees of the direction, so that rows of hexagons can be reached too.
      if (along <= 1 || aside > along * 1.75) return;
      const cost = along + aside * 2;
      if (cost < least) [best, least] = [other, cost];
    });
    return best;
  }

  /** Puts the keyboard's attention on the board. */
  focus() {
    this.hit[this.current]?.focus({ preventScroll: true });
  }

  // --- Menus ------------------------------------------------------------------------------------------------------------

  /**
   * Shows a small menu at a square.
   * @param {number} square
   * @param {{piece: number | null, text: string}[]} items
   * @param {(item: number | null) => void} choose Gets the number of an item, or null if none was chosen.
   */
  menu(square, items, choose) {
    this.closeMenu();
    const { x, y } = this.at(square);
    const { width, height } = this.info;
    const done = (/** @type {number | null} */ item) => {
      this.closeMenu();
      this.hit[square].focus({ preventScroll: true });
      choose(item);
    };
    const buttons = items.map(({ piece, text }, number) => {
      const label = piece !== null && this.isEmpty(piece) ? text : (piece !== null && this.info.pieces[piece]?.name) || text;
      const hasPicture = piece !== null && !this.isEmpty(piece);
      const look = {
        type: "button",
        role: "menuitem",
        class: hasPicture ? "with-picture" : "",
        title: label,
        "aria-label": label,
      };
      return h("button", { ...look, onclick: () => done(number) }, hasPicture ? this.picture(piece) : text);
    });
    const menu = h(
      "div",
      { class: "square-menu", role: "menu", "aria-label": `Choices on ${this.info.squares[square].name}` },
      ...buttons,
    );
    menu.addEventListener("keydown", (event) => {
      const at = buttons.findIndex((button) => button === document.activeElement);
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        buttons[(at + step + buttons.length) % buttons.length].focus();
      } else if (event.key === "Escape") {
        done(null);
      }
      event.stopPropagation();
    });
    menu.style.setProperty("--x", `${(x / width) * 100}%`);
    menu.style.setProperty("--y", `${(y / height) * 100}%`);
    menu.classList.toggle("above", y > height * 0.6);
    this.layer.append(menu);
    // At the edge of a window it moves aside.
    const { left, right } = menu.getBoundingClientRect();
    const aside = Math.max(GAP - left, Math.min(0, innerWidth - GAP - right));
    menu.style.setProperty("--aside", `${aside}px`);
    this.isMenuOpen = true;
    buttons[0]?.focus({ preventScroll: true });
    this.outside = (/** @type {Event} */ event) => {
      if (!(event.target instanceof Node && menu.contains(event.target))) done(null);
    };
    setTimeout(() => this.outside && addEventListener("pointerdown", this.outside, { capture: true }), 0);
  }

  closeMenu() {
    if (this.outside) removeEventListener("pointerdown", this.outside, { capture: true });
    this.outside = null;
    this.isMenuOpen = false;
    this.layer.replaceChildren();
  }
}
