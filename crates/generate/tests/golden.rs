//! What seeds give never changes, unless the version of the generator does.
//!
//! After an intended change, raise `VERSION` and run this test with `REGULUS_BLESS=1` in the environment.

use std::path::Path;

use regulus_generate::{Config, Properties, VERSION, generate, seed_of};

/// The games of a run with 1,000 games, by the hash of all texts.
const RUN: u64 = 0xfc47_a03b_da34_e14f;

#[test]
fn the_version_is_the_one_pinned_here() {
    assert_eq!(VERSION, 1);
}

#[test]
fn a_small_game_is_the_same_as_ever() {
    let mut config = Config::default();
    let small =
        Properties { rule_complexity: Some(0.2), board_size: Some(0.0), ..Properties::default() };
    config.apply(&small).expect("allowed");
    let text = generate(2, &config).text;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/metagame_2.game");
    if std::env::var_os("REGULUS_BLESS").is_some() {
        std::fs::write(&file, &text).expect("writable");
    }
    let expected = std::fs::read_to_string(&file).expect("the file is part of the crate");
    assert_eq!(text, expected);
}

#[test]
fn a_run_is_the_same_as_ever() {
    let config = Config::default();
    let texts = (0..1000).map(|index| generate(seed_of(1, index), &config).text);
    assert_eq!(
        texts.fold(0xcbf2_9ce4_8422_2325, |hash, text| fnv(hash, &text)),
        RUN,
        "the hash of the texts"
    );
}

#[test]
fn a_heading_has_all_that_gives_the_game_again() {
    let mut config = Config::default();
    let properties = Properties {
        rule_complexity: Some(0.9),
        decision_complexity: Some(0.3),
        search_complexity: Some(0.7),
        locality: Some(0.1),
        board_size: Some(0.6),
    };
    config.apply(&properties).expect("allowed");
    for index in 0..20 {
        let game = generate(seed_of(3, index), &config);
        let parameters: String = game
            .text
            .lines()
            .filter_map(|line| line.strip_prefix("%   "))
            .map(|line| format!("{line}\n"))
            .collect();
        let again = Config::from_toml(&parameters).expect("a heading is TOML");
        assert_eq!(generate(game.seed, &again), game);
    }
}

#[test]
fn seeds_of_a_run_do_not_depend_on_its_length_and_differ() {
    assert_eq!(seed_of(1, 0), 1);
    assert_eq!(seed_of(1, 7), SEVENTH);
    let mut seeds: Vec<u64> =
        (0..100).flat_map(|run| (0..100).map(move |index| seed_of(run, index))).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 10_000);
}

const SEVENTH: u64 = 0x74ad_4c24_d41a_25f8;

/// FNV-1a, which needs no library and never changes.
fn fnv(start: u64, text: &str) -> u64 {
    text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
