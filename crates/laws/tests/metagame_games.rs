//! METAGAME is played as it is defined: the games that come with Regulus, and generated ones.

mod common;

use common::{check, check_games, least};
use regulus_lang::{Source, compile, render};
use regulus_laws::{
    Effort, any_text_compiles_or_is_refused, automaton_text_comes_back, jit_is_plan, metagame_game,
    metagame_is_definition, nearly_a_metagame_game, passes_keep_the_game, plan_is_walk,
    raising_keeps_the_game, steps_are_moves,
};

#[test]
fn the_games_are_as_defined() {
    let law =
        |text: &str| (0..2).map(|seed| metagame_is_definition(text, seed, 40).positions).sum();
    check_games("metagame", law, 20, 700);
}

#[test]
fn laws_hold_on_the_games() {
    let law = |text: &str| {
        let effort = Effort::real_game(2, 20);
        automaton_text_comes_back(text)
            + plan_is_walk(text, &effort)
            + jit_is_plan(text, &effort).comparisons
            + steps_are_moves(text, 1, &Effort::real_game(0, 3))
    };
    check_games("metagame", law, 50, 2_000);
}

#[test]
fn generated_games_are_well_formed() {
    let law = |text: &str, _| {
        let source = Source::new("game.mg", text);
        let compilation = compile(&source);
        let findings = || render(&compilation.diagnostics, &source, false);
        assert!(compilation.automaton.is_some(), "{}", findings());
        1
    };
    check(60, metagame_game, law, least(60, 60));
}

#[test]
fn near_games_compile_or_are_refused() {
    check(
        500,
        nearly_a_metagame_game,
        |text, _| any_text_compiles_or_is_refused(text),
        least(450, 450),
    );
}

#[test]
fn generated_games_are_as_defined() {
    check(
        12,
        metagame_game,
        |text, seed| metagame_is_definition(text, seed, 20).positions,
        least(8, 100),
    );
}

#[test]
fn games_are_the_same_in_rbg() {
    let raise = |text: &str, seed| raising_keeps_the_game(text, seed, &Effort::real_game(3, 12));
    check_games("metagame", |text| raise(text, 1), 10, 150);
    check(12, metagame_game, raise, least(8, 60));
}

#[test]
fn passes_keep_generated_games() {
    check(
        6,
        metagame_game,
        |text, _| passes_keep_the_game(text, &Effort::real_game(1, 3)),
        least(4, 20),
    );
}
