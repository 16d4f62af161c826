//! `regulus show`: a position as a drawing.

use regulus_automaton::{Piece, PieceLook};
use regulus_engine::Rules as _;
use regulus_game::{Match, Outcome, Theme};
use serde_json::{Map, Value, json};

use crate::args;
use crate::colours::Screen;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw, write_file};

pub(crate) fn run(loader: &Loader, args: &args::Show) -> Result<(), Failure> {
    let play = loader.play(&args.position)?;
    if let Some(path) = &args.output {
        let is_svg = path.extension().is_some_and(|extension| extension == "svg");
        if !is_svg {
            let name = path.display();
            return Err(Failure::usage(format!("pictures are SVG; let `{name}` end with .svg")));
        }
        let theme = if args.dark { Theme::Dark } else { Theme::Light };
        write_file(path, &play.svg(theme))?;
    }
    if loader.json {
        say!("{}", as_json(&play));
    } else if args.output.is_none() {
        say_raw!("{}", loader.screen.board(&play));
        say!("{}", situation(&play, loader.screen));
        say!("position: {}", play.position());
    }
    Ok(())
}

/// Who is to move, what players hold and what is counted, or how the game has ended.
pub(crate) fn situation(play: &Match, screen: Screen) -> String {
    let game = play.game();
    let looks = &game.automaton().looks;
    let mut text = String::new();
    if !looks.hands.is_empty() {
        for player in game.automaton().players.keys() {
            let look = |piece: Piece| {
                let PieceLook { symbol, name, .. } = &looks.pieces[piece];
                let owner = &looks.players[player].name;
                let name = name.strip_prefix(owner.as_str()).unwrap_or(name).trim_start();
                if name == symbol { name.to_owned() } else { format!("{symbol} ({name})") }
            };
            let held = play.hand(player).into_iter();
            let held: Vec<String> =
                held.map(|(piece, count)| format!("{count} {}", look(piece))).collect();
            let held = if held.is_empty() { "no pieces".to_owned() } else { held.join(", ") };
            text.push_str(&format!("{} holds {held}\n", screen.player(game, player)));
        }
    }
    for player in game.automaton().players.keys() {
        let own = looks.sides.iter().filter(|side| side.player == player);
        let sides: Vec<&str> = own.map(|side| side.border.word()).collect();
        if !sides.is_empty() {
            let (player, sides) = (screen.player(game, player), sides.join(" and "));
            text.push_str(&format!("{player} owns the {sides} of the board\n"));
        }
    }
    match play.outcome() {
        Outcome::Ongoing { player, .. } => {
            text.push_str(&format!("{} to move", screen.player(game, *player)));
            for counter in &looks.counters {
                let value = game.rules().variable(play.state(), counter.variable);
                text.push_str(&format!("; {}: {value}", counter.name));
            }
        }
        Outcome::Over(over) => text.push_str(&format!("the game is over: {over}")),
    }
    text
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
