//! Connect four on bitboards: columns of seven bits, the highest of which stays empty, so that lines do not run over.

use std::hint::black_box;

use rand::RngExt as _;
use regulus_engine::{Generator, Perft};

use crate::bits::{each, nth};
use crate::rival::{Outcome, Rival};

pub(crate) const RIVAL: Rival = Rival {
    game: "connect_four",
    by: "bitboards",
    playout,
    perft,
    depth: 8,
};

/// The lowest square of each column, and all squares.
pub(crate) const FLOOR: u64 = 0x0000_0408_1020_4081;
pub(crate) const SQUARES: u64 = FLOOR * 0x3f;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    /// The discs of the player to move.
    pub(crate) mine: u64,
    /// All discs.
    pub(crate) all: u64,
}

impl Board {
    pub(crate) const FIRST: Board = Board { mine: 0, all: 0 };

    /// Where a disc can come to rest.
    pub(crate) fn landings(self) -> u64 {
        (self.all + FLOOR) & SQUARES
    }

    /// A disc comes to rest, and the other player is to move.
    pub(crate) fn play(self, landing: u64) -> Board {
        Board { mine: self.mine ^ self.all, all: self.all | landing }
    }

    /// Whether the player who has just moved has four in a line.
    pub(crate) fn is_won(self) -> bool {
        has_four(self.mine ^ self.all)
    }
}

/// Whether four of these squares are in a line.
pub(crate) fn has_four(squares: u64) -> bool {
    [1, 6, 7, 8].into_iter().any(|step| {
        let pairs = squares & squares >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

fn playout(generator: &mut Generator) -> Outcome {
    let mut board = Board::FIRST;
    let mut moves = 0;
    loop {
        let landings = board.landings();
        if landings == 0 {
            return Outcome { moves, score: 50 };
        }
        let chosen = generator.random_range(0..u64::from(landings.count_ones()));
        board = board.play(nth(landings, chosen));
        moves += 1;
        if board.is_won() {
            return Outcome { moves, score: 100 * (moves % 2) };
        }
    }
}

fn perft(depth: u32) -> Perft {
    let mut total = Perft::default();
    count(Board::FIRST, depth, &mut total);
    total
}

fn count(board: Board, depth: u32, total: &mut Perft) {
    total.states += 1;
    // As in Regulus, whether the game is won is part of making a state, also of a leaf.
    let won = black_box(board.is_won());
    if depth == 0 {
        total.leaves += 1;
    } else if !won {
        for landing in each(board.landings()) {
            count(black_box(board.play(landing)), depth - 1, total);
        }
    }
}
