//! `regulus graph`: the automaton as a picture.

use regulus_automaton::{Machine, dot, svg};
use regulus_lang::Source;
use regulus_lang::sbg::{self, Letter};
use serde_json::json;

use crate::args::{self, GraphFormat};
use crate::failure::Failure;
use crate::load::{Checked, Loader};
use crate::output::{say, say_raw, write_file};

pub(crate) fn run(loader: &Loader, args: &args::Graph) -> Result<(), Failure> {
    let source = loader.read(&args.game)?;
    if let Some(letter) = args.piece {
        let (name, text) = piece(loader, &source, letter, format(args))?;
        return write(loader, args, name, &text);
    }
    let mut automaton = loader.automaton(&source)?;
    if !args.raw {
        automaton = loader.optimise(automaton);
    }
    let (name, text) = match format(args) {
        GraphFormat::Svg => ("svg", svg::to_svg(&automaton)),
        GraphFormat::Dot => ("dot", dot::to_dot(&automaton)),
        GraphFormat::Text => ("text", automaton.to_string()),
    };
    write(loader, args, name, &text)
}

/// The automata of a piece's rule.
fn piece(
    loader: &Loader,
    source: &Source,
    letter: char,
    format: GraphFormat,
) -> Result<(&'static str, String), Failure> {
    let Checked::Sbg(game) = loader.checked(source)? else {
        let name = source.name();
        return Err(Failure::bad_input(format!("the pieces of {name} have no rules of their own")));
    };
    let machines = rule(&game, letter)?.machines.stages().map(|(stage, machine)| {
        let (states, steps) = (machine.len(), machine.step_count());
        let label = |letter: &Option<Letter>| letter.map_or("ε".to_owned(), |l| l.to_string());
        let labelled = |steps: &Vec<_>| steps.iter().map(|(l, to)| (label(l), *to)).collect();
        Machine {
            caption: format!("{stage}: {states} states, {steps} steps"),
            start: machine.start,
            accepts: machine.accepts.clone(),
            steps: machine.steps.iter().map(labelled).collect(),
        }
    });
    let title = format!("{letter} of {}", game.name);
    match format {
        GraphFormat::Svg => Ok(("svg", svg::machines_to_svg(&title, &machines))),
        GraphFormat::Dot => Ok(("dot", dot::machines_to_dot(&machines))),
        GraphFormat::Text => Err(Failure::usage(
            "automata of pieces have no text form; use --format svg or dot".to_owned(),
        )),
    }
}

fn rule(game: &sbg::Game, letter: char) -> Result<&sbg::Rule, Failure> {
    let wanted = letter.to_ascii_uppercase();
    let piece = game.pieces.iter().find(|piece| piece.letter == wanted);
    let rules = || {
        let with = game.pieces.iter().filter(|piece| piece.rule.is_some());
        with.map(|piece| piece.letter.to_string()).collect::<Vec<_>>().join(", ")
    };
    let Some(piece) = piece else {
        let problem = format!("{} has no piece `{letter}`", game.name);
        return Err(Failure::bad_input(format!(
            "{problem}; the pieces with rules are: {}",
            rules()
        )));
    };
    piece.rule.as_ref().ok_or_else(|| {
        let problem = format!("`{wanted}` of {} has no rule and never moves", game.name);
        Failure::bad_input(format!("{problem}; the pieces with rules are: {}", rules()))
    })
}

fn write(loader: &Loader, args: &args::Graph, name: &str, text: &str) -> Result<(), Failure> {
    match &args.output {
        Some(path) => write_file(path, text)?,
        None if loader.json => say!("{}", json!({ "format": name, "text": text })),
        None => say_raw!("{text}"),
    }
    Ok(())
}

/// As asked for, or as the output's extension says.
fn format(args: &args::Graph) -> GraphFormat {
    let extension = args.output.as_ref().and_then(|path| path.extension()?.to_str());
    args.format.unwrap_or(match extension {
        Some("dot" | "gv") => GraphFormat::Dot,
        Some("txt") => GraphFormat::Text,
        _ => GraphFormat::Svg,
    })
}
