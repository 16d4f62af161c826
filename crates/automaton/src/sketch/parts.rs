//! The parts of a drawing that shows nodes and edges.

use std::collections::BTreeSet;

use super::turns::{TurnFold, TurnFolds, is_control};
use super::{PartKind, SketchPart};
use crate::draft::Draft;
use crate::ids::{IdVec, Node, Pattern};
use crate::text::names::Vocabulary;

/// Collects parts; a node that is in one is in no other.
struct PartBuilder<'a> {
    draft: &'a Draft,
    names: Vocabulary<'a>,
    taken: IdVec<Node, bool>,
    parts: Vec<SketchPart>,
}

/// The rules, every pattern, and what neither can reach.
pub(super) fn whole(draft: &Draft) -> Vec<SketchPart> {
    let mut builder = PartBuilder::new(draft);
    let roots = vec![draft.start];
    builder.add(PartKind::Rules, "rules".to_owned(), Some(draft.start), BTreeSet::new(), roots);
    builder.patterns(draft.patterns.keys());
    builder.rest();
    builder.parts
}

/// Every turn, every pattern, and what neither can reach.
pub(super) fn by_turn(draft: &Draft, folds: &TurnFolds) -> Vec<SketchPart> {
    let mut builder = PartBuilder::new(draft);
    for (number, turn) in (1..).zip(&folds.turns) {
        builder.turn(turn, number);
    }
    builder.patterns(draft.patterns.keys());
    builder.rest();
    builder.parts
}

/// One turn and the patterns that it checks, and those that they check.
pub(super) fn of_turn(draft: &Draft, turn: &TurnFold, number: usize) -> Vec<SketchPart> {
    let mut builder = PartBuilder::new(draft);
    builder.turn(turn, number);
    let mut part = 0;
    let mut known = BTreeSet::new();
    while let Some(found) = builder.parts.get(part) {
        part += 1;
        let edges = found.nodes.iter().flat_map(|&node| &draft.nodes[node]);
        let checked: BTreeSet<Pattern> = edges.filter_map(|edge| edge.action.pattern()).collect();
        let new: Vec<Pattern> = checked.difference(&known).copied().collect();
        known.extend(checked);
        builder.patterns(new.into_iter());
    }
    builder.parts
}

impl<'a> PartBuilder<'a> {
    fn new(draft: &'a Draft) -> PartBuilder<'a> {
        let taken = IdVec::filled(false, draft.nodes.len());
        PartBuilder { draft, names: Vocabulary::of(draft), taken, parts: Vec::new() }
    }

    /// Adds what is reached from the roots, as far as it exists and is not taken yet.
    fn add(
        &mut self,
        kind: PartKind,
        caption: String,
        start: Option<Node>,
        accepts: BTreeSet<Node>,
        roots: Vec<Node>,
    ) {
        let mut nodes = Vec::new();
        let mut next = 0;
        for root in roots {
            self.take(root, &mut nodes);
            while let Some(&node) = nodes.get(next) {
                next += 1;
                let draft = self.draft;
                let goes_on = |edge: &&_| kind != PartKind::Turn || !is_control(edge);
                for edge in draft.nodes[node].iter().filter(goes_on) {
                    self.take(edge.target, &mut nodes);
                }
            }
        }
        if !nodes.is_empty() {
            self.parts.push(SketchPart { kind, caption, nodes, start, accepts });
        }
    }

    fn take(&mut self, node: Node, nodes: &mut Vec<Node>) {
        if self.taken.contains(node) && !std::mem::replace(&mut self.taken[node], true) {
            nodes.push(node);
        }
    }

    fn turn(&mut self, turn: &TurnFold, number: usize) {
        let caption = format!("turn {number}: {}", turn.acts(&self.names));
        let start = turn.entries.contains(&self.draft.start).then_some(self.draft.start);
        self.add(PartKind::Turn, caption, start, BTreeSet::new(), turn.entries.clone());
    }

    fn patterns(&mut self, patterns: impl Iterator<Item = Pattern>) {
        let draft = self.draft;
        for (pattern, info) in
            patterns.filter_map(|pattern| Some((pattern, draft.patterns.get(pattern)?)))
        {
            let caption = format!("pattern {pattern}");
            let roots = vec![info.start, info.accept];
            let accepts = BTreeSet::from([info.accept]);
            self.add(PartKind::Pattern, caption, Some(info.start), accepts, roots);
        }
    }

    fn rest(&mut self) {
        let caption = "unreachable".to_owned();
        let roots = self.draft.nodes.keys().collect();
        self.add(PartKind::Unreachable, caption, None, BTreeSet::new(), roots);
    }
}
