//! `regulus replay`: a transcript, move by move.

use std::io::Read as _;

use regulus_arena::{ReplayError, Transcript};
use regulus_game::{Match, Theme};
use serde_json::{Value, json};

use crate::args;
use crate::commands::show::{outcome_json, situation};
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw, write_file};

/// The longest transcript that is read.
const MAX_BYTES: u64 = 16 << 20;

pub(crate) fn run(loader: &Loader, args: &args::Replay) -> Result<(), Failure> {
    let bad = |message: String| Failure::bad_input(format!("{}: {message}", args.file));
    let text = read_text(&args.file).map_err(|error| bad(error.to_string()))?;
    let transcript = Transcript::read(&text).map_err(|error| bad(error.to_string()))?;
    let game = loader.load(args.game.as_ref().unwrap_or(&transcript.game))?;
    let mut positions: Vec<Value> = Vec::new();
    if let Some(folder) = &args.svg {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::bad_input(format!("cannot make {}: {error}", folder.display()))
        })?;
    }
    let mut pictures: Result<(), Failure> = Ok(());
    let mut show = |play: &Match, number: usize| {
        if args.at.is_some_and(|at| at != number) {
            return Ok(());
        }
        if let Some(folder) = args.svg.as_ref().filter(|_| pictures.is_ok()) {
            let path = folder.join(format!("{number:03}.svg"));
            pictures = write_file(&path, &play.svg(Theme::Light));
        }
        let entry = number.checked_sub(1).map(|index| &transcript.moves[index]);
        if loader.json {
            let (seat, name) = (entry.map(|entry| &entry.seat), entry.map(|entry| &entry.name));
            positions.push(json!({ "number": number, "player": seat, "move": name, "position": play.position() }));
            return Ok(());
        }
        if let Some(entry) = entry {
            let value = entry.value.map_or(String::new(), |value| format!("  expects {value:.2}"));
            say!("{number}. {} {}{value}\n", entry.seat, entry.name);
        }
        say_raw!("{}", loader.screen.board(play));
        say!("{}\n", situation(play, loader.screen));
        Ok(())
    };
    let play = transcript.replay(&game, &mut show).map_err(|error| match error {
        ReplayError::Transcript(error) => bad(error.to_string()),
        ReplayError::Game(error) => error.into(),
    })?;
    pictures?;
    if loader.json {
        say!(
            "{}",
            json!({
                "game": transcript.game, "players": transcript.players, "positions": positions,
                "outcome": outcome_json(&play), "reason": transcript.reason,
            })
        );
    } else if play.player().is_some() {
        let reason = transcript.reason.as_deref().unwrap_or("the transcript ends here");
        say!("{} moves, all legal; {reason}", transcript.moves.len());
    } else {
        say!("{} moves, all legal", transcript.moves.len());
    }
    Ok(())
}

/// The text of a file or of standard input.
pub(crate) fn read_text(name: &str) -> std::io::Result<String> {
    let mut text = String::new();
    match name {
        "-" => std::io::stdin().take(MAX_BYTES).read_to_string(&mut text)?,
        name => std::fs::File::open(name)?.take(MAX_BYTES).read_to_string(&mut text)?,
    };
    Ok(text)
}
