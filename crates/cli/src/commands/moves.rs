//! `regulus moves`: the legal moves of a position.

use regulus_engine::notation;
use regulus_game::Outcome;
use serde_json::json;

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};

pub(crate) fn run(loader: &Loader, args: &args::Position) -> Result<(), Failure> {
    let play = loader.play(args)?;
    let (moves, names) = (play.moves()?, play.names()?);
    if loader.json {
        let player = play.player().map(|player| &play.game().automaton().players[player]);
        // Written as they come: there may be millions.
        say_raw!("{{\"player\":{},\"moves\":[", json!(player));
        for (index, (name, steps)) in names.iter().zip(moves.iter()).enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let mut line = json!({ "name": name, "exact": notation::exact(steps) });
            if let Some(spelling) = play.spelling(index)? {
                line["notation"] = spelling.into();
            }
            say_raw!("{comma}{line}");
        }
        say!("]}}");
        return Ok(());
    }
    match play.outcome() {
        Outcome::Over(over) => say!("the game is over: {over}"),
        Outcome::Ongoing { player, .. } => {
            let count = names.len();
            let moves = if count == 1 { "move" } else { "moves" };
            let player = loader.screen.player(play.game(), *player);
            say!("{player} has {count} {moves}:");
            let mut spellings = Vec::new();
            for index in 0..names.len() {
                spellings.extend(play.spelling(index)?);
            }
            if spellings.is_empty() {
                say_raw!("{}", in_columns(names));
            }
            let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
            for (name, spelling) in names.iter().zip(spellings) {
                say!("{name:width$}  {spelling}");
            }
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
