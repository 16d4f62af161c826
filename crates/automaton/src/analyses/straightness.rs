//! Straightness: how many writes there may be between two switches.
//!
//! RBG defines it for its texts, where `lang` computes it; here it is computed from the automaton, for games of all
//! languages. On the automaton of an RBG text, as lowered, both come to the same, except that dots leave no trace in it.

use crate::action::{Action, ActionKind};
use crate::analyses::components;
use crate::draft::Draft;
use crate::ids::{IdVec, Node};
use crate::lists::Lists;

/// The four bounds; each says how many writes a path may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Straightness {
    /// Over all segments, those inside checks included.
    pub applicational: WriteCount,
    /// Over all segments.
    pub main: WriteCount,
    /// Over complete moves of players.
    pub moves: WriteCount,
    /// Over complete moves of players that are also cut at dots, which only RBG has.
    pub semimoves: WriteCount,
}

/// The greatest number of writes on the paths of some kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WriteCount {
    /// There is no such path.
    None,
    /// The number.
    Finite(u64),
    /// There is no bound.
    Unbounded,
}

impl WriteCount {
    /// For a path without writes.
    pub const ZERO: WriteCount = WriteCount::Finite(0);

    /// For paths made of one of these and one of those.
    #[must_use]
    pub fn plus(self, other: WriteCount) -> WriteCount {
        match (self, other) {
            (WriteCount::None, _) | (_, WriteCount::None) => WriteCount::None,
            (WriteCount::Finite(left), WriteCount::Finite(right)) => {
                WriteCount::Finite(left.saturating_add(right))
            }
            _ => WriteCount::Unbounded,
        }
    }
}

/// The bounds of a game; there are no dots in an automaton, so the last two are equal.
#[must_use]
pub fn straightness(draft: &Draft) -> Straightness {
    let control = |edge: &&crate::draft::Edge| edge.action.kind() == ActionKind::Control;
    let greatest = |counts: &IdVec<Node, WriteCount>, turns_only: bool| {
        let begins = |action: &Action| !turns_only || matches!(action, Action::Turn(_));
        let edges = draft.edges().map(|(_, edge)| edge).filter(control);
        let behind = edges.filter(|edge| begins(&edge.action)).map(|edge| counts[edge.target]);
        let first = (!turns_only).then(|| counts[draft.start]);
        behind.chain(first).max().unwrap_or(WriteCount::None)
    };
    let all = |checks: bool| greatest(&writes_ahead(draft, checks, true), false);
    let moves = greatest(&writes_ahead(draft, false, false), true);
    Straightness { applicational: all(true), main: all(false), moves, semimoves: moves }
}

/// The greatest number of writes from each node to the next switch; also into checks if these count, and to where nothing
/// follows if ends do.
fn writes_ahead(draft: &Draft, checks: bool, ends: bool) -> IdVec<Node, WriteCount> {
    let is_write = |action: &Action| action.kind() == ActionKind::Write;
    let is_control = |action: &Action| action.kind() == ActionKind::Control;
    let inside = |action: &Action| {
        let pattern = action.pattern().filter(|_| checks)?;
        Some(draft.patterns[pattern].start)
    };
    let successors: Lists<Node> = draft
        .nodes
        .values()
        .map(|edges| {
            let on = edges.iter().filter(|edge| !is_control(&edge.action)).map(|edge| edge.target);
            on.chain(edges.iter().filter_map(|edge| inside(&edge.action)))
        })
        .collect();
    // Nodes that reach each other have the same count: without writes between them it costs nothing to go round, and with
    // one there is no bound. A component comes after those that it leads to.
    let component = components(&successors);
    let mut members: Vec<Vec<Node>> = Vec::new();
    for (node, &number) in component.iter() {
        let number = number as usize;
        members.resize(members.len().max(number + 1), Vec::new());
        members[number].push(node);
    }
    let mut accepts = IdVec::filled(false, draft.nodes.len());
    draft.patterns.values().for_each(|pattern| accepts[pattern.accept] = true);
    let mut counts: Vec<WriteCount> = Vec::with_capacity(members.len());
    for (number, nodes) in members.iter().enumerate() {
        let (mut count, mut goes_round) = (WriteCount::None, false);
        for &node in nodes {
            if accepts[node] || (ends && draft.nodes[node].is_empty()) {
                count = count.max(WriteCount::ZERO);
            }
            for edge in &draft.nodes[node] {
                if is_control(&edge.action) {
                    count = count.max(WriteCount::ZERO);
                    continue;
                }
                let cost = WriteCount::Finite(u64::from(is_write(&edge.action)));
                match component[edge.target] as usize {
                    target if target == number => goes_round |= cost != WriteCount::ZERO,
                    target => count = count.max(counts[target].plus(cost)),
                }
                if let Some(start) = inside(&edge.action) {
                    count = count.max(counts[component[start] as usize]);
                }
            }
        }
        counts.push(if goes_round { count.plus(WriteCount::Unbounded) } else { count });
    }
    component.values().map(|&number| counts[number as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(rules: &str) -> [WriteCount; 3] {
        let text = format!(
            "players white 100, black 100\npieces e, w\nboard square\n  a e (0, 0)\nrules n0\n{rules}"
        );
        let draft: Draft = text.parse().expect("it can be read");
        let Straightness { applicational, main, moves, .. } = straightness(&draft);
        [applicational, main, moves]
    }

    #[test]
    fn the_longest_way_between_two_switches_counts() {
        let rules = "n0: put w #1 -> n1\nn1: turn white #2 -> n2\n\
                     n2: put w #3 -> n3\n  skip -> n4\nn3: put e #4 -> n4\nn4: keeper #5 -> n5\nn5:";
        assert_eq!(bounds(rules), [2, 2, 2].map(WriteCount::Finite));
        let keeper =
            rules.replace("n5:", "n5: put e #6 -> n6\nn6: put e #7 -> n7\nn7: put w #8 -> n8\nn8:");
        assert_eq!(bounds(&keeper), [3, 3, 2].map(WriteCount::Finite));
    }

    #[test]
    fn loops_with_writes_have_no_bound_unless_nothing_follows() {
        let rules =
            |back: &str| format!("n0: turn white #1 -> n1\nn1: {back} -> n1\n  keeper #3 -> n0");
        assert_eq!(bounds(&rules("put w #2")), [WriteCount::Unbounded; 3]);
        assert_eq!(bounds(&rules("skip")), [0, 0, 0].map(WriteCount::Finite));
        let dead = "n0: turn white #1 -> n1\nn1: put w #2 -> n1";
        assert_eq!(bounds(dead), [WriteCount::ZERO, WriteCount::ZERO, WriteCount::None]);
    }
}
