//! What can go wrong while a game is played, and how much one request may do.

use std::cell::Cell;
use std::fmt;

/// How much one request may do before the rules are taken to be broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Letters in one word of a rule.
    pub letters: usize,
    /// Letters tried while looking for the moves of one state, patterns included.
    pub tries: u64,
    /// Letters and changes of all the moves of one state together.
    pub stored: usize,
}

impl Default for Limits {
    /// Far above what games need, and still reached within seconds.
    fn default() -> Limits {
        Limits { letters: 4096, tries: 1 << 25, stored: 1 << 20 }
    }
}

/// Why a request could not be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A rule has a word with more letters than allowed, each of which can be read.
    EndlessWord {
        /// The piece of the rule.
        piece: String,
        /// How many letters are allowed.
        limit: usize,
    },
    /// Looking for moves takes more tries than allowed.
    EndlessSearch {
        /// How many tries are allowed.
        limit: u64,
    },
    /// The moves of one state have more letters and changes together than allowed.
    TooManyMoves {
        /// How many letters and changes are allowed.
        limit: usize,
    },
    /// The move to be played is not legal here.
    NotAMove,
    /// The game is over.
    Over,
    /// An anti-effect has not put everything back; noticed where debug assertions are on.
    AntiEffect {
        /// The name the effect is registered under.
        effect: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::EndlessWord { piece, limit } => {
                write!(f, "a move of `{piece}` goes on after {limit} letters, the most allowed")
            }
            Fault::EndlessSearch { limit } => {
                write!(f, "looking for moves takes more than {limit} tries, the most allowed")
            }
            Fault::TooManyMoves { limit } => {
                write!(f, "the moves have more than {limit} letters and changes, the most allowed")
            }
            Fault::NotAMove => write!(f, "this move is not legal here"),
            Fault::Over => write!(f, "the game is over"),
            Fault::AntiEffect { effect } => {
                write!(f, "the anti-effect of `{effect}` does not put everything back")
            }
        }
    }
}

impl std::error::Error for Fault {}

/// The tries that a request has left. Evaluation goes on when they are used up, but answers no to everything.
#[derive(Debug)]
pub(crate) struct TryBudget {
    limit: u64,
    left: Cell<u64>,
}

impl TryBudget {
    pub(crate) fn new(limits: Limits) -> TryBudget {
        // One more than allowed, so that nothing left means too much was asked for.
        TryBudget { limit: limits.tries, left: Cell::new(limits.tries.saturating_add(1)) }
    }

    /// Takes one try; returns whether it may be made.
    pub(crate) fn spend(&self) -> bool {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        left > 0
    }

    /// Fails when more was asked for than there was.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.left.get() == 0 {
            return Err(Fault::EndlessSearch { limit: self.limit });
        }
        Ok(())
    }
}
