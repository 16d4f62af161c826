//! What can be set about a run.

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

/// How a net is trained.
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
}

impl TrainConfig {
    /// A net whose evaluation takes less than a microsecond, for minutes on a processor.
    #[must_use]
    pub fn fast() -> TrainConfig {
        TrainConfig {
            seed: 1,
            threads: 1,
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
        }
    }
}
