//! The computer's player for the terminal: flat Monte-Carlo.
//!
//! Random games are played after each legal move, more of them after moves that did well so far (the UCB1 rule), and
//! the move tried most often is chosen.

use std::time::{Duration, Instant};

use regulus_engine::{Generator, Playouts, Rules as _, generator};
use regulus_game::{Error, Game, Match};

/// When thinking ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Budget {
    Time(Duration),
    Playouts(u64),
}

/// The computer's player.
#[derive(Debug)]
pub(crate) struct MonteCarlo<'a> {
    game: &'a Game,
    playouts: Playouts<'a, regulus_jit::Engine>,
    budget: Budget,
    generator: Generator,
}

/// A random game this long is broken off.
const LONGEST_PLAYOUT: u64 = 5_000;

/// What a game that was broken off is worth.
const UNDECIDED: f64 = 0.5;

/// How much a move that was rarely tried is favoured.
const CURIOSITY: f64 = 1.0;

impl<'a> MonteCarlo<'a> {
    pub(crate) fn new(game: &'a Game, budget: Budget, seed: u64) -> Self {
        let (playouts, generator) = (Playouts::new(game.rules(), seed), generator(!seed));
        MonteCarlo { game, playouts, budget, generator }
    }

    /// Any of the moves.
    pub(crate) fn choose_randomly(&mut self, play: &Match) -> Result<usize, Error> {
        use rand::RngExt as _;
        Ok(self.generator.random_range(0..play.moves()?.len().max(1)))
    }

    /// The move that does best in random games.
    pub(crate) fn choose(&mut self, play: &Match) -> Result<usize, Error> {
        let Some(player) = play.player() else { return Ok(0) };
        let moves = play.moves()?;
        let (first, count) = (self.choose_randomly(play)?, moves.len());
        if count == 1 {
            return Ok(0);
        }
        let (game, rules) = (self.game, self.game.rules());
        let mut tried = vec![(0u64, 0f64); count];
        let mut scratch = rules.scratch();
        let (mut state, mut history) = (play.state().clone(), play.history().clone());
        let before = history.len();
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
            state.clone_from(play.state());
            history.truncate(before);
            let played = rules.apply(&mut state, &mut history, moves.get(index), &mut scratch);
            played.map_err(|fault| game.blame(&fault))?;
            let played = self.playouts.run(&mut state, &mut history, LONGEST_PLAYOUT);
            let made = played.map_err(|fault| game.blame(&fault))?;
            tried[index].0 += 1;
            // Scores mean something only when the game is over.
            let is_over = made < LONGEST_PLAYOUT;
            tried[index].1 += if is_over { game.result(&state, player) } else { UNDECIDED };
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
    use regulus_game::Config;

    use super::*;

    #[test]
    fn a_win_in_one_is_taken_and_a_loss_in_one_is_met() {
        let game = Game::load("tic_tac_toe", &Config::default()).expect("bundled");
        for (moves, wanted) in
            [(["a1", "a2", "b1", "b2"].as_slice(), "c1"), (&["a1", "b2", "b1"], "c1")]
        {
            let mut play = Match::new(&game).expect("no fault");
            for name in moves {
                play.play_named(name).expect("legal");
            }
            let mut player = MonteCarlo::new(&game, Budget::Playouts(2000), 1);
            let chosen = player.choose(&play).expect("no fault");
            assert_eq!(play.names().expect("listed")[chosen], wanted);
        }
    }
}
