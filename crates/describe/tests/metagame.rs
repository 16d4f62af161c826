//! Guides to games of METAGAME: pieces score as in Simplified Boardgames where they move alike, all bundled games are told as
//! recorded, and generated games are told in a bounded space.

use std::fs;
use std::path::{Path, PathBuf};

use regulus_describe::{Guide, MAX_CHARACTERS, PieceGuide, Verdict};
use regulus_lang::{Source, metagame, sbg};

fn games(language: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games")).join(language)
}

fn of_text(text: &str) -> Guide {
    let (game, findings) = metagame::check(&Source::new("test.game", text));
    Guide::of_metagame(&game.unwrap_or_else(|| panic!("{findings:?}\n{text}")))
}

fn bundled(name: &str) -> Guide {
    let path = games("metagame").join(format!("{name}.game"));
    of_text(&fs::read_to_string(path).expect("the game is bundled"))
}

fn bundled_sbg(name: &str) -> Guide {
    let path = games("sbg").join(format!("{name}.sbg"));
    let text = fs::read_to_string(path).expect("the game is bundled");
    Guide::of_sbg(&sbg::check(&Source::new("test.sbg", text)).0.expect("no errors"))
}

fn piece<'a>(guide: &'a Guide, name: &str) -> &'a PieceGuide {
    guide.pieces.iter().find(|piece| piece.is_called(name)).unwrap_or_else(|| panic!("a {name}"))
}

/// A game with one piece: its sections, on a board with other pieces called `a` and `b`.
fn one_piece(board: &str, sections: &str) -> Guide {
    of_text(&format!(
        "GAME test GOALS STALEMATE opponent {board} PROMOTE_RANK 8 SETUP piece AT {{(1,1)}}
         DEFINE piece {sections} END DEFINE DEFINE a END DEFINE DEFINE b END DEFINE END GAME."
    ))
}

const PLANE: &str = "BOARD_SIZE 8 BY 8 BOARD_TYPE planar";

fn sentences(sections: &str) -> Vec<String> {
    one_piece(PLANE, sections).pieces.swap_remove(0).sentences
}

#[test]
fn pieces_of_chess_score_as_in_simplified_boardgames() {
    let (metagame, sbg) = (bundled("metagame_chess"), bundled_sbg("simplified_chess"));
    for name in ["king", "queen", "rook", "bishop", "knight"] {
        let (one, other) = (piece(&metagame, name), piece(&sbg, name));
        assert_eq!(one.sentences, other.sentences, "{name}");
        assert_eq!(one.score, other.score, "{name}");
        assert_eq!(one.parts, other.parts, "{name}");
    }
    // Promotion is said and counted behind it.
    let (one, other) = (piece(&metagame, "pawn_1"), piece(&sbg, "pawn"));
    assert_eq!(one.sentences[0], other.sentences[0]);
    assert_eq!(
        one.sentences[1..],
        ["Becomes a pawn 2 when its move ends on one of the last 6 rows."]
    );
    assert_eq!(one.parts[..2], other.parts[..]);
    assert_eq!(one.score, Some(18));
}

#[test]
fn a_cannon_scores_as_in_simplified_boardgames() {
    let (metagame, sbg) = (bundled("xiangqi"), bundled_sbg("cannon_chess"));
    let (one, other) = (piece(&metagame, "cannon"), piece(&sbg, "cannon"));
    assert_eq!(one.sentences, other.sentences);
    assert_eq!(one.score, other.score);
}

#[test]
fn bundled_games_are_told_as_recorded() {
    let mut told = 0;
    for file in fs::read_dir(games("metagame")).expect("the games are there") {
        let path = file.expect("readable").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = bundled(&name).to_text(100);
        let recorded = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/guides"));
        let recorded = recorded.join(format!("{name}.txt"));
        if std::env::var_os("REGULUS_UPDATE").is_some() {
            fs::write(&recorded, &text).expect("a place for it");
        }
        let expected = fs::read_to_string(&recorded).unwrap_or_default();
        assert_eq!(text, expected, "{}; REGULUS_UPDATE=1 writes it anew", recorded.display());
        told += 1;
    }
    assert!(told >= 14, "{told}");
}

#[test]
fn generated_games_are_told_in_a_bounded_space() {
    let config = regulus_generate::Config::default();
    let (mut scored, mut longest) = (0, 0);
    for index in 0..300 {
        let game = regulus_generate::generate(regulus_generate::seed_of(7, index), &config);
        let guide = of_text(&game.text);
        for piece in &guide.pieces {
            longest = longest.max(piece.text().chars().count());
            assert!(!piece.sentences.is_empty(), "{}: {}", game.name, piece.heading());
            scored += usize::from(piece.score.is_some_and(|score| score > 0));
        }
        assert!(matches!(guide.verdict, Verdict::Score(_)), "{}", game.name);
        assert!(guide.to_text(100).len() < 40_000, "{}", game.name);
        assert!(guide.to_html().contains("</html>") && guide.to_markdown().contains("## Winning"));
    }
    assert!(longest <= MAX_CHARACTERS + 200, "{longest}");
    assert!(scored > 600, "{scored}");
}

#[test]
fn each_power_has_its_words() {
    let leap = "MOVEMENT LEAP <1,1> SYMMETRY {side} END MOVEMENT";
    let hop = |counts: &str, over: &str| {
        let [before, over_count, after] = counts.split(' ').collect::<Vec<_>>()[..] else {
            panic!("three counts")
        };
        format!(
            "MOVEMENT HOP BEFORE [X {before}] OVER [X {over_count}] AFTER [X {after}] HOP_OVER {over} <0,1> SYMMETRY {{}} END MOVEMENT"
        )
    };
    let moving = |movement: &str| format!("MOVING {movement} END MOVING ");
    let capturing = |by: &str, what: &str, effect: &str, movement: &str| {
        format!(
            "CAPTURING CAPTURE BY {{{by}}} TYPE {what} EFFECT {effect} {movement} END CAPTURE END CAPTURING "
        )
    };
    let cases: Vec<(String, &[&str])> = vec![
        (String::new(), &["Does not move."]),
        (moving(leap), &["Moves 1 diagonally forwards."]),
        (
            moving("MOVEMENT RIDE MIN 2 MAX 4 LONGEST <1,0> SYMMETRY {side} END MOVEMENT"),
            &["Rides without capturing 2 to 4 times horizontally as far as it can."],
        ),
        (
            moving(&hop(">=2 =3 <=1", "[{player} {a b}]")),
            &[
                "Hops without capturing vertically forwards over 3 own as or bs in a row behind at least 2 empty squares and then over at most 1 empty square.",
            ],
        ),
        (
            moving(&hop("=0 >=1 =0", "[any_player {a}]")),
            &[
                "Hops without capturing vertically forwards over one or more as of either side in a row next to it to the square right behind.",
            ],
        ),
        (
            capturing("retrieve", "[{opponent} any_piece]", "remove", leap),
            &[
                "Moves only to capture.",
                "Captures enemy pieces that stand one step behind where it starts: leaps 1 diagonally forwards.",
            ],
        ),
        (
            moving(leap) + &capturing("clobber", "[{player} {a}]", "opponent POSSESSES", leap),
            &["Leaps capturing own instead 1 diagonally forwards.", "Captures only as."],
        ),
        (
            capturing(
                "clobber hop",
                "[any_player any_piece]",
                "remove",
                &hop("=0 =1 =0", "[{opponent} any_piece]"),
            ),
            &[
                "Moves only to capture.",
                "Captures pieces that it hops over or that it lands on (or both): hops vertically forwards over an enemy piece next to it to the square right behind.",
            ],
        ),
        (
            capturing(
                "hop",
                "[{player} any_piece]",
                "remove",
                &hop("=0 =1 =0", "[{opponent} any_piece]"),
            ),
            &["Does not move.", "Its rules have a capture that can never happen."],
        ),
        (
            moving(leap) + "PROMOTING DECISION opponent OPTIONS [any_player {a b}] END PROMOTING",
            &[
                "Moves 1 diagonally forwards.",
                "When its move ends on the last row, the opponent, before the next move, chooses what it becomes: an a or b, of either side.",
            ],
        ),
        (
            capturing("clobber", "[{opponent} any_piece]", "remove", leap)
                + "CONSTRAINTS must_capture continue_captures",
            &[
                "Captures 1 diagonally forwards.",
                "Must capture when it can.",
                "After a capture it must capture again from where it is, as long as it can.",
            ],
        ),
    ];
    for (sections, expected) in cases {
        assert_eq!(sentences(&sections), expected, "{sections}");
    }
}

#[test]
fn a_cylinder_hides_no_limit() {
    let cylinder = "BOARD_SIZE 4 BY 8 BOARD_TYPE vertical_cylinder";
    let ride = |limit: &str| {
        let sections = format!(
            "MOVING MOVEMENT RIDE {limit} <1,1> SYMMETRY all_symmetry END MOVEMENT END MOVING"
        );
        one_piece(cylinder, &sections).pieces.swap_remove(0).text()
    };
    assert_eq!(ride(""), "Rides without capturing diagonally.");
    assert_eq!(ride("MAX 5"), "Rides without capturing max 5 times diagonally.");
    // Longest means nothing there.
    assert_eq!(ride("LONGEST"), "Rides without capturing diagonally.");
}

#[test]
fn what_is_too_long_is_said_shortly() {
    let movements: String = (0..40)
        .map(|n| {
            format!(
                "MOVEMENT RIDE MIN 2 MAX {} <{},{}> SYMMETRY {{}} END MOVEMENT\n",
                n % 5 + 2,
                n % 6 + 1,
                n / 6 + 1
            )
        })
        .collect();
    let board = "BOARD_SIZE 30 BY 30 BOARD_TYPE planar";
    let guide = one_piece(board, &format!("MOVING {movements} END MOVING"));
    let text = guide.pieces[0].text();
    assert!(
        text.starts_with("Moves in ") && text.ends_with("more than 1200 characters."),
        "{text}"
    );
    assert!(guide.pieces[0].score.is_some());
}

#[test]
fn what_cannot_be_unfolded_is_told() {
    let line = "BOARD_SIZE 1 BY 9000 BOARD_TYPE planar";
    let piece = |limits: &str| {
        let ride = format!("MOVEMENT RIDE {limits} <0,1> SYMMETRY {{}} END MOVEMENT");
        one_piece(line, &format!("MOVING {ride} END MOVING")).pieces.swap_remove(0)
    };
    assert_eq!(piece("").text(), "Rides without capturing vertically forwards.");
    assert_eq!(piece("MAX 9").text(), "Rides without capturing max 9 times vertically forwards.");
    let far = piece("MAX 5000");
    assert_eq!(far.text(), "Moves in too many ways, or too far, to be described.");
    assert_eq!(far.score, None);
    assert_eq!(one_piece(line, "").verdict, Verdict::Score(0.0));
    let guide = one_piece(line, "");
    assert!(
        guide.position.is_empty() && guide.setting.iter().any(|said| said.contains("too large"))
    );
}
