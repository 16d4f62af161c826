//! The layered layout of a graph: ranks, then layers with labels and bends, their order, their heights, their columns.
//!
//! Nodes of one rank share a layer. Between two such layers lies one for labels, so that every label has a place of its
//! own; a longer arrow bends in each layer it passes. Everything is near-linear in nodes and arrows: arrows so long that
//! their bends would outnumber the rest become stubs.

use super::graph::{ArrowId, Extent, Graph, Item, Layer, Way};
use super::order::{self, Neighbours};
use super::place::{self, Placed};
use super::rank::{self, Ranks};
use crate::ids::{Id, IdVec};

/// The space between layers, at least and at most; steep lines need more.
const GAPS: (f64, f64) = (26.0, 110.0);

/// A graph with a place for everything.
pub(super) struct Layout {
    pub(super) items: IdVec<Item, Spot>,
    pub(super) ways: IdVec<ArrowId, Way>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The place of an item: its centre, and from where to where its layer reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) left: f64,
    pub(super) right: f64,
}

/// Lays a graph out; a stub takes as much space as given.
pub(super) fn layout(graph: &Graph, stub: Extent) -> Layout {
    let ranks = rank::rank(graph);
    let mut builder = Builder::new(graph, &ranks);
    let stubs = too_long(graph, &ranks);
    let ways: IdVec<ArrowId, Way> =
        graph.arrows.keys().map(|arrow| builder.way(arrow, stubs[arrow].then_some(stub))).collect();
    let Builder { items, mut layers, neighbours, .. } = builder;
    order::order(&mut layers, &neighbours);
    let (heights, height) = place::heights(&layers, &items, &neighbours);
    let (items, width) = columns(&layers, &items, &neighbours, &heights);
    Layout { items, ways, width, height }
}

/// The arrows that would need more bends than there are for all; short ones are served first.
fn too_long(graph: &Graph, ranks: &Ranks) -> IdVec<ArrowId, bool> {
    let mut bends_left = 2_000 + 8 * (graph.nodes.len() + graph.arrows.len());
    let span = |arrow: ArrowId| {
        let ends = graph.arrows[arrow];
        ranks.rank[ends.from].abs_diff(ranks.rank[ends.to]) as usize
    };
    let mut by_span: Vec<ArrowId> = graph.arrows.keys().collect();
    by_span.sort_by_key(|&arrow| span(arrow));
    let mut too_long = IdVec::filled(false, graph.arrows.len());
    for arrow in by_span {
        match bends_left.checked_sub(2 * span(arrow)) {
            Some(left) => bends_left = left,
            None => too_long[arrow] = true,
        }
    }
    too_long
}

struct Builder<'a> {
    graph: &'a Graph,
    ranks: &'a Ranks,
    items: IdVec<Item, Placed>,
    layers: IdVec<Layer, Vec<Item>>,
    neighbours: IdVec<Item, Neighbours>,
}

impl<'a> Builder<'a> {
    fn new(graph: &'a Graph, ranks: &'a Ranks) -> Builder<'a> {
        let items = graph.nodes.values().map(|&extent| Placed { extent, is_node: true }).collect();
        let last = ranks.rank.values().max().copied().unwrap_or(0);
        // A stub may stand one rank behind the last node.
        let layers = Layer::of_rank(last + 1).index() + 1;
        let mut builder = Builder {
            graph,
            ranks,
            items,
            layers: IdVec::filled(Vec::new(), layers),
            neighbours: IdVec::filled(Neighbours::default(), graph.nodes.len()),
        };
        for node in graph.nodes.keys() {
            builder.layers[Layer::of_rank(ranks.rank[node])].push(node);
        }
        builder
    }

    fn add(&mut self, layer: Layer, placed: Placed) -> Item {
        self.layers[layer].push(Item::from_index(self.items.len()));
        self.neighbours.push(Neighbours::default());
        self.items.push(placed)
    }

    /// Adds the label and the bends of an arrow, or its label and a stub.
    fn way(&mut self, arrow: ArrowId, stub: Option<Extent>) -> Way {
        let ends = self.graph.arrows[arrow];
        let from_rank = self.ranks.rank[ends.from];
        let from = Layer::of_rank(from_rank);
        let (end, to, backwards) = match stub {
            Some(extent) => {
                let to = Layer::of_rank(from_rank + 1);
                (self.add(to, Placed { extent, is_node: true }), to, false)
            }
            None => {
                let to = Layer::of_rank(self.ranks.rank[ends.to]);
                (ends.to, to, self.ranks.backwards[arrow])
            }
        };
        let passed: Vec<Layer> = if backwards {
            Layer::between(to, from).rev().collect()
        } else {
            Layer::between(from, to).collect()
        };
        let bend = Extent { width: 0.0, above: 0.0, below: 0.0 };
        // The label comes first: what can be done is read where one stands.
        let extents = std::iter::once(ends.label).chain(std::iter::repeat(bend));
        let items: Vec<Item> = passed
            .into_iter()
            .zip(extents)
            .map(|(layer, extent)| self.add(layer, Placed { extent, is_node: false }))
            .collect();
        self.join(ends.from, &items, end, backwards);
        // There is a layer between any two layers of nodes.
        let label = items.first().copied().unwrap_or(end);
        Way { items, label, end, backwards }
    }

    fn join(&mut self, from: Item, items: &[Item], end: Item, backwards: bool) {
        let mut previous = from;
        for &item in items.iter().chain([&end]) {
            let (left, right) = if backwards { (item, previous) } else { (previous, item) };
            self.neighbours[left].right.push(right);
            self.neighbours[right].left.push(left);
            previous = item;
        }
    }
}

/// The places of all items when their heights are known; and the total width.
fn columns(
    layers: &IdVec<Layer, Vec<Item>>,
    items: &IdVec<Item, Placed>,
    neighbours: &IdVec<Item, Neighbours>,
    heights: &IdVec<Item, f64>,
) -> (IdVec<Item, Spot>, f64) {
    let nowhere = Spot { x: 0.0, y: 0.0, left: 0.0, right: 0.0 };
    let mut spots = IdVec::filled(nowhere, items.len());
    let mut left = 0.0;
    let mut end = 0.0;
    for layer in layers.values().filter(|layer| !layer.is_empty()) {
        let width = layer.iter().map(|&item| items[item].extent.width).fold(0.0, f64::max);
        let right = left + width;
        let mut steepest = 0.0_f64;
        for &item in layer {
            let y = heights[item];
            spots[item] = Spot { x: left + width / 2.0, y, left, right };
            for &next in &neighbours[item].right {
                steepest = steepest.max((heights[next] - y).abs());
            }
        }
        end = right;
        left = right + (GAPS.0 + 0.12 * steepest).min(GAPS.1);
    }
    (spots, end)
}
