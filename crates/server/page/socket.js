// The connection to a match. It numbers what it sends, gives answers back to the caller, and opens itself again after
// growing pauses when it was closed.

import { client } from "./settings.js";

/** @typedef {import("./types.js").ChoicesMessage} ChoicesMessage */
/** @typedef {import("./types.js").RefusedMessage} RefusedMessage */

/**
 * @typedef {object} Listener
 * @property {(message: any) => void} message Gets every message that answers no question.
 * @property {(isOpen: boolean) => void} connection Hears when the connection opens or closes.
 */

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;
/** How long an answer may take before the caller gives up. */
const PATIENCE = 20000;

export class MatchSocket {
  /** @param {string} id @param {Listener} listener */
  constructor(id, listener) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.address = `${scheme}//${location.host}/api/matches/${encodeURIComponent(id)}/socket?client=${client()}`;
    this.listener = listener;
    this.seq = 0;
    this.pause = FIRST_PAUSE;
    this.isClosed = false;
    this.timer = 0;
    /** @type {Map<number, {resolve: (answer: ChoicesMessage) => void, reject: (error: Error) => void, timer: number}>} */
    this.waiting = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.wake = () => {
      if (!this.socket && !this.isClosed) this.open();
    };
    addEventListener("online", this.wake);
    // A page that is left may be kept for the way back; meanwhile it does not look at the match. It opens itself again there.
    this.sleep = () => this.socket?.close();
    addEventListener("pagehide", this.sleep);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_PAUSE;
      this.listener.connection(true);
    };
    socket.onmessage = (event) => this.receive(String(event.data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.giveUp(new Error("The connection was lost."));
      if (this.isClosed) return;
      this.listener.connection(false);
      this.timer = setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    };
  }

  /** @param {string} text */
  receive(text) {
    const message = JSON.parse(text);
    const waiting = this.waiting.get(message.seq);
    if (waiting && (message.type === "choices" || message.type === "refused")) {
      this.waiting.delete(message.seq);
      clearTimeout(waiting.timer);
      if (message.type === "choices") waiting.resolve(message);
      else waiting.reject(new Error(message.message));
      return;
    }
    this.listener.message(message);
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Sends a message; says whether there was a connection. @param {Record<string, unknown>} message */
  send(message) {
    if (!this.socket || !this.isOpen) return false;
    this.seq += 1;
    this.socket.send(JSON.stringify({ ...message, seq: this.seq }));
    return true;
  }

  /**
   * Sends a message that is answered by choices. If it played a move there is no answer but a new state: then the promise
   * stays open until `settle` is called.
   * @param {Record<string, unknown>} message
   * @returns {Promise<ChoicesMessage | null>}
   */
  ask(message) {
    return new Promise((resolve, reject) => {
      if (!this.send(message)) {
        reject(new Error("There is no connection to the server. It is being tried again."));
        return;
      }
      const seq = this.seq;
      const timer = setTimeout(() => {
        if (this.waiting.delete(seq)) reject(new Error("The server takes very long to answer."));
      }, PATIENCE);
      this.waiting.set(seq, { resolve, reject, timer });
    });
  }

  /** Ends all questions without an answer, since the match went on. */
  settle() {
    for (const { resolve, timer } of this.waiting.values()) {
      clearTimeout(timer);
      /** @type {(answer: null) => void} */ (/** @type {unknown} */ (resolve))(null);
    }
    this.waiting.clear();
  }

  /** @param {Error} error */
  giveUp(error) {
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.waiting.clear();
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.wake);
    removeEventListener("pagehide", this.sleep);
    this.giveUp(new Error("closed"));
    this.socket?.close();
    this.socket = null;
  }
}
