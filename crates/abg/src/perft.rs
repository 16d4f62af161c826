//! Counting the tree of a game to a depth.

use crate::environment::Environment;
use crate::fault::Fault;

/// The size of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// States after exactly the given number of moves.
    pub leaves: u64,
    /// All states, the first included.
    pub states: u64,
}

/// Counts the tree of `depth` moves below the current state.
///
/// # Errors
///
/// Returns an error if a limit is reached, or an anti-effect does not put back what its effect changes.
pub fn perft(environment: &mut Environment, depth: u32) -> Result<Perft, Fault> {
    if depth == 0 {
        return Ok(Perft { leaves: 1, states: 1 });
    }
    let moves = environment.moves()?;
    let mut sum = Perft { leaves: 0, states: 1 };
    for chosen in moves.iter() {
        environment.make(chosen)?;
        let below = perft(environment, depth - 1)?;
        environment.undo()?;
        sum.leaves += below.leaves;
        sum.states += below.states;
    }
    Ok(sum)
}
