//! Which player plays a game best: by matches between the candidates, or from a table that was made so for the bundled games.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use regulus_automaton::{Id as _, Player};
use regulus_engine::generator;
use regulus_game::{Game, Match};

use crate::agent::{Agent, AgentError, Task};
use crate::budget::{Budget, Clock, Stop};
use crate::evaluation::can_be_learnt;
use crate::net::has_shipped;
use crate::spec::{BadSpec, PlayerSpec};

/// The player of games that are not for two.
const FOR_OTHERS: &str = "mcts";

/// Further candidates where a net is shipped for the game.
const WITH_NETS: [&str; 2] = ["alphabeta?evaluation=net", "alphabeta?evaluation=net&settling=0"];

/// How many random moves a game begins with.
const OPENING: u64 = 2;

/// How candidates are compared: each plays a match against the best one of those before.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use regulus_agents::{Stop, Tuning};
/// use regulus_game::{Config, Game};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let tuning = Tuning { games: 4, time: Duration::from_millis(1), learning: 0, ..Tuning::default() };
/// let choice = tuning.choose(&game, &Stop::new())?;
/// assert!(Tuning::default().players.contains(&choice.player.as_str()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The candidates, the usual one first.
    pub players: &'static [&'static str],
    /// How many games are played between two candidates, at most: a match ends when the rest cannot change it.
    pub games: u64,
    /// What part of the points a candidate needs to replace one that stands before it.
    pub enough: f64,
    /// How long a player thinks about a move.
    pub time: Duration,
    /// After how many moves a game is a draw.
    pub longest: u64,
    /// How long a match may take; games that are not over by then do not count.
    pub most: Option<Duration>,
    /// The players' option of this name.
    pub learning: u32,
}

impl Default for Tuning {
    /// What the table of the bundled games is made with.
    fn default() -> Tuning {
        Tuning {
            players: &["alphabeta", "alphabeta?settling=0", "mcts", "mcts?rave=0", "mcts?mast=1"],
            games: 20,
            enough: 0.525,
            time: Duration::from_millis(50),
            longest: 120,
            most: None,
            learning: 1,
        }
    }
}

/// The player that was found to be best at a game, and by which match.
///
/// # Examples
///
/// ```
/// use regulus_agents::PlayerChoice;
///
/// let choice = PlayerChoice {
///     player: "alphabeta".to_owned(),
///     points: 9.5,
///     games: 12,
///     beaten: "mcts".to_owned(),
/// };
/// assert_eq!(choice.to_string(), "alphabeta: it got 9.5 of 12 points against mcts");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerChoice {
    /// The player, as a [`PlayerSpec`] is written.
    pub player: String,
    /// Its points in the closest of its matches.
    pub points: f64,
    /// How many games that match had; 0 if there was none.
    pub games: u64,
    /// Against whom it was.
    pub beaten: String,
}

impl fmt::Display for PlayerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlayerChoice { player, points, games, beaten } = self;
        match games {
            0 => write!(f, "{player}: players were not compared"),
            _ => write!(f, "{player}: it got {points} of {games} points against {beaten}"),
        }
    }
}

/// The table of the bundled games: fingerprint, name, player, points, games, who was beaten.
const TABLE: &str = include_str!("tuned.txt");

/// What the table says about a game; `None` if it is not there.
pub(crate) fn tuned(game: &Game) -> Option<PlayerChoice> {
    let key = format!("{:016x} ", game.fingerprint());
    let row = TABLE.lines().find(|line| line.starts_with(&key))?;
    let words: Vec<&str> = row.split(' ').collect();
    let &[_, _, player, points, games, beaten] = words.as_slice() else { return None };
    Some(PlayerChoice {
        player: player.to_owned(),
        points: points.parse().ok()?,
        games: games.parse().ok()?,
        beaten: beaten.to_owned(),
    })
}

impl Tuning {
    /// Lets the candidates play; returns the one that is left. They are not compared at games for other than two players, nor at such
    /// as are too large to learn.
    ///
    /// # Errors
    ///
    /// If the rules fault, or if it was stopped.
    pub fn choose(&self, game: &Arc<Game>, stop: &Stop) -> Result<PlayerChoice, AgentError> {
        let choice = |player: &str, points, games, beaten: &str| PlayerChoice {
            player: player.to_owned(),
            points,
            games,
            beaten: beaten.to_owned(),
        };
        if game.player_count() != 2 || !can_be_learnt(game) {
            return Ok(choice(FOR_OTHERS, 0.0, 0, ""));
        }
        let mut best = choice(self.players.first().unwrap_or(&FOR_OTHERS), 0.0, 0, "");
        let with_nets = WITH_NETS.iter().filter(|_| has_shipped(game));
        for other in self.players.iter().skip(1).chain(with_nets) {
            let (points, games) = self.compare(game, [other, &best.player], stop)?;
            if games == 0 {
                continue;
            }
            let lost = games as f64 - points;
            if points >= self.enough * self.games as f64 {
                best = choice(other, points, games, &best.player);
            } else if best.games == 0 || lost / (games as f64) < best.points / best.games as f64 {
                best = choice(&best.player, lost, games, other);
            }
        }
        Ok(best)
    }

    /// How many points the first of two players gets, and in how many games.
    fn compare(
        &self,
        game: &Arc<Game>,
        players: [&str; 2],
        stop: &Stop,
    ) -> Result<(f64, u64), AgentError> {
        let mut agents = Vec::new();
        for player in players {
            let mut agent = with_options(player, self.learning, 1)?.create(game, 1);
            agent.prepare();
            agents.push(agent);
        }
        let time = Budget { time: self.most, ..Budget::default() };
        let clock = Clock::start(time, stop.clone());
        let (mut points, enough) = (0.0, self.enough * self.games as f64);
        for number in 0..self.games {
            agents.iter_mut().for_each(|agent| agent.forget());
            // Both players begin each opening.
            let seat = number as usize % 2;
            let Some(own) = self.play(game, &mut agents, seat, number / 2, stop, &clock)? else {
                return Ok((points, number));
            };
            points += own;
            let left = (self.games - 1 - number) as f64;
            if points >= enough || points + left < enough {
                // The rest cannot change it.
                return Ok((points, number + 1));
            }
        }
        Ok((points, self.games))
    }

    /// Plays a game; returns the points of the first agent, who is the player with number `seat`, or `None` if the time is over.
    fn play(
        &self,
        game: &Arc<Game>,
        agents: &mut [Box<dyn Agent>],
        seat: usize,
        opening: u64,
        stop: &Stop,
        clock: &Clock,
    ) -> Result<Option<f64>, AgentError> {
        let mut play = Match::seeded(game, opening)?;
        let mut random = generator(opening + 1);
        for _ in 0..OPENING {
            if !play.play_random(&mut random)? {
                break;
            }
        }
        for _ in 0..self.longest {
            let Some(player) = play.player() else { break };
            if play.moves()?.is_empty() {
                break;
            }
            if stop.is_stopped() {
                return Err(AgentError::Forfeit("it was stopped".to_owned()));
            }
            if clock.is_late() {
                return Ok(None);
            }
            let agent = &mut agents[(player.index() + seat) % 2];
            let mut task = Task { stop: stop.clone(), ..Task::new(Budget::time(self.time)) };
            let thought = agent.think(&play, &mut task)?;
            play.play(&thought.steps.0)?;
        }
        let result = |seat: usize| game.result(play.state(), Player::from_index(seat % 2));
        if play.outcome().over().is_none() {
            return Ok(Some(0.5));
        }
        Ok(Some((1.0 + result(seat) - result(seat + 1)) / 2.0))
    }
}

/// A candidate with this learning and this number of threads, where it has such options.
pub(crate) fn with_options(
    player: &str,
    learning: u32,
    threads: usize,
) -> Result<PlayerSpec, AgentError> {
    let failed = |error: BadSpec| AgentError::Forfeit(error.to_string());
    let spec: PlayerSpec = player.parse().map_err(failed)?;
    Ok(spec.or("learning", f64::from(learning)).or("threads", threads as f64))
}

#[cfg(test)]
mod tests {
    use regulus_game::{Config, EngineKind, bundled};

    use super::*;

    #[test]
    fn every_row_of_the_table_is_a_bundled_game_with_a_player() {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        let rows: Vec<&str> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
        for row in &rows {
            let name = row.split(' ').nth(1).expect("a name");
            assert!(bundled::names().any(|known| known == name), "{name} is not bundled");
            let game = Game::load(name, &config).expect("it is bundled");
            let choice =
                tuned(&game).unwrap_or_else(|| panic!("{name} has changed: tune it again"));
            assert!(choice.player.parse::<PlayerSpec>().is_ok(), "{row}");
        }
    }
}
