//! Positions in which a player can give away what they are worth.

use std::ops::RangeInclusive;

use rand::RngExt as _;
use regulus_engine::{Generator, generator};

use super::TABLE_BITS;
use super::solver::{Solver, Worth};
use crate::bits::{each, nth};
use crate::connect_four::Board;

/// A position of a random opening, with what its moves keep.
pub(crate) struct Question {
    /// The names of the moves that lead there.
    pub(crate) opening: Vec<String>,
    /// Drawn or won.
    pub(crate) worth: Worth,
    /// The names of the moves that keep it.
    pub(crate) keeping: Vec<String>,
    /// How many legal moves there are.
    pub(crate) legal: u32,
}

impl Question {
    pub(crate) fn discs(&self) -> u32 {
        self.opening.len() as u32
    }
}

/// As many questions as wanted, of each number of discs in turn.
pub(crate) fn questions(count: usize, discs: &RangeInclusive<u32>, seed: u64) -> Vec<Question> {
    let mut solver = Solver::new(TABLE_BITS);
    let mut generator = generator(seed);
    let numbers = discs.clone().cycle();
    numbers
        .take(count)
        .map(|discs| {
            loop {
                let Some((board, opening)) = opening(discs, &mut generator) else { continue };
                if let Some(question) = question(board, opening, &mut solver) {
                    return question;
                }
            }
        })
        .collect()
}

/// A position after random moves; `None` if the game is over there or before.
fn opening(discs: u32, generator: &mut Generator) -> Option<(Board, Vec<String>)> {
    let mut board = Board::FIRST;
    let mut opening = Vec::new();
    for _ in 0..discs {
        let landings = board.landings();
        let chosen = generator.random_range(0..u64::from(landings.count_ones()));
        let landing = nth(landings, chosen);
        opening.push(name(landing));
        board = board.play(landing);
        if board.is_won() {
            return None;
        }
    }
    Some((board, opening))
}

/// `None` if nothing can be given away.
fn question(board: Board, opening: Vec<String>, solver: &mut Solver) -> Option<Question> {
    let worth = solver.worth(board);
    if worth == Worth::Lost {
        return None;
    }
    // Who leaves the other player with more than this has given something away.
    let more = if worth == Worth::Won { Worth::Drawn } else { Worth::Won };
    let keeping: Vec<u64> = each(board.landings())
        .filter(|&landing| !solver.can_get(board.play(landing), more))
        .collect();
    let legal = board.landings().count_ones();
    let keeping: Vec<String> = keeping.into_iter().map(name).collect();
    (keeping.len() < legal as usize).then_some(Question { opening, worth, keeping, legal })
}

/// The name of the move after which a disc lies on this square.
pub(crate) fn name(landing: u64) -> String {
    let square = landing.trailing_zeros();
    let column = char::from(b'a' + (square / 7) as u8);
    format!("{column}{}", square % 7 + 1)
}
