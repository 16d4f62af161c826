//! Games in which positions that come again end the game do so, with every engine.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, any_game, repetition_ends_games};

fuzz_target!(|bytes: &[u8]| {
    // The first bytes are a number, the rest is the game.
    let (number, bytes) = bytes.split_first_chunk().map_or(([0; 2], bytes), |(n, rest)| (*n, rest));
    let number = u64::from(u16::from_le_bytes(number));
    repetition_ends_games(&any_game(bytes), number, &Effort::default());
});
