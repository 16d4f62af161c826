//! METAGAME is played as it is defined, and is the same game in RBG.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{Effort, metagame_game, metagame_is_definition, raising_keeps_the_game};

fuzz_target!(|bytes: &[u8]| {
    let seed = u64::from(bytes.last().copied().unwrap_or_default());
    let text = metagame_game(bytes);
    // Long texts take seconds to compile.
    if text.len() < 6_000 {
        let _ = metagame_is_definition(&text, seed, 10);
    }
    raising_keeps_the_game(&text, seed, &Effort::any_language());
});
