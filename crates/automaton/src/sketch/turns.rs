//! An automaton folded by turn: what lies between two control actions.
//!
//! A turn begins where a control action leads, or where the rules begin, and holds every node that is reached from there without
//! another control action; so turns may share nodes. Turns of the keeper that come after the same turns and lead to the same ones
//! are one turn here: in chess-like games there is one for each kind of piece.

use std::collections::{BTreeMap, BTreeSet};

use super::{Actor, ArrowRole, role};
use crate::action::Action;
use crate::draft::{Draft, Edge};
use crate::ids::{IdSet, IdVec, Node, PieceSet, Variable};
use crate::text::names::Vocabulary;

/// The most places where turns begin, and the most edges that are followed from them.
const MAX_ENTRIES: usize = 500;
const MAX_WORK: usize = 4_000_000;

/// All turns, in the order in which they are reached.
pub(super) struct TurnFolds {
    pub(super) turns: Vec<TurnFold>,
    /// Whether there are more.
    pub(super) is_cut: bool,
}

/// A turn, or several alike.
#[derive(Clone, Default)]
pub(super) struct TurnFold {
    /// Who acts in it.
    pub(super) actors: BTreeSet<Actor>,
    /// Where it begins.
    pub(super) entries: Vec<Node>,
    /// The nodes it holds.
    pub(super) nodes: IdSet<Node>,
    /// The pieces it puts.
    pub(super) puts: PieceSet,
    /// The variables it changes.
    pub(super) changes: BTreeSet<Variable>,
    /// The nodes that its control actions lead to, and who acts there.
    leaves: BTreeSet<(Node, Actor)>,
    /// The nodes without edges in it.
    pub(super) ends: Vec<Node>,
}

pub(super) fn is_control(edge: &Edge) -> bool {
    matches!(role(&edge.action), ArrowRole::Control(_))
}

impl TurnFolds {
    pub(super) fn of(draft: &Draft) -> TurnFolds {
        let entries = entries(draft);
        let mut is_cut = entries.len() > MAX_ENTRIES;
        let mut work = MAX_WORK;
        let mut turns = Vec::new();
        for (entry, actors) in entries.into_iter().take(MAX_ENTRIES) {
            let Some(turn) = TurnFold::new(draft, entry, actors, &mut work) else {
                is_cut = true;
                break;
            };
            turns.push(turn);
        }
        TurnFolds { turns: merged(draft, turns), is_cut }
    }

    /// The number of the first turn that holds each node; `None` if no turn does.
    pub(super) fn of_node(&self, draft: &Draft) -> IdVec<Node, Option<usize>> {
        let mut turns = IdVec::filled(None, draft.nodes.len());
        for (number, turn) in (1..).zip(&self.turns) {
            for node in turn.nodes.iter() {
                turns[node] = turns[node].or(Some(number));
            }
        }
        turns
    }

    /// For each turn the indices of those that follow it, and who acts there.
    pub(super) fn next(&self) -> Vec<BTreeSet<(usize, Actor)>> {
        let numbered = self.turns.iter().enumerate();
        let begins: BTreeMap<Node, usize> = numbered
            .flat_map(|(index, turn)| turn.entries.iter().map(move |&entry| (entry, index)))
            .collect();
        let next = |turn: &TurnFold| {
            let leaves = turn.leaves.iter();
            leaves.filter_map(|(node, actor)| Some((*begins.get(node)?, *actor))).collect()
        };
        self.turns.iter().map(next).collect()
    }
}

impl TurnFold {
    /// The turn that begins at a node; `None` if it is too much work.
    fn new(
        draft: &Draft,
        entry: Node,
        actors: BTreeSet<Actor>,
        work: &mut usize,
    ) -> Option<TurnFold> {
        let mut turn = TurnFold { actors, entries: vec![entry], ..TurnFold::default() };
        turn.nodes.insert(entry);
        let mut open = vec![entry];
        while let Some(node) = open.pop() {
            let edges = &draft.nodes[node];
            *work = work.checked_sub(edges.len() + 1)?;
            if edges.is_empty() {
                turn.ends.push(node);
            }
            for edge in edges.iter().filter(|edge| draft.nodes.contains(edge.target)) {
                match role(&edge.action) {
                    ArrowRole::Control(actor) => {
                        turn.leaves.insert((edge.target, actor));
                    }
                    _ if turn.nodes.insert(edge.target) => open.push(edge.target),
                    _ => {}
                }
            }
            edges.iter().for_each(|edge| turn.note(&edge.action, draft));
        }
        Some(turn)
    }

    fn note(&mut self, action: &Action, draft: &Draft) {
        match action {
            Action::Put(piece) if draft.pieces.contains(*piece) => {
                self.puts.insert(*piece);
            }
            Action::Assign(variable, _) => {
                self.changes.insert(*variable);
            }
            _ => {}
        }
    }

    /// Who acts, in words.
    pub(super) fn acts(&self, names: &Vocabulary<'_>) -> String {
        let acts = |actor: &Actor| match actor {
            Actor::Keeper => "the keeper acts".to_owned(),
            Actor::Player(player) => format!("{} moves", names.players.spell(*player)),
        };
        self.actors.iter().map(acts).collect::<Vec<String>>().join(", or ")
    }

    /// The player or keeper who acts in it, if it is one only.
    pub(super) fn actor(&self) -> Option<Actor> {
        let mut actors = self.actors.iter();
        actors.next().copied().filter(|_| actors.next().is_none())
    }

    fn add(&mut self, other: TurnFold) {
        self.entries.extend(other.entries);
        self.nodes.extend_from(&other.nodes);
        self.puts.extend_from(&other.puts);
        self.changes.extend(other.changes);
        self.leaves.extend(other.leaves);
        self.ends.extend(other.ends);
        self.ends.sort_unstable();
        self.ends.dedup();
    }
}

/// Where turns begin, in the order in which they are reached, with who acts there.
fn entries(draft: &Draft) -> Vec<(Node, BTreeSet<Actor>)> {
    let mut actors: BTreeMap<Node, BTreeSet<Actor>> = BTreeMap::new();
    let mut order = Vec::new();
    let mut seen: IdSet<Node> = IdSet::new();
    let mut nodes = Vec::new();
    if draft.nodes.contains(draft.start) {
        actors.entry(draft.start).or_default().insert(Actor::Keeper);
        order.push(draft.start);
        seen.insert(draft.start);
        nodes.push(draft.start);
    }
    let mut next = 0;
    while let Some(&node) = nodes.get(next) {
        next += 1;
        for edge in draft.nodes[node].iter().filter(|edge| draft.nodes.contains(edge.target)) {
            if let ArrowRole::Control(actor) = role(&edge.action) {
                let known = actors.entry(edge.target).or_default();
                if known.is_empty() {
                    order.push(edge.target);
                }
                known.insert(actor);
            }
            if seen.insert(edge.target) {
                nodes.push(edge.target);
            }
        }
    }
    order.into_iter().map(|node| (node, actors.remove(&node).unwrap_or_default())).collect()
}

/// Where a turn comes from and where it leads; turns that agree in it are alike.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TurnNeighbours {
    before: BTreeSet<Node>,
    after: BTreeSet<(Node, Actor)>,
    /// Whether games may end in it.
    ends: bool,
}

/// Joins the turns of the keeper that come after the same turns and lead to the same ones, except the first of all.
fn merged(draft: &Draft, turns: Vec<TurnFold>) -> Vec<TurnFold> {
    let mut before: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
    for turn in &turns {
        for &(next, _) in &turn.leaves {
            before.entry(next).or_default().extend(&turn.entries);
        }
    }
    let mut known: BTreeMap<TurnNeighbours, usize> = BTreeMap::new();
    let mut merged: Vec<TurnFold> = Vec::new();
    for turn in turns {
        let begins_the_game = turn.entries.contains(&draft.start);
        let can_be_joined = turn.actor() == Some(Actor::Keeper) && !begins_the_game;
        let key = TurnNeighbours {
            before: turn
                .entries
                .iter()
                .filter_map(|entry| before.get(entry))
                .flatten()
                .copied()
                .collect(),
            after: turn.leaves.clone(),
            ends: !turn.ends.is_empty(),
        };
        match known.get(&key) {
            Some(&first) if can_be_joined => merged[first].add(turn),
            _ => {
                if can_be_joined {
                    known.insert(key, merged.len());
                }
                merged.push(turn);
            }
        }
    }
    merged
}
