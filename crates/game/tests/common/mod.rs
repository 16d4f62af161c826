//! What the tests share.

#![allow(dead_code, reason = "not every test uses everything")]

use std::sync::Arc;

use regulus_engine::{Generator, generator};
use regulus_game::{Config, EngineKind, Game, Match, bundled};

/// All bundled games with an engine.
pub(crate) fn games(engine: EngineKind) -> Vec<(&'static str, Arc<Game>)> {
    let config = Config { engine, ..Config::default() };
    let load = |name| (name, Game::load(name, &config).expect("bundled games are well-formed"));
    let games: Vec<_> = bundled::names().map(load).collect();
    assert!(games.len() >= 42, "the games are there");
    games
}

/// Plays random games until `visit` has seen `count` positions, those at the end included.
pub(crate) fn random_positions(
    game: &Arc<Game>,
    seed: u64,
    count: usize,
    mut visit: impl FnMut(&Match, &mut Generator),
) {
    let mut random = generator(seed);
    let mut seen = 0;
    while seen < count {
        let mut play = Match::new(game).expect("the game begins");
        loop {
            visit(&play, &mut random);
            seen += 1;
            if seen == count || !play.play_random(&mut random).expect("no fault") {
                break;
            }
        }
    }
}

/// A number from the environment.
pub(crate) fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}
