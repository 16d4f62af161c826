//! The player `net:FILE` where the file has a residual net.

use std::sync::Arc;

use regulus_game::{Game, Match};

use super::net::ResidualNet;
use super::search::{NetChoice, NetSearch, NetSearchKind};
use crate::agent::{Agent, AgentError, Task, Thought, choices};
use crate::budget::Clock;
use crate::report::{Candidate, Report, shared};

/// Plays by a search with a residual net.
#[derive(Debug)]
pub(crate) struct ResidualPlayer {
    search: NetSearch,
}

impl ResidualPlayer {
    pub(crate) fn new(
        game: &Arc<Game>,
        net: Arc<ResidualNet>,
        kind: NetSearchKind,
        seed: u64,
    ) -> ResidualPlayer {
        ResidualPlayer { search: NetSearch::new(game, net, kind, seed) }
    }
}

impl Agent for ResidualPlayer {
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        let (player, _) = choices(play)?;
        let clock = Clock::start(task.budget, task.stop.clone());
        let NetChoice { moves, best, value, rounds } = self.search.choose(play, &clock)?;
        let steps = moves[best].steps.clone();
        let expected = |value: f32| f64::midpoint(f64::from(value), 1.0);
        let mut candidates: Vec<Candidate> = moves
            .into_iter()
            .map(|found| Candidate {
                steps: found.steps,
                visits: u64::from(found.visits),
                value: expected(found.value),
                is_bound: false,
            })
            .collect();
        candidates.sort_by_key(|it| (it.steps != steps, std::cmp::Reverse(it.visits)));
        let report = Report {
            values: shared(expected(value), player, play.game().player_count()),
            ends_in: None,
            line: vec![steps.clone()],
            candidates,
            depth: 1,
            iterations: rounds,
            time: clock.elapsed(),
        };
        Ok(Thought { steps, report })
    }
}
