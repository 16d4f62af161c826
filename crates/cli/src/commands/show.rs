//! `regulus show`: a position as a drawing.

use regulus_engine::{Notation, Rules as _};
use serde_json::{Map, json};

use crate::args;
use crate::draw;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};
use crate::position::Position;

pub(crate) fn run(loader: &Loader, args: &args::Position) -> Result<(), Failure> {
    let loaded = loader.load(&args.game)?;
    let position = Position::after(&loaded, &args.moves, args.random, args.seed)?;
    if loader.json {
        say!("{}", as_json(&position));
    } else {
        say_raw!("{}", draw::board(position.rules, &position.state, loader.colour));
        say!("{}", situation(&position, loader.colour));
    }
    Ok(())
}

/// Who is to move and how the variables stand, in one line.
pub(crate) fn situation(position: &Position<'_>, colour: bool) -> String {
    let rules = position.rules;
    let automaton = rules.automaton();
    let turn = match position.player() {
        Some(player) => format!("{} to move", draw::player(automaton, player, colour)),
        None => {
            let scores = automaton.players.keys().map(|player| {
                let score = rules.score(&position.state, player);
                format!("{} {score}", draw::player(automaton, player, colour))
            });
            return format!("the game is over: {}", scores.collect::<Vec<_>>().join(", "));
        }
    };
    let variables: Vec<String> = automaton
        .variables
        .iter()
        .skip(automaton.players.len())
        .map(|(variable, info)| {
            format!("{}={}", info.name, rules.variable(&position.state, variable))
        })
        .collect();
    if variables.is_empty() { turn } else { format!("{turn}; {}", variables.join(" ")) }
}

/// A position for programs.
fn as_json(position: &Position<'_>) -> serde_json::Value {
    let rules = position.rules;
    let automaton = rules.automaton();
    let notation = Notation::new(automaton);
    let squares: Vec<_> = automaton
        .board
        .squares
        .iter()
        .map(|(square, info)| {
            json!({
                "name": notation.square(square),
                "source_name": info.name,
                "x": info.x,
                "y": info.y,
                "piece": automaton.pieces[position.state.piece(square)],
            })
        })
        .collect();
    let variables: Map<_, _> = automaton
        .variables
        .iter()
        .map(|(variable, info)| {
            (info.name.clone(), rules.variable(&position.state, variable).into())
        })
        .collect();
    json!({
        "player": position.player().map(|player| &automaton.players[player]),
        "over": position.player().is_none(),
        "scores": rules.scores(&position.state),
        "variables": variables,
        "squares": squares,
        "hash": format!("{:016x}", position.state.fingerprint()),
    })
}
