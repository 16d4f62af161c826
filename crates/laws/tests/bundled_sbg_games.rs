//! The laws hold on the games in Simplified Boardgames that come with Regulus, and their trees are as defined.

use std::fs;
use std::path::{Path, PathBuf};

use regulus_engine::{Counting, Rules as _, Walk, perft};
use regulus_lang::{Source, compile, render};
use regulus_laws::{
    Effort, any_automaton_can_be_drawn, any_text_compiles_or_is_refused, automaton_text_comes_back,
    engines_are_consistent, jit_is_plan, passes_keep_the_game, plan_is_walk, sbg_is_definition,
    sbg_perft, sbg_translation_keeps_the_game, sbg_trees_are_as_defined,
};

fn games() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/sbg");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder of games")
        .map(|entry| entry.expect("a game").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "the games are there");
    files
}

/// Tries a law on all games.
fn check(law: impl Fn(&str)) {
    for file in games() {
        // Shown when a test fails: the last one named is to blame.
        eprintln!("{}", file.display());
        law(&fs::read_to_string(&file).expect("a text"));
    }
}

#[test]
fn they_compile() {
    check(|text| {
        let source = Source::new("game.sbg", text);
        let compilation = compile(&source);
        assert!(
            compilation.automaton.is_some(),
            "{}",
            render(&compilation.diagnostics, &source, false)
        );
        any_text_compiles_or_is_refused(text);
    });
}

#[test]
fn their_trees_are_as_defined() {
    check(|text| {
        assert_eq!(sbg_perft(text, 0), Some(1), "the definition knows it");
        sbg_trees_are_as_defined(text, 20_000);
    });
}

/// These figures also come from a program written for this game alone.
#[test]
fn gardner_has_the_known_trees() {
    let file = games().into_iter().find(|file| file.ends_with("gardner.sbg")).expect("the game");
    let text = fs::read_to_string(file).expect("a text");
    let compilation = compile(&Source::new("gardner.sbg", text.as_str()));
    let walk = Walk::new(compilation.automaton.expect("it compiles"));
    let state = walk.initial(&mut walk.scratch()).expect("the keeper comes to an end");
    for (depth, leaves) in (0..).zip([1, 7, 53, 510, 5000]) {
        assert_eq!(sbg_perft(&text, depth), Some(leaves), "as defined, to depth {depth}");
        let counted = perft(&walk, &state, depth, Counting::Each, &mut |_, _| {});
        assert_eq!(counted.map(|counted| counted.leaves), Ok(leaves), "to depth {depth}");
    }
}

#[test]
fn they_are_played_as_defined() {
    check(|text| {
        for seed in 0..3 {
            sbg_is_definition(text, seed, &Effort::real_game(0, 60));
        }
    });
}

#[test]
fn translations_keep_them() {
    check(|text| sbg_translation_keeps_the_game(text, 1, &Effort::real_game(2, 100)));
}

#[test]
fn their_automata_come_back_and_can_be_drawn() {
    check(automaton_text_comes_back);
    check(any_automaton_can_be_drawn);
}

#[test]
fn passes_keep_them() {
    check(|text| passes_keep_the_game(text, &Effort::real_game(2, 10)));
}

#[test]
fn engines_agree_on_them() {
    check(|text| engines_are_consistent(text, 1, &Effort::real_game(0, 80)));
    check(|text| plan_is_walk(text, &Effort::real_game(2, 100)));
    check(|text| jit_is_plan(text, &Effort::real_game(2, 200)));
}
