//! The steps that may follow the beginning of a move lead to the legal moves.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, abg_game, automaton, game, steps_are_moves};

fuzz_target!(|bytes: &[u8]| {
    let seed = u64::from(bytes.first().copied().unwrap_or_default());
    steps_are_moves(&game(bytes), seed, &Effort::default());
    steps_are_moves(&automaton(bytes), seed, &Effort::default());
    steps_are_moves(&abg_game(bytes), seed, &Effort::default());
});
