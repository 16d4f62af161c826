//! Perft: counting the game tree to a depth, the oldest check of a move generator.

use crate::fault::Fault;
use crate::moves::MoveList;
use crate::rules::Rules;
use crate::state::{State, UndoStack};

/// The size of a game tree down to a depth. Depth counts the players' moves; the keeper's are invisible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// States at exactly that depth.
    pub leaves: u64,
    /// States of the whole tree, the first and the leaves included.
    pub states: u64,
}

/// Counts the tree below a state.
///
/// `watch` is called after each move at the root with how many of them are done, and how many there are.
///
/// # Errors
///
/// When the rules fault anywhere in the tree.
pub fn perft<R: Rules>(
    rules: &R,
    state: &State,
    depth: u32,
    watch: &mut dyn FnMut(usize, usize),
) -> Result<Perft, Fault> {
    let mut state = state.clone();
    let mut scratch = rules.scratch();
    let mut undo = UndoStack::new();
    let mut total = Perft::default();
    // A list of moves, and how many of them are done, for each state on the way; lists are used again.
    let mut way: Vec<(MoveList, usize)> = Vec::new();
    let mut free: Vec<MoveList> = Vec::new();
    let mut arrived = true;
    loop {
        if arrived {
            total.states += 1;
            let mut list = free.pop().unwrap_or_default();
            list.clear();
            if way.len() as u64 == u64::from(depth) {
                total.leaves += 1;
            } else if rules.player(&state).is_some() {
                rules.moves(&state, &mut scratch, &mut list)?;
            }
            way.push((list, 0));
        }
        let at_root = way.len() == 1;
        let Some((list, done)) = way.last_mut() else { return Ok(total) };
        if at_root && *done > 0 {
            watch(*done, list.len());
        }
        arrived = *done < list.len();
        if arrived {
            *done += 1;
            undo.save(&state);
            rules.apply(&mut state, list.get(*done - 1), &mut scratch)?;
        } else {
            free.extend(way.pop().map(|(list, _)| list));
            undo.undo(&mut state);
        }
    }
}
