//! The engines play the same games.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, abg_game, automaton, game, plan_is_walk};

fuzz_target!(|bytes: &[u8]| {
    plan_is_walk(&game(bytes), &Effort::default());
    plan_is_walk(&automaton(bytes), &Effort::default());
    plan_is_walk(&abg_game(bytes), &Effort::default());
});
