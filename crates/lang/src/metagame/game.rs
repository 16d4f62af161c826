//! A checked game: the form that is printed, translated, lowered and described.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::Origin;

pub use crate::side::Side;

/// A game without errors. Everything is written as white sees it.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, metagame};
///
/// let text = "GAME walk GOALS STALEMATE opponent BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
///     SETUP ant AT {(1,1) (2,1)}
///     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE END GAME.";
/// let game = metagame::check(&Source::new("walk.game", text)).0.expect("no errors");
/// assert_eq!((game.name.as_str(), game.goals.len(), game.kinds.len()), ("walk", 1, 1));
/// assert_eq!(game.piece_count(), 4, "black has as many as white");
/// assert_eq!((game.turn_limit, game.repetitions), (500, 3));
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// Its name.
    pub name: String,
    /// What the players want to reach.
    pub goals: Vec<Goal>,
    /// The board.
    pub board: BoardRules,
    /// How the pieces come onto the board.
    pub setup: Setup,
    /// Whether a player who can capture must.
    pub must_capture: bool,
    /// The kinds of pieces in the order of the text.
    pub kinds: Vec<PieceType>,
    /// After how many turns the game is drawn.
    pub turn_limit: u32,
    /// How often a position occurs until the game is drawn.
    pub repetitions: u32,
}

/// The number of a kind of piece.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1)} bee AT {(2,1)}
///     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
///     DEFINE bee MOVING MOVEMENT LEAP <1,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
/// #     END GAME.
/// ";
/// let game = metagame::check(&Source::new("walk.game", text)).0.expect("no errors");
/// assert_eq!(game.kind("bee"), Some(1));
/// assert_eq!(game.kinds[1].name, "bee");
/// assert_eq!(game.kind("wasp"), None);
/// ```
pub type Kind = usize;

/// A square: file and rank, both from 1.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::Side;
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
///     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
///     SETUP ant AT {(1,2)}
/// #     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
/// #     END GAME.
/// ";
/// let position = metagame::check(&Source::new("walk.game", text)).0.expect("no errors").position();
/// assert_eq!(position[&(1, 2)], (Side::White, 0));
/// assert_eq!(position[&(3, 3)], (Side::Black, 0));
/// ```
pub type Place = (u32, u32);

/// The shape of the board, and what black sees of it.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::Side;
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
///     BOARD_SIZE 3 BY 4 BOARD_TYPE vertical_cylinder PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
/// #     END GAME.
/// ";
/// let board = metagame::check(&Source::new("walk.game", text)).0.expect("no errors").board;
/// assert!(board.is_cylinder);
/// assert_eq!(board.step((3, 1), (1, 1)), Some((1, 2)));
/// assert_eq!(board.step((3, 4), (1, 1)), None);
/// assert!(board.promotes((1, 4), Side::White) && board.promotes((1, 1), Side::Black));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRules {
    /// How many files it has.
    pub width: u32,
    /// How many ranks it has.
    pub height: u32,
    /// Whether the first and the last file are neighbours.
    pub is_cylinder: bool,
    /// How black sees the board.
    pub inversion: Inversion,
    /// From which rank on white's pieces promote.
    pub promote_rank: u32,
}

/// How black sees the board and directions.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::{BoardRules, Inversion, Side};
///
/// let turned = BoardRules {
///     width: 8,
///     height: 8,
///     is_cylinder: false,
///     inversion: Inversion::Diagonal,
///     promote_rank: 8,
/// };
/// assert_eq!(turned.seen((4, 1), Side::Black), (5, 8));
/// let mirrored = BoardRules { inversion: Inversion::Forward, ..turned };
/// assert_eq!(mirrored.seen((4, 1), Side::Black), (4, 8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inversion {
    /// Turned by half a turn.
    Diagonal,
    /// Mirrored: ranks are counted from the other end, files are the same.
    Forward,
}

/// A player as a rule sees them.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::{Side, Who};
///
/// // One text has the rules of both sides: `STALEMATE opponent` is about black in white's.
/// assert_eq!(Who::Opponent.seen_by(Side::White), Side::Black);
/// assert_eq!(Who::Opponent.seen_by(Side::Black), Side::White);
/// assert_eq!(Who::Player.word(), "player");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    /// The player whose rule it is.
    Player,
    /// The other player.
    Opponent,
}

/// A set of pieces.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::{Goal, Side, Who};
/// use regulus_lang::{Source, metagame};
///
/// let text = "
///     GAME walk GOALS ERADICATE [{opponent} {ant}]
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
/// #     END GAME.
/// ";
/// let game = metagame::check(&Source::new("walk.game", text)).0.expect("no errors");
/// let Goal::Eradicate { what, .. } = &game.goals[0] else { panic!("the goal eradicates") };
/// assert_eq!((what.owner, &what.kinds), (Some(Who::Opponent), &Some([0].into())));
/// let pieces: Vec<_> = game.described(what, Side::White).collect();
/// assert_eq!(pieces, [(Side::Black, 0)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Who owns them; `None` means both players.
    pub owner: Option<Who>,
    /// Their kinds; `None` means all kinds.
    pub kinds: Option<BTreeSet<Kind>>,
}

/// What a player wants to reach.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::{Goal, Who};
/// use regulus_lang::{Source, metagame};
///
/// let text = "
///     GAME walk GOALS ARRIVE [{player} any_piece] AT {(3,4) (1,4)} STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
/// #     END GAME.
/// ";
/// let goals = metagame::check(&Source::new("walk.game", text)).0.expect("no errors").goals;
/// assert!(matches!(&goals[0], Goal::Arrive { squares, .. } if squares[..] == [(1, 4), (3, 4)]));
/// assert!(matches!(goals[1], Goal::Stalemate { who: Who::Opponent, .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A piece that is described stands on one of the squares.
    Arrive {
        /// The pieces.
        what: Description,
        /// The squares, as white sees them; ascending.
        squares: Vec<Place>,
        /// The text it comes from.
        origin: Origin,
    },
    /// No piece that is described is on the board.
    Eradicate {
        /// The pieces.
        what: Description,
        /// The text it comes from.
        origin: Origin,
    },
    /// A player is to move and cannot.
    Stalemate {
        /// The player who cannot move.
        who: Who,
        /// The text it comes from.
        origin: Origin,
    },
}

/// How the pieces come onto the board.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::Setup;
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
///     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
/// #     END GAME.
/// ";
/// let setup = metagame::check(&Source::new("walk.game", text)).0.expect("no errors").setup;
/// assert_eq!(setup, Setup::Fixed(vec![(0, (1, 1)), (0, (2, 1))]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// White's pieces stand on these squares, black's on the inverted ones.
    Fixed(Vec<(Kind, Place)>),
    /// The pieces are placed on these squares, by the players or by chance.
    Assigned {
        /// Who places them.
        by: Assigner,
        /// The kinds of the pieces, one for each piece.
        pieces: Vec<Kind>,
        /// White's squares in the order of the text; black's are the inverted ones.
        squares: Vec<Place>,
    },
}

/// Who places the pieces.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::{Assigner, Setup};
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
///     SETUP DECISION random ASSIGNS {ant} TO {(1,1) (2,1) (3,1)} END DECISION
/// #     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
/// #     END GAME.
/// ";
/// let setup = metagame::check(&Source::new("walk.game", text)).0.expect("no errors").setup;
/// let Setup::Assigned { by, pieces, squares } = setup else { panic!("chance places the piece") };
/// assert_eq!((by, pieces.len(), squares.len()), (Assigner::Random, 1, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assigner {
    /// Each player his own pieces.
    Player,
    /// Each player those of the other.
    Opponent,
    /// Chance, for both players alike.
    Random,
}

/// A kind of piece with its powers.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
///     DEFINE ant
///         MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING
///         CONSTRAINTS must_capture
///     END DEFINE
/// #     END GAME.
/// ";
/// let game = metagame::check(&Source::new("walk.game", text)).0.expect("no errors");
/// let ant = &game.kinds[0];
/// assert_eq!((ant.name.as_str(), ant.moving.len(), ant.capturing.len()), ("ant", 1, 0));
/// assert!(ant.must_capture && !ant.continue_captures);
/// ```
#[derive(Clone, Debug)]
pub struct PieceType {
    /// Its name.
    pub name: String,
    /// How it moves without capturing.
    pub moving: Vec<Movement>,
    /// How it captures.
    pub capturing: Vec<Capture>,
    /// What it becomes at the end of the board.
    pub promoting: Promotion,
    /// Whether it must capture when it can.
    pub must_capture: bool,
    /// Whether it may go on capturing.
    pub continue_captures: bool,
    /// The text it comes from.
    pub origin: Origin,
}

/// A way to move.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::{Side, StepKind};
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING
///     MOVEMENT LEAP <1,2> SYMMETRY {side} END MOVEMENT
/// #     END MOVING END DEFINE END GAME.
/// ";
/// let game = metagame::check(&Source::new("walk.game", text)).0.expect("no errors");
/// let leap = &game.kinds[0].moving[0];
/// assert_eq!((&leap.step, leap.vector), (&StepKind::Leap, (1, 2)));
/// assert_eq!(leap.directions(&game.board, Side::White), [(-1, 2), (1, 2)]);
/// assert_eq!(leap.directions(&game.board, Side::Black), [(-1, -2), (1, -2)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// What it does along its directions.
    pub step: StepKind,
    /// Files and ranks of one leap, as it is written.
    pub vector: (u32, u32),
    /// What its directions are beside the vector itself.
    pub symmetries: Symmetries,
    /// The text it comes from.
    pub origin: Origin,
}

/// What a movement does along a direction.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::StepKind;
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING
///     MOVEMENT RIDE MAX 2 LONGEST <0,1> SYMMETRY {} END MOVEMENT
/// #     END MOVING END DEFINE END GAME.
/// ";
/// let game = metagame::check(&Source::new("walk.game", text)).0.expect("no errors");
/// let ride = StepKind::Ride { min: None, max: Some(2), longest: true };
/// assert_eq!(game.kinds[0].moving[0].step, ride);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// One leap.
    Leap,
    /// Leaps over empty squares.
    Ride {
        /// The least number of leaps; `None` means 1.
        min: Option<u32>,
        /// The greatest number of leaps.
        max: Option<u32>,
        /// Whether it must go as far as it can.
        longest: bool,
    },
    /// Leaps over pieces.
    Hop {
        /// How many empty squares come first.
        before: Amount,
        /// How many pieces are hopped over.
        over: Amount,
        /// How many empty squares come then.
        after: Amount,
        /// The pieces that can be hopped over.
        what: Description,
    },
}

/// A condition on a number.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::{Amount, StepKind};
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING
///     MOVEMENT
///         HOP BEFORE [X <= 2] OVER [X = 1] AFTER [X >= 0] HOP_OVER [any_player any_piece]
///         <0,1> SYMMETRY {}
///     END MOVEMENT
/// #     END MOVING END DEFINE END GAME.
/// ";
/// let game = metagame::check(&Source::new("walk.game", text)).0.expect("no errors");
/// let StepKind::Hop { before, over, after, .. } = game.kinds[0].moving[0].step else { panic!("it hops") };
/// assert_eq!((before, over, after), (Amount::AtMost(2), Amount::Exactly(1), Amount::AtLeast(0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// `[X = n]`
    Exactly(u32),
    /// `[X >= n]`
    AtLeast(u32),
    /// `[X <= n]`
    AtMost(u32),
}

/// The symmetries of a movement.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::Symmetries;
///
/// let all = Symmetries { forward: true, side: true, rotation: true };
/// assert_ne!(all, Symmetries::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symmetries {
    /// `(x, -y)` with `(x, y)`.
    pub forward: bool,
    /// `(-x, y)` with `(x, y)`.
    pub side: bool,
    /// `(y, x)` with `(x, y)`.
    pub rotation: bool,
}

/// A way to capture.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant CAPTURING
///     CAPTURE BY {clobber} TYPE [{opponent} any_piece] EFFECT remove
///         MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT
///     END CAPTURE
/// #     END CAPTURING END DEFINE END GAME.
/// ";
/// let game = metagame::check(&Source::new("walk.game", text)).0.expect("no errors");
/// let capture = &game.kinds[0].capturing[0];
/// assert!(capture.clobber && !capture.retrieve && !capture.hop);
/// assert_eq!((&capture.what.kinds, capture.movements.len()), (&None, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Takes the piece one leap behind.
    pub retrieve: bool,
    /// Takes the piece where it lands.
    pub clobber: bool,
    /// Takes the pieces it hops over.
    pub hop: bool,
    /// The pieces that can be taken.
    pub what: Description,
    /// What becomes of them.
    pub effect: Effect,
    /// How the capturing piece moves.
    pub movements: Vec<Movement>,
    /// The text it comes from.
    pub origin: Origin,
}

/// What becomes of captured pieces.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::{Effect, Who};
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant CAPTURING
///     CAPTURE BY {clobber} TYPE [{opponent} any_piece] EFFECT player possesses
/// #         MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END CAPTURE
/// #     END CAPTURING END DEFINE END GAME.
/// ";
/// let game = metagame::check(&Source::new("walk.game", text)).0.expect("no errors");
/// assert_eq!(game.kinds[0].capturing[0].effect, Effect::Possess(Who::Player));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// They are gone.
    Remove,
    /// They go into a player's hand, as his pieces.
    Possess(Who),
}

/// What a piece becomes at the end of the board.
///
/// # Examples
///
/// ```
/// use regulus_lang::metagame::{Promotion, Who};
/// use regulus_lang::{Source, metagame};
///
/// let text = "
/// #     GAME walk GOALS STALEMATE opponent
/// #     BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING
///     PROMOTING DECISION player OPTIONS [{player} {ant bee}] END PROMOTING
/// #     END DEFINE
/// #     DEFINE bee MOVING MOVEMENT LEAP <1,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
/// #     END GAME.
/// ";
/// let game = metagame::check(&Source::new("walk.game", text)).0.expect("no errors");
/// assert!(matches!(game.kinds[0].promoting, Promotion::Choice { by: Who::Player, .. }));
/// // A bee says nothing of promotion, so it stays one.
/// assert_eq!(game.kinds[1].promoting, Promotion::To(1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// A piece of this kind, with the same owner.
    To(Kind),
    /// What a player chooses.
    Choice {
        /// Who chooses, as the player sees him who has moved the piece.
        by: Who,
        /// What can be chosen, as the player sees it who has moved the piece.
        options: Description,
    },
}

impl Game {
    /// The number of the kind with this name; `None` if there is none.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<Kind> {
        self.kinds.iter().position(|kind| kind.name == name)
    }

    /// How many pieces both players begin with, those in their hands included.
    #[must_use]
    pub fn piece_count(&self) -> usize {
        2 * match &self.setup {
            Setup::Fixed(pieces) => pieces.len(),
            Setup::Assigned { pieces, .. } => pieces.len(),
        }
    }

    /// The pieces on the board at the beginning; empty if the players set up. If chance does, the pieces are on the first
    /// squares.
    #[must_use]
    pub fn position(&self) -> BTreeMap<Place, (Side, Kind)> {
        let mut position = BTreeMap::new();
        for side in Side::BOTH {
            let mut put = |kind: Kind, place: Place| {
                position.insert(self.board.seen(place, side), (side, kind));
            };
            match &self.setup {
                Setup::Fixed(all) => all.iter().for_each(|(kind, place)| put(*kind, *place)),
                Setup::Assigned { by: Assigner::Random, pieces, squares } => {
                    pieces.iter().zip(squares).for_each(|(kind, place)| put(*kind, *place));
                }
                Setup::Assigned { .. } => {}
            }
        }
        position
    }

    /// A symbol for each kind, in small letters: the first of its name that no kind before it has, or two of them.
    #[must_use]
    pub fn symbols(&self) -> Vec<String> {
        let mut used = BTreeSet::new();
        let mut symbols = Vec::new();
        for kind in &self.kinds {
            let letters: Vec<char> =
                kind.name.chars().filter(char::is_ascii_alphanumeric).collect();
            let one = letters.iter().map(char::to_string);
            let two = letters
                .iter()
                .flat_map(|first| letters.iter().map(move |second| format!("{first}{second}")));
            let free = one.chain(two).find(|symbol| !used.contains(symbol));
            let symbol = free.unwrap_or_else(|| format!("{}", used.len()));
            used.insert(symbol.clone());
            symbols.push(symbol);
        }
        symbols
    }

    /// The pieces that a rule of a side describes, by owner and kind.
    pub fn described(&self, what: &Description, side: Side) -> impl Iterator<Item = (Side, Kind)> {
        let owners = Side::BOTH.into_iter().filter(move |owner| match what.owner {
            None => true,
            Some(who) => *owner == who.seen_by(side),
        });
        let kinds: Vec<Kind> = match &what.kinds {
            None => (0..self.kinds.len()).collect(),
            Some(kinds) => kinds.iter().copied().collect(),
        };
        owners.flat_map(move |owner| kinds.clone().into_iter().map(move |kind| (owner, kind)))
    }
}

impl Who {
    /// The word of the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Who::Player => "player",
            Who::Opponent => "opponent",
        }
    }

    /// Which side it is in a rule of a side.
    #[must_use]
    pub fn seen_by(self, side: Side) -> Side {
        match self {
            Who::Player => side,
            Who::Opponent => side.other(),
        }
    }
}

impl BoardRules {
    /// Where a side sees a square that white sees here.
    #[must_use]
    pub fn seen(&self, (x, y): Place, side: Side) -> Place {
        match (side, self.inversion) {
            (Side::White, _) => (x, y),
            (Side::Black, Inversion::Diagonal) => (self.width + 1 - x, self.height + 1 - y),
            (Side::Black, Inversion::Forward) => (x, self.height + 1 - y),
        }
    }

    /// All squares: ranks from the top, each from the left.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let width = self.width;
        (1..=self.height).rev().flat_map(move |y| (1..=width).map(move |x| (x, y)))
    }

    /// Whether the pieces of a side promote on a square.
    #[must_use]
    pub fn promotes(&self, place: Place, side: Side) -> bool {
        self.seen(place, side).1 >= self.promote_rank
    }

    /// The square `dx` files to the right and `dy` ranks up; `None` off the board.
    #[must_use]
    pub fn step(&self, (x, y): Place, (dx, dy): (i32, i32)) -> Option<Place> {
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        let (x, y) = (i64::from(x) + i64::from(dx), i64::from(y) + i64::from(dy));
        let x = if self.is_cylinder { (x - 1).rem_euclid(width) + 1 } else { x };
        let inside = (1..=width).contains(&x) && (1..=height).contains(&y);
        inside.then_some((x as u32, y as u32))
    }
}

impl Movement {
    /// The directions for a side, each once: on a cylinder, those that lead to the same squares are one.
    #[must_use]
    pub fn directions(&self, board: &BoardRules, side: Side) -> Vec<(i32, i32)> {
        let mut found = BTreeSet::from([(self.vector.0 as i32, self.vector.1 as i32)]);
        loop {
            let mut next = found.clone();
            for &(x, y) in &found {
                next.extend(self.symmetries.forward.then_some((x, -y)));
                next.extend(self.symmetries.side.then_some((-x, y)));
                next.extend(self.symmetries.rotation.then_some((y, x)));
            }
            if next == found {
                break;
            }
            found = next;
        }
        let width = board.width as i32;
        let invert = |(x, y): (i32, i32)| match (side, board.inversion) {
            (Side::White, _) => (x, y),
            (Side::Black, Inversion::Diagonal) => (-x, -y),
            (Side::Black, Inversion::Forward) => (x, -y),
        };
        // The shorter way round a cylinder.
        let around = |(x, y): (i32, i32)| {
            let right = x.rem_euclid(width);
            (if right * 2 > width { right - width } else { right }, y)
        };
        let all: BTreeSet<(i32, i32)> = found
            .into_iter()
            .map(invert)
            .map(|vector| if board.is_cylinder { around(vector) } else { vector })
            .collect();
        all.into_iter().collect()
    }
}
