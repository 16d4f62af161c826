//! What every player can do.

use std::fmt;

use regulus_automaton::Player;
use regulus_engine::{Move, MoveList};
use regulus_game::{Error, Match};

use crate::budget::{Budget, Stop};
use crate::report::Report;

/// A player of a game with any number of players. It plays for the player to move, and may remember what it thought about
/// earlier positions of the same play.
pub trait Agent: fmt::Debug + Send {
    /// Chooses a move for the player to move.
    ///
    /// # Errors
    ///
    /// If the rules fault, the game is over, or the agent fails in a way that loses the game.
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError>;

    /// Gets ready for the first move, which may take seconds. [`Agent::think`] does so by itself if it was not done before, and
    /// does not count it as thinking.
    fn prepare(&mut self) {}

    /// Whether nothing is left to be prepared, so that [`Agent::think`] begins at once.
    fn is_prepared(&self) -> bool {
        true
    }

    /// Forgets everything about earlier positions, since another game begins.
    fn forget(&mut self) {}

    /// How it plays this game and why, in a few words for people; `None` if there is nothing to say, or not yet.
    fn about(&self) -> Option<String> {
        None
    }
}

/// What an agent is asked for.
pub struct Task<'a> {
    /// How long to think.
    pub budget: Budget,
    /// Ends thinking early.
    pub stop: Stop,
    /// Think even if there is only one legal move.
    pub is_analysis: bool,
    /// Is shown what was found, several times a second, on the caller's thread.
    pub watch: Option<&'a mut dyn FnMut(&Report)>,
}

impl Task<'_> {
    /// A move within a budget, without reports on the way.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Task { budget, stop: Stop::new(), is_analysis: false, watch: None }
    }
}

impl fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("budget", &self.budget).finish_non_exhaustive()
    }
}

/// A chosen move, and what it rests on.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move.
    pub steps: Move,
    /// What was found.
    pub report: Report,
}

/// Why an agent has no move.
#[derive(Clone, Debug)]
pub enum AgentError {
    /// The rules fault, or there is no legal move.
    Game(Error),
    /// The agent has failed and loses the game: what it did.
    Forfeit(String),
}

impl From<Error> for AgentError {
    fn from(error: Error) -> AgentError {
        AgentError::Game(error)
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentError::Game(error) => error.fmt(f),
            AgentError::Forfeit(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for AgentError {}

/// The player to move and the legal moves.
pub(crate) fn choices(play: &Match) -> Result<(Player, &MoveList), AgentError> {
    match play.player() {
        Some(player) => Ok((player, play.moves()?)),
        None => Err(AgentError::Forfeit("the game is over".to_owned())),
    }
}
