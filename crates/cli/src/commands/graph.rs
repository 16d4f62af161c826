//! `regulus graph`: the automaton as a picture.

use regulus_automaton::{Draft, GraphScope, MachineSketch, dot, svg, turn_count};
use regulus_game::Checked;
use regulus_lang::{Source, regular};
use serde_json::json;

use crate::args::{self, GraphFormat};
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw, write_file};

pub(crate) fn run(loader: &Loader, args: &args::Graph) -> Result<(), Failure> {
    let source = loader.read(&args.game)?;
    if let Some(name) = &args.piece {
        let (name, text) = piece(loader, &source, name, format(args)?)?;
        return write(loader, args, name, &text);
    }
    let title = source.name().to_owned();
    let mut game = loader.lowered(source)?;
    if !args.raw {
        game = game.optimised(&loader.config)?;
    }
    let automaton = game.automaton();
    let scope = scope(args, automaton)?;
    let (name, text) = match format(args)? {
        GraphFormat::Svg => ("svg", svg::to_svg(&title, automaton, scope)),
        GraphFormat::Dot => ("dot", dot::to_dot(automaton, scope)),
        GraphFormat::Text if args.turn.is_some() => {
            return Err(Failure::usage(
                "the text form is the whole automaton; use --turn with --format svg or dot"
                    .to_owned(),
            ));
        }
        GraphFormat::Text => ("text", automaton.to_string()),
    };
    write(loader, args, name, &text)
}

/// How much of the automaton was asked for.
fn scope(args: &args::Graph, automaton: &Draft) -> Result<GraphScope, Failure> {
    match args.turn {
        Some(number) => {
            let turns = turn_count(automaton);
            if (1..=turns).contains(&number) {
                return Ok(GraphScope::Turn(number));
            }
            Err(Failure::usage(format!(
                "there is no turn {number}; turns are numbered from 1 to {turns}"
            )))
        }
        None if args.unfold => Ok(GraphScope::Unfolded),
        None => Ok(GraphScope::Folded),
    }
}

/// The automata of a piece's rule.
fn piece(
    loader: &Loader,
    source: &Source,
    piece: &str,
    format: GraphFormat,
) -> Result<(&'static str, String), Failure> {
    let (game, machines) = match loader.checked(source)? {
        Checked::Sbg(game) => {
            let named =
                game.pieces.iter().map(|piece| (piece.letter.to_string(), piece.rule.as_ref()));
            let machines = rule(&game.name, named, &piece.to_ascii_uppercase())?.machines.stages();
            let machines = machines.map(|stage| drawn(stage, |letter| letter.to_string()));
            (game.name.clone(), machines)
        }
        Checked::Abg(game) => {
            let named = game.pieces.iter().zip(&game.rules);
            let named = named.map(|(piece, rule)| (piece.name.clone(), rule.as_ref()));
            let machines = rule(source.name(), named, piece)?.machines.stages();
            let machines = machines.map(|stage| drawn(stage, |letter| game.letter_text(letter)));
            (source.name().to_owned(), machines)
        }
        Checked::Rbg(_) | Checked::Metagame(_) => {
            let name = source.name();
            return Err(Failure::bad_input(format!(
                "the pieces of {name} have no rules of their own"
            )));
        }
    };
    let title = format!("{piece} of {game}");
    match format {
        GraphFormat::Svg => Ok(("svg", svg::machines_to_svg(&title, &machines))),
        GraphFormat::Dot => Ok(("dot", dot::machines_to_dot(&machines))),
        GraphFormat::Text => Err(Failure::usage(
            "automata of pieces have no text form; use --format svg or dot".to_owned(),
        )),
    }
}

/// A stage of a rule as it is drawn.
fn drawn<L>(
    (stage, machine): (&'static str, &regular::Machine<L>),
    text: impl Fn(&L) -> String,
) -> MachineSketch
where
    L: Clone + Ord,
{
    let (states, steps) = (machine.len(), machine.step_count());
    let label = |letter: &Option<L>| letter.as_ref().map_or("ε".to_owned(), &text);
    let labelled = |steps: &Vec<_>| steps.iter().map(|(l, to)| (label(l), *to)).collect();
    MachineSketch {
        caption: format!("{stage}: {states} states, {steps} steps"),
        start: machine.start,
        accepts: machine.accepts.clone(),
        steps: machine.steps.iter().map(labelled).collect(),
    }
}

/// The rule of a piece by its name.
fn rule<R>(
    game: &str,
    pieces: impl Iterator<Item = (String, Option<R>)>,
    wanted: &str,
) -> Result<R, Failure> {
    let mut with_rules = Vec::new();
    let mut still = false;
    for (name, rule) in pieces {
        match rule {
            Some(rule) if name == wanted => return Ok(rule),
            Some(_) => with_rules.push(name),
            None => still |= name == wanted,
        }
    }
    let problem = if still {
        format!("`{wanted}` of {game} has no rule and never moves")
    } else {
        format!("{game} has no piece `{wanted}`")
    };
    let pieces = with_rules.join(", ");
    Err(Failure::bad_input(format!("{problem}; the pieces with rules are: {pieces}")))
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
fn format(args: &args::Graph) -> Result<GraphFormat, Failure> {
    let extension = args.output.as_ref().and_then(|path| path.extension()?.to_str());
    match (args.format, extension) {
        (Some(format), _) => Ok(format),
        (None, Some("svg") | None) => Ok(GraphFormat::Svg),
        (None, Some("dot" | "gv")) => Ok(GraphFormat::Dot),
        (None, Some("txt")) => Ok(GraphFormat::Text),
        (None, Some(other)) => Err(Failure::usage(format!(
            "`.{other}` says nothing about the format; use .svg, .dot or .txt, or --format"
        ))),
    }
}
