//! What a player has found, for people and programs.

use std::time::Duration;

use regulus_automaton::{Id as _, Player};
use regulus_engine::Move;
use regulus_game::{Error, Match};

/// What a player has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What each player can expect, from 0 (loses) to 1 (wins); empty if the player does not know.
    pub values: Vec<f64>,
    /// In how many moves of all players the game ends when `values` are certain; `None` if they are not, or it does not know.
    pub ends_in: Option<u32>,
    /// The moves that it expects, its own first.
    pub line: Vec<Move>,
    /// What it thinks of legal moves, the best first; empty if it does not compare them.
    pub candidates: Vec<Candidate>,
    /// How many moves it has looked ahead.
    pub depth: u32,
    /// Random games of Monte-Carlo players, positions of other searches.
    pub iterations: u64,
    /// How long it has thought.
    pub time: Duration,
}

impl Report {
    /// Iterations in a second; `None` if no time has passed.
    #[must_use]
    pub fn speed(&self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        (seconds > 0.0).then(|| self.iterations as f64 / seconds)
    }
}

impl Report {
    /// The names of the first moves of the line, at most `most`, from the position of a play that the report is about.
    ///
    /// # Errors
    ///
    /// If the line is not legal there, or the rules fault.
    pub fn line_names(&self, play: &Match, most: usize) -> Result<Vec<String>, Error> {
        let mut play = play.from_here();
        let mut names = Vec::new();
        for steps in self.line.iter().take(most) {
            names.push(play.written(&steps.0)?);
            play.play(&steps.0)?;
        }
        Ok(names)
    }
}

/// How often reports are made.
pub(crate) const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// What each player can expect if one expects `value`: the others share the rest, since only its sum is known.
pub(crate) fn shared(value: f64, player: Player, players: usize) -> Vec<f64> {
    let others = (players.max(2) - 1) as f64;
    let mut values = vec![(1.0 - value) / others; players];
    values[player.index()] = value;
    values
}

/// What a player thinks of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub steps: Move,
    /// How often it was tried; how many positions were looked at after it.
    pub visits: u64,
    /// What the player to move can expect of it, from 0 to 1.
    pub value: f64,
    /// Whether `value` is only known not to be higher: the move was left when it was clear that another is better.
    pub is_bound: bool,
}
