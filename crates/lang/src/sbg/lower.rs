//! A game to an automaton, from the minimal automata of its pieces.
//!
//! ```text
//!            any square     lift        word of the rule        keeper: put down    goals, turn limit
//! ->white ──────────────▶ {whiteP} ─▶ [empty] ─▶ … ─▶ ->> ─▶ [whiteP] ─▶ … ─▶ ->black
//! ```
//!
//! A move is written by its first and its last square alone, which is what SBG takes for the same move. A piece whose
//! words can lead over its own square must be seen there: it leaves the piece `moving` behind, which counts as its
//! owner's and is taken away at the end of the move. Before a player is in control the scores say that he has lost, for
//! that is what having no move means.

use std::collections::BTreeMap;

use regulus_automaton::verify::is_text;
use regulus_automaton::{
    Action, Automaton, Board, Draft, Edge, Expression, Looks, Modifier, Node, Operator, Origin,
    Piece, PieceKind, PieceSet, Player, Reason, Relation, SquareSet, Table, Variable, VariableInfo,
    Violations, WalkTable,
};

use super::game::{Game, Goal, Kind, On, Rule};
use crate::diagnostics::counted;
use crate::side::Side;
use crate::{looks, rectangle};

const EMPTY: Piece = Piece(0);
/// Half-moves played; the variables before it are the scores.
const TURNS: Variable = Variable(2);
/// What the winner gets; a draw is half of it.
const WIN: i32 = 100;

/// The game as a verified automaton.
///
/// # Errors
///
/// The violated invariants; a checked game has none.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, sbg};
///
/// # let text = "<<Duel>> <BOARD> 2 3 |kk| |..| |KK|
/// #     <PIECES> K (0,1,e) + (0,1,p) & <GOALS> 20 & @K 0 2, 1 2 & @k 0 0, 1 0 &";
/// let (game, _) = sbg::check(&Source::new("duel.sbg", text));
/// let automaton = sbg::lower(&game.expect("no errors")).expect("a verified automaton");
/// assert_eq!(automaton.players.len(), 2);
/// ```
pub fn lower(game: &Game) -> Result<Automaton, Violations> {
    Lowering::new(game).finish()
}

/// The pieces of the automaton.
struct SbgPieces {
    names: Vec<String>,
    /// The piece of the automaton, by side and type; `None` if it is never on the board.
    of: [Vec<Option<Piece>>; 2],
    /// What a piece leaves behind that must still be seen where it was.
    moving: Option<Piece>,
}

impl SbgPieces {
    fn new(game: &Game) -> SbgPieces {
        let mut pieces = SbgPieces {
            names: vec!["empty".to_owned()],
            of: [Vec::new(), Vec::new()],
            moving: None,
        };
        for side in Side::BOTH {
            for (kind, piece) in game.pieces.iter().enumerate() {
                let present = game.count(side, kind) > 0;
                pieces.of[side as usize].push(present.then(|| {
                    pieces_push(&mut pieces.names, format!("{}{}", side.name(), piece.letter))
                }));
            }
        }
        let mut rules = game.pieces.iter().filter_map(|piece| piece.rule.as_ref());
        if rules.any(|rule| rule.returns) {
            pieces.moving = Some(pieces_push(&mut pieces.names, "moving".to_owned()));
        }
        pieces
    }

    fn all(&self, side: Side) -> PieceSet {
        self.of[side as usize].iter().flatten().copied().collect()
    }

    /// What passes a test in the turn of a side.
    fn on(&self, on: On, mover: Side) -> PieceSet {
        match on {
            On::Empty => PieceSet::from_iter([EMPTY]),
            On::Opponent => self.all(mover.other()),
            On::Own => self.all(mover).iter().chain(self.moving).collect(),
        }
    }
}

fn pieces_push(names: &mut Vec<String>, name: String) -> Piece {
    names.push(name);
    Piece(names.len() as u32 - 1)
}

struct Lowering<'a> {
    game: &'a Game,
    pieces: SbgPieces,
    draft: Draft,
    modifiers: u32,
    /// From everywhere to everywhere.
    anywhere: Table,
    /// Where the game is over, by the reason.
    over: BTreeMap<String, Node>,
}

impl<'a> Lowering<'a> {
    fn new(game: &'a Game) -> Lowering<'a> {
        let pieces = SbgPieces::new(game);
        let score = |side: Side| VariableInfo { name: side.name().to_owned(), bound: WIN };
        let bound = i32::try_from(game.turn_limit).unwrap_or(i32::MAX);
        let turns = VariableInfo { name: "turns".to_owned(), bound };
        let players = Side::BOTH.map(score).to_vec();
        let board = board(game, &pieces);
        let mut draft = Draft::new(players, vec![turns], pieces.names.clone(), board);
        let squares = draft.board.squares.keys().collect();
        let anywhere = draft.tables.push(WalkTable::Everywhere(squares));
        draft.looks = looks(game, &pieces);
        let text = "{stuck} has no legal move".to_owned();
        draft.endings.stuck = Some(Reason { text, drawn: None });
        Lowering { game, pieces, draft, modifiers: 0, anywhere, over: BTreeMap::new() }
    }

    fn finish(mut self) -> Result<Automaton, Violations> {
        let start = self.draft.start;
        if self.game.turn_limit == 0 {
            self.end(start, None, None, self.turn_limit());
            return self.draft.verify();
        }
        let turns = Side::BOTH.map(|_| self.draft.add_node());
        self.edge(start, Action::Skip, turns[0], None);
        for side in Side::BOTH {
            self.turn(side, turns[side as usize], turns[side.other() as usize]);
        }
        self.draft.verify()
    }

    fn edge(&mut self, from: Node, action: Action, target: Node, origin: Option<Origin>) {
        let modifier = action.is_modifier().then(|| {
            self.modifiers += 1;
            Modifier(self.modifiers)
        });
        self.draft.add_edge(from, Edge { action, modifier, target, origin });
    }

    /// An edge to a new node.
    fn then(&mut self, from: Node, action: Action, origin: Option<Origin>) -> Node {
        let target = self.draft.add_node();
        self.edge(from, action, target, origin);
        target
    }

    fn assign(
        &mut self,
        from: Node,
        variable: Variable,
        value: i32,
        origin: Option<Origin>,
    ) -> Node {
        self.then(from, Action::Assign(variable, Expression::Constant(value)), origin)
    }

    fn scores(&mut self, from: Node, winner: Option<Side>, origin: Option<Origin>) -> Node {
        let value =
            |side: Side| winner.map_or(WIN / 2, |winner| if winner == side { WIN } else { 0 });
        let at = self.assign(from, Variable(0), value(Side::White), origin);
        self.assign(at, Variable(1), value(Side::Black), origin)
    }

    fn end(&mut self, from: Node, winner: Option<Side>, origin: Option<Origin>, reason: String) {
        let at = self.scores(from, winner, origin);
        let draft = &mut self.draft;
        let over = *self.over.entry(reason).or_insert_with_key(|reason| {
            let over = draft.add_node();
            draft.endings.at.insert(over, Reason { text: reason.clone(), drawn: None });
            over
        });
        self.edge(at, Action::Keeper, over, origin);
    }

    fn turn_limit(&self) -> String {
        format!("the limit of {} was reached", counted(self.game.turn_limit as usize, "turn"))
    }

    /// A side's turn, from before it begins to before the other's begins.
    fn turn(&mut self, side: Side, from: Node, next: Node) {
        let at = self.scores(from, Some(side.other()), None);
        let player = Player(side as u32);
        let chooses = self.then(at, Action::Turn(player), None);
        let anywhere = self.then(chooses, Action::Walk(self.anywhere), None);
        let after = self.draft.add_node();
        for kind in 0..self.game.pieces.len() {
            if let (Some(piece), Some(rule)) =
                (self.pieces.of[side as usize][kind], &self.game.pieces[kind].rule)
            {
                self.piece(side, kind, piece, rule, anywhere, after);
            }
        }
        self.after_move(side, after, next);
    }

    /// All moves of one type of piece.
    fn piece(
        &mut self,
        side: Side,
        kind: Kind,
        piece: Piece,
        rule: &Rule,
        from: Node,
        after: Node,
    ) {
        let origin = Some(rule.origin);
        let moving = self.pieces.moving.filter(|_| rule.returns);
        let found = self.then(from, Action::On(PieceSet::from_iter([piece])), origin);
        let machine = &rule.machines.minimal;
        let states: Vec<Node> = (0..machine.len()).map(|_| self.draft.add_node()).collect();
        self.edge(found, Action::Put(moving.unwrap_or(EMPTY)), states[machine.start], origin);
        let arrived = self.draft.add_node();
        for (state, &node) in states.iter().enumerate() {
            for (letter, to) in machine.letters(state) {
                let rows = if side == Side::White { letter.y } else { -letter.y };
                let mut at = node;
                for direction in rectangle::way(letter.x, rows) {
                    at = self.then(at, Action::Shift(direction), origin);
                }
                let test = Action::On(self.pieces.on(letter.on, side));
                self.edge(at, test, states[to], origin);
            }
            if machine.accepts[state] {
                self.edge(node, Action::Skip, arrived, origin);
            }
        }
        let keeper = self.then(arrived, Action::Keeper, origin);
        let put = self.then(keeper, Action::Put(piece), origin);
        let mut on = put;
        let targets = self.game.targets(side, kind);
        if !targets.is_empty() {
            on = self.draft.add_node();
            let squares = |wanted: bool| -> SquareSet {
                let squares = self.draft.board.squares.iter().filter(|(_, info)| {
                    let place = (info.x as u32, self.game.height - 1 - info.y as u32);
                    targets.binary_search(&place).is_ok() == wanted
                });
                squares.map(|(square, _)| square).collect()
            };
            let (reached, others) = (squares(true), squares(false));
            let reached = self.then(put, Action::At(reached), origin);
            let cleared = self.clear(reached, moving, origin);
            self.end(cleared, Some(side), origin, reached_goal(self.game, side, kind, &targets));
            self.edge(put, Action::At(others), on, origin);
        }
        let cleared = self.clear(on, moving, origin);
        self.edge(cleared, Action::Skip, after, origin);
    }

    /// Takes away what a piece left behind, unless it came back there.
    fn clear(&mut self, from: Node, moving: Option<Piece>, origin: Option<Origin>) -> Node {
        let Some(moving) = moving else { return from };
        let cleared = self.draft.add_node();
        let count = |relation| {
            Action::Compare(Expression::Count(moving), relation, Expression::Constant(0))
        };
        self.edge(from, count(Relation::Equal), cleared, origin);
        let left = self.then(from, count(Relation::Greater), origin);
        let anywhere = self.then(left, Action::Walk(self.anywhere), origin);
        let found = self.then(anywhere, Action::On(PieceSet::from_iter([moving])), origin);
        self.edge(found, Action::Put(EMPTY), cleared, origin);
        cleared
    }

    /// The goals that count pieces, the opponent's first; then the turn limit.
    fn after_move(&mut self, mover: Side, from: Node, next: Node) {
        let mut at = from;
        for loser in [mover.other(), mover] {
            for goal in &self.game.goals {
                let Goal::Count { side, kind, count, origin } = goal else { continue };
                if *side != loser {
                    continue;
                }
                // A piece that is not there at the beginning is never there.
                let number = match self.pieces.of[loser as usize][*kind] {
                    Some(piece) => Expression::Count(piece),
                    None => Expression::Constant(0),
                };
                // Counts are below the number of squares, so that greater numbers are never reached.
                let limit = i32::try_from(*count).unwrap_or(i32::MAX);
                let test = |relation| {
                    Action::Compare(number.clone(), relation, Expression::Constant(limit))
                };
                let reached = self.then(at, test(Relation::Equal), Some(*origin));
                let reason = few_left(self.game, loser, *kind, *count);
                self.end(reached, Some(loser.other()), Some(*origin), reason);
                at = self.then(at, test(Relation::NotEqual), Some(*origin));
            }
        }
        let one_more =
            Expression::binary(Operator::Add, Expression::Variable(TURNS), Expression::Constant(1));
        let at = self.then(at, Action::Assign(TURNS, one_more), None);
        let limit = i32::try_from(self.game.turn_limit).unwrap_or(i32::MAX);
        let played = |relation| {
            Action::Compare(Expression::Variable(TURNS), relation, Expression::Constant(limit))
        };
        let drawn = self.then(at, played(Relation::Equal), None);
        self.end(drawn, None, None, self.turn_limit());
        self.edge(at, played(Relation::NotEqual), next, None);
    }
}

/// What people are told about the pieces: their owners, and the names that comments give them.
fn looks(game: &Game, pieces: &SbgPieces) -> Looks {
    let players = Side::BOTH.map(Side::name);
    let mut looks = looks::guess(players, pieces.names.iter().map(String::as_str));
    for side in Side::BOTH {
        for (kind, piece) in pieces.of[side as usize].iter().enumerate() {
            let Some(piece) = piece else { continue };
            let look = &mut looks.pieces[*piece];
            look.owner = Some(Player(side as u32));
            look.name = format!("{} {}", side.name(), name(game, kind));
            look.kind = looks::kind(&look.name);
        }
    }
    if let Some(moving) = pieces.moving {
        let look = &mut looks.pieces[moving];
        look.owner = None;
        "moving piece".clone_into(&mut look.name);
        look.kind = PieceKind::Token;
    }
    looks
}

/// What people call a type of piece.
fn name(game: &Game, kind: Kind) -> String {
    let piece = &game.pieces[kind];
    let name = piece.name.as_deref().map(str::trim).filter(|name| is_text(name));
    name.map_or_else(|| piece.letter.to_string(), str::to_owned)
}

/// Why a side wins that has moved a piece to one of its goals.
fn reached_goal(game: &Game, side: Side, kind: Kind, squares: &[(u32, u32)]) -> String {
    let last_row = match side {
        Side::White => game.height - 1,
        Side::Black => 0,
    };
    let is_last_row = squares.iter().all(|(_, row)| *row == last_row);
    let goal = if is_last_row { "the last row" } else { "its goal" };
    format!("{}'s {} reached {goal}", side.name(), name(game, kind))
}

/// Why a side loses that has exactly this many pieces of a type.
fn few_left(game: &Game, side: Side, kind: Kind, count: u32) -> String {
    let (side, name) = (side.name(), name(game, kind));
    match count {
        0 => format!("{side} has no {name} left"),
        1 => format!("{side} has only 1 {name} left"),
        _ => format!("{side} has only {count} {} left", plural(&name)),
    }
}

/// The plural of the name of a piece.
fn plural(name: &str) -> String {
    let consonant_y = || {
        let before = name.chars().rev().nth(1);
        name.ends_with('y') && before.is_some_and(|c| !"aeiou".contains(c))
    };
    if name.ends_with("sheep") {
        name.to_owned()
    } else if let Some(start) = name.strip_suffix("man") {
        format!("{start}men")
    } else if let Some(start) = name.strip_suffix('f') {
        format!("{start}ves")
    } else if ["s", "x", "ch", "sh"].iter().any(|ending| name.ends_with(ending)) {
        format!("{name}es")
    } else if consonant_y() {
        format!("{}ies", &name[..name.len() - 1])
    } else {
        format!("{name}s")
    }
}

fn board(game: &Game, pieces: &SbgPieces) -> Board {
    let piece = |content: &Option<(Side, Kind)>| {
        content.and_then(|(side, kind)| pieces.of[side as usize][kind]).unwrap_or(EMPTY)
    };
    rectangle::board(
        game.width,
        game.height,
        rectangle::Edges::Plane,
        game.position.iter().map(piece),
    )
}
