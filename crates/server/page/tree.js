// The tree of positions of a match: the line that was played and its variations.

/** @typedef {import("./types.js").TreeNode} TreeNode */

export class Tree {
  constructor() {
    /** @type {Map<number, TreeNode>} */
    this.nodes = new Map();
    /** @type {Map<number, number[]>} */
    this.children = new Map();
    /** Which child of a node was looked at last. @type {Map<number, number>} */
    this.liked = new Map();
  }

  /** @param {TreeNode[]} nodes */
  add(nodes) {
    for (const node of nodes) {
      const isNew = !this.nodes.has(node.id);
      this.nodes.set(node.id, node);
      if (!isNew || node.id === 0 || node.parent === null || node.parent === undefined) continue;
      const siblings = this.children.get(node.parent) ?? [];
      siblings.push(node.id);
      this.children.set(node.parent, siblings);
    }
  }

  /** @param {number} id */
  parent(id) {
    return id === 0 ? null : (this.nodes.get(id)?.parent ?? null);
  }

  /** @param {number} id */
  childrenOf(id) {
    return this.children.get(id) ?? [];
  }

  /** The child that a step forward leads to. @param {number} id */
  next(id) {
    return this.liked.get(id) ?? this.childrenOf(id)[0] ?? null;
  }

  /** Remembers that a position was looked at. @param {number} id */
  visit(id) {
    let at = id;
    for (let parent = this.parent(at); parent !== null; parent = this.parent(at)) {
      this.liked.set(parent, at);
      at = parent;
    }
  }

  /** The positions from the first to this one. @param {number} id */
  path(id) {
    const path = [id];
    for (let parent = this.parent(id); parent !== null; parent = this.parent(parent)) path.push(parent);
    return path.reverse();
  }

  /** The positions from the first through this one to the end of the line. @param {number} id */
  line(id) {
    const line = this.path(id);
    for (let next = this.next(id); next !== null; next = this.next(next)) line.push(next);
    return line;
  }
}
