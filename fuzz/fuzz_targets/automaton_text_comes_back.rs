//! The text form of automata can be read back: raw text, games, and automata with mistakes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regulus_laws::{abg_game, automaton_text_comes_back, game, nearly_an_automaton};

fuzz_target!(|bytes: &[u8]| {
    automaton_text_comes_back(&String::from_utf8_lossy(bytes));
    automaton_text_comes_back(&game(bytes));
    automaton_text_comes_back(&abg_game(bytes));
    automaton_text_comes_back(&nearly_an_automaton(bytes));
});
