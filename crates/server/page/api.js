// Asks the server. Refusals become errors whose message is a sentence for people.

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").Reference} Reference */

/** A refusal, or a server that cannot be reached. */
export class Refusal extends Error {
  /** @param {string} id @param {string} message @param {number} status */
  constructor(id, message, status) {
    super(message);
    this.id = id;
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [request]
 * @returns {Promise<Response>}
 */
async function ask(path, request) {
  let response;
  try {
    response = await fetch(`/api${path}`, request);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refusal("unreachable", "The server does not answer. Is regulus serve still running?", 0);
  }
  if (response.ok) return response;
  let refusal;
  try {
    refusal = (await response.json()).error;
  } catch {
    // The body was not ours: say what we know.
  }
  const message = refusal?.message ?? "The server could not do this.";
  throw new Refusal(refusal?.id ?? "unknown", message, response.status);
}

/** @param {string} path @param {AbortSignal} [signal] */
async function get(path, signal) {
  return (await ask(path, { signal })).json();
}

/** @param {string} path @param {unknown} body @param {AbortSignal} [signal] */
async function post(path, body, signal) {
  const headers = { "content-type": "application/json" };
  return (await ask(path, { method: "POST", headers, body: JSON.stringify(body), signal })).json();
}

/** @type {Promise<GameInfo[]> | null} */
let allGames = null;
/** @type {Promise<import("./types.js").Players> | null} */
let allPlayers = null;

/** The bundled games; asked for once. */
export function games() {
  allGames ??= get("/games").then((answer) => answer.games);
  allGames.catch(() => (allGames = null));
  return allGames;
}

/** The kinds of players and the levels; asked for once. */
export function players() {
  allPlayers ??= get("/players");
  allPlayers.catch(() => (allPlayers = null));
  return allPlayers;
}

/** @param {string} name @returns {Promise<GameInfo>} */
export const game = (name) => get(`/games/${encodeURIComponent(name)}`);

/** @param {string} name @param {string} theme */
export const picture = (name, theme) => `/api/games/${encodeURIComponent(name)}/board.svg?theme=${theme}`;

/** @param {string} text @param {string | undefined} language @param {AbortSignal} [signal] @returns {Promise<import("./types.js").Checked>} */
export const check = (text, language, signal) => post("/check", { text, language }, signal);

/** @param {string} text @param {string | undefined} language @returns {Promise<{text: string}>} */
export const format = (text, language) => post("/format", { text, language });

/** @param {Reference} reference @returns {Promise<import("./types.js").Guide>} */
export const guide = (reference) => post("/guide", { game: reference });

/** The automaton, or one of its turns. @param {Reference} reference @param {number} [turn] @returns {Promise<{svg: string}>} */
export const automaton = (reference, turn) => post("/automaton", { game: reference, turn });

/** What the pieces are worth; it may take some seconds. @param {Reference} reference @returns {Promise<import("./types.js").Worth>} */
export const worth = (reference) => post("/eval", { game: reference });

/** @returns {Promise<{properties: {name: string, about: string}[]}>} */
export const properties = () => get("/generate");

/** @param {number} seed @param {Record<string, number>} values @returns {Promise<{text: string, name: string, seed: number}>} */
export const generate = (seed, values) => post("/generate", { seed, properties: values });

/** @param {Reference} reference @param {string[]} seats @param {string} client @param {number} [seed] @returns {Promise<{id: string}>} */
export const startMatch = (reference, seats, client, seed) => post("/matches", { game: reference, seats, client, seed });

/** @param {Reference} reference @param {string[]} players @param {number} games @param {string} client @returns {Promise<import("./types.js").Series>} */
export const startSeries = (reference, players, games, client) => post("/series", { game: reference, players, games, client });

/** @param {string} id @returns {Promise<import("./types.js").Series>} */
export const series = (id) => get(`/series/${encodeURIComponent(id)}`);

/** @param {string} id @param {string} client @returns {Promise<import("./types.js").Series>} */
export const endSeries = (id, client) => post(`/series/${encodeURIComponent(id)}/end`, { client });

/** @param {string} id @returns {Promise<import("./types.js").MatchInfo>} */
export const match = (id) => get(`/matches/${encodeURIComponent(id)}`);

/** @param {string} id */
export const transcript = async (id) => (await ask(`/matches/${encodeURIComponent(id)}/transcript`)).text();
