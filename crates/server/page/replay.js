// Plays the moves of a transcript in a new match.

import * as api from "./api.js";
import { client } from "./settings.js";
import { MatchSocket } from "./socket.js";

/** At least this many milliseconds lie between two moves: the server answers so many messages and no more. */
const PAUSE = 30;

/**
 * Starts a match for persons and makes the moves, one in a line; gives the match.
 * @param {import("./types.js").Reference} reference
 * @param {number} players
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function replay(reference, players, text) {
  const moves = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const { id } = await api.startMatch(
    reference,
    Array.from({ length: players }, () => "person"),
    client(),
  );
  return new Promise((resolve, reject) => {
    let made = 0;
    let node = -1;
    const message = (/** @type {any} */ message) => {
      if (message.type === "refused") {
        socket.close();
        reject(new Error(`Move ${made} of the file, ${moves[made - 1]}, cannot be made: ${message.message}`));
      } else if (message.type === "state" && message.node !== node) {
        node = message.node;
        if (made === moves.length) {
          socket.close();
          resolve(id);
          return;
        }
        const move = moves[made];
        made += 1;
        setTimeout(() => socket.send({ type: "play", node, move }), made > 100 ? PAUSE : 0);
      }
    };
    const socket = new MatchSocket(id, { message, connection: () => {} });
  });
}
