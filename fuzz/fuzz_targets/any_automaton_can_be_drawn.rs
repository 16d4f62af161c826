//! Pictures of automata come out: raw text, games, and automata with mistakes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{any_automaton_can_be_drawn, game, nearly_an_automaton};

fuzz_target!(|bytes: &[u8]| {
    any_automaton_can_be_drawn(&String::from_utf8_lossy(bytes));
    any_automaton_can_be_drawn(&game(bytes));
    any_automaton_can_be_drawn(&nearly_an_automaton(bytes));
});
