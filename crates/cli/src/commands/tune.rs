//! `regulus tune`: which player plays games best, as a table that `auto` uses.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use regulus_agents::{PlayerChoice, Stop, Tuning, learn_evaluation};
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
        let game = loader.load_for_players(name)?;
        game.rules().wait();
        if let Some(path) = &args.weights {
            match learn_evaluation(&game, name, args.learning) {
                Some(text) => update_weights(path, name, &text)?,
                None => progress.aside(|| say!("{name}: cannot be learnt")),
            }
            continue;
        }
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

/// Puts what was learnt about a game into a file, in the order of names; that of other games stays.
fn update_weights(path: &Path, name: &str, learnt: &str) -> Result<(), Failure> {
    let text = read(path)?;
    let mut parts: Vec<&str> = text.split_inclusive("\nend\n").collect();
    let title = |part: &str| {
        let head = part.lines().next().unwrap_or_default();
        head.split(' ').nth(2).unwrap_or_default().to_owned()
    };
    parts.retain(|part| title(part) != name);
    parts.push(learnt);
    parts.sort_by_key(|part| title(part));
    write_file(path, &parts.concat())
}

/// The text of a file; nothing if there is none.
fn read(path: &Path) -> Result<String, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(Failure::bad_input(format!("{}: {error}", path.display()))),
    }
}

fn as_json(name: &str, choice: &PlayerChoice) -> serde_json::Value {
    let PlayerChoice { player, points, games, beaten } = choice;
    json!({ "game": name, "player": player, "points": points, "games": games, "beaten": beaten })
}

/// Puts the row of a game into a table, in the order of names; other rows stay.
fn update(path: &Path, name: &str, game: &Arc<Game>, choice: &PlayerChoice) -> Result<(), Failure> {
    let text = read(path)?;
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
