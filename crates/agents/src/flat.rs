//! The player `flat`: flat Monte-Carlo. Random games are played after each legal move, more of them after moves that did well
//! so far (the UCB1 rule), and the move tried most often is chosen.

use rand::RngExt as _;
use regulus_automaton::Id as _;
use regulus_engine::{Move, MoveList};
use regulus_game::Match;

use crate::agent::{Agent, AgentError, Task, Thought, choices};
use crate::budget::Clock;
use crate::playouts::Trial;
use crate::report::{Candidate, Report};

/// How much a move that was rarely tried is favoured.
const CURIOSITY: f64 = 1.0;

#[derive(Debug)]
pub(crate) struct Flat {
    seed: u64,
}

impl Flat {
    pub(crate) fn new(seed: u64) -> Flat {
        Flat { seed }
    }
}

/// How a move did.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    visits: u64,
    sum: f64,
}

impl Record {
    fn mean(self) -> f64 {
        self.sum / (self.visits.max(1)) as f64
    }
}

impl Agent for Flat {
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        let (player, moves) = choices(play)?;
        let clock = Clock::start(task.budget, task.stop.clone());
        let mut trial = Trial::new(play, self.seed);
        self.seed = self.seed.wrapping_add(1);
        let count = moves.len();
        let first = trial.generator.random_range(0..count);
        let mut records = vec![Record::default(); count];
        let mut round = 0;
        let is_forced = count == 1 && !task.is_analysis;
        while !is_forced && !clock.is_over(round) {
            // Each move once, beginning anywhere so that no side of the board is preferred; then by UCB1.
            let index = match round {
                round if round < count as u64 => (first + round as usize) % count,
                _ => {
                    let log = (round as f64).ln();
                    let bound = |record: &Record| {
                        record.mean() + CURIOSITY * (log / record.visits as f64).sqrt()
                    };
                    best(&records, bound)
                }
            };
            trial.restart();
            trial.apply(moves.get(index))?;
            trial.playout(&clock)?;
            records[index].visits += 1;
            records[index].sum += trial.results[player.index()];
            round += 1;
        }
        let report = report(moves, &records, round, &clock);
        Ok(Thought { steps: report.candidates[0].steps.clone(), report })
    }
}

fn report(moves: &MoveList, records: &[Record], iterations: u64, clock: &Clock) -> Report {
    let mut candidates: Vec<Candidate> = moves
        .iter()
        .zip(records)
        .map(|(steps, record)| Candidate {
            is_bound: false,
            steps: Move::from(steps),
            visits: record.visits,
            value: if record.visits == 0 { 0.5 } else { record.mean() },
        })
        .collect();
    candidates.sort_by(|one, other| {
        other.visits.cmp(&one.visits).then(other.value.total_cmp(&one.value))
    });
    Report {
        ends_in: None,
        values: Vec::new(),
        line: vec![candidates[0].steps.clone()],
        candidates,
        depth: 1,
        iterations,
        time: clock.elapsed(),
    }
}

/// The number of the item with the highest value.
fn best<T>(items: &[T], value: impl Fn(&T) -> f64) -> usize {
    let values = items.iter().map(value).enumerate();
    values.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index)
}
