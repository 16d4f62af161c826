//! How games end, beyond what the rules say by themselves: reasons in words, and repetition.

use std::collections::BTreeMap;

use crate::ids::{IdVec, Node, Player, Variable};

/// The reasons, in words, for which a game ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Endings {
    /// For a node where the keeper has nothing to do any more: why the game is over there.
    pub at: BTreeMap<Node, Reason>,
    /// Why a game is over when the player in control has no move; `None` if that needs no words of its own.
    pub stuck: Option<Reason>,
}

/// Why a game is over. In the words `{winner}` and `{loser}` stand for the players with the best and the worst result, and
/// `{stuck}` for the player who has no move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reason {
    /// The words.
    pub text: String,
    /// The words when all players have the same result, if they are different then.
    pub drawn: Option<String>,
}

/// The rule that a position which occurs for the n-th time ends the game.
///
/// A position is everything in a state but the ignored variables. It is counted whenever a player comes into control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// How often a position occurs until the game is over; at least 2.
    pub times: u32,
    /// The scores the players get then.
    pub scores: IdVec<Player, i32>,
    /// The variables that do not count, such as counters of moves; ascending.
    pub ignored: Vec<Variable>,
    /// Where in the rules the game is then; a node without edges.
    pub over: Node,
}
