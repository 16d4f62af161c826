//! What can be set about a run.

mod settings;

use std::fmt;

pub use settings::{BadSetting, SETTINGS, Setting};

/// What positions are taken to be worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearningTarget {
    /// What the game ended with.
    Outcome,
    /// What the search said.
    Search,
    /// Both: what the search said here and later, the later the less, and the end of the game (TD(λ)).
    Trace,
}

/// Which part of the games of each iteration is played here, where several machines share a folder.
///
/// # Examples
///
/// ```
/// use regulus_learn::Shard;
///
/// let second = Shard { index: 2, count: 3 };
/// assert!(second.has(1) && second.has(4) && !second.has(2));
/// assert_eq!(second.to_string(), "2 of 3");
/// assert!(Shard::WHOLE.has(0) && Shard::WHOLE.leads());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1. The first one also learns.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

impl Shard {
    /// All games.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Whether it plays the game with this number, from 0.
    #[must_use]
    pub fn has(self, game: u64) -> bool {
        game % self.count == self.index - 1
    }

    /// Whether it is the one that learns.
    #[must_use]
    pub fn leads(self) -> bool {
        self.index == 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.index, self.count)
    }
}

/// How a net is trained.
///
/// [`SETTINGS`] are those of the fields that the result depends on: a run keeps them from its beginning to its end.
///
/// # Examples
///
/// ```
/// use regulus_learn::TrainConfig;
///
/// let config = TrainConfig { seed: 7, ..TrainConfig::fast() };
/// assert!(config.games > 0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TrainConfig {
    /// The seed of everything.
    pub seed: u64,
    /// How many threads play and learn; the result does not depend on it.
    pub threads: usize,
    /// Which part of the games is played here; the result does not depend on it.
    pub shard: Shard,
    /// How many sums the net has for each player.
    pub sums: usize,
    /// How many games are played in an iteration.
    pub games: u64,
    /// How many positions are looked at for a move.
    pub nodes: u64,
    /// From how many to how many random moves games begin with.
    pub opening: [u64; 2],
    /// How often a random move is made later.
    pub stray: f64,
    /// After how many moves a game is broken off as a draw.
    pub longest: u64,
    /// Whether exchanges are followed to their end.
    pub settling: bool,
    /// What positions are taken to be worth.
    pub target: LearningTarget,
    /// How much of what a position is worth comes from later.
    pub trace: f32,
    /// How many of the last iterations are learnt from.
    pub replay: usize,
    /// How often each position is looked at in an iteration.
    pub rounds: f64,
    /// The length of steps at the beginning and at the end of an iteration.
    pub rates: [f32; 2],
    /// Whether boards are also looked at as they are in mirrors.
    pub mirrors: bool,
    /// After how many iterations the strength of the net is measured each time; 0 if never.
    pub measure: u64,
    /// How many games are then played against each opponent.
    pub trial: u64,
    /// How many positions are looked at for a move of those games, or playouts made.
    pub trial_nodes: u64,
}

impl TrainConfig {
    /// A net whose evaluation takes less than a microsecond, for minutes on a processor.
    #[must_use]
    pub fn fast() -> TrainConfig {
        TrainConfig {
            seed: 1,
            threads: 1,
            shard: Shard::WHOLE,
            sums: 128,
            games: 1_000,
            nodes: 300,
            opening: [2, 10],
            stray: 0.05,
            longest: 300,
            settling: true,
            target: LearningTarget::Trace,
            trace: 0.8,
            replay: 8,
            rounds: 4.0,
            rates: [1e-3, 1e-4],
            mirrors: true,
            measure: 5,
            trial: 20,
            trial_nodes: 400,
        }
    }
}
