//! Finds out which writes need not be tried: those behind which nothing can come.
//!
//! What a stage leads to, from every square at once, is a survey of the stage. It is computed before the write, so the
//! stage must not look at the square itself; and it may find too many squares, never too few.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{Action, Automaton};

use super::continuation::{Sight, counts};
use super::{
    CURSOR, Continuation, Operation, Pair, Ray, Slot, Stage, Survey, Transfer, TransferKind,
};

/// Gives the exits that may be tried on many squares a survey of what follows.
pub(super) fn find(
    automaton: &Automaton,
    stages: &mut [Stage],
    pairs: &[Pair],
    rays: &[Ray],
    surveys: &mut Vec<Survey>,
) {
    let mut of_stage: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    for number in 0..stages.len() {
        for index in 0..stages[number].exits.len() {
            let exit = &stages[number].exits[index];
            let is_tried = matches!(exit.continuation, Continuation::Write)
                && matches!(exit.action, Action::Put(_));
            if !is_tried || stages[number].operations.is_empty() {
                continue;
            }
            let next = exit.stage;
            let survey = *of_stage.entry(next).or_insert_with(|| {
                let survey = survey(automaton, &stages[next as usize], pairs, rays, CURSOR)?;
                surveys.push(survey);
                Some(surveys.len() as u32 - 1)
            });
            stages[number].exits[index].feasible = survey;
        }
    }
}

/// A stage backwards, from its exits and acceptance to a slot where it begins; `None` if the result would exclude no
/// square, or if the stage looks at the square where it begins.
pub(super) fn survey(
    automaton: &Automaton,
    stage: &Stage,
    pairs: &[Pair],
    rays: &[Ray],
    start: Slot,
) -> Option<Survey> {
    if stage.operations.is_empty() {
        return None;
    }
    let mut accept: BTreeSet<Slot> = stage.exits.iter().map(|exit| exit.slot).collect();
    accept.extend(stage.accept);
    let mut slots = stage.slots;
    let mut operations = Vec::new();
    // Slots that are full whatever the board is.
    let mut full = accept.clone();
    // Repetitions come before what they repeat, so the operations are taken apart first.
    let mut parts: Vec<&[Operation]> = Vec::new();
    let mut at = 0;
    while let Some(operation) = stage.operations.get(at) {
        let width = if let Operation::Repeat(count) = operation { 1 + *count as usize } else { 1 };
        parts.push(&stage.operations[at..at + width]);
        at += width;
    }
    for part in parts.into_iter().rev() {
        let mut back = Vec::new();
        let repeats = matches!(part, [Operation::Repeat(_), ..]);
        for operation in part.iter().rev() {
            match operation {
                Operation::Transfer(transfer) => {
                    let kind = backwards(transfer.kind, pairs)?;
                    let mut from = transfer.to;
                    if let Some(guard) = transfer.guard {
                        let to = slots;
                        slots += 1;
                        let kind = TransferKind::On(guard);
                        back.push(Operation::Transfer(Transfer { from, to, kind, guard: None }));
                        from = to;
                    }
                    if kind == TransferKind::Same && full.contains(&from) {
                        full.insert(transfer.from);
                    }
                    let to = transfer.from;
                    back.push(Operation::Transfer(Transfer { from, to, kind, guard: None }));
                }
                Operation::Along { ray, from, to, through, includes_start } => {
                    if *includes_start && full.contains(to) {
                        full.insert(*from);
                    }
                    back.push(Operation::AlongBack {
                        ray: *ray,
                        from: *to,
                        to: *from,
                        through: *through,
                        includes_start: *includes_start,
                    });
                }
                Operation::Repeat(_) | Operation::Skip(..) => {}
                Operation::AlongBack { .. } => return None,
            }
        }
        if repeats {
            operations.push(Operation::Repeat(back.len() as u32));
        }
        operations.extend(back);
    }
    // This takes longest, so it comes last.
    let sight = Sight { automaton, rays, next: stage, start };
    if full.contains(&start) || !sight.ignores_its_square() {
        return None;
    }
    let accept = accept.into_iter().collect();
    Some(Survey { operations, slots, accept, start, is_short: false })
}

/// What a transfer does backwards. Conditions that a write could change, or that would take long, are left out.
fn backwards(kind: TransferKind, pairs: &[Pair]) -> Option<TransferKind> {
    Some(match kind {
        TransferKind::Same | TransferKind::On(_) | TransferKind::At(_) => kind,
        TransferKind::Shift(direction) => TransferKind::ShiftBack(direction),
        TransferKind::Walk(table) => TransferKind::WalkBack(table),
        TransferKind::Everywhere(set) => TransferKind::FromEverywhere(set),
        TransferKind::If(pair) => {
            let Pair { left, right, .. } = &pairs[pair as usize];
            if counts(left) || counts(right) { TransferKind::Same } else { kind }
        }
        TransferKind::IfEach(_)
        | TransferKind::Check(..)
        | TransferKind::CheckAll(..)
        | TransferKind::Except(_) => TransferKind::Same,
        TransferKind::Recall(_)
        | TransferKind::Jump(_)
        | TransferKind::ShiftBack(_)
        | TransferKind::WalkBack(_)
        | TransferKind::FromEverywhere(_)
        | TransferKind::RecallBack(_) => return None,
    })
}
