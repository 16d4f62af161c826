//! From the automaton to the segment program.
//!
//! [`survey`] computes patterns backwards, [`stage`] builds the stages one by one; what all of them share is here.

mod stage;
mod survey;

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::analyses::{components, live_cursor};
use regulus_automaton::{
    Action, ActionKind, Automaton, Edge, Expression, IdVec, Lists, Node, Pattern, PieceSet,
    Relation, Square, SquareInfo, SquareSet, Table, WalkTable,
};

use self::stage::StageBuilder;
use self::survey::survey_patterns;
use super::interned::Interned;
use super::{
    Costs, Operation, Pair, PatternCode, Ray, Segments, TransferKind, continuation, feasible, watch,
};
use crate::plan::NotPlanned;

/// How many nodes and arcs all stages together may have, and one of them; beyond it the game is better walked.
const MAX_SIZE: usize = 100_000;
const MAX_STAGE: usize = 10_000;

/// A survey of at most this many instructions is as fast as asking for one square.
const SHORT: usize = 5;

/// From this many squares on a survey is worth it.
const MANY: usize = 12;

pub(super) fn build(automaton: &Automaton) -> Result<Segments, NotPlanned> {
    let mut builder = SegmentBuilder {
        automaton,
        component: components(&quiet_successors(automaton)),
        live_cursor: live_cursor(automaton),
        piece_sets: Interned::default(),
        square_sets: Interned::default(),
        pairs: Vec::new(),
        rays: Vec::new(),
        ray_of: BTreeMap::new(),
    };
    let entries = entries(automaton);
    let mut stage_of = IdVec::filled(None, automaton.nodes.len());
    for (number, entry) in entries.iter().enumerate() {
        stage_of[entry.node] = Some(number as u32);
    }
    let mut surveys = Vec::new();
    let survey_of = survey_patterns(&mut builder, &mut surveys);
    let mut stages = Vec::with_capacity(entries.len());
    let mut size = 0;
    for entry in &entries {
        let mut stage = StageBuilder::new(&mut builder, &stage_of, &survey_of, &surveys, *entry);
        let nodes = stage.region();
        let here = nodes.len() + stage.arcs.len();
        size += here;
        if size > MAX_SIZE || here > MAX_STAGE {
            let allowed = if size > MAX_SIZE { MAX_SIZE } else { MAX_STAGE };
            return Err(NotPlanned::TooLarge { allowed });
        }
        stages.push(stage.build(&nodes));
    }
    let patterns: IdVec<Pattern, PatternCode> = automaton
        .patterns
        .iter()
        .map(|(pattern, info)| PatternCode {
            survey: survey_of[pattern],
            stage: stage_of[info.start].unwrap_or(0),
            is_anywhere: !builder.live_cursor[info.start],
            is_quiet: is_quiet(automaton, info.start),
        })
        .collect();
    let mut finishes = continuation::decide(
        automaton,
        &mut stages,
        &builder.pairs,
        &builder.rays,
        &patterns,
        &mut builder.square_sets,
    );
    feasible::find(automaton, &mut stages, &builder.pairs, &builder.rays, &mut surveys);
    let watches = watch::watch(
        automaton,
        &mut stages,
        &patterns,
        &builder.piece_sets.items,
        &mut finishes,
        &builder.rays,
        &mut surveys,
    );
    Ok(Segments {
        stages,
        finishes: finishes.items,
        watches,
        stage_of,
        patterns,
        surveys,
        rays: builder.rays,
        piece_sets: builder.piece_sets.items,
        square_sets: builder.square_sets.items,
        pairs: builder.pairs,
        costs: Costs::default(),
    })
}

/// A node where a stage begins, and the accepting node of the pattern it lies in.
#[derive(Clone, Copy)]
struct Entry {
    node: Node,
    accept: Option<Node>,
}

fn entries(automaton: &Automaton) -> Vec<Entry> {
    let mut accept_of = IdVec::<Node, Option<Node>>::filled(None, automaton.nodes.len());
    let mut is_entry = IdVec::<Node, bool>::filled(false, automaton.nodes.len());
    is_entry[automaton.start] = true;
    for info in automaton.patterns.values() {
        is_entry[info.start] = true;
        let mut work = vec![info.start];
        while let Some(node) = work.pop() {
            if accept_of[node].replace(info.accept).is_none() {
                work.extend(automaton.nodes[node].iter().map(|edge| edge.target));
            }
        }
    }
    for (_, edge) in automaton.edges() {
        is_entry[edge.target] |= edge.action.is_modifier();
    }
    let entry = |node| Entry { node, accept: accept_of[node] };
    automaton.nodes.keys().filter(|&node| is_entry[node]).map(entry).collect()
}

fn quiet_successors(automaton: &Automaton) -> Lists<Node> {
    let quiet = automaton.nodes.values().map(|edges| {
        edges.iter().filter(|edge| !edge.action.is_modifier()).map(|edge| edge.target)
    });
    quiet.collect()
}

/// Whether nothing reachable from a node writes.
fn is_quiet(automaton: &Automaton, start: Node) -> bool {
    let mut seen = BTreeSet::from([start]);
    let mut work = vec![start];
    while let Some(node) = work.pop() {
        for edge in &automaton.nodes[node] {
            if edge.action.kind() == ActionKind::Write {
                return false;
            }
            if seen.insert(edge.target) {
                work.push(edge.target);
            }
        }
    }
    true
}

/// What all stages share.
struct SegmentBuilder<'a> {
    automaton: &'a Automaton,
    component: IdVec<Node, u32>,
    live_cursor: IdVec<Node, bool>,
    piece_sets: Interned<PieceSet>,
    square_sets: Interned<SquareSet>,
    pairs: Vec<Pair>,
    rays: Vec<Ray>,
    /// The ray of a step, by where the step leads; `None` if it has none.
    ray_of: BTreeMap<Vec<Option<Square>>, Option<u32>>,
}

impl SegmentBuilder<'_> {
    /// A check; one that only asks which piece is here is a test like any other.
    fn check_kind(&mut self, pattern: Pattern, expected: bool) -> TransferKind {
        let info = &self.automaton.patterns[pattern];
        let tested = |edge: &Edge| match &edge.action {
            Action::On(pieces) if edge.target == info.accept => Some(pieces.clone()),
            _ => None,
        };
        let edges = self.automaton.nodes[info.start].iter();
        let Some(tests) = edges.map(tested).collect::<Option<Vec<PieceSet>>>() else {
            return TransferKind::Check(pattern, expected);
        };
        if info.start == info.accept {
            return TransferKind::Check(pattern, expected);
        }
        let succeeds = |piece| tests.iter().any(|pieces| pieces.contains(piece));
        let all = self.automaton.pieces.keys();
        let passing: PieceSet = all.filter(|&piece| succeeds(piece) == expected).collect();
        TransferKind::On(self.piece_sets.number(&passing))
    }

    fn transfer_kind(&mut self, action: &Action) -> TransferKind {
        match action {
            Action::Skip => TransferKind::Same,
            Action::On(pieces) => TransferKind::On(self.piece_sets.number(pieces)),
            Action::At(squares) => TransferKind::At(self.square_sets.number(squares)),
            Action::Compare(left, relation, right) => {
                let each = left.mentions_cursor() || right.mentions_cursor();
                let pair = self.pair(left, *relation, right);
                if each { TransferKind::IfEach(pair) } else { TransferKind::If(pair) }
            }
            Action::Check(pattern) => self.check_kind(*pattern, true),
            Action::CheckNot(pattern) => self.check_kind(*pattern, false),
            Action::Shift(direction) => TransferKind::Shift(*direction),
            Action::Walk(table) => match &self.automaton.tables[*table] {
                WalkTable::Everywhere(squares) => TransferKind::Everywhere(
                    self.square_sets.number(&squares.iter().copied().collect()),
                ),
                WalkTable::PerSquare(_) => TransferKind::Walk(*table),
            },
            Action::Recall(register) => TransferKind::Recall(*register),
            Action::Jump(x, y) => TransferKind::Jump(self.pair(x, Relation::Equal, y)),
            // Writes and control are exits, never transfers.
            _ => TransferKind::Same,
        }
    }

    /// Whether a table leads to at least [`MANY`] squares, for which a check is better answered at once.
    fn is_wide(&self, table: Table) -> bool {
        let table = &self.automaton.tables[table];
        self.automaton.board.squares.keys().any(|square| table.targets(square).len() >= MANY)
    }

    /// About how many instructions operations on one word take.
    fn cost(&self, operations: &[Operation]) -> usize {
        let squares = &self.automaton.board.squares;
        let pieces = self.automaton.pieces.len();
        let strides = |pairs: &mut dyn Iterator<Item = (Square, Square)>| {
            pairs.map(|(from, to)| to.0 as i32 - from.0 as i32).collect::<BTreeSet<_>>().len()
        };
        let cost = |operation: &Operation| match operation {
            Operation::Transfer(transfer) => match transfer.kind {
                TransferKind::On(set) => {
                    let count = self.piece_sets.items[set as usize].len();
                    count.min(pieces - count)
                }
                TransferKind::Shift(direction) | TransferKind::ShiftBack(direction) => {
                    let step = |(from, info): (Square, &SquareInfo)| {
                        info.neighbours[direction].map(|to| (from, to))
                    };
                    strides(&mut squares.iter().filter_map(step))
                }
                TransferKind::Walk(table) | TransferKind::WalkBack(table) => {
                    let table = &self.automaton.tables[table];
                    let targets = |from| table.targets(from).iter().map(move |&to| (from, to));
                    strides(&mut squares.keys().flat_map(targets))
                }
                TransferKind::CheckAll(..)
                | TransferKind::Check(..)
                | TransferKind::IfEach(_)
                | TransferKind::Jump(_) => SHORT + 1,
                _ => 1,
            },
            _ => SHORT + 1,
        };
        operations.iter().map(cost).sum()
    }

    fn pair(&mut self, left: &Expression, relation: Relation, right: &Expression) -> u32 {
        self.pairs.push(Pair { left: left.clone(), relation, right: right.clone() });
        self.pairs.len() as u32 - 1
    }

    /// The ray along which a step leads, when it leads to one square at most and lines are in order.
    fn ray(&mut self, kind: TransferKind) -> Option<u32> {
        let squares = &self.automaton.board.squares;
        let step: Vec<Option<Square>> = match kind {
            TransferKind::Shift(direction) => {
                squares.values().map(|info| info.neighbours[direction]).collect()
            }
            TransferKind::Walk(table) => {
                let table = &self.automaton.tables[table];
                if squares.keys().any(|square| table.targets(square).len() > 1) {
                    return None;
                }
                squares.keys().map(|square| table.targets(square).first().copied()).collect()
            }
            _ => return None,
        };
        let next = self.rays.len() as u32;
        *self.ray_of.entry(step).or_insert_with_key(|step| {
            let ray = Ray::new(step)?;
            self.rays.push(ray);
            Some(next)
        })
    }
}

/// A quiet edge within a stage, possibly joined with the test behind it.
#[derive(Clone, Copy, PartialEq)]
struct Arc {
    from: Node,
    to: Node,
    kind: TransferKind,
    guard: Option<u32>,
}
