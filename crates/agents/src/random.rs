//! The player `random`: any legal move.

use rand::RngExt as _;
use regulus_engine::{Generator, Move, generator};
use regulus_game::Match;

use crate::agent::{Agent, AgentError, Task, Thought, choices};
use crate::report::Report;

#[derive(Debug)]
pub(crate) struct Random {
    generator: Generator,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random { generator: generator(seed) }
    }
}

impl Agent for Random {
    fn think(&mut self, play: &Match, _: &mut Task<'_>) -> Result<Thought, AgentError> {
        let (_, moves) = choices(play)?;
        let index = self.generator.random_range(0..moves.len());
        Ok(Thought { steps: Move::from(moves.get(index)), report: Report::default() })
    }
}
