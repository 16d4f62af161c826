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
    let mut counter = Counter {
        rules,
        scratch: rules.scratch(),
        undo: UndoStack::new(),
        lists: Vec::new(),
        total: Perft::default(),
        watch,
    };
    counter.visit(&mut state, depth)?;
    Ok(counter.total)
}

struct Counter<'a, R: Rules> {
    rules: &'a R,
    scratch: R::Scratch,
    undo: UndoStack,
    lists: Vec<MoveList>,
    total: Perft,
    watch: &'a mut dyn FnMut(usize, usize),
}

impl<R: Rules> Counter<'_, R> {
    fn visit(&mut self, state: &mut State, depth: u32) -> Result<(), Fault> {
        self.total.states += 1;
        if depth == 0 {
            self.total.leaves += 1;
            return Ok(());
        }
        if self.rules.player(state).is_none() {
            return Ok(());
        }
        let mut list = self.lists.pop().unwrap_or_default();
        self.rules.moves(state, &mut self.scratch, &mut list)?;
        let at_root = self.undo.is_empty();
        for (index, steps) in list.iter().enumerate() {
            self.undo.save(state);
            self.rules.apply(state, steps, &mut self.scratch)?;
            self.visit(state, depth - 1)?;
            self.undo.undo(state);
            if at_root {
                (self.watch)(index + 1, list.len());
            }
        }
        self.lists.push(list);
        Ok(())
    }
}
