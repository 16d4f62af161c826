//! What `go` asks for, and how long that is.

use std::time::Duration;

use regulus_agents::Budget;
use regulus_automaton::{Id as _, Player};

/// How many moves a clock has to last for if nothing is said.
const MOVES_TO_GO: u32 = 25;

/// A search to a depth takes so long for each move of it at most, since some players do not search to a depth.
const TIME_PER_DEPTH: Duration = Duration::from_secs(1);

/// What `go` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Go {
    movetime: Option<u64>,
    /// What the clocks show, and what they gain by a move, in milliseconds.
    clocks: [Option<u64>; 2],
    gains: [u64; 2],
    moves_to_go: Option<u32>,
    nodes: Option<u64>,
    depth: Option<u32>,
    pub(crate) is_infinite: bool,
    pub(crate) is_ponder: bool,
    pub(crate) perft: Option<u32>,
}

impl Go {
    /// Reads the words behind `go`; what is not understood is left out, and the first of it told.
    pub(crate) fn parse(words: &[&str]) -> (Go, Option<String>) {
        let (mut go, mut problem) = (Go::default(), None);
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.is_infinite = true,
                "ponder" => go.is_ponder = true,
                "movetime" | "wtime" | "btime" | "winc" | "binc" | "movestogo" | "nodes"
                | "depth" | "perft" => {
                    let number: Option<i64> = words.peek().and_then(|word| word.parse().ok());
                    match number {
                        // A clock may have run out: it shows a negative time.
                        Some(number) => {
                            words.next();
                            go.set(word, number.max(0).unsigned_abs());
                        }
                        None => {
                            problem.get_or_insert(format!("`{word}` needs a number"));
                        }
                    }
                }
                other => {
                    let other: String = other.chars().take(20).collect();
                    problem.get_or_insert(format!("`go` does not know `{other}`"));
                }
            }
        }
        (go, problem)
    }

    fn set(&mut self, name: &str, number: u64) {
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        match name {
            "movetime" => self.movetime = Some(number),
            "wtime" => self.clocks[0] = Some(number),
            "btime" => self.clocks[1] = Some(number),
            "winc" => self.gains[0] = number,
            "binc" => self.gains[1] = number,
            "movestogo" => self.moves_to_go = Some(small),
            "nodes" => self.nodes = Some(number.max(1)),
            "depth" => self.depth = Some(small),
            _ => self.perft = Some(small),
        }
    }

    /// Whether the move is told only when it is asked for.
    pub(crate) fn waits(&self) -> bool {
        self.is_infinite || self.is_ponder
    }

    /// The budget while the time does not run.
    pub(crate) fn endless(&self) -> Budget {
        Budget { time: None, iterations: self.nodes, depth: self.depth }
    }

    /// The budget of the player to move. Without any limit thinking goes on until it is stopped.
    pub(crate) fn budget(&self, mover: Option<Player>, overhead: Duration) -> Budget {
        let mut budget = self.endless();
        if self.is_infinite {
            return budget;
        }
        let mover = mover.map_or(0, |player| player.index().min(1));
        let (clock, gain) = (self.clocks[mover], self.gains[mover]);
        budget.time = match (self.movetime, clock) {
            (Some(time), _) => Some(Duration::from_millis(time)),
            (None, Some(left)) => Some(self.share(left, gain, overhead)),
            (None, None) => {
                let depth = self.depth.filter(|_| self.nodes.is_none());
                depth.map(|depth| TIME_PER_DEPTH.saturating_mul(depth.max(1)))
            }
        };
        budget.time = budget.time.map(|time| time.clamp(LEAST, MOST));
        budget
    }

    /// The part of a clock's time for one move.
    fn share(&self, left: u64, gain: u64, overhead: Duration) -> Duration {
        let (left, gain) =
            (Duration::from_millis(left.min(DAY)), Duration::from_millis(gain.min(DAY)));
        let moves = self.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, 200);
        let share = left / moves + gain * 3 / 4;
        // Something always stays on the clock.
        share.min((left * 9 / 10).saturating_sub(overhead)).saturating_sub(overhead / 2)
    }
}

const DAY: u64 = 86_400_000;
const LEAST: Duration = Duration::from_millis(1);
const MOST: Duration = Duration::from_millis(DAY);

#[cfg(test)]
mod tests {
    use super::*;

    fn time(words: &str, mover: u32) -> Option<u128> {
        let words: Vec<&str> = words.split(' ').collect();
        let (go, problem) = Go::parse(&words);
        assert_eq!(problem, None);
        let budget = go.budget(Some(Player(mover)), Duration::from_millis(20));
        budget.time.map(|time| time.as_millis())
    }

    #[test]
    fn clocks_are_shared_out() {
        assert_eq!(time("movetime 70", 0), Some(70));
        assert_eq!(time("wtime 25000 btime 50000 winc 100 binc 0", 0), Some(1065));
        assert_eq!(time("wtime 25000 btime 50000", 1), Some(1990));
        assert_eq!(time("wtime 1000 btime 1 movestogo 1", 0), Some(870));
        assert_eq!(time("wtime 1000 btime -5", 1), Some(1));
        assert_eq!(time("depth 3", 0), Some(3000));
        assert_eq!(time("nodes 100 depth 3", 0), None);
        assert_eq!(time("infinite movetime 5", 0), None);
        assert_eq!(time("wtime 18446744073709551", 0), Some(u128::from(DAY) / 25 - 10));
    }

    #[test]
    fn what_is_not_understood_is_left_out() {
        let (go, problem) = Go::parse(&["searchmoves", "e2e4", "nodes", "5", "depth", "x"]);
        assert_eq!(go, Go { nodes: Some(5), ..Go::default() });
        assert_eq!(problem.as_deref(), Some("`go` does not know `searchmoves`"));
    }
}
