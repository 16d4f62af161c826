//! The net of a run: what it sees, its weights as they are learnt, and players with it. What depends on the kind of net is here.

use std::path::Path;
use std::sync::Arc;

use regulus_agents::{Agent, AgentError, BadSpec, Net, NetInputs, NetWeights, PlayerSpec};
use regulus_game::Game;

use crate::config::TrainConfig;
use crate::error::TrainError;
use crate::positions::Positions;
use crate::trainer::{Lesson, learn, random_weights};

/// The net of a run while it is learnt.
#[derive(Debug)]
pub(crate) struct Learner {
    pub(crate) game: Arc<Game>,
    pub(crate) inputs: Arc<NetInputs>,
    weights: NetWeights,
    /// The net to play with; `None` before anything was learnt.
    net: Option<Arc<Net>>,
}

impl Learner {
    /// A net that has learnt nothing.
    pub(crate) fn new(game: &Arc<Game>, config: &TrainConfig) -> Result<Learner, TrainError> {
        let inputs = Arc::new(NetInputs::new(game).map_err(TrainError::Game)?);
        let weights = random_weights(&inputs, config.sums, config.seed);
        Ok(Learner { game: Arc::clone(game), inputs, weights, net: None })
    }

    /// Forgets everything.
    pub(crate) fn reset(&mut self, config: &TrainConfig) {
        self.weights = random_weights(&self.inputs, config.sums, config.seed);
        self.net = None;
    }

    /// Goes on with the weights in a file.
    pub(crate) fn load(&mut self, path: &Path) -> Result<(), TrainError> {
        self.weights = NetWeights::read(&self.inputs, path).map_err(TrainError::Net)?;
        self.net = Some(self.current());
        Ok(())
    }

    /// Learns from positions; returns the loss.
    pub(crate) fn learn(&mut self, positions: &[&Positions], lesson: Lesson) -> f64 {
        let loss = learn(&mut self.weights, &self.inputs, positions, lesson);
        self.net = Some(self.current());
        loss
    }

    fn current(&self) -> Arc<Net> {
        Arc::new(Net::new(Arc::clone(&self.inputs), &self.weights))
    }

    /// The bytes of a file with the net.
    pub(crate) fn bytes(&self, name: &str) -> Result<Vec<u8>, TrainError> {
        self.weights.to_bytes(&self.inputs, name).map_err(TrainError::Net)
    }

    /// The net to play with.
    pub(crate) fn net(&self) -> Option<&Arc<Net>> {
        self.net.as_ref()
    }

    /// A net in a file, to play against.
    pub(crate) fn read(&self, path: &Path) -> Result<Arc<Net>, TrainError> {
        let weights = NetWeights::read(&self.inputs, path).map_err(TrainError::Net)?;
        Ok(Arc::new(Net::new(Arc::clone(&self.inputs), &weights)))
    }

    /// A player with a net, or without one the player who is there before anything was learnt: with an evaluation that is fitted in
    /// seconds.
    pub(crate) fn player(
        &self,
        net: Option<&Arc<Net>>,
        config: &TrainConfig,
    ) -> Result<Box<dyn Agent>, AgentError> {
        let failed = |error: BadSpec| AgentError::Forfeit(error.to_string());
        let options = format!("?learning=2&memory=1&settling={}", u8::from(config.settling));
        Ok(match net {
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
