// Small tokenizers for the four languages, one function each, for CodeMirror's stream parser.

/**
 * The part of CodeMirror's stream that is used here.
 * @typedef {object} Stream
 * @property {(pattern: RegExp) => any} match
 * @property {() => boolean} eatSpace
 * @property {() => string | void} next
 * @property {() => void} skipToEnd
 * @property {() => boolean} sol
 * @property {(text: string) => boolean} skipTo
 */

/** @typedef {{inComment: boolean}} Memory */

/**
 * @typedef {object} Language
 * @property {string} name
 * @property {string[]} words What can be completed besides names in the text.
 * @property {(stream: Stream, memory: Memory) => string | null} token
 */

/** Comments that go over lines. @param {Stream} stream @param {Memory} memory */
function blockComment(stream, memory) {
  if (!memory.inComment && !stream.match(/^\/\*/)) return null;
  memory.inComment = !stream.skipTo("*/");
  if (memory.inComment) stream.skipToEnd();
  else stream.match(/^\*\//);
  return "comment";
}

const RBG_WORDS = ["players", "pieces", "variables", "board", "rules", "rectangle", "hexagon", "cuboid"];

/** @param {Stream} stream @param {Memory} memory */
function rbg(stream, memory) {
  if (stream.eatSpace()) return null;
  if (!memory.inComment && stream.match(/^\/\/!.*/)) return "meta";
  if (!memory.inComment && stream.match(/^\/\/.*/)) return "comment";
  const comment = blockComment(stream, memory);
  if (comment) return comment;
  if (stream.match(/^#(players|pieces|variables|board|rules)\b/)) return "keyword";
  if (stream.match(/^#[A-Za-z]\w*/)) return "definition";
  if (stream.match(/^->>?(\s*[A-Za-z]\w*)?/)) return "keyword";
  if (stream.match(/^(rectangle|hexagon|cuboid)\b/)) return "keyword";
  if (stream.match(/^\d+/)) return "number";
  if (stream.match(/^[A-Za-z]\w*/)) return "name";
  if (stream.match(/^[[\]{}()]/)) return "bracket";
  if (stream.match(/^[*+!?$=<>~,;:/-]/)) return "operator";
  stream.next();
  return null;
}

/** @param {Stream} stream @param {Memory} memory */
function sbg(stream, memory) {
  if (stream.eatSpace()) return null;
  if (!memory.inComment && stream.match(/^\/\/.*/)) return "comment";
  const comment = blockComment(stream, memory);
  if (comment) return comment;
  if (stream.match(/^<<[^>]*>>/)) return "definition";
  if (stream.match(/^<[A-Z]+>/)) return "keyword";
  if (stream.match(/^\|[^|\n]*\|?/)) return "string";
  if (stream.match(/^[@#]\s*[A-Za-z]/)) return "definition";
  if (stream.match(/^-?\d+/)) return "number";
  if (stream.match(/^[epw]\b(?=\s*\))/)) return "name";
  if (stream.match(/^[A-Za-z]\b/)) return "definition";
  if (stream.match(/^[()]/)) return "bracket";
  if (stream.match(/^[+^*&,]/)) return "operator";
  stream.next();
  return null;
}

const ABG_WORDS = [
  "players",
  "pieces",
  "rule",
  "macro",
  "function",
  "effect",
  "victory",
  "draw",
  "outcome",
  "variable",
  "board_size",
  "board",
  "return",
  "from",
  "and",
  "or",
  "not",
  "this",
  "current",
  "stuck",
  "count",
  "Board",
  "Move",
  "Empty",
  "Opponent",
  "True",
  "False",
  "Default",
];
const abgWords = new Set(ABG_WORDS);

/** @param {Stream} stream @param {Memory} memory */
function abg(stream, memory) {
  if (stream.eatSpace()) return null;
  if (!memory.inComment && stream.match(/^#!.*/)) return "meta";
  if (!memory.inComment && stream.match(/^#.*/)) return "comment";
  const comment = blockComment(stream, memory);
  if (comment) return comment;
  if (stream.match(/^\d+/)) return "number";
  const word = stream.match(/^[A-Za-z_]\w*/);
  if (word) return abgWords.has(word[0]) ? "keyword" : "name";
  if (stream.match(/^[[\]{}()]/)) return "bracket";
  if (stream.match(/^[=!<>&|?:+*/%;,.-]/)) return "operator";
  stream.next();
  return null;
}

const METAGAME_WORDS = [
  "GAME",
  "GOALS",
  "BOARD_SIZE",
  "BY",
  "BOARD_TYPE",
  "PROMOTE_RANK",
  "SETUP",
  "AT",
  "DEFINE",
  "MOVING",
  "MOVEMENT",
  "CAPTURING",
  "CAPTURE",
  "TYPE",
  "EFFECT",
  "PROMOTING",
  "PROMOTE_TO",
  "DECISION",
  "OPTIONS",
  "CONSTRAINTS",
  "SYMMETRY",
  "LEAP",
  "RIDE",
  "HOP",
  "MIN",
  "MAX",
  "LONGEST",
  "BEFORE",
  "OVER",
  "AFTER",
  "HOP_OVER",
  "STALEMATE",
  "ARRIVE",
  "ERADICATE",
  "END",
  "player",
  "opponent",
  "any_player",
  "any_piece",
  "all_symmetry",
  "forward",
  "side",
  "rotation",
  "clobber",
  "retrieve",
  "remove",
  "possesses",
  "planar",
  "must_capture",
  "continue_captures",
];
const metagameSymbols = new Set(METAGAME_WORDS.filter((word) => word === word.toLowerCase()));

/** @param {Stream} stream */
function metagame(stream) {
  if (stream.eatSpace()) return null;
  if (stream.match(/^%.*/)) return "comment";
  if (stream.match(/^[A-Z][A-Z_]*\b/)) return "keyword";
  if (stream.match(/^\d+/)) return "number";
  const word = stream.match(/^[a-z_]\w*/);
  if (word) return metagameSymbols.has(word[0]) ? "string" : "name";
  if (stream.match(/^[[\]{}()<>]/)) return "bracket";
  stream.next();
  return null;
}

/** @type {Record<string, Language>} */
export const LANGUAGES = {
  rbg: { name: "rbg", words: RBG_WORDS, token: rbg },
  sbg: { name: "sbg", words: ["BOARD", "PIECES", "GOALS"], token: sbg },
  abg: { name: "abg", words: ABG_WORDS, token: abg },
  metagame: { name: "metagame", words: METAGAME_WORDS, token: metagame },
};

/** The language a text is most likely written in. @param {string} text */
export function guess(text) {
  if (/<<[^>]*>>|<BOARD>/.test(text)) return "sbg";
  if (/^\s*(GAME\s+\w+|BOARD_SIZE)/m.test(text)) return "metagame";
  if (/^\s*board_size\s*=|^\s*players\s*=/m.test(text)) return "abg";
  return "rbg";
}
