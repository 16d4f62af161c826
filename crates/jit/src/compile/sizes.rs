//! How many squares slots are likely to hold: code for few squares goes square by square, code for many by whole sets.

use regulus_automaton::Automaton;
use regulus_engine::segment::{CURSOR, Operation, Segments, Slot, Stage, TransferKind};

/// A guess for every slot.
#[derive(Debug, Default)]
pub(super) struct Sizes(Vec<f64>);

impl Sizes {
    /// Guesses from the first position: how many of a piece there are then.
    pub(super) fn new(automaton: &Automaton, segments: &Segments, stage: &Stage) -> Sizes {
        let squares = automaton.board.squares.len() as f64;
        let on = |set: u32| {
            let set = &segments.piece_sets[set as usize];
            let count =
                automaton.board.squares.values().filter(|info| set.contains(info.piece)).count();
            if count == 0 { 2.0 } else { count as f64 }
        };
        let mut sizes = vec![0.0; stage.slots as usize];
        sizes[CURSOR as usize] = 1.0;
        for operation in &stage.operations {
            let (to, size) = match operation {
                Operation::Transfer(transfer) => {
                    let from: f64 = sizes[transfer.from as usize];
                    let size = match transfer.kind {
                        TransferKind::On(set) => from.min(on(set)),
                        TransferKind::Everywhere(set) => {
                            segments.square_sets[set as usize].len() as f64 * from.min(1.0)
                        }
                        TransferKind::Walk(table) => from * widest(automaton, table),
                        TransferKind::CheckAll(..)
                        | TransferKind::FromEverywhere(_)
                        | TransferKind::RecallBack(_) => squares,
                        _ => from,
                    };
                    (transfer.to, transfer.guard.map_or(size, |guard| size.min(on(guard))))
                }
                Operation::Along { from, to, .. } => (*to, sizes[*from as usize] * 3.0),
                // What is repeated may grow to anything.
                Operation::Repeat(_) | Operation::Skip(..) | Operation::AlongBack { .. } => {
                    continue;
                }
            };
            let sum: f64 = sizes[to as usize] + size;
            sizes[to as usize] = sum.min(squares);
        }
        Sizes(sizes)
    }

    /// Everything may be large.
    pub(super) fn wide(slots: u32) -> Sizes {
        Sizes(vec![f64::MAX; slots as usize])
    }

    /// Whether a slot is likely to hold quite a number of squares.
    pub(super) fn is_many(&self, slot: Slot) -> bool {
        self.0[slot as usize] >= 4.0
    }

    /// Whether a slot is likely to hold very few squares.
    pub(super) fn is_few(&self, slot: Slot) -> bool {
        self.0[slot as usize] <= 2.0
    }
}

fn widest(automaton: &Automaton, table: regulus_automaton::Table) -> f64 {
    let table = &automaton.tables[table];
    let squares = automaton.board.squares.keys();
    squares.map(|square| table.targets(square).len()).max().unwrap_or(0) as f64
}
