//! The automaton as a graph for Graphviz: `dot -Tsvg`.

use std::fmt::{self, Write};

use crate::draft::Draft;
use crate::ids::Node;
use crate::palette::{self, FAINT, INK, PAPER};
use crate::sketch::{Arrow, ArrowRole, MachineSketch, PartKind, Sketch, SketchPart};

/// A graph in the DOT language: nodes coloured by who acts in them, edges labelled with their actions in short,
/// patterns in boxes, reasons of ends as tooltips of their nodes. Any draft can be drawn, well-formed or not.
///
/// ```
/// let game = "players white 1\npieces e\nboard point\n  a e (0, 0)\nrules n0\n  n0: put e #0 -> n0\n";
/// let dot = regulus_automaton::dot::to_dot(&game.parse()?);
/// assert!(dot.contains(r#"n0 -> n0 [label="[e]""#));
/// # Ok::<(), regulus_automaton::TextErrors>(())
/// ```
#[must_use]
pub fn to_dot(draft: &Draft) -> String {
    let mut dot = String::new();
    // Writing to a string does not fail.
    let _ = write_graph(&mut dot, &Sketch::new(draft));
    dot
}

/// Finite automata as a graph in the DOT language, each in a box.
#[must_use]
pub fn machines_to_dot(machines: &[MachineSketch]) -> String {
    let mut dot = String::new();
    // Writing to a string does not fail.
    let _ = write_graph(&mut dot, &Sketch::of_machines(machines));
    dot
}

fn write_graph(dot: &mut String, sketch: &Sketch) -> fmt::Result {
    let font = r#"fontname="DejaVu Sans Mono, monospace", fontsize=11"#;
    writeln!(dot, "digraph automaton {{")?;
    writeln!(dot, r#"  graph [rankdir=LR, bgcolor="{PAPER}", fontcolor="{INK}", {font}];"#)?;
    writeln!(dot, r#"  node [shape=circle, style=filled, width=0.4, margin=0.03, {font}];"#)?;
    writeln!(dot, r#"  edge [arrowsize=0.7, {font}];"#)?;
    for (number, part) in sketch.parts.iter().enumerate() {
        write_part(dot, sketch, number, part)?;
    }
    for (from, arrows) in sketch.arrows.iter() {
        arrows.iter().try_for_each(|arrow| write_arrow(dot, from, arrow))?;
    }
    writeln!(dot, "}}")
}

fn write_part(dot: &mut String, sketch: &Sketch, number: usize, part: &SketchPart) -> fmt::Result {
    let indent = if part.kind == PartKind::Rules { "  " } else { "    " };
    if part.kind != PartKind::Rules {
        writeln!(dot, "  subgraph cluster_{number} {{")?;
        writeln!(
            dot,
            r#"{indent}label={}; color="{FAINT}"; style=rounded;"#,
            DotString(&part.caption)
        )?;
    }
    if let Some(start) = part.start.filter(|start| part.nodes.contains(start)) {
        writeln!(dot, r#"{indent}start_{number} [shape=point, width=0.08, color="{INK}"];"#)?;
        writeln!(dot, r#"{indent}start_{number} -> {start} [color="{INK}"];"#)?;
    }
    for &node in &part.nodes {
        let colours = palette::of_node(sketch.actors[node]);
        let rings = if part.accepts(node) { 2 } else { 1 };
        let (line, fill) = (colours.line, colours.fill);
        let reason =
            sketch.reasons.get(&node).map(|reason| format!(", tooltip={}", DotString(reason)));
        let reason = reason.unwrap_or_default();
        writeln!(
            dot,
            r#"{indent}{node} [color="{line}", fillcolor="{fill}", peripheries={rings}{reason}];"#
        )?;
    }
    if part.kind != PartKind::Rules {
        writeln!(dot, "  }}")?;
    }
    Ok(())
}

fn write_arrow(dot: &mut String, from: Node, arrow: &Arrow) -> fmt::Result {
    let Arrow { target, role, labels } = arrow;
    let label = labels.join("\n");
    let colour = palette::of_role(*role).line;
    let width = if matches!(role, ArrowRole::Control(_)) { ", penwidth=1.6" } else { "" };
    let label = DotString(&label);
    writeln!(
        dot,
        r#"  {from} -> {target} [label={label}, color="{colour}", fontcolor="{colour}"{width}];"#
    )
}

/// A string of the DOT language; its lines are centred.
struct DotString<'a>(&'a str);

impl fmt::Display for DotString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                '\n' => f.write_str("\\n")?,
                _ if character.is_control() => f.write_char(char::REPLACEMENT_CHARACTER)?,
                _ => f.write_char(character)?,
            }
        }
        f.write_str("\"")
    }
}
