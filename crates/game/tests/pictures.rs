//! Boards as pictures and as text, for every bundled game.

use std::collections::HashSet;
use std::sync::Arc;

use regulus_game::{Config, EngineKind, Game, Match, TextStyle, Theme, bundled};

fn load(name: &str) -> Arc<Game> {
    let config = Config { engine: EngineKind::Plan, ..Config::default() };
    Game::load(name, &config).expect("it is bundled")
}

/// A play after some moves, always the same.
fn after(game: &Arc<Game>, moves: usize) -> Match {
    let mut play = Match::seeded(game, 1).expect("it begins");
    for number in 0..moves {
        let Ok(names) = play.names() else { break };
        if names.is_empty() {
            break;
        }
        let name = names[(number * 7 + 3) % names.len()].clone();
        play.play_named(&name).expect("it is legal");
    }
    play
}

/// The tags of a document are closed in order.
fn assert_well_formed(svg: &str, name: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or_else(|| panic!("{name}: <{part}"));
        assert!(!text.contains('>'), "{name}: {text}");
        let word = tag.split_whitespace().next().unwrap_or_default();
        if let Some(word) = word.strip_prefix('/') {
            assert_eq!(open.pop(), Some(word), "{name}");
        } else if !tag.ends_with('/') {
            open.push(word);
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{name}: {tag}");
    }
    assert!(open.is_empty(), "{name}: {open:?}");
}

#[test]
fn every_bundled_game_is_drawn() {
    let mut drawn = 0;
    for name in bundled::names() {
        let source = bundled::find(name).expect("it is bundled");
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        let game = Game::new(source, &config).expect("it is a game");
        let play = after(&game, 6);
        for theme in [Theme::Light, Theme::Dark] {
            let svg = play.svg(theme);
            assert_well_formed(&svg, name);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
            let looks = &game.automaton().looks;
            let pieces = game.automaton().board.squares.keys().filter(|&square| {
                let piece = play.state().piece(square);
                !looks.pieces[piece].is_empty
            });
            let held: usize =
                game.automaton().players.keys().map(|player| play.hand(player).len()).sum();
            assert_eq!(svg.matches("<use ").count(), pieces.count() + held, "{name}");
        }
        // Every square and name has a place of its own.
        let svg = play.svg(Theme::Light);
        let copies: Vec<&str> = svg.lines().filter(|line| line.starts_with("<use ")).collect();
        let places: HashSet<&str> =
            copies.iter().filter_map(|line| line.split("transform=").nth(1)).collect();
        assert_eq!(places.len(), copies.len(), "{name}");
        let names = |line: &&str| line.starts_with("<text x=");
        let labels: Vec<&str> = svg.lines().filter(names).collect();
        let at = |line: &str| line.split(" font-size").next().map(str::to_owned);
        let places: HashSet<_> = labels.iter().map(|line| at(line)).collect();
        assert_eq!(places.len(), labels.len(), "{name}");
        let style = TextStyle { is_ascii: true, width: Some(80), ..TextStyle::default() };
        let text = play.draw(style, &mut |_, text| text.to_owned());
        assert!(text.is_ascii(), "{name}\n{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{name}\n{text}");
        drawn += 1;
    }
    assert!(drawn > 50, "{drawn}");
}

#[test]
fn the_last_move_is_marked() {
    let play = after(&load("chess"), 0);
    let marks = |play: &Match| {
        play.svg(Theme::Light).matches("#f5e3a3").count()
            + play.svg(Theme::Light).matches("#e3c76a").count()
    };
    assert_eq!(marks(&play), 0);
    let mut play = play;
    play.play_named("e2-e4").expect("it is legal");
    assert_eq!(marks(&play), 2);
    assert_eq!(play.board().matches('[').count(), 2);
    play.undo();
    assert_eq!(marks(&play), 0);
}

#[test]
fn boards_of_hexagons_have_the_names_their_players_use() {
    let hex = load("hex");
    let names: HashSet<&str> =
        hex.automaton().board.squares.keys().map(|square| hex.notation().square(square)).collect();
    assert_eq!(names.len(), 81);
    assert!(["a1", "i1", "a9", "i9", "e5"].iter().all(|name| names.contains(name)));
    // Neighbours along both axes, and along the short diagonal.
    let board = &hex.automaton().board;
    let find = |name: &str| {
        board.squares.keys().find(|&square| hex.notation().square(square) == name).expect("a cell")
    };
    let mut around: Vec<&str> = board.squares[find("e5")]
        .neighbours
        .values()
        .flatten()
        .map(|&square| hex.notation().square(square))
        .collect();
    around.sort_unstable();
    assert_eq!(around, ["d5", "d6", "e4", "e6", "f4", "f5"]);
    let yavalath = load("yavalath");
    let board = &yavalath.automaton().board;
    let names: HashSet<&str> =
        board.squares.keys().map(|square| yavalath.notation().square(square)).collect();
    // As in abalone.
    for row in ["a1", "a5", "e1", "e9", "f2", "f9", "i5", "i9"] {
        assert!(names.contains(row), "{row}");
    }
    assert!(["a6", "f1", "i4"].iter().all(|name| !names.contains(name)));
}

#[test]
fn hands_are_drawn_beside_the_board() {
    let game = load("animal_shogi");
    let mut play = Match::new(&game).expect("it begins");
    assert!(game.automaton().players.keys().all(|player| play.hand(player).is_empty()));
    play.play_named("b2-b3")
        .or_else(|_| {
            let names = play.names().expect("they have names").to_vec();
            let capture = names.iter().find(|name| name.contains("b3")).expect("a capture");
            play.play_named(capture)
        })
        .expect("the chicks meet");
    let held: Vec<i32> = game
        .automaton()
        .players
        .keys()
        .flat_map(|player| play.hand(player))
        .map(|(_, count)| count)
        .collect();
    assert_eq!(held, [1]);
    assert!(play.svg(Theme::Light).contains("×1"));
}
