//! What the server keeps of a game, and the lines of its logs.

use std::fmt;
use std::time::Duration;

use regulus_automaton::Player;
use regulus_engine::{Move, Step, notation};
use regulus_game::{Match, Over};

/// Names are found for all moves of a position together; where there are more, that would take longer than playing.
const MOST_NAMED: usize = 5_000;

/// A game that was served.
#[derive(Clone, Debug)]
pub struct ServedGame {
    /// The moves of the players; the keeper's are not part of the protocol.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    pub ending: Ending,
    /// How long it lasted.
    pub time: Duration,
    /// How many legal moves there were in all its positions together; `None` if there were too many to count.
    pub choices: Option<u64>,
    /// For each player, how many moves came after the deadline.
    pub late_moves: Vec<u32>,
    /// For each player, whether `ready` came after the time to prepare.
    pub late_ready: Vec<bool>,
}

/// A move of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The player.
    pub player: Player,
    /// The move.
    pub steps: Move,
    /// Its name for people.
    pub name: String,
}

impl PlayedMove {
    /// The move as it is on the wire.
    #[must_use]
    pub fn wire(&self) -> String {
        notation::exact(&self.steps.0)
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// By the rules.
    Over(Over),
    /// A client broke the protocol; its player has lost.
    Forfeit {
        /// The player who has lost.
        player: Player,
        /// The player's name for people.
        name: String,
        /// What the client did.
        misconduct: Misconduct,
    },
    /// It was too long, so it was broken off.
    BrokenOff,
}

/// What a client can do to lose its game at once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misconduct {
    /// It closed the connection.
    Left,
    /// It sent a message longer than any move.
    TooLong,
    /// It sent several messages when it was not its turn.
    OutOfTurn,
    /// It answered something else than `ready`.
    BadReady(String),
    /// It sent something that is no move.
    Garbage(String),
    /// It sent a move that is not legal.
    Illegal(String),
    /// It did not answer, long after the deadline.
    Silent,
    /// It did not read what it was sent.
    Deaf,
}

impl ServedGame {
    /// The line of this game in a log of results, as the original manager writes it: seconds, moves, choices, the players'
    /// scores, and who was late. `None` if the game did not end by the rules; such games are not in the log.
    ///
    /// # Examples
    ///
    /// ```text
    /// 0.0412 61 1684 100 0
    /// 21.5 58 1502 0 100 timeouts=0,2(lateready)
    /// ```
    #[must_use]
    pub fn log_line(&self) -> Option<String> {
        let Ending::Over(over) = &self.ending else { return None };
        let time = significant(self.time.as_secs_f64());
        let mut line = format!("{time} {} {}", self.moves.len(), self.choices.unwrap_or(0));
        for score in &over.scores {
            line += &format!(" {score}");
        }
        if self.late_moves.iter().any(|&late| late > 0) || self.late_ready.contains(&true) {
            let late = self.late_moves.iter().zip(&self.late_ready);
            let late = late.map(|(moves, &ready)| {
                format!("{moves}{}", if ready { "(lateready)" } else { "" })
            });
            line += &format!(" timeouts={}", late.collect::<Vec<_>>().join(","));
        }
        Some(line)
    }
}

impl Misconduct {
    /// A stable name for programs.
    #[must_use]
    pub fn id(&self) -> &'static str {
        match self {
            Misconduct::Left => "left",
            Misconduct::TooLong => "too-long",
            Misconduct::OutOfTurn => "out-of-turn",
            Misconduct::BadReady(_) => "bad-ready",
            Misconduct::Garbage(_) => "garbage",
            Misconduct::Illegal(_) => "illegal",
            Misconduct::Silent => "silent",
            Misconduct::Deaf => "deaf",
        }
    }
}

impl fmt::Display for Misconduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misconduct::Left => f.write_str("it closed the connection"),
            Misconduct::TooLong => f.write_str("it sent a message that is longer than any move"),
            Misconduct::OutOfTurn => f.write_str("it sent messages when it was not its turn"),
            Misconduct::BadReady(what) => write!(f, "it answered `{what}` instead of `ready`"),
            Misconduct::Garbage(what) => write!(f, "it sent `{what}`, which is no move"),
            Misconduct::Illegal(what) => write!(f, "it sent the illegal move `{what}`"),
            Misconduct::Silent => f.write_str("it did not answer long after the deadline"),
            Misconduct::Deaf => f.write_str("it did not read what it was sent"),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Over(over) => over.fmt(f),
            Ending::Forfeit { name, misconduct, .. } => write!(f, "{name} loses: {misconduct}"),
            Ending::BrokenOff => f.write_str("broken off: the game is too long"),
        }
    }
}

/// The name of a legal move for people, or its exact spelling where there are too many moves to name them all.
pub(crate) fn name(play: &Match, steps: &[Step]) -> String {
    let moves = play.moves().ok().filter(|moves| moves.len() <= MOST_NAMED);
    let index = moves.and_then(|moves| moves.find(steps));
    let name = index.and_then(|index| play.names().ok()?.get(index).cloned());
    name.unwrap_or_else(|| notation::exact(steps))
}

/// A number as C++ streams write it: six significant digits, without zeros at the end.
fn significant(value: f64) -> String {
    const DIGITS: i32 = 6;
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let scientific = format!("{value:.*e}", DIGITS as usize - 1);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
            .to_owned()
    };
    if (-4..DIGITS).contains(&exponent) {
        trimmed(&format!("{value:.*}", (DIGITS - 1 - exponent) as usize))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_by_streams() {
        let values = [0.0, 1.0, 0.041_234_56, 0.000_123_456_78, 0.000_012_3, 12.5, 123_456.7, 1e6];
        let written = ["0", "1", "0.0412346", "0.000123457", "1.23e-05", "12.5", "123457", "1e+06"];
        assert_eq!(values.map(significant), written);
        assert_eq!(significant(999_999.7), "1e+06");
    }
}
