//! Nets with sums, as a run learns them.

use std::path::Path;
use std::sync::Arc;

use regulus_agents::{Agent, AgentError, BadSpec, Net, NetInputs, NetWeights, PlayerSpec, Stop};
use regulus_game::Game;

use crate::config::TrainConfig;
use crate::error::TrainError;
use crate::experience::{Experience, ExperienceKind, PlayedGame};
use crate::games::seed_of;
use crate::learner::Learner;
use crate::positions::Positions;
use crate::progress::Watch;
use crate::self_play::play_games;
use crate::trainer::{Lesson, learn, random_weights};

/// A net with sums while it is learnt.
#[derive(Clone, Debug)]
pub(crate) struct SumsLearner {
    pub(crate) game: Arc<Game>,
    pub(crate) inputs: Arc<NetInputs>,
    weights: NetWeights,
    /// The net to play with; `None` before anything was learnt.
    net: Option<Arc<Net>>,
}

impl SumsLearner {
    /// A net that has learnt nothing.
    pub(crate) fn new(game: &Arc<Game>, config: &TrainConfig) -> Result<SumsLearner, TrainError> {
        let inputs = Arc::new(NetInputs::new(game).map_err(TrainError::Game)?);
        let weights = random_weights(&inputs, config.sums, config.stages, config.seed);
        Ok(SumsLearner { game: Arc::clone(game), inputs, weights, net: None })
    }

    fn renew(&mut self) {
        self.net = Some(Arc::new(Net::new(Arc::clone(&self.inputs), &self.weights)));
    }
}

impl Learner for SumsLearner {
    fn kind(&self) -> ExperienceKind {
        ExperienceKind::Positions { cells: self.inputs.cells() }
    }

    fn reset(&mut self, config: &TrainConfig) {
        self.weights = random_weights(&self.inputs, config.sums, config.stages, config.seed);
        self.net = None;
    }

    fn load(&mut self, path: &Path) -> Result<(), TrainError> {
        self.weights = NetWeights::read(&self.inputs, path).map_err(TrainError::Net)?;
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
        play_games(self, config, iteration, stop, watch)
    }

    fn learn(&mut self, replay: &[Experience], config: &TrainConfig, iteration: u64) -> f64 {
        let positions: Vec<&Positions> = replay.iter().filter_map(Experience::positions).collect();
        // The first iterations are learnt from as long as the later ones, or nets would be slow to begin with.
        let missing = config.replay as f64 / positions.len().max(1) as f64;
        let lesson = Lesson {
            seed: seed_of(config.seed, iteration, u64::MAX),
            rounds: config.rounds * missing,
            rates: config.rates,
            threads: config.threads,
            mirrors: config.mirrors,
        };
        let loss = learn(&mut self.weights, &self.inputs, &positions, lesson);
        self.renew();
        loss
    }

    fn bytes(&self, name: &str) -> Result<Vec<u8>, TrainError> {
        self.weights.to_bytes(&self.inputs, name).map_err(TrainError::Net)
    }

    /// Before anything was learnt, a player with an evaluation that is fitted in seconds.
    fn player(&self, config: &TrainConfig, _seed: u64) -> Result<Box<dyn Agent>, AgentError> {
        let failed = |error: BadSpec| AgentError::Forfeit(error.to_string());
        let options = format!("?learning=2&memory=1&settling={}", u8::from(config.settling));
        Ok(match &self.net {
            Some(net) => PlayerSpec::net(&options)
                .map_err(failed)?
                .create_with_net(&self.game, Arc::clone(net)),
            None => format!("alphabeta{options}")
                .parse::<PlayerSpec>()
                .map_err(failed)?
                .create(&self.game, 1),
        })
    }
}
