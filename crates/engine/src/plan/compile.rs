//! From the segment program to code.

use std::collections::BTreeMap;

use regulus_automaton::{Automaton, Square};

use super::code::{CodeBlock, Hop, HopPath, PlanCode, SetOp, SetOpKind, Stride, Ways};
use super::simplify::{Outline, set_reaches, simplify, simplify_watched};
use super::tables::{SetTables, direction_steps, reversed, table_steps};
use crate::segment::{
    CURSOR, Continuation, Exit, Leg, Operation, Segments, Slot, Stage, Survey, Transfer,
    TransferKind,
};

/// Makes code of all stages, surveys and watches; the tables get what it needs.
pub(super) fn compile(
    automaton: &Automaton,
    segments: &Segments,
    tables: &mut SetTables,
    deepest: usize,
) -> PlanCode {
    let mut compiler = PlanCompiler {
        automaton,
        segments,
        tables,
        transfers: Vec::new(),
        steps: Vec::new(),
        rays: BTreeMap::new(),
    };
    let stages = segments.stages.iter().map(|stage| compiler.stage(stage)).collect();
    let surveys = segments.surveys.iter().map(|survey| compiler.survey(survey)).collect();
    let watched = segments.watches.iter().map(|watch| {
        compiler.watched(&segments.stages[segments.patterns[watch.pattern].stage as usize])
    });
    let watched = watched.collect();
    let ways = segments.stages.iter().map(|stage| {
        let of_exit = |exit: &Exit| match &exit.continuation {
            Continuation::Spread(spreads) => {
                spreads.iter().map(|spread| compiler.ways(&spread.ways)).collect()
            }
            Continuation::Probe(ways, _) => vec![compiler.ways(ways)],
            _ => Vec::new(),
        };
        stage.exits.iter().map(of_exit).collect()
    });
    let ways = Ways::new(ways.collect());
    let is_shown = |exit: &Exit| {
        matches!(exit.continuation, Continuation::Finish(_) | Continuation::Spread(_))
    };
    let is_flat = segments.stages.iter().map(|stage| stage.exits.iter().all(is_shown)).collect();
    let end_of = |exit: &Exit| match exit.continuation {
        Continuation::Finish(finish) => Some(finish),
        _ => None,
    };
    let ends = segments.stages.iter().map(|stage| {
        let is_watched = !stage.watches.is_empty();
        if is_watched { None } else { stage.exits.iter().map(end_of).collect() }
    });
    let ends: Vec<Option<Vec<u32>>> = ends.collect();
    let only_writes = segments.stages.iter().map(|stage| match stage.exits.as_slice() {
        [only] => {
            let is_write = matches!(only.continuation, Continuation::Write) && only.slot == CURSOR;
            is_write && stage.operations.is_empty() && stage.accept.is_none()
        }
        _ => false,
    });
    let only_writes: Vec<bool> = only_writes.collect();
    let behind = |stage: usize| segments.stages[stage].exits[0].stage as usize;
    let writes_and_ends = lead_to(&only_writes, behind, |stage| ends[stage].is_some());
    let transfers = compiler.transfers;
    PlanCode {
        stages,
        is_flat,
        ends,
        only_writes,
        writes_and_ends,
        ways,
        surveys,
        watched,
        transfers,
        deepest,
    }
}

/// For each stage that does nothing but write whether it, and those behind it that do the same, lead to one for which something
/// holds.
fn lead_to(
    only_writes: &[bool],
    behind: impl Fn(usize) -> usize,
    holds: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut known: Vec<Option<bool>> = vec![None; only_writes.len()];
    for stage in 0..only_writes.len() {
        let mut way = Vec::new();
        let mut at = stage;
        while only_writes[at] && known[at].is_none() {
            // Writes that go round lead nowhere.
            known[at] = Some(false);
            way.push(at);
            at = behind(at);
        }
        let leads = if only_writes[at] { known[at] == Some(true) } else { holds(at) };
        way.into_iter().for_each(|at| known[at] = Some(leads));
    }
    known.into_iter().map(|known| known == Some(true)).collect()
}

struct PlanCompiler<'a> {
    automaton: &'a Automaton,
    segments: &'a Segments,
    tables: &'a mut SetTables,
    transfers: Vec<Transfer>,
    /// The steps that have been compiled.
    steps: Vec<(TransferKind, Steps)>,
    /// The stars of rays, and whether they include where they start.
    rays: BTreeMap<(u32, bool), u32>,
}

/// Steps as strides, and as rows when there is more than one stride.
#[derive(Clone, Copy)]
struct Steps {
    first: u32,
    count: u32,
    rows: u32,
}

impl PlanCompiler<'_> {
    fn stage(&mut self, stage: &Stage) -> CodeBlock {
        let (ops, slots) = self.ops(&stage.operations, stage.slots);
        let results = stage.exits.iter().map(|exit| exit.slot).collect();
        let (full, accept) = (Vec::new(), stage.accept);
        simplify(Outline { ops, slots, full, results, accept, has_cursor: true }, self.tables)
    }

    fn survey(&mut self, survey: &Survey) -> CodeBlock {
        let (ops, slots) = self.ops(&survey.operations, survey.slots);
        let (full, results) = (survey.accept.clone(), vec![survey.start]);
        simplify(
            Outline { ops, slots, full, results, accept: None, has_cursor: false },
            self.tables,
        )
    }

    /// A watch must see every test.
    fn watched(&mut self, stage: &Stage) -> CodeBlock {
        let (ops, slots) = self.ops(&stage.operations, stage.slots);
        let (full, results) = (Vec::new(), stage.accept.into_iter().collect());
        simplify_watched(
            Outline { ops, slots, full, results, accept: None, has_cursor: false },
            self.tables,
        )
    }

    /// The code of operations, and how many slots it takes.
    fn ops(&mut self, operations: &[Operation], mut slots: Slot) -> (Vec<SetOp>, Slot) {
        let all = self.tables.all();
        let mut ops = Vec::new();
        // Where each operation begins, and where skips and repetitions end.
        let mut places = Vec::new();
        let mut ends = Vec::new();
        for (at, operation) in operations.iter().enumerate() {
            places.push(ops.len());
            match operation {
                Operation::Transfer(transfer) => {
                    self.transfer(transfer, &mut slots, &mut ops);
                }
                &Operation::Skip(from, count) => {
                    ends.push((ops.len(), at + 1 + count as usize));
                    ops.push(SetOp { from, to: from, within: all, act: SetOpKind::Skip { count } });
                }
                &Operation::Repeat(count) => {
                    ends.push((ops.len(), at + 1 + count as usize));
                    let act = SetOpKind::Repeat { count };
                    ops.push(SetOp { from: CURSOR, to: CURSOR, within: all, act });
                }
                &Operation::Along { ray, from, to, through, includes_start } => {
                    let act = SetOpKind::Star { star: self.star(ray, includes_start), through };
                    ops.push(SetOp { from, to, within: all, act });
                }
                &Operation::AlongBack { ray, from, to, through, includes_start } => {
                    let act = SetOpKind::StarBack { star: self.star(ray, includes_start), through };
                    ops.push(SetOp { from, to, within: all, act });
                }
            }
        }
        places.push(ops.len());
        set_reaches(&mut ops, &places, &ends);
        (ops, slots)
    }

    fn transfer(&mut self, transfer: &Transfer, slots: &mut Slot, ops: &mut Vec<SetOp>) {
        let all = self.tables.all();
        let Transfer { from, to, kind, guard } = *transfer;
        let within = guard.unwrap_or(all);
        let mut push = |act| ops.push(SetOp { from, to, within, act });
        match kind {
            TransferKind::Same => push(SetOpKind::Same),
            TransferKind::On(set) if guard.is_none_or(|guard| guard == set) => {
                ops.push(SetOp { from, to, within: set, act: SetOpKind::Same });
            }
            TransferKind::On(set) => {
                let between = *slots;
                *slots += 1;
                ops.push(SetOp { from, to: between, within: set, act: SetOpKind::Same });
                ops.push(SetOp { from: between, to, within, act: SetOpKind::Same });
            }
            TransferKind::At(set) => {
                push(SetOpKind::Step { mask: self.tables.square_set(set), distance: 0 })
            }
            TransferKind::Everywhere(set) => {
                push(SetOpKind::Fill { set: self.tables.square_set(set) })
            }
            TransferKind::Except(other) => push(SetOpKind::Except { other }),
            TransferKind::Shift(_)
            | TransferKind::Walk(_)
            | TransferKind::ShiftBack(_)
            | TransferKind::WalkBack(_) => {
                let Steps { first, count, rows } = self.steps(kind);
                push(match self.tables.strides((first, count)) {
                    &[Stride { mask, distance }] => SetOpKind::Step { mask, distance },
                    _ => SetOpKind::Steps { first, count, rows },
                });
            }
            TransferKind::If(_)
            | TransferKind::IfEach(_)
            | TransferKind::Check(..)
            | TransferKind::CheckAll(..)
            | TransferKind::FromEverywhere(_)
            | TransferKind::RecallBack(_)
            | TransferKind::Recall(_)
            | TransferKind::Jump(_) => {
                push(SetOpKind::Other { transfer: self.transfers.len() as u32 });
                self.transfers.push(*transfer);
            }
        }
    }

    fn ways(&self, ways: &[Vec<Leg>]) -> Vec<HopPath> {
        let all = self.tables.all();
        let way = |legs: &Vec<Leg>| {
            let mut hops: Vec<Hop> = Vec::new();
            for leg in legs {
                let mask = leg.from.map_or(all, |set| self.tables.square_set(set));
                let Leg { distance, condition, .. } = *leg;
                match (hops.last_mut(), leg.guard) {
                    // A test after a step joins it.
                    (Some(last), Some(guard))
                        if (mask, distance, last.within) == (all, 0, all)
                            && condition.is_none() =>
                    {
                        last.within = guard;
                    }
                    (_, guard) => {
                        let within = guard.unwrap_or(all);
                        hops.push(Hop { mask, distance, within, condition });
                    }
                }
            }
            let nowhere = Hop { mask: all, distance: 0, within: all, condition: None };
            let mut hops = hops.into_iter();
            HopPath { first: hops.next().unwrap_or(nowhere), others: hops.collect() }
        };
        ways.iter().map(way).collect()
    }

    fn steps(&mut self, kind: TransferKind) -> Steps {
        if let Some((_, steps)) = self.steps.iter().find(|(known, _)| *known == kind) {
            return *steps;
        }
        let pairs: Vec<(Square, Square)> = match kind {
            TransferKind::Shift(direction) => direction_steps(self.automaton, direction),
            TransferKind::ShiftBack(direction) => {
                reversed(&direction_steps(self.automaton, direction))
            }
            TransferKind::Walk(table) => table_steps(self.automaton, table),
            TransferKind::WalkBack(table) => reversed(&table_steps(self.automaton, table)),
            _ => Vec::new(),
        };
        let strides = self.tables.strides_of(&pairs);
        let (first, count) = self.tables.keep(&strides);
        let rows = if count == 1 { 0 } else { self.tables.keep_rows(&pairs) };
        let steps = Steps { first, count, rows };
        self.steps.push((kind, steps));
        steps
    }

    fn star(&mut self, ray: u32, includes_start: bool) -> u32 {
        let PlanCompiler { segments, tables, rays, .. } = self;
        *rays
            .entry((ray, includes_start))
            .or_insert_with(|| tables.keep_ray(&segments.rays[ray as usize], includes_start))
    }
}
