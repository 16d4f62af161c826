//! The value of a position when both players play as well as possible, by two methods that do not depend on each other.
//!
//! Both follow the game to its ends and judge nothing. Positions that can come again and again have no end; such games cannot be
//! solved here.

mod alphabeta;
mod proof;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use regulus_automaton::Player;
use regulus_engine::Move;
use regulus_game::{Error, Match};

use crate::Budget;
use crate::budget::{Clock, Stop};

/// How a position is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveMethod {
    /// Proof-number search: goes where the fewest positions are left to be proven.
    ProofNumbers,
    /// Alpha-beta search, deeper and deeper until every line has ended.
    AlphaBeta,
}

impl SolveMethod {
    /// All methods.
    pub const ALL: [SolveMethod; 2] = [SolveMethod::ProofNumbers, SolveMethod::AlphaBeta];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SolveMethod::ProofNumbers => "proof-numbers",
            SolveMethod::AlphaBeta => "alphabeta",
        }
    }
}

impl FromStr for SolveMethod {
    type Err = String;

    fn from_str(text: &str) -> Result<SolveMethod, String> {
        let found = SolveMethod::ALL.into_iter().find(|method| method.name() == text);
        found.ok_or_else(|| {
            format!("there is no method `{text}`; there are proof-numbers and alphabeta")
        })
    }
}

/// What a position is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// What each of the two players gets, from 0 to 1.
    pub results: [f64; 2],
    /// Moves that lead to this result, as well as they are known; proof numbers know none if no player wins.
    pub line: Vec<Move>,
    /// How many positions were looked at.
    pub positions: u64,
    /// How long it took.
    pub time: Duration,
}

/// A player's moves that keep a result, played against every reply until the game is over.
///
/// # Examples
///
/// ```
/// use regulus_agents::{SolveMethod, SolveTask, replay, solve};
/// use regulus_game::{Config, Game, Match};
///
/// let play = Match::new(&Game::load("breakthrough_4x4", &Config::default())?)?;
/// let solution = solve(&play, SolveMethod::AlphaBeta, SolveTask::default())?;
/// for replay in replay(&play, &solution, SolveTask::default())? {
///     assert!(replay.holds && replay.ends > 0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Replay {
    /// Whose moves they are.
    pub player: Player,
    /// How many different positions were met.
    pub positions: u64,
    /// How often the game ended.
    pub ends: u64,
    /// Whether the player got the result at every end.
    pub holds: bool,
}

/// Plays the moves that lead to a solution against every reply: those of the winner, or those of both players if no player wins.
///
/// # Errors
///
/// If the moves cannot be found within the budget.
pub fn replay(
    play: &Match,
    solution: &Solution,
    mut task: SolveTask<'_>,
) -> Result<Vec<Replay>, Unsolved> {
    let [one, other] = solution.results;
    let clock = Clock::start(task.budget, task.stop.clone());
    let goals = [(Player(0), one - other), (Player(1), other - one)];
    // Who loses everything has nothing to show.
    let goals = goals.into_iter().filter(|(_, goal)| *goal > -1.0);
    goals.map(|(player, goal)| proof::replay(play, &clock, &mut task, player, goal)).collect()
}

/// Why a position is not solved.
#[derive(Clone, Debug)]
pub enum Unsolved {
    /// It was stopped, or the budget is used up, after this number of positions.
    Stopped(u64),
    /// The game is not for two players.
    Players(usize),
    /// A line has more moves than are followed, perhaps without end.
    TooLong(usize),
    /// The rules fault.
    Game(Error),
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsolved::Stopped(positions) => write!(f, "not solved after {positions} positions"),
            Unsolved::Players(count) => {
                write!(f, "only games for two players can be solved; this one has {count}")
            }
            Unsolved::TooLong(moves) => write!(
                f,
                "there are lines of more than {moves} moves; games that can go on without end cannot be solved"
            ),
            Unsolved::Game(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Unsolved {}

/// How far solving is.
#[derive(Clone, Copy, Debug)]
pub struct SolveProgress {
    /// How many positions were looked at.
    pub positions: u64,
    /// How deep it has gone.
    pub depth: usize,
}

/// What solving may take, and who is told about it.
pub struct SolveTask<'a> {
    /// Time and positions.
    pub budget: Budget,
    /// Ends it early.
    pub stop: Stop,
    /// How many bytes the table of positions takes.
    pub bytes: usize,
    /// Is told now and then how far it is.
    pub watch: Option<&'a mut dyn FnMut(SolveProgress)>,
}

impl fmt::Debug for SolveTask<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveTask").field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl Default for SolveTask<'_> {
    fn default() -> Self {
        SolveTask { budget: Budget::default(), stop: Stop::new(), bytes: 256 << 20, watch: None }
    }
}

/// Solves the position of a play.
///
/// # Errors
///
/// If it cannot be solved, or not within the budget.
///
/// # Examples
///
/// ```
/// use regulus_agents::{SolveMethod, SolveTask, solve};
/// use regulus_game::{Config, Game, Match};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let play = Match::new(&game)?;
/// for method in SolveMethod::ALL {
///     let solution = solve(&play, method, SolveTask::default())?;
///     assert_eq!(solution.results, [0.5, 0.5]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    play: &Match,
    method: SolveMethod,
    mut task: SolveTask<'_>,
) -> Result<Solution, Unsolved> {
    let players = play.game().player_count();
    if players != 2 {
        return Err(Unsolved::Players(players));
    }
    let clock = Clock::start(task.budget, task.stop.clone());
    if play.outcome().over().is_some() {
        let results = [0, 1].map(|player| play.game().result(play.state(), Player(player)));
        return Ok(Solution { results, line: Vec::new(), positions: 1, time: clock.elapsed() });
    }
    let solved = match method {
        SolveMethod::ProofNumbers => proof::solve(play, &clock, &mut task),
        SolveMethod::AlphaBeta => alphabeta::solve(play, &clock, &mut task),
    };
    solved.map(|solution| Solution { time: clock.elapsed(), ..solution })
}
