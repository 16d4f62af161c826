//! `metrics.jsonl`: what every iteration has brought, a line for each.
//!
//! The lines are the truth about a run: an iteration is done when its line is there. What is told and drawn of an iteration is read from its
//! line, so that a run that was interrupted tells the same.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::time::Duration;

use regulus_arena::Score;
use serde_json::{Value, json};

use crate::error::TrainError;
use crate::folder::RunFolder;

/// What an iteration has brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Its number, from 1.
    pub number: u64,
    /// How many games were played.
    pub games: u64,
    /// How many positions there are of them.
    pub positions: u64,
    /// The mean number of moves of a game.
    pub length: f64,
    /// The part of the points that the first player got.
    pub first: f64,
    /// The mean error of the net on the positions it was learning from.
    pub loss: f64,
    /// How strong the net is against fixed opponents; empty if it was not measured.
    pub strength: Vec<Strength>,
    /// How strong the net is against the best one before; `None` if they were not compared.
    pub gate: Option<Strength>,
    /// The number of the iteration with the best net so far.
    pub best: u64,
    /// How long playing, learning and measuring took; 0 for what another process had done.
    pub time: [Duration; 3],
}

/// The score of a net against an opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct Strength {
    /// The opponent: a player as users write it, or `net-0004` for the net of the fourth iteration.
    pub against: String,
    /// The points of the net.
    pub score: Score,
}

impl Strength {
    /// The opponent without its options.
    #[must_use]
    pub fn opponent(&self) -> &str {
        self.against.split('?').next().unwrap_or_default()
    }

    fn json(&self) -> Value {
        let Score { wins, draws, losses, .. } = self.score;
        let (low, high) = self.score.interval();
        json!({
            "against": self.against, "won": wins, "drawn": draws, "lost": losses,
            "mean": rounded(self.score.mean()), "interval": [rounded(low), rounded(high)],
        })
    }

    fn read(value: &Value) -> Option<Strength> {
        let mut score = Score::default();
        for (name, points) in [("won", 1.0), ("drawn", 0.5), ("lost", 0.0)] {
            // No measurement has more games.
            let count = value[name].as_u64().filter(|count| *count <= 1 << 20)?;
            (0..count).for_each(|_| score.add(points));
        }
        Some(Strength { against: value["against"].as_str()?.to_owned(), score })
    }
}

/// A number as lines have it: what lies behind the sixth place says nothing.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

impl Iteration {
    /// It as data for programs, without what depends on the machine.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut value = json!({
            "iteration": self.number, "games": self.games, "positions": self.positions,
            "length": rounded(self.length), "first": rounded(self.first), "loss": rounded(self.loss),
            "best": self.best,
        });
        if !self.strength.is_empty() {
            value["strength"] = self.strength.iter().map(Strength::json).collect();
        }
        if let Some(gate) = &self.gate {
            value["gate"] = gate.json();
        }
        value
    }

    fn read(line: &str) -> Option<Iteration> {
        let value: Value = serde_json::from_str(line).ok()?;
        let strength = match value.get("strength") {
            Some(strength) => {
                strength.as_array()?.iter().map(Strength::read).collect::<Option<_>>()?
            }
            None => Vec::new(),
        };
        let gate = match value.get("gate") {
            Some(gate) => Some(Strength::read(gate)?),
            None => None,
        };
        Some(Iteration {
            number: value["iteration"].as_u64()?,
            games: value["games"].as_u64()?,
            positions: value["positions"].as_u64()?,
            length: value["length"].as_f64()?,
            first: value["first"].as_f64()?,
            loss: value["loss"].as_f64()?,
            strength,
            gate,
            best: value["best"].as_u64()?,
            time: [Duration::ZERO; 3],
        })
    }
}

/// All iterations of a run so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metrics {
    text: String,
    iterations: Vec<Iteration>,
}

impl Metrics {
    /// Reads those of a folder; none if there are none yet.
    pub(crate) fn read(folder: &RunFolder) -> Result<Metrics, TrainError> {
        let path = folder.metrics();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(TrainError::File(path, error)),
        };
        let mut metrics = Metrics::default();
        for line in text.lines() {
            let number = metrics.done() + 1;
            let read = Iteration::read(line);
            let fits =
                |read: &Iteration| read.number == number && (1..=number).contains(&read.best);
            let Some(read) = read.filter(fits) else {
                let problem = format!(
                    "line {number} is not what a run has written; if it is the last one, remove it, and the iteration is made again"
                );
                return Err(TrainError::Folder(path, problem));
            };
            metrics.iterations.push(read);
        }
        metrics.text = text;
        Ok(metrics)
    }

    /// Adds an iteration; returns it as it was written.
    pub(crate) fn add(&mut self, iteration: &Iteration) -> Iteration {
        let line = iteration.json().to_string();
        let written = Iteration::read(&line).unwrap_or_else(|| iteration.clone());
        let _ = writeln!(self.text, "{line}");
        self.iterations.push(written.clone());
        Iteration { time: iteration.time, ..written }
    }

    pub(crate) fn write(&self, folder: &RunFolder) -> Result<(), TrainError> {
        folder.write_bytes(&folder.metrics(), self.text.as_bytes())
    }

    /// How many iterations are done.
    pub(crate) fn done(&self) -> u64 {
        self.iterations.len() as u64
    }

    pub(crate) fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// The iteration with the best net so far.
    pub(crate) fn best(&self) -> Option<u64> {
        self.iterations.last().map(|last| last.best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let mut score = Score::default();
        [1.0, 0.5, 0.0, 1.0].into_iter().for_each(|points| score.add(points));
        let iteration = Iteration {
            number: 1,
            games: 3,
            positions: 70,
            length: 70.0 / 3.0,
            first: 2.0 / 3.0,
            loss: 0.1234567,
            strength: vec![Strength { against: "uct?iterations=5".to_owned(), score }],
            gate: Some(Strength { against: "net-0004".to_owned(), score }),
            best: 1,
            time: [Duration::from_secs(1); 3],
        };
        let mut metrics = Metrics::default();
        let told = metrics.add(&iteration);
        assert_eq!((told.length, told.loss, told.time), (23.333333, 0.123457, iteration.time));
        assert_eq!(told.strength, iteration.strength);
        assert_eq!(told.strength[0].opponent(), "uct");
        let again = Iteration::read(metrics.text.trim_end()).expect("it was written");
        assert_eq!(again.json(), told.json());
        assert_eq!(again, metrics.iterations[0]);
    }
}
