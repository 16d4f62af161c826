//! `regulus eval`: what the pieces of a game are worth, as players have learnt it.

use std::fs;
use std::path::Path;

use regulus_agents::{Judgement, PieceWorth};
use regulus_automaton::Id as _;
use regulus_game::{Game, Theme};
use serde_json::{Value, json};

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, write_file};

pub(crate) fn run(loader: &Loader, args: &args::Eval) -> Result<(), Failure> {
    let game = loader.load_for_players(&args.game)?;
    game.rules().wait();
    let judgement = Judgement::new(&game, args.learning)?;
    if loader.json {
        say!("{}", as_json(&game, &judgement));
    } else {
        for sentence in judgement.sentences(&game) {
            say!("{sentence}");
        }
    }
    match &args.svg {
        Some(folder) => draw(&game, &judgement, folder),
        None => Ok(()),
    }
}

fn as_json(game: &Game, judgement: &Judgement) -> Value {
    let square_names =
        || game.automaton().board.squares.keys().map(|at| game.notation().square(at));
    let piece = |worth: &PieceWorth| {
        let squares: serde_json::Map<String, Value> = square_names()
            .zip(&worth.squares)
            .filter_map(|(name, worth)| worth.map(|worth| (name.to_owned(), json!(worth))))
            .collect();
        json!({
            "piece": game.automaton().pieces[worth.piece],
            "name": game.piece_look(worth.piece).name,
            "owner": game.automaton().players[worth.owner],
            "worth": worth.worth,
            "squares": squares,
        })
    };
    let pieces: Vec<Value> = judgement.pieces.iter().map(piece).collect();
    json!({
        "pieces": pieces,
        "turn": judgement.turn,
        "mobility": judgement.mobility,
        "territory": judgement.territory,
        "sentences": judgement.sentences(game),
    })
}

/// Writes a picture for each piece: where it is worth more than on average, and where less.
fn draw(game: &Game, judgement: &Judgement, folder: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::bad_input(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    for worth in &judgement.pieces {
        let heat: Vec<Option<f64>> =
            worth.squares.iter().map(|square| square.map(|square| square - worth.worth)).collect();
        // Names of pieces may have any letters.
        let name: String = game.automaton().pieces[worth.piece]
            .chars()
            .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
            .collect();
        let path = folder.join(format!("{:02}_{name}.svg", worth.piece.index()));
        write_file(&path, &game.heat_svg(&heat, Theme::Light))?;
    }
    Ok(())
}
