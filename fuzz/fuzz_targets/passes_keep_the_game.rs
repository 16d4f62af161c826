//! Optimised automata are the same game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, any_game, passes_keep_the_game};

fuzz_target!(|bytes: &[u8]| {
    passes_keep_the_game(&any_game(bytes), &Effort::default());
});
