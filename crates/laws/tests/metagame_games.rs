//! METAGAME is played as it is defined: the games that come with Regulus, and generated ones.

mod common;

use std::cell::Cell;

use common::{check, check_games, least};
use regulus_engine::{Limits, Playouts};
use regulus_game::{Config, EngineKind, Game, Match};
use regulus_lang::{Code, Severity, Source, compile, render};
use regulus_laws::{
    Effort, MetagameComparison, any_text_compiles_or_is_refused, automaton_text_comes_back,
    jit_is_plan, metagame_game, metagame_is_definition, nearly_a_metagame_game,
    passes_keep_the_game, plan_is_walk, raising_keeps_the_game, steps_are_moves,
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

/// `REGULUS_METAGAME_GAMES` says how many games are compared; 12, and the beginnings only, unless set.
#[test]
fn generated_games_are_as_defined() {
    let (games, plies) = wanted_games().map_or((12, 20), |games| (games, 160));
    let all = Cell::new(MetagameComparison::default());
    let law = |text: &str, seed| {
        let compared = metagame_is_definition(text, seed, plies);
        let mut sum = all.get();
        sum += compared;
        all.set(sum);
        compared.positions
    };
    check(games, metagame_game, law, least(games * 2 / 3, 8 * games));
    eprintln!("{:?}", all.get());
}

/// Random games of generated rules come to an end. The only fault is that there are too many moves, where chains of captures over
/// many pieces explode.
#[test]
fn random_games_of_generated_rules_end() {
    let games = wanted_games().unwrap_or(20);
    let exploded = Cell::new(0);
    let law = |text: &str, seed| {
        // What explodes does so soon.
        let limits = Limits { moves: 1 << 18, tries: 1 << 24, ..Limits::default() };
        let config = Config { engine: EngineKind::Plan, limits, ..Config::default() };
        let game = match Game::new(Source::new("game.mg", text), &config) {
            Ok(game) => game,
            // Few games have too many rules to be loaded.
            Err(error) => {
                let mut errors =
                    error.diagnostics().iter().filter(|it| it.severity == Severity::Error);
                assert!(
                    errors.all(|it| it.code == Code::MetagameTooMany),
                    "{}",
                    error.render(false)
                );
                return 0;
            }
        };
        let mut playouts = Playouts::new(game.rules(), seed);
        let mut ended = 0;
        for number in 0..10 {
            let play = match Match::seeded(&game, seed + number) {
                Ok(play) => play,
                Err(error) => {
                    assert!(is_too_many(&error.to_string()), "{error}");
                    exploded.set(exploded.get() + 1);
                    continue;
                }
            };
            let (mut state, mut history) = (play.state().clone(), play.history().clone());
            playouts.start_game(seed, number);
            match playouts.run(&mut state, &mut history, 1_000) {
                // There is a limit of 500 turns.
                Ok(moves) => assert!(moves <= 500, "{moves} moves"),
                Err(fault) => {
                    assert!(is_too_many(&fault.to_string()), "{fault}");
                    exploded.set(exploded.get() + 1);
                }
            }
            ended += 1;
        }
        ended
    };
    check(games, metagame_game, law, least(games * 9 / 10, games * 9));
    eprintln!("{} games had too many moves", exploded.get());
}

fn wanted_games() -> Option<u64> {
    std::env::var("REGULUS_METAGAME_GAMES").ok()?.parse().ok()
}

/// Whether a fault is that a position has too many moves, or that finding them takes too much.
fn is_too_many(fault: &str) -> bool {
    ["legal moves", "search"].iter().any(|words| fault.contains(words))
}

#[test]
fn games_are_the_same_in_rbg() {
    let raise = |text: &str, seed| raising_keeps_the_game(text, seed, &Effort::real_game(3, 12));
    check_games("metagame", |text| raise(text, 1), 10, 150);
    check_games("abg", |text| raise(text, 1), 5, 60);
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
