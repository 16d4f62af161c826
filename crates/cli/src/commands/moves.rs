//! `regulus moves`: the legal moves of a position.

use regulus_engine::{Rules as _, notation};
use serde_json::json;

use crate::args;
use crate::draw;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};
use crate::position::Position;

pub(crate) fn run(loader: &Loader, args: &args::Position) -> Result<(), Failure> {
    let loaded = loader.load(&args.game)?;
    let position = Position::after(&loaded, &args.moves, args.random, args.seed)?;
    let automaton = position.rules.automaton();
    if loader.json {
        let player = position.player().map(|player| &automaton.players[player]);
        // Written as they come: there may be millions.
        say_raw!("{{\"player\":{},\"moves\":[", json!(player));
        for (index, (name, steps)) in position.names.iter().zip(position.moves.iter()).enumerate() {
            let comma = if index > 0 { "," } else { "" };
            say_raw!("{comma}{}", json!({ "name": name, "exact": notation::exact(steps) }));
        }
        say!("]}}");
        return Ok(());
    }
    match position.player() {
        None => say!("the game is over"),
        Some(player) => {
            let count = position.names.len();
            let moves = if count == 1 { "move" } else { "moves" };
            say!("{} has {count} {moves}:", draw::player(automaton, player, loader.colour));
            say_raw!("{}", in_columns(&position.names));
        }
    }
    Ok(())
}

/// Names side by side, as many as fit the terminal.
pub(crate) fn in_columns(names: &[String]) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 2;
    let terminal =
        console::Term::stdout().size_checked().map_or(100, |(_, columns)| columns.into());
    let per_line = (terminal / width).max(1);
    let lines = names.chunks(per_line).map(|chunk| {
        let line: String = chunk.iter().map(|name| format!("{name:width$}")).collect();
        format!("{}\n", line.trim_end())
    });
    lines.collect()
}
