//! METAGAME: every example of the guide is a game, and its tables say what the front-end does.

mod guide;

use std::collections::BTreeSet;

use regulus_lang::metagame::{self, BoardRules, Game, Goal, Inversion, Setup, Side, canonical};
use regulus_lang::{Code, Severity, Source, compile};

use guide::code;

const GUIDE: &str = include_str!("../../../docs/languages/metagame.md");

fn blocks(mark: &str) -> Vec<&'static str> {
    guide::blocks(GUIDE, mark)
}

fn table(head: &str) -> Vec<Vec<&'static str>> {
    guide::table(GUIDE, head)
}

fn game(text: &str) -> Game {
    let (game, diagnostics) = metagame::check(&Source::new("game.game", text));
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
    game.expect("a text without findings is a game")
}

/// A game around a part of one.
fn frame(part: &str) -> String {
    let mut goals = "GOALS STALEMATE opponent";
    let mut board = "BOARD_SIZE 8 BY 8 BOARD_TYPE planar PROMOTE_RANK 8";
    let mut setup = "SETUP king AT {(1,1)} queen AT {(2,1)} rook AT {(3,1)} pawn AT {(4,1)}";
    let (mut moving, mut capturing) = (String::new(), String::new());
    match part.split_whitespace().next() {
        Some("GOALS") => goals = part,
        Some("BOARD_SIZE") => board = part,
        Some("SETUP") => setup = part,
        Some("MOVEMENT") => moving = format!("MOVING {part} END MOVING"),
        Some("CAPTURE") => capturing = format!("CAPTURING {part} END CAPTURING"),
        other => panic!("a part cannot begin with {other:?}"),
    }
    // All kinds are there in every setup.
    let king = "PROMOTING DECISION player OPTIONS [{player} any_piece] END PROMOTING";
    format!(
        "GAME part {goals} {board} {setup} DEFINE king {moving} {capturing} {king} END DEFINE \
         DEFINE queen END DEFINE DEFINE rook END DEFINE DEFINE pawn END DEFINE END GAME."
    )
}

#[test]
fn examples_of_the_guide_are_games() {
    let games = guide::games(GUIDE, "game");
    let names: BTreeSet<String> = games.iter().map(|text| game(text).name).collect();
    assert_eq!(names.len(), games.len(), "each has a name of its own");
    assert!(games.len() >= 8);
    let mut parts: Vec<String> = blocks("game-part").into_iter().map(str::to_owned).collect();
    assert!(parts.len() >= 5);
    let goals = table("goal | a player wins when");
    let goals = goals.iter().flat_map(|row| code(row[0]));
    parts.extend(goals.map(|goal| format!("GOALS {goal} STALEMATE opponent")));
    let described = table("description | pieces");
    let described = described.iter().flat_map(|row| code(row[0]));
    parts.extend(described.map(|what| format!("GOALS ERADICATE {what} STALEMATE opponent")));
    for part in parts {
        let compilation = compile(&Source::new("part.game", frame(&part)));
        assert!(compilation.diagnostics.is_empty(), "{part}\n{:?}", compilation.diagnostics);
    }
}

#[test]
fn checkers_of_the_guide_is_the_bundled_game() {
    let bundled = include_str!("../../../games/metagame/american_checkers.game");
    let shown = blocks("game").into_iter().find(|text| text.contains("american_checkers"));
    let shown = shown.expect("the guide shows checkers");
    assert_eq!(guide::words(shown, "%"), guide::words(bundled, "%"));
    for row in table("lines | meaning") {
        for line in code(row[0]).filter(|line| *line != "PROMOTING") {
            let line = line.split('…').next().unwrap_or_default();
            assert!(shown.contains(line), "{line}");
        }
    }
}

/// The directions of a vector on a board without edges that matter.
fn directions(vector: &str, symmetry: &str, inversion: Inversion, side: Side) -> Vec<(i32, i32)> {
    let part = format!("MOVEMENT LEAP {vector} SYMMETRY {symmetry} END MOVEMENT");
    let game = game(&frame(&part));
    let board = BoardRules { inversion, ..game.board };
    game.kinds[0].moving[0].directions(&board, side)
}

#[test]
fn symmetries_are_those_of_the_table() {
    let arrow = |text: &str| match text {
        "↑" => (0, 1),
        "↓" => (0, -1),
        "←" => (-1, 0),
        "→" => (1, 0),
        "↗" => (1, 1),
        "↖" => (-1, 1),
        "↘" => (1, -1),
        "↙" => (-1, -1),
        other => panic!("{other} is no arrow"),
    };
    let rows = table("symmetry | `<0,1>` | `<1,1>` | directions of `<1,2>`");
    assert_eq!(rows.len(), 8);
    for row in rows {
        let symmetry = row[0].trim_matches('`');
        for (vector, cell) in [("<0,1>", row[1]), ("<1,1>", row[2])] {
            let mut arrows: Vec<_> = cell.split(' ').map(arrow).collect();
            arrows.sort_unstable();
            let found = directions(vector, symmetry, Inversion::Diagonal, Side::White);
            assert_eq!(found, arrows, "{vector} {symmetry}");
        }
        let count = directions("<1,2>", symmetry, Inversion::Diagonal, Side::White).len();
        assert_eq!(count.to_string(), row[3], "{symmetry}");
    }
}

#[test]
fn pictures_of_the_guide_are_right() {
    let columns =
        |line: &'static str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
    let pictures = blocks("text").into_iter().find(|text| text.contains("all_symmetry"));
    let mut lines = pictures.expect("there are pictures").lines();
    let mut drawn: Vec<(&str, Vec<(i32, i32)>)> =
        columns(lines.next().expect("a head")).map(|symmetry| (symmetry, Vec::new())).collect();
    for (y, line) in [2, 1, 0, -1, -2].into_iter().zip(lines) {
        for ((_, leaps), row) in drawn.iter_mut().zip(columns(line)) {
            let row = [-2, -1, 0, 1, 2].into_iter().zip(row.split(' '));
            leaps.extend(row.filter(|(_, cell)| *cell == "x").map(|(x, _)| (x, y)));
        }
    }
    assert_eq!(drawn.len(), 6);
    for (symmetry, mut leaps) in drawn {
        leaps.sort_unstable();
        let found = directions("<1,2>", symmetry, Inversion::Diagonal, Side::White);
        assert_eq!(found, leaps, "{symmetry}");
    }

    // A on (1,1) and B on (2,1), seen by black.
    let board = |inversion| BoardRules {
        width: 4,
        height: 3,
        is_cylinder: false,
        inversion,
        promote_rank: 3,
    };
    let pictures = blocks("text").into_iter().find(|text| text.contains("INVERSION forward"));
    let top = pictures.expect("there are pictures").lines().nth(2).expect("a top row");
    for (inversion, row) in [Inversion::Diagonal, Inversion::Forward].into_iter().zip(columns(top))
    {
        let row: Vec<&str> = row.split(' ').skip(1).collect();
        for (letter, x) in [("a", 1), ("b", 2)] {
            let (x, y) = board(inversion).seen((x, 1), Side::Black);
            assert_eq!((row[x as usize - 1], y), (letter, 3), "{inversion:?}");
        }
    }
    // A leap forward is one for both sides.
    for inversion in [Inversion::Diagonal, Inversion::Forward] {
        assert_eq!(directions("<0,1>", "{}", inversion, Side::Black), [(0, -1)]);
    }
}

#[test]
fn moves_of_the_guide_are_spelled_as_they_are_written() {
    // Those that `regulus moves` lists stand behind a short name.
    let listed = blocks("text").into_iter().flat_map(str::lines).filter_map(|line| {
        let text = line.split_once("  ").map_or(line, |(_, text)| text.trim_start());
        (text.contains("->") && text.ends_with('.')).then_some(text)
    });
    let forms = table("form | example").into_iter().flat_map(|row| code(row[1]));
    let moves: Vec<&str> = listed.chain(forms).collect();
    assert!(moves.len() >= 50, "{}", moves.len());
    for text in &moves {
        assert_eq!(canonical(text).as_deref(), Ok(*text));
    }
    let readings = table("read | as");
    assert_eq!(readings.len(), 5);
    for row in readings {
        let [read, written] = [row[0], row[1]].map(|cell| cell.trim_matches('`'));
        assert_ne!(read, written);
        assert_eq!(canonical(read).as_deref(), Ok(written));
        assert!(moves.contains(&written), "{written} is a move of an example");
    }
}

#[test]
fn the_grammar_has_the_words_of_the_language() {
    let lines = guide::grammar(GUIDE).into_iter();
    let words = lines.flat_map(|line| line.split(|c: char| !c.is_ascii_alphabetic() && c != '_'));
    let is_terminal = |word: &&str| !word.is_empty() && !word.contains(|c: char| c.is_lowercase());
    let words: BTreeSet<&str> = words.filter(is_terminal).collect();
    assert_eq!(words.len(), 58, "57 and `X`");
    for word in words {
        let text = frame("SETUP king AT {(1,1)}").replace("GAME part", &format!("GAME {word}"));
        let (_, findings) = metagame::check(&Source::new("game.game", text));
        let codes: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes.contains(&Code::MetagameReservedName), word != "X", "{word}: {codes:?}");
    }
}

#[test]
fn all_decisions_are_told() {
    let rows = table("no. | decision | by");
    let numbers: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    let expected: Vec<String> = (1..=46).map(|number| format!("D{number}")).collect();
    assert_eq!(numbers, expected);
    for row in rows {
        assert!(row[2].split(", ").all(|by| ["paper", "program", "ours"].contains(&by)), "{row:?}");
    }
}

#[test]
fn findings_are_those_of_the_tables() {
    let told = |head: &str| -> BTreeSet<&str> {
        let rows = table(head).into_iter();
        rows.flat_map(|row| code(row[1])).filter(|id| id.starts_with("metagame-")).collect()
    };
    let (errors, warnings) = (told("about | errors"), told("about | warnings"));
    // What the texts of the front-end's own tests give, by `error 2:7 metagame-…:`.
    let given = include_str!("diagnostics_metagame.md");
    let of = |severity: &str| -> BTreeSet<&str> {
        let lines = given.lines().filter_map(|line| line.strip_prefix(severity));
        lines.filter_map(|line| line.split(' ').nth(2)?.strip_suffix(':')).collect()
    };
    assert_eq!(errors, of("error"));
    assert_eq!(warnings, of("warning"));
}

#[test]
fn limits_are_those_of_the_guide() {
    let limits = "at most 60 kinds of pieces, 10,000 squares, 2,000 movements and 100 goals";
    let guide: Vec<&str> = GUIDE.split_whitespace().collect();
    assert!(guide.join(" ").contains(limits));
    let errors = |text: String| {
        let (_, findings) = metagame::check(&Source::new("game.game", text));
        let errors = findings.into_iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.code).collect::<Vec<_>>()
    };
    let pieces = |count: usize| {
        let more: String = (4..count).map(|n| format!("DEFINE p{n} END DEFINE ")).collect();
        frame("GOALS STALEMATE opponent").replace("END GAME.", &format!("{more}END GAME."))
    };
    let board =
        |ranks: u32| frame(&format!("BOARD_SIZE 100 BY {ranks} BOARD_TYPE planar PROMOTE_RANK 8"));
    let movements = |count| frame(&"MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT ".repeat(count));
    let goals = |count| frame(&format!("GOALS {}", "STALEMATE opponent ".repeat(count)));
    for allowed in [pieces(60), board(100), movements(2_000), goals(100)] {
        assert_eq!(errors(allowed), []);
    }
    assert_eq!(errors(pieces(61)), [Code::MetagameTooMany]);
    assert_eq!(errors(board(101)), [Code::MetagameBoardSize]);
    assert_eq!(errors(movements(2_001)), [Code::MetagameTooMany]);
    assert_eq!(errors(goals(101)), [Code::MetagameTooMany]);
}

#[test]
fn everything_in_a_text_arrives() {
    let texts = blocks("game");
    let find = |name: &str| {
        let text = texts.iter().find(|text| text.contains(&format!("GAME {name}\n")));
        game(text.unwrap_or_else(|| panic!("no game {name}")))
    };
    let corridor = find("corridor");
    assert_eq!((corridor.turn_limit, corridor.repetitions), (500, 3));
    assert!(matches!(corridor.goals.as_slice(), [Goal::Arrive { .. }, Goal::Stalemate { .. }]));
    let Setup::Fixed(runners) = &corridor.setup else { panic!("{:?}", corridor.setup) };
    let seen = runners.iter().map(|(_, place)| corridor.board.seen(*place, Side::Black));
    assert_eq!(seen.collect::<Vec<_>>(), [(3, 5), (2, 5), (1, 5)], "as the guide says");
    assert!(find("tower").board.is_cylinder);
    let picnic = find("picnic");
    assert_eq!(picnic.board.inversion, Inversion::Forward);
    let ant = &picnic.kinds[0];
    assert_eq!(
        (picnic.must_capture, ant.must_capture, ant.continue_captures),
        (false, false, true)
    );
    assert!(find("american_checkers").must_capture);
}

/// Nearly every mistake there is, in one text.
const MISTAKES: &str = "
GAME all_errors
GOALS
BOARD_SIZE 3 BY 5
BOARD_TYPE planar
PROMOTE_RANK 0
SETUP ant AT {(1,1) (1,1) (9,9)} bee AT {(2,3)} wasp AT {(3,1)}
CONSTRAINTS continue_captures
DEFINE ant
  MOVING
    MOVEMENT LEAP <0,0> SYMMETRY {side side} END MOVEMENT
    MOVEMENT RIDE MIN 0 MAX 0 <0,1> SYMMETRY {} END MOVEMENT
    MOVEMENT LEAP <0,99999999> SYMMETRY {} END MOVEMENT
  END MOVING
  CAPTURING
    CAPTURE BY {clobber} TYPE [{opponent} {hornet}] EFFECT player DISPLACES
      MOVEMENT LEAP <0,1> # SYMMETRY {} END MOVEMENT
    END CAPTURE
  END CAPTURING
END DEFINE
DEFINE bee MOVING MOVEMENT HOP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
DEFINE bee END DEFINE
DEFINE ride END DEFINE
DEFINE a_name_that_is_much_longer_than_sixty_letters_and_so_is_refused_here END DEFINE
END GAME.
";

#[test]
fn all_errors_are_found_in_one_run() {
    let (game, diagnostics) = metagame::check(&Source::new("all.game", MISTAKES));
    assert!(game.is_none());
    let found: BTreeSet<&str> = diagnostics.iter().map(|finding| finding.code.id()).collect();
    // What is left of the table: a board without squares has no squares off it, and too much of anything takes a long text.
    let errors = table("about | errors").into_iter().flat_map(|row| code(row[1]));
    let errors = errors.filter(|id| id.starts_with("metagame-"));
    let missing: Vec<&str> = errors.filter(|id| !found.contains(id)).collect();
    assert_eq!(missing, ["metagame-board-size", "metagame-too-many"]);
}
