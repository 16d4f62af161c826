//! The laws hold on the games in Simplified Boardgames that come with Regulus, and their trees are as defined.

mod common;

use std::fs;

use common::{check_games, games};
use regulus_engine::{Counting, Rules as _, Walk, perft};
use regulus_lang::{Source, compile, render};
use regulus_laws::{
    Effort, sbg_is_definition, sbg_perft, sbg_translation_keeps_the_game, sbg_trees_are_as_defined,
};

#[test]
fn they_compile() {
    for file in games("sbg") {
        let source = Source::new("game.sbg", fs::read_to_string(file).expect("a text"));
        let compilation = compile(&source);
        let findings = render(&compilation.diagnostics, &source, false);
        assert!(compilation.automaton.is_some(), "{findings}");
    }
}

#[test]
fn their_trees_are_as_defined() {
    let law = |text: &str| {
        assert_eq!(sbg_perft(text, 0), Some(1), "the definition knows it");
        sbg_trees_are_as_defined(text, 20_000)
    };
    check_games("sbg", law, 3, 45);
}

/// These figures also come from a program written for this game alone.
#[test]
fn gardner_has_the_known_trees() {
    let files = games("sbg");
    let file = files.into_iter().find(|file| file.ends_with("gardner.sbg")).expect("the game");
    let text = fs::read_to_string(file).expect("a text");
    let compilation = compile(&Source::new("gardner.sbg", text.as_str()));
    let walk = Walk::new(compilation.automaton.expect("it compiles"));
    let state = walk.initial(&mut walk.scratch()).expect("the keeper comes to an end");
    let history = walk.history(&state);
    for (depth, leaves) in (0..).zip([1, 7, 53, 510, 5000]) {
        assert_eq!(sbg_perft(&text, depth), Some(leaves), "as defined, to depth {depth}");
        let counted = perft(&walk, &state, &history, depth, Counting::Each, &mut |_, _| {});
        assert_eq!(counted.map(|counted| counted.leaves), Ok(leaves), "to depth {depth}");
    }
}

#[test]
fn they_are_played_as_defined() {
    let law = |text: &str| {
        (0..3).map(|seed| sbg_is_definition(text, seed, &Effort::real_game(0, 60))).sum()
    };
    check_games("sbg", law, 100, 76_000);
}

#[test]
fn translations_keep_them() {
    let law = |text: &str| sbg_translation_keeps_the_game(text, 1, &Effort::real_game(2, 100));
    check_games("sbg", law, 3, 620);
}
