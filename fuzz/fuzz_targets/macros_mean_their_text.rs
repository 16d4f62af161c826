//! Macros are what they stand for, in games and in games with mistakes that are still games.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{game, macros_mean_their_text, nearly_a_game};

fuzz_target!(|bytes: &[u8]| {
    macros_mean_their_text(&String::from_utf8_lossy(bytes));
    macros_mean_their_text(&game(bytes));
    macros_mean_their_text(&nearly_a_game(bytes));
});
