//! `regulus graph`: the automaton as a picture.

use regulus_automaton::{dot, svg};
use serde_json::json;

use crate::args::{self, GraphFormat};
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};

pub(crate) fn run(loader: &Loader, args: &args::Graph) -> Result<(), Failure> {
    let source = loader.read(&args.game)?;
    let mut automaton = loader.automaton(&source)?;
    if !args.raw {
        automaton = loader.optimise(automaton);
    }
    let (name, text) = match format(args) {
        GraphFormat::Svg => ("svg", svg::to_svg(&automaton)),
        GraphFormat::Dot => ("dot", dot::to_dot(&automaton)),
        GraphFormat::Text => ("text", automaton.to_string()),
    };
    match &args.output {
        Some(path) => std::fs::write(path, text).map_err(|error| {
            Failure::bad_input(format!("cannot write {}: {error}", path.display()))
        })?,
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
