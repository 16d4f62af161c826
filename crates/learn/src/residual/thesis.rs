//! The experiment of the ABG report: nets that learn breakthrough on a board of 4×4, and play against random moves before and after.

use std::sync::Arc;

use rand::RngExt as _;
use regulus_agents::residual::{NetSearch, NetSearchKind, ResidualNet};
use regulus_agents::{AgentError, Budget, Clock, Stop};
use regulus_automaton::{Id as _, Player};
use regulus_engine::generator;
use regulus_game::{Game, Match};

use super::training::ResidualTraining;
use crate::config::TrainConfig;
use crate::error::TrainError;
use crate::games::{in_order, seed_of};

/// How many iterations an agent is trained for, and how many games a tournament has.
const ITERATIONS: u64 = 10;
const GAMES: u64 = 50;

/// How many iterations each agent is trained for.
#[must_use]
pub fn thesis_iterations() -> u64 {
    ITERATIONS
}

/// After how many moves a game is a draw.
const LONGEST: u64 = 200;

/// How the games of a tournament ended, for the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThesisScore {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

/// A player of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThesisAgent {
    /// Any legal move.
    Random,
    /// A tree grown by 50 rounds.
    Rounds,
    /// Alpha-beta search of four moves.
    Lookahead,
}

/// A tournament of the experiment: an agent against random moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThesisRow {
    /// Who plays.
    pub agent: ThesisAgent,
    /// Whether it has learnt.
    pub is_trained: bool,
    /// Whether it plays the first player.
    pub is_first: bool,
    /// What came of it.
    pub score: ThesisScore,
}

impl ThesisAgent {
    /// How it learns; `None` if it does not.
    fn config(self) -> Option<TrainConfig> {
        match self {
            ThesisAgent::Random => None,
            ThesisAgent::Rounds => Some(TrainConfig::thesis()),
            ThesisAgent::Lookahead => Some(TrainConfig::thesis_lookahead()),
        }
    }

    /// How it searches in a tournament, and for how many rounds.
    fn search(self) -> (NetSearchKind, u64) {
        let config = self.config().unwrap_or_else(TrainConfig::thesis);
        (config.search.kind(), config.nodes)
    }
}

/// Trains an agent and lets it play against random moves, before and after and as each player; `watch` is told after each iteration.
/// Returns the rows in the order of the report; fewer if it was stopped.
///
/// # Errors
///
/// If the game cannot have such a net, or its rules fault.
pub fn thesis_rows(
    game: &Arc<Game>,
    agent: ThesisAgent,
    seed: u64,
    threads: usize,
    stop: &Stop,
    watch: &mut dyn FnMut(u64),
) -> Result<Vec<ThesisRow>, AgentError> {
    let row = |is_trained, is_first, score| ThesisRow { agent, is_trained, is_first, score };
    let Some(config) = agent.config() else {
        let score = tournament(game, None, true, seed, threads, stop)?;
        return Ok(vec![row(false, true, score)]);
    };
    let config = TrainConfig { seed, threads, ..config };
    let mut training = ResidualTraining::new(game, config).map_err(|error| match error {
        TrainError::Play(error) => error,
        error => AgentError::Forfeit(error.to_string()),
    })?;
    let mut rows = Vec::new();
    for is_trained in [false, true] {
        while is_trained && training.done() < ITERATIONS {
            if training.iterate(stop)?.is_none() {
                return Ok(rows);
            }
            watch(training.done());
        }
        for is_first in [true, false] {
            let player = Some((agent, training.net()));
            let score = tournament(game, player, is_first, seed, threads, stop)?;
            rows.push(row(is_trained, is_first, score));
        }
    }
    Ok(rows)
}

/// Plays against random moves.
fn tournament(
    game: &Arc<Game>,
    player: Option<(ThesisAgent, &Arc<ResidualNet>)>,
    is_first: bool,
    seed: u64,
    threads: usize,
    stop: &Stop,
) -> Result<ThesisScore, AgentError> {
    let seat = usize::from(!is_first);
    let begin = || {
        Ok(player.map(|(agent, net)| {
            let (kind, rounds) = agent.search();
            (NetSearch::new(game, Arc::clone(net), kind, seed), rounds)
        }))
    };
    let play = |search: &mut Option<(NetSearch, u64)>, number: u64| -> Result<f64, AgentError> {
        let seed = seed_of(seed, 1 << 32, number);
        let mut random = generator(seed);
        let mut play = Match::seeded(game, seed)?;
        for _ in 0..LONGEST {
            let Some(mover) = play.player() else { break };
            let count = play.moves()?.len();
            if count == 0 {
                break;
            }
            match search.as_mut().filter(|_| mover.index() == seat) {
                Some((search, rounds)) => {
                    search.reseed(random.random());
                    let clock = Clock::start(Budget::iterations(*rounds), stop.clone());
                    let choice = search.choose(&play, &clock)?;
                    play.play(&choice.moves[choice.best].steps.0)?;
                }
                None => {
                    play.play_random(&mut random)?;
                }
            }
        }
        let result = |seat: usize| game.result(play.state(), Player::from_index(seat));
        let is_over = play.outcome().over().is_some();
        Ok(if is_over { result(seat) - result(1 - seat) } else { 0.0 })
    };
    let mut score = ThesisScore::default();
    for result in in_order(threads, GAMES, stop, &begin, &play)? {
        match result {
            result if result > 0.0 => score.won += 1,
            result if result < 0.0 => score.lost += 1,
            _ => score.drawn += 1,
        }
    }
    Ok(score)
}
