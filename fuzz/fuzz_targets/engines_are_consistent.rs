//! Every engine agrees with itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, abg_game, automaton, engines_are_consistent, game};

fuzz_target!(|bytes: &[u8]| {
    let seed = u64::from(bytes.first().copied().unwrap_or_default());
    engines_are_consistent(&game(bytes), seed, &Effort::default());
    engines_are_consistent(&automaton(bytes), seed, &Effort::default());
    engines_are_consistent(&abg_game(bytes), seed, &Effort::default());
});
