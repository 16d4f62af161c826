//! The net of a run while it is learnt, of either kind. What depends on the kind of net is behind this.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use regulus_agents::{Agent, AgentError, Stop};
use regulus_game::Game;

use crate::config::{Preset, TrainConfig};
use crate::error::TrainError;
use crate::experience::{Experience, ExperienceKind, PlayedGame};
use crate::progress::Watch;
use crate::residual::ResidualLearner;
use crate::sums::SumsLearner;

/// The net of a run: its weights as they are learnt, games with it, and players.
pub(crate) trait Learner: fmt::Debug + Send + Sync {
    /// What it learns from.
    fn kind(&self) -> ExperienceKind;

    /// Forgets everything.
    fn reset(&mut self, config: &TrainConfig);

    /// Goes on with the weights in a file.
    fn load(&mut self, path: &Path) -> Result<(), TrainError>;

    /// The same net with the weights in a file, to play against.
    fn with_weights(&self, path: &Path) -> Result<Box<dyn Learner>, TrainError>;

    /// Plays those games of an iteration that belong to this shard, in the order of their numbers; `None` if it was stopped, which takes
    /// effect after the games that are under way.
    fn play(
        &self,
        config: &TrainConfig,
        iteration: u64,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<PlayedGame>>, AgentError>;

    /// Learns from the last iterations; returns the loss.
    fn learn(&mut self, replay: &[Experience], config: &TrainConfig, iteration: u64) -> f64;

    /// The bytes of a file with the net.
    fn bytes(&self, name: &str) -> Result<Vec<u8>, TrainError>;

    /// A player with the net, as it is measured.
    fn player(&self, config: &TrainConfig, seed: u64) -> Result<Box<dyn Agent>, AgentError>;
}

/// A net that has learnt nothing.
pub(crate) fn new_learner(
    game: &Arc<Game>,
    config: &TrainConfig,
) -> Result<Box<dyn Learner>, TrainError> {
    Ok(match config.preset {
        Preset::Fast => Box::new(SumsLearner::new(game, config)?),
        Preset::Thesis | Preset::Small => Box::new(ResidualLearner::new(game, config)?),
    })
}
