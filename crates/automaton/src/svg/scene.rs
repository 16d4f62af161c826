//! What the drawing of one part shows, and the graph of the space it needs.

use std::collections::BTreeMap;

use super::graph::{ArrowBox, ArrowId, Extent, Item, LayeredGraph};
use super::shapes::{ArrowLabel, Direction, RADIUS, half_width};
use crate::ids::{IdVec, Node};
use crate::sketch::{Arrow, Sketch, SketchPart};

/// The space between a node and what is around it.
const ROOM: f64 = 4.0;
/// How far a loop reaches from its node.
pub(super) const LOOP: f64 = 18.0;
/// The length of the arrow that points at a start.
pub(super) const START: f64 = 20.0;

/// What is drawn, and the graph of the space it needs.
pub(super) struct Scene<'a> {
    pub(super) sketch: &'a Sketch,
    pub(super) part: &'a SketchPart,
    pub(super) direction: Direction,
    pub(super) graph: LayeredGraph,
    /// What each node of the graph shows.
    pub(super) shown: IdVec<Item, SceneNode<'a>>,
    /// What each arrow of the graph shows.
    pub(super) arrows: IdVec<ArrowId, &'a Arrow>,
}

/// A node of the part, or a stub that stands for one outside.
pub(super) struct SceneNode<'a> {
    pub(super) node: Node,
    pub(super) is_stub: bool,
    /// The labels of the arrows from the node to itself.
    pub(super) loops: Option<ArrowLabel<'a>>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(sketch: &'a Sketch, part: &'a SketchPart, direction: Direction) -> Scene<'a> {
        let mut scene = Scene {
            sketch,
            part,
            direction,
            graph: LayeredGraph::default(),
            shown: IdVec::new(),
            arrows: IdVec::new(),
        };
        let mut items = BTreeMap::new();
        for &node in &part.nodes {
            let loops = sketch.arrows[node].iter().filter(|arrow| arrow.target == node);
            let loops = ArrowLabel::new(loops);
            items.insert(node, scene.add(SceneNode { node, is_stub: false, loops }));
        }
        for node in &part.nodes {
            for arrow in sketch.arrows[*node].iter().filter(|arrow| arrow.target != *node) {
                let stub = || SceneNode { node: arrow.target, is_stub: true, loops: None };
                let to = items.get(&arrow.target).copied();
                let to = to.unwrap_or_else(|| scene.add(stub()));
                let label = scene.label_extent(arrow);
                scene.graph.arrows.push(ArrowBox { from: items[node], to, label });
                scene.arrows.push(arrow);
            }
        }
        scene
    }

    fn add(&mut self, shown: SceneNode<'a>) -> Item {
        let mut extent = self.node_extent(half_width(shown.node));
        if let Some(label) = &shown.loops {
            let (width, height) = label.size();
            match self.direction {
                Direction::Rightwards => {
                    extent.before += LOOP + height;
                    extent.along = extent.along.max(width);
                }
                Direction::Downwards => {
                    extent.after += LOOP + width;
                    extent.along = extent.along.max(height);
                }
            }
        }
        if !shown.is_stub && self.part.start == Some(shown.node) {
            extent.along += 2.0 * START;
        }
        self.shown.push(shown);
        self.graph.nodes.push(extent)
    }

    fn node_extent(&self, half_width: f64) -> Extent {
        let (along, across) = self.direction.point(half_width + ROOM, RADIUS + ROOM);
        Extent { along: 2.0 * along, before: across, after: across }
    }

    fn label_extent(&self, arrow: &'a Arrow) -> Extent {
        let (width, height) = ArrowLabel::new([arrow]).map_or((0.0, 0.0), |label| label.size());
        let (along, across) = self.direction.point(width, height);
        Extent { along, before: across / 2.0, after: across / 2.0 }
    }

    /// The space for a stub of any arrow.
    pub(super) fn stub_extent(&self) -> Extent {
        let widths = self.arrows.values().map(|arrow| half_width(arrow.target));
        self.node_extent(widths.fold(0.0, f64::max))
    }
}
