//! The rules of a symmetric chess-like game as data: what the generator makes and the printer writes.
//!
//! Everything is seen from white's side; black's rules are the inversion, so both sides always have the same chances.
//! The types have what the generator can draw, which is less than the language allows: a ride has no least length.

use std::fmt;
use std::ops::{Index, RangeInclusive};

/// The complete rules of a game. Its `Display` is the source text, without a heading.
///
/// # Examples
///
/// ```
/// use regulus_generate::{Config, generate};
///
/// let rules = generate(1, &Config::default()).rules;
/// assert!(!rules.goals.is_empty());
/// assert!(rules.to_string().starts_with("GAME metagame_1\n"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The name of the game.
    pub name: String,
    /// What wins: any of these. The first one is a stalemate.
    pub goals: Vec<Goal>,
    /// The board.
    pub board: Board,
    /// Where pieces stand at the start.
    pub setup: Setup,
    /// Whether a player must capture if any piece of the player can.
    pub must_capture: bool,
    /// The kinds of pieces, those of the setup first.
    pub pieces: Vec<Piece>,
    /// The number of kinds that the setup has; those after them appear only by promotion.
    pub placed: usize,
}

/// The number of a kind of piece: its place in [`Rules::pieces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub u32);

/// A board and what depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// The number of files.
    pub width: u32,
    /// The number of ranks.
    pub height: u32,
    /// Whether edges are joined.
    pub board_type: BoardType,
    /// How black's rules follow from white's.
    pub inversion: Inversion,
    /// The first rank where white's pieces promote; at least 1.
    pub promote_rank: u32,
}

/// Whether edges of a board are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardType {
    /// No.
    Planar,
    /// The first file follows the last.
    VerticalCylinder,
}

/// How black's squares and directions follow from white's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inversion {
    /// Files and ranks are turned round.
    Diagonal,
    /// Only ranks are.
    Forward,
}

/// A square; (1,1) is at the left of white's first rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The file, from 1.
    pub x: u32,
    /// The rank, from 1.
    pub y: u32,
}

/// How the pieces come to their first squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// White's pieces stand on these squares, black's on their inversions.
    Fixed(Vec<(PieceId, Square)>),
    /// The pieces are placed on some of the squares.
    Assigned {
        /// By this one.
        by: Assigner,
        /// The pieces of each player; a kind may be there several times.
        pieces: Vec<PieceId>,
        /// White's squares; black's are their inversions.
        squares: Vec<Square>,
    },
}

/// What decides where pieces are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assigner {
    /// The player who owns them.
    Player,
    /// The other player.
    Opponent,
    /// Chance.
    Random,
}

/// One of the two players, seen from the one whose rule it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The one whose rule it is.
    Player,
    /// The other.
    Opponent,
}

/// Which pieces a rule means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Whose; `None` for both players'.
    pub owner: Option<Who>,
    /// Of which kinds.
    pub pieces: Pieces,
}

/// A set of kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// All kinds.
    Any,
    /// These, in ascending order and each once.
    Some(Vec<PieceId>),
}

/// A condition that wins the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A described piece stands on one of the squares.
    Arrive {
        /// The piece.
        piece: Description,
        /// The squares, as the player at the low ranks sees them.
        squares: Vec<Square>,
    },
    /// No described piece is on the board.
    Eradicate(Description),
    /// This player is to move and cannot.
    Stalemate(Who),
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its name.
    pub name: String,
    /// How it moves; any of these.
    pub moving: Vec<Movement>,
    /// How it captures; any of these.
    pub capturing: Vec<Capture>,
    /// What becomes of it when it comes far enough.
    pub promotion: Promotion,
    /// Whether it must capture if it can.
    pub must_capture: bool,
    /// Whether it may go on capturing.
    pub continue_captures: bool,
}

/// A way to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// How it goes along a direction.
    pub kind: MovementKind,
    /// One of its directions: files to the right and ranks ahead.
    pub direction: (u32, u32),
    /// What makes further directions of it.
    pub symmetries: Symmetries,
}

/// How a movement goes along a direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovementKind {
    /// One leap.
    Leap,
    /// Leaps over empty squares.
    Ride {
        /// The greatest number of leaps; `None` if there is no limit.
        max: Option<u32>,
        /// Whether only the longest ride is legal.
        longest: bool,
    },
    /// Over pieces.
    Hop {
        /// The number of empty squares before them.
        before: Count,
        /// Their number.
        over: Count,
        /// The number of empty squares after them.
        after: Count,
        /// Which pieces.
        hop_over: Description,
    },
}

/// Symmetries that give a movement further directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetries {
    /// Backward as forward.
    pub forward: bool,
    /// Left as right.
    pub side: bool,
    /// Ranks as files.
    pub rotation: bool,
}

/// A condition on a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How it is compared.
    pub comparison: Comparison,
    /// With what.
    pub number: u32,
}

/// How a number is compared with that of a [`Count`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It is the same.
    Equal,
    /// It is the same or greater.
    AtLeast,
    /// It is the same or less.
    AtMost,
}

/// A way to capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// How the piece moves; any of these.
    pub movements: Vec<Movement>,
    /// Whether it captures the piece behind the square it comes from.
    pub retrieve: bool,
    /// Whether it captures the piece it lands on.
    pub clobber: bool,
    /// Whether it captures the pieces it hops over.
    pub hop: bool,
    /// Which pieces it can capture.
    pub captured: Description,
    /// What becomes of them.
    pub effect: Effect,
}

/// What becomes of captured pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// They are out of the game.
    Remove,
    /// They change into this player's hand.
    Possess(Who),
}

/// What becomes of a piece that comes far enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// A piece of this kind.
    To(PieceId),
    /// One of the options.
    Decision {
        /// Who chooses.
        chooser: Who,
        /// Among which.
        options: Description,
    },
}

impl Rules {
    /// The numbers of all kinds.
    pub fn ids(&self) -> impl Iterator<Item = PieceId> + use<> {
        (0..self.pieces.len() as u32).map(PieceId)
    }

    /// Whether a set of kinds has this one.
    #[must_use]
    pub fn has(&self, pieces: &Pieces, id: PieceId) -> bool {
        match pieces {
            Pieces::Any => (id.0 as usize) < self.pieces.len(),
            Pieces::Some(list) => list.contains(&id),
        }
    }
}

impl Index<PieceId> for Rules {
    type Output = Piece;

    fn index(&self, id: PieceId) -> &Piece {
        &self.pieces[id.0 as usize]
    }
}

impl Board {
    /// All squares, rank by rank.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        (1..=self.height).flat_map(move |y| (1..=self.width).map(move |x| Square { x, y }))
    }

    /// Whether a square is on the board.
    #[must_use]
    pub fn contains(self, square: Square) -> bool {
        (1..=self.width).contains(&square.x) && (1..=self.height).contains(&square.y)
    }

    /// The square that is to black what this one is to white.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_generate::{Config, Square, generate};
    ///
    /// let board = generate(1, &Config::default()).rules.board;
    /// let corner = board.invert(Square { x: 1, y: 1 });
    /// assert_eq!(corner, Square { x: board.width, y: board.height });
    /// assert_eq!(board.invert(corner), Square { x: 1, y: 1 });
    /// ```
    #[must_use]
    pub fn invert(self, square: Square) -> Square {
        let y = self.height + 1 - square.y;
        match self.inversion {
            Inversion::Diagonal => Square { x: self.width + 1 - square.x, y },
            Inversion::Forward => Square { x: square.x, y },
        }
    }
}

impl Setup {
    /// White's squares: those with a piece if they are fixed, otherwise those where one may be placed.
    #[must_use]
    pub fn squares(&self) -> Vec<Square> {
        match self {
            Setup::Fixed(places) => places.iter().map(|&(_, square)| square).collect(),
            Setup::Assigned { squares, .. } => squares.clone(),
        }
    }

    /// The pieces of each player.
    #[must_use]
    pub fn pieces(&self) -> Vec<PieceId> {
        match self {
            Setup::Fixed(places) => places.iter().map(|&(id, _)| id).collect(),
            Setup::Assigned { pieces, .. } => pieces.clone(),
        }
    }
}

impl Movement {
    /// All directions of white's pieces: the given one closed under the symmetries.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_generate::{Movement, MovementKind, Symmetries};
    ///
    /// let symmetries = Symmetries { forward: false, side: true, rotation: true };
    /// let step = Movement { kind: MovementKind::Leap, direction: (0, 1), symmetries };
    /// assert_eq!(step.directions(), [(-1, 0), (0, -1), (0, 1), (1, 0)]);
    /// ```
    #[must_use]
    pub fn directions(&self) -> Vec<(i32, i32)> {
        let (dx, dy) = self.direction;
        let mut found = vec![(dx as i32, dy as i32)];
        let mut next = 0;
        while let Some(&(dx, dy)) = found.get(next) {
            let images = [
                (self.symmetries.forward, (dx, -dy)),
                (self.symmetries.side, (-dx, dy)),
                (self.symmetries.rotation, (dy, dx)),
            ];
            for (_, image) in images.into_iter().filter(|(wanted, _)| *wanted) {
                if !found.contains(&image) {
                    found.push(image);
                }
            }
            next += 1;
        }
        found.sort_unstable();
        found
    }
}

impl Count {
    /// Any number that is not less than this one.
    #[must_use]
    pub fn at_least(number: u32) -> Self {
        Count { comparison: Comparison::AtLeast, number }
    }

    /// The numbers that fulfil the condition; those that have no limit end with `u32::MAX`.
    #[must_use]
    pub fn range(self) -> RangeInclusive<u32> {
        match self.comparison {
            Comparison::Equal => self.number..=self.number,
            Comparison::AtLeast => self.number..=u32::MAX,
            Comparison::AtMost => 0..=self.number,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Who::Player => "player",
            Who::Opponent => "opponent",
        })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.comparison {
            Comparison::Equal => "=",
            Comparison::AtLeast => ">=",
            Comparison::AtMost => "<=",
        };
        write!(f, "[X {sign} {}]", self.number)
    }
}
