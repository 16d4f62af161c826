//! A game to an automaton.
//!
//! ```text
//! begin ─ goals, turn limit ─▶ ->white ─┬─ piece ─ lift ─ movement ─▶ ->> ─ put down, promote ─▶ begin of black
//!   ▲                                   └─ hand ─ place ───────────▶ ->> ─ hand - 1 ──────────▶
//!   └── owed: the piece under the cursor is promoted first
//! ```
//!
//! A move is written by the square where the piece is lifted, those where it captures, and the one where it lands, which is
//! what its notation says ([`super::Deed`]); what follows from that is done by the keeper. A piece whose promotion the other
//! player decides waits under the cursor, which is a part of the state only where it is needed.
//!
//! - [`turns`]: what comes before a move and after it; goals, setup, hands
//! - [`ways`]: movements along one direction
//! - [`captures`]: the ways in which a kind of piece captures
//! - [`powers`]: its moves and captures
//! - [`marks`]: captures that two ways could make alike

mod captures;
mod marks;
mod powers;
mod turns;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{
    Action, Automaton, Board, Draft, Edge, Expression, Hand, Looks, Modifier, Node, Operator,
    Origin, Pattern, PatternInfo, Piece, PieceKind, PieceSet, Player, Reason, Relation, Square,
    SquareSet, Table, Variable, VariableInfo, WalkTable,
};

use super::check::reachable;
use super::game::{Assigner, Effect, Game, Kind, Place, Promotion, Setup, Side, Who};
use super::notation::{Deed, Deeds};
use crate::{looks, rectangle};

const EMPTY: Piece = Piece(0);
/// Turns played; the variables before it are the scores.
const TURNS: Variable = Variable(2);
/// What the winner gets; a draw is half of it.
const WIN: i32 = 100;
/// The most nodes of an automaton.
const MAX_NODES: usize = 200_000;

/// Why a game has no automaton.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::NotLowered;
///
/// assert_eq!(NotLowered::TooLarge.to_string(), "the rules need more than 200000 steps");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotLowered {
    /// The automaton would be too large.
    TooLarge,
    /// The automaton breaks its invariants; a bug.
    Internal(String),
}

impl std::fmt::Display for NotLowered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotLowered::TooLarge => write!(f, "the rules need more than {MAX_NODES} steps"),
            NotLowered::Internal(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for NotLowered {}

/// The game as a verified automaton, with what the steps of its moves mean.
///
/// # Errors
///
/// Returns an error if the automaton would be too large.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, metagame};
///
/// # let text = "GAME walk GOALS STALEMATE opponent BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE END GAME.";
/// let (game, _) = metagame::check(&Source::new("walk.game", text));
/// let (automaton, _notation) = metagame::lower(&game.expect("no errors")).expect("a small game");
/// assert_eq!(automaton.players.len(), 2);
/// ```
pub fn lower(game: &Game) -> Result<(Automaton, Deeds), NotLowered> {
    let mut lowering = Lowering::new(game);
    lowering.game();
    if lowering.is_too_large {
        return Err(NotLowered::TooLarge);
    }
    let Lowering { draft, deeds, .. } = lowering;
    let automaton = draft.verify();
    let automaton = automaton.map_err(|violations| NotLowered::Internal(violations.to_string()))?;
    Ok((automaton, deeds))
}

/// The pieces of the automaton.
struct MetagamePieces {
    names: Vec<String>,
    /// By side and kind; `None` if it is never on the board.
    of: [Vec<Option<Piece>>; 2],
    /// The kinds whose captures are marked first, see [`captures::needs_marks`].
    marked: BTreeSet<Kind>,
    marks: Option<Marks>,
}

/// Pieces that are on the board only while a capture is worked out, see [`marks`].
#[derive(Clone)]
struct Marks {
    /// Where the capturing piece came from.
    origin: Piece,
    /// Where it lands.
    landed: Piece,
    /// What is captured, by what it is.
    taken: BTreeMap<Piece, Piece>,
    /// What another way captures as well: what that way can hop over, and what it cannot.
    seen: [Piece; 2],
}

impl MetagamePieces {
    fn new(game: &Game) -> MetagamePieces {
        let mut names = vec!["empty".to_owned()];
        let mut push = |name: String| {
            names.push(name);
            Piece(names.len() as u32 - 1)
        };
        let present = reachable(game);
        let of = Side::BOTH.map(|side| {
            let pieces = game.kinds.iter().enumerate().map(|(kind, piece)| {
                present.contains(&kind).then(|| push(format!("{}_{}", side.name(), piece.name)))
            });
            pieces.collect::<Vec<Option<Piece>>>()
        });
        let marked: BTreeSet<Kind> =
            present.into_iter().filter(|kind| captures::needs_marks(game, *kind)).collect();
        let marks = (!marked.is_empty()).then(|| Marks {
            origin: push("from".to_owned()),
            landed: push("landed".to_owned()),
            seen: [push("seen".to_owned()), push("seen_too".to_owned())],
            taken: Side::BOTH
                .into_iter()
                .flat_map(|side| of[side as usize].iter().flatten().copied())
                .map(|piece| (piece, push(format!("taken{}", piece.0))))
                .collect(),
        });
        MetagamePieces { names, of, marked, marks }
    }
}

struct Lowering<'a> {
    game: &'a Game,
    pieces: MetagamePieces,
    draft: Draft,
    deeds: Deeds,
    modifiers: u32,
    /// Whether patterns are being lowered, whose writes are not part of moves.
    in_pattern: bool,
    is_too_large: bool,
    /// From everywhere to everywhere.
    anywhere: Table,
    /// How many pieces of a kind a side has in its hand.
    hands: BTreeMap<(Side, Kind), Variable>,
    /// Where a turn begins, by side; and where one begins with the promotion of the piece under the cursor.
    begin: [Node; 2],
    begin_owed: [Node; 2],
    /// Where the game is over, by the reason.
    over: BTreeMap<String, Node>,
    /// What can be asked several times.
    captures: BTreeMap<(Side, Kind), Pattern>,
    moves: BTreeMap<(Side, bool), Pattern>,
    nodes_of: powers::Nodes,
    /// The tables of leaps.
    leaps: BTreeMap<(i32, i32), Table>,
}

impl<'a> Lowering<'a> {
    fn new(game: &'a Game) -> Lowering<'a> {
        let pieces = MetagamePieces::new(game);
        let meanings = Side::BOTH.into_iter().flat_map(|side| {
            let kinds = pieces.of[side as usize].iter().enumerate();
            kinds.filter_map(move |(kind, piece)| piece.map(|piece| (piece, (side, kind))))
        });
        let deeds = Deeds::new(game, meanings.collect());
        let score = |side: Side| VariableInfo { name: side.name().to_owned(), bound: WIN };
        let bound = i32::try_from(game.turn_limit).unwrap_or(i32::MAX);
        let mut variables = vec![VariableInfo { name: "turns".to_owned(), bound }];
        let (mut hands, mut shown_hands) = (BTreeMap::new(), Vec::new());
        for (side, kind) in held(game) {
            if let Some(piece) = pieces.of[side as usize][kind] {
                let name = format!("{}_hand_{}", side.name(), game.kinds[kind].name);
                let bound = i32::try_from(game.piece_count()).unwrap_or(i32::MAX);
                let variable = Variable(2 + variables.len() as u32);
                hands.insert((side, kind), variable);
                shown_hands.push(Hand { variable, piece });
                variables.push(VariableInfo { name, bound });
            }
        }
        let players = Side::BOTH.map(score).to_vec();
        let board = board(game, &pieces);
        let mut draft = Draft::new(players, variables, pieces.names.clone(), board);
        let squares = draft.board.squares.keys().collect();
        let anywhere = draft.tables.push(WalkTable::Everywhere(squares));
        draft.shuffle = shuffle(game);
        draft.looks = looks_of(game, &pieces);
        draft.looks.hands = shown_hands;
        let begin = Side::BOTH.map(|_| draft.add_node());
        let begin_owed = Side::BOTH.map(|_| draft.add_node());
        Lowering {
            game,
            pieces,
            draft,
            deeds,
            modifiers: 0,
            in_pattern: false,
            is_too_large: false,
            anywhere,
            hands,
            begin,
            begin_owed,
            over: BTreeMap::new(),
            captures: BTreeMap::new(),
            moves: BTreeMap::new(),
            nodes_of: powers::Nodes::default(),
            leaps: BTreeMap::new(),
        }
    }

    fn add_node(&mut self) -> Node {
        self.is_too_large |= self.draft.nodes.len() >= MAX_NODES;
        // What comes now is thrown away.
        if self.is_too_large { Node(0) } else { self.draft.add_node() }
    }

    fn edge(&mut self, from: Node, action: Action, target: Node, origin: Option<Origin>) {
        if self.is_too_large {
            return;
        }
        let modifier = (action.is_modifier() && !self.in_pattern).then(|| {
            self.modifiers += 1;
            Modifier(self.modifiers)
        });
        self.draft.add_edge(from, Edge { action, modifier, target, origin });
    }

    /// An edge to a new node.
    fn then(&mut self, from: Node, action: Action, origin: Option<Origin>) -> Node {
        let target = self.add_node();
        self.edge(from, action, target, origin);
        target
    }

    /// A write or an end of a move that its notation mentions.
    fn act(
        &mut self,
        from: Node,
        action: Action,
        deed: Deed,
        target: Node,
        origin: Option<Origin>,
    ) {
        self.edge(from, action, target, origin);
        if !self.in_pattern {
            self.deeds.insert(Modifier(self.modifiers), deed);
        }
    }

    fn skip(&mut self, from: Node, target: Node) {
        self.edge(from, Action::Skip, target, None);
    }

    /// Adds an edge that tests the piece under the cursor; adds none if the set is empty.
    fn on(&mut self, from: Node, set: &PieceSet, target: Node, origin: Option<Origin>) {
        if !set.is_empty() {
            self.edge(from, Action::On(set.clone()), target, origin);
        }
    }

    fn assign(&mut self, from: Node, variable: Variable, value: Expression) -> Node {
        self.then(from, Action::Assign(variable, value), None)
    }

    /// Adds to a variable.
    fn add(&mut self, from: Node, variable: Variable, number: i32, target: Node) {
        let value = Expression::binary(
            if number < 0 { Operator::Subtract } else { Operator::Add },
            Expression::Variable(variable),
            Expression::Constant(number.abs()),
        );
        self.edge(from, Action::Assign(variable, value), target, None);
    }

    fn compare(&mut self, from: Node, value: Expression, relation: Relation, number: i32) -> Node {
        let action = Action::Compare(value, relation, Expression::Constant(number));
        self.then(from, action, None)
    }

    /// A pattern that the function lowers between two nodes.
    fn pattern(&mut self, lower: impl FnOnce(&mut Self, Node, Node)) -> Pattern {
        let (start, accept) = (self.add_node(), self.add_node());
        let outside = std::mem::replace(&mut self.in_pattern, true);
        lower(self, start, accept);
        self.in_pattern = outside;
        self.draft.patterns.push(PatternInfo { start, accept })
    }

    /// A piece of a side; `None` if it is never on the board.
    fn piece(&self, side: Side, kind: Kind) -> Option<Piece> {
        self.pieces.of[side as usize][kind]
    }

    fn described(&self, what: &super::game::Description, side: Side) -> PieceSet {
        let pieces = self.game.described(what, side);
        pieces.filter_map(|(owner, kind)| self.piece(owner, kind)).collect()
    }

    fn square(&self, place: Place) -> Square {
        square(self.game, place)
    }

    /// The squares for which a condition holds, and the others.
    fn squares(&self, holds: impl Fn(Place) -> bool) -> [SquareSet; 2] {
        let (yes, no): (Vec<Place>, Vec<Place>) =
            self.game.board.places().partition(|place| holds(*place));
        [yes, no].map(|places| places.into_iter().map(|place| self.square(place)).collect())
    }
}

/// The sum of all values; 0 if there are none.
fn sum(values: impl Iterator<Item = Expression>) -> Expression {
    let sum = values.reduce(|left, right| Expression::binary(Operator::Add, left, right));
    sum.unwrap_or(Expression::Constant(0))
}

/// Who can have which kinds of pieces in his hand.
fn held(game: &Game) -> Vec<(Side, Kind)> {
    let mut found = BTreeSet::new();
    if let Setup::Assigned { by: Assigner::Player | Assigner::Opponent, pieces, .. } = &game.setup {
        found.extend(
            Side::BOTH.into_iter().flat_map(|side| pieces.iter().map(move |kind| (side, *kind))),
        );
    }
    for kind in reachable(game) {
        for capture in &game.kinds[kind].capturing {
            let Effect::Possess(who) = capture.effect else { continue };
            for mover in Side::BOTH {
                let receiver = who.seen_by(mover);
                found
                    .extend(game.described(&capture.what, mover).map(|(_, kind)| (receiver, kind)));
            }
        }
    }
    found.into_iter().collect()
}

/// What people are told about the pieces.
fn looks_of(game: &Game, pieces: &MetagamePieces) -> Looks {
    let players = Side::BOTH.map(Side::name);
    let mut looks = looks::guess(players, pieces.names.iter().map(String::as_str));
    let symbols = game.symbols();
    for side in Side::BOTH {
        for (kind, piece) in pieces.of[side as usize].iter().enumerate() {
            let Some(piece) = piece else { continue };
            let symbol = &symbols[kind];
            let look = &mut looks.pieces[*piece];
            look.owner = Some(Player(side as u32));
            let words: Vec<&str> =
                game.kinds[kind].name.split('_').filter(|w| !w.is_empty()).collect();
            look.name = format!("{} {}", side.name(), words.join(" ")).trim().to_owned();
            look.kind = looks::kind(&look.name);
            look.symbol = match side {
                Side::White => symbol.to_uppercase(),
                Side::Black => symbol.clone(),
            };
        }
    }
    for mark in pieces.marks.iter().flat_map(Marks::all) {
        let look = &mut looks.pieces[mark];
        look.owner = None;
        "mark".clone_into(&mut look.name);
        look.kind = PieceKind::Token;
    }
    looks
}

impl Marks {
    fn all(&self) -> impl Iterator<Item = Piece> {
        [self.origin, self.landed].into_iter().chain(self.seen).chain(self.taken.values().copied())
    }
}

fn square(game: &Game, (x, y): Place) -> Square {
    Square((game.board.height - y) * game.board.width + x - 1)
}

/// Where chance puts the pieces of white, each with the square where it puts the same piece of black.
fn shuffle(game: &Game) -> Vec<Vec<Square>> {
    let Setup::Assigned { by: Assigner::Random, squares, .. } = &game.setup else {
        return Vec::new();
    };
    let both = |place: &Place| Side::BOTH.map(|side| square(game, game.board.seen(*place, side)));
    squares.iter().map(|place| both(place).to_vec()).collect()
}

fn board(game: &Game, pieces: &MetagamePieces) -> Board {
    let position = game.position();
    let piece = |place: Place| {
        let content = position.get(&place);
        content.and_then(|(side, kind)| pieces.of[*side as usize][*kind]).unwrap_or(EMPTY)
    };
    let shape =
        if game.board.is_cylinder { rectangle::Edges::Cylinder } else { rectangle::Edges::Plane };
    rectangle::board(game.board.width, game.board.height, shape, game.board.places().map(piece))
}

/// What a piece becomes: what the keeper makes of it, who chooses, and the options.
enum Becomes {
    /// This, by itself.
    Fixed(Piece),
    /// What the mover chooses.
    Chosen(Vec<(Side, Kind)>),
    /// What the other player chooses at the beginning of his turn.
    Owed,
}

impl Lowering<'_> {
    /// What a piece of a side becomes in its territory.
    fn becomes(&self, side: Side, kind: Kind, piece: Piece) -> Becomes {
        match &self.game.kinds[kind].promoting {
            Promotion::To(next) => Becomes::Fixed(self.piece(side, *next).unwrap_or(piece)),
            Promotion::Choice { by, options } => {
                let options: Vec<(Side, Kind)> = self.game.described(options, side).collect();
                match by {
                    Who::Player if options == [(side, kind)] => Becomes::Fixed(piece),
                    Who::Player => Becomes::Chosen(options),
                    Who::Opponent => Becomes::Owed,
                }
            }
        }
    }

    fn reason(&mut self, text: String) -> Node {
        let draft = &mut self.draft;
        *self.over.entry(text).or_insert_with_key(|text| {
            let over = draft.add_node();
            draft.endings.at.insert(over, Reason { text: text.clone(), drawn: None });
            over
        })
    }
}
