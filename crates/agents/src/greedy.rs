//! The player `greedy`: looks one move ahead. It takes a move that wins, avoids one that loses at once, and otherwise keeps
//! as many pieces more than the others as it can.

use rand::RngExt as _;
use regulus_automaton::{Id as _, Piece, Player};
use regulus_engine::{Move, MoveList, Rules as _};
use regulus_game::{Game, Match};

use crate::agent::{Agent, AgentError, Task, Thought, choices};
use crate::budget::Clock;
use crate::playouts::Trial;
use crate::report::{Candidate, Report};

#[derive(Debug)]
pub(crate) struct Greedy {
    seed: u64,
    /// The pieces that belong to players.
    owned: Vec<(Piece, Player)>,
}

impl Greedy {
    pub(crate) fn new(game: &Game, seed: u64) -> Greedy {
        let looks = game.automaton().looks.pieces.iter();
        let owned = looks.filter_map(|(piece, look)| look.owner.map(|owner| (piece, owner)));
        Greedy { seed, owned: owned.collect() }
    }

    /// What a position is worth to a player: the result if the game is over, else more than a loss and less than a win, by
    /// the player's part of all pieces.
    fn value(&self, trial: &mut Trial, game: &Game, player: Player) -> Result<f64, AgentError> {
        let mut replies = MoveList::new();
        trial.moves(&mut replies)?;
        if replies.is_empty() {
            trial.end();
            return Ok(trial.results[player.index()]);
        }
        let layout = game.rules().layout();
        let (mut own, mut all) = (0, 0);
        for &(piece, owner) in &self.owned {
            let count = trial.state.count(layout, piece);
            all += count;
            own += if owner == player { count } else { 0 };
        }
        let part = if all == 0 { 0.5 } else { f64::from(own) / f64::from(all) };
        Ok(0.01 + 0.98 * part)
    }
}

impl Agent for Greedy {
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        let (player, moves) = choices(play)?;
        let clock = Clock::start(task.budget, task.stop.clone());
        let mut trial = Trial::new(play, self.seed);
        self.seed = self.seed.wrapping_add(1);
        let mut candidates = Vec::with_capacity(moves.len());
        for steps in moves.iter() {
            if clock.is_over(candidates.len() as u64) {
                break;
            }
            trial.restart();
            trial.apply(steps)?;
            let value = self.value(&mut trial, play.game(), player)?;
            candidates.push(Candidate {
                steps: Move::from(steps),
                visits: 1,
                value,
                is_bound: false,
            });
        }
        // Moves of the same value are equally good: any of them may come first.
        let mut keyed: Vec<(Candidate, u64)> =
            candidates.into_iter().map(|found| (found, trial.generator.random())).collect();
        keyed.sort_by(|one, other| other.0.value.total_cmp(&one.0.value).then(one.1.cmp(&other.1)));
        let candidates: Vec<Candidate> = keyed.into_iter().map(|(found, _)| found).collect();
        let steps = candidates[0].steps.clone();
        let report = Report {
            ends_in: None,
            values: Vec::new(),
            line: vec![steps.clone()],
            depth: 1,
            iterations: candidates.len() as u64,
            candidates,
            time: clock.elapsed(),
        };
        Ok(Thought { steps, report })
    }
}
