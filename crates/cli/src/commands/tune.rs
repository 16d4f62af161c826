//! `regulus tune`: which player plays games best, as a table that `auto` uses.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use regulus_agents::{PlayerChoice, Stop, Tuning};
use regulus_game::{Game, bundled};
use serde_json::json;

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, write_file};
use crate::progress::Progress;

/// The first lines of a table.
const HEAD: [&str; 2] = [
    "# Which player plays each bundled game best; `regulus tune` makes this table.",
    "# fingerprint game player points games beaten",
];

pub(crate) fn run(loader: &Loader, args: &args::Tune) -> Result<(), Failure> {
    let mut names = args.games.clone();
    if names.is_empty() {
        names = bundled::names().map(str::to_owned).collect();
    }
    let tuning = Tuning {
        games: args.matches,
        time: Duration::from_secs_f64(args.seconds),
        ..Tuning::default()
    };
    let mut progress = Progress::new("tuning", loader.json);
    for (number, name) in names.iter().enumerate() {
        progress.set(number as u64, names.len() as u64);
        let game = loader.load(name)?;
        game.rules().wait();
        let choice = tuning
            .choose(&game, &Stop::new())
            .map_err(|error| Failure::bad_input(format!("{name}: {error}")))?;
        progress.aside(|| match loader.json {
            true => say!("{}", as_json(name, &choice)),
            false => say!("{name}: {choice}"),
        });
        if let Some(path) = &args.output {
            update(path, name, &game, &choice)?;
        }
    }
    Ok(())
}

fn as_json(name: &str, choice: &PlayerChoice) -> serde_json::Value {
    let PlayerChoice { player, points, games, beaten } = choice;
    json!({ "game": name, "player": player, "points": points, "games": games, "beaten": beaten })
}

/// Puts the row of a game into a table, in the order of names; other rows stay.
fn update(path: &Path, name: &str, game: &Arc<Game>, choice: &PlayerChoice) -> Result<(), Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::bad_input(format!("{}: {error}", path.display()))),
    };
    let title = |row: &str| row.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut rows: Vec<String> = text
        .lines()
        .filter(|row| !row.starts_with('#') && title(row) != name)
        .map(str::to_owned)
        .collect();
    let PlayerChoice { player, points, games, beaten } = choice;
    // Games that are not for two have no matches.
    let beaten = if beaten.is_empty() { "-" } else { beaten };
    rows.push(format!("{:016x} {name} {player} {points} {games} {beaten}", game.fingerprint()));
    rows.sort_by_key(|row| title(row));
    let lines = HEAD.into_iter().chain(rows.iter().map(String::as_str));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    write_file(path, &text)
}
