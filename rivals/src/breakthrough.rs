//! Breakthrough on bitboards: the players' pawns are two words, and the moves in a direction one shifted word.

use std::hint::black_box;

use rand::RngExt as _;
use regulus_engine::{Generator, Perft};

use crate::bits::{each, nth};
use crate::rival::{Outcome, Rival};

pub(crate) const RIVAL: Rival = Rival {
    game: "breakthrough",
    by: "bitboards",
    playout,
    perft,
    depth: 5,
};

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// The player to move walks up: the board is turned after each move.
#[derive(Clone, Copy)]
struct Board {
    mine: u64,
    theirs: u64,
}

/// The squares that can be moved to, by how far the pawn comes: seven, eight or nine squares.
type Targets = [u64; 3];

impl Board {
    const FIRST: Board = Board { mine: 0xffff, theirs: 0xffff << 48 };

    fn targets(self) -> Targets {
        let Board { mine, theirs } = self;
        [(mine & !LEFT) << 7 & !mine, mine << 8 & !(mine | theirs), (mine & !RIGHT) << 9 & !mine]
    }

    /// A pawn comes to a square from so far away, and the other player sees the board.
    fn play(self, way: usize, target: u64) -> Board {
        let mine = self.mine ^ target ^ target >> (7 + way);
        let theirs = self.theirs & !target;
        // Swapping the bytes turns the rows round, which is all that pawns notice.
        Board { mine: theirs.swap_bytes(), theirs: mine.swap_bytes() }
    }

    /// Whether the player who has just moved has won.
    fn is_won(self) -> bool {
        self.theirs & 0xff != 0 || self.mine == 0
    }
}

fn playout(generator: &mut Generator) -> Outcome {
    let mut board = Board::FIRST;
    let mut moves = 0;
    while !board.is_won() {
        let [left, ahead, right] = board.targets();
        let lefts = u64::from(left.count_ones());
        let aheads = lefts + u64::from(ahead.count_ones());
        let count = aheads + u64::from(right.count_ones());
        let chosen = generator.random_range(0..count);
        board = if chosen < lefts {
            board.play(0, nth(left, chosen))
        } else if chosen < aheads {
            board.play(1, nth(ahead, chosen - lefts))
        } else {
            board.play(2, nth(right, chosen - aheads))
        };
        moves += 1;
    }
    Outcome { moves, score: 100 * (moves % 2) }
}

fn perft(depth: u32) -> Perft {
    let mut total = Perft::default();
    count(Board::FIRST, depth, &mut total);
    total
}

fn count(board: Board, depth: u32, total: &mut Perft) {
    total.states += 1;
    if depth == 0 {
        total.leaves += 1;
    } else if !board.is_won() {
        for (way, targets) in board.targets().into_iter().enumerate() {
            for target in each(targets) {
                count(black_box(board.play(way, target)), depth - 1, total);
            }
        }
    }
}
