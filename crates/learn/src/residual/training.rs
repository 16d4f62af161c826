//! Runs of training of residual nets.

use std::sync::Arc;
use std::time::Duration;

use regulus_agents::residual::{
    NetSearchKind, PlaneMirror, ResidualNet, ResidualShape, ResidualWeights,
};
use regulus_agents::{AgentError, Budget, Clock, Stop};
use regulus_game::Game;

use super::descent::ResidualLoss;
use super::examples::Examples;
use super::lessons::{ResidualLesson, learn_examples};
use super::self_play::play_games;
use crate::games::seed_of;

/// How long may be taken to find the symmetries of a game.
const LONGEST: Duration = Duration::from_secs(60);

/// How a residual net is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct ResidualConfig {
    /// The seed of everything.
    pub seed: u64,
    /// How many threads play and learn; the result does not depend on it.
    pub threads: usize,
    /// How many games are played in an iteration.
    pub games: u64,
    /// How moves are found.
    pub search: NetSearchKind,
    /// How many rounds a search has.
    pub rounds: u64,
    /// From how many to how many random moves games begin with.
    pub opening: [u64; 2],
    /// How often a random move is made later.
    pub stray: f64,
    /// Whether moves are drawn by how often they were tried, instead of the best one.
    pub samples: bool,
    /// After how many moves a game is broken off as a draw.
    pub longest: u64,
    /// Whether positions where the game is over are learnt, too.
    pub judges_ends: bool,
    /// How much of what a position is worth comes from the end of the game; the rest is what the search said.
    pub outcome: f32,
    /// How many of the last iterations are learnt from.
    pub replay: usize,
    /// How often each position is looked at in an iteration.
    pub epochs: f64,
    /// How many positions are looked at between two steps.
    pub batch: usize,
    /// The length of steps.
    pub rate: f32,
    /// Whether boards are also looked at as they are in mirrors; only for nets that do not say which moves are good.
    pub mirrors: bool,
}

impl ResidualConfig {
    /// As in the ABG report, with the search by rounds: 20 games of 50 rounds a move, learnt from for three iterations. What the report leaves open was chosen
    /// here: how moves are drawn, and all of learning.
    #[must_use]
    pub fn thesis_rounds() -> ResidualConfig {
        ResidualConfig {
            seed: 1,
            threads: 1,
            games: 20,
            search: NetSearchKind::Rounds { exploration: 1.0 },
            rounds: 50,
            opening: [0, 0],
            stray: 0.0,
            samples: true,
            longest: 200,
            judges_ends: true,
            outcome: 1.0,
            replay: 3,
            epochs: 20.0,
            batch: 32,
            rate: 1e-3,
            mirrors: true,
        }
    }

    /// The same with the search that looks four moves ahead; a fifth of the moves are random, since games were all the same otherwise.
    #[must_use]
    pub fn thesis_lookahead() -> ResidualConfig {
        ResidualConfig {
            search: NetSearchKind::Lookahead { depth: 4 },
            stray: 0.2,
            samples: false,
            ..ResidualConfig::thesis_rounds()
        }
    }

    /// For nets that say which moves are good: few rounds, moves drawn at the root.
    #[must_use]
    pub fn small() -> ResidualConfig {
        ResidualConfig {
            games: 50,
            search: NetSearchKind::Likely { exploration: 1.25, draws: true },
            rounds: 32,
            opening: [0, 4],
            longest: 300,
            samples: false,
            judges_ends: false,
            outcome: 0.5,
            replay: 8,
            epochs: 2.0,
            batch: 64,
            ..ResidualConfig::thesis_rounds()
        }
    }
}

/// A residual net that learns.
///
/// # Examples
///
/// ```
/// use regulus_agents::Stop;
/// use regulus_agents::residual::ResidualShape;
/// use regulus_game::{Config, Game};
/// use regulus_learn::residual::{ResidualConfig, ResidualTraining};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let shape = ResidualShape { filters: 8, blocks: 1, ..ResidualShape::thesis(&game)? };
/// let config = ResidualConfig { games: 2, rounds: 10, ..ResidualConfig::thesis_rounds() };
/// let mut training = ResidualTraining::new(&game, shape, config)?;
/// training.iterate(&Stop::new())?;
/// assert_eq!(training.done(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ResidualTraining {
    game: Arc<Game>,
    config: ResidualConfig,
    weights: ResidualWeights,
    net: Arc<ResidualNet>,
    replay: Vec<Examples>,
    mirrors: Vec<PlaneMirror>,
    done: u64,
}

impl ResidualTraining {
    /// Begins with random weights.
    ///
    /// # Errors
    ///
    /// If the rules fault.
    pub fn new(
        game: &Arc<Game>,
        shape: ResidualShape,
        config: ResidualConfig,
    ) -> Result<ResidualTraining, AgentError> {
        let clock = Clock::start(Budget::time(LONGEST), Stop::new());
        // A mirror changes which choices are meant, too, which is not known here.
        let mirrors = match config.mirrors && shape.choices == 0 {
            true => PlaneMirror::all(game, &clock)?,
            false => Vec::new(),
        };
        let weights = ResidualWeights::random(shape, config.seed);
        let net = Arc::new(ResidualNet::new(game, &weights));
        let game = Arc::clone(game);
        let replay = Vec::new();
        Ok(ResidualTraining { game, config, weights, net, replay, mirrors, done: 0 })
    }

    /// How many iterations are done.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The weights so far.
    #[must_use]
    pub fn weights(&self) -> &ResidualWeights {
        &self.weights
    }

    /// The net so far.
    #[must_use]
    pub fn net(&self) -> &Arc<ResidualNet> {
        &self.net
    }

    /// Plays and learns once more; returns the loss, or `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If a game cannot be played.
    pub fn iterate(&mut self, stop: &Stop) -> Result<Option<ResidualLoss>, AgentError> {
        let number = self.done + 1;
        let (examples, _) = play_games(&self.game, &self.net, &self.config, number, stop)?;
        if stop.is_stopped() {
            return Ok(None);
        }
        self.replay.push(examples);
        if self.replay.len() > self.config.replay {
            self.replay.remove(0);
        }
        let mut all = Examples::default();
        self.replay.iter().for_each(|examples| all.append(examples));
        let lesson = ResidualLesson {
            seed: seed_of(self.config.seed, number, u64::MAX),
            epochs: self.config.epochs,
            batch: self.config.batch,
            rate: self.config.rate,
            threads: self.config.threads,
        };
        let loss = learn_examples(&mut self.weights, &all, &self.mirrors, lesson);
        self.net = Arc::new(ResidualNet::new(&self.game, &self.weights));
        self.done = number;
        Ok(Some(loss))
    }
}
