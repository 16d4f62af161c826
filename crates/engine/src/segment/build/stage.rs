//! One stage: what can be reached from a node without a write, as operations on slots and exits.
//!
//! Nodes that reach each other become a loop that is repeated, or a ray; tests behind a step become its guard. It relies on
//! the numbers of components: each has a greater one than those it leads to.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{IdVec, Node, Pattern};

use super::{Arc, Entry, SegmentBuilder};
use crate::segment::skips::insert_skips;
use crate::segment::{
    CURSOR, Continuation, Exit, Operation, Slot, Stage, Survey, Transfer, TransferKind,
};

/// A stage while it is built.
pub(super) struct StageBuilder<'a, 'b> {
    builder: &'b mut SegmentBuilder<'a>,
    stage_of: &'b IdVec<Node, Option<u32>>,
    survey_of: &'b IdVec<Pattern, Option<u32>>,
    surveys: &'b [Survey],
    entry: Entry,
    pub(super) arcs: Vec<Arc>,
    slot_of: BTreeMap<Node, Slot>,
    /// The slots that have a value already.
    defined: Vec<bool>,
    /// The slots that may hold many squares: those a walk from anywhere leads to, and what follows.
    wide: Vec<bool>,
    /// Where a check of a slot has succeeded.
    checked: BTreeMap<(Slot, Pattern), Slot>,
    operations: Vec<Operation>,
}

impl<'a, 'b> StageBuilder<'a, 'b> {
    pub(super) fn new(
        builder: &'b mut SegmentBuilder<'a>,
        stage_of: &'b IdVec<Node, Option<u32>>,
        survey_of: &'b IdVec<Pattern, Option<u32>>,
        surveys: &'b [Survey],
        entry: Entry,
    ) -> Self {
        StageBuilder {
            builder,
            stage_of,
            survey_of,
            surveys,
            entry,
            arcs: Vec::new(),
            slot_of: BTreeMap::from([(entry.node, CURSOR)]),
            defined: vec![true],
            wide: vec![false],
            checked: BTreeMap::new(),
            operations: Vec::new(),
        }
    }

    pub(super) fn build(mut self, nodes: &[Node]) -> Stage {
        self.join_tests(nodes);
        let component = |node: Node| self.builder.component[node];
        let mut arcs = std::mem::take(&mut self.arcs);
        // A component has a greater number than those it leads to.
        arcs.sort_by_key(|arc| std::cmp::Reverse(component(arc.from)));
        let parts: Vec<(Vec<Arc>, Vec<Arc>)> = arcs
            .chunk_by(|a, b| component(a.from) == component(b.from))
            .map(|arcs| arcs.iter().partition(|arc| component(arc.to) == component(arc.from)))
            .collect();
        for (loops, leaving) in &parts {
            self.component(loops, leaving);
        }
        let exits = self.exits(nodes);
        let accept = self.entry.accept.and_then(|accept| self.slot_of.get(&accept).copied());
        let writes_cursor = self.operations.iter().any(|operation| match operation {
            Operation::Transfer(transfer) => transfer.to == CURSOR,
            Operation::Along { to, .. } | Operation::AlongBack { to, .. } => *to == CURSOR,
            Operation::Repeat(_) | Operation::Skip(..) => false,
        });
        let slots = self.defined.len() as u32;
        Stage {
            operations: insert_skips(self.operations, slots),
            slots,
            exits,
            accept,
            keeps_cursor: !writes_cursor,
            watches: Vec::new(),
        }
    }

    /// The nodes reached without a write, and the arcs between them. Nothing goes on after acceptance.
    pub(super) fn region(&mut self) -> Vec<Node> {
        let automaton = self.builder.automaton;
        let mut nodes = vec![self.entry.node];
        let mut seen = BTreeSet::from([self.entry.node]);
        let mut index = 0;
        while let Some(&node) = nodes.get(index) {
            index += 1;
            if Some(node) == self.entry.accept {
                continue;
            }
            for edge in automaton.nodes[node].iter().filter(|edge| !edge.action.is_modifier()) {
                let kind = self.builder.transfer_kind(&edge.action);
                self.arcs.push(Arc { from: node, to: edge.target, kind, guard: None });
                if seen.insert(edge.target) {
                    nodes.push(edge.target);
                }
            }
        }
        nodes
    }

    /// Joins an arc with the test for a piece behind it, when nothing else leads to or from the node in between.
    fn join_tests(&mut self, nodes: &[Node]) {
        let mut ways_in: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
        let mut ways_out: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
        for (index, arc) in self.arcs.iter().enumerate() {
            ways_in.entry(arc.to).or_default().push(index);
            ways_out.entry(arc.from).or_default().push(index);
        }
        let mut gone = vec![false; self.arcs.len()];
        for &node in nodes.iter().filter(|&&node| node != self.entry.node) {
            let (Some(&[into]), Some(&[out])) =
                (ways_in.get(&node).map(Vec::as_slice), ways_out.get(&node).map(Vec::as_slice))
            else {
                continue;
            };
            let (way, test) = (self.arcs[into], self.arcs[out]);
            let has_exits = self.builder.automaton.nodes[node].len() > 1;
            if let TransferKind::On(set) = test.kind
                && !has_exits
                && test.guard.is_none()
                && way.guard.is_none()
                && !gone[into]
                && into != out
            {
                self.arcs[into] = Arc { guard: Some(set), to: test.to, ..way };
                gone[out] = true;
            }
        }
        let mut gone = gone.into_iter();
        self.arcs.retain(|_| !gone.next().unwrap_or(false));
    }

    /// The operations of nodes that reach each other, or of one that does not reach itself: first what stays among
    /// them, then what leaves.
    fn component(&mut self, loops: &[Arc], leaving: &[Arc]) {
        if !loops.is_empty() && !self.ray(loops) {
            self.operations.push(Operation::Repeat(loops.len() as u32));
            for arc in loops {
                self.transfer(*arc);
            }
        }
        for arc in leaving {
            match arc.kind {
                TransferKind::Check(pattern, expected) => self.check(*arc, pattern, expected),
                _ => self.transfer(*arc),
            }
        }
    }

    /// A check is made once for all edges of a node that make it: where it succeeds goes to a slot of its own.
    fn check(&mut self, arc: Arc, pattern: Pattern, expected: bool) {
        let from = self.slot(arc.from);
        let succeeds = match self.checked.get(&(from, pattern)) {
            Some(&succeeds) => succeeds,
            None => {
                let succeeds = self.new_slot();
                self.checked.insert((from, pattern), succeeds);
                let kind = match self.survey_of[pattern] {
                    Some(survey)
                        if self.wide[from as usize] || self.surveys[survey as usize].is_short =>
                    {
                        TransferKind::CheckAll(pattern, true)
                    }
                    _ => TransferKind::Check(pattern, true),
                };
                self.push(Transfer { from, to: succeeds, kind, guard: None });
                succeeds
            }
        };
        let to = self.slot(arc.to);
        let guard = arc.guard;
        self.push(if expected {
            Transfer { from: succeeds, to, kind: TransferKind::Same, guard }
        } else {
            Transfer { from, to, kind: TransferKind::Except(succeeds), guard }
        });
    }

    /// Writes a loop as rays when it is one: a step and a test in turn. Returns whether it was.
    fn ray(&mut self, loops: &[Arc]) -> bool {
        let (step, through) = match loops {
            // Standing on a, step to a square with a piece that lets pass, and so on.
            [arc] => match arc.guard {
                Some(through) if arc.from == arc.to => (*arc, through),
                _ => return false,
            },
            // The same, with a node between step and test where something else may happen.
            [one, other] => {
                let (step, test) = if matches!(one.kind, TransferKind::On(_)) {
                    (other, one)
                } else {
                    (one, other)
                };
                match (test.kind, test.guard, step.guard) {
                    (TransferKind::On(through), None, None)
                        if step.to == test.from && test.to == step.from && step.from != step.to =>
                    {
                        (*step, through)
                    }
                    _ => return false,
                }
            }
            _ => return false,
        };
        let Some(ray) = self.builder.ray(step.kind) else { return false };
        let standing = self.slot(step.from);
        let arrived = if loops.len() == 1 { self.new_slot() } else { self.slot(step.to) };
        let seeds_arrive = self.defined[arrived as usize];
        let seeds_stand = self.defined[standing as usize];
        self.defined[arrived as usize] = true;
        let seed = if seeds_arrive { self.take_seed(ray, arrived) } else { None };
        let mut along = |from, includes_start| {
            self.operations.push(Operation::Along {
                ray,
                from,
                to: arrived,
                through,
                includes_start,
            });
        };
        match seed {
            Some(from) => along(from, false),
            None if seeds_arrive => along(arrived, true),
            None => {}
        }
        if seeds_stand {
            along(standing, false);
        }
        let pass =
            Transfer { from: arrived, to: standing, kind: TransferKind::On(through), guard: None };
        self.operations.push(Operation::Transfer(pass));
        self.defined[standing as usize] = true;
        true
    }

    /// When a slot's squares have come there by one step of a ray and nothing else, takes that step back, so that lines begin
    /// before it; returns the slot where they do.
    fn take_seed(&mut self, ray: u32, arrived: Slot) -> Option<Slot> {
        let touches = |operation: &Operation| match operation {
            Operation::Transfer(transfer) => transfer.to == arrived || transfer.from == arrived,
            Operation::Along { from, to, .. } | Operation::AlongBack { from, to, .. } => {
                *to == arrived || *from == arrived
            }
            Operation::Repeat(_) | Operation::Skip(..) => false,
        };
        let mut touching = (0..self.operations.len()).filter(|&at| touches(&self.operations[at]));
        let (at, other) = (touching.next()?, touching.next());
        let Operation::Transfer(seed) = self.operations[at] else { return None };
        // What is repeated must stay together.
        let in_loop = self.operations[..at].iter().enumerate().any(|(start, operation)| {
            matches!(operation, Operation::Repeat(count) if at <= start + *count as usize)
        });
        if other.is_some() || in_loop || seed.guard.is_some() || seed.from == arrived {
            return None;
        }
        if self.builder.ray(seed.kind) != Some(ray) {
            return None;
        }
        self.operations.remove(at);
        Some(seed.from)
    }

    fn transfer(&mut self, arc: Arc) {
        let (from, to) = (self.slot(arc.from), self.slot(arc.to));
        self.push(Transfer { from, to, kind: arc.kind, guard: arc.guard });
    }

    fn push(&mut self, transfer: Transfer) {
        let Transfer { from, to, kind, .. } = transfer;
        self.defined[to as usize] = true;
        self.wide[to as usize] |= self.wide[from as usize]
            || match kind {
                TransferKind::Everywhere(_) => true,
                TransferKind::Walk(table) => self.builder.is_wide(table),
                _ => false,
            };
        self.operations.push(Operation::Transfer(transfer));
    }

    fn slot(&mut self, node: Node) -> Slot {
        if let Some(&slot) = self.slot_of.get(&node) {
            return slot;
        }
        let slot = self.new_slot();
        self.slot_of.insert(node, slot);
        slot
    }

    fn new_slot(&mut self) -> Slot {
        self.defined.push(false);
        self.wide.push(false);
        self.defined.len() as Slot - 1
    }

    /// The writes and ends of moves, each once: edges that share a modifier share a slot.
    fn exits(&mut self, nodes: &[Node]) -> Vec<Exit> {
        let automaton = self.builder.automaton;
        let mut exits: Vec<Exit> = Vec::new();
        let mut of_modifier = BTreeMap::new();
        let accept = self.entry.accept;
        for &node in nodes.iter().filter(|&&node| Some(node) != accept) {
            let Some(&slot) = self.slot_of.get(&node) else { continue };
            for edge in automaton.nodes[node].iter().filter(|edge| edge.action.is_modifier()) {
                let shared = edge.modifier.and_then(|modifier| of_modifier.get(&modifier).copied());
                if let Some(exit) = shared {
                    self.share_exit(&mut exits, exit, slot);
                    continue;
                }
                if let Some(modifier) = edge.modifier {
                    of_modifier.insert(modifier, exits.len());
                }
                exits.push(Exit {
                    slot,
                    action: edge.action.clone(),
                    modifier: edge.modifier,
                    stage: self.stage_of[edge.target].unwrap_or(0),
                    origin: edge.origin,
                    continuation: Continuation::Write,
                    feasible: None,
                });
            }
        }
        exits
    }

    /// Lets an exit happen on the squares of another slot too.
    fn share_exit(&mut self, exits: &mut [Exit], exit: usize, slot: Slot) {
        let both = self.new_slot();
        for from in [exits[exit].slot, slot] {
            let transfer = Transfer { from, to: both, kind: TransferKind::Same, guard: None };
            self.operations.push(Operation::Transfer(transfer));
        }
        exits[exit].slot = both;
    }
}
