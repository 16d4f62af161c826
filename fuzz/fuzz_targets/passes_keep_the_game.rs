//! Optimised automata are the same game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, abg_game, automaton, game, passes_keep_the_game};

fuzz_target!(|bytes: &[u8]| {
    passes_keep_the_game(&game(bytes), &Effort::default());
    passes_keep_the_game(&automaton(bytes), &Effort::default());
    passes_keep_the_game(&abg_game(bytes), &Effort::default());
});
