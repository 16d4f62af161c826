//! Every engine agrees with itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, any_game, engines_are_consistent};

fuzz_target!(|bytes: &[u8]| {
    let seed = u64::from(bytes.last().copied().unwrap_or_default());
    engines_are_consistent(&any_game(bytes), seed, &Effort::default());
});
