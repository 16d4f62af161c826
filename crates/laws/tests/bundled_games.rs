//! Every law holds on the games that come with Regulus, in all languages, as far as their trees are small enough.

mod common;

use std::cell::Cell;
use std::collections::BTreeSet;

use common::{add, check_games, must_be_compiled};
use regulus_automaton::{GraphScope, passes, svg};
use regulus_lang::{Source, compile};
use regulus_laws::{
    Effort, NativeAnswers, any_automaton_can_be_drawn, any_text_compiles_or_is_refused,
    automaton_text_comes_back, engines_are_consistent, jit_is_plan, lowering_keeps_the_game,
    macros_mean_their_text, passes_keep_the_game, plan_is_walk, steps_are_moves,
};

/// Tries a law on all games of all languages, which makes at least `on_each` comparisons on each game, and `on_all` on those of each
/// language together: RBG, Simplified Boardgames, Abstract Boardgames.
fn check(law: impl Fn(&str) -> u64, on_each: u64, on_all: [u64; 3]) {
    for (language, on_all) in ["rbg", "sbg", "abg"].into_iter().zip(on_all) {
        check_games(language, &law, on_each, on_all);
    }
}

#[test]
fn they_compile() {
    check(any_text_compiles_or_is_refused, 1, [19, 15, 8]);
}

#[test]
fn their_macros_mean_their_text() {
    check_games("rbg", macros_mean_their_text, 1, 19);
}

#[test]
fn lowering_keeps_them() {
    check_games("rbg", |text| lowering_keeps_the_game(text, &Effort::real_game(2, 300)), 3, 1900);
}

#[test]
fn their_automata_come_back() {
    check(automaton_text_comes_back, 2, [38, 30, 16]);
}

#[test]
fn they_can_be_drawn() {
    check(any_automaton_can_be_drawn, 2, [38, 30, 16]);
}

/// Pictures of all games are of a size that a page shows, and have no names in them that only programs know.
#[test]
fn their_pictures_are_legible() {
    for (language, games) in [("rbg", 19), ("sbg", 15), ("abg", 8), ("metagame", 14)] {
        check_games(language, |text| picture_is_legible(language, text), 1, games);
    }
}

fn picture_is_legible(language: &str, text: &str) -> u64 {
    let extension = if language == "metagame" { "game" } else { language };
    let source = Source::new(format!("game.{extension}"), text);
    let automaton = compile(&source).automaton.expect("a bundled game compiles");
    let automaton = passes::optimise(automaton, &passes::Config::default());
    let picture = svg::to_svg("", &automaton, GraphScope::Folded);
    let size = |name: &str| -> f64 {
        let (_, value) = picture.split_once(&format!(" {name}=\"")).expect("it has a size");
        value.split('"').next().and_then(|value| value.parse().ok()).expect("a number")
    };
    let (width, height) = (size("width"), size("height"));
    assert!(width < 1_600.0 && height < 3_600.0, "{width} x {height}");
    let whole = svg::to_svg("", &automaton, GraphScope::Unfolded);
    let names = automaton.board.squares.values().map(|square| square.name.as_str());
    let internal: BTreeSet<&str> =
        names.filter(|name| name.contains('x') && name.contains('y')).collect();
    for text in [&picture, &whole] {
        assert!(!text.contains("walk t"), "a table without words");
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        assert_eq!(words.find(|word| internal.contains(word)), None);
    }
    1
}

#[test]
fn passes_keep_them() {
    check(|text| passes_keep_the_game(text, &Effort::real_game(2, 10)), 60, [1200, 900, 500]);
}

#[test]
fn engines_are_consistent_on_them() {
    check(|text| engines_are_consistent(text, 1, &Effort::real_game(0, 80)), 5, [1000, 900, 220]);
}

#[test]
fn plan_is_walk_on_them() {
    check(|text| plan_is_walk(text, &Effort::real_game(2, 100)), 10, [1500, 1400, 600]);
}

#[test]
fn jit_is_plan_on_them() {
    let sum = Cell::new(NativeAnswers::default());
    let law = |text: &str| add(&sum, jit_is_plan(text, &Effort::real_game(2, 200)));
    check(law, 100, [73_000, 63_000, 17_000]);
    must_be_compiled(sum.get(), 100);
}

#[test]
fn steps_are_moves_on_them() {
    check(|text| steps_are_moves(text, 1, &Effort::real_game(0, 10)), 10, [11_000, 7500, 2400]);
}
