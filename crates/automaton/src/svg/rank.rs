//! Ranks: how far along the drawing each node stands, so that nearly all arrows point forwards.

use super::graph::{ArrowId, Item, LayeredGraph};
use crate::ids::{Id, IdVec};

/// The rank of each node, and which arrows point backwards.
pub(super) struct Ranks {
    pub(super) rank: IdVec<Item, u32>,
    pub(super) backwards: IdVec<ArrowId, bool>,
}

/// Ranks the nodes: an arrow that closes a cycle of a depth-first search is turned round; then every node stands
/// behind all that lead to it, by the longest path, and is pulled towards what it leads to where that shortens arrows.
pub(super) fn rank(graph: &LayeredGraph) -> Ranks {
    let leaving = leaving(graph);
    let VisitOrder { finished, backwards } = search(graph, &leaving);
    // The reverse of the order of leaving is a topological order of the turned arrows.
    let order: Vec<Item> = finished.into_iter().rev().collect();
    let mut outs: IdVec<Item, Vec<Item>> = IdVec::filled(Vec::new(), graph.nodes.len());
    let mut ins: IdVec<Item, u32> = IdVec::filled(0, graph.nodes.len());
    for (arrow, ends) in graph.arrows.iter() {
        let (first, last) =
            if backwards[arrow] { (ends.to, ends.from) } else { (ends.from, ends.to) };
        outs[first].push(last);
        ins[last] += 1;
    }
    let mut rank = IdVec::filled(0, graph.nodes.len());
    for &node in &order {
        for &last in &outs[node] {
            rank[last] = rank[last].max(rank[node] + 1);
        }
    }
    // The first node stays where it is, at the beginning.
    for &node in order.iter().rev().filter(|node| node.index() != 0) {
        let nearest = outs[node].iter().map(|&last| rank[last]).min();
        if let Some(nearest) = nearest
            && outs[node].len() > ins[node] as usize
        {
            rank[node] = nearest - 1;
        }
    }
    Ranks { rank, backwards }
}

fn leaving(graph: &LayeredGraph) -> IdVec<Item, Vec<ArrowId>> {
    let mut leaving = IdVec::filled(Vec::new(), graph.nodes.len());
    for (arrow, ends) in graph.arrows.iter() {
        leaving[ends.from].push(arrow);
    }
    leaving
}

struct VisitOrder {
    /// The nodes in the order in which the search left them.
    finished: Vec<Item>,
    backwards: IdVec<ArrowId, bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    New,
    Open,
    Done,
}

fn search(graph: &LayeredGraph, leaving: &IdVec<Item, Vec<ArrowId>>) -> VisitOrder {
    let mut visits = IdVec::filled(VisitState::New, graph.nodes.len());
    let mut finished = Vec::with_capacity(graph.nodes.len());
    let mut backwards = IdVec::filled(false, graph.arrows.len());
    let mut calls: Vec<(Item, usize)> = Vec::new();
    for root in graph.nodes.keys() {
        if visits[root] == VisitState::New {
            visits[root] = VisitState::Open;
            calls.push((root, 0));
        }
        while let Some((node, next)) = calls.last_mut() {
            let node = *node;
            let Some(&arrow) = leaving[node].get(*next) else {
                visits[node] = VisitState::Done;
                finished.push(node);
                calls.pop();
                continue;
            };
            *next += 1;
            let target = graph.arrows[arrow].to;
            match visits[target] {
                VisitState::New => {
                    visits[target] = VisitState::Open;
                    calls.push((target, 0));
                }
                VisitState::Open => backwards[arrow] = true,
                VisitState::Done => {}
            }
        }
    }
    VisitOrder { finished, backwards }
}
