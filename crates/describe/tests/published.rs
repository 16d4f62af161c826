//! The published figures: ten pieces with their sentences, and the games of table 2 from the bundled files.

use regulus_describe::{BoardSize, Description, describe_piece, describe_rule, score_game};
use regulus_lang::{Source, sbg};

/// A chessboard, as the paper has it.
const SIZE: BoardSize = BoardSize { width: 8, height: 8 };

/// All steps (±x,±y) and (±y,±x), or only the first four.
fn steps(x: i32, y: i32, turned: bool) -> Vec<(i32, i32)> {
    let mut steps = Vec::new();
    let turns = if turned { vec![(x, y), (y, x)] } else { vec![(x, y)] };
    for (x, y) in turns {
        steps.extend([(x, y), (-x, y), (x, -y), (-x, -y)]);
    }
    steps.sort_unstable();
    steps.dedup();
    steps
}

fn leap((x, y): (i32, i32)) -> String {
    format!("(({x},{y},e)+({x},{y},p))")
}

fn ride((x, y): (i32, i32)) -> String {
    format!("({x},{y},e)^*(({x},{y},e)+({x},{y},p))")
}

fn sum(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join("+")
}

fn leaper(x: i32, y: i32) -> String {
    sum(steps(x, y, true).into_iter().map(leap))
}

fn rider(x: i32, y: i32) -> String {
    sum(steps(x, y, true).into_iter().map(ride))
}

/// A diagonal part, then an orthogonal one; only outwards, if wanted.
fn bent(
    first: impl Fn((i32, i32)) -> String,
    then: impl Fn((i32, i32)) -> String,
    outwards: bool,
) -> String {
    let mut parts = Vec::new();
    for diagonal in steps(1, 1, false) {
        for straight in steps(1, 0, true) {
            if !outwards || diagonal.0 * straight.0 + diagonal.1 * straight.1 > 0 {
                parts.push(format!("{}({})", first(diagonal), then(straight)));
            }
        }
    }
    sum(parts)
}

fn describe(rule: &str) -> Description {
    let rows = "|........|\n".repeat(7);
    let text = format!("<<T>> <BOARD> 8 8\n|X.......|\n{rows}<PIECES> X {rule} & <GOALS> 9 &");
    let (game, diagnostics) = sbg::check(&Source::new("t.sbg", text));
    let game = game.unwrap_or_else(|| panic!("{rule}: {diagnostics:?}"));
    describe_rule(game.pieces[0].rule.as_ref().expect("a rule"), SIZE).expect("few words")
}

fn step((x, y): (i32, i32)) -> String {
    format!("({x},{y},e)")
}

#[test]
fn the_ten_pieces_of_the_paper() {
    let diagonal = sum(steps(1, 1, false).into_iter().map(step));
    let slide = |(x, y): (i32, i32)| format!("({x},{y},e)({x},{y},e)^*");
    let far = |(x, y): (i32, i32)| format!("({x},{y},e)({x},{y},e)^*(({x},{y},e)+({x},{y},p))");
    let short = |(x, y): (i32, i32)| {
        sum((0..4).map(|count| format!("({x},{y},e)^{count}(({x},{y},e)+({x},{y},p))")))
    };
    let pieces = [
        ("queen", sum([rider(1, 0), rider(1, 1)]), 6, "Rides in every direction."),
        (
            "short rook",
            sum(steps(1, 0, true).into_iter().map(short)),
            12,
            "Rides max 4 times horizontally or vertically.",
        ),
        ("lance", ride((0, 1)), 4, "Rides vertically forwards."),
        (
            "centaur",
            sum([leaper(1, 0), leaper(1, 1), leaper(1, 2)]),
            14,
            "Leaps 1 in every direction or over vector (1,2)/(2,1).",
        ),
        (
            "griffon",
            sum([diagonal, bent(step, ride, true)]),
            78,
            "Moves 1 diagonally or moves 1 diagonally and then rides outwards horizontally or vertically.",
        ),
        (
            "hippogriff",
            bent(step, far, true),
            120,
            "Moves 1 diagonally and then rides minimum 2 times outwards horizontally or vertically.",
        ),
        (
            "duke",
            bent(slide, leap, true),
            60,
            "Rides without capturing diagonally and then leaps outwards 1 horizontally or vertically.",
        ),
        (
            "moa",
            bent(step, leap, true),
            36,
            "Moves 1 diagonally and then leaps outwards 1 horizontally or vertically.",
        ),
        (
            "ferz then wazir",
            bent(step, leap, false),
            12,
            "Moves 1 diagonally and then leaps 1 horizontally or vertically.",
        ),
        (
            "buffalo",
            sum([leaper(3, 2), leaper(3, 1), leaper(1, 2)]),
            28,
            "Leaps over vector (1,2)/(2,1) or (1,3)/(3,1) or (2,3)/(3,2).",
        ),
    ];
    for (name, rule, score, sentence) in pieces {
        let description = describe(&rule);
        assert_eq!((description.score, description.sentence.as_str()), (score, sentence), "{name}");
    }
}

#[test]
fn the_generated_piece_of_the_paper() {
    // "captures own forward over vector (5,2)/(2,5) or rides capturing but riding only over own pieces horizontally or
    // vertically" (136)
    let forward = steps(5, 2, true).into_iter().filter(|(_, y)| *y > 0);
    let captures = forward.map(|(x, y)| format!("({x},{y},w)"));
    let rides = steps(1, 0, true).into_iter().map(|(x, y)| format!("({x},{y},w)^*({x},{y},p)"));
    let description = describe(&sum(captures.chain(rides)));
    assert_eq!(description.score, 136);
    assert_eq!(
        description.sentence,
        "Rides over own pieces only to capture horizontally or vertically, or captures own over vector (2,5)/(5,2) forwards."
    );
}

#[test]
fn the_bent_rider_of_the_paper() {
    // "rides diagonally forward and then captures outwards 2 vertically"; that the first part may be left out is not said
    // there.
    let description = describe("(1,1,e)^*(0,2,p)+(-1,1,e)^*(0,2,p)");
    assert_eq!(
        description.sentence,
        "Captures 2 vertically forwards or rides without capturing diagonally forwards and then \
         captures outwards 2 vertically."
    );
}

#[test]
fn every_way_to_count_steps_is_said() {
    let rook = |counts: &[u32]| {
        let counted = |(x, y): (i32, i32), count: u32| {
            format!("({x},{y},e)^{}(({x},{y},e)+({x},{y},p))", count - 1)
        };
        let each = |step| counts.iter().map(move |&count| counted(step, count));
        describe(&sum(steps(1, 0, true).into_iter().flat_map(each)))
    };
    for (counts, score, times) in [
        (&[1, 3, 5, 7][..], 24, "an odd number of times"),
        (&[2, 4, 6], 24, "an even number of times"),
        (&[3, 4, 5], 20, "3 to 5 times"),
        (&[4], 16, "exactly 4 times"),
        (&[1, 2, 3], 12, "max 3 times"),
        (&[5, 6, 7], 12, "minimum 5 times"),
    ] {
        let description = rook(counts);
        let sentence = format!("Rides {times} horizontally or vertically.");
        assert_eq!((description.score, description.sentence), (score, sentence), "{counts:?}");
    }
}

#[test]
fn the_games_of_the_paper() {
    let games = [
        ("simplified_chess", 168.0),
        ("shatranj", 166.0),
        ("colorbound_clobberers", 196.0),
        ("remarkable_rookies", 222.0),
        ("nutty_knights", 248.0),
        // Printed as 376 in the paper.
        ("tamerlane", 376.5),
    ];
    for (name, published) in games {
        let path = format!("{}/../../games/sbg/{name}.sbg", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the game is there");
        let game = sbg::check(&Source::new("game.sbg", text)).0.expect("no errors");
        let mut scores = Vec::new();
        let mut report = String::new();
        for (kind, piece) in game.pieces.iter().enumerate() {
            let description = describe_piece(&game, kind).expect("few words");
            report +=
                &format!("{} {}: {}\n", piece.letter, description.score, description.sentence);
            scores.push(description.score);
        }
        let score = score_game(&game, &scores).expect("there are pieces");
        assert!((score - published).abs() < 1e-9, "{name}: {score}, not {published}\n{report}");
    }
}
