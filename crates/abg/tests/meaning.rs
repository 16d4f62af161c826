//! What texts mean where it is easily mistaken, in small games; each line of a table is one.

mod common;

use common::{ComparisonEffort, SeededRandom, load, lockstep};
use regulus_abg::{Environment, Fault, Limits, Registry, perft};
use regulus_lang::Source;

fn game(text: &str) -> Environment {
    load(&Source::new("meaning.abg", text), &Registry::new())
}

/// A man in the lower left corner of a board of three by three squares, with a wall in the middle and a foe at the upper left.
fn man(definitions: &str, rule: &str) -> Environment {
    game(&format!(
        "players = white, black; pieces = empty, man(white), foe(black), wall;
         {definitions}
         rule man = {rule};
         board_size = 3, 3; board = foe, empty, empty, empty, wall, empty, man, empty, empty;"
    ))
}

/// Where the moves of the first player lead: what is on the board then, row by row from the bottom.
fn boards(mut game: Environment) -> Vec<String> {
    let moves = game.moves().expect("no fault");
    let mut found: Vec<String> = moves
        .iter()
        .map(|chosen| {
            game.play(chosen).expect("a legal move");
            let names = game.state().board().iter().map(|piece| {
                game.game().pieces[usize::from(*piece)].name.chars().next().unwrap_or('?')
            });
            let board: String = names.map(|sign| if sign == 'e' { '.' } else { sign }).collect();
            game.undo().expect("no fault");
            board
        })
        .collect();
    found.sort();
    found
}

#[test]
fn letters_and_effects() {
    let table: &[(&str, &str, &[&str])] = &[
        // Rows go up, columns to the right; off the board nothing is read.
        ("", "[0, 1, True]", &["...mw.f.."]),
        ("", "[1, 0, True]", &[".m..w.f.."]),
        ("", "[0, -1, True] | [-1, 0, True] | [3, 0, True]", &[]),
        // Every letter sees what those before it did.
        ("", "[1, 0, Empty][-1, 0, Empty]", &["m...w.f.."]),
        ("", "[1, 0, Empty][-1, 0, Man]", &[]),
        ("", "[0, 1, Empty][0, 1, Opponent]", &["....w.m.."]),
        ("", "[1, 1, Opponent] | [1, 1, Wall]", &["....m.f.."]),
        // The empty word changes nothing.
        ("", "[1, 0, Foe]?", &["m...w.f.."]),
        // A step to the same square leaves the piece where it is.
        ("", "[0, 0, Man]", &["m...w.f.."]),
        ("effect e() { Board[this.x][this.y] = wall; Move(); };", "[0, 0, Man]{e}", &["m...w.f.."]),
        // What is assigned is computed when its turn comes.
        (
            "effect e() { Board[0][1] = Board[0][0]; Board[0][0] = wall; Board[1][0] = Board[0][0]; };",
            "[0, 0, True]{e}",
            &["ww.mw.f.."],
        ),
        // Off the board and no piece: the letter fails, and nothing is left of what it began.
        (
            "effect e() { Move(); Board[this.x - 1][0] = wall; };",
            "[1, 0, True]{e} | [0, 1, True]{e}",
            &["wm..w.f.."],
        ),
        (
            "effect e() { Move(); Board[0][0] = this.x * 2 + 2; };",
            "[1, 0, True]{e} | [2, 0, True]{Move}",
            &["..m.w.f.."],
        ),
        ("effect e() { Board[0][0] = this.x + 2; };", "[1, 0, True]{e}", &["w...w.f.."]),
        // Off the board is -1, also for what is no square at all.
        (
            "",
            "[1, 0, Board[this.x - 2][this.y] == -1] | [0, 1, Board[this.x][this.y - 1] == -1]",
            &[".m..w.f.."],
        ),
        // What cannot be computed fails, unless the other side decides.
        ("", "[1, 0, 1 / this.y] | [0, 1, 1 / this.y]", &["...mw.f.."]),
        ("", "[1, 0, not (1 / this.y)]", &[]),
        ("", "[1, 0, 1 / this.y or this.x]", &[".m..w.f.."]),
        ("", "[1, 0, not (1 / this.y and this.y)]", &[".m..w.f.."]),
        ("", "[1, 0, not (1 / this.y and this.x)]", &[]),
        // Towards zero.
        ("", "[1, 0, (-3) / 2 == -1 and (-3) % 2 == -1 and 3 // -2 == -1]", &[".m..w.f.."]),
        // A pattern looks from the square that the letter leads to; `from` of its first letter is that square.
        (
            "function p() = [0, 1, Wall and from.x == 1];",
            "[1, 0, p()] | [2, 0, p()]",
            &[".m..w.f.."],
        ),
        (
            "function p() = from foe: [1, 0, Empty]*[0, -2, this.x == 2];",
            "[1, 0, p()]",
            &[".m..w.f.."],
        ),
        // A star walks, also in circles.
        (
            "function p() = ([1, 0, True] | [-1, 0, True])* [0, 2, Foe];",
            "[1, 0, p()]",
            &[".m..w.f.."],
        ),
        // A function as a word is a test: it leads nowhere and does nothing, also not `Default`.
        ("function ahead() = [0, 1, Empty];", "[0, 1, Empty] ahead()", &[]),
        ("function ahead() = [0, 1, Foe];", "[0, 1, Empty] ahead()", &["...mw.f.."]),
        ("function ahead() = [0, 1, Foe];", "[0, 1, Empty][0, 0, ahead()]", &["...mw.f.."]),
        ("function ahead() = [0, 1, Foe];", "[0, 1, Empty] ahead() [0, 1, Foe]", &["....w.m.."]),
        (
            "function Left() { return this.x == 0 };",
            "([0, 1, True] | [1, 0, True]) Left",
            &["...mw.f.."],
        ),
        ("function far() = from foe: [1, 0, Empty]+;", "far() [1, 0, Empty]", &[".m..w.f.."]),
        (
            "function free() = [1, 0, Empty]; effect Default() { Board[this.x][this.y] = wall; };",
            "free() [1, 0, Empty]",
            &["mw..w.f.."],
        ),
        // Looked for, it is no more than that either.
        (
            "function up() = [0, 1, Empty]; function p() = [-1, 0, Man] up();",
            "[1, 0, p()] | [2, 0, True] p()",
            &[".m..w.f.."],
        ),
        // The rule of another piece moves one's own.
        ("rule foe = [0, 1, Empty];", "[1, 0, Empty] foe.regex", &[]),
        ("rule foe = [0, 1, Wall];", "[1, 0, Empty] foe.regex", &["....m.f.."]),
    ];
    for (definitions, rule, expected) in table {
        assert_eq!(boards(man(definitions, rule)), *expected, "{definitions} rule man = {rule}");
    }
}

#[test]
fn functions_as_words_are_compiled_as_the_tests_they_are() {
    let race = |rule: &str| {
        let text = format!(
            "players = white, black; pieces = empty, wP(white), bP(black);
             function ahead() = [0, 1, Empty]; function behind() = [0, -1, Empty];
             victory white {{ return stuck and current == black }};
             rule wP = {rule}; rule bP = {};
             board_size = 3, 6; board = bP, bP, bP, {}, wP, wP, wP;",
            rule.replace("1,", "-1,").replace("ahead", "behind"),
            ["empty"; 12].join(", ")
        );
        Source::new("race.abg", text)
    };
    let leaves = |rule: &str| {
        let mut game = load(&race(rule), &Registry::new());
        (1..=4).map(|depth| perft(&mut game, depth).expect("no fault").leaves).collect::<Vec<_>>()
    };
    let word = "[0, 1, Empty] ahead()";
    assert_eq!(leaves(word), leaves("[0, 1, Empty][0, 0, ahead()]"));
    assert_ne!(leaves(word), leaves("[0, 1, Empty][0, 1, Empty]"));
    let effort = ComparisonEffort { games: 4, plies: 12, exact: true, limits: Limits::default() };
    for rule in [word, "ahead() [0, 1, Empty]", "[0, 1, Empty] (ahead() [0, 1, Empty])*"] {
        let seen = lockstep(&race(rule), &mut SeededRandom::new(5), &effort)
            .unwrap_or_else(|difference| panic!("{rule}: {difference:?}"));
        assert!(seen.faults == 0 && seen.uneven == 0 && seen.states > 30, "{rule}: {seen:?}");
    }
    // The same change by two words is one move.
    let twice = "[0, 1, Empty] | [0, 1, Empty] ahead()";
    assert_eq!(leaves(twice), leaves("[0, 1, Empty]"));
    let seen = lockstep(
        &race(twice),
        &mut SeededRandom::new(5),
        &ComparisonEffort { exact: false, ..effort },
    );
    assert!(seen.as_ref().is_ok_and(|seen| seen.faults == 0 && seen.uneven == 0), "{seen:?}");
}

#[test]
fn posts_hold_for_their_player_only() {
    let posts = "post white man = [0, 1, Wall]; post black foe = [0, -1, True];";
    let text = format!(
        "players = white, black; pieces = empty, man(white), foe(black), wall;
         rule man = [1, 0, Empty] | [2, 0, Empty]; {posts}
         board_size = 3, 3; board = foe, empty, empty, empty, wall, empty, man, empty, empty;"
    );
    assert_eq!(boards(game(&text)), ["..m.w.f.."]);
}

#[test]
fn variables_stay_in_their_range() -> Result<(), Fault> {
    // Known numbers only, so 0 to 5; whatever else is assigned to, a million.
    let text = "players = white; pieces = empty, man(white);
        variable small = 2; variable large = 999999;
        effect e() { small = 5; large = large + 1; };
        effect f() { white.score = white.score + 60; };
        rule man = [0, 0, True]{e} | [0, 0, True]{f};
        board_size = 1, 1; board = man;";
    let mut game = game(text);
    let moves = game.moves()?;
    assert_eq!(moves.len(), 2);
    game.play(&moves[0])?;
    assert_eq!(game.state().variables(), [5, 1_000_000]);
    let moves = game.moves()?;
    assert_eq!(moves.len(), 1, "a million and one is too much");
    game.play(&moves[0])?;
    assert_eq!(game.moves()?.len(), 0, "scores go to 100");
    assert_eq!(game.result()?, Some(&[60][..]), "effects assign scores");
    Ok(())
}

/// Plays the only move there is, `moves` times, and returns the result.
fn result_after(moves: usize, conditions: &str) -> Option<Vec<i64>> {
    let mut game = game(&format!(
        "players = white, black, red; pieces = empty, man(white, black, red);
         {conditions}
         rule man = [1, 0, Empty];
         board_size = 3, 1; board = man, empty, empty;"
    ));
    for _ in 0..moves {
        let found = game.moves().expect("no fault");
        assert_eq!(found.len(), 1, "{conditions}");
        game.play(&found[0]).expect("a legal move");
    }
    game.result().expect("no fault").map(<[i64]>::to_vec)
}

#[test]
fn how_games_end() {
    let table: &[(usize, &str, Option<&[i64]>)] = &[
        (0, "", None),
        (1, "", None),
        (2, "", Some(&[50, 50, 50])),
        // Not before the first move.
        (0, "draw { return 1 };", None),
        (1, "draw { return 1 };", Some(&[50, 50, 50])),
        // Winners share; no player wins twice.
        (1, "victory black { return 1 };", Some(&[0, 100, 0])),
        (1, "victory black { return 1 }; victory white { return 2 };", Some(&[50, 50, 0])),
        (1, "victory red { return 1 }; victory red { return 2 };", Some(&[0, 0, 100])),
        (
            1,
            "victory red { return 1 }; victory white { return 1 }; victory black { return 1 };",
            Some(&[33, 33, 33]),
        ),
        // The order of the text counts.
        (1, "victory red { return 1 }; draw { return 1 };", Some(&[0, 0, 100])),
        (1, "draw { return 1 }; victory red { return 1 };", Some(&[50, 50, 50])),
        (
            1,
            "victory red { return 0 }; outcome black = 70 { return 1 }; victory red { return 1 };",
            Some(&[0, 70, 0]),
        ),
        // Who has just moved, and who cannot.
        (1, "outcome white = 1 { return current == white }; draw { return 1 };", Some(&[1, 0, 0])),
        (2, "outcome red = 9 { return stuck and current == red };", Some(&[0, 0, 9])),
        (
            2,
            "draw { return not stuck and current == red }; victory black { return stuck };",
            Some(&[0, 100, 0]),
        ),
        // Only what mentions it is asked when a player is stuck.
        (2, "victory red { return current == red };", Some(&[50, 50, 50])),
        (2, "victory red { return current == red and (stuck or 1) };", Some(&[0, 0, 100])),
        // What cannot be computed does not hold.
        (1, "victory red { return 1 / count(man) and 1 / (count(man) - 1) };", None),
        (1, "victory red { return not (1 / (count(man) - 1)) };", None),
        (2, "draw { return stuck and 1 / (count(man) - 1) };", Some(&[50, 50, 50])),
    ];
    for (moves, conditions, expected) in table {
        let result = result_after(*moves, conditions);
        assert_eq!(result.as_deref(), *expected, "{conditions} after {moves}");
    }
}
