//! Passes: rewritings of the automaton that keep the game the same: its states with a player in control, their moves
//! and where these lead; and, where a game is over, the reason.
//!
//! Each pass is one function in one file that says whether it changed anything; [`PASSES`] lists them all, and
//! [`optimise`] repeats the list until nothing changes. Any of them can be left out by name, to find out which one is
//! to blame for something.

mod contract_skips;
mod decide_tests;
mod fold_walks;
mod merge_equal_nodes;
mod prune_dead_nodes;
mod share_prefixes;

pub use contract_skips::contract_skips;
pub use decide_tests::decide_tests;
pub use fold_walks::fold_walks;
pub use merge_equal_nodes::merge_equal_nodes;
pub use prune_dead_nodes::prune_dead_nodes;
pub use share_prefixes::share_prefixes;

use crate::draft::{Automaton, Draft};
use crate::ids::{IdVec, Node};

/// A pass with its name and purpose.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name it can be left out by.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Runs it; returns whether anything changed.
    pub run: fn(&mut Draft) -> bool,
}

/// All passes in the order they run in.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "contract-skips",
        about: "joins nodes between which nothing happens",
        run: contract_skips,
    },
    Pass {
        name: "decide-tests",
        about: "settles tests that always end the same way",
        run: decide_tests,
    },
    Pass {
        name: "prune-dead-nodes",
        about: "removes what cannot be part of a move",
        run: prune_dead_nodes,
    },
    Pass {
        name: "merge-equal-nodes",
        about: "joins nodes with the same continuations",
        run: merge_equal_nodes,
    },
    Pass {
        name: "share-prefixes",
        about: "takes an action common to alternatives once",
        run: share_prefixes,
    },
    Pass {
        name: "fold-walks",
        about: "computes stretches that only walk beforehand",
        run: fold_walks,
    },
];

/// Which passes [`optimise`] runs.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The names of the passes to leave out.
    pub without: Vec<String>,
}

/// How often the list of passes is repeated at most. Games of the public collections need three rounds or fewer.
const ROUNDS: usize = 8;

/// With more pairs of an edge and a square than this, or more edges, there are only two rounds: each may take long.
const LARGE: usize = 2_000_000;
const MANY_EDGES: usize = 20_000;

/// Runs the passes until none changes anything.
#[must_use]
pub fn optimise(automaton: Automaton, config: &Config) -> Automaton {
    let mut draft = automaton.into_draft();
    let edges = draft.edge_count();
    let is_large = edges > MANY_EDGES || edges * draft.board.squares.len() > LARGE;
    let chosen: Vec<&Pass> =
        PASSES.iter().filter(|pass| config.without.iter().all(|name| name != pass.name)).collect();
    let rounds = if is_large { 2 } else { ROUNDS };
    // When every pass in a row has found nothing to do, none of them ever will.
    let mut idle = 0;
    for pass in chosen.iter().cycle().take(rounds * chosen.len()) {
        idle = if (pass.run)(&mut draft) { 0 } else { idle + 1 };
        debug_assert!(
            draft.clone().verify().is_ok(),
            "{} broke the automaton:\n{draft}",
            pass.name
        );
        if idle == chosen.len() {
            break;
        }
    }
    draft.verify().expect("passes keep the invariants")
}

/// How many edges lead to each node; being the start of the rules, an end of a pattern or
/// where repetition leads counts as one more.
fn in_degrees(draft: &Draft) -> IdVec<Node, u32> {
    let mut degrees = IdVec::filled(0, draft.nodes.len());
    degrees[draft.start] += 1;
    for pattern in draft.patterns.values() {
        degrees[pattern.start] += 1;
        degrees[pattern.accept] += 1;
    }
    if let Some(repetition) = &draft.repetition {
        degrees[repetition.over] += 1;
    }
    for (_, edge) in draft.edges() {
        degrees[edge.target] += 1;
    }
    degrees
}

/// Replaces nodes everywhere. Where several nodes with a reason become one, the reason of the first stays; passes do not
/// let this happen to nodes with different reasons.
fn rename_nodes(draft: &mut Draft, renamed: impl Fn(Node) -> Node) {
    for edges in draft.nodes.values_mut() {
        for edge in edges {
            edge.target = renamed(edge.target);
        }
    }
    for pattern in draft.patterns.values_mut() {
        pattern.start = renamed(pattern.start);
        pattern.accept = renamed(pattern.accept);
    }
    draft.start = renamed(draft.start);
    for (node, reason) in std::mem::take(&mut draft.endings.at) {
        draft.endings.at.entry(renamed(node)).or_insert(reason);
    }
    if let Some(repetition) = &mut draft.repetition {
        repetition.over = renamed(repetition.over);
    }
}

/// Text in, text out: what the tests of all passes share.
#[cfg(test)]
mod testing {
    use crate::draft::Draft;

    /// A strip of three squares; `p` to `r`, joined by `left` and `right`; `up` leads nowhere.
    const DECLARATIONS: &str = "
        players white 100, black 100
        variables turn 5
        pieces e, w, b
        directions left, right, up
        board square
          p w (0, 0) right=q
          q e (1, 0) left=p right=r
          r b (2, 0) left=q
    ";

    pub(super) fn parse(rules: &str) -> Draft {
        match format!("{DECLARATIONS}\n{rules}").parse() {
            Ok(draft) => draft,
            Err(errors) => panic!("{errors}"),
        }
    }

    /// Runs a pass and compares; a pass that says nothing changed must not have changed anything, and the other way
    /// round, and what comes out is well-formed.
    #[track_caller]
    pub(super) fn check(pass: fn(&mut Draft) -> bool, before: &str, after: &str) {
        let (before, after) = (parse(before), parse(after));
        let mut draft = before.clone();
        let changed = pass(&mut draft);
        assert_eq!(draft.to_string(), after.to_string());
        assert_eq!(changed, before != after, "the pass says whether it changed anything");
        if let Err(violations) = draft.verify() {
            panic!("{violations}");
        }
    }
}
