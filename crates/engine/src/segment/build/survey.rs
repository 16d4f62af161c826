//! Patterns backwards: the [`Survey`] of each pattern for which there can be one.
//!
//! [`super::stage`] asks them where a check is made on many squares.

use std::collections::BTreeMap;

use regulus_automaton::verify::pattern_order;
use regulus_automaton::{IdVec, Pattern};

use super::{Arc, SHORT, SegmentBuilder};
use crate::segment::{Operation, Slot, Survey, Transfer, TransferKind};

/// Builds every pattern that can be computed backwards; returns the survey of each, `None` for the others.
pub(super) fn survey_patterns(
    builder: &mut SegmentBuilder<'_>,
    surveys: &mut Vec<Survey>,
) -> IdVec<Pattern, Option<u32>> {
    let automaton = builder.automaton;
    let mut survey_of = IdVec::filled(None, automaton.patterns.len());
    // Each after those it contains.
    for pattern in pattern_order(automaton).unwrap_or_default() {
        if let Some(survey) = survey(builder, &survey_of, pattern) {
            survey_of[pattern] = Some(surveys.len() as u32);
            surveys.push(survey);
        }
    }
    survey_of
}

/// A pattern backwards; `None` if it writes, jumps, compares places, or contains one that cannot be surveyed.
fn survey(
    builder: &mut SegmentBuilder<'_>,
    survey_of: &IdVec<Pattern, Option<u32>>,
    pattern: Pattern,
) -> Option<Survey> {
    let automaton = builder.automaton;
    let info = automaton.patterns[pattern];
    let mut nodes = vec![info.start];
    let mut slot_of = BTreeMap::from([(info.start, 0)]);
    let mut arcs: Vec<Arc> = Vec::new();
    let mut index = 0;
    while let Some(&node) = nodes.get(index) {
        index += 1;
        if node == info.accept {
            continue;
        }
        for edge in &automaton.nodes[node] {
            let kind = match builder.transfer_kind(&edge.action) {
                _ if edge.action.is_modifier() => return None,
                TransferKind::IfEach(_) | TransferKind::Jump(_) => return None,
                TransferKind::Check(inner, expected) => {
                    survey_of[inner]?;
                    TransferKind::CheckAll(inner, expected)
                }
                TransferKind::Shift(direction) => TransferKind::ShiftBack(direction),
                TransferKind::Walk(table) => TransferKind::WalkBack(table),
                TransferKind::Everywhere(set) => TransferKind::FromEverywhere(set),
                TransferKind::Recall(register) => TransferKind::RecallBack(register),
                kind => kind,
            };
            arcs.push(Arc { from: edge.target, to: node, kind, guard: None });
            let next = slot_of.len() as Slot;
            if *slot_of.entry(edge.target).or_insert(next) == next {
                nodes.push(edge.target);
            }
        }
    }
    let accept = *slot_of.get(&info.accept)?;
    // Against the arrows a component comes after those it leads to.
    arcs.sort_by_key(|arc| builder.component[arc.from]);
    let mut operations = Vec::new();
    let component = builder.component.clone();
    for part in arcs.chunk_by(|a, b| component[a.from] == component[b.from]) {
        let inside = |arc: &&Arc| component[arc.to] == component[arc.from];
        let loops: Vec<&Arc> = part.iter().filter(inside).collect();
        let slots = |arc: &Arc| {
            let (from, to) = (slot_of[&arc.from], slot_of[&arc.to]);
            Operation::Transfer(Transfer { from, to, kind: arc.kind, guard: None })
        };
        match line_back(builder, &loops) {
            Some((ray, step, test, through)) => {
                let to = slot_of[&step.from];
                operations.push(slots(test));
                let includes_start = true;
                operations.push(Operation::AlongBack {
                    ray,
                    from: to,
                    to,
                    through,
                    includes_start,
                });
                operations.push(slots(step));
            }
            None if loops.is_empty() => {}
            None => {
                operations.push(Operation::Repeat(loops.len() as u32));
                operations.extend(loops.iter().map(|arc| slots(arc)));
            }
        }
        operations.extend(part.iter().filter(|arc| !inside(arc)).map(slots));
    }
    let is_short = builder.cost(&operations) <= SHORT;
    Some(Survey {
        operations,
        slots: slot_of.len() as u32,
        accept: vec![accept],
        start: 0,
        is_short,
    })
}

/// A loop of a survey that goes against a line: a step back and a test in turn. Returns the ray, the two, and the pieces
/// that let pass.
fn line_back<'a>(
    builder: &mut SegmentBuilder<'_>,
    loops: &[&'a Arc],
) -> Option<(u32, &'a Arc, &'a Arc, u32)> {
    let &[one, other] = loops else { return None };
    let (step, test) =
        if matches!(one.kind, TransferKind::On(_)) { (other, one) } else { (one, other) };
    let TransferKind::On(through) = test.kind else { return None };
    let forwards = match step.kind {
        TransferKind::ShiftBack(direction) => TransferKind::Shift(direction),
        TransferKind::WalkBack(table) => TransferKind::Walk(table),
        _ => return None,
    };
    let turns = step.to == test.from && test.to == step.from && step.from != step.to;
    let ray = builder.ray(forwards).filter(|_| turns)?;
    Some((ray, step, test, through))
}
