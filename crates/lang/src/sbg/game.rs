//! A checked game: the form that is printed, translated, lowered and described.

use regulus_automaton::Origin;

use crate::regular::{Machines, Regular};
use crate::side::Side;

/// A game without errors.
///
/// # Examples
///
/// ```
/// use regulus_lang::sbg::Side;
/// use regulus_lang::{Source, sbg};
///
/// let text = "<<Duel>> <BOARD> 2 3 |kk| |..| |KK|
///     <PIECES> K (0,1,e) + (0,1,p) & <GOALS> 20 & @K 0 2, 1 2 & @k 0 0, 1 0 &";
/// let game = sbg::check(&Source::new("duel.sbg", text)).0.expect("no errors");
/// assert_eq!((game.name.as_str(), game.width, game.height, game.turn_limit), ("Duel", 2, 3, 20));
/// assert_eq!(game.position[0], Some((Side::Black, 0)));
/// assert_eq!(game.position[2], None);
/// assert_eq!(game.targets(Side::White, 0), [(0, 2), (1, 2)]);
/// ```
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
///
/// # Examples
///
/// ```
/// use regulus_lang::sbg::Side;
/// use regulus_lang::{Source, sbg};
///
/// let text = "<<Duel>> <BOARD> 2 3 |kw| |..| |WK|
///     <PIECES> W (0,1,e) & K (1,1,e) + (-1,1,e) & <GOALS> 20 & #w 0 &";
/// let game = sbg::check(&Source::new("duel.sbg", text)).0.expect("no errors");
/// // Rules stand in the order W, K, so K has the number 1.
/// assert_eq!(game.letter(Side::White, 1), 'K');
/// assert_eq!(game.letter(Side::Black, 1), 'k');
/// ```
pub type Kind = usize;

/// A type of piece.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, sbg};
///
/// let text = "<<Duel>> <BOARD> 2 3 |kx| |..| |XK|
///     <PIECES> // K - king
///     K (0,1,e) + (0,1,p) & <GOALS> 20 & #k 0 &";
/// let game = sbg::check(&Source::new("duel.sbg", text)).0.expect("no errors");
/// let [king, other] = &game.pieces[..] else { panic!("there are two types") };
/// assert_eq!((king.letter, king.name.as_deref(), king.rule.is_some()), ('K', Some("king"), true));
/// assert_eq!((other.letter, other.name.as_deref(), other.rule.is_some()), ('X', None, false));
/// ```
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
///
/// # Examples
///
/// ```
/// use regulus_lang::regular::Regular;
/// use regulus_lang::{Source, sbg};
///
/// let text = "<<Duel>> <BOARD> 2 3 |rr| |..| |RR|
///     <PIECES> R (0,1,e)^* (0,1,p) & <GOALS> 20 & #r 0 &";
/// let game = sbg::check(&Source::new("duel.sbg", text)).0.expect("no errors");
/// let rule = game.pieces[0].rule.as_ref().expect("it has a rule");
/// assert!(matches!(&rule.expression, Regular::Chain(parts) if parts.len() == 2));
/// // One state before the capture, one after it.
/// assert_eq!(rule.machines.minimal.len(), 2);
/// assert!(!rule.returns, "it only goes forward");
/// ```
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
///
/// # Examples
///
/// ```
/// use regulus_lang::sbg::{Letter, On};
///
/// // One to the left and two ahead, to a square with a piece of the opponent.
/// let leap = Letter { x: -1, y: 2, on: On::Opponent };
/// assert_eq!(leap.to_string(), "(-1,2,p)");
/// ```
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
///
/// # Examples
///
/// ```
/// use regulus_lang::sbg::On;
///
/// assert_eq!([On::Empty, On::Opponent, On::Own].map(On::symbol), ['e', 'p', 'w']);
/// ```
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
///
/// # Examples
///
/// ```
/// use regulus_lang::sbg::{Goal, Side};
/// use regulus_lang::{Source, sbg};
///
/// let text = "<<Duel>> <BOARD> 2 3 |kk| |..| |KK|
///     <PIECES> K (0,1,e) + (0,1,p) & <GOALS> 20 & @K 0 2, 1 2 & #k 1 &";
/// let game = sbg::check(&Source::new("duel.sbg", text)).0.expect("no errors");
/// assert!(matches!(&game.goals[0], Goal::Reach { side: Side::White, squares, .. } if squares.len() == 2));
/// assert!(matches!(game.goals[1], Goal::Count { side: Side::Black, count: 1, .. }));
/// ```
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
