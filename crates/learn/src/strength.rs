//! How strong a net is: games against opponents that are always the same, and against the best net before.

use std::sync::Arc;

use regulus_agents::{Agent, AgentError, Budget, Net, PlayerSpec, Stop};
use regulus_arena::{Conditions, Fixture, GameRecord, Schedule, Score, play_game};

use crate::config::TrainConfig;
use crate::games::{play_numbers, seed_of};
use crate::learner::Learner;
use crate::metrics::Strength;
use crate::progress::{TrainProgress, Watch};

/// How many random moves games begin with, so that players who draw nothing do not play the same game again and again.
const OPENING: u32 = 4;

/// What is found out about a net.
#[derive(Debug)]
pub(crate) struct Measurement {
    /// Against opponents that are always the same.
    pub(crate) strength: Vec<Strength>,
    /// Against the best net before; `None` if there is none.
    pub(crate) gate: Option<Strength>,
}

/// An opponent: what it is called, and what it plays with.
enum Opponent {
    /// A player without a net.
    Fixed(String, PlayerSpec),
    /// The best net so far.
    Best(String, Arc<Net>),
}

/// Lets the newest net play against all opponents; `best` is the best net so far with its iteration. `None` if it was stopped.
///
/// Everything depends on the seed of the run and the number of the iteration alone: players have a number of positions for a move and
/// no time.
pub(crate) fn measure(
    learner: &Learner,
    config: &TrainConfig,
    iteration: u64,
    best: Option<(u64, Arc<Net>)>,
    stop: &Stop,
    watch: &mut Watch<'_>,
) -> Result<Option<Measurement>, AgentError> {
    let mut opponents = fixed(config)?;
    opponents.extend(best.map(|(number, net)| Opponent::Best(format!("net-{number:04}"), net)));
    let all = config.trial * opponents.len() as u64;
    let mut measurement = Measurement { strength: Vec::new(), gate: None };
    for (index, opponent) in opponents.iter().enumerate() {
        let seed = seed_of(config.seed, iteration, u64::MAX - 1 - index as u64);
        let before = config.trial * index as u64;
        let mut tell = |done| watch(TrainProgress::Measuring { done: before + done, all });
        let Some(score) = play_trial(learner, config, opponent, seed, stop, &mut tell)? else {
            return Ok(None);
        };
        match opponent {
            Opponent::Fixed(name, _) => {
                measurement.strength.push(Strength { against: name.clone(), score });
            }
            Opponent::Best(name, _) => {
                measurement.gate = Some(Strength { against: name.clone(), score });
            }
        }
    }
    Ok(Some(measurement))
}

/// The opponents that are always the same.
fn fixed(config: &TrainConfig) -> Result<Vec<Opponent>, AgentError> {
    let nodes = config.trial_nodes;
    let names = [
        format!("alphabeta?learning=2&memory=1&iterations={nodes}"),
        format!("uct?iterations={nodes}"),
    ];
    let opponent = |name: String| match name.parse() {
        Ok(spec) => Ok(Opponent::Fixed(name, spec)),
        Err(error) => Err(AgentError::Forfeit(format!("{error}"))),
    };
    names.into_iter().map(opponent).collect()
}

/// The score of the newest net in games against an opponent, every opening from both seats.
fn play_trial(
    learner: &Learner,
    config: &TrainConfig,
    opponent: &Opponent,
    seed: u64,
    stop: &Stop,
    tell: &mut (dyn FnMut(u64) + Send),
) -> Result<Option<Score>, AgentError> {
    let schedule = Schedule::single(2, config.trial, seed);
    let fixtures = schedule.fixtures();
    let numbers: Vec<u64> = (0..fixtures.len() as u64).collect();
    let play =
        |_: &mut (), number: u64| play_one(learner, config, opponent, &fixtures[number as usize]);
    let records = play_numbers(config.threads, &numbers, stop, &|| Ok(()), &play, tell)?;
    Ok((records.len() == numbers.len()).then(|| Score::of(&records, 0)))
}

fn play_one(
    learner: &Learner,
    config: &TrainConfig,
    opponent: &Opponent,
    fixture: &Fixture,
) -> Result<GameRecord, AgentError> {
    let agent = |seat: usize| -> Result<Box<dyn Agent>, AgentError> {
        match opponent {
            _ if fixture.players[seat] == 0 => learner.player(learner.net(), config),
            Opponent::Fixed(_, spec) => {
                Ok(spec.create(&learner.game, seed_of(fixture.seed, 0, seat as u64)))
            }
            Opponent::Best(_, net) => learner.player(Some(net), config),
        }
    };
    let mut agents = [agent(0)?, agent(1)?];
    let budget = Budget { iterations: Some(config.trial_nodes), ..Budget::default() };
    let longest = u32::try_from(config.longest).unwrap_or(u32::MAX);
    let conditions = Conditions { budget, clock: None, opening: OPENING, longest };
    // What has begun is played to its end.
    let stop = Stop::new();
    let budgets = [budget; 2];
    let game = &learner.game;
    let mut record = play_game(game, &mut agents, &budgets, &conditions, fixture.opening, &stop)?;
    record.players.clone_from(&fixture.players);
    Ok(record)
}
