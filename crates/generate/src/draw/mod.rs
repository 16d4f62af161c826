//! Draws the rules of a game, part by part in the order of Pell's generator.
//!
//! The order of the draws is part of what a seed means: a change of it changes games, see [`crate::VERSION`]. Names
//! come before the powers of pieces, so that the rules of a kind can speak of any other.

mod board;
mod goal;
mod piece;

use crate::config::Config;
use crate::random::Dice;
use crate::rules::{Board, Description, Piece, PieceId, Pieces, Rules};

/// How often something is drawn again before the simplest choice, or none, is taken. With the default parameters this
/// does not happen; with others, what is looked for may not exist.
const MAX_REDRAWS: usize = 1000;

/// Draws all rules of a game with this name.
pub(crate) fn rules(name: String, config: &Config, dice: &mut Dice) -> Rules {
    let mut draw = Draw { config, dice };
    let (board, array) = draw.board();
    let (setup, mut names) = draw.setup(&array);
    let placed = names.len();
    draw.promote_only_names(&mut names);
    let kinds = Kinds { placed, all: names.len() };
    let pieces: Vec<Piece> =
        names.into_iter().map(|name| draw.piece(name, &board, kinds)).collect();
    let must_capture = config.global_must_capture.draw(draw.dice);
    let goals = draw.goals(&board, &setup, kinds);
    Rules { name, goals, board, setup, must_capture, pieces, placed }
}

/// The parameters and the numbers that are drawn.
struct Draw<'a> {
    config: &'a Config,
    dice: &'a mut Dice,
}

/// How many kinds there are. Those of the setup come first.
#[derive(Clone, Copy)]
struct Kinds {
    placed: usize,
    all: usize,
}

impl Kinds {
    fn all(self) -> Vec<PieceId> {
        ids(0, self.all)
    }

    fn placed(self) -> Vec<PieceId> {
        ids(0, self.placed)
    }

    fn promote_only(self) -> Vec<PieceId> {
        ids(self.placed, self.all)
    }
}

fn ids(start: usize, end: usize) -> Vec<PieceId> {
    (start as u32..end as u32).map(PieceId).collect()
}

impl Draw<'_> {
    /// Pieces of one player or both, of some kinds or all.
    fn description(&mut self, kinds: Kinds) -> Description {
        let owner = if self.config.any_player.draw(self.dice) {
            None
        } else {
            Some(self.config.description_owner.draw(self.dice))
        };
        Description { owner, pieces: self.pieces(kinds) }
    }

    /// All kinds, or some.
    fn pieces(&mut self, kinds: Kinds) -> Pieces {
        if self.config.any_piece.draw(self.dice) {
            Pieces::Any
        } else {
            Pieces::Some(self.some_of(kinds.all()))
        }
    }

    /// At least one of the kinds, which are not none, in ascending order.
    fn some_of(&mut self, mut from: Vec<PieceId>) -> Vec<PieceId> {
        let mut chosen = vec![self.dice.take(&mut from)];
        while !from.is_empty() && self.config.more_general_pieces.draw(self.dice) {
            chosen.push(self.dice.take(&mut from));
        }
        chosen.sort_unstable();
        chosen
    }
}

/// The longer side of a board.
fn longer_side(board: &Board) -> u32 {
    board.width.max(board.height)
}

/// Cuts towards zero. Products such as 100 * 0.29, which the computer takes for a little less than 29, are 29.
fn trunc(number: f64) -> u32 {
    (number + 1e-9) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::BTreeMap;

    use toml_edit::{Document, Value};

    /// Every parameter is drawn, and as often as `default.toml` says. The seeds are fixed, so the test cannot fail by
    /// chance; five standard deviations are what was allowed when it was written.
    #[test]
    fn frequencies_are_those_of_the_default_file() {
        let config = Config::default();
        let mut drawn: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for index in 0..1000 {
            let mut dice = Dice::new(crate::seed_of(31, index));
            rules(String::new(), &config, &mut dice);
            for (key, outcome) in dice.log {
                drawn.entry(key).or_default().push(outcome);
            }
        }
        let document = Document::parse(Config::DEFAULT_TOML).expect("TOML");
        for key in Config::keys().iter().filter(|key| **key != "hop_number_limit") {
            let outcomes = drawn.get(key).unwrap_or_else(|| panic!("{key} is never drawn"));
            let value = document.get(key).and_then(|item| item.as_value()).expect("a value");
            match value.as_array() {
                None => near(key, outcomes, 1.0, value.as_float()),
                Some(list) if list.iter().any(Value::is_array) => {
                    for (place, pair) in list.iter().enumerate() {
                        let probability = pair.as_array().and_then(|pair| pair.get(1)?.as_float());
                        near(key, outcomes, place as f64, probability);
                    }
                }
                Some(range) => even(key, outcomes, range),
            }
        }
    }

    /// The frequency of an outcome is near its probability.
    fn near(key: &str, outcomes: &[f64], outcome: f64, probability: Option<f64>) {
        let probability = probability.expect("a number");
        let count = outcomes.len() as f64;
        let frequency = outcomes.iter().filter(|&&other| other == outcome).count() as f64 / count;
        let deviation = (probability * (1.0 - probability) / count).sqrt();
        assert!(
            (frequency - probability).abs() <= 5.0 * deviation,
            "{key}: {outcome} has frequency {frequency} instead of {probability}"
        );
    }

    /// The outcomes fill the range, and their mean is near the middle.
    fn even(key: &str, outcomes: &[f64], range: &toml_edit::Array) {
        let ends: Vec<f64> = range.iter().filter_map(crate::value::number).collect();
        let [low, high] = ends[..] else { panic!("{key} is no range") };
        assert!(outcomes.iter().all(|outcome| (low..=high).contains(outcome)), "{key}");
        let mean = outcomes.iter().sum::<f64>() / outcomes.len() as f64;
        // A value of an even range is at most half the range away from the middle.
        let deviation = (high - low) / 2.0 / (outcomes.len() as f64).sqrt();
        assert!((mean - (low + high) / 2.0).abs() <= 5.0 * deviation, "{key}: mean {mean}");
        if range.iter().all(Value::is_integer) {
            for whole in low as u32..=high as u32 {
                near(key, outcomes, f64::from(whole), Some(1.0 / (high - low + 1.0)));
            }
        }
    }

    #[test]
    fn fractions_are_cut() {
        assert_eq!(trunc(100.0 * 0.29), 29);
        assert_eq!(trunc(2.999), 2);
        assert_eq!(trunc(0.0), 0);
    }
}
