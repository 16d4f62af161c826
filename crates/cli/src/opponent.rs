//! The computer's player for the terminal: flat Monte-Carlo.
//!
//! Random games are played after each legal move, more of them after moves that did well so far (the UCB1 rule), and
//! the move tried most often is chosen.

use std::time::{Duration, Instant};

use regulus_engine::{Fault, Generator, Playouts, Rules, generator};
use regulus_jit::Engine;

use crate::position::Position;

/// When thinking ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Budget {
    Time(Duration),
    Playouts(u64),
}

/// The computer's player.
#[derive(Debug)]
pub(crate) struct MonteCarlo<'a> {
    rules: &'a Engine,
    playouts: Playouts<'a, Engine>,
    budget: Budget,
    generator: Generator,
}

/// A random game this long is judged by the scores it has reached.
const LONGEST_PLAYOUT: u64 = 5_000;

/// How much a move that was rarely tried is favoured.
const CURIOSITY: f64 = 1.0;

impl<'a> MonteCarlo<'a> {
    pub(crate) fn new(rules: &'a Engine, budget: Budget, seed: u64) -> Self {
        let (playouts, generator) = (Playouts::new(rules, seed), generator(!seed));
        MonteCarlo { rules, playouts, budget, generator }
    }

    /// Any of the moves.
    pub(crate) fn choose_randomly(&mut self, position: &Position<'_>) -> usize {
        use rand::RngExt as _;
        self.generator.random_range(0..position.moves.len())
    }

    /// The move that does best in random games.
    pub(crate) fn choose(&mut self, position: &Position<'_>) -> Result<usize, Fault> {
        let Some(player) = position.player() else { return Ok(0) };
        let (first, count) = (self.choose_randomly(position), position.moves.len());
        if count == 1 {
            return Ok(0);
        }
        let bound = f64::from(self.rules.automaton().variables[player.score()].bound.max(1));
        let mut tried = vec![(0u64, 0f64); count];
        let mut scratch = self.rules.scratch();
        let mut state = position.state.clone();
        let started = Instant::now();
        for round in 0.. {
            let out_of_budget = match self.budget {
                Budget::Time(time) => started.elapsed() >= time,
                Budget::Playouts(playouts) => round >= playouts,
            };
            if out_of_budget {
                break;
            }
            // Each move once, beginning anywhere so that no side of the board is preferred; then by UCB1.
            let index = match round {
                round if round < count as u64 => (first + round as usize) % count,
                _ => best(&tried, |&(tries, sum)| {
                    sum / tries as f64 + CURIOSITY * ((round as f64).ln() / tries as f64).sqrt()
                }),
            };
            state.clone_from(&position.state);
            self.rules.apply(&mut state, position.moves.get(index), &mut scratch)?;
            self.playouts.run(&mut state, LONGEST_PLAYOUT)?;
            tried[index].0 += 1;
            tried[index].1 += f64::from(self.rules.score(&state, player)) / bound;
        }
        Ok(best(&tried, |&(tries, sum)| tries as f64 + sum / (tries + 1) as f64))
    }
}

/// The number of the item with the highest value.
fn best<T>(items: &[T], value: impl Fn(&T) -> f64) -> usize {
    let values = items.iter().map(value).enumerate();
    values.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use regulus_automaton::Player;
    use regulus_jit::EngineKind;
    use regulus_lang::{Source, compile};

    use super::*;
    use crate::bundled;

    #[test]
    fn a_win_in_one_is_taken_and_a_loss_in_one_is_met() {
        let (name, text) = bundled::find("tic_tac_toe").expect("bundled");
        let rules = Engine::new(
            compile(&Source::new(name, text)).automaton.expect("no errors"),
            EngineKind::Auto,
        );
        for (moves, wanted) in
            [(["a1", "a2", "b1", "b2"].as_slice(), "c1"), (&["a1", "b2", "b1"], "c1")]
        {
            let mut position = Position::new(&rules).expect("no fault");
            for name in moves {
                position.play(position.find(name).expect("legal")).expect("no fault");
            }
            let mut player = MonteCarlo::new(&rules, Budget::Playouts(2000), 1);
            let chosen = player.choose(&position).expect("no fault");
            assert_eq!(position.names[chosen], wanted);
            position.play(chosen).expect("no fault");
            if wanted == "c1" && moves.len() == 4 {
                assert_eq!(rules.score(&position.state, Player(0)), 100);
            }
        }
    }
}
