//! Finds the operations that have nothing to do when a slot is empty, so that they can be left out together.

use super::{CURSOR, Operation, Slot};

/// Puts a [`Operation::Skip`] before each run of two or more operations that only work on what comes from one slot.
pub(super) fn insert_skips(operations: Vec<Operation>, slots: u32) -> Vec<Operation> {
    let runs = runs(&operations, slots);
    let mut with_skips = Vec::with_capacity(operations.len() + runs.len());
    // For each old place, where its skips or, without any, its operation is now.
    let mut places = vec![0; operations.len() + 1];
    let mut fixups: Vec<(usize, usize)> = Vec::new();
    let mut next_run = runs.iter().peekable();
    let count = operations.len();
    for (index, operation) in operations.into_iter().enumerate() {
        places[index] = with_skips.len();
        while let Some(run) = next_run.next_if(|run| run.start == index) {
            fixups.push((with_skips.len(), run.end));
            with_skips.push(Operation::Skip(run.slot, 0));
        }
        with_skips.push(operation);
    }
    places[count] = with_skips.len();
    for (at, end) in fixups {
        if let Operation::Skip(_, left_out) = &mut with_skips[at] {
            *left_out = (places[end] - at - 1) as u32;
        }
    }
    with_skips
}

/// The operations `start..end`, which have no effect if the slot is empty.
struct SkippedRun {
    slot: Slot,
    start: usize,
    end: usize,
}

/// All runs, the longer first where several start together.
fn runs(operations: &[Operation], slots: u32) -> Vec<SkippedRun> {
    let mut runs = Vec::new();
    let arrows = arrows(operations);
    let mut outgoing = vec![Vec::new(); slots as usize];
    let mut incoming = vec![0; slots as usize];
    for &(from, to) in &arrows {
        outgoing[from as usize].push(to);
        incoming[to as usize] += 1;
    }
    let repeats = operations.iter().any(|operation| matches!(operation, Operation::Repeat(_)));
    // Where at most one operation works on what comes from the slot alone, there is no run.
    let may_have_run = |slot: Slot| match outgoing[slot as usize].as_slice() {
        [] => false,
        [only] => repeats || incoming[*only as usize] == 1,
        _ => true,
    };
    for slot in (0..slots).filter(|&slot| slot != CURSOR && may_have_run(slot)) {
        let depends = depending(&arrows, slots, slot);
        let reads = |index: usize| match &operations[index] {
            Operation::Transfer(transfer) => depends[transfer.from as usize],
            Operation::Along { from, .. } | Operation::AlongBack { from, .. } => {
                depends[*from as usize]
            }
            // A repetition is as idle as what it repeats, which follows it.
            Operation::Repeat(count) => {
                (index + 1..=index + *count as usize).all(|inner| match &operations[inner] {
                    Operation::Transfer(transfer) => depends[transfer.from as usize],
                    _ => false,
                })
            }
            Operation::Skip(..) => false,
        };
        let mut index = 0;
        while index < operations.len() {
            let start = index;
            while index < operations.len() && reads(index) {
                index += width(&operations[index]);
            }
            if index >= start + 2 {
                runs.push(SkippedRun { slot, start, end: index });
            }
            if index == start {
                index += width(&operations[index]);
            }
        }
    }
    runs.sort_by_key(|run| (run.start, std::cmp::Reverse(run.end)));
    // Of two slots with the same run the first decides; within one run a shorter one of the same end adds little.
    runs.dedup_by(|later, earlier| later.end == earlier.end && later.start == earlier.start);
    runs
}

/// How many operations stand together: a repetition with what it repeats.
fn width(operation: &Operation) -> usize {
    match operation {
        Operation::Repeat(count) => 1 + *count as usize,
        _ => 1,
    }
}

/// From which slot to which the operations lead.
fn arrows(operations: &[Operation]) -> Vec<(Slot, Slot)> {
    let arrow = |operation: &Operation| match operation {
        Operation::Transfer(transfer) => Some((transfer.from, transfer.to)),
        Operation::Along { from, to, .. } | Operation::AlongBack { from, to, .. } => {
            Some((*from, *to))
        }
        _ => None,
    };
    operations.iter().filter_map(arrow).collect()
}

/// The slots that are empty when this one is: it, and those fed by nothing else.
fn depending(arrows: &[(Slot, Slot)], slots: u32, slot: Slot) -> Vec<bool> {
    // Begin with everything that is fed at all, and take away what has another source, until nothing changes.
    let mut depends = vec![false; slots as usize];
    for &(_, to) in arrows {
        depends[to as usize] = true;
    }
    depends[slot as usize] = true;
    depends[CURSOR as usize] = false;
    let mut changed = true;
    while changed {
        changed = false;
        for &(from, to) in arrows {
            if to != slot && depends[to as usize] && !depends[from as usize] {
                depends[to as usize] = false;
                changed = true;
            }
        }
    }
    depends
}
