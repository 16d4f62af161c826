//! How strong a net is: games against opponents that are always the same, and against the best net before.

use std::sync::Arc;

use regulus_agents::{Agent, AgentError, Budget, PlayerSpec, Stop};
use regulus_arena::{Conditions, Fixture, GameRecord, Schedule, Score, play_game};
use regulus_game::Game;

use crate::config::{Preset, TrainConfig};
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

/// How many positions opponents without a net look at where the net is slow and looks at few.
const OPPONENT_NODES: u64 = 400;

/// Who plays the games of a measurement.
struct MeasuredGames<'a> {
    game: &'a Arc<Game>,
    learner: &'a dyn Learner,
    config: &'a TrainConfig,
}

/// An opponent: what it is called, and what it plays with.
enum Opponent {
    /// A player without a net.
    Fixed(String, PlayerSpec),
    /// The best net so far.
    Best(String, Box<dyn Learner>),
}

/// Lets the newest net play against all opponents; `best` is the best net so far with its iteration. `None` if it was stopped.
///
/// Everything depends on the seed of the run and the number of the iteration alone: players have a number of positions for a move and
/// no time.
pub(crate) fn measure(
    game: &Arc<Game>,
    learner: &dyn Learner,
    config: &TrainConfig,
    iteration: u64,
    best: Option<(u64, Box<dyn Learner>)>,
    stop: &Stop,
    watch: &mut Watch<'_>,
) -> Result<Option<Measurement>, AgentError> {
    let games = MeasuredGames { game, learner, config };
    let mut opponents = fixed(config)?;
    opponents.extend(best.map(|(number, net)| Opponent::Best(format!("net-{number:04}"), net)));
    let all = config.trial * opponents.len() as u64;
    let mut measurement = Measurement { strength: Vec::new(), gate: None };
    for (index, opponent) in opponents.iter().enumerate() {
        let seed = seed_of(config.seed, iteration, u64::MAX - 1 - index as u64);
        let before = config.trial * index as u64;
        let mut tell = |done| watch(TrainProgress::Measuring { done: before + done, all });
        let Some(score) = games.play(opponent, seed, stop, &mut tell)? else {
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

/// How many positions opponents without a net look at.
fn opponent_nodes(config: &TrainConfig) -> u64 {
    match config.preset {
        Preset::Fast => config.trial_nodes,
        Preset::Thesis | Preset::Small => OPPONENT_NODES,
    }
}

/// The opponents that are always the same.
fn fixed(config: &TrainConfig) -> Result<Vec<Opponent>, AgentError> {
    let nodes = opponent_nodes(config);
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

impl MeasuredGames<'_> {
    /// The score of the newest net in games against an opponent, every opening from both seats.
    fn play(
        &self,
        opponent: &Opponent,
        seed: u64,
        stop: &Stop,
        tell: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Option<Score>, AgentError> {
        let schedule = Schedule::single(2, self.config.trial, seed);
        let fixtures = schedule.fixtures();
        let numbers: Vec<u64> = (0..fixtures.len() as u64).collect();
        let play = |_: &mut (), number: u64| self.play_one(opponent, &fixtures[number as usize]);
        let records = play_numbers(self.config.threads, &numbers, stop, &|| Ok(()), &play, tell)?;
        Ok((records.len() == numbers.len()).then(|| Score::of(&records, 0)))
    }

    /// A player, and how many positions it looks at.
    fn player(
        &self,
        opponent: &Opponent,
        fixture: &Fixture,
        seat: usize,
    ) -> Result<(Box<dyn Agent>, u64), AgentError> {
        let (config, seed) = (self.config, seed_of(fixture.seed, 0, seat as u64));
        Ok(match opponent {
            _ if fixture.players[seat] == 0 => {
                (self.learner.player(config, seed)?, config.trial_nodes)
            }
            Opponent::Fixed(_, spec) => (spec.create(self.game, seed), opponent_nodes(config)),
            Opponent::Best(_, best) => (best.player(config, seed)?, config.trial_nodes),
        })
    }

    fn play_one(&self, opponent: &Opponent, fixture: &Fixture) -> Result<GameRecord, AgentError> {
        let (first, first_nodes) = self.player(opponent, fixture, 0)?;
        let (second, second_nodes) = self.player(opponent, fixture, 1)?;
        let mut agents = [first, second];
        let budgets = [first_nodes, second_nodes].map(Budget::iterations);
        let longest = u32::try_from(self.config.longest).unwrap_or(u32::MAX);
        let budget = Budget::iterations(self.config.trial_nodes);
        let conditions = Conditions { budget, clock: None, opening: OPENING, longest };
        // What has begun is played to its end.
        let stop = Stop::new();
        let opening = fixture.opening;
        let mut record = play_game(self.game, &mut agents, &budgets, &conditions, opening, &stop)?;
        record.players.clone_from(&fixture.players);
        Ok(record)
    }
}
