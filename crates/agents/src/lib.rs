//! Players for any game, from its rules alone.
//!
//! An [`Agent`] is shown a [`regulus_game::Match`] and chooses a move within a [`Budget`]. While it thinks it reports what it
//! has found ([`Report`]), and it can be stopped at any moment with its best move so far ([`Stop`]). Which kinds there are,
//! and their options, is data ([`KINDS`]); a [`PlayerSpec`] is a kind with options, as users write it: `uct?iterations=1000`.
//!
//! ```
//! use regulus_agents::{Budget, PlayerSpec, Task};
//! use regulus_game::{Config, Game, Match};
//!
//! let game = Game::load("tic_tac_toe", &Config::default())?;
//! let mut play = Match::new(&game)?;
//! for name in ["a1", "a2", "b1", "b2"] {
//!     play.play_named(name)?;
//! }
//! let spec: PlayerSpec = "uct?iterations=2000".parse()?;
//! let mut agent = spec.create(&game, 1);
//! let thought = agent.think(&play, &mut Task::new(spec.budget_or(Budget::default())))?;
//! play.play(&thought.steps.0)?;
//! assert_eq!(play.outcome().to_string(), "crosses win: crosses have three in a row");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | kind | how it chooses |
//! | --- | --- |
//! | `random` | any legal move |
//! | `greedy` | looks one move ahead: wins if it can, else keeps the most pieces |
//! | `flat` | random games after every move, more of them after those that do well |
//! | `uct` | a tree of positions, grown where random games do well |
//! | `mcts` | the same, with what is known of moves made later, an evaluation, and proof |
//! | `alphabeta` | looks as far ahead as it can, and judges by an evaluation that it has learnt |
//! | `auto` | the one of the last two that plays the game better |

mod agent;
mod alphabeta;
mod auto;
mod budget;
mod evaluation;
mod flat;
mod greedy;
mod kept;
mod mcts;
mod move_key;
mod net;
mod playouts;
mod position_stack;
mod random;
mod report;
pub mod residual;
mod solve;
mod spec;
mod tuning;
mod uct;

pub use agent::{Agent, AgentError, Task, Thought};
pub use budget::{Budget, Clock, Stop};
pub use evaluation::{
    Judgement, PieceWorth, can_be_learnt, keep_evaluations_in, learn_evaluation, limit_learning,
};
pub use net::{BadNet, Net, NetInputs, NetWeights, NoNet, SMALL};
pub use report::{Candidate, Report};
pub use solve::{Replay, Solution, SolveMethod, SolveProgress, SolveTask, Unsolved, replay, solve};
pub use spec::{BadSpec, KINDS, Kind, OptionInfo, OptionKind, PlayerSpec};
pub use tuning::{PlayerChoice, Tuning};
