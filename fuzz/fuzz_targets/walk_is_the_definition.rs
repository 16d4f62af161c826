//! The `walk` engine plays as RBG is defined.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, game, walk_is_the_definition};

fuzz_target!(|bytes: &[u8]| {
    walk_is_the_definition(&game(bytes), &Effort::default());
});
