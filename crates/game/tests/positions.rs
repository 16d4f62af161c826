//! Positions are written as text and come back exactly; other texts are refused with a reason.
//!
//! `REGULUS_POSITIONS` says how many positions of each game are written; 150 unless set.

mod common;

use common::{games, number, random_positions};
use regulus_game::{EngineKind, Match};

#[test]
fn every_position_of_random_games_comes_back() {
    let positions = number("REGULUS_POSITIONS", 150);
    let mut ends = 0;
    for (name, game) in games(EngineKind::Plan) {
        random_positions(&game, 3, positions, |play, _| {
            let text = play.position();
            assert!(!text.contains('\n'), "{name}: {text}");
            let again = Match::from_position(&game, &text);
            let again = again.unwrap_or_else(|error| panic!("{name}: {text}: {error}"));
            assert_eq!(again.state(), play.state(), "{name}: {text}");
            assert_eq!(again.outcome(), play.outcome(), "{name}: {text}");
            assert_eq!(again.position(), text, "{name}");
            ends += usize::from(play.player().is_none());
        });
    }
    assert!(ends > 30, "only {ends} games have ended");
}

#[test]
fn other_texts_are_refused_with_a_reason() {
    let games = games(EngineKind::Plan);
    let game =
        |wanted: &str| &games.iter().find(|(name, _)| *name == wanted).expect("it is bundled").1;
    for (name, text, reason) in [
        ("breakthrough", "", "it is empty"),
        ("breakthrough", "8/8/8/8/8/8/8 white", "the board has 8 rows, not 7"),
        ("breakthrough", "8/8/8/8/8/8/8/7 white", "row 8 from the top: it has 8 squares, not 7"),
        ("breakthrough", "8/8/8/8/8/8/8/99999999999999999999 white", "row 8 from the top"),
        ("breakthrough", "8/8/8/8/8/8/8/x7 white", "`x` is no piece; there are: P p"),
        ("breakthrough", "8/8/8/8/8/8/8/8", "comes the player in control"),
        ("breakthrough", "8/8/8/8/8/8/8/8 green", "there is no player `green`"),
        ("breakthrough", "8/8/8/8/8/8/8/8 white white=101", "`white` is a number from 0 to 100"),
        ("breakthrough", "8/8/8/8/8/8/8/8 white green=1", "there is no variable `green`"),
        ("breakthrough", "8/8/8/8/8/8/8/8 white @z9", "there is no square `z9`"),
        ("breakthrough", "8/8/8/8/8/8/8/8 white @a1 @a2", "for the second time"),
        ("breakthrough", "8/8/8/8/8/8/8/8 white x", "neither a variable"),
        ("breakthrough", "8/8/8/8/8/8/8/8 white#7777", "`#7777` is no switch to `white`"),
        ("chess", "8/8/8/8/8/8/8 w - - 0 1", "the board has 8 rows, not 7"),
        ("chess", "9/8/8/8/8/8/8/8 w - - 0 1", "`9` is no man"),
        ("chess", "8/8/8/8/8/8/8/8 w KQ - 0 1", "there is no king on e1"),
        ("chess", "8/8/8/8/8/8/8/8 w - e9 0 1", "nothing can be captured in passing on `e9`"),
        ("chess", "8/8/8/8/8/8/8/8 w - e6 0 1", "there is no pawn that has just passed `e6`"),
        ("chess", "8/8/8/8/8/8/8/8 w - - 101 1", "0 to 100 are possible"),
    ] {
        let error = match Match::from_position(game(name), text) {
            Ok(_) => panic!("{name}: {text} is taken for a position"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(reason), "{name}: {text}: {error}");
    }
}

#[test]
fn damaged_positions_do_no_harm() {
    use rand::RngExt as _;
    let mut read = 0;
    for (_, game) in games(EngineKind::Plan) {
        random_positions(&game, 9, 6, |play, random| {
            let text: Vec<char> = play.position().chars().collect();
            for _ in 0..8 {
                let (mut damaged, at) = (text.clone(), random.random_range(0..text.len()));
                match random.random_range(0..4) {
                    0 => damaged[at] = char::from(random.random_range(32..127u8)),
                    1 => damaged.insert(at, text[random.random_range(0..text.len())]),
                    2 => damaged[at] = text[random.random_range(0..text.len())],
                    _ => {
                        damaged.remove(at);
                    }
                }
                // A text that is still a position is one that can be played.
                if let Ok(mut play) = Match::from_position(&game, &String::from_iter(&damaged)) {
                    read += 1;
                    let _ = play.play_random(random);
                }
            }
        });
    }
    assert!(read > 20, "only {read} damaged texts were still positions");
}
