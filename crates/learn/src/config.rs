//! What can be set about a run.

mod settings;

use std::fmt;

use regulus_agents::residual::NetSearchKind;

pub use settings::{BadSetting, SETTINGS, Setting};

/// A kind of net with settings that suit it.
///
/// # Examples
///
/// ```
/// use regulus_learn::{Preset, TrainConfig};
///
/// let preset: Preset = "thesis".parse().expect("there is one");
/// assert_eq!(TrainConfig::of(preset).blocks, 3);
/// assert!("slow".parse::<Preset>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// A net of sums whose evaluation takes less than a microsecond.
    Fast,
    /// The residual net of the ABG report, which only judges positions.
    Thesis,
    /// A smaller residual net, which also says which moves are good.
    Small,
}

impl Preset {
    /// All of them.
    pub const ALL: &'static [Preset] = &[Preset::Fast, Preset::Thesis, Preset::Small];

    /// What users call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Preset::Fast => "fast",
            Preset::Thesis => "thesis",
            Preset::Small => "small",
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Preset {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<Preset, BadSetting> {
        let found = Preset::ALL.iter().find(|preset| preset.name() == text);
        found.copied().ok_or_else(|| settings::bad_preset(text))
    }
}

/// How moves of the games are found that a residual net learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearningSearch {
    /// A tree grown by UCB1, as in the ABG report.
    Rounds,
    /// Alpha-beta search of four moves, as in the ABG report.
    Lookahead,
    /// A tree grown where the net finds moves likely.
    Likely,
}

/// How much moves are favoured that were rarely tried, or that the net finds likely.
const ROUNDS_EXPLORATION: f32 = 1.0;
const LIKELY_EXPLORATION: f32 = 1.25;

/// How many moves are looked ahead.
const DEPTH: u32 = 4;

impl LearningSearch {
    /// The search in games that are learnt from.
    pub(crate) fn kind(self) -> NetSearchKind {
        match self {
            LearningSearch::Rounds => NetSearchKind::Rounds { exploration: ROUNDS_EXPLORATION },
            LearningSearch::Lookahead => NetSearchKind::Lookahead { depth: DEPTH },
            LearningSearch::Likely => {
                NetSearchKind::Likely { exploration: LIKELY_EXPLORATION, draws: true }
            }
        }
    }

    /// The same search as options of the player `net:FILE`, which draws nothing.
    pub(crate) fn options(self) -> String {
        match self {
            LearningSearch::Rounds => format!("?search=rounds&exploration={ROUNDS_EXPLORATION}"),
            LearningSearch::Lookahead => format!("?search=lookahead&depth={DEPTH}"),
            LearningSearch::Likely => format!("?search=likely&exploration={LIKELY_EXPLORATION}"),
        }
    }

    /// Whether moves are drawn by how often they were tried, since games would be alike otherwise.
    pub(crate) fn draws_moves(self) -> bool {
        self == LearningSearch::Rounds
    }

    /// Whether the net judges positions where the game is over, and so has to learn them.
    pub(crate) fn judges_ends(self) -> bool {
        self != LearningSearch::Likely
    }
}

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
/// [`SETTINGS`] are those of the fields that the result depends on: a run keeps them from its beginning to its end. Which of them count
/// depends on the preset.
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
    /// Which net is trained.
    pub preset: Preset,
    /// The seed of everything.
    pub seed: u64,
    /// How many threads play and learn; the result does not depend on it.
    pub threads: usize,
    /// Which part of the games is played here; the result does not depend on it.
    pub shard: Shard,
    /// How many sums the net has for each player.
    pub sums: usize,
    /// How many stages of a game, told by the number of pieces, have weights of their own.
    pub stages: usize,
    /// How many filters a layer of a residual net has.
    pub filters: usize,
    /// How many blocks of two layers a residual net has.
    pub blocks: usize,
    /// How many games are played in an iteration.
    pub games: u64,
    /// How moves are found with a residual net.
    pub search: LearningSearch,
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
    /// How much of what a position is worth comes from the end of the game, for residual nets; the rest is what the search said.
    pub outcome: f32,
    /// How many of the last iterations are learnt from.
    pub replay: usize,
    /// How often each position is looked at in an iteration.
    pub rounds: f64,
    /// How many positions a residual net looks at between two steps.
    pub batch: usize,
    /// The length of steps at the beginning and at the end of an iteration.
    pub rates: [f32; 2],
    /// The length of steps of residual nets.
    pub rate: f32,
    /// Whether boards are also looked at as they are in mirrors; nets that say which moves are good never do that.
    pub mirrors: bool,
    /// After how many iterations the strength of the net is measured each time; 0 if never.
    pub measure: u64,
    /// How many games are then played against each opponent.
    pub trial: u64,
    /// How many positions the net looks at for a move of those games. Opponents look at as many (or make as many playouts), but at 400 if
    /// the net is a residual one, which is slow.
    pub trial_nodes: u64,
}

impl TrainConfig {
    /// The settings of a preset.
    #[must_use]
    pub fn of(preset: Preset) -> TrainConfig {
        match preset {
            Preset::Fast => TrainConfig::fast(),
            Preset::Thesis => TrainConfig::thesis(),
            Preset::Small => TrainConfig::small(),
        }
    }

    /// A net whose evaluation takes less than a microsecond, for minutes on a processor.
    #[must_use]
    pub fn fast() -> TrainConfig {
        TrainConfig {
            preset: Preset::Fast,
            seed: 1,
            threads: 1,
            shard: Shard::WHOLE,
            sums: 128,
            stages: 8,
            filters: 32,
            blocks: 3,
            games: 2_000,
            search: LearningSearch::Likely,
            nodes: 100,
            opening: [2, 10],
            stray: 0.05,
            longest: 300,
            settling: true,
            target: LearningTarget::Trace,
            trace: 0.8,
            outcome: 1.0,
            replay: 24,
            rounds: 0.5,
            batch: 32,
            rates: [1e-3, 1e-4],
            rate: 1e-3,
            mirrors: true,
            measure: 5,
            trial: 20,
            trial_nodes: 400,
        }
    }

    /// As in the ABG report, with the search by rounds: 20 games of 50 rounds a move, learnt from for three iterations. What the report
    /// leaves open was chosen here: how moves are drawn, and all of learning.
    #[must_use]
    pub fn thesis() -> TrainConfig {
        TrainConfig {
            preset: Preset::Thesis,
            filters: 64,
            games: 20,
            search: LearningSearch::Rounds,
            nodes: 50,
            opening: [0, 0],
            stray: 0.0,
            longest: 200,
            replay: 3,
            rounds: 20.0,
            trial_nodes: 50,
            ..TrainConfig::fast()
        }
    }

    /// The same with the search that looks four moves ahead; a fifth of the moves are random, since games were all the same otherwise.
    #[must_use]
    pub fn thesis_lookahead() -> TrainConfig {
        TrainConfig { search: LearningSearch::Lookahead, stray: 0.2, ..TrainConfig::thesis() }
    }

    /// For a residual net that says which moves are good: few rounds, moves drawn at the root.
    #[must_use]
    pub fn small() -> TrainConfig {
        TrainConfig {
            preset: Preset::Small,
            games: 50,
            nodes: 32,
            opening: [0, 4],
            stray: 0.0,
            outcome: 0.5,
            replay: 8,
            rounds: 2.0,
            batch: 64,
            trial_nodes: 32,
            ..TrainConfig::fast()
        }
    }
}
