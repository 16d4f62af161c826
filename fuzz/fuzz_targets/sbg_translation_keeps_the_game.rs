//! Translated into RBG, games in Simplified Boardgames are the same games.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, sbg_game, sbg_translation_keeps_the_game};

fuzz_target!(|bytes: &[u8]| {
    sbg_translation_keeps_the_game(&sbg_game(bytes), 0, &Effort::default());
});
