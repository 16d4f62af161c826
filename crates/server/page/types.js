// The shapes of the messages of docs/server.md, for the type checker. Nothing here runs.

/**
 * @typedef {{name: string, title: string, about: string, language: string, players: string[], squares: number, shape: string, source?: string, game?: string}} GameInfo
 * @typedef {{name: string} | {text: string, language?: string}} Reference
 * @typedef {{name: string, about: string, type: string, default: any, least?: number, most?: number, names?: string[]}} PlayerOption
 * @typedef {{name: string, about: string, options: PlayerOption[], game?: string, run?: string}} PlayerKind
 * @typedef {{level: number, name: string, player: string}} Level
 * @typedef {{kinds: PlayerKind[], levels: Level[]}} Players
 * @typedef {{start: number, end: number, text: string}} Fix
 * @typedef {{id: string, severity: "error" | "warning", message: string, start: number, end: number, line: number, column: number, end_line: number, end_column: number, label?: string, help?: string, fix?: Fix}} Diagnostic
 * @typedef {{name: string, x: number, y: number}} SquareInfo
 * @typedef {{name: string, symbol: string, owner: number | null, empty: boolean}} PieceInfo
 * @typedef {{svg: string, width: number, height: number, room: number, squares: SquareInfo[], pieces: PieceInfo[], players: {name: string, colour: string}[], hands: boolean, chance: boolean, game: string}} BoardInfo
 * @typedef {{results: number[], winner: number | null, reason: string}} Over
 * @typedef {{pieces: number[], hands: [number, number][][], counters: {name: string, value: number}[], player: number | null, over: Over | null, text: string, last: number[]}} Position
 * @typedef {{ok: boolean, language: string, diagnostics: Diagnostic[], message?: string, board?: BoardInfo, position?: Position}} Checked
 * @typedef {{heading: string, number?: string | null, text: string, score?: number, diagram?: string}} GuidePiece
 * @typedef {{title: string, setting: string[], pieces: GuidePiece[], sections: {heading: string, sentences: string[]}[], score?: any}} Guide
 * @typedef {{id: string, game: {name?: string, title: string, language: string, source: string}, board: BoardInfo}} MatchInfo
 * @typedef {{id: number, parent: number | null, move: string, player: number, value?: number | null}} TreeNode
 * @typedef {{player: string, mine: boolean, free: boolean}} Seat
 * @typedef {{type: "state", version: number, node: number, nodes: TreeNode[], position: Position, seats: Seat[], may_play: boolean, thinking: number | null, analyzing: boolean, learning: boolean, viewers: number, notice: string | null}} StateMessage
 * @typedef {{action: number, square: number | null, piece: number | null, text: string}} Choice
 * @typedef {{type: "choices", seq?: number, node: number, actions: number[], pieces: number[], choices: Choice[], complete: boolean, landings: {square: number, moves: string[]}[]}} ChoicesMessage
 * @typedef {{move: string, squares: number[], visits: number, value: number, bound: boolean}} RatedMove
 * @typedef {{type: "evaluation", node: number, values: number[], ends_in?: number | null, line: string[], moves: RatedMove[], depth?: number, iterations?: number, per_second?: number, seconds?: number, seat: number | null, player: string, about: string | null}} EvaluationMessage
 * @typedef {{player: string, wins: number, draws: number, losses: number, points: number, low: number, high: number}} SeriesScore
 * @typedef {{players: number[], results: number[], plies: number, reason: string}} SeriesResult
 * @typedef {{id: string, games: number, played: number, over: boolean, learning: boolean, scores: SeriesScore[], seats: number[], drawn: number, plies: {mean: number, least: number | null, most: number | null}, choices: number, results: SeriesResult[], notice: string | null}} Series
 * @typedef {{name: string, owner: number, worth: number, svg: string | null}} PieceWorth
 * @typedef {{sentences: string[], pieces: PieceWorth[]}} Worth
 * @typedef {{type: "refused", seq?: number, id: string, message: string}} RefusedMessage
 */

export {};
