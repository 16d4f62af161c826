//! The games that come with Regulus: their pragma comments are understood, and they say why they end.

use std::fs;
use std::path::PathBuf;

use regulus_automaton::Automaton;
use regulus_automaton::analyses::{WriteCount, straightness};
use regulus_lang::{Source, compile, rbg};

/// The texts of all games with their names.
fn games() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut files: Vec<PathBuf> = Vec::new();
    for language in ["rbg", "sbg", "abg"] {
        let entries = fs::read_dir(folder.join(language)).expect("the folder of games");
        files.extend(entries.map(|entry| entry.expect("a game").path()));
    }
    files.sort();
    let text = |file: &PathBuf| fs::read_to_string(file).expect("a text");
    files.iter().map(|file| (file.display().to_string(), text(file))).collect()
}

fn automaton(name: &str, text: &str) -> Automaton {
    let compilation = compile(&Source::new(name, text));
    assert!(compilation.diagnostics.is_empty(), "{name}: {:?}", compilation.diagnostics);
    compilation.automaton.expect("a game")
}

#[test]
fn they_say_why_they_end() {
    let games = games();
    assert!(games.len() > 40, "the games are there");
    for (name, text) in games {
        let automaton = automaton(&name, &text);
        let endings = &automaton.endings;
        assert!(!endings.at.is_empty() || endings.stuck.is_some(), "{name}");
        // Wherever the keeper has nothing to do there is a reason, unless nothing leads there.
        for (node, edges) in automaton.nodes.iter() {
            let never = |edge: &regulus_automaton::Edge| matches!(&edge.action, regulus_automaton::Action::On(pieces) if pieces.is_empty());
            let ends_a_move = automaton.edges().any(|(_, edge)| {
                edge.target == node && edge.action == regulus_automaton::Action::Keeper
            });
            if ends_a_move && edges.iter().all(never) {
                assert!(endings.at.contains_key(&node), "{name}: {node}");
            }
        }
    }
}

#[test]
fn their_pieces_have_owners_names_and_kinds() {
    for (name, text) in games() {
        let automaton = automaton(&name, &text);
        let empty = automaton.looks.pieces.values().filter(|look| look.is_empty).count();
        assert!(empty >= 1, "{name}");
        for (piece, look) in automaton.looks.pieces.iter() {
            let known = ["arrow", "gap", "captured", "lifted", "taken", "moving"];
            let spelled = automaton.pieces[piece].as_str();
            let owned = look.owner.is_some() || look.is_empty || known.contains(&spelled);
            assert!(owned, "{name}: {spelled}");
        }
    }
}

#[test]
fn their_automata_are_as_straight_as_their_texts() {
    for (name, text) in games() {
        let bounds = straightness(&automaton(&name, &text));
        assert!(bounds.moves <= bounds.main && bounds.main <= bounds.applicational, "{name}");
        assert!(bounds.moves > WriteCount::None, "{name}");
        if let (Some(game), _) = rbg::check(&Source::new(&name, text.as_str()))
            && name.ends_with(".rbg")
        {
            let rbg::Straightness { applicational, main, moves, .. } = rbg::straightness(&game);
            let of_text = [applicational, main, moves];
            assert_eq!([bounds.applicational, bounds.main, bounds.moves], of_text, "{name}");
        }
    }
}

#[test]
fn chess_men_are_those_of_chess() {
    let (name, text) = games()
        .into_iter()
        .find(|(name, _)| name.ends_with("chess_threefold.rbg"))
        .expect("the game is there");
    let automaton = automaton(&name, &text);
    let piece = |name: &str| {
        let found = automaton.pieces.iter().find(|(_, piece)| *piece == name);
        &automaton.looks.pieces[found.expect("there is such a piece").0]
    };
    assert_eq!(piece("wHasty"), piece("wPawn"));
    assert_eq!(piece("bFreshKing"), piece("bKing"));
    assert_eq!(piece("bKnight").name, "black knight");
    let repetition = automaton.repetition.as_ref().expect("positions are counted");
    assert_eq!((repetition.times, repetition.scores.as_slice()), (3, [50, 50].as_slice()));
    let ignored = repetition.ignored.iter().map(|&variable| &automaton.variables[variable].name);
    assert_eq!(ignored.collect::<Vec<_>>(), ["white", "black", "quiet"]);
}
