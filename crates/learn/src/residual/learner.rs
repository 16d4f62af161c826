//! Residual nets, as a run learns them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use regulus_agents::residual::{
    NoResidual, PlaneMirror, ResidualNet, ResidualShape, ResidualWeights,
};
use regulus_agents::{Agent, AgentError, BadSpec, Budget, Clock, PlayerSpec, Stop};
use regulus_game::Game;

use super::descent::ResidualLoss;
use super::examples::Examples;
use super::lessons::{ResidualLesson, learn_examples};
use super::self_play::play_games;
use crate::config::{Preset, TrainConfig};
use crate::error::TrainError;
use crate::experience::{Experience, ExperienceKind, PlayedGame};
use crate::games::seed_of;
use crate::learner::Learner;
use crate::progress::Watch;

/// How long may be taken to find the symmetries of a game.
const LONGEST: Duration = Duration::from_secs(60);

/// A residual net while it is learnt.
#[derive(Clone, Debug)]
pub(crate) struct ResidualLearner {
    pub(crate) game: Arc<Game>,
    pub(crate) weights: ResidualWeights,
    pub(crate) net: Arc<ResidualNet>,
    mirrors: Arc<[PlaneMirror]>,
}

/// What the net of a run looks like.
fn shape_of(game: &Game, config: &TrainConfig) -> Result<ResidualShape, NoResidual> {
    let shape = match config.preset {
        Preset::Small => ResidualShape::small(game)?,
        _ => ResidualShape::thesis(game)?,
    };
    Ok(ResidualShape { filters: config.filters, blocks: config.blocks, ..shape })
}

impl ResidualLearner {
    /// A net with random weights.
    pub(crate) fn new(
        game: &Arc<Game>,
        config: &TrainConfig,
    ) -> Result<ResidualLearner, TrainError> {
        let shape = shape_of(game, config).map_err(TrainError::Residual)?;
        let clock = Clock::start(Budget::time(LONGEST), Stop::new());
        // A mirror changes which choices are meant, too, which is not known here.
        let mirrors = match config.mirrors && shape.choices == 0 {
            true => PlaneMirror::all(game, &clock)
                .map_err(|error| TrainError::Play(AgentError::from(error)))?,
            false => Vec::new(),
        };
        let weights = ResidualWeights::random(shape, config.seed);
        let net = Arc::new(ResidualNet::new(game, &weights));
        Ok(ResidualLearner { game: Arc::clone(game), weights, net, mirrors: mirrors.into() })
    }

    fn renew(&mut self) {
        self.net = Arc::new(ResidualNet::new(&self.game, &self.weights));
    }

    /// Learns from the last iterations.
    pub(crate) fn learn_from(
        &mut self,
        replay: &[Experience],
        config: &TrainConfig,
        iteration: u64,
    ) -> ResidualLoss {
        let lists: Vec<&Examples> = replay.iter().filter_map(Experience::examples).collect();
        let lesson = ResidualLesson {
            seed: seed_of(config.seed, iteration, u64::MAX),
            rounds: config.rounds,
            batch: config.batch,
            rate: config.rate,
            threads: config.threads,
        };
        let loss = learn_examples(&mut self.weights, &lists, &self.mirrors, lesson);
        self.renew();
        loss
    }
}

impl Learner for ResidualLearner {
    fn kind(&self) -> ExperienceKind {
        ExperienceKind::Examples(self.weights.shape)
    }

    fn reset(&mut self, config: &TrainConfig) {
        self.weights = ResidualWeights::random(self.weights.shape, config.seed);
        self.renew();
    }

    fn load(&mut self, path: &Path) -> Result<(), TrainError> {
        let weights = ResidualWeights::read(&self.game, path).map_err(TrainError::Net)?;
        let fitting = weights.filter(|weights| weights.shape == self.weights.shape);
        self.weights = fitting.ok_or_else(|| {
            let problem = "this is not a net of the size that the settings of the run say";
            TrainError::Folder(path.to_owned(), problem.to_owned())
        })?;
        self.renew();
        Ok(())
    }

    fn with_weights(&self, path: &Path) -> Result<Box<dyn Learner>, TrainError> {
        let mut other = self.clone();
        other.load(path)?;
        Ok(Box::new(other))
    }

    fn play(
        &self,
        config: &TrainConfig,
        iteration: u64,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<PlayedGame>>, AgentError> {
        play_games(&self.game, &self.net, config, iteration, stop, watch)
    }

    fn learn(&mut self, replay: &[Experience], config: &TrainConfig, iteration: u64) -> f64 {
        self.learn_from(replay, config, iteration).whole()
    }

    fn bytes(&self, name: &str) -> Result<Vec<u8>, TrainError> {
        self.weights.to_bytes(&self.game, name).map_err(TrainError::Net)
    }

    fn player(&self, config: &TrainConfig, seed: u64) -> Result<Box<dyn Agent>, AgentError> {
        let spec = PlayerSpec::net(&config.search.options());
        let spec = spec.map_err(|error: BadSpec| AgentError::Forfeit(error.to_string()))?;
        Ok(spec.create_with_residual(&self.game, Arc::clone(&self.net), seed))
    }
}
