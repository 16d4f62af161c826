//! The segment program: the automaton cut at its writes.
//!
//! Between two writes nothing changes but the cursor. So all that can happen after a write (or at the start of a move or
//! a pattern) and before the next one is a function from the cursor and the board to sets of squares: for each write or
//! end of move that comes next, the squares where it can come. Such a stretch is a [`Stage`]. It is computed with whole
//! sets: a node of the automaton becomes a *slot* that holds the squares it is reached on, an edge becomes a [`Transfer`]
//! from slot to slot, in an order in which every slot is complete before it is read; loops are repeated until nothing is
//! added, unless they only go along a line, for which there are [`Ray`]s.
//!
//! Because slots hold sets, a move is found once however many ways lead to it.
//!
//! A check asked for many squares at once is computed backwards: from acceptance, against the arrows, to the set of all
//! squares where the pattern succeeds ([`Survey`]).
//!
//! The program says nothing of how wide sets are or how they are computed: engines do.

mod build;
mod continuation;
mod cost;
mod feasible;
mod interned;
mod ray;
mod skips;
mod watch;

use regulus_automaton::{
    Action, Automaton, Direction, Expression, IdVec, Modifier, Node, Origin, Pattern, Piece,
    PieceSet, Register, Relation, SquareSet, Table,
};

use crate::plan::NotPlanned;

pub use cost::Costs;
pub use ray::Ray;

/// A place for a set of squares, within a stage.
///
/// # Examples
///
/// ```
/// use regulus_engine::segment::{CURSOR, Segments};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// for stage in &segments.stages {
///     assert!(CURSOR < stage.slots);
///     assert!(stage.exits.iter().all(|exit| exit.slot < stage.slots));
/// }
/// ```
pub type Slot = u32;

/// The slot of the cursor, where a stage begins.
pub const CURSOR: Slot = 0;

/// The whole program.
///
/// # Examples
///
/// ```
/// use regulus_engine::segment::Segments;
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let first = segments.stage_of[automaton.start].expect("a stage begins where the rules do");
/// assert!(!segments.stages[first as usize].exits.is_empty());
/// ```
#[derive(Debug)]
pub struct Segments {
    /// All stages.
    pub stages: Vec<Stage>,
    /// The stage that begins at a node: for those after a write, after a turn, and where rules and patterns begin.
    pub stage_of: IdVec<Node, Option<u32>>,
    /// What is known of each pattern.
    pub patterns: IdVec<Pattern, PatternCode>,
    /// The patterns that can be computed backwards.
    pub surveys: Vec<Survey>,
    /// The lines that loops go along.
    pub rays: Vec<Ray>,
    /// Modifiers that end a move together.
    pub finishes: Vec<Vec<Modifier>>,
    /// The sets of pieces that are tested for.
    pub piece_sets: Vec<PieceSet>,
    /// The sets of squares that are tested for, or walked to from anywhere.
    pub square_sets: Vec<SquareSet>,
    /// The patterns that are evaluated once for many moves.
    pub watches: Vec<Watch>,
    /// The comparisons, and the pairs of coordinates that are jumped to.
    pub pairs: Vec<Pair>,
    /// How much everything can take at most.
    pub costs: Costs,
}

/// All that can happen from one node until the next write.
///
/// # Examples
///
/// ```
/// use regulus_engine::segment::Segments;
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// // Before `->one`, from there to `[x]`, from there to `->>`, and what is behind it, which leads nowhere.
/// let exits: Vec<usize> = segments.stages.iter().map(|stage| stage.exits.len()).collect();
/// assert_eq!(exits, [1, 1, 1, 0]);
/// assert!(segments.stages.iter().all(|stage| stage.accept.is_none()), "there are no patterns");
/// ```
#[derive(Debug)]
pub struct Stage {
    /// What is computed, in order.
    pub operations: Vec<Operation>,
    /// How many slots there are.
    pub slots: u32,
    /// The writes and ends of moves that come next.
    pub exits: Vec<Exit>,
    /// In a pattern, the slot that says by not being empty that the pattern has succeeded.
    pub accept: Option<Slot>,
    /// Whether the cursor's slot holds nothing but the cursor all the time.
    pub keeps_cursor: bool,
    /// The watches that moves from here on may ask, by number.
    pub watches: Vec<u32>,
}

/// A write or an end of move, at every square of a slot.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Action, Piece, Player};
/// use regulus_engine::segment::Segments;
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let first = segments.stage_of[automaton.start].expect("a stage begins where the rules do");
/// let turn = &segments.stages[first as usize].exits[0];
/// assert_eq!(turn.action, Action::Turn(Player(0)));
/// assert_eq!(segments.stages[turn.stage as usize].exits[0].action, Action::Put(Piece(1)));
/// ```
#[derive(Debug)]
pub struct Exit {
    /// The squares where it can happen.
    pub slot: Slot,
    /// The write, or the end of the move.
    pub action: Action,
    /// Absent in patterns.
    pub modifier: Option<Modifier>,
    /// The stage that follows a write.
    pub stage: u32,
    /// Where it stands in the source.
    pub origin: Option<Origin>,
    /// How moves are found behind it.
    pub continuation: Continuation,
    /// The number of a survey of the squares from which the next stage leads anywhere, when it is worth asking before a
    /// write is tried on many squares.
    pub feasible: Option<u32>,
}

/// How moves are found behind an exit; decided when the game is loaded.
///
/// # Examples
///
/// ```
/// use regulus_engine::segment::{Continuation, Segments};
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {x} [e] (right {e})* [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let continuation = |stage: usize| &segments.stages[stage].exits[0].continuation;
/// // It does not matter for the way of the piece that its first square is empty then.
/// assert!(matches!(continuation(1), Continuation::Look));
/// let Continuation::Finish(number) = continuation(2) else { panic!("`[x] ->>` ends the move") };
/// assert_eq!(segments.finishes[*number as usize].len(), 2);
/// ```
#[derive(Debug)]
pub enum Continuation {
    /// Nothing is left to choose: this step and those that follow it are on the same square and end the move. The
    /// number is that of their modifiers.
    Finish(u32),
    /// The write does not change what follows, all of which finishes: the next stage is computed without writing.
    Look,
    /// The same, and what follows lies at fixed distances: it is computed for all squares at once.
    Spread(Vec<Spread>),
    /// Only a check stands between the write and the end of the move. Where one of these ways, none of which looks at
    /// the square itself, leads to acceptance, the check succeeds whatever is written; so the move ends there with the
    /// modifiers of this number. Elsewhere the write is done.
    Probe(Vec<Vec<Leg>>, u32),
    /// Only writes on this square and a check that must fail stand before the end of the move. Where a watch says that what
    /// is put cannot matter for the check, it is as it was before the move; elsewhere the write is done.
    Guard(Guard),
    /// The write is done, and undone later.
    Write,
}

/// The end of moves whose last condition is that a pattern fails.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Piece, passes};
/// use regulus_engine::segment::{Continuation, Segments};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, king, rook
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [king, e, e, rook] [e, e, e, e])
/// #     #anywhere = (left* + right*) (up* + down*)
/// #     #line(way) = (way {e})* way {rook}
/// #     #attacked = anywhere {king} (line(left) + line(right) + line(up) + line(down))
/// #     #rules = ->one anywhere {king} [e] (left + right + up + down) {e} [king] {! attacked} ->> {}
/// # ";
/// # let automaton = compile(&Source::new("king.rbg", text)).automaton.expect("no errors");
/// # let automaton = passes::optimise(automaton, &passes::Config::default());
/// // A king goes where no rook attacks it: `[king] {! attacked} ->>`.
/// let segments = Segments::new(&automaton).expect("a small game");
/// let mut ends = segments.stages.iter().flat_map(|stage| &stage.exits).map(|exit| &exit.continuation);
/// let Some(Continuation::Guard(guard)) = ends.find(|end| matches!(end, Continuation::Guard(_))) else {
///     panic!("only the check stands between the king and the end of the move")
/// };
/// assert_eq!(guard.piece, Some(Piece(1)));
/// assert_eq!(segments.finishes[guard.finish as usize].len(), 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// The number of the watch of the pattern.
    pub watch: u32,
    /// The piece that stands on the square in the end; `None` if none is put.
    pub piece: Option<Piece>,
    /// The number of all modifiers, up to the end of the move.
    pub finish: u32,
    /// Whether there is never more than one square, so that trying is as fast as evaluating a watch.
    pub is_lone: bool,
}

/// A pattern that is evaluated together with the squares on which its answer depends.
///
/// The pattern asks only for pieces on squares, and nothing in it must fail. So when it fails, it goes on failing until a
/// piece is put where a test failed that the piece passes; and when it succeeds, until a piece is put where a test passed
/// that the piece does not. A piece put anywhere else changes nothing, and however many are.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Piece, passes};
/// use regulus_engine::segment::Segments;
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, king, rook
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [king, e, e, rook] [e, e, e, e])
/// #     #anywhere = (left* + right*) (up* + down*)
/// #     #line(way) = (way {e})* way {rook}
/// #     #attacked = anywhere {king} (line(left) + line(right) + line(up) + line(down))
/// #     #rules = ->one anywhere {king} [e] (left + right + up + down) {e} [king] {! attacked} ->> {}
/// # ";
/// # let automaton = compile(&Source::new("king.rbg", text)).automaton.expect("no errors");
/// # let automaton = passes::optimise(automaton, &passes::Config::default());
/// // A king goes where no rook attacks it. The pattern tests for `e`, `king` and `rook`.
/// let segments = Segments::new(&automaton).expect("a small game");
/// let watch = &segments.watches[0];
/// assert_eq!(watch.classes, 3);
/// let rook = watch.class_of[Piece(2)];
/// for (pieces, number) in segments.piece_sets.iter().zip(0..) {
///     assert_eq!(watch.passes(rook, number), pieces.contains(Piece(2)));
/// }
/// ```
#[derive(Debug)]
pub struct Watch {
    /// The pattern.
    pub pattern: Pattern,
    /// For each piece its class: pieces of a class pass the same tests.
    pub class_of: IdVec<Piece, u32>,
    /// How many classes there are.
    pub classes: u32,
    /// The classes of pieces that moves put.
    pub asked: Vec<u32>,
    /// Present when the pattern begins on every square with certain pieces.
    pub anchor: Option<Anchor>,
    /// For each set of pieces bits for the classes whose pieces are in it.
    passing: Vec<u64>,
}

/// The pieces from whose squares a pattern sets out, and a survey of the squares from which it then succeeds.
///
/// When such a piece has been lifted and there is no other, the survey says for all squares at once whether the pattern
/// would succeed with the piece there.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Piece, passes};
/// use regulus_engine::segment::Segments;
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, king, rook
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [king, e, e, rook] [e, e, e, e])
/// #     #anywhere = (left* + right*) (up* + down*)
/// #     #line(way) = (way {e})* way {rook}
/// #     #attacked = anywhere {king} (line(left) + line(right) + line(up) + line(down))
/// #     #rules = ->one anywhere {king} [e] (left + right + up + down) {e} [king] {! attacked} ->> {}
/// # ";
/// # let automaton = compile(&Source::new("king.rbg", text)).automaton.expect("no errors");
/// # let automaton = passes::optimise(automaton, &passes::Config::default());
/// // Whether a rook attacks the king is asked from the square of the king.
/// let segments = Segments::new(&automaton).expect("a small game");
/// let anchor = segments.watches[0].anchor.expect("it sets out from kings");
/// assert_eq!(segments.piece_sets[anchor.pieces as usize], [Piece(1)].into_iter().collect());
/// assert!((anchor.survey as usize) < segments.surveys.len());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    /// The number of the set of pieces.
    pub pieces: u32,
    /// The number of the survey.
    pub survey: u32,
}

impl Watch {
    /// Whether the pieces of a class pass a test, given by its number.
    #[must_use]
    #[inline]
    pub fn passes(&self, class: u32, pieces: u32) -> bool {
        self.passing[pieces as usize] >> class & 1 == 1
    }
}

/// Moves of two squares at a fixed distance: first the exit, then at the other square what finishes.
///
/// # Examples
///
/// ```
/// use regulus_engine::segment::{Continuation, Segments};
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} [x] right {e} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let Continuation::Spread(spreads) = &segments.stages[1].exits[0].continuation else { panic!("two squares") };
/// assert_eq!((spreads[0].distance, spreads[0].ways.len()), (1, 1));
/// assert_eq!(segments.finishes[spreads[0].finish as usize].len(), 2, "`[x] ->>`");
/// ```
#[derive(Debug)]
pub struct Spread {
    /// How far the second square is from the first.
    pub distance: i32,
    /// All ways from the one square to the other.
    pub ways: Vec<Vec<Leg>>,
    /// The number of the modifiers that finish the move.
    pub finish: u32,
}

/// A part of a way: from certain squares to those `distance` further, if a piece of a set is there and a condition holds.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Piece, Square};
/// use regulus_engine::segment::{Continuation, Segments};
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} [x] right {e} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let Continuation::Spread(spreads) = &segments.stages[1].exits[0].continuation else { panic!("two squares") };
/// let leg = &spreads[0].ways[0][0]; // `right {e}`
/// let (from, guard) = (leg.from.expect("not the last square"), leg.guard.expect("`{e}`"));
/// assert_eq!(segments.square_sets[from as usize], [Square(0), Square(1)].into_iter().collect());
/// assert_eq!(segments.piece_sets[guard as usize], [Piece(0)].into_iter().collect());
/// ```
#[derive(Clone, Debug)]
pub struct Leg {
    /// The number of a set of squares; `None` means any square.
    pub from: Option<u32>,
    /// How much further it leads.
    pub distance: i32,
    /// The number of the set of pieces that is looked for there.
    pub guard: Option<u32>,
    /// The number of a comparison that must hold.
    pub condition: Option<u32>,
}

/// A pattern: its stage, and what is known of it.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Pattern;
/// use regulus_engine::segment::Segments;
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} {! right {x}} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let code = segments.patterns[Pattern(0)]; // `right {x}`
/// assert!(code.is_quiet && !code.is_anywhere && code.survey.is_some());
/// assert!(segments.stages[code.stage as usize].accept.is_some());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PatternCode {
    /// The stage it begins with.
    pub stage: u32,
    /// It does not depend on the cursor.
    pub is_anywhere: bool,
    /// Nothing is written inside, so its stage is all of it.
    pub is_quiet: bool,
    /// The same pattern backwards, when it can be done so.
    pub survey: Option<u32>,
}

/// A pattern or a stage backwards: for each slot the squares from which it leads to acceptance, or to an exit.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Direction;
/// use regulus_engine::segment::{Operation, Segments, TransferKind};
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} {! right {x}} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let survey = &segments.surveys[0]; // `right {x}` backwards: squares with an `x`, and those to their left
/// let Some(Operation::Transfer(last)) = survey.operations.last() else { panic!("it ends with a step") };
/// assert_eq!((last.to, last.kind), (survey.start, TransferKind::ShiftBack(Direction(3))));
/// ```
#[derive(Debug)]
pub struct Survey {
    /// What is computed, in order.
    pub operations: Vec<Operation>,
    /// How many slots there are.
    pub slots: u32,
    /// The slots that begin with all squares.
    pub accept: Vec<Slot>,
    /// The slot with the answer.
    pub start: Slot,
    /// Whether it takes no longer than asking for one square.
    pub is_short: bool,
}

/// A part of a stage.
///
/// # Examples
///
/// ```
/// use regulus_engine::segment::{Operation, Segments};
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {x} [e] (right {e})* [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let has = |stage: usize, wanted: fn(&Operation) -> bool| segments.stages[stage].operations.iter().any(wanted);
/// assert!(has(1, |operation| matches!(operation, Operation::Repeat(1))), "`right*`");
/// assert!(has(2, |operation| matches!(operation, Operation::Along { .. })), "`(right {{e}})*`");
/// ```
#[derive(Debug)]
pub enum Operation {
    /// From one slot to another. All slots but the first begin empty.
    Transfer(Transfer),
    /// Repeats the next n operations, all of them transfers, until they add nothing.
    Repeat(u32),
    /// If the slot is empty, the next n operations have no effect and can be left out.
    Skip(Slot, u32),
    /// Along lines from every square of a slot, over squares with certain pieces, to the first square without.
    Along {
        /// The number of the ray.
        ray: u32,
        /// The squares where lines begin.
        from: Slot,
        /// The squares on the lines.
        to: Slot,
        /// The pieces that let pass, by number of their set.
        through: u32,
        /// Whether the squares of `from` are themselves the first on their lines.
        includes_start: bool,
    },
    /// Backwards: the squares from which lines lead to a square of a slot.
    AlongBack {
        /// The number of the ray.
        ray: u32,
        /// The squares that lines are to lead to.
        from: Slot,
        /// Where lines begin.
        to: Slot,
        /// The pieces that let pass, by number of their set.
        through: u32,
        /// Whether the squares of `to` are themselves the first on their lines.
        includes_start: bool,
    },
}

/// What an edge adds to a slot.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Direction, Piece};
/// use regulus_engine::segment::{CURSOR, Operation, Segments, TransferKind};
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right {e} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let Operation::Transfer(transfer) = segments.stages[1].operations[0] else { panic!("`right {{e}}`") };
/// assert_eq!((transfer.from, transfer.kind), (CURSOR, TransferKind::Shift(Direction(3))));
/// let guard = transfer.guard.expect("`{e}`") as usize;
/// assert_eq!(segments.piece_sets[guard], [Piece(0)].into_iter().collect());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The slot whose squares go.
    pub from: Slot,
    /// The slot they are added to.
    pub to: Slot,
    /// Which of them go, and where to.
    pub kind: TransferKind,
    /// Only squares with a piece of this set arrive.
    pub guard: Option<u32>,
}

/// What a transfer does: which squares of a slot go to another, and where they arrive.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Pattern;
/// use regulus_engine::segment::{Operation, Segments, TransferKind};
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} {! right {x}} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let kinds = segments.stages[1].operations.iter().filter_map(|operation| match operation {
///     Operation::Transfer(transfer) => Some(transfer.kind),
///     _ => None,
/// });
/// // `{! right {x}}`: where it succeeds, and the squares without those.
/// let kinds: Vec<TransferKind> = kinds.skip(3).collect();
/// assert_eq!(kinds, [TransferKind::CheckAll(Pattern(0), true), TransferKind::Except(3)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// All of them.
    Same,
    /// Those with a piece of this set.
    On(u32),
    /// Those in this set.
    At(u32),
    /// To the neighbour.
    Shift(Direction),
    /// To the squares of a table.
    Walk(Table),
    /// From anywhere to all squares of this set.
    Everywhere(u32),
    /// All of them when a comparison holds, which does not depend on the cursor.
    If(u32),
    /// Those for which a comparison holds.
    IfEach(u32),
    /// Those where a pattern succeeds, or fails; asked for few squares, one by one.
    Check(Pattern, bool),
    /// Those that are not in another slot.
    Except(Slot),
    /// Those where a pattern succeeds, or fails, asked for many squares: by survey.
    CheckAll(Pattern, bool),
    /// Backwards: all from where the neighbour is.
    ShiftBack(Direction),
    /// Backwards: all from where a table leads.
    WalkBack(Table),
    /// Backwards: all squares, when one of this set is there.
    FromEverywhere(u32),
    /// Backwards: all squares, when the remembered one is there.
    RecallBack(Register),
    /// To a remembered square.
    Recall(Register),
    /// To computed coordinates.
    Jump(u32),
}

/// A comparison or a pair of coordinates.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Expression, Relation, Variable};
/// use regulus_engine::segment::Segments;
/// use regulus_lang::{Source, compile};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
///     #variables = rounds(9)
/// #     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one {$ rounds < 5} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let pair = &Segments::new(&automaton).expect("a small game").pairs[0];
/// // The first variable is the score of the player.
/// assert_eq!((&pair.left, pair.relation), (&Expression::Variable(Variable(1)), Relation::Less));
/// assert_eq!(pair.right, Expression::Constant(5));
/// ```
#[derive(Clone, Debug)]
pub struct Pair {
    /// The left side, or the column.
    pub left: Expression,
    /// What is between the sides.
    pub relation: Relation,
    /// The right side, or the row.
    pub right: Expression,
}

impl Segments {
    /// Cuts an automaton into stages.
    ///
    /// # Errors
    ///
    /// Returns an error if the stages would be too large together, because many stretches overlap.
    pub fn new(automaton: &Automaton) -> Result<Segments, NotPlanned> {
        let mut segments = build::build(automaton)?;
        segments.costs = cost::costs(automaton, &segments);
        Ok(segments)
    }
}
