//! Whatever is written, the front-ends answer: raw text, and games with mistakes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{
    any_text_compiles_or_is_refused, nearly_a_game, nearly_an_abg_game, nearly_an_sbg_game,
};

fuzz_target!(|bytes: &[u8]| {
    any_text_compiles_or_is_refused(&String::from_utf8_lossy(bytes));
    any_text_compiles_or_is_refused(&nearly_a_game(bytes));
    any_text_compiles_or_is_refused(&nearly_an_sbg_game(bytes));
    any_text_compiles_or_is_refused(&nearly_an_abg_game(bytes));
});
