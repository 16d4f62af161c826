//! `regulus show`: a position as a drawing.

use regulus_engine::Rules as _;
use regulus_game::{Match, Outcome};
use serde_json::{Map, Value, json};

use crate::args;
use crate::colours;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};

pub(crate) fn run(loader: &Loader, args: &args::Position) -> Result<(), Failure> {
    let play = loader.play(args)?;
    if loader.json {
        say!("{}", as_json(&play));
    } else {
        say_raw!("{}", colours::board(&play, loader.colour));
        say!("{}", situation(&play, loader.colour));
        say!("position: {}", play.position());
    }
    Ok(())
}

/// Who is to move and how the variables stand, or how the game has ended, in one line.
pub(crate) fn situation(play: &Match, colour: bool) -> String {
    let game = play.game();
    let turn = match play.outcome() {
        Outcome::Ongoing { player, .. } => {
            format!("{} to move", colours::player(game, *player, colour))
        }
        Outcome::Over(over) => return format!("the game is over: {over}"),
    };
    let variables: Vec<String> =
        variables(play).map(|(name, value)| format!("{name}={value}")).collect();
    if variables.is_empty() { turn } else { format!("{turn}; {}", variables.join(" ")) }
}

/// The variables but the scores, which mean nothing in the middle of a game.
fn variables(play: &Match) -> impl Iterator<Item = (&String, i32)> {
    let (game, state) = (play.game(), play.state());
    let variables = game.automaton().variables.iter().skip(game.player_count());
    variables.map(|(variable, info)| (&info.name, game.rules().variable(state, variable)))
}

/// A position for programs.
fn as_json(play: &Match) -> Value {
    let (game, state) = (play.game(), play.state());
    let automaton = game.automaton();
    let squares: Vec<_> = automaton
        .board
        .squares
        .iter()
        .map(|(square, info)| {
            json!({
                "name": game.notation().square(square),
                "source_name": info.name,
                "x": info.x,
                "y": info.y,
                "piece": automaton.pieces[state.piece(square)],
            })
        })
        .collect();
    let variables: Map<_, _> =
        variables(play).map(|(name, value)| (name.clone(), value.into())).collect();
    json!({
        "player": play.player().map(|player| &automaton.players[player]),
        "over": play.player().is_none(),
        "outcome": outcome_json(play),
        "variables": variables,
        "squares": squares,
        "position": play.position(),
        "seed": play.seed(),
        "fen": play.fen(),
        "hash": format!("{:016x}", state.fingerprint()),
    })
}

/// How a game has ended, for programs; null while it goes on.
pub(crate) fn outcome_json(play: &Match) -> Value {
    play.outcome().over().map_or(
        Value::Null,
        |over| json!({ "results": over.results, "scores": over.scores, "reason": over.reason }),
    )
}
