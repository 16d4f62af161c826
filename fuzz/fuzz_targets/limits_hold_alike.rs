//! Every engine refuses the same under limits that are reached, and with the same words.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, abg_game, automaton, game, limits_hold_alike, sbg_game};

fuzz_target!(|bytes: &[u8]| {
    // The first bytes say which of many, the rest what it is.
    let (kind, bytes) = bytes.split_first().map_or((0, bytes), |(kind, rest)| (*kind, rest));
    let (number, bytes) = bytes.split_first_chunk().map_or(([0; 2], bytes), |(n, rest)| (*n, rest));
    let text = match kind % 4 {
        0 => game(bytes),
        1 => automaton(bytes),
        2 => abg_game(bytes),
        _ => sbg_game(bytes),
    };
    let number = u64::from(u16::from_le_bytes(number));
    limits_hold_alike(&text, number, &Effort::tight(number));
});
