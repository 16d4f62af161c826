//! How soon a game can be in the same place of its rules again.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::Action;
use crate::draft::Draft;
use crate::ids::Node;

/// With more places than this where a player chooses, the answer is 1.
const MAX_PLACES: usize = 256;

/// The least number of moves after which a player can be in control at the same node again; at least 1, and 1 if the rules
/// are too large to tell.
#[must_use]
pub fn shortest_round(draft: &Draft) -> u32 {
    let places: BTreeSet<Node> = draft
        .edges()
        .filter(|(_, edge)| matches!(edge.action, Action::Turn(_)))
        .map(|(_, edge)| edge.target)
        .collect();
    if places.len() > MAX_PLACES {
        return 1;
    }
    let next: BTreeMap<Node, BTreeSet<Node>> =
        places.iter().map(|&place| (place, next_places(draft, place))).collect();
    let rounds = places.iter().filter_map(|&place| round(&next, place));
    rounds.min().unwrap_or(u32::MAX)
}

/// Where a player can be in control after one move from a node.
fn next_places(draft: &Draft, from: Node) -> BTreeSet<Node> {
    let mut next = BTreeSet::new();
    let mut seen = BTreeSet::from([from]);
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        for edge in &draft.nodes[node] {
            if let Action::Turn(_) = edge.action {
                next.insert(edge.target);
            } else if seen.insert(edge.target) {
                work.push(edge.target);
            }
        }
    }
    next
}

/// The length of the shortest way from a place to itself.
fn round(next: &BTreeMap<Node, BTreeSet<Node>>, place: Node) -> Option<u32> {
    let mut seen = BTreeSet::new();
    let mut reached = BTreeSet::from([place]);
    for length in 1.. {
        reached = reached.iter().flat_map(|from| &next[from]).copied().collect();
        if reached.contains(&place) {
            return Some(length);
        }
        reached.retain(|&node| seen.insert(node));
        if reached.is_empty() {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_count_the_moves_of_players() {
        let text = |rules: &str| {
            format!(
                "players white 100, black 100\npieces e\nboard square\n  a e (0, 0)\nrules n0\n{rules}"
            )
        };
        let round = |rules: &str| shortest_round(&text(rules).parse().expect("it can be read"));
        let turns = "n0: turn white #1 -> n1\nn1: keeper #2 -> n2\nn2: turn black #3 -> n3\n";
        assert_eq!(round(&format!("{turns}n3: keeper #4 -> n0")), 2);
        assert_eq!(round(&format!("{turns}n3: keeper #4 -> n2")), 1);
        assert_eq!(round(&format!("{turns}n3: keeper #4 -> n4\nn4:")), u32::MAX);
    }
}
