//! Games as text that people read and programs check.
//!
//! ```text
//! regulus transcript 1
//! game: breakthrough
//! player white: uct?iterations=1000
//! player black: random
//! seed: 12
//! opening: 2
//!
//! 1. white d2-d3
//! 2. black e7-e6
//! 3. white d3-d4 {0.62 0.104}
//!
//! result: white 1, black 0
//! reason: white wins: a piece has reached the last row
//! ```
//!
//! Moves are in the notation of the game's language. Behind a move stand, in braces, what the player expected (`-` if it did
//! not say) and its time in seconds. What stands above the moves is optional but for the game; lines that begin with `//` are
//! comments.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use regulus_automaton::Id as _;
use regulus_game::{Error, Game, Match};

use crate::record::{GameRecord, PlyRecord};

const FIRST_LINE: &str = "regulus transcript 1";

/// A game as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// The game's name or file.
    pub game: String,
    /// The seats with those who sat there.
    pub players: Vec<(String, String)>,
    /// What chance arranged the pieces by.
    pub seed: Option<u64>,
    /// The position that the game began with, if it is not the usual one.
    pub position: Option<String>,
    /// How many of the moves no player chose.
    pub opening: usize,
    /// The moves, with their lines in the text.
    pub moves: Vec<TranscriptMove>,
    /// The result of each seat.
    pub results: Vec<(String, f64)>,
    /// How the game ended.
    pub reason: Option<String>,
}

/// A move of a transcript.
#[derive(Clone, Debug, PartialEq)]
pub struct TranscriptMove {
    /// Where it stands, counted from 1; 0 if it was not read from a text.
    pub line: usize,
    /// The seat that makes it.
    pub seat: String,
    /// The move.
    pub name: String,
    /// What the player expected.
    pub value: Option<f64>,
    /// How long it thought.
    pub time: Option<Duration>,
}

/// What is wrong with a transcript, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTranscript {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for BadTranscript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for BadTranscript {}

impl Transcript {
    /// The transcript of a game; `contestants` are the names of those who may have played.
    #[must_use]
    pub fn of(record: &GameRecord, contestants: &[String]) -> Transcript {
        let player = |(seat, player): (&String, &usize)| {
            (seat.clone(), contestants.get(*player).cloned().unwrap_or_default())
        };
        let written = |ply: &PlyRecord| TranscriptMove {
            line: 0,
            seat: record.seats[ply.seat].clone(),
            name: ply.name.clone(),
            value: ply.value,
            time: Some(ply.time),
        };
        Transcript {
            game: record.game.clone(),
            players: record.seats.iter().zip(&record.players).map(player).collect(),
            seed: Some(record.seed),
            position: None,
            opening: record.opening,
            moves: record.plies.iter().map(written).collect(),
            results: record.seats.iter().cloned().zip(record.results.iter().copied()).collect(),
            reason: Some(record.reason.clone()),
        }
    }

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// The first line that is wrong.
    pub fn read(text: &str) -> Result<Transcript, BadTranscript> {
        let mut transcript = Transcript::default();
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("//"));
        match lines.next() {
            Some((_, FIRST_LINE)) => {}
            other => {
                let line = other.map_or(1, |(line, _)| line);
                let message = format!("a transcript begins with `{FIRST_LINE}`");
                return Err(BadTranscript { line, message });
            }
        }
        for (line, text) in lines {
            transcript.line(line, text).map_err(|message| BadTranscript { line, message })?;
        }
        if transcript.game.is_empty() {
            let message = "the transcript does not name its game: `game: NAME`".to_owned();
            return Err(BadTranscript { line: 1, message });
        }
        Ok(transcript)
    }

    fn line(&mut self, line: usize, text: &str) -> Result<(), String> {
        if let Some((number, rest)) = text.split_once(". ")
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            let expected = self.moves.len() + 1;
            if number.parse() != Ok(expected) {
                return Err(format!("this should be move {expected}, not {number}"));
            }
            self.moves.push(read_move(line, rest)?);
            return Ok(());
        }
        let Some((key, value)) = text.split_once(':') else {
            return Err(format!(
                "`{text}` is neither a move such as `1. white d2-d3` nor `NAME: VALUE`"
            ));
        };
        let value = value.trim();
        match key.trim() {
            "game" => value.clone_into(&mut self.game),
            "seed" => self.seed = Some(whole(value)?),
            "opening" => self.opening = whole(value)? as usize,
            "position" => self.position = Some(value.to_owned()),
            "reason" => self.reason = Some(value.to_owned()),
            "result" => {
                for part in value.split(',') {
                    let (seat, points) = part.trim().rsplit_once(' ').unwrap_or((part, ""));
                    let points = points
                        .parse()
                        .map_err(|_| format!("`{part}` is not a result such as `white 1`"))?;
                    self.results.push((seat.to_owned(), points));
                }
            }
            key => match key.strip_prefix("player ") {
                Some(seat) => self.players.push((seat.trim().to_owned(), value.to_owned())),
                None => {
                    return Err(format!(
                        "`{key}` means nothing here; there are game, player NAME, seed, position, opening, result and reason"
                    ));
                }
            },
        }
        Ok(())
    }

    /// Plays the moves, and shows the play before the first move and after each, with the number of the move. Returns the play
    /// at its end.
    ///
    /// # Errors
    ///
    /// The first move that is not legal, with its line and what was legal.
    pub fn replay(
        &self,
        game: &Arc<Game>,
        show: &mut dyn FnMut(&Match, usize) -> Result<(), Error>,
    ) -> Result<Match, ReplayError> {
        let play = match (&self.position, self.seed) {
            (Some(position), _) => Match::from_position(game, position),
            (None, Some(seed)) => Match::seeded(game, seed),
            (None, None) => Match::new(game),
        };
        let mut play = play.map_err(ReplayError::Game)?;
        show(&play, 0).map_err(ReplayError::Game)?;
        for (index, entry) in self.moves.iter().enumerate() {
            let bad = |message: String| {
                ReplayError::Transcript(BadTranscript { line: entry.line, message })
            };
            let Some(player) = play.player() else {
                let outcome = play.outcome();
                return Err(bad(format!("the game is over before this move ({outcome})")));
            };
            let seat = &game.automaton().looks.players[player].name;
            if *seat != entry.seat {
                return Err(bad(format!("it is {seat}'s turn, not that of `{}`", entry.seat)));
            }
            play.play_named(&entry.name).map_err(|error| bad(error.to_string()))?;
            show(&play, index + 1).map_err(ReplayError::Game)?;
        }
        // A game that the rules have ended must have ended as the transcript says.
        if let Some(over) = play.outcome().over() {
            for (seat, points) in &self.results {
                let players = &game.automaton().looks.players;
                let found = players.iter().find(|(_, look)| look.name == *seat);
                let result = found.map(|(player, _)| over.results[player.index()]);
                if result != Some(*points) {
                    let message = match result {
                        Some(result) => format!("the result of {seat} is {result}, not {points}"),
                        None => format!("there is no player `{seat}`"),
                    };
                    let line = self.moves.last().map_or(1, |entry| entry.line);
                    return Err(ReplayError::Transcript(BadTranscript { line, message }));
                }
            }
        }
        Ok(play)
    }
}

/// Why a transcript cannot be replayed.
#[derive(Clone, Debug)]
pub enum ReplayError {
    /// The transcript is wrong.
    Transcript(BadTranscript),
    /// The game cannot be played.
    Game(Error),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Transcript(error) => error.fmt(f),
            ReplayError::Game(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReplayError {}

fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a whole number"))
}

fn read_move(line: usize, text: &str) -> Result<TranscriptMove, String> {
    let (text, note) = match text.rsplit_once(" {") {
        Some((before, note)) if note.ends_with('}') => (before, Some(&note[..note.len() - 1])),
        _ => (text, None),
    };
    let Some((seat, name)) = text.split_once(' ') else {
        return Err(format!("`{text}` is not a move such as `white d2-d3`"));
    };
    let (mut value, mut time) = (None, None);
    if let Some(note) = note {
        let (first, second) = note.split_once(' ').unwrap_or((note, ""));
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        value = number(first);
        time = number(second).filter(|time| (0.0..1e9).contains(time)).map(Duration::from_secs_f64);
    }
    Ok(TranscriptMove { line, seat: seat.to_owned(), name: name.trim().to_owned(), value, time })
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}")?;
        writeln!(f, "game: {}", self.game)?;
        for (seat, player) in &self.players {
            writeln!(f, "player {seat}: {player}")?;
        }
        if let Some(seed) = self.seed {
            writeln!(f, "seed: {seed}")?;
        }
        if let Some(position) = &self.position {
            writeln!(f, "position: {position}")?;
        }
        if self.opening > 0 {
            writeln!(f, "opening: {}", self.opening)?;
        }
        writeln!(f)?;
        for (index, entry) in self.moves.iter().enumerate() {
            write!(f, "{}. {} {}", index + 1, entry.seat, entry.name)?;
            if let Some(time) = entry.time.filter(|_| index >= self.opening) {
                let value = entry.value.map_or("-".to_owned(), |value| format!("{value:.3}"));
                write!(f, " {{{value} {:.3}}}", time.as_secs_f64())?;
            }
            writeln!(f)?;
        }
        if !self.results.is_empty() {
            let part = |(seat, points): &(String, f64)| format!("{seat} {points}");
            let parts: Vec<String> = self.results.iter().map(part).collect();
            writeln!(f, "\nresult: {}", parts.join(", "))?;
        }
        if let Some(reason) = &self.reason {
            writeln!(f, "reason: {reason}")?;
        }
        Ok(())
    }
}
