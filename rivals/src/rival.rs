//! What a program for one game has to offer.

use regulus_engine::{Generator, Perft};

/// A program written for one game.
pub(crate) struct Rival {
    /// The bundled game that it plays.
    pub(crate) game: &'static str,
    /// What the program is.
    pub(crate) by: &'static str,
    /// Plays a random game.
    pub(crate) playout: fn(&mut Generator) -> Outcome,
    /// Counts the tree to a depth; every leaf is made.
    pub(crate) perft: fn(u32) -> Perft,
    /// How deep to count when measuring.
    pub(crate) depth: u32,
}

/// How a random game went.
#[derive(Clone, Copy)]
pub(crate) struct Outcome {
    /// How many moves were made.
    pub(crate) moves: u64,
    /// The score of the player who began: 0, 50 or 100.
    pub(crate) score: u64,
}
