//! The automaton as a graph for Graphviz: `dot -Tsvg`.

use std::fmt::{self, Write};

use crate::draft::Draft;
use crate::ids::{IdSet, Node};
use crate::palette::{self, FAINT, INK, PAPER};
use crate::sketch::{
    Arrow, ArrowRole, GraphScope, LegendSample, MachineSketch, NodeSketch, PartKind, Sketch,
    SketchPart,
};

/// A graph in the DOT language: nodes coloured by who acts in them, edges labelled with what they do in words, patterns and turns in
/// boxes, reasons of ends as tooltips of their nodes, names that are not the game's explained below. Any draft can be drawn,
/// well-formed or not.
///
/// ```
/// use regulus_automaton::{GraphScope, dot};
///
/// let game = "players white 1\npieces e\nboard point\n  a e (0, 0)\nrules n0\n  n0: put e #0 -> n0\n";
/// let dot = dot::to_dot(&game.parse()?, GraphScope::Folded);
/// assert!(dot.contains(r#"n0 -> n0 [label="put e""#));
/// # Ok::<(), regulus_automaton::TextErrors>(())
/// ```
#[must_use]
pub fn to_dot(draft: &Draft, scope: GraphScope) -> String {
    let mut dot = String::new();
    // Writing to a string does not fail.
    let _ = write_graph(&mut dot, &Sketch::new(draft, scope));
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
    write_names(dot, sketch)?;
    let mut drawn: IdSet<Node> = IdSet::new();
    for (number, part) in sketch.parts.iter().enumerate() {
        write_part(dot, sketch, number, part)?;
        part.nodes.iter().for_each(|&node| {
            drawn.insert(node);
        });
    }
    write_stubs(dot, sketch, &drawn)?;
    for (from, arrows) in sketch.arrows.iter() {
        arrows.iter().try_for_each(|arrow| write_arrow(dot, from, arrow))?;
    }
    writeln!(dot, "}}")
}

/// Writes what names mean that are not the game's, below everything.
fn write_names(dot: &mut String, sketch: &Sketch) -> fmt::Result {
    let explained = |sample: &LegendSample, meaning: &str| match sample {
        LegendSample::Name(name) => Some(format!("{name}: {meaning}")),
        _ => None,
    };
    let legend = sketch.legend.iter();
    let lines: Vec<String> =
        legend.filter_map(|entry| explained(&entry.sample, &entry.meaning.shown)).collect();
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(dot, "  label={}; labelloc=b; labeljust=l;", DotString(&(lines.join("\n") + "\n")))
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
        write_node(dot, indent, node, &sketch.nodes[node], part.accepts(node))?;
    }
    if part.kind != PartKind::Rules {
        writeln!(dot, "  }}")?;
    }
    Ok(())
}

fn write_node(
    dot: &mut String,
    indent: &str,
    node: Node,
    sketch: &NodeSketch,
    is_accepting: bool,
) -> fmt::Result {
    let colours = palette::of_node(sketch.actor);
    let rings = if is_accepting { 2 } else { 1 };
    let (line, fill) = (colours.line, colours.fill);
    let mut more = String::new();
    if sketch.lines.len() > 1 {
        let label = DotString(&sketch.lines.join("\n")).to_string();
        more += &format!(r#", shape=box, style="filled,rounded", margin=0.12, label={label}"#);
    }
    if sketch.is_over {
        more += ", penwidth=3";
    }
    if let Some(hint) = &sketch.hint {
        more += &format!(", tooltip={}", DotString(hint));
    }
    writeln!(
        dot,
        r#"{indent}{node} [color="{line}", fillcolor="{fill}", peripheries={rings}{more}];"#
    )
}

/// Writes what stands for nodes that are not drawn.
fn write_stubs(dot: &mut String, sketch: &Sketch, drawn: &IdSet<Node>) -> fmt::Result {
    let mut known: IdSet<Node> = IdSet::new();
    for arrow in sketch.arrows.values().flatten() {
        if !drawn.contains(arrow.target)
            && sketch.nodes.contains(arrow.target)
            && known.insert(arrow.target)
        {
            let (target, name) = (arrow.target, sketch.elsewhere(arrow.target));
            let name = DotString(&name);
            writeln!(
                dot,
                r#"  {target} [label={name}, color="{FAINT}", fillcolor="{PAPER}", style=dashed];"#
            )?;
        }
    }
    Ok(())
}

fn write_arrow(dot: &mut String, from: Node, arrow: &Arrow) -> fmt::Result {
    let Arrow { target, role, labels } = arrow;
    let lines: Vec<&str> = labels.iter().map(|label| label.shown.as_str()).collect();
    let colour = palette::of_role(*role).line;
    let width = if matches!(role, ArrowRole::Control(_)) { ", penwidth=1.6" } else { "" };
    let label = lines.join("\n");
    let label = DotString(&label);
    let whole = labels.iter().any(|label| label.whole.is_some());
    let whole = whole.then(|| {
        let lines =
            labels.iter().map(|label| label.whole.as_ref().unwrap_or(&label.shown).as_str());
        let text = lines.collect::<Vec<&str>>().join("\n");
        format!(", labeltooltip={}", DotString(&text))
    });
    let whole = whole.unwrap_or_default();
    writeln!(
        dot,
        r#"  {from} -> {target} [label={label}, color="{colour}", fontcolor="{colour}"{width}{whole}];"#
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
