//! `regulus games`: what the binary carries.

use regulus_game::{Game, Lowered, bundled};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::load::Loader;
use crate::output::say;

pub(crate) fn run(loader: &Loader) -> Result<(), Failure> {
    if loader.json {
        let games: Result<Vec<Value>, Failure> = bundled::names().map(as_json).collect();
        say!("{}", json!({ "games": games? }));
        return Ok(());
    }
    for name in bundled::names() {
        say!("{name:28} {}", bundled::title(name));
    }
    Ok(())
}

/// A game for programs: what it is called, its language, who plays, and on what.
fn as_json(name: &str) -> Result<Value, Failure> {
    let game = Lowered::new(Game::read(name)?)?;
    let (automaton, source) = (game.automaton(), game.source());
    Ok(json!({
        "name": name,
        "title": bundled::title(name),
        "file": source.name(),
        "language": source.extension(),
        "players": automaton.players.as_slice(),
        "board": { "shape": automaton.board.shape.word(), "squares": automaton.board.squares.len() },
    }))
}
