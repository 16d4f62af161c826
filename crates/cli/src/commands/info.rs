//! `regulus info`: what a game consists of.

use std::collections::BTreeSet;

use regulus_automaton::{Automaton, Shape, VariableInfo};
use regulus_engine::Rules as _;
use regulus_lang::rbg::{self, Count};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::load::{Checked, Loader};
use crate::output::say;

pub(crate) fn run(loader: &Loader, game: &str) -> Result<(), Failure> {
    let source = loader.read(game)?;
    let raw = loader.automaton(&source)?;
    let checked = loader.checked(&source)?;
    let before = Size::of(&raw);
    let rules = loader.engine(loader.optimise(raw));
    let automaton = rules.automaton();
    let after = Size::of(automaton);
    let modifiers =
        automaton.edges().filter_map(|(_, edge)| edge.modifier).collect::<BTreeSet<_>>();
    // Only RBG defines it.
    let straightness = match &checked {
        Checked::Rbg(game) => Some(rbg::straightness(game)),
        Checked::Sbg(_) | Checked::Abg(_) => None,
    };
    if loader.json {
        let bounds = |infos: &[VariableInfo]| -> Vec<Value> {
            infos.iter().map(|info| json!({ "name": info.name, "bound": info.bound })).collect()
        };
        let (scores, variables) = automaton.variables.as_slice().split_at(automaton.players.len());
        say!(
            "{}",
            json!({
                "game": source.name(),
                "players": bounds(scores),
                "pieces": automaton.pieces.as_slice(),
                "variables": bounds(variables),
                "squares": automaton.board.squares.len(),
                "shape": shape(automaton),
                "directions": automaton.board.directions.as_slice(),
                "modifiers": modifiers.len(),
                "automaton": { "lowered": before.json(), "optimised": after.json() },
                "straightness": straightness.map(|straightness| json!({
                    "applicational": count_json(straightness.applicational),
                    "main": count_json(straightness.main),
                    "moves": count_json(straightness.moves),
                    "semimoves": count_json(straightness.semimoves),
                })),
                "state_bytes": rules.layout().size(),
            })
        );
        return Ok(());
    }
    let names = |names: &[String]| names.join(", ");
    let bounds = |infos: &[VariableInfo]| {
        let each = infos.iter().map(|info| format!("{} (0 to {})", info.name, info.bound));
        each.collect::<Vec<_>>().join(", ")
    };
    let (scores, variables) = automaton.variables.as_slice().split_at(automaton.players.len());
    say!("{}", source.name());
    line("players", automaton.players.len(), &bounds(scores));
    line("pieces", automaton.pieces.len(), &names(automaton.pieces.as_slice()));
    line("variables", variables.len(), &bounds(variables));
    line("squares", automaton.board.squares.len(), shape(automaton));
    line(
        "directions",
        automaton.board.directions.len(),
        &names(automaton.board.directions.as_slice()),
    );
    line("modifiers", modifiers.len(), "writes and switches outside look-aheads");
    say!("  automaton     {before} as lowered");
    say!("                {after} after the passes");
    if let Some(straightness) = straightness {
        say!(
            "  straightness  {} applicational, {} main, {} per move, {} per semi-move",
            count(straightness.applicational),
            count(straightness.main),
            count(straightness.moves),
            count(straightness.semimoves),
        );
    }
    say!("  state         {} bytes", rules.layout().size());
    Ok(())
}

fn line(what: &str, count: impl std::fmt::Display, names: &str) {
    say!("  {what:13} {count:<5} {names}");
}

fn shape(automaton: &Automaton) -> &'static str {
    match automaton.board.shape {
        Shape::Square => "squares",
        Shape::Hexagon => "hexagons",
        Shape::Point => "points",
    }
}

fn count(count: Count) -> String {
    match count {
        Count::None => "none".to_owned(),
        Count::Finite(count) => count.to_string(),
        Count::Unbounded => "unbounded".to_owned(),
    }
}

/// For programs as the reference parser writes it: -1 for none, -2 for unbounded.
fn count_json(count: Count) -> Value {
    match count {
        Count::None => json!(-1),
        Count::Finite(count) => json!(count),
        Count::Unbounded => json!(-2),
    }
}

/// How large an automaton is.
struct Size {
    nodes: usize,
    edges: usize,
    patterns: usize,
    tables: usize,
}

impl Size {
    fn of(automaton: &Automaton) -> Size {
        Size {
            nodes: automaton.nodes.len(),
            edges: automaton.edge_count(),
            patterns: automaton.patterns.len(),
            tables: automaton.tables.len(),
        }
    }

    fn json(&self) -> Value {
        json!({
            "nodes": self.nodes,
            "edges": self.edges,
            "patterns": self.patterns,
            "tables": self.tables,
        })
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Size { nodes, edges, patterns, tables } = self;
        write!(f, "{nodes} nodes, {edges} edges, {patterns} patterns, {tables} tables")
    }
}
