//! How much computing stages and surveys can take at most, whatever the board is.
//!
//! Native code is charged by these bounds: a constant for each write that is tried, so counting costs nothing where time is
//! spent. They are in operations on sets of one word, and rough.

use std::collections::BTreeSet;

use regulus_automaton::verify::pattern_order;
use regulus_automaton::{Automaton, IdVec, Pattern, Table, WalkTable};

use super::{
    CURSOR, Continuation, Exit, Operation, PatternCode, Segments, Stage, Survey, TransferKind,
    Watch,
};

/// What going along lines, or to several distances, takes.
const LINES: u64 = 16;

/// What evaluating an expression takes.
const EXPRESSION: u64 = 8;

/// The most that computing once can take.
///
/// # Examples
///
/// ```
/// use regulus_engine::segment::Segments;
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let segments = Segments::new(&automaton).expect("a small game");
/// let costs = &segments.costs;
/// assert_eq!(costs.stages.len(), segments.stages.len());
/// // A piece is put on one of three squares, so no stage leads to more than three moves.
/// assert_eq!(costs.moves.iter().max(), Some(&Some(3)));
/// assert_eq!(costs.effort_within(3), Some(u64::MAX));
/// // They are found without a write, so no effort is too little for three moves.
/// assert_eq!(costs.effort_within(2), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// Each stage, with the patterns it asks, up to their first write, and what its exits ask before anything is tried.
    pub stages: Vec<u64>,
    /// Each survey.
    pub surveys: Vec<u64>,
    /// For each stage how many moves can be found from there on; `None` if there is no bound.
    pub moves: Vec<Option<u64>>,
    /// For each stage how many moves can be found without a write.
    pub direct_moves: Vec<u64>,
}

impl Costs {
    /// What a write is charged for, and taking it back, besides the cost of the stage behind it.
    pub const WRITE: u64 = 16;

    /// Returns how much effort in one state cannot lead to more than `moves` moves; `None` if more of them may be found
    /// without any effort.
    #[must_use]
    pub fn effort_within(&self, moves: u64) -> Option<u64> {
        if self.moves.iter().all(|most| most.is_some_and(|most| most <= moves)) {
            return Some(u64::MAX);
        }
        let first = self.direct_moves.iter().copied().max().unwrap_or(0);
        let others = u128::from(moves.checked_sub(first)?);
        let effort = self.stages.iter().zip(&self.direct_moves).filter(|(_, direct)| **direct > 0);
        let effort = effort.map(|(cost, direct)| {
            let charge = u128::from(cost.saturating_add(Costs::WRITE));
            others.saturating_mul(charge) / u128::from(*direct)
        });
        Some(effort.min().and_then(|effort| u64::try_from(effort).ok()).unwrap_or(u64::MAX))
    }

    /// The greatest cost of anything that is computed without counting.
    #[must_use]
    pub fn greatest(&self) -> u64 {
        self.stages.iter().chain(&self.surveys).copied().max().unwrap_or(0)
    }
}

/// Finds the costs of a program.
pub(super) fn costs(automaton: &Automaton, segments: &Segments) -> Costs {
    let Segments { stages, surveys, patterns, watches, .. } = segments;
    let squares = automaton.board.squares.len() as u64;
    let widest = |table: &WalkTable| {
        let targets = automaton.board.squares.keys().map(|from| table.targets(from).len() as u64);
        targets.max().unwrap_or(0)
    };
    let mut finder = CostFinder {
        squares,
        patterns,
        widest: automaton.tables.values().map(widest).collect(),
        of_pattern: IdVec::filled(0, patterns.len()),
        of_survey: vec![0; surveys.len()],
    };
    // Those of stages ask no patterns.
    finder.of_survey = surveys.iter().map(|survey| finder.survey(survey)).collect();
    // Each after those it contains.
    for pattern in pattern_order(automaton).unwrap_or_default() {
        let code = patterns[pattern];
        if let Some(survey) = code.survey {
            finder.of_survey[survey as usize] = finder.survey(&surveys[survey as usize]);
        }
        finder.of_pattern[pattern] = finder.stage(&stages[code.stage as usize], watches);
    }
    let costs = stages.iter().map(|stage| finder.stage(stage, watches)).collect();
    let sizes: Vec<Vec<u64>> =
        stages.iter().map(|stage| finder.stage_operations(stage).1).collect();
    let moves = most_moves(stages, &sizes);
    let direct_moves = stages.iter().zip(&sizes).map(|(stage, sizes)| {
        let of_exit = |exit: &Exit| {
            let here = sizes[exit.slot as usize];
            match &exit.continuation {
                Continuation::Finish(_) | Continuation::Probe(..) | Continuation::Guard(_) => here,
                Continuation::Spread(spreads) => here * spreads.len() as u64,
                Continuation::Look | Continuation::Write => 0,
            }
        };
        stage.exits.iter().map(of_exit).sum()
    });
    let direct_moves = direct_moves.collect();
    Costs { stages: costs, surveys: finder.of_survey, moves, direct_moves }
}

struct CostFinder<'a> {
    squares: u64,
    patterns: &'a IdVec<Pattern, PatternCode>,
    /// For each table to how many squares it leads from one at most.
    widest: IdVec<Table, u64>,
    of_pattern: IdVec<Pattern, u64>,
    of_survey: Vec<u64>,
}

impl CostFinder<'_> {
    fn stage(&self, stage: &Stage, watches: &[Watch]) -> u64 {
        let asked = |exit: &Exit| {
            let feasible = exit.feasible.map_or(0, |survey| self.of_survey[survey as usize]);
            let watched = match &exit.continuation {
                Continuation::Guard(guard) => {
                    let watch = &watches[guard.watch as usize];
                    let anchor = watch.anchor.map_or(0, |it| self.of_survey[it.survey as usize]);
                    anchor.saturating_add(self.of_pattern[watch.pattern])
                }
                _ => 0,
            };
            feasible.saturating_add(watched)
        };
        let exits = stage.exits.iter().map(asked).fold(0, u64::saturating_add);
        let (operations, _) = self.stage_operations(stage);
        operations.saturating_add(exits)
    }

    /// The cost of a stage's operations, and how many squares each slot has at most in the end.
    fn stage_operations(&self, stage: &Stage) -> (u64, Vec<u64>) {
        let mut sizes = vec![0; stage.slots as usize];
        sizes[CURSOR as usize] = 1;
        let cost = self.operations(&stage.operations, &mut sizes);
        (cost, sizes)
    }

    fn survey(&self, survey: &Survey) -> u64 {
        let mut sizes = vec![self.squares; survey.slots as usize];
        self.operations(&survey.operations, &mut sizes)
    }

    /// The cost of operations, given how many squares each slot has at most, which is brought up to date.
    fn operations(&self, operations: &[Operation], sizes: &mut [u64]) -> u64 {
        let mut sum = 1_u64;
        let mut at = 0;
        while let Some(operation) = operations.get(at) {
            at += 1;
            let cost = match operation {
                Operation::Repeat(count) => {
                    let repeated = &operations[at..at + *count as usize];
                    at += *count as usize;
                    let mut written = BTreeSet::new();
                    for operation in repeated {
                        if let Operation::Transfer(transfer) = operation {
                            sizes[transfer.to as usize] = self.squares;
                            written.insert(transfer.to);
                        }
                    }
                    // Each round but the last adds a square to one of the slots that are written.
                    let rounds = self.squares * written.len() as u64 + 1;
                    self.operations(repeated, sizes).saturating_mul(rounds)
                }
                Operation::Transfer(transfer) => {
                    let (from, to) = (transfer.from as usize, transfer.to as usize);
                    let arrive = self.arriving(transfer.kind, sizes[from]);
                    let cost = self.kind_cost(transfer.kind, sizes[from]);
                    sizes[to] = (sizes[to] + arrive).min(self.squares);
                    cost
                }
                Operation::Along { to, .. } | Operation::AlongBack { to, .. } => {
                    sizes[*to as usize] = self.squares;
                    LINES
                }
                Operation::Skip(..) => 1,
            };
            sum = sum.saturating_add(cost);
        }
        sum
    }

    /// How many squares arrive at most from how many.
    fn arriving(&self, kind: TransferKind, from: u64) -> u64 {
        match kind {
            TransferKind::Same
            | TransferKind::On(_)
            | TransferKind::At(_)
            | TransferKind::Shift(_)
            | TransferKind::If(_)
            | TransferKind::IfEach(_)
            | TransferKind::Check(..)
            | TransferKind::CheckAll(..)
            | TransferKind::Except(_)
            | TransferKind::Jump(_) => from,
            TransferKind::Recall(_) => 1,
            TransferKind::Walk(table) => from * self.widest[table],
            TransferKind::Everywhere(_)
            | TransferKind::ShiftBack(_)
            | TransferKind::WalkBack(_)
            | TransferKind::FromEverywhere(_)
            | TransferKind::RecallBack(_) => self.squares,
        }
    }

    fn kind_cost(&self, kind: TransferKind, from: u64) -> u64 {
        match kind {
            TransferKind::Check(pattern, _) => {
                let often = if self.patterns[pattern].is_anywhere { 1 } else { from };
                self.of_pattern[pattern].saturating_mul(often)
            }
            TransferKind::CheckAll(pattern, _) => {
                let survey = self.patterns[pattern].survey;
                survey.map_or(0, |survey| self.of_survey[survey as usize])
            }
            TransferKind::IfEach(_) | TransferKind::Jump(_) => EXPRESSION * from,
            TransferKind::If(_) => EXPRESSION,
            TransferKind::Shift(_)
            | TransferKind::Walk(_)
            | TransferKind::ShiftBack(_)
            | TransferKind::WalkBack(_) => LINES,
            _ => 1,
        }
    }
}

/// How many moves can be found from each stage on; `None` where writes may follow each other without end.
fn most_moves(stages: &[Stage], sizes: &[Vec<u64>]) -> Vec<Option<u64>> {
    // Stages in an order in which each comes after those it leads to, as far as there is one.
    let mut open: Vec<usize> =
        stages.iter().map(|stage| stage.exits.iter().filter(leads_on).count()).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); stages.len()];
    for (number, stage) in stages.iter().enumerate() {
        for exit in stage.exits.iter().filter(leads_on) {
            before[exit.stage as usize].push(number);
        }
    }
    let mut most = vec![None; stages.len()];
    let mut ready: Vec<usize> = (0..stages.len()).filter(|&stage| open[stage] == 0).collect();
    while let Some(number) = ready.pop() {
        let stage = &stages[number];
        let of_exit = |exit: &Exit| {
            let here = sizes[number][exit.slot as usize];
            let behind = match &exit.continuation {
                Continuation::Finish(_) => 1,
                Continuation::Spread(spreads) => spreads.len() as u64,
                Continuation::Look
                | Continuation::Probe(..)
                | Continuation::Guard(_)
                | Continuation::Write => most[exit.stage as usize].unwrap_or(u64::MAX),
            };
            behind.saturating_mul(here)
        };
        most[number] = Some(stage.exits.iter().map(of_exit).fold(0, u64::saturating_add));
        for &earlier in &before[number] {
            open[earlier] -= 1;
            if open[earlier] == 0 {
                ready.push(earlier);
            }
        }
    }
    most
}

/// Whether what follows an exit is another stage of the same move.
fn leads_on(exit: &&Exit) -> bool {
    !matches!(exit.continuation, Continuation::Finish(_) | Continuation::Spread(_))
}
