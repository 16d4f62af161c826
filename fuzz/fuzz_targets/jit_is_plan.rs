//! Native code answers as the `plan` engine does.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, any_game, jit_is_plan, large_automaton, large_game};

fuzz_target!(|bytes: &[u8]| {
    // The first bytes say which of many, the rest what it is.
    let (kind, bytes) = bytes.split_first().map_or((0, bytes), |(kind, rest)| (*kind, rest));
    let text = match kind % 4 {
        0 => large_game(bytes),
        1 => large_automaton(bytes),
        _ => any_game(bytes),
    };
    let effort = if kind / 4 % 2 == 0 { Effort::default() } else { Effort::ample() };
    jit_is_plan(&text, &effort);
});
