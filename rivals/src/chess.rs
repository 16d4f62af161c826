//! Chess by the `shakmaty` crate, with the end of the game that the bundled game has: no legal move, or a hundred plies
//! without a capture or a pawn move, even if the last of them mates.

use std::hint::black_box;

use rand::RngExt as _;
use regulus_engine::{Generator, Perft};
use shakmaty::{Chess, Position as _};

use crate::rival::{Outcome, Rival};

pub(crate) const RIVAL: Rival = Rival {
    game: "chess",
    by: "shakmaty",
    playout,
    perft,
    depth: 5,
};

const QUIET_PLIES: u32 = 100;

fn playout(generator: &mut Generator) -> Outcome {
    let mut position = Chess::default();
    let mut moves = 0;
    while position.halfmoves() < QUIET_PLIES {
        let legal = position.legal_moves();
        if legal.is_empty() {
            let score = match (position.is_check(), position.turn().is_white()) {
                (false, _) => 50,
                (true, white_is_mated) => 100 * u64::from(!white_is_mated),
            };
            return Outcome { moves, score };
        }
        position.play_unchecked(legal[generator.random_range(0..legal.len())]);
        moves += 1;
    }
    Outcome { moves, score: 50 }
}

fn perft(depth: u32) -> Perft {
    let mut total = Perft::default();
    count(&Chess::default(), depth, &mut total);
    total
}

fn count(position: &Chess, depth: u32, total: &mut Perft) {
    total.states += 1;
    if depth == 0 {
        total.leaves += 1;
    } else if position.halfmoves() < QUIET_PLIES {
        for legal in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(legal);
            count(black_box(&next), depth - 1, total);
        }
    }
}
