//! Games in Simplified Boardgames are played as the language is defined, and so are games with mistakes that are still
//! games, and raw text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, nearly_an_sbg_game, sbg_game, sbg_is_definition};

fuzz_target!(|bytes: &[u8]| {
    let effort = Effort::default();
    sbg_is_definition(&String::from_utf8_lossy(bytes), 0, &effort);
    sbg_is_definition(&sbg_game(bytes), 0, &effort);
    sbg_is_definition(&nearly_an_sbg_game(bytes), 0, &effort);
});
