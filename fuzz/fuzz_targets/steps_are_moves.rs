//! The steps that may follow the beginning of a move lead to the legal moves.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, any_game, steps_are_moves};

fuzz_target!(|bytes: &[u8]| {
    let seed = u64::from(bytes.last().copied().unwrap_or_default());
    steps_are_moves(&any_game(bytes), seed, &Effort::default());
});
