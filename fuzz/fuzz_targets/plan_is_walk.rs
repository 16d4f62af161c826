//! The engines play the same games.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, any_game, plan_is_walk};

fuzz_target!(|bytes: &[u8]| {
    plan_is_walk(&any_game(bytes), &Effort::default());
});
