//! The automaton as a picture that any browser shows.
//!
//! Rules and patterns are drawn apart, each from left to right or from top to bottom: layered drawings in the manner of
//! Sugiyama, written here because the picture must be had without Graphviz, in near-linear time, from any draft.
//!
//! `scene` says what is shown and how much space it needs, `layout` (with `rank`, `order`, `place`) finds the places,
//! `drawing`, `legend` and `shapes` write them down.

mod drawing;
mod graph;
mod layout;
mod legend;
mod order;
mod place;
mod rank;
mod scene;
mod shapes;

use std::fmt::{self, Write};

use self::drawing::Drawing;
use self::legend::Heading;
pub use self::shapes::Escaped;
use self::shapes::{LINE_HEIGHT, text_width};
use crate::draft::Draft;
use crate::palette::{FAINT, INK, PAPER};
use crate::sketch::{GraphScope, MachineSketch, Sketch};

/// The most nodes and arrows that are drawn.
const MAX_NODES: usize = 5_000;
const MAX_ARROWS: usize = 12_000;

/// The space around everything.
const MARGIN: f64 = 24.0;
/// The space between drawings.
const SPACE: f64 = 28.0;
/// The space for a caption above its drawing, and within the frame around it.
const CAPTION: f64 = 26.0;
const PADDING: f64 = 14.0;
/// How long a row or column of drawings may be when none of them is longer.
const ROW: f64 = 1_100.0;
/// How wide a legend may be above drawings that are narrower.
const LEAST_WIDTH: f64 = 900.0;

/// A picture of the automaton as SVG, with a title: nodes coloured by who acts in them, arrows labelled with what they do in words,
/// patterns apart from the rules, and a legend of all that occurs. Any draft can be drawn, well-formed or not; of a very large one
/// only the beginning is, and a note in the picture says so.
///
/// ```
/// use regulus_automaton::{GraphScope, svg};
///
/// let game = "players white 1\npieces e\nboard point\n  a e (0, 0)\nrules n0\n  n0: put e #0 -> n0\n";
/// let svg = svg::to_svg("a game", &game.parse()?, GraphScope::Folded);
/// assert!(svg.starts_with("<svg ") && svg.contains(">put e</tspan>"));
/// # Ok::<(), regulus_automaton::TextErrors>(())
/// ```
#[must_use]
pub fn to_svg(title: &str, draft: &Draft, scope: GraphScope) -> String {
    page(title, Sketch::new(draft, scope))
}

/// A picture of finite automata side by side as SVG, with a title above.
#[must_use]
pub fn machines_to_svg(title: &str, machines: &[MachineSketch]) -> String {
    page(title, Sketch::of_machines(machines))
}

fn page(title: &str, mut sketch: Sketch) -> String {
    let left_out = shorten(&mut sketch).note();
    let notes: Vec<String> = left_out.into_iter().chain(sketch.note.take()).collect();
    let note = (!notes.is_empty()).then(|| notes.join(" "));
    let frames = arrange(&sketch);
    if frames.iter().any(|frame| frame.drawing.has_stubs) {
        sketch.explain_stubs();
    }
    let title = match (title, sketch.summary.as_str()) {
        ("", summary) => summary.to_owned(),
        (title, "") => title.to_owned(),
        (title, summary) => format!("{title}: {summary}"),
    };
    let right = frames.iter().map(|frame| frame.x + frame.width).fold(LEAST_WIDTH, f64::max);
    let heading = Heading::new(title, note.as_deref(), &sketch.legend, right);
    let mut svg = String::new();
    // Writing to a string does not fail.
    let _ = write_page(&mut svg, &frames, &heading);
    svg
}

/// How much of an automaton is drawn, and how much there is.
struct Shares {
    nodes: (usize, usize),
    arrows: (usize, usize),
}

impl Shares {
    /// A sentence when something is left out.
    fn note(&self) -> Option<String> {
        let share = |(drawn, all): (usize, usize), what| {
            (drawn < all).then(|| format!("{drawn} of {all} {what}"))
        };
        let shares: Vec<String> =
            share(self.nodes, "nodes").into_iter().chain(share(self.arrows, "arrows")).collect();
        (!shares.is_empty()).then(|| format!("Only {} are drawn.", shares.join(" and ")))
    }
}

/// Drops the last nodes and arrows beyond the limits.
fn shorten(sketch: &mut Sketch) -> Shares {
    let mut nodes = (0, 0);
    let mut arrows = (0, 0);
    for part in &mut sketch.parts {
        nodes.1 += part.nodes.len();
        part.nodes.truncate(MAX_NODES - nodes.0);
        nodes.0 += part.nodes.len();
        for &node in &part.nodes {
            let leaving = &mut sketch.arrows[node];
            arrows.1 += leaving.len();
            leaving.truncate(MAX_ARROWS - arrows.0);
            arrows.0 += leaving.len();
        }
    }
    sketch.parts.retain(|part| !part.nodes.is_empty());
    Shares { nodes, arrows }
}

/// A drawing with its place on the page.
struct PagePlace {
    drawing: Drawing,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Puts drawings into rows, in order; into columns when the first is high.
fn arrange(sketch: &Sketch) -> Vec<PagePlace> {
    let drawings = sketch.parts.iter().map(|part| Drawing::new(sketch, part));
    let mut frames: Vec<PagePlace> = drawings
        .map(|drawing| {
            let width = drawing.width.max(text_width(&drawing.caption)) + 2.0 * PADDING;
            let height = CAPTION + drawing.height + PADDING;
            PagePlace { drawing, x: 0.0, y: 0.0, width, height }
        })
        .collect();
    let in_columns = frames.first().is_some_and(|first| first.height > first.width);
    // Rows and columns are the same thing with the axes exchanged.
    let swapped = |(a, b): (f64, f64)| if in_columns { (b, a) } else { (a, b) };
    let limit = frames.iter().map(|frame| swapped((frame.width, frame.height)).0);
    // Many drawings together fill a square.
    let area: f64 = frames.iter().map(|frame| (frame.width + SPACE) * (frame.height + SPACE)).sum();
    let limit = limit.fold(ROW.max(area.sqrt()), f64::max);
    let (mut along, mut across, mut thickness) = (0.0, 0.0, 0.0_f64);
    for frame in &mut frames {
        let (length, breadth) = swapped((frame.width, frame.height));
        if along > 0.0 && along + length > limit {
            (along, across, thickness) = (0.0, across + thickness + SPACE, 0.0);
        }
        (frame.x, frame.y) = swapped((along, across));
        along += length + SPACE;
        thickness = thickness.max(breadth);
    }
    frames
}

fn write_page(svg: &mut String, frames: &[PagePlace], heading: &Heading<'_>) -> fmt::Result {
    let right = frames.iter().map(|frame| frame.x + frame.width).fold(heading.width, f64::max);
    let bottom = frames.iter().map(|frame| frame.y + frame.height).fold(0.0, f64::max);
    let width = right + 2.0 * MARGIN;
    let height = bottom + heading.height + 2.0 * MARGIN;
    writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="{}">"##,
        shapes::FONT_SIZE,
    )?;
    shapes::write_markers(svg)?;
    writeln!(svg, r##"<rect width="100%" height="100%" fill="{PAPER}"/>"##)?;
    writeln!(svg, r##"<g transform="translate({MARGIN} {MARGIN})">"##)?;
    heading.write(svg)?;
    for frame in frames {
        write_frame(svg, frame, heading.height)?;
    }
    writeln!(svg, "</g>")?;
    writeln!(svg, "</svg>")
}

fn write_frame(svg: &mut String, frame: &PagePlace, below: f64) -> fmt::Result {
    let PagePlace { drawing, x, y, width, height } = frame;
    writeln!(svg, r##"<g transform="translate({x:.1} {:.1})">"##, y + below)?;
    writeln!(
        svg,
        r##"<rect width="{width:.1}" height="{height:.1}" rx="8" fill="none" stroke="{FAINT}"/>"##
    )?;
    let caption = Escaped(&drawing.caption);
    writeln!(
        svg,
        r##"<text x="{PADDING}" y="{}" font-weight="bold" fill="{INK}">{caption}</text>"##,
        LINE_HEIGHT + 3.0
    )?;
    writeln!(svg, r##"<g transform="translate({PADDING} {CAPTION})">"##)?;
    svg.push_str(&drawing.svg);
    writeln!(svg, "</g>")?;
    writeln!(svg, "</g>")
}
