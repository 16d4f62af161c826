//! Every law holds on the games that come with Regulus, as far as their trees are small enough.

use std::fs;
use std::path::Path;

use regulus_laws::{
    Effort, any_automaton_can_be_drawn, any_text_compiles_or_is_refused, automaton_text_comes_back,
    engines_are_consistent, jit_is_plan, lowering_keeps_the_game, macros_mean_their_text,
    passes_keep_the_game, plan_is_walk,
};

/// Tries a law on all games.
fn check(law: impl Fn(&str)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/rbg");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder of games")
        .map(|entry| entry.expect("a game").path())
        .collect();
    files.sort();
    assert!(files.len() >= 19, "the games are there");
    for file in files {
        // Shown when a test fails: the last one named is to blame.
        eprintln!("{}", file.display());
        law(&fs::read_to_string(&file).expect("a text"));
    }
}

#[test]
fn they_compile() {
    check(any_text_compiles_or_is_refused);
}

#[test]
fn their_macros_mean_their_text() {
    check(macros_mean_their_text);
}

#[test]
fn lowering_keeps_them() {
    check(|text| lowering_keeps_the_game(text, &Effort::real_game(2, 300)));
}

#[test]
fn their_automata_come_back() {
    check(automaton_text_comes_back);
}

#[test]
fn they_can_be_drawn() {
    check(any_automaton_can_be_drawn);
}

#[test]
fn passes_keep_them() {
    check(|text| passes_keep_the_game(text, &Effort::real_game(2, 10)));
}

#[test]
fn engines_are_consistent_on_them() {
    check(|text| engines_are_consistent(text, 1, &Effort::real_game(0, 80)));
}

#[test]
fn plan_is_walk_on_them() {
    check(|text| plan_is_walk(text, &Effort::real_game(2, 100)));
}

#[test]
fn jit_is_plan_on_them() {
    check(|text| jit_is_plan(text, &Effort::real_game(2, 200)));
}
