//! Games and positions as the page is told of them, in JSON.

use regulus_agents::Report;
use regulus_automaton::{Id as _, Square};
use regulus_engine::{Rules as _, Step};
use regulus_game::{BoardPicture, Error, Game, Match, Summary};
use serde_json::{Value, json};

/// How many moves of a line are told.
const LONGEST_LINE: usize = 8;
/// How many of the best moves are told.
const MOST_MOVES: usize = 24;

/// What does not change while a game is played.
pub(crate) fn board(game: &Game) -> Value {
    let picture = BoardPicture::new(game);
    let automaton = game.automaton();
    let looks = &automaton.looks;
    let squares: Vec<Value> = automaton
        .board
        .squares
        .keys()
        .zip(&picture.centres)
        .map(|(square, (x, y))| {
            json!({ "name": game.notation().square(square), "x": rounded(*x), "y": rounded(*y) })
        })
        .collect();
    let pieces: Vec<Value> = looks
        .pieces
        .values()
        .map(|look| {
            let owner = look.owner.map(|owner| owner.index());
            json!({ "name": look.name, "symbol": look.symbol, "owner": owner, "empty": look.is_empty })
        })
        .collect();
    let players: Vec<Value> = looks
        .players
        .values()
        .map(|look| json!({ "name": look.name, "colour": look.colour.word() }))
        .collect();
    json!({
        "svg": picture.svg,
        "width": rounded(picture.width),
        "height": rounded(picture.height),
        "room": rounded(picture.room),
        "squares": squares,
        "pieces": pieces,
        "players": players,
        "hands": !looks.hands.is_empty(),
        "chance": game.has_chance(),
        "game": format!("{:016x}", game.fingerprint()),
    })
}

/// A number with one digit behind the point.
fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// The position of a play.
pub(crate) fn position(play: &Match) -> Value {
    let game = play.game();
    let automaton = game.automaton();
    let pieces: Vec<usize> =
        automaton.board.squares.keys().map(|square| play.state().piece(square).index()).collect();
    let hands: Vec<Vec<(usize, i32)>> = automaton
        .players
        .keys()
        .map(|player| play.hand(player).iter().map(|(piece, n)| (piece.index(), *n)).collect())
        .collect();
    let counters: Vec<Value> = automaton
        .looks
        .counters
        .iter()
        .map(|counter| {
            let value = game.rules().variable(play.state(), counter.variable);
            json!({ "name": counter.name, "value": value })
        })
        .collect();
    let over = play.outcome().over().map(|over| {
        let winner = match over.summary {
            Summary::Won(player) => Some(player.index()),
            Summary::Drawn | Summary::Shared => None,
        };
        json!({ "results": over.results, "winner": winner, "reason": over.reason })
    });
    json!({
        "pieces": pieces,
        "hands": hands,
        "counters": counters,
        "player": play.player().map(|player| player.index()),
        "over": over,
        "text": play.outcome().to_string(),
        "last": indices(&play.last_squares()),
    })
}

fn indices(squares: &[Square]) -> Vec<usize> {
    squares.iter().map(|square| square.index()).collect()
}

/// What a player thinks of a position.
pub(crate) fn evaluation(play: &Match, report: &Report) -> Result<Value, Error> {
    let mut moves = Vec::new();
    for candidate in report.candidates.iter().take(MOST_MOVES) {
        moves.push(json!({
            "move": play.written(&candidate.steps.0)?,
            "squares": squares_of(&candidate.steps.0),
            "visits": candidate.visits,
            "value": candidate.value,
            "bound": candidate.is_bound,
        }));
    }
    Ok(json!({
        "type": "evaluation",
        "values": report.values,
        "ends_in": report.ends_in,
        "line": report.line_names(play, LONGEST_LINE)?,
        "moves": moves,
        "depth": report.depth,
        "iterations": report.iterations,
        "per_second": report.speed(),
        "seconds": report.time.as_secs_f64(),
    }))
}

/// The squares that a move goes over, each once in a row.
fn squares_of(steps: &[Step]) -> Vec<usize> {
    let mut squares: Vec<usize> = steps.iter().map(|step| step.square.index()).collect();
    squares.dedup();
    squares
}
