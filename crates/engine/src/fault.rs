//! What can go wrong while a game is played: the rules do not come to an end, or a move is not one.

use std::fmt;

use regulus_automaton::Origin;

/// How much one request may do before the rules are taken to be broken.
///
/// The limits on moves (`writes`, `moves`, `stored_steps`, `keeper_moves`) hold in every engine alike. The limits on effort
/// (`tries`, `memory`) are counted by each engine in its own units; where a faster engine reaches one of them, `walk` is
/// asked, and its answer or its fault is final. So a faster engine may answer where `walk` alone would not, but never the
/// other way round.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Limits, Rules as _, Walk};
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
/// let limits = Limits { tries: 1000, ..Limits::default() };
/// let rules = Walk::with_limits(automaton, limits);
/// assert_eq!(rules.limits(), limits);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Writes in one move.
    pub writes: usize,
    /// Legal moves of one state.
    pub moves: u64,
    /// Steps of all the moves of one state together, when they are stored in a list.
    pub stored_steps: usize,
    /// Moves of the keeper between two of the players.
    pub keeper_moves: u64,
    /// Effort while looking for the moves of one state, or while the keeper acts between two moves: for `walk`, edges tried;
    /// for the others, about as many operations on sets of squares.
    pub tries: u64,
    /// Bytes that `walk` may take to remember where one search has been.
    pub memory: usize,
}

impl Default for Limits {
    /// Far above what any game of the public collections needs, and still reached within seconds and in little memory.
    fn default() -> Limits {
        Limits {
            writes: 4096,
            moves: 1 << 24,
            stored_steps: 1 << 23,
            keeper_moves: 1 << 20,
            tries: 1 << 26,
            memory: 1 << 28,
        }
    }
}

impl Limits {
    /// Limits for all who ask for the moves of many positions, one after the other: players, and servers on which others are waiting. A
    /// request ends within about a second.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_engine::Limits;
    ///
    /// assert!(Limits::for_players().tries < Limits::default().tries);
    /// ```
    #[must_use]
    pub fn for_players() -> Limits {
        Limits {
            moves: 1 << 20,
            stored_steps: 1 << 21,
            keeper_moves: 1 << 16,
            tries: 1 << 24,
            memory: 1 << 26,
            ..Limits::default()
        }
    }
}

/// An engine other than `walk` has reached a limit. The state is as it was, and `walk` is to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GaveUp;

/// Why a request could not be answered.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Fault, Rules as _, Walk};
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
/// let rules = Walk::new(automaton);
/// let mut scratch = rules.scratch();
/// let mut state = rules.initial(&mut scratch)?;
/// let mut history = rules.history(&state);
/// let fault = rules.play(&mut state, &mut history, &[], &mut scratch).expect_err("no steps");
/// assert_eq!(fault, Fault::not_a_move());
/// assert!(fault.is_bad_move());
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    // PERF: boxed, so that results of searches fit into registers.
    detail: Box<FaultDetail>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct FaultDetail {
    kind: FaultKind,
    origin: Option<Origin>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    TooManyWrites(usize),
    TooManyTries(u64),
    TooMuchMemory(usize),
    TooManyMoves(u64),
    TooManySteps(usize),
    EndlessKeeper(u64),
    NotAMove,
}

impl Fault {
    #[cold]
    pub(crate) fn new(kind: FaultKind, origin: Option<Origin>) -> Fault {
        Fault { detail: Box::new(FaultDetail { kind, origin }) }
    }

    /// Steps that are no move.
    #[must_use]
    pub fn not_a_move() -> Fault {
        Fault::new(FaultKind::NotAMove, None)
    }

    /// The place in the source text where it was noticed.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        self.detail.origin
    }

    /// Whether the move was at fault, not the game.
    #[must_use]
    pub fn is_bad_move(&self) -> bool {
        self.detail.kind == FaultKind::NotAMove
    }

    /// Whether there are too many moves for a list, but perhaps not too many to be looked at one by one.
    pub(crate) fn is_too_long_list(&self) -> bool {
        matches!(self.detail.kind, FaultKind::TooManySteps(_))
    }

    /// A stable name for programs.
    #[must_use]
    pub fn id(&self) -> &'static str {
        match self.detail.kind {
            FaultKind::TooManyWrites(_) => "run-endless-move",
            FaultKind::TooManyTries(_) => "run-endless-search",
            FaultKind::TooMuchMemory(_) => "run-too-large-search",
            FaultKind::TooManyMoves(_) => "run-too-many-moves",
            FaultKind::TooManySteps(_) => "run-too-long-list",
            FaultKind::EndlessKeeper(_) => "run-endless-keeper",
            FaultKind::NotAMove => "run-not-a-move",
        }
    }

    /// What the author of the game can do.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self.detail.kind {
            FaultKind::TooManyWrites(_) => {
                "a repetition here can write for ever: let every round use something up, or end the move in it"
            }
            FaultKind::TooManyTries(_)
            | FaultKind::TooMuchMemory(_)
            | FaultKind::TooManyMoves(_) => {
                "split the move into several turns, or let the keeper do the part that is no choice"
            }
            FaultKind::TooManySteps(_) => {
                "they can be counted, as `perft 1` does; to list them, split the move into several turns"
            }
            FaultKind::EndlessKeeper(_) => {
                "the keeper's repetition needs a condition that ends it, and every round must come nearer to it"
            }
            FaultKind::NotAMove => "list the legal moves and choose one of them",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.detail.kind {
            FaultKind::TooManyWrites(limit) => write!(f, "a move goes on after {limit} writes"),
            FaultKind::TooManyTries(limit) => {
                write!(f, "the search for moves is not finished after {limit} steps")
            }
            FaultKind::TooMuchMemory(limit) => {
                write!(f, "the search for moves needs more than {limit} bytes")
            }
            FaultKind::TooManyMoves(limit) => {
                write!(f, "there are more than {limit} legal moves in this position")
            }
            FaultKind::TooManySteps(limit) => {
                write!(
                    f,
                    "the legal moves are too many to be listed: they have more than {limit} steps together"
                )
            }
            FaultKind::EndlessKeeper(limit) => {
                write!(f, "the keeper does not come to an end within {limit} moves in a row")
            }
            FaultKind::NotAMove => write!(f, "this is not a move in this position"),
        }
    }
}

impl std::error::Error for Fault {}
