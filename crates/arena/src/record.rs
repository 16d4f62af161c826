//! A game that was played, as it is kept.

use std::fmt;
use std::time::Duration;

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The name of the game.
    pub game: String,
    /// Its number in the contest.
    pub number: u64,
    /// What the opening, the players' dice and the arrangement of pieces were drawn from.
    pub seed: u64,
    /// The names of the seats, as the game calls its players.
    pub seats: Vec<String>,
    /// Who sat there: numbers of contestants.
    pub players: Vec<usize>,
    /// How many of the moves were the opening, which no player chose.
    pub opening: usize,
    /// The moves.
    pub plies: Vec<PlyRecord>,
    /// Each seat's result from 0 to 1; all 0.5 if the game was broken off.
    pub results: Vec<f64>,
    /// How it ended.
    pub end: End,
    /// That in words: "white wins: black is checkmated".
    pub reason: String,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyRecord {
    /// The seat that made it.
    pub seat: usize,
    /// The move in the notation of the game's language.
    pub name: String,
    /// What the player expected, from 0 to 1; `None` if it did not say.
    pub value: Option<f64>,
    /// How long it thought.
    pub time: Duration,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By the rules.
    Rules,
    /// A player oversteps its time.
    Time,
    /// A player failed: it died, hung, flooded or played an illegal move.
    Forfeit,
    /// It was broken off after too many moves.
    TooLong,
    /// The rules fault; the game does not count.
    Fault,
}

impl End {
    /// The word for it in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            End::Rules => "rules",
            End::Time => "time",
            End::Forfeit => "forfeit",
            End::TooLong => "too-long",
            End::Fault => "fault",
        }
    }

    /// The end with this word; `None` if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<End> {
        let all = [End::Rules, End::Time, End::Forfeit, End::TooLong, End::Fault];
        all.into_iter().find(|end| end.name() == name)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl GameRecord {
    /// The points of a seat: those with the best result share one.
    #[must_use]
    pub fn points(&self, seat: usize) -> f64 {
        let best = self.results.iter().copied().fold(f64::MIN, f64::max);
        let winners = self.results.iter().filter(|&&result| result == best).count();
        if self.results.get(seat) == Some(&best) { 1.0 / winners as f64 } else { 0.0 }
    }

    /// The points of a contestant, from all its seats.
    #[must_use]
    pub fn points_of(&self, contestant: usize) -> f64 {
        let seats = (0..self.players.len()).filter(|&seat| self.players[seat] == contestant);
        seats.map(|seat| self.points(seat)).sum()
    }

    /// Whether it counts.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.end != End::Fault
    }
}
