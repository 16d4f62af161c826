//! The position that a UCI engine and the other side talk about, and how it is told.

use std::sync::Arc;

use regulus_agents::{Report, Stop};
use regulus_automaton::{Id as _, Player};
use regulus_engine::Move;
use regulus_game::{Error, Game, Match};

use super::say;
use crate::uci::moves::MoveText;

/// How many moves of a line are shown.
const LONGEST_LINE: usize = 16;

/// The position that is talked about.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) play: Match,
    pub(super) text: Arc<MoveText>,
}

impl Table {
    /// Plays the move with this name.
    pub(super) fn advance(&mut self, name: &str) -> Result<(), String> {
        if self.play.player().is_none() {
            *self = self.revived();
        }
        match self.text.find(&self.play, name).map_err(say)? {
            Some(index) => self.play.play_index(index).map_err(say),
            None => {
                let name: String = name.chars().take(20).collect();
                Err(format!("`{name}` is not a legal move in {}", self.play.position()))
            }
        }
    }

    /// The same position in which the game goes on, if it was ended by a rule that others do not enforce: too many plies
    /// without a capture or a pawn's move, or a position for the third time.
    pub(super) fn revived(&self) -> Table {
        let revive = || -> Option<Match> {
            let last = self.play.line().last().filter(|_| self.play.player().is_none())?;
            let mut before = self.play.clone();
            before.undo();
            let fen = before.fen()?;
            let fen: Vec<&str> = fen.split_whitespace().take(4).collect();
            let mut play = Match::from_position(self.play.game(), &fen.join(" ")).ok()?;
            play.play(&last.steps.0).ok()?;
            play.player().is_some().then_some(play)
        };
        Table { play: revive().unwrap_or_else(|| self.play.clone()), text: Arc::clone(&self.text) }
    }

    /// The moves of a line, as far as they are legal.
    pub(super) fn line(&self, moves: &[Move]) -> Vec<String> {
        let mut play = self.play.clone();
        let mut names = Vec::new();
        for steps in moves.iter().take(LONGEST_LINE) {
            let Ok(Some(name)) = self.text.name(&play, &steps.0) else { break };
            names.push(name);
            if play.play(&steps.0).is_err() {
                break;
            }
        }
        names
    }

    /// What is told about a report.
    pub(super) fn info(&self, report: &Report) -> String {
        let mut info = format!("info depth {}", report.depth.max(1));
        let value = self.play.player().and_then(|player| report.values.get(player.index()));
        if let Some(value) = value {
            info += &match report.ends_in {
                // The player's own moves, and negative if it loses.
                Some(plies) if *value > 0.5 => format!(" score mate {}", plies.div_ceil(2)),
                Some(plies) if *value < 0.5 => format!(" score mate -{}", plies.div_ceil(2)),
                _ => format!(" score cp {}", centipawns(*value)),
            };
        }
        info += &format!(" nodes {}", report.iterations);
        if let Some(speed) = report.speed() {
            info += &format!(" nps {}", speed as u64);
        }
        info += &format!(" time {}", report.time.as_millis());
        let line = self.line(&report.line);
        if !line.is_empty() {
            info += &format!(" pv {}", line.join(" "));
        }
        info
    }

    /// The leaves of the tree below this position.
    pub(super) fn count(&mut self, depth: u32, stop: &Stop) -> Result<u64, Error> {
        let moves = self.play.moves()?.len();
        if depth <= 1 || stop.is_stopped() {
            return Ok(if depth == 0 { 1 } else { moves as u64 });
        }
        let mut leaves = 0;
        for index in 0..moves {
            self.play.play_index(index)?;
            leaves += self.count(depth - 1, stop)?;
            self.play.undo();
        }
        Ok(leaves)
    }
}

/// The position of a FEN text or of our own texts. Chess-like texts of other games, `BOARD w …`, are understood too.
pub(super) fn read_position(game: &Arc<Game>, words: &[&str]) -> Result<Match, String> {
    let mut words = words.to_vec();
    // By the rules of others a game may go on after that many plies; by ours it would be over.
    if let Some(clock) = words.get_mut(4)
        && clock.parse().is_ok_and(|plies: u32| plies >= 100)
    {
        *clock = "0";
    }
    let problem = match Match::from_position(game, &words.join(" ")) {
        Ok(play) => return Ok(play),
        Err(problem) => problem,
    };
    let players = &game.automaton().players;
    let mover = match words.get(1) {
        Some(&"w") => Player(0),
        Some(&"b") => Player(1),
        _ => return Err(say(problem)),
    };
    // Where there is real FEN, what is wrong with it must not be passed over.
    if Match::new(game).is_ok_and(|play| play.fen().is_some()) {
        return Err(say(problem));
    }
    Match::from_position(game, &format!("{} {}", words[0], players[mover]))
        .map_err(|_| say(problem))
}

/// A value from 0 to 1 as a score: the one at which an Elo difference of as many points lets expect the value.
fn centipawns(value: f64) -> i32 {
    const MOST: f64 = 10_000.0;
    let odds = value.clamp(0.0, 1.0) / (1.0 - value.clamp(0.0, 1.0));
    (400.0 * odds.log10()).clamp(-MOST, MOST).round() as i32
}
