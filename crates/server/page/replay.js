// Plays the moves of a transcript in a new match.

import * as api from "./api.js";
import { client } from "./settings.js";
import { MatchSocket } from "./socket.js";

/** How many milliseconds lie between two moves at least, since the server bounds how many messages it answers in a second. */
const PAUSE = 30;

/**
 * The moves of a transcript, and the seed of its setup if chance made it. A text that is none has a move in each line.
 * @param {string} text
 * @returns {{moves: string[], seed: number | undefined}}
 */
function read(text) {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("//"));
  if (lines[0] !== "regulus transcript 1") return { moves: lines, seed: undefined };
  const moves = lines.map((line) => /^\d+\. \S+ (.*?)(?: \{[^{}]*\})?$/.exec(line)?.[1] ?? "").filter(Boolean);
  const seed = lines.find((line) => line.startsWith("seed: "))?.slice(6);
  return { moves, seed: seed === undefined ? undefined : Number(seed) };
}

/**
 * Starts a match for persons and makes the moves of a transcript; gives the match.
 * @param {import("./types.js").Reference} reference
 * @param {number} players
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function replay(reference, players, text) {
  const { moves, seed } = read(text);
  const { id } = await api.startMatch(
    reference,
    Array.from({ length: players }, () => "person"),
    client(),
    seed,
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
