//! Chess in all its bundled forms: FEN, known trees, repetition.

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;

use common::random_positions;
use regulus_automaton::Player;
use regulus_engine::{Counting, Playouts, Rules as _, generator, perft};
use regulus_game::{Config, EngineKind, Game, Match};

const ENGINES: [EngineKind; 4] =
    [EngineKind::Walk, EngineKind::Plan, EngineKind::Jit, EngineKind::Auto];

fn load(name: &str, engine: EngineKind) -> Arc<Game> {
    let game = Game::load(name, &Config { engine, ..Config::default() }).expect("it is bundled");
    game.rules().wait();
    game
}

/// Positions that move generators are tested with, and the leaves of their trees from depth 1 on.
const TREES: [(&str, &[u64]); 5] = [
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039, 97862, 4_085_603],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43238, 674_624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9467, 422_333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486, 62379, 2_103_487]),
    ("rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", &[31, 570, 17546]),
];

#[test]
fn known_positions_have_their_known_trees() {
    for name in ["chess", "chess.abg", "chess_threefold"] {
        let game = load(name, EngineKind::Jit);
        for (fen, trees) in TREES {
            let play = Match::from_position(&game, fen).expect("a position");
            for (depth, &leaves) in (1..).zip(trees) {
                let counted = perft(
                    game.rules(),
                    play.state(),
                    play.history(),
                    depth,
                    Counting::Each,
                    &mut |_, _| {},
                );
                assert_eq!(counted.map(|tree| tree.leaves), Ok(leaves), "{name}: {fen}, {depth}");
            }
        }
    }
}

/// Positions of chess on smaller boards, with promotions, and the leaves of their trees by Fairy-Stockfish's move generator.
const SMALL_TREES: [(&str, &str, [u64; 3]); 6] = [
    ("gardner_chess", "r1bqk/1P1pp/p4/P1pPP/RNBQK w - - 0 5", [19, 289, 3775]),
    ("gardner_chess", "1rk2/P3P/4K/p2p1/4B b - - 3 20", [19, 226, 2933]),
    ("gardner_chess", "1k3/3P1/1K3/1p3/5 w - - 0 30", [9, 44, 297]),
    ("los_alamos_chess", "r1qknr/pP1ppp/2n3/2p3/PP1PPP/RNQKNR w - - 1 4", [24, 417, 7982]),
    ("los_alamos_chess", "3k2/P4P/2n3/3N2/p4p/2K3 b - - 0 20", [15, 181, 2028]),
    ("los_alamos_chess", "k5/2Q3/6/6/6/K5 w - - 0 9", [20, 27, 469]),
];

#[test]
fn small_boards_have_their_known_trees() {
    for engine in [EngineKind::Walk, EngineKind::Plan, EngineKind::Jit] {
        for (name, fen, trees) in SMALL_TREES {
            let game = load(name, engine);
            let play = Match::from_position(&game, fen).expect("a position");
            for (depth, leaves) in (1..).zip(trees) {
                let (rules, how) = (game.rules(), Counting::Each);
                let counted =
                    perft(rules, play.state(), play.history(), depth, how, &mut |_, _| {});
                assert_eq!(counted.map(|tree| tree.leaves), Ok(leaves), "{name}: {fen}, {depth}");
            }
        }
    }
}

#[test]
fn small_boards_end_by_mate_and_stalemate() {
    for (name, fen, ending) in [
        ("gardner_chess", "k4/1Q3/1K3/5/5 b - - 0 9", "white wins: black is checkmated"),
        ("gardner_chess", "k4/5/1Q3/1K3/5 b - - 0 9", "a draw: stalemate: black has no legal move"),
        ("los_alamos_chess", "6/6/6/6/6/r2k1K w - - 0 9", "white to move"),
        ("los_alamos_chess", "6/6/6/5k/6/r4K w - - 0 9", "black wins: white is checkmated"),
        ("los_alamos_chess", "6/6/6/6/3kq1/5K b - - 0 9", "black to move"),
    ] {
        let play = Match::from_position(&load(name, EngineKind::Plan), fen).expect("a position");
        assert_eq!(play.outcome().to_string(), ending, "{name}: {fen}");
    }
    for fen in [
        "6/6/6/6/6/b4K w - - 0 9",
        "6/6/6/6/6/r4K w K - 0 9",
        "6/6/6/6/6/r4K w - a3 0 9",
        "7/6/6/6/6/r4K w - - 0 1",
    ] {
        assert!(Match::from_position(&load("los_alamos_chess", EngineKind::Plan), fen).is_err());
    }
}

#[test]
fn fen_comes_back_exactly() {
    let names = ["chess", "chess.abg", "chess_threefold", "chess_without_check"];
    for name in names.into_iter().chain(["gardner_chess", "los_alamos_chess"]) {
        let game = load(name, EngineKind::Jit);
        let mut compared = 0;
        random_positions(&game, 1, 1500, |play, _| {
            // Before the first move the scores are not those of a position in the middle of a game.
            if play.player().is_some() && !play.line().is_empty() {
                let fen = play.fen().expect("it is chess");
                let again = Match::from_position(&game, &fen).expect("a position");
                assert_eq!(again.fen(), Some(fen.clone()), "{name}");
                // The others keep rooks fresh whose king has moved, which FEN does not tell.
                let names = |play: &Match| -> BTreeSet<String> {
                    play.names().expect("listed").iter().cloned().collect()
                };
                assert_eq!(names(&again), names(play), "{name}: {fen}");
                if ["chess_threefold", "gardner_chess", "los_alamos_chess"].contains(&name) {
                    assert_eq!(again.position(), play.position(), "{name}: {fen}");
                    assert_eq!(again.state(), play.state(), "{name}: {fen}");
                }
                compared += 1;
            }
        });
        assert!(compared > 1000);
    }
}

/// Knights go out and back until the first position has occurred for the third time.
const ROUND: [&str; 4] = ["g1-f3", "g8-f6", "f3-g1", "f6-g8"];

#[test]
fn the_third_repetition_ends_the_game_in_all_engines() {
    for engine in ENGINES {
        let game = load("chess_threefold", engine);
        let mut play = Match::new(&game).expect("the game begins");
        for (made, name) in ROUND.iter().cycle().take(8).enumerate() {
            assert!(play.player().is_some(), "{engine:?}: the game goes on after {made} moves");
            play.play_named(name).expect("legal");
        }
        let over = play.outcome().over().expect("the position has come for the third time");
        assert_eq!(
            (over.results.as_slice(), over.scores.as_slice()),
            (&[0.5, 0.5][..], &[50, 50][..])
        );
        assert!(over.reason.contains("for the third time"), "{}", over.reason);
        assert!(play.moves().expect("none").is_empty());
        // Taken back, the position counts twice; reached by another way it is over again.
        assert!(play.undo() && play.player() == Some(Player(1)));
        assert!(play.redo().expect("no fault") && play.player().is_none());
        // The usual game goes on.
        let mut usual = Match::new(&load("chess", engine)).expect("the game begins");
        for name in ROUND.iter().cycle().take(8) {
            usual.play_named(name).expect("legal");
        }
        assert!(usual.player().is_some());
    }
}

#[test]
fn random_games_end_by_repetition_alike_in_all_engines() {
    // Two kings and a rook shuffle about until the rules put an end to it.
    let fen = "8/8/8/8/8/4k3/8/R3K3 b Q - 0 1";
    let mut endings = Vec::new();
    for engine in ENGINES {
        let game = load("chess_threefold", engine);
        let play = Match::from_position(&game, fen).expect("a position");
        let over = game.automaton().repetition.as_ref().expect("it is declared").over;
        let rules = game.rules();
        let mut playouts = Playouts::new(rules, 4);
        let mut repeated = 0;
        for number in 0..60 {
            let (mut state, mut history) = (play.state().clone(), play.history().clone());
            playouts.start_game(4, number);
            let moves = playouts.run(&mut state, &mut history, 10_000).expect("no fault");
            repeated += u64::from(state.node(rules.layout()) == over);
            // A hundred quiet plies end the game at the latest, once more after a capture.
            assert!(moves <= 202, "{moves}");
        }
        assert!(repeated > 5, "{engine:?}: {repeated} of 60 games ended by repetition");
        endings.push(repeated);
        // One seed gives one game.
        let mut line = Match::from_position(&game, fen).expect("a position");
        let mut random = generator(11);
        while line.play_random(&mut random).expect("no fault") {}
        let names = line.line_names().expect("no fault");
        assert_eq!(names.len(), line.line().len());
        endings.push(names.len() as u64);
    }
    // Plan, native code and both in turn make the same choices; walk numbers moves in another way.
    assert_eq!(endings[2..4], endings[4..6]);
    assert_eq!(endings[4..6], endings[6..8]);
    assert_eq!(endings[1], endings[3], "plays of one seed do not depend on the engine");
}

#[test]
fn trees_in_which_positions_come_again_are_counted_alike() {
    // After six of the eight moves of a repetition, trees of four moves reach its end and go on beside it.
    let mut counts = Vec::new();
    for engine in ENGINES {
        let game = load("chess_threefold", engine);
        let mut play = Match::new(&game).expect("the game begins");
        for name in ROUND.iter().cycle().take(6) {
            play.play_named(name).expect("legal");
        }
        let count = |depth| {
            let (rules, state, history) = (game.rules(), play.state(), play.history());
            perft(rules, state, history, depth, Counting::Each, &mut |_, _| {}).expect("no fault")
        };
        counts.push([1, 2, 3].map(count));
    }
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    let usual = load("chess", EngineKind::Jit);
    let mut play = Match::new(&usual).expect("the game begins");
    for name in ROUND.iter().cycle().take(6) {
        play.play_named(name).expect("legal");
    }
    let (rules, state, history) = (usual.rules(), play.state(), play.history());
    let tree = perft(rules, state, history, 3, Counting::Each, &mut |_, _| {}).expect("no fault");
    // One position at depth 2 is over, with the twenty moves it would have had.
    assert_eq!(tree.leaves - counts[0][2].leaves, 20);
}

#[test]
fn checkmate_and_stalemate_are_told() {
    let game = load("chess", EngineKind::Auto);
    let mut play = Match::new(&game).expect("the game begins");
    for name in ["f2-f3", "e7-e5", "g2-g4", "d8-h4"] {
        play.play_named(name).expect("legal");
    }
    assert_eq!(play.outcome().to_string(), "black wins: white is checkmated");
    let stale = Match::from_position(&game, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").expect("a position");
    let outcome = stale.outcome().to_string();
    assert!(outcome.starts_with("a draw: stalemate"), "{outcome}");
}
