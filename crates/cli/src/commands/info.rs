//! `regulus info`: what a game consists of.

use std::collections::BTreeSet;

use regulus_automaton::analyses::{self, WriteCount};
use regulus_automaton::{Automaton, Shape, VariableInfo};
use regulus_engine::Rules as _;
use regulus_game::{Checked, Game, Lowered, Size};
use regulus_jit::NativeCode;
use regulus_lang::rbg;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::load::Loader;
use crate::output::say;

pub(crate) fn run(loader: &Loader, game: &str) -> Result<(), Failure> {
    let game = loader.load(game)?;
    let (before, after) = (game.size_as_lowered(), game.size());
    game.rules().wait();
    let (rules, automaton, source) = (game.rules(), game.automaton(), game.source());
    let modifiers =
        automaton.edges().filter_map(|(_, edge)| edge.modifier).collect::<BTreeSet<_>>();
    // Texts in RBG have dots, which the automaton has not. In other languages it is that of the automaton as lowered.
    let straightness = match loader.checked(source)? {
        Checked::Rbg(game) => rbg::straightness(&game),
        Checked::Sbg(_) | Checked::Abg(_) | Checked::Metagame(_) => {
            analyses::straightness(Lowered::new(source.clone())?.automaton())
        }
    };
    let ignored: Vec<&str> = automaton
        .repetition
        .iter()
        .flat_map(|rule| &rule.ignored)
        .map(|&variable| automaton.variables[variable].name.as_str())
        .collect();
    let (engine, native) = engine(&game);
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
                "automaton": { "lowered": size_json(before), "optimised": size_json(after) },
                "straightness": {
                    "applicational": count_json(straightness.applicational),
                    "main": count_json(straightness.main),
                    "moves": count_json(straightness.moves),
                    "semimoves": count_json(straightness.semimoves),
                },
                "state_bytes": rules.layout().size(),
                "actions": game.actions().count(),
                "history": automaton.repetition.as_ref().map(|rule| json!({
                    "times": rule.times,
                    "scores": rule.scores.as_slice(),
                    "ignored": ignored,
                })),
                "engine": engine,
                "native": native,
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
    say!(
        "  straightness  {} applicational, {} main, {} per move, {} per semi-move",
        count(straightness.applicational),
        count(straightness.main),
        count(straightness.moves),
        count(straightness.semimoves),
    );
    say!("  state         {} bytes", rules.layout().size());
    say!("  actions       {}", game.actions().count());
    if let Some(rule) = &automaton.repetition {
        let but = if ignored.is_empty() {
            String::new()
        } else {
            format!(", whatever {}", ignored.join(", "))
        };
        say!("  history       a position that occurs {} times ends the game{but}", rule.times);
    }
    say!("  engine        {engine}: {native}");
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

fn count(count: WriteCount) -> String {
    match count {
        WriteCount::None => "none".to_owned(),
        WriteCount::Finite(count) => count.to_string(),
        WriteCount::Unbounded => "unbounded".to_owned(),
    }
}

/// For programs as the reference parser writes it: -1 for none, -2 for unbounded.
fn count_json(count: WriteCount) -> Value {
    match count {
        WriteCount::None => json!(-1),
        WriteCount::Finite(count) => json!(count),
        WriteCount::Unbounded => json!(-2),
    }
}

fn size_json(size: Size) -> Value {
    json!({
        "nodes": size.nodes,
        "edges": size.edges,
        "patterns": size.patterns,
        "tables": size.tables,
    })
}

/// What runs the game, and if it is not native code, why.
fn engine(game: &Game) -> (&'static str, String) {
    let words = match game.rules().native_code() {
        NativeCode::Runs => format!("{} bytes of native code", game.rules().code_size()),
        NativeCode::IsCompiled => "native code is being compiled".to_owned(),
        NativeCode::IsNotWanted => "as asked for".to_owned(),
        NativeCode::IsRefused(reason) => format!("no native code: {reason}"),
    };
    (game.rules().name(), words)
}
