//! What is known of a stage before it runs: its only exit, the slots that hold nothing but the cursor, the piece on the squares
//! of a slot.

use regulus_automaton::Piece;
use regulus_engine::segment::{CURSOR, Exit, Operation, Segments, Slot, Stage, TransferKind};

/// The only thing that can be done in a stage, when that is on the square where it begins.
pub(super) fn lone_exit(segments: &Segments, stage: u32) -> Option<&Exit> {
    let stage = &segments.stages[stage as usize];
    match stage.exits.as_slice() {
        [exit] if stage.operations.is_empty() && exit.slot == CURSOR && stage.accept.is_none() => {
            Some(exit)
        }
        _ => None,
    }
}

/// For each slot whether it holds nothing but the cursor, if anything.
pub(super) fn slots_on_cursor(stage: &Stage) -> Vec<bool> {
    let mut on_cursor = vec![true; stage.slots as usize];
    on_cursor[CURSOR as usize] = stage.keeps_cursor;
    let mut changed = true;
    while changed {
        changed = false;
        for operation in &stage.operations {
            let (to, stays) = match operation {
                Operation::Transfer(transfer) => {
                    let is_filter = matches!(
                        transfer.kind,
                        TransferKind::Same
                            | TransferKind::On(_)
                            | TransferKind::At(_)
                            | TransferKind::If(_)
                            | TransferKind::IfEach(_)
                            | TransferKind::Check(..)
                            | TransferKind::CheckAll(..)
                            | TransferKind::Except(_)
                    );
                    (transfer.to, is_filter && on_cursor[transfer.from as usize])
                }
                Operation::Along { to, .. } | Operation::AlongBack { to, .. } => (*to, false),
                Operation::Repeat(_) | Operation::Skip(..) => continue,
            };
            if !stays && on_cursor[to as usize] {
                on_cursor[to as usize] = false;
                changed = true;
            }
        }
    }
    on_cursor
}

/// The piece that stands on all squares of a slot, when only one can.
pub(super) fn known_piece(segments: &Segments, stage: &Stage, slot: Slot) -> Option<Piece> {
    let mut known = None;
    for operation in &stage.operations {
        let tested = match operation {
            Operation::Transfer(transfer) if transfer.to == slot => match transfer.kind {
                TransferKind::On(set) => set,
                _ => transfer.guard?,
            },
            Operation::Along { to, .. } | Operation::AlongBack { to, .. } if *to == slot => {
                return None;
            }
            _ => continue,
        };
        let mut pieces = segments.piece_sets[tested as usize].iter();
        let only = pieces.next().filter(|_| pieces.next().is_none())?;
        if known.replace(only).is_some_and(|before| before != only) {
            return None;
        }
    }
    known.filter(|_| slot != CURSOR)
}
