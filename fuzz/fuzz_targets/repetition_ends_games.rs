//! Games in which positions that come again end the game do so, with every engine.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, abg_game, automaton, game, repetition_ends_games, sbg_game};

fuzz_target!(|bytes: &[u8]| {
    // The first byte says which of many, the next ones make up the rule, the rest is the game.
    let (kind, bytes) = bytes.split_first().map_or((0, bytes), |(kind, rest)| (*kind, rest));
    let (number, bytes) = bytes.split_first_chunk().map_or(([0; 2], bytes), |(n, rest)| (*n, rest));
    let text = match kind % 8 {
        0..3 => game(bytes),
        3..6 => automaton(bytes),
        6 => sbg_game(bytes),
        _ => abg_game(bytes),
    };
    repetition_ends_games(&text, u64::from(u16::from_le_bytes(number)), &Effort::default());
});
