//! A game whose names are all resolved: the form that is printed, measured and lowered.
//!
//! Lists of writes are already taken apart and needless brackets gone: no sum lies directly in a sum and no chain in a
//! chain, and both have at least two parts. Powers stay powers, from 2 on; code that follows the rules writes them out,
//! and the checker has made sure that this stays below [`MAX_SIZE`].

use std::collections::BTreeMap;

use regulus_automaton::{
    Board, Direction, IdVec, Looks, Operator, Origin, Piece, PieceSet, Player, Reason, Relation,
    Variable, VariableInfo,
};

use crate::pragma::RepetitionRule;

/// How many actions and operands rules may have when powers are written out.
pub const MAX_SIZE: u64 = 200_000;

/// A game without errors.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// let text = "
///     #players = one(9)
///     #pieces = e, x
///     #variables = moves(3)
///     #board = rectangle(up, down, left, right, [e, e])
///     #rules = ->one right* {e} [x] [$ moves = moves + 1] ->> {}
/// ";
/// let game = rbg::check(&Source::new("solo.rbg", text)).0.expect("no errors");
/// let variables: Vec<(&str, i32)> =
///     game.variables.values().map(|variable| (variable.name.as_str(), variable.bound)).collect();
/// assert_eq!(variables, [("one", 9), ("moves", 3)]);
/// assert_eq!(game.board.squares.len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Checked {
    /// The players in their order, with the bounds of their scores.
    pub players: IdVec<Player, VariableInfo>,
    /// All variables; the first ones are the players' scores.
    pub variables: IdVec<Variable, VariableInfo>,
    /// The pieces by name.
    pub pieces: IdVec<Piece, String>,
    /// The board.
    pub board: Board,
    /// The rules.
    pub rules: Step,
    /// What people are told about the game.
    pub looks: Looks,
    /// Why the game may end behind a switch, by where the switch begins in the text.
    pub ends: BTreeMap<u32, Reason>,
    /// Why the game ends when the player in control has no move, if the text says so.
    pub stuck: Option<Reason>,
    /// Whether positions that come again end the game.
    pub history: Option<RepetitionRule>,
}

/// A part of the rules.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::Step;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
/// #     #board = rectangle(up, down, left, right, [e, x])
///     #rules = ->one right^3 [e, x] ->> {}
/// ";
/// let rules = rbg::check(&Source::new("solo.rbg", text)).0.expect("no errors").rules;
/// assert_eq!((rules.size(), rules.modifiers()), (8, 4));
/// let Step::Chain(parts) = rules else { panic!("the rules are several actions") };
/// assert!(matches!(parts[1], Step::Power(_, 3)));
/// assert!(matches!(&parts[2], Step::Sum(writes) if writes.len() == 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Any one of these.
    Sum(Vec<Step>),
    /// These one after the other.
    Chain(Vec<Step>),
    /// This any number of times.
    Star(Box<Step>, Origin),
    /// The step n times, as if it were written that often.
    Power(Box<Step>, u32),
    /// A look-ahead.
    Look {
        /// Whether the content must succeed or fail.
        succeeds: bool,
        /// The content.
        body: Box<Step>,
        /// The text it comes from.
        origin: Origin,
    },
    /// A single action.
    Leaf(Leaf, Origin),
}

/// A single action.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Piece;
/// use regulus_lang::rbg::{Leaf, Step};
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
/// #     #board = rectangle(up, down, left, right, [e, x])
///     #rules = ->one {e} [x] ->> {}
/// ";
/// let rules = rbg::check(&Source::new("solo.rbg", text)).0.expect("no errors").rules;
/// let Step::Chain(parts) = rules else { panic!("the rules are several actions") };
/// let Step::Leaf(write, _) = &parts[2] else { panic!("`[x]` is one action") };
/// assert_eq!(*write, Leaf::Off(Piece(1)));
/// assert!(write.is_modifier() && !Leaf::Dot.is_modifier());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// `up`
    Shift(Direction),
    /// `{p, q}`
    On(PieceSet),
    /// `[p]`
    Off(Piece),
    /// `[$ x = 1]`
    Assign(Variable, Value),
    /// `{$ x < y}`
    Compare(Value, Relation, Value),
    /// `->p`
    Turn(Player),
    /// `->>`
    Keeper,
    /// `.`
    Dot,
}

/// An arithmetic expression.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Operator, Piece, Variable};
/// use regulus_lang::rbg::{Leaf, Step, Value};
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
/// #     #board = rectangle(up, down, left, right, [e, x])
///     #rules = ->one [$ n = x + one] ->> {}
/// ";
/// let rules = rbg::check(&Source::new("solo.rbg", text)).0.expect("no errors").rules;
/// let Step::Chain(parts) = rules else { panic!("the rules are several actions") };
/// // `x` is a piece and is counted; `one` is the score of a player, the first variable.
/// let sum = Value::Chain(Operator::Add, vec![Value::Count(Piece(1)), Value::Variable(Variable(0))]);
/// assert!(matches!(&parts[1], Step::Leaf(Leaf::Assign(_, value), _) if *value == sum));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i32),
    /// The value of a variable.
    Variable(Variable),
    /// How many squares hold this piece.
    Count(Piece),
    /// Two or more operands joined from the left; sums hold no sums and products no products.
    Chain(Operator, Vec<Value>),
}

/// How large a game is.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// let (game, _) = rbg::check(&Source::new("solo.rbg", text));
/// let sizes = game.expect("no errors").sizes();
/// assert_eq!((sizes.players, sizes.pieces, sizes.squares, sizes.modifiers), (1, 2, 3, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSizes {
    /// Players.
    pub players: usize,
    /// Kinds of piece.
    pub pieces: usize,
    /// Variables besides the scores.
    pub variables: usize,
    /// Squares.
    pub squares: usize,
    /// Directions.
    pub directions: usize,
    /// Writes and switches outside look-aheads.
    pub modifiers: u64,
}

impl Checked {
    /// How large the game is.
    #[must_use]
    pub fn sizes(&self) -> GameSizes {
        GameSizes {
            players: self.players.len(),
            pieces: self.pieces.len(),
            variables: self.variables.len() - self.players.len(),
            squares: self.board.squares.len(),
            directions: self.board.directions.len(),
            modifiers: self.rules.modifiers(),
        }
    }
}

impl Step {
    /// Alternatives as one step.
    #[must_use]
    pub(crate) fn sum(parts: Vec<Step>) -> Step {
        Step::joined(parts, Step::Sum, |part| match part {
            Step::Sum(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// A sequence as one step.
    #[must_use]
    pub(crate) fn chain(parts: Vec<Step>) -> Step {
        Step::joined(parts, Step::Chain, |part| match part {
            Step::Chain(inner) => Ok(inner),
            other => Err(other),
        })
    }

    fn joined(
        parts: Vec<Step>,
        join: impl Fn(Vec<Step>) -> Step,
        open: impl Fn(Step) -> Result<Vec<Step>, Step>,
    ) -> Step {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match open(part) {
                Ok(inner) => flat.extend(inner),
                Err(part) => flat.push(part),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { join(flat) }
    }

    /// A step repeated `count` times, from 1.
    #[must_use]
    pub(crate) fn power(step: Step, count: u32) -> Step {
        if count == 1 { step } else { Step::Power(Box::new(step), count) }
    }

    /// How many actions and operands there are when powers are written out.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.measure(&|leaf| leaf.size(), true)
    }

    /// How many writes and switches there are outside look-aheads when powers are written out.
    #[must_use]
    pub fn modifiers(&self) -> u64 {
        self.measure(&|leaf| u64::from(leaf.is_modifier()), false)
    }

    /// Adds up a number over all leaves.
    fn measure(&self, leaf: &impl Fn(&Leaf) -> u64, in_look_aheads: bool) -> u64 {
        let inner = |step: &Step| step.measure(leaf, in_look_aheads);
        match self {
            Step::Sum(parts) | Step::Chain(parts) => {
                parts.iter().map(inner).fold(0, u64::saturating_add)
            }
            Step::Star(body, _) => inner(body),
            Step::Power(body, count) => inner(body).saturating_mul(u64::from(*count)),
            Step::Look { body, .. } if in_look_aheads => inner(body).saturating_add(1),
            Step::Look { .. } => 0,
            Step::Leaf(action, _) => leaf(action),
        }
    }
}

impl Leaf {
    /// Whether the action is recorded in moves.
    #[must_use]
    pub fn is_modifier(&self) -> bool {
        matches!(self, Leaf::Off(_) | Leaf::Assign(..) | Leaf::Turn(_) | Leaf::Keeper)
    }

    /// One, and one more for each piece of a set or operand of an expression.
    fn size(&self) -> u64 {
        match self {
            Leaf::On(pieces) => 1 + pieces.len() as u64,
            Leaf::Assign(_, value) => 1 + value.size(),
            Leaf::Compare(left, _, right) => 1 + left.size() + right.size(),
            _ => 1,
        }
    }
}

impl Value {
    fn size(&self) -> u64 {
        match self {
            Value::Chain(_, operands) => operands.iter().map(Value::size).sum(),
            _ => 1,
        }
    }
}
