//! A checked game: the form that is printed, translated, lowered and described.

use regulus_automaton::Origin;

use crate::regular::{Machines, Regular};
use crate::side::Side;

/// A game without errors.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its name.
    pub name: String,
    /// How many columns the board has.
    pub width: u32,
    /// How many rows the board has.
    pub height: u32,
    /// The types of piece: first those with rules, in the order of the text, then the others on the board.
    pub pieces: Vec<PieceType>,
    /// What stands on each square at the beginning: rows from the top, each from the left; the type by its number.
    pub position: Vec<Option<(Side, Kind)>>,
    /// After how many half-moves the game is drawn.
    pub turn_limit: u32,
    /// What ends the game before.
    pub goals: Vec<Goal>,
}

/// The number of a type of piece.
pub type Kind = usize;

/// A type of piece.
#[derive(Clone, Debug)]
pub struct PieceType {
    /// Its letter, upper-case.
    pub letter: char,
    /// What a comment calls it, as in `// R - rook`.
    pub name: Option<String>,
    /// How it moves; a type without a rule does not.
    pub rule: Option<Rule>,
}

/// How a type of piece moves.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The expression as it is written.
    pub expression: Regular<Letter>,
    /// Its automata.
    pub machines: Machines<Letter>,
    /// Whether a word may lead over the square where the piece stands; when in doubt, it may.
    pub returns: bool,
    /// The text it comes from.
    pub origin: Origin,
}

/// A step of a move, and what must stand where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Letter {
    /// Columns to the right.
    pub x: i32,
    /// Rows forward, as the owner of the piece sees it.
    pub y: i32,
    /// What must stand there.
    pub on: On,
}

/// What stands on a square, as the owner of the moving piece sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum On {
    /// Nothing.
    Empty,
    /// A piece of the opponent.
    Opponent,
    /// A piece of the mover's own.
    Own,
}

/// What ends the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A side loses when it has exactly this number of pieces of a type.
    Count {
        /// Whose pieces are counted.
        side: Side,
        /// Their type.
        kind: Kind,
        /// How many are too few.
        count: u32,
        /// The text it comes from.
        origin: Origin,
    },
    /// A side wins when it moves a piece of a type to one of these squares.
    Reach {
        /// Whose piece moves.
        side: Side,
        /// Its type.
        kind: Kind,
        /// Columns from the left and rows from the bottom, both from 0; ascending.
        squares: Vec<(u32, u32)>,
        /// The text it comes from.
        origin: Origin,
    },
}

impl On {
    /// The letter it is written with.
    #[must_use]
    pub fn symbol(self) -> char {
        match self {
            On::Empty => 'e',
            On::Opponent => 'p',
            On::Own => 'w',
        }
    }
}

impl std::fmt::Display for Letter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({},{},{})", self.x, self.y, self.on.symbol())
    }
}

impl Game {
    /// The letter of a piece as the text writes it: upper-case for white, lower-case for black.
    #[must_use]
    pub fn letter(&self, side: Side, kind: Kind) -> char {
        let letter = self.pieces[kind].letter;
        match side {
            Side::White => letter,
            Side::Black => letter.to_ascii_lowercase(),
        }
    }

    /// How many pieces of a type a side begins with.
    #[must_use]
    pub fn count(&self, side: Side, kind: Kind) -> usize {
        self.position.iter().filter(|&&square| square == Some((side, kind))).count()
    }

    /// Where a side wins by moving a piece of a type there; ascending, each once.
    #[must_use]
    pub fn targets(&self, side: Side, kind: Kind) -> Vec<(u32, u32)> {
        let mut all: Vec<(u32, u32)> = Vec::new();
        for goal in &self.goals {
            if let Goal::Reach { side: whose, kind: which, squares, .. } = goal
                && (*whose, *which) == (side, kind)
            {
                all.extend(squares);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}
