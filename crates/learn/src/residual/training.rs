//! Residual nets that learn in memory, without the folder of a run.

use std::sync::Arc;

use regulus_agents::residual::{ResidualNet, ResidualWeights};
use regulus_agents::{AgentError, Stop};
use regulus_game::Game;

use super::descent::ResidualLoss;
use super::learner::ResidualLearner;
use crate::config::TrainConfig;
use crate::error::TrainError;
use crate::experience::Experience;
use crate::learner::Learner as _;

/// A residual net that learns in memory: what it learns is what a [`Training`](crate::Training) learns that is not measured.
///
/// # Examples
///
/// ```
/// use regulus_agents::Stop;
/// use regulus_game::{Config, Game};
/// use regulus_learn::TrainConfig;
/// use regulus_learn::residual::ResidualTraining;
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let config = TrainConfig { filters: 8, blocks: 1, games: 2, nodes: 10, ..TrainConfig::thesis() };
/// let mut training = ResidualTraining::new(&game, config)?;
/// training.iterate(&Stop::new())?;
/// assert_eq!(training.done(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ResidualTraining {
    config: TrainConfig,
    learner: ResidualLearner,
    replay: Vec<Experience>,
    done: u64,
}

impl ResidualTraining {
    /// Begins with random weights.
    ///
    /// # Errors
    ///
    /// If the game cannot have such a net, or its rules fault.
    pub fn new(game: &Arc<Game>, config: TrainConfig) -> Result<ResidualTraining, TrainError> {
        let learner = ResidualLearner::new(game, &config)?;
        Ok(ResidualTraining { config, learner, replay: Vec::new(), done: 0 })
    }

    /// How many iterations are done.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The weights so far.
    #[must_use]
    pub fn weights(&self) -> &ResidualWeights {
        &self.learner.weights
    }

    /// The net so far.
    #[must_use]
    pub fn net(&self) -> &Arc<ResidualNet> {
        &self.learner.net
    }

    /// Plays and learns once more; returns the loss, or `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If a game cannot be played.
    pub fn iterate(&mut self, stop: &Stop) -> Result<Option<ResidualLoss>, AgentError> {
        let number = self.done + 1;
        let played = self.learner.play(&self.config, number, stop, &mut |_| ())?;
        let Some(games) = played else { return Ok(None) };
        let mut all = self.learner.kind().none();
        games.into_iter().for_each(|game| all.append(game.experience));
        self.replay.push(all);
        if self.replay.len() > self.config.replay {
            self.replay.remove(0);
        }
        let loss = self.learner.learn_from(&self.replay, &self.config, number);
        self.done = number;
        Ok(Some(loss))
    }
}
