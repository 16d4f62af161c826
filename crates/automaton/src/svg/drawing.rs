//! The drawing of one part: its nodes and arrows are laid out, then written as shapes.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::graph::{ArrowBox, ArrowId, Extent, Graph, Item, Way};
use super::layout::{Layout, Spot, layout};
use super::shapes::{Escaped, LINE_HEIGHT, LabelLine, text_width, write_label, write_path};
use crate::ids::{IdVec, Node};
use crate::palette::{self, Colours, FAINT, INK, PAPER};
use crate::sketch::{Arrow, Part, Role, Sketch};

/// Half the height of a node.
const RADIUS: f64 = 13.0;
/// The space a loop takes above its node, without its label.
const LOOP: f64 = 18.0;
/// The length of the arrow that points at a start.
const START: f64 = 22.0;
/// How far apart arrows touch a node at most, and over how much of its height.
const PORT_STEP: f64 = 7.0;
const PORT_RANGE: f64 = 16.0;

/// A part as SVG elements, from the origin to its width and height.
pub(super) struct Drawing {
    pub(super) caption: String,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) svg: String,
}

impl Drawing {
    pub(super) fn new(sketch: &Sketch, part: &Part) -> Drawing {
        let scene = Scene::new(sketch, part);
        let layout = layout(&scene.graph, scene.stub_extent());
        let mut svg = String::new();
        // Writing to a string does not fail.
        let _ = scene.write(&mut svg, &layout);
        let caption = part.caption.clone();
        Drawing { caption, width: layout.width, height: layout.height, svg }
    }
}

/// What is drawn, and the graph of the space it needs.
struct Scene<'a> {
    sketch: &'a Sketch,
    part: &'a Part,
    graph: Graph,
    /// What each node of the graph shows.
    shown: IdVec<Item, Shown<'a>>,
    /// What each arrow of the graph shows.
    arrows: IdVec<ArrowId, &'a Arrow>,
}

/// A node of the part, or a stub that stands for one outside.
struct Shown<'a> {
    node: Node,
    is_stub: bool,
    /// The arrows from the node to itself.
    loops: Vec<&'a Arrow>,
}

impl<'a> Scene<'a> {
    fn new(sketch: &'a Sketch, part: &'a Part) -> Scene<'a> {
        let mut scene = Scene {
            sketch,
            part,
            graph: Graph::default(),
            shown: IdVec::new(),
            arrows: IdVec::new(),
        };
        let mut items = BTreeMap::new();
        for &node in &part.nodes {
            let loops = sketch.arrows[node].iter().filter(|arrow| arrow.target == node).collect();
            items.insert(node, scene.add(Shown { node, is_stub: false, loops }));
        }
        for node in &part.nodes {
            for arrow in sketch.arrows[*node].iter().filter(|arrow| arrow.target != *node) {
                let stub = || Shown { node: arrow.target, is_stub: true, loops: Vec::new() };
                let to = items.get(&arrow.target).copied();
                let to = to.unwrap_or_else(|| scene.add(stub()));
                let label = label_extent(arrow.labels.iter());
                scene.graph.arrows.push(ArrowBox { from: items[node], to, label });
                scene.arrows.push(arrow);
            }
        }
        scene
    }

    fn add(&mut self, shown: Shown<'a>) -> Item {
        let label = label_extent(shown.loops.iter().flat_map(|arrow| &arrow.labels));
        let mut extent = Extent {
            width: 2.0 * half_width(shown.node) + 8.0,
            above: RADIUS + 3.0,
            below: RADIUS + 3.0,
        };
        if !shown.loops.is_empty() {
            extent.above += LOOP + label.above + label.below;
            extent.width = extent.width.max(label.width);
        }
        if !shown.is_stub && self.part.start == Some(shown.node) {
            extent.width += 2.0 * START;
        }
        self.shown.push(shown);
        self.graph.nodes.push(extent)
    }

    /// The space for a stub of any arrow.
    fn stub_extent(&self) -> Extent {
        let widths = self.arrows.values().map(|arrow| half_width(arrow.target));
        let width = 2.0 * widths.fold(0.0, f64::max) + 8.0;
        Extent { width, above: RADIUS + 3.0, below: RADIUS + 3.0 }
    }

    /// Arrows lie under labels, labels under nodes.
    fn write(&self, svg: &mut String, layout: &Layout) -> fmt::Result {
        let ports = self.ports(layout);
        for (id, arrow) in self.arrows.iter() {
            let path = self.path(layout, id, ports[id]);
            write_path(svg, &path, arrow.role)?;
        }
        for (id, arrow) in self.arrows.iter() {
            let Spot { x, y, .. } = layout.items[layout.ways[id].label];
            write_label(svg, x, y, &lines([*arrow]))?;
        }
        for (item, shown) in self.shown.iter() {
            self.write_node(svg, shown, layout.items[item])?;
        }
        for (id, arrow) in self.arrows.iter() {
            let end = layout.ways[id].end;
            if end != self.graph.arrows[id].to {
                write_stub(svg, arrow.target, layout.items[end])?;
            }
        }
        Ok(())
    }

    fn write_node(&self, svg: &mut String, shown: &Shown<'_>, spot: Spot) -> fmt::Result {
        let node = shown.node;
        if shown.is_stub {
            return write_stub(svg, node, spot);
        }
        if !shown.loops.is_empty() {
            write_loops(svg, &shown.loops, spot)?;
        }
        if self.part.start == Some(node) {
            let end = spot.x - half_width(node);
            let (start, y) = (end - START, spot.y);
            writeln!(svg, r##"<circle cx="{start:.1}" cy="{y:.1}" r="3" fill="{INK}"/>"##)?;
            write_path(svg, &format!("M{start:.1} {y:.1}H{end:.1}"), Role::Quiet)?;
        }
        let colours = palette::of_node(self.sketch.actors[node]);
        if self.part.accept == Some(node) {
            write_pill(svg, node, spot, 3.0, &Pen { colours, dashes: "" })?;
        }
        write_pill(svg, node, spot, 0.0, &Pen { colours, dashes: "" })?;
        write_name(svg, node, spot)
    }

    /// Where arrows touch their source and their target: spread over the height of the node in the order of what comes
    /// next, so that arrow heads do not cover each other.
    fn ports(&self, layout: &Layout) -> IdVec<ArrowId, Ports> {
        let mut sides: BTreeMap<(Item, Side), Vec<Touch>> = BTreeMap::new();
        for (arrow, Way { items, end, backwards, .. }) in layout.ways.iter() {
            let from = self.graph.arrows[arrow].from;
            let (leaves, enters) =
                if *backwards { (Side::Left, Side::Right) } else { (Side::Right, Side::Left) };
            let height = |item: Option<&Item>| item.map_or(0.0, |&item| layout.items[item].y);
            let touch = Touch { arrow, is_source: true, towards: height(items.first()) };
            sides.entry((from, leaves)).or_default().push(touch);
            let touch = Touch { arrow, is_source: false, towards: height(items.last()) };
            sides.entry((*end, enters)).or_default().push(touch);
        }
        let mut ports = IdVec::filled(Ports { source: 0.0, target: 0.0 }, layout.ways.len());
        for mut touches in sides.into_values() {
            touches.sort_by(|a, b| a.towards.total_cmp(&b.towards));
            let steps = (touches.len() - 1) as f64;
            let step = PORT_STEP.min(PORT_RANGE / steps.max(1.0));
            for (index, touch) in touches.iter().enumerate() {
                let offset = step * (index as f64 - steps / 2.0);
                let port = &mut ports[touch.arrow];
                *(if touch.is_source { &mut port.source } else { &mut port.target }) = offset;
            }
        }
        ports
    }

    /// A path that runs level through each layer and bends between layers.
    fn path(&self, layout: &Layout, arrow: ArrowId, ports: Ports) -> String {
        let way = &layout.ways[arrow];
        let ends = self.graph.arrows[arrow];
        let sign = if way.backwards { -1.0 } else { 1.0 };
        let target = self.arrows[arrow].target;
        let (from, end) = (layout.items[ends.from], layout.items[way.end]);
        let start_x = from.x + sign * reach(self.shown[ends.from].node, ports.source);
        let end_x = end.x - sign * reach(target, ports.target);
        let (start_y, end_y) = (from.y + ports.source, end.y + ports.target);

        let mut path = format!("M{start_x:.1} {start_y:.1}H{:.1}", far_side(from, way.backwards));
        let mut pen = (far_side(from, way.backwards), start_y);
        for &item in &way.items {
            let spot = layout.items[item];
            write_bend(&mut path, pen, (far_side(spot, !way.backwards), spot.y));
            let x = far_side(spot, way.backwards);
            let _ = write!(path, "H{x:.1}");
            pen = (x, spot.y);
        }
        write_bend(&mut path, pen, (far_side(end, !way.backwards), end_y));
        let _ = write!(path, "H{end_x:.1}");
        path
    }
}

/// The heights, relative to the centres of its nodes, at which an arrow leaves and enters.
#[derive(Clone, Copy)]
struct Ports {
    source: f64,
    target: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Left,
    Right,
}

/// An arrow at a side of a node, and the height it goes to or comes from.
struct Touch {
    arrow: ArrowId,
    is_source: bool,
    towards: f64,
}

/// The side of a spot's layer that an arrow reaches last.
fn far_side(spot: Spot, backwards: bool) -> f64 {
    if backwards { spot.left } else { spot.right }
}

fn write_bend(path: &mut String, from: (f64, f64), to: (f64, f64)) {
    let middle = f64::midpoint(from.0, to.0);
    // Writing to a string does not fail.
    let _ = if (from.1 - to.1).abs() < 0.05 {
        write!(path, "H{:.1}", to.0)
    } else {
        write!(path, "C{middle:.1} {:.1} {middle:.1} {:.1} {:.1} {:.1}", from.1, to.1, to.0, to.1)
    };
}

/// How far a node reaches to the side at this height from its centre.
fn reach(node: Node, offset: f64) -> f64 {
    half_width(node) - RADIUS + (RADIUS * RADIUS - offset * offset).max(0.0).sqrt()
}

fn half_width(node: Node) -> f64 {
    RADIUS.max(text_width(&node.to_string()) / 2.0 + 6.0)
}

fn label_extent<'l>(labels: impl Iterator<Item = &'l String>) -> Extent {
    let mut width = 0.0_f64;
    let mut lines = 0.0;
    for label in labels {
        width = width.max(text_width(label) + 10.0);
        lines += 1.0;
    }
    let half = LINE_HEIGHT * lines / 2.0;
    Extent { width, above: half, below: half }
}

fn lines<'a>(arrows: impl IntoIterator<Item = &'a Arrow>) -> Vec<LabelLine<'a>> {
    let line = |arrow: &'a Arrow, text: &'a String| LabelLine { text, role: arrow.role };
    arrows
        .into_iter()
        .flat_map(|arrow| arrow.labels.iter().map(move |text| line(arrow, text)))
        .collect()
}

/// Writes one loop for all arrows from a node to itself, in the colour of the first.
fn write_loops(svg: &mut String, loops: &[&Arrow], spot: Spot) -> fmt::Result {
    let Spot { x, y, .. } = spot;
    let (left, right, base) = (x - 6.0, x + 6.0, y - RADIUS + 1.0);
    // The curve reaches three quarters of the height of its control points.
    let top = base - LOOP / 0.75;
    let path = format!(
        "M{left:.1} {base:.1}C{:.1} {top:.1} {:.1} {top:.1} {right:.1} {base:.1}",
        x - 18.0,
        x + 18.0
    );
    if let Some(first) = loops.first() {
        write_path(svg, &path, first.role)?;
    }
    let lines = lines(loops.iter().copied());
    let middle = base - LOOP - 1.0 - LINE_HEIGHT * lines.len() as f64 / 2.0;
    write_label(svg, x, middle, &lines)
}

fn write_stub(svg: &mut String, node: Node, spot: Spot) -> fmt::Result {
    let colours = Colours { line: FAINT, fill: PAPER };
    write_pill(svg, node, spot, 0.0, &Pen { colours, dashes: r#" stroke-dasharray="3 3""# })?;
    write_name(svg, node, spot)
}

struct Pen {
    colours: Colours,
    dashes: &'static str,
}

/// Writes the outline of a node, so much larger than usual.
fn write_pill(svg: &mut String, node: Node, spot: Spot, larger: f64, pen: &Pen) -> fmt::Result {
    let (half, radius) = (half_width(node) + larger, RADIUS + larger);
    let (left, top) = (spot.x - half, spot.y - radius);
    let (width, height) = (2.0 * half, 2.0 * radius);
    let Pen { colours: Colours { line, fill }, dashes } = pen;
    writeln!(
        svg,
        r##"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" rx="{radius}" fill="{fill}" stroke="{line}" stroke-width="1.5"{dashes}/>"##
    )
}

fn write_name(svg: &mut String, node: Node, spot: Spot) -> fmt::Result {
    let (x, y) = (spot.x, spot.y + 4.0);
    let name = node.to_string();
    let name = Escaped(&name);
    writeln!(
        svg,
        r##"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" fill="{INK}">{name}</text>"##
    )
}
