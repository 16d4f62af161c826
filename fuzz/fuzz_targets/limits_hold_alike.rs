//! Every engine refuses the same under limits that are reached, and with the same words.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, any_game, limits_hold_alike};

fuzz_target!(|bytes: &[u8]| {
    // The first bytes are a number, the rest is the game.
    let (number, bytes) = bytes.split_first_chunk().map_or(([0; 2], bytes), |(n, rest)| (*n, rest));
    let number = u64::from(u16::from_le_bytes(number));
    limits_hold_alike(&any_game(bytes), number, &Effort::tight(number));
});
