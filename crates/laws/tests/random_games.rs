//! Every law holds on random games.
//!
//! `REGULUS_LAWS_ROUNDS` (1 unless set) says how many times the usual number of games are tried; each round has others.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use regulus_lang::{Source, compile, render};
use regulus_laws::{
    Effort, Keeper, any_automaton_can_be_drawn, any_text_compiles_or_is_refused, automaton,
    automaton_text_comes_back, bytes, engines_are_consistent, game, jit_is_plan, large_automaton,
    large_game, lowering_keeps_the_game, macros_mean_their_text, nearly_a_game,
    nearly_an_automaton, nearly_an_sbg_game, passes_keep_the_game, plan_is_walk, sbg_game,
    sbg_is_definition, sbg_translation_keeps_the_game, sbg_trees_are_as_defined,
    walk_is_the_definition,
};

/// Tries a law on so many texts made by a generator; shows the text that breaks it.
fn check(count: u64, generate: impl Fn(&[u8]) -> String, law: impl Fn(&str, u64)) {
    let rounds = std::env::var("REGULUS_LAWS_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    for seed in 0..count * rounds.unwrap_or(1) {
        let text = generate(&bytes(seed));
        if let Err(broken) = catch_unwind(AssertUnwindSafe(|| law(&text, seed))) {
            eprintln!("the law is broken by seed {seed}:\n{text}");
            resume_unwind(broken);
        }
    }
}

#[test]
fn games_are_well_formed() {
    check(5000, game, |text, _| {
        let source = Source::new("game.rbg", text);
        let compilation = compile(&source);
        let findings = || render(&compilation.diagnostics, &source, false);
        assert!(compilation.automaton.is_some(), "{}", findings());
    });
}

#[test]
fn automata_are_well_formed() {
    check(2000, automaton, |text, _| {
        let draft: regulus_automaton::Draft = text.parse().expect("it can be read");
        draft.verify().expect("it is well-formed");
    });
}

#[test]
fn games_compile() {
    check(1000, game, |text, _| any_text_compiles_or_is_refused(text));
}

#[test]
fn near_games_compile_or_are_refused() {
    check(5000, nearly_a_game, |text, _| any_text_compiles_or_is_refused(text));
}

#[test]
fn macros_of_games_mean_their_text() {
    check(5000, game, |text, _| macros_mean_their_text(text));
}

#[test]
fn macros_of_near_games_mean_their_text() {
    check(5000, nearly_a_game, |text, _| macros_mean_their_text(text));
}

#[test]
fn lowering_keeps_games() {
    check(3000, game, |text, _| lowering_keeps_the_game(text, &Effort::default()));
}

#[test]
fn texts_of_games_come_back() {
    check(300, game, |text, _| automaton_text_comes_back(text));
}

#[test]
fn texts_of_automata_come_back() {
    check(1000, automaton, |text, _| automaton_text_comes_back(text));
}

#[test]
fn near_automata_come_back_or_are_refused() {
    check(3000, nearly_an_automaton, |text, _| automaton_text_comes_back(text));
}

#[test]
fn games_can_be_drawn() {
    check(200, game, |text, _| any_automaton_can_be_drawn(text));
}

#[test]
fn near_automata_can_be_drawn() {
    check(500, nearly_an_automaton, |text, _| any_automaton_can_be_drawn(text));
}

#[test]
fn passes_keep_games() {
    check(250, game, |text, _| passes_keep_the_game(text, &Effort::default()));
}

#[test]
fn passes_keep_automata() {
    check(2000, automaton, |text, _| passes_keep_the_game(text, &Effort::default()));
}

#[test]
fn engines_are_consistent_on_games() {
    check(3000, game, |text, seed| engines_are_consistent(text, seed, &Effort::default()));
}

#[test]
fn engines_are_consistent_on_automata() {
    check(3000, automaton, |text, seed| engines_are_consistent(text, seed, &Effort::default()));
}

#[test]
fn walking_games_is_as_defined() {
    check(1500, game, |text, _| walk_is_the_definition(text, &Effort::default()));
}

#[test]
fn plan_is_walk_on_games() {
    check(1000, game, |text, _| plan_is_walk(text, &Effort::default()));
}

#[test]
fn plan_is_walk_on_automata() {
    check(2000, automaton, |text, _| plan_is_walk(text, &Effort::default()));
}

#[test]
fn jit_is_plan_on_games() {
    check(300, game, |text, _| jit_is_plan(text, &Effort::default()));
}

#[test]
fn jit_is_plan_on_automata() {
    check(500, automaton, |text, _| jit_is_plan(text, &Effort::default()));
}

#[test]
fn jit_is_plan_on_large_boards() {
    check(40, large_game, |text, _| jit_is_plan(text, &Effort::default()));
    check(40, large_automaton, |text, _| jit_is_plan(text, &Effort::default()));
}

#[test]
fn jit_is_plan_under_ample_limits() {
    check(300, game, |text, _| jit_is_plan(text, &Effort::ample()));
    check(500, automaton, |text, _| jit_is_plan(text, &Effort::ample()));
    check(40, large_game, |text, _| jit_is_plan(text, &Effort::ample()));
    check(40, large_automaton, |text, _| jit_is_plan(text, &Effort::ample()));
}

#[test]
fn jit_is_plan_under_tight_limits() {
    check(200, game, |text, seed| jit_is_plan(text, &Effort::tight(seed)));
    check(300, automaton, |text, seed| jit_is_plan(text, &Effort::tight(seed)));
}

#[test]
fn sbg_games_are_well_formed() {
    check(3000, sbg_game, |text, _| {
        let source = Source::new("game.sbg", text);
        let compilation = compile(&source);
        let findings = || render(&compilation.diagnostics, &source, false);
        assert!(compilation.automaton.is_some(), "{}", findings());
    });
}

#[test]
fn near_sbg_games_compile_or_are_refused() {
    check(5000, nearly_an_sbg_game, |text, _| any_text_compiles_or_is_refused(text));
}

#[test]
fn sbg_games_are_as_defined() {
    check(1500, sbg_game, |text, seed| sbg_is_definition(text, seed, &Effort::default()));
    check(500, sbg_game, |text, _| sbg_trees_are_as_defined(text, 300));
}

#[test]
fn near_sbg_games_that_compile_are_as_defined() {
    check(3000, nearly_an_sbg_game, |text, seed| {
        sbg_is_definition(text, seed, &Effort::default());
    });
}

#[test]
fn translations_keep_sbg_games() {
    check(1000, sbg_game, |text, seed| {
        sbg_translation_keeps_the_game(text, seed, &Effort::default());
    });
}

#[test]
fn engines_and_passes_keep_sbg_games() {
    let effort = Effort { keeper: Keeper::Confluent, ..Effort::default() };
    check(100, sbg_game, |text, _| passes_keep_the_game(text, &effort));
    check(300, sbg_game, |text, seed| engines_are_consistent(text, seed, &effort));
    check(300, sbg_game, |text, _| plan_is_walk(text, &effort));
    check(100, sbg_game, |text, _| jit_is_plan(text, &effort));
    check(200, sbg_game, |text, _| automaton_text_comes_back(text));
}

#[test]
fn large_games_and_automata_are_well_formed() {
    check(200, large_game, |text, _| {
        assert!(compile(&Source::new("game.rbg", text)).automaton.is_some());
    });
    check(200, large_automaton, |text, _| {
        let draft: regulus_automaton::Draft = text.parse().expect("it can be read");
        draft.verify().expect("it is well-formed");
    });
}
