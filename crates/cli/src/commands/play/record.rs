//! Games in files: transcripts, which `regulus replay` reads too.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use regulus_arena::{ReplayError, Transcript, TranscriptMove};
use regulus_automaton::Player;
use regulus_game::{Game, Match};

use super::Table;
use crate::commands::replay::read_text;
use crate::failure::Failure;

/// A move that was made.
pub(super) struct Turn {
    pub(super) player: Player,
    /// The name that is shown.
    pub(super) name: String,
    /// The name in transcripts.
    pub(super) written: String,
    /// What a computer expected.
    pub(super) value: Option<f64>,
    /// How long a computer thought.
    pub(super) time: Option<Duration>,
}

/// Reads a saved game.
pub(super) fn read(file: &str) -> Result<Transcript, Failure> {
    let bad = |message: String| Failure::bad_input(format!("{file}: {message}"));
    let text = read_text(file).map_err(|error| bad(error.to_string()))?;
    Transcript::read(&text).map_err(|error| bad(error.to_string()))
}

/// Plays a saved game up to its last move.
pub(super) fn replay(
    transcript: &Transcript,
    game: &Arc<Game>,
) -> Result<(Match, Vec<Turn>), Failure> {
    let play = transcript.replay(game, &mut |_, _| Ok(())).map_err(|error| match error {
        ReplayError::Transcript(error) => Failure::bad_input(error.to_string()),
        ReplayError::Game(error) => error.into(),
    })?;
    let names = play.line_names()?;
    let turns = play.line().iter().zip(names).zip(&transcript.moves);
    let turns = turns.map(|((ply, name), entry)| Turn {
        player: ply.player,
        name,
        written: entry.name.clone(),
        value: entry.value,
        time: entry.time,
    });
    let turns = turns.collect();
    Ok((play, turns))
}

/// Writes a game; the error says why not. Files that are not games are left as they are.
pub(super) fn write(file: &str, transcript: &Transcript) -> Result<(), String> {
    if Path::new(file).exists() && read(file).is_err() {
        return Err(format!("`{file}` is there already and is not a game; choose another name."));
    }
    std::fs::write(file, transcript.to_string())
        .map_err(|error| format!("`{file}` cannot be written: {error}"))
}

impl Table<'_> {
    /// The game so far.
    pub(super) fn transcript(&self) -> Transcript {
        let game = self.play.game();
        let seats = || game.automaton().looks.players.values().map(|look| look.name.clone());
        let names = self.participants.iter().map(super::Participant::name);
        let written = |turn: &Turn| TranscriptMove {
            line: 0,
            seat: game.player_look(turn.player).name.clone(),
            name: turn.written.clone(),
            value: turn.value,
            time: turn.time,
        };
        let results = self.results();
        Transcript {
            game: self.name.clone(),
            players: seats().zip(names).collect(),
            seed: self.play.seed(),
            position: self.position.clone(),
            opening: 0,
            moves: self.turns.iter().map(written).collect(),
            results: seats().zip(results).collect(),
            reason: self
                .resignation()
                .or_else(|| self.play.outcome().over().map(|over| over.to_string())),
        }
    }

    /// The result of each player; none while the game goes on.
    pub(super) fn results(&self) -> Vec<f64> {
        match (self.resigned, self.play.outcome().over()) {
            (Some(loser), _) => {
                let players = self.play.game().automaton().players.keys();
                players.map(|player| if player == loser { 0.0 } else { 1.0 }).collect()
            }
            (None, Some(over)) => over.results.clone(),
            (None, None) => Vec::new(),
        }
    }
}
