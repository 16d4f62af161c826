// The list of moves: the main line in rows, variations below the move they replace.

import { fill, h } from "./dom.js";

/** @typedef {import("./tree.js").Tree} Tree */

export class MoveList {
  /** @param {number} players @param {(node: number) => void} goTo */
  constructor(players, goTo) {
    this.players = players;
    this.goTo = goTo;
    this.element = h("div", { class: "move-list", "aria-label": "Moves", role: "group", tabindex: "-1" });
    this.drawn = "";
    /** @type {Map<number, HTMLElement>} */
    this.buttons = new Map();
  }

  /** @param {Tree} tree @param {number} current */
  show(tree, current) {
    // The list is only built again if there is a new move.
    const key = String(tree.nodes.size);
    if (key !== this.drawn) {
      this.drawn = key;
      this.buttons.clear();
      if (tree.childrenOf(0).length > 0) fill(this.element, ...this.rows(tree));
      else fill(this.element, h("p", { class: "muted small" }, "No move yet."));
    }
    for (const button of this.element.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const button = this.buttons.get(current);
    button?.setAttribute("aria-current", "step");
    if (button) {
      const list = this.element;
      const [top, left] = [button.offsetTop - list.offsetTop, button.offsetLeft - list.offsetLeft];
      if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight)
        list.scrollTop = top - list.clientHeight / 2;
      if (left < list.scrollLeft || left + button.offsetWidth > list.scrollLeft + list.clientWidth)
        list.scrollLeft = left - list.clientWidth / 2;
    } else {
      this.element.scrollTop = 0;
      this.element.scrollLeft = 0;
    }
  }

  /** @param {Tree} tree */
  rows(tree) {
    /** @type {HTMLElement[]} */
    const rows = [];
    /** @type {HTMLElement | null} */
    let row = null;
    let number = 0;
    let filled = 0;
    const open = (/** @type {string} */ label) => {
      row = h("div", { class: this.players === 2 ? "turn" : "turn many" }, h("span", {}, label));
      rows.push(row);
      filled = 0;
    };
    let at = 0;
    for (let children = tree.childrenOf(0); children.length > 0; children = tree.childrenOf(at)) {
      const [main, ...others] = children;
      const node = tree.nodes.get(main);
      const place = node?.player ?? 0;
      if (!row || place < filled || (place === 0 && filled > 0)) {
        number += 1;
        open(`${number}.`);
        if (this.players === 2 && place === 1) row = this.skip(row);
      }
      /** @type {any} */ (row)?.append(this.button(tree, main));
      filled = place + 1;
      if (others.length > 0) {
        for (const other of others) rows.push(this.variation(tree, other));
        row = null;
        at = main;
        // The line goes on below its variations, with the number of the move.
        const next = tree.nodes.get(tree.childrenOf(at)[0] ?? -1);
        if (next && next.player > 0) {
          open(`${number}…`);
          if (this.players === 2) row = this.skip(row);
          filled = next.player;
        }
        continue;
      }
      at = main;
    }
    return rows;
  }

  /** Leaves the place of the first player empty. @param {HTMLElement | null} row */
  skip(row) {
    row?.append(h("span", { class: "muted" }, "…"));
    return row;
  }

  /** @param {Tree} tree @param {number} id */
  button(tree, id) {
    const node = tree.nodes.get(id);
    const button = h("button", { type: "button", onclick: () => this.goTo(id) }, node?.move ?? "?");
    this.buttons.set(id, button);
    return button;
  }

  /** A line that branches off, with its own variations in it. @param {Tree} tree @param {number} first @returns {HTMLElement} */
  variation(tree, first) {
    const element = h("div", { class: "variation" }, this.button(tree, first));
    let at = first;
    for (let children = tree.childrenOf(at); children.length > 0; children = tree.childrenOf(at)) {
      const [main, ...others] = children;
      element.append(this.button(tree, main));
      for (const other of others) element.append(this.variation(tree, other));
      at = main;
    }
    return element;
  }
}
