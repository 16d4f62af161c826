//! Low-level text is the same game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, game, lowering_keeps_the_game};

fuzz_target!(|bytes: &[u8]| {
    lowering_keeps_the_game(&game(bytes), &Effort::default());
});
