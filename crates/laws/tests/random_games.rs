//! Every law holds on random games.
//!
//! `REGULUS_LAWS_ROUNDS` (1 unless set) says how many times the usual number of games are tried; each round has others.

mod common;

use common::{check, check_native, check_repetition, least};
use regulus_lang::{Source, compile, render};
use regulus_laws::{
    Effort, KeeperChoices, Repetitions, abg_game, any_automaton_can_be_drawn,
    any_text_compiles_or_is_refused, automaton, automaton_text_comes_back, engines_are_consistent,
    game, jit_is_plan, large_automaton, large_game, limits_hold_alike, lowering_keeps_the_game,
    macros_mean_their_text, metagame_game, nearly_a_game, nearly_an_abg_game, nearly_an_automaton,
    nearly_an_sbg_game, passes_keep_the_game, plan_is_walk, plays_are_consistent,
    repetition_ends_games, sbg_game, sbg_is_definition, sbg_translation_keeps_the_game,
    sbg_trees_are_as_defined, steps_are_moves, walk_is_the_definition,
};

#[test]
fn games_are_well_formed() {
    check(
        5000,
        game,
        |text, _| {
            let source = Source::new("game.rbg", text);
            let compilation = compile(&source);
            let findings = || render(&compilation.diagnostics, &source, false);
            assert!(compilation.automaton.is_some(), "{}", findings());
            1
        },
        least(5000, 5000),
    );
}

#[test]
fn automata_are_well_formed() {
    check(
        2000,
        automaton,
        |text, _| {
            let draft: regulus_automaton::Draft = text.parse().expect("it can be read");
            draft.verify().expect("it is well-formed");
            1
        },
        least(2000, 2000),
    );
}

#[test]
fn games_compile() {
    check(1000, game, |text, _| any_text_compiles_or_is_refused(text), least(950, 43_000));
}

#[test]
fn near_games_compile_or_are_refused() {
    check(
        5000,
        nearly_a_game,
        |text, _| any_text_compiles_or_is_refused(text),
        least(4700, 210_000),
    );
}

#[test]
fn macros_of_games_mean_their_text() {
    check(5000, game, |text, _| macros_mean_their_text(text), least(5000, 5000));
}

#[test]
fn macros_of_near_games_mean_their_text() {
    check(5000, nearly_a_game, |text, _| macros_mean_their_text(text), least(400, 400));
}

#[test]
fn lowering_keeps_games() {
    check(
        3000,
        game,
        |text, _| lowering_keeps_the_game(text, &Effort::default()),
        least(2700, 12_000),
    );
}

#[test]
fn texts_of_games_come_back() {
    check(300, game, |text, _| automaton_text_comes_back(text), least(280, 300));
}

#[test]
fn texts_of_automata_come_back() {
    check(1000, automaton, |text, _| automaton_text_comes_back(text), least(950, 1500));
}

#[test]
fn near_automata_come_back_or_are_refused() {
    check(3000, nearly_an_automaton, |text, _| automaton_text_comes_back(text), least(110, 340));
}

#[test]
fn games_can_be_drawn() {
    check(200, game, |text, _| any_automaton_can_be_drawn(text), least(190, 200));
}

#[test]
fn near_automata_can_be_drawn() {
    check(500, nearly_an_automaton, |text, _| any_automaton_can_be_drawn(text), least(18, 53));
}

#[test]
fn passes_keep_games() {
    check(250, game, |text, _| passes_keep_the_game(text, &Effort::default()), least(230, 16_000));
}

#[test]
fn passes_keep_automata() {
    check(
        2000,
        automaton,
        |text, _| passes_keep_the_game(text, &Effort::default()),
        least(1900, 120_000),
    );
}

#[test]
fn engines_are_consistent_on_games() {
    check(
        3000,
        game,
        |text, seed| engines_are_consistent(text, seed, &Effort::default()),
        least(2500, 13_000),
    );
}

#[test]
fn engines_are_consistent_on_automata() {
    check(
        3000,
        automaton,
        |text, seed| engines_are_consistent(text, seed, &Effort::default()),
        least(1100, 30_000),
    );
}

#[test]
fn walking_games_is_as_defined() {
    check(
        1500,
        game,
        |text, _| walk_is_the_definition(text, &Effort::default()),
        least(1300, 6900),
    );
}

#[test]
fn plan_is_walk_on_games() {
    check(1000, game, |text, _| plan_is_walk(text, &Effort::default()), least(950, 10_000));
}

#[test]
fn plan_is_walk_on_automata() {
    check(2000, automaton, |text, _| plan_is_walk(text, &Effort::default()), least(1900, 19_000));
}

#[test]
fn jit_is_plan_on_games() {
    check_native(
        300,
        game,
        |text, _| jit_is_plan(text, &Effort::default()),
        99,
        least(280, 170_000),
    );
}

#[test]
fn jit_is_plan_on_automata() {
    check_native(
        500,
        automaton,
        |text, _| jit_is_plan(text, &Effort::default()),
        99,
        least(470, 530_000),
    );
}

#[test]
fn jit_is_plan_on_large_boards() {
    check_native(
        40,
        large_game,
        |text, _| jit_is_plan(text, &Effort::default()),
        98,
        least(38, 22_000),
    );
    check_native(
        40,
        large_automaton,
        |text, _| jit_is_plan(text, &Effort::default()),
        95,
        least(38, 45_000),
    );
}

#[test]
fn jit_is_plan_under_ample_limits() {
    check_native(300, game, |text, _| jit_is_plan(text, &Effort::ample()), 99, least(280, 170_000));
    check_native(
        500,
        automaton,
        |text, _| jit_is_plan(text, &Effort::ample()),
        99,
        least(470, 530_000),
    );
    check_native(
        40,
        large_game,
        |text, _| jit_is_plan(text, &Effort::ample()),
        98,
        least(38, 22_000),
    );
    check_native(
        40,
        large_automaton,
        |text, _| jit_is_plan(text, &Effort::ample()),
        95,
        least(38, 45_000),
    );
}

#[test]
fn limits_hold_alike_on_games() {
    // Times a prime, so that all limits vary with the seed.
    let law = |text: &str, seed: u64| limits_hold_alike(text, seed, &Effort::tight(seed * 7919));
    check(150, game, law, least(100, 1));
    check(200, automaton, law, least(100, 1));
    check(50, abg_game, law, least(25, 1));
    check(50, sbg_game, law, least(25, 1));
    // Most of them are too large, or reach a limit at once.
    check(40, metagame_game, law, least(8, 1));
}

#[test]
fn sbg_games_are_well_formed() {
    check(
        3000,
        sbg_game,
        |text, _| {
            let source = Source::new("game.sbg", text);
            let compilation = compile(&source);
            let findings = || render(&compilation.diagnostics, &source, false);
            assert!(compilation.automaton.is_some(), "{}", findings());
            1
        },
        least(3000, 3000),
    );
}

#[test]
fn near_sbg_games_compile_or_are_refused() {
    check(
        5000,
        nearly_an_sbg_game,
        |text, _| any_text_compiles_or_is_refused(text),
        least(4700, 91_000),
    );
}

#[test]
fn sbg_games_are_as_defined() {
    check(
        1500,
        sbg_game,
        |text, seed| sbg_is_definition(text, seed, &Effort::default()),
        least(1400, 71_000),
    );
    check(500, sbg_game, |text, _| sbg_trees_are_as_defined(text, 300), least(470, 1100));
}

#[test]
fn near_sbg_games_that_compile_are_as_defined() {
    check(
        3000,
        nearly_an_sbg_game,
        |text, seed| sbg_is_definition(text, seed, &Effort::default()),
        least(160, 11_000),
    );
}

#[test]
fn translations_keep_sbg_games() {
    check(
        1000,
        sbg_game,
        |text, seed| sbg_translation_keeps_the_game(text, seed, &Effort::default()),
        least(950, 5200),
    );
}

#[test]
fn engines_and_passes_keep_sbg_games() {
    let effort = Effort { keeper: KeeperChoices::Confluent, ..Effort::default() };
    check(100, sbg_game, |text, _| passes_keep_the_game(text, &effort), least(95, 8400));
    check(
        300,
        sbg_game,
        |text, seed| engines_are_consistent(text, seed, &effort),
        least(280, 1800),
    );
    check(300, sbg_game, |text, _| plan_is_walk(text, &effort), least(280, 3400));
    check_native(100, sbg_game, |text, _| jit_is_plan(text, &effort), 99, least(95, 37_000));
    check(200, sbg_game, |text, _| automaton_text_comes_back(text), least(190, 200));
}

#[test]
fn most_abg_games_are_well_formed() {
    check(
        1000,
        abg_game,
        |text, _| {
            let source = Source::new("game.abg", text);
            u64::from(compile(&source).automaton.is_some())
        },
        least(940, 490),
    );
}

#[test]
fn abg_games_compile_or_are_refused() {
    check(500, abg_game, |text, _| any_text_compiles_or_is_refused(text), least(470, 28_000));
    check(
        2000,
        nearly_an_abg_game,
        |text, _| any_text_compiles_or_is_refused(text),
        least(1900, 110_000),
    );
}

#[test]
fn passes_keep_abg_games() {
    let effort = Effort { keeper: KeeperChoices::Confluent, ..Effort::default() };
    check(100, abg_game, |text, _| passes_keep_the_game(text, &effort), least(86, 2700));
    check(200, abg_game, |text, _| automaton_text_comes_back(text), least(190, 200));
}

#[test]
fn engines_keep_abg_games() {
    let effort = Effort { keeper: KeeperChoices::Confluent, ..Effort::default() };
    check(100, abg_game, |text, seed| engines_are_consistent(text, seed, &effort), least(75, 300));
    check(200, abg_game, |text, _| plan_is_walk(text, &effort), least(170, 800));
}

#[test]
fn jit_is_plan_on_abg_games() {
    let effort = Effort { keeper: KeeperChoices::Confluent, ..Effort::default() };
    check_native(60, abg_game, |text, _| jit_is_plan(text, &effort), 99, least(48, 9000));
}

#[test]
fn large_games_and_automata_are_well_formed() {
    check(
        200,
        large_game,
        |text, _| {
            assert!(compile(&Source::new("game.rbg", text)).automaton.is_some());
            1
        },
        least(200, 200),
    );
    check(
        200,
        large_automaton,
        |text, _| {
            let draft: regulus_automaton::Draft = text.parse().expect("it can be read");
            draft.verify().expect("it is well-formed");
            1
        },
        least(200, 200),
    );
}

#[test]
fn steps_are_moves_on_games() {
    check(
        500,
        game,
        |text, seed| steps_are_moves(text, seed, &Effort::default()),
        least(420, 26_000),
    );
    check(
        100,
        sbg_game,
        |text, seed| steps_are_moves(text, seed, &Effort::default()),
        least(95, 12_000),
    );
    check(
        100,
        abg_game,
        |text, seed| steps_are_moves(text, seed, &Effort::default()),
        least(85, 4500),
    );
}

#[test]
fn steps_are_moves_on_automata() {
    check(
        1000,
        automaton,
        |text, seed| steps_are_moves(text, seed, &Effort::default()),
        least(830, 78_000),
    );
}

#[test]
fn repetition_ends_random_games() {
    let law = |text: &str, seed| repetition_ends_games(text, seed, &Effort::default());
    check_repetition(100, game, law, Repetitions { comparisons: 3900, games: 850, trees: 570 });
}

#[test]
fn repetition_ends_automata() {
    let law = |text: &str, seed| repetition_ends_games(text, seed, &Effort::default());
    check_repetition(
        200,
        automaton,
        law,
        Repetitions { comparisons: 7400, games: 2800, trees: 2600 },
    );
}

#[test]
fn repetition_ends_games_of_other_languages() {
    let effort = Effort { keeper: KeeperChoices::Confluent, ..Effort::default() };
    let law = |text: &str, seed| repetition_ends_games(text, seed, &effort);
    check_repetition(60, sbg_game, law, Repetitions { comparisons: 1900, games: 90, trees: 46 });
    check_repetition(60, abg_game, law, Repetitions { comparisons: 500, games: 30, trees: 30 });
}

#[test]
fn plays_are_consistent_on_all_languages() {
    let effort = Effort { states: 12, ..Effort::default() };
    let confluent = Effort { keeper: KeeperChoices::Confluent, ..effort };
    check(200, game, |text, seed| plays_are_consistent(text, seed, &effort), least(150, 300));
    check(100, sbg_game, |text, seed| plays_are_consistent(text, seed, &confluent), least(90, 250));
    check(60, abg_game, |text, seed| plays_are_consistent(text, seed, &confluent), least(40, 60));
}
