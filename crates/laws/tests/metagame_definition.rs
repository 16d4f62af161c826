//! The second definition of METAGAME, held against figures and against positions worked out by hand.

use regulus_laws::metagame_definition::{
    Colour::{self, Black, White},
    EndReason, Key, MetagameDefinition, MetagameOutcome, MetagamePosition, Square, TooMany,
};

const CHECKERS: &str = "
GAME american_checkers
GOALS stalemate opponent
BOARD_SIZE 8 BY 8
BOARD_TYPE planar
PROMOTE_RANK 8
SETUP man AT {(1,1) (3,1) (5,1) (7,1) (2,2) (4,2) (6,2) (8,2) (1,3) (3,3) (5,3) (7,3)}
CONSTRAINTS must_capture
DEFINE man
  MOVING MOVEMENT LEAP <1,1> SYMMETRY {side} END MOVEMENT END MOVING
  CAPTURING
    CAPTURE BY {hop} TYPE [{opponent} any_piece] EFFECT remove
      MOVEMENT HOP BEFORE [X = 0] OVER [X = 1] AFTER [X = 0] HOP_OVER [{opponent} any_piece]
        <1,1> SYMMETRY {side}
      END MOVEMENT
    END CAPTURE
  END CAPTURING
  PROMOTING PROMOTE_TO king END PROMOTING
  CONSTRAINTS continue_captures
END DEFINE
DEFINE king
  MOVING MOVEMENT LEAP <1,1> SYMMETRY {forward side} END MOVEMENT END MOVING
  CAPTURING
    CAPTURE BY {hop} TYPE [{opponent} any_piece] EFFECT remove
      MOVEMENT HOP BEFORE [X = 0] OVER [X = 1] AFTER [X = 0] HOP_OVER [{opponent} any_piece]
        <1,1> SYMMETRY {forward side}
      END MOVEMENT
    END CAPTURE
  END CAPTURING
  PROMOTING PROMOTE_TO king END PROMOTING
  CONSTRAINTS continue_captures
END DEFINE
END GAME.
";

const TURNCOAT: &str = "
GAME turncoat_chess
GOALS stalemate player
BOARD_SIZE 5 BY 5
BOARD_TYPE planar
PROMOTE_RANK 5
SETUP termite AT {(1,1) (2,1)} slug AT {(3,1)} firefly AT {(4,1) (5,1)}
DEFINE slug
  MOVING MOVEMENT RIDE LONGEST <2,0> SYMMETRY all_symmetry END MOVEMENT END MOVING
  CAPTURING
    CAPTURE BY {clobber} TYPE [any_player any_piece] EFFECT remove
      MOVEMENT HOP BEFORE [X >= 0] OVER [X = 2] AFTER [X >= 0] HOP_OVER [any_player {firefly}]
        <0,1> SYMMETRY {forward side}
      END MOVEMENT
    END CAPTURE
  END CAPTURING
  PROMOTING DECISION player OPTIONS [{player} any_piece] END PROMOTING
END DEFINE
DEFINE termite
  MOVING
    MOVEMENT HOP BEFORE [X >= 0] OVER [X = 1] AFTER [X >= 0] HOP_OVER [any_player {termite}]
      <0,1> SYMMETRY {side rotation}
    END MOVEMENT
    MOVEMENT RIDE LONGEST <0,1> SYMMETRY all_symmetry END MOVEMENT
  END MOVING
  CAPTURING
    CAPTURE BY {clobber} TYPE [any_player any_piece] EFFECT remove
      MOVEMENT LEAP <2,3> SYMMETRY {forward side} END MOVEMENT
    END CAPTURE
  END CAPTURING
  PROMOTING DECISION player OPTIONS [{opponent} any_piece] END PROMOTING
END DEFINE
DEFINE firefly
  MOVING
    MOVEMENT LEAP <1,2> SYMMETRY all_symmetry END MOVEMENT
    MOVEMENT HOP BEFORE [X >= 0] OVER [X = 1] AFTER [X >= 0] HOP_OVER [any_player {termite}]
      <2,1> SYMMETRY {side rotation}
    END MOVEMENT
    MOVEMENT LEAP <2,3> SYMMETRY all_symmetry END MOVEMENT
    MOVEMENT LEAP <0,1> SYMMETRY all_symmetry END MOVEMENT
  END MOVING
  CAPTURING
    CAPTURE BY {clobber} TYPE [any_player any_piece] EFFECT remove
      MOVEMENT LEAP <0,1> SYMMETRY all_symmetry END MOVEMENT
      MOVEMENT RIDE <2,3> SYMMETRY {forward side} END MOVEMENT
    END CAPTURE
  END CAPTURING
  PROMOTING DECISION player OPTIONS [{opponent} any_piece] END PROMOTING
END DEFINE
END GAME.
";

fn read(text: &str) -> MetagameDefinition {
    MetagameDefinition::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A game whose pieces stand somewhere; positions are given in each test.
fn game(board: &str, constraints: &str, pieces: &str) -> MetagameDefinition {
    read(&format!(
        "GAME g GOALS stalemate opponent BOARD_SIZE {board} SETUP dummy AT {{(1,1)}} {constraints}
         DEFINE dummy END DEFINE {pieces} END GAME."
    ))
}

const PLANAR: &str = "8 BY 8 BOARD_TYPE planar PROMOTE_RANK 8";
const CYLINDER: &str = "8 BY 8 BOARD_TYPE vertical_cylinder PROMOTE_RANK 8";

fn position(game: &MetagameDefinition, pieces: &[(Square, Colour, &str)]) -> MetagamePosition {
    game.position(White, pieces, &[]).expect("a position")
}

fn texts(game: &MetagameDefinition, position: &MetagamePosition) -> Vec<String> {
    let moves = game.moves(position).expect("few moves");
    moves.into_iter().map(|(text, _)| text).collect()
}

/// The moves of the piece on a square, without its name and where it comes from, and without a period.
fn from(game: &MetagameDefinition, position: &MetagamePosition, (x, y): Square) -> Vec<String> {
    let (owner, kind) = position.piece_at(x, y).expect("a piece");
    let begin = format!("{owner} {kind} ({x},{y}) -> ");
    let moves = texts(game, position);
    let moves = moves.iter().filter_map(|text| text.strip_prefix(&begin));
    moves.map(|text| text.trim_end_matches('.').to_owned()).collect()
}

/// The position after a move.
fn after(game: &MetagameDefinition, position: &MetagamePosition, text: &str) -> MetagamePosition {
    let moves = game.moves(position).expect("few moves");
    let found = moves.iter().find(|(found, _)| found == text);
    let known: Vec<&String> = moves.iter().map(|(text, _)| text).collect();
    found.unwrap_or_else(|| panic!("no {text} in {known:#?}")).1.clone()
}

fn outcome(game: &MetagameDefinition, position: &MetagamePosition) -> Option<MetagameOutcome> {
    game.outcome(position, &[position.key()])
}

fn won(winner: Colour, reason: EndReason) -> Option<MetagameOutcome> {
    Some(MetagameOutcome { winner: Some(winner), reason })
}

fn drawn(reason: EndReason) -> Option<MetagameOutcome> {
    Some(MetagameOutcome { winner: None, reason })
}

#[test]
fn checkers_has_its_leaves() {
    assert_eq!(read(CHECKERS).perft(7, &[]), Ok(vec![7, 49, 302, 1469, 7361, 36_768, 179_740]));
}

#[test]
fn turncoat_chess_has_its_leaves() {
    assert_eq!(read(TURNCOAT).perft(4, &[]), Ok(vec![17, 306, 6201, 126_071]));
}

#[test]
fn turncoat_chess_begins_as_it_should() {
    let game = read(TURNCOAT);
    let begin = game.begin(&[]);
    assert_eq!(from(&game, &begin, (3, 1)), ["(3,3)"]);
    assert_eq!(from(&game, &begin, (1, 1)), ["(1,4)"]);
    assert_eq!(from(&game, &begin, (2, 1)), ["(2,4)"]);
    let own = |text: &&String| text.contains(" X ");
    let left = from(&game, &begin, (4, 1));
    let right = from(&game, &begin, (5, 1));
    assert_eq!((left.len(), right.len()), (8, 6));
    assert_eq!(
        left.iter().filter(own).collect::<Vec<_>>(),
        ["(3,1) X white slug (3,1)", "(5,1) X white firefly (5,1)"]
    );
    assert_eq!(right.iter().filter(own).collect::<Vec<_>>(), ["(4,1) X white firefly (4,1)"]);
}

#[test]
fn promotions_give_pieces_away() {
    let game = read(TURNCOAT);
    let here = position(&game, &[((1, 2), White, "termite"), ((3, 3), White, "slug")]);
    let moves = from(&game, &here, (1, 2));
    let given = ["firefly", "slug", "termite"].map(|to| format!("(1,5); promote (1,5) black {to}"));
    assert_eq!(moves[1..4], given);
    // A slug may stay what it is, which is not written.
    assert_eq!(
        from(&game, &here, (3, 3)),
        [
            "(1,3)",
            "(3,1)",
            "(3,5)",
            "(3,5); promote (3,5) white firefly",
            "(3,5); promote (3,5) white termite",
            "(5,3)"
        ]
    );
    let then = after(&game, &here, "white termite (1,2) -> (1,5); promote (1,5) black slug.");
    assert_eq!(then.piece_at(1, 5), Some((Black, "slug")));
    assert_eq!((then.to_move(), then.turns(), then.waiting()), (Black, 1, None));
}

const HOPPER: &str = "DEFINE hopper CAPTURING CAPTURE BY {clobber hop} TYPE [{opponent} any_piece]
    EFFECT remove MOVEMENT HOP BEFORE [X >= 0] OVER [X = 2] AFTER [X <= 2]
    HOP_OVER [{opponent} any_piece] <1,2> SYMMETRY {side} END MOVEMENT END CAPTURE END CAPTURING
    END DEFINE";

#[test]
fn figure_2_hops() {
    let game = game(PLANAR, "", HOPPER);
    let mut pieces = vec![
        ((4, 1), White, "hopper"),
        ((5, 3), Black, "dummy"),
        ((6, 5), Black, "dummy"),
        ((2, 5), White, "dummy"),
        ((3, 3), Black, "dummy"),
    ];
    let captures = "(7,7) X black dummy (5,3) X black dummy (6,5)";
    assert_eq!(from(&game, &position(&game, &pieces), (4, 1)), [captures]);
    pieces.push(((7, 7), Black, "hopper"));
    let captures = format!("{captures} X black hopper (7,7)");
    assert_eq!(from(&game, &position(&game, &pieces), (4, 1)), [captures]);
    pieces[5].1 = White;
    assert_eq!(from(&game, &position(&game, &pieces), (4, 1)), [""; 0]);
}

#[test]
fn figure_2_turncoats() {
    let text = TURNCOAT.replace("5 BY 5", "8 BY 8").replace("PROMOTE_RANK 5", "PROMOTE_RANK 8");
    let game = read(&text);
    // A firefly hops over a termite, among its leaps.
    let alone = position(&game, &[((6, 1), White, "firefly")]);
    let beside = [((6, 1), White, "firefly"), ((5, 3), White, "termite")];
    let mut hops = from(&game, &position(&game, &beside), (6, 1));
    let leaps = from(&game, &alone, (6, 1));
    assert!(leaps.contains(&"(5,3)".to_owned()));
    hops.retain(|to| !leaps.contains(to));
    assert_eq!(hops, ["(3,7)", "(4,5)"]);
    // A slug takes what is behind two fireflies.
    let file = [
        ((8, 1), White, "slug"),
        ((8, 4), White, "firefly"),
        ((8, 5), Black, "firefly"),
        ((8, 8), Black, "termite"),
    ];
    let slug = from(&game, &position(&game, &file), (8, 1));
    let captures: Vec<&String> = slug.iter().filter(|text| text.contains('X')).collect();
    assert_eq!(captures.len(), 3);
    assert!(captures[0].starts_with("(8,8) X black termite (8,8)"));
}

#[test]
fn figure_2_longest_rides() {
    let rook = "DEFINE rook MOVING MOVEMENT RIDE LONGEST <0,1> SYMMETRY all_symmetry END MOVEMENT
        END MOVING END DEFINE";
    let game = game(PLANAR, "", rook);
    let here = position(&game, &[((8, 8), White, "rook"), ((8, 5), Black, "dummy")]);
    assert_eq!(from(&game, &here, (8, 8)), ["(1,8)", "(8,6)"]);
}

/// A kind with one capturing power.
fn capturing(methods: &str, what: &str, effect: &str, movement: &str) -> String {
    format!(
        "CAPTURE BY {{{methods}}} TYPE {what} EFFECT {effect} MOVEMENT {movement} END MOVEMENT
         END CAPTURE"
    )
}

const ENEMY: &str = "[{opponent} any_piece]";
const ANYTHING: &str = "[any_player any_piece]";

fn taker(captures: &str, constraints: &str) -> String {
    format!("DEFINE taker CAPTURING {captures} END CAPTURING {constraints} END DEFINE")
}

#[test]
fn figure_1_knights() {
    let leap = "LEAP <1,2> SYMMETRY all_symmetry";
    let knight = taker(&capturing("clobber", ENEMY, "remove", leap), "");
    let clobbers = game(CYLINDER, "", &knight);
    let here = position(&clobbers, &[((2, 4), White, "taker"), ((8, 5), Black, "dummy")]);
    assert_eq!(texts(&clobbers, &here), ["white taker (2,4) -> (8,5) X black dummy (8,5)."]);

    let knight = taker(&capturing("retrieve", ENEMY, "remove", leap), "");
    let retrieves = game(CYLINDER, "", &knight);
    let here = position(&retrieves, &[((6, 3), White, "taker"), ((7, 1), Black, "dummy")]);
    assert_eq!(texts(&retrieves, &here), ["white taker (6,3) -> (5,5) X black dummy (7,1)."]);
}

#[test]
fn figure_1_rooks() {
    let pieces = [((2, 1), White, "taker"), ((1, 1), Black, "dummy"), ((5, 1), Black, "dummy")];
    let ride = "RIDE <0,1> SYMMETRY {side rotation}";
    let game_of = |methods, movement| {
        game(CYLINDER, "", &taker(&capturing(methods, ENEMY, "remove", movement), ""))
    };
    let clobbers = game_of("clobber", ride);
    let expected = ["(1,1) X black dummy (1,1)", "(5,1) X black dummy (5,1)"];
    assert_eq!(from(&clobbers, &position(&clobbers, &pieces), (2, 1)), expected);

    let hop = "HOP BEFORE [X >= 0] OVER [X = 1] AFTER [X = 0] HOP_OVER [{opponent} any_piece]
        <0,1> SYMMETRY {side rotation}";
    let hops = game_of("hop", hop);
    let expected = ["(6,1) X black dummy (5,1)", "(8,1) X black dummy (1,1)"];
    assert_eq!(from(&hops, &position(&hops, &pieces), (2, 1)), expected);

    let retrieves = game_of("retrieve", ride);
    let expected = ["(3,1) X black dummy (1,1)", "(4,1) X black dummy (1,1)"];
    assert_eq!(from(&retrieves, &position(&retrieves, &pieces), (2, 1)), expected);
}

#[test]
fn figure_1_all_methods_at_once() {
    let hop = "HOP BEFORE [X >= 0] OVER [X >= 0] AFTER [X >= 0] HOP_OVER [any_player any_piece]
        <1,0> SYMMETRY {side}";
    let what = "[{opponent} {queen}]";
    let pieces = taker(&capturing("retrieve clobber hop", what, "remove", hop), "")
        + " DEFINE queen END DEFINE";
    let game = game(CYLINDER, "", &pieces);
    let mut here = [
        ((2, 8), White, "taker"),
        ((1, 8), Black, "queen"),
        ((4, 8), Black, "queen"),
        ((5, 8), Black, "dummy"),
        ((7, 8), Black, "queen"),
    ];
    let moves = from(&game, &position(&game, &here), (2, 8));
    let all = "(7,8) X black queen (1,8) X black queen (4,8) X black queen (7,8)";
    assert!(moves.contains(&all.to_owned()), "{moves:?}");
    here[4].2 = "dummy";
    let moves = from(&game, &position(&game, &here), (2, 8));
    assert!(!moves.iter().any(|text| text.starts_with("(7,8)")), "{moves:?}");
}

#[test]
fn text_is_read_without_case_and_with_comments() {
    let text = CHECKERS.to_lowercase().replace('\n', " % a comment {\n");
    assert_eq!(read(&text), read(CHECKERS));
    let text = CHECKERS.to_uppercase().replace("{FORWARD SIDE}", "{Side Forward}");
    assert_eq!(read(&text), read(CHECKERS));
    let text = CHECKERS.replace("planar", "planar INVERSION diagonal") + "% the end";
    assert_eq!(read(&text), read(CHECKERS));
    // `x` is a name like any other.
    let text = CHECKERS.replace("king", "x").replace(" man", " m");
    assert_eq!(read(&text).perft(2, &[]), Ok(vec![7, 49]));
}

#[test]
fn bad_texts_are_refused() {
    let changes = [
        ("GAME american_checkers", "GAME setup"),
        ("END GAME.", "END GAME"),
        ("END GAME.", "END GAME. x"),
        ("PROMOTE_TO king", "PROMOTE_TO queen"),
        ("PROMOTE_TO king", "PROMOTE.TO king"),
        ("DEFINE king", "DEFINE man"),
        ("DEFINE king", "DEFINE leap"),
        ("(1,1)", "(9,1)"),
        ("(1,1)", "(0,1)"),
        ("(1,1)", "(3,1)"),
        ("(1,1)", "(8,8) (1,1)"),
        ("<1,1>", "<0,0>"),
        ("<1,1>", "<-1,1>"),
        ("PROMOTE_RANK 8", "PROMOTE_RANK 0"),
        ("8 BY 8", "0 BY 8"),
        ("EFFECT remove", "EFFECT player displaces"),
        ("{forward side}", "{side side}"),
        ("{hop}", "{hop hop}"),
        ("GOALS stalemate opponent", "GOALS"),
        ("CONSTRAINTS must_capture", "CONSTRAINTS continue_captures"),
        ("LEAP", "RIDE MIN 0"),
        ("LEAP", "RIDE MAX 0"),
        ("LEAP", "RIDE LONGEST MAX 2"),
        ("LEAP", "CRAWL"),
        ("[X = 0]", "[= 0]"),
        ("<1,1>", "<1,99999999999999999999999>"),
        ("GOALS", "GOALS !"),
    ];
    for (before, after) in changes {
        let text = CHECKERS.replace(before, after);
        assert_ne!(text, CHECKERS, "{before}");
        assert!(MetagameDefinition::read(&text).is_err(), "{after}");
    }
    for length in 0..CHECKERS.trim().len() {
        assert!(MetagameDefinition::read(&CHECKERS.trim()[..length]).is_err());
    }
}

/// Texts with a token left out, twice there, or replaced by another: none panics, and many are games.
#[test]
fn nearly_games_are_refused_or_played() {
    let mut games = 0;
    for text in [CHECKERS, TURNCOAT] {
        let mut spaced = text.to_owned();
        for symbol in ["{", "}", "[", "]", "(", ")", "<", ">", ",", "."] {
            spaced = spaced.replace(symbol, &format!(" {symbol} "));
        }
        let spaced = spaced.replace("> =", ">=");
        let tokens: Vec<&str> = spaced.split_whitespace().collect();
        assert_eq!(read(&tokens.join(" ")), read(text));
        for changed in 0..tokens.len() {
            let other = tokens[changed * 7919 % tokens.len()];
            let nearest = tokens[(changed + 2) % tokens.len()];
            for new in [&[][..], &[tokens[changed]; 2], &[other], &[nearest], &["1000000000"]] {
                let nearly = [&tokens[..changed], new, &tokens[changed + 1..]].concat().join(" ");
                if let Ok(game) = MetagameDefinition::read(&nearly) {
                    game.perft(2, &[]).expect("few moves");
                    games += 1;
                }
            }
        }
    }
    assert!(games > 100, "{games}");
}

/// Where a leaper in the middle of a board can go.
fn leaper(vector: &str, symmetries: &str, inversion: &str, colour: Colour) -> Vec<Square> {
    let board = format!("9 BY 9 BOARD_TYPE planar {inversion} PROMOTE_RANK 10");
    let moving =
        format!("MOVING MOVEMENT LEAP {vector} SYMMETRY {symmetries} END MOVEMENT END MOVING");
    let game = game(&board, "", &format!("DEFINE leaper {moving} END DEFINE"));
    let here = game.position(colour, &[((5, 5), colour, "leaper")], &[]).expect("a position");
    let mut squares = Vec::new();
    for (_, next) in game.moves(&here).expect("few moves") {
        for x in 1..=9 {
            for y in 1..=9 {
                if next.piece_at(x, y).is_some() {
                    squares.push((x - 5, y - 5));
                }
            }
        }
    }
    squares.sort_unstable();
    squares
}

#[test]
fn symmetries_close_vectors() {
    let all = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];
    let sets: [(&str, &[Square]); 9] = [
        ("{}", &[(1, 2)]),
        ("{forward}", &[(1, -2), (1, 2)]),
        ("{side}", &[(-1, 2), (1, 2)]),
        ("{rotation}", &[(1, 2), (2, 1)]),
        ("{side forward}", &[(-1, -2), (-1, 2), (1, -2), (1, 2)]),
        ("{forward rotation}", &all),
        ("{rotation side}", &all),
        ("{rotation side forward}", &all),
        ("all_symmetry", &all),
    ];
    for (symmetries, vectors) in sets {
        assert_eq!(leaper("<1,2>", symmetries, "", White), vectors, "{symmetries}");
        let mut inverted: Vec<Square> = vectors.iter().map(|(dx, dy)| (-dx, -dy)).collect();
        inverted.sort_unstable();
        assert_eq!(leaper("<1,2>", symmetries, "", Black), inverted, "{symmetries}");
        let mut inverted: Vec<Square> = vectors.iter().map(|(dx, dy)| (*dx, -dy)).collect();
        inverted.sort_unstable();
        let forward = leaper("<1,2>", symmetries, "INVERSION forward", Black);
        assert_eq!(forward, inverted, "{symmetries}");
    }
    assert_eq!(leaper("<0,1>", "{side rotation}", "", White), [(-1, 0), (0, -1), (0, 1), (1, 0)]);
    assert_eq!(leaper("<0,1>", "{rotation}", "", White), [(0, 1), (1, 0)]);
}

/// A kind with one moving power.
fn mover(movement: &str, rest: &str) -> String {
    format!("DEFINE mover MOVING MOVEMENT {movement} END MOVEMENT END MOVING {rest} END DEFINE")
}

/// Where a mover at (2,1) can go on a row, with dummies of black on some files.
fn row(board: &str, movement: &str, files: &[i64]) -> Vec<i64> {
    let game = game(board, "", &mover(movement, ""));
    let mut pieces = vec![((2, 1), White, "mover")];
    pieces.extend(files.iter().map(|file| ((*file, 1), Black, "dummy")));
    let here = position(&game, &pieces);
    let mut there = Vec::new();
    for (_, next) in game.moves(&here).expect("few moves") {
        there.extend((1..=game.width()).filter(|x| next.piece_at(*x, 1) == Some((White, "mover"))));
    }
    there.sort_unstable();
    there
}

#[test]
fn rides_have_their_lengths() {
    let row = |leaps: &str, files: &[i64]| {
        row(PLANAR, &format!("RIDE {leaps} <1,0> SYMMETRY {{side}}"), files)
    };
    assert_eq!(row("", &[]), [1, 3, 4, 5, 6, 7, 8]);
    assert_eq!(row("", &[6]), [1, 3, 4, 5]);
    assert_eq!(row("MIN 3", &[]), [5, 6, 7, 8]);
    assert_eq!(row("MAX 3", &[]), [1, 3, 4, 5]);
    assert_eq!(row("MIN 2 MAX 3", &[]), [4, 5]);
    assert_eq!(row("MIN 4 MAX 3", &[]), [0; 0]);
    assert_eq!(row("MIN 3 MAX 4 LONGEST", &[]), [6]);
    assert_eq!(row("MIN 3 MAX 4 LONGEST", &[6]), [5]);
    assert_eq!(row("MIN 3 MAX 4 LONGEST", &[5]), [0; 0]);
    assert_eq!(row("LONGEST", &[]), [1, 8]);
    assert_eq!(row("LONGEST", &[1, 3]), [0; 0]);
    assert_eq!(row("MIN 1000000000", &[]), [0; 0]);
    assert_eq!(row("MAX 1000000000", &[]), [1, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn rides_go_round_cylinders() {
    let of_6 = "6 BY 3 BOARD_TYPE vertical_cylinder PROMOTE_RANK 3";
    let row = |leaps: &str, files: &[i64]| row(of_6, leaps, files);
    // Around the ring, and back where it was.
    assert_eq!(row("RIDE <1,0> SYMMETRY {}", &[]), [1, 2, 3, 4, 5, 6]);
    assert_eq!(row("RIDE <1,0> SYMMETRY {}", &[6]), [3, 4, 5]);
    assert_eq!(row("RIDE <1,0> SYMMETRY {side}", &[6]), [1, 3, 4, 5]);
    assert_eq!(row("RIDE LONGEST <1,0> SYMMETRY {}", &[6]), [3, 4, 5]);
    // Rings of three squares and of one; vectors longer than the ring.
    assert_eq!(row("RIDE <2,0> SYMMETRY {}", &[]), [2, 4, 6]);
    assert_eq!(row("RIDE <14,0> SYMMETRY {}", &[]), [2, 4, 6]);
    assert_eq!(row("LEAP <6,0> SYMMETRY {}", &[]), [2]);
    assert_eq!(row("RIDE MIN 2 <6,0> SYMMETRY {}", &[]), [0; 0]);
    // A lap is the limit only if none is written.
    assert_eq!(row("RIDE MIN 7 <1,0> SYMMETRY {}", &[]), [0; 0]);
    assert_eq!(row("RIDE MIN 7 MAX 8 <1,0> SYMMETRY {}", &[]), [3, 4]);
    assert_eq!(row("RIDE MIN 7 MAX 8 <1,0> SYMMETRY {}", &[5]), [0; 0]);
    assert_eq!(row("RIDE MIN 6 MAX 1000000000 <2,0> SYMMETRY {}", &[]), [2, 4, 6]);
    assert_eq!(row("RIDE MIN 600000001 MAX 600000002 <1,0> SYMMETRY {}", &[]), [3, 4]);
}

#[test]
fn hops_count() {
    let hop = |before: &str, over: &str, after: &str, files: &[i64]| {
        let movement = format!(
            "HOP BEFORE [X {before}] OVER [X {over}] AFTER [X {after}] HOP_OVER [{{opponent}} any_piece]
             <1,0> SYMMETRY {{}}"
        );
        row("12 BY 1 BOARD_TYPE planar PROMOTE_RANK 2", &movement, files)
    };
    // The mover is on file 2.
    assert_eq!(hop("= 2", "= 1", "= 0", &[5]), [6]);
    assert_eq!(hop("= 1", "= 1", "= 0", &[5]), [0; 0]);
    assert_eq!(hop(">= 2", "= 1", "= 0", &[5]), [6]);
    assert_eq!(hop(">= 3", "= 1", "= 0", &[5]), [0; 0]);
    assert_eq!(hop("<= 2", "= 1", "= 0", &[5]), [6]);
    assert_eq!(hop("<= 1", "= 1", "= 0", &[5]), [0; 0]);
    assert_eq!(hop(">= 0", "= 2", "= 0", &[5, 6]), [7]);
    assert_eq!(hop(">= 0", "= 1", "= 0", &[5, 6]), [0; 0]);
    assert_eq!(hop(">= 0", ">= 1", "= 0", &[5, 6, 7]), [8]);
    assert_eq!(hop(">= 0", ">= 1", ">= 0", &[5, 6, 10]), [7, 8, 9]);
    assert_eq!(hop(">= 0", "= 1", "<= 1", &[5]), [6, 7]);
    assert_eq!(hop(">= 0", "= 1", "= 1", &[5]), [7]);
    assert_eq!(hop(">= 0", "= 1", ">= 1", &[5]), [7, 8, 9, 10, 11, 12]);
    // Nothing may be hopped over.
    assert_eq!(hop("= 0", "<= 1", "= 0", &[5]), [3]);
    assert_eq!(hop("= 2", "<= 1", "= 0", &[5]), [6]);
    assert_eq!(hop(">= 0", "<= 1", "= 0", &[5]), [3, 4, 6]);
    assert_eq!(hop("= 1", "= 0", "= 1", &[]), [5]);
    assert_eq!(
        hop("<= 1000000000", "<= 1000000000", "<= 1000000000", &[5]),
        (3..=12).filter(|x| *x != 5).collect::<Vec<_>>()
    );
}

#[test]
fn hops_go_round_cylinders() {
    let hop = |before: &str, over: &str, after: &str, files: &[i64]| {
        let movement = format!(
            "HOP BEFORE [X {before}] OVER [X {over}] AFTER [X {after}] HOP_OVER [{{opponent}} any_piece]
             <1,0> SYMMETRY {{}}"
        );
        row("5 BY 1 BOARD_TYPE vertical_cylinder PROMOTE_RANK 2", &movement, files)
    };
    // Over file 4, past its own square, up to the piece it has hopped over.
    assert_eq!(hop(">= 0", "= 1", ">= 0", &[4]), [1, 2, 3, 5]);
    assert_eq!(hop("= 1", "= 1", "= 2", &[4]), [2]);
    assert_eq!(hop("= 1", "= 1", "= 4", &[4]), [0; 0]);
    // A free ring: counts beyond a lap only when they are written with a limit.
    assert_eq!(hop("= 7", "= 0", "= 0", &[]), [5]);
    assert_eq!(hop(">= 6", "= 0", "= 0", &[]), [0; 0]);
    assert_eq!(hop(">= 5", "= 0", "= 0", &[]), [3]);
    assert_eq!(hop("= 0", "= 0", ">= 0", &[]), [1, 2, 3, 4, 5]);
    assert_eq!(hop("= 0", "= 0", "= 1000000000", &[]), [3]);
    assert_eq!(hop("<= 1000000000", "<= 1000000000", "= 0", &[]), [1, 2, 3, 4, 5]);
}

/// The moves of a taker at (2,1) of a board of one rank, other pieces on it.
fn takes(board: &str, captures: &str, pieces: &[(i64, Colour)]) -> Vec<String> {
    let game = game(board, "", &taker(captures, ""));
    let mut all = vec![((2, 1), White, "taker")];
    all.extend(pieces.iter().map(|(file, owner)| ((*file, 1), *owner, "dummy")));
    from(&game, &position(&game, &all), (2, 1))
}

const ROW: &str = "8 BY 1 BOARD_TYPE planar PROMOTE_RANK 2";
const RING: &str = "5 BY 1 BOARD_TYPE vertical_cylinder PROMOTE_RANK 2";
const CANNON: &str =
    "HOP BEFORE [X >= 0] OVER [X = 1] AFTER [X >= 0] HOP_OVER [any_player any_piece]
    <1,0> SYMMETRY {side}";

#[test]
fn hops_land_on_what_they_clobber() {
    let cannon = capturing("clobber", ENEMY, "remove", CANNON);
    let expected = ["(6,1) X black dummy (6,1)"];
    assert_eq!(takes(ROW, &cannon, &[(4, White), (6, Black)]), expected);
    assert_eq!(takes(ROW, &cannon, &[(4, White), (6, White)]), [""; 0]);
    assert_eq!(takes(ROW, &cannon, &[(4, Black)]), [""; 0]);
    // Hopped pieces that are not described stay, and do not count.
    let both = capturing("clobber hop", ENEMY, "remove", CANNON);
    assert_eq!(takes(ROW, &both, &[(4, White), (6, Black)]), expected);
    let expected = ["(5,1) X black dummy (4,1)", "(6,1) X black dummy (4,1) X black dummy (6,1)"];
    assert_eq!(takes(ROW, &both, &[(4, Black), (6, Black)]), expected);
    let expected = ["(5,1) X black dummy (4,1)"];
    assert_eq!(takes(ROW, &both, &[(4, Black), (6, White)]), expected);
    // Own pieces too.
    let any = capturing("clobber", ANYTHING, "remove", CANNON);
    let expected = ["(6,1) X white dummy (6,1)"];
    assert_eq!(takes(ROW, &any, &[(4, White), (6, White)]), expected);
    // No method, nothing.
    let none = capturing("", ANYTHING, "remove", CANNON);
    assert_eq!(takes(ROW, &none, &[(4, White), (6, White)]), [""; 0]);
    let leap = capturing("hop", ANYTHING, "remove", "RIDE <1,0> SYMMETRY {side}");
    assert_eq!(takes(ROW, &leap, &[(4, White), (6, White)]), [""; 0]);
}

#[test]
fn pieces_are_hopped_over_and_clobbered() {
    // Round the ring, onto the piece that was hopped over.
    let hop = "HOP BEFORE [X = 1] OVER [X = 1] AFTER [X = 4] HOP_OVER [any_player any_piece]
        <1,0> SYMMETRY {}";
    let expected = ["(4,1) X black dummy (4,1)"];
    assert_eq!(
        takes(RING, &capturing("hop clobber", ENEMY, "remove", hop), &[(4, Black)]),
        expected
    );
    assert_eq!(takes(RING, &capturing("hop", ENEMY, "remove", hop), &[(4, Black)]), [""; 0]);
    assert_eq!(takes(RING, &capturing("clobber", ENEMY, "remove", hop), &[(4, Black)]), expected);
    // Behind is where it lands: retrieving makes no room.
    let leap = "RIDE MIN 4 <1,0> SYMMETRY {}";
    assert_eq!(takes(RING, &capturing("retrieve", ENEMY, "remove", leap), &[(1, Black)]), [""; 0]);
    let expected = ["(1,1) X black dummy (1,1)"];
    assert_eq!(
        takes(RING, &capturing("retrieve clobber", ENEMY, "remove", leap), &[(1, Black)]),
        expected
    );
    // With a possessing effect it is one piece in hand, not two.
    let game =
        game(RING, "", &taker(&capturing("hop clobber", ENEMY, "player possesses", hop), ""));
    let here = position(&game, &[((2, 1), White, "taker"), ((4, 1), Black, "dummy")]);
    let then = after(&game, &here, "white taker (2,1) -> (4,1) X black dummy (4,1) / (white).");
    assert_eq!(then.hand(White, "dummy"), 1);
}

#[test]
fn retrieving_looks_one_vector_back() {
    let capture = |movement| capturing("retrieve", ENEMY, "remove", movement);
    let ride = capture("RIDE <1,0> SYMMETRY {}");
    let expected = ["(3,1) X black dummy (1,1)", "(4,1) X black dummy (1,1)"];
    assert_eq!(takes(ROW, &ride, &[(1, Black), (5, Black)]), expected);
    assert_eq!(takes(ROW, &ride, &[(5, Black)]), [""; 0]);
    assert_eq!(takes(ROW, &ride, &[(1, White), (5, Black)]), [""; 0]);
    // Around the cylinder, behind two.
    let leap = capture("LEAP <2,0> SYMMETRY {}");
    assert_eq!(takes(RING, &leap, &[(5, Black)]), ["(4,1) X black dummy (5,1)"]);
    assert_eq!(takes(RING, &leap, &[(1, Black)]), [""; 0]);
    // A pass that captures.
    let lap = capture("RIDE MIN 3 MAX 6 <5,0> SYMMETRY {}");
    assert_eq!(takes(RING, &lap, &[(1, Black)]), [""; 0]);
    let hop = capture(
        "HOP BEFORE [X = 3] OVER [X = 1] AFTER [X = 0] HOP_OVER [any_player any_piece] <1,0> SYMMETRY {}",
    );
    assert_eq!(takes(RING, &hop, &[(1, Black)]), ["(2,1) X black dummy (1,1)"]);
}

#[test]
fn longest_captures() {
    let clobber = capturing("clobber", ENEMY, "remove", "RIDE LONGEST <1,0> SYMMETRY {side}");
    assert_eq!(takes(ROW, &clobber, &[(6, Black)]), ["(6,1) X black dummy (6,1)"]);
    let both = capturing("clobber retrieve", ENEMY, "remove", "RIDE LONGEST <1,0> SYMMETRY {}");
    let expected = ["(6,1) X black dummy (1,1) X black dummy (6,1)"];
    assert_eq!(takes(ROW, &both, &[(1, Black), (6, Black)]), expected);
    let expected = ["(5,1) X black dummy (1,1)"];
    assert_eq!(takes(ROW, &both, &[(1, Black), (6, White)]), expected);
    let limited = capturing(
        "clobber retrieve",
        ENEMY,
        "remove",
        "RIDE MIN 2 MAX 3 LONGEST <1,0> SYMMETRY {}",
    );
    assert_eq!(takes(ROW, &limited, &[(1, Black), (6, Black)]), expected);
    assert_eq!(takes(ROW, &limited, &[(1, Black), (3, White)]), [""; 0]);
}

#[test]
fn effects_make_different_moves() {
    let leap = "LEAP <1,0> SYMMETRY {}";
    let captures = [
        capturing("clobber", ANYTHING, "remove", leap),
        capturing("clobber", ANYTHING, "player possesses", leap),
        capturing("clobber", ANYTHING, "opponent possesses", leap),
        capturing("clobber", ANYTHING, "remove", "RIDE <1,0> SYMMETRY {}"),
    ];
    let captures = captures.join(" ");
    for (owner, name) in [(White, "white"), (Black, "black")] {
        let capture = format!("(3,1) X {name} dummy (3,1)");
        let expected = [" / (black)", " / (white)", ""].map(|effect| format!("{capture}{effect}"));
        assert_eq!(takes(ROW, &captures, &[(3, owner)]), expected);
    }
    let game = game(ROW, "", &taker(&captures, ""));
    let here = position(&game, &[((2, 1), White, "taker"), ((3, 1), White, "taker")]);
    for (effect, white, black) in [("", 0, 0), (" / (white)", 1, 0), (" / (black)", 0, 1)] {
        let text = format!("white taker (2,1) -> (3,1) X white taker (3,1){effect}.");
        let then = after(&game, &here, &text);
        assert_eq!((then.hand(White, "taker"), then.hand(Black, "taker")), (white, black));
        assert_eq!(then.piece_at(2, 1), None);
        assert_eq!(then.piece_at(3, 1), Some((White, "taker")));
        if black == 1 {
            let places = texts(&game, &then);
            assert_eq!(places[0], "black taker (black) -> (1,1).");
            assert_eq!(places.len(), 7);
            let placed = after(&game, &then, "black taker (black) -> (8,1).");
            assert_eq!(placed.piece_at(8, 1), Some((Black, "taker")));
            assert_eq!(placed.hand(Black, "taker"), 0);
        }
    }
}

#[test]
fn promoted_pieces_are_possessed_as_they_are_and_do_not_promote_when_placed() {
    let kinds = format!(
        "DEFINE man MOVING MOVEMENT LEAP <0,1> SYMMETRY {{}} END MOVEMENT END MOVING
           PROMOTING PROMOTE_TO lord END PROMOTING END DEFINE
         DEFINE lord END DEFINE {}",
        taker(&capturing("clobber", ENEMY, "player possesses", "LEAP <1,0> SYMMETRY {side}"), "")
    );
    let game = game("3 BY 3 BOARD_TYPE planar PROMOTE_RANK 3", "", &kinds);
    let here = position(&game, &[((1, 2), White, "man"), ((2, 3), Black, "taker")]);
    let lord = after(&game, &here, "white man (1,2) -> (1,3); promote (1,3) white lord.");
    let taken = after(&game, &lord, "black taker (2,3) -> (1,3) X white lord (1,3) / (black).");
    assert_eq!((taken.hand(Black, "lord"), taken.hand(Black, "man")), (1, 0));
    let here = game.position(White, &[], &[(White, "man"), (White, "man")]).expect("a position");
    let then = after(&game, &here, "white man (white) -> (1,3).");
    assert_eq!(then.piece_at(1, 3), Some((White, "man")));
    assert_eq!(then.hand(White, "man"), 1);
    assert_eq!(texts(&game, &here).len(), 9);
}

/// A piece that steps forwards and takes by hopping, and one that only steps.
fn hoppers(own_constraints: &str) -> String {
    let hop = "HOP BEFORE [X = 0] OVER [X = 1] AFTER [X = 0] HOP_OVER [any_player any_piece]
        <1,0> SYMMETRY all_symmetry";
    let step = "MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT";
    format!(
        "DEFINE man MOVING {step} END MOVING CAPTURING {} END CAPTURING
           PROMOTING PROMOTE_TO lord END PROMOTING {own_constraints} END DEFINE
         DEFINE lord END DEFINE
         DEFINE walker MOVING {step} END MOVING END DEFINE",
        capturing("hop", ENEMY, "remove", hop)
    )
}

#[test]
fn captures_are_compulsory_for_all_or_one() {
    let pieces = [
        ((1, 1), White, "man"),
        ((2, 1), Black, "dummy"),
        ((5, 1), White, "man"),
        ((7, 1), White, "walker"),
    ];
    let capture = "white man (1,1) -> (3,1) X black dummy (2,1).";
    let steps = ["white man (5,1) -> (5,2).", "white walker (7,1) -> (7,2)."];
    let free = game(PLANAR, "", &hoppers(""));
    let expected = ["white man (1,1) -> (1,2).", capture, steps[0], steps[1]];
    assert_eq!(texts(&free, &position(&free, &pieces)), expected);
    let local = game(PLANAR, "", &hoppers("CONSTRAINTS must_capture"));
    assert_eq!(texts(&local, &position(&local, &pieces)), [capture, steps[0], steps[1]]);
    let global = game(PLANAR, "CONSTRAINTS must_capture", &hoppers(""));
    assert_eq!(texts(&global, &position(&global, &pieces)), [capture]);
    // Placements are free.
    let here = global.position(White, &pieces, &[(White, "lord")]).expect("a position");
    assert_eq!(texts(&global, &here).len(), 1 + 60);
    let quiet = position(&global, &pieces[2..]);
    assert_eq!(texts(&global, &quiet), steps);
}

#[test]
fn captures_go_on() {
    let pieces = [
        ((1, 6), White, "man"),
        ((2, 6), Black, "dummy"),
        ((3, 7), Black, "dummy"),
        ((4, 8), Black, "dummy"),
        ((5, 7), Black, "dummy"),
    ];
    let first = "white man (1,6) -> (3,6) X black dummy (2,6)";
    let second = "; white man (3,6) -> (3,8) X black dummy (3,7)";
    let third = "; white man (3,8) -> (5,8) X black dummy (4,8)";
    let fourth = "; white man (5,8) -> (5,6) X black dummy (5,7)";
    let promoted = |square| format!("; promote {square} white lord.");

    let once = game(PLANAR, "", &hoppers(""));
    let here = position(&once, &pieces);
    assert_eq!(texts(&once, &here), ["white man (1,6) -> (1,7).", &format!("{first}.")]);

    // It may stop anywhere, and is promoted if that is on the last rank; it passes there as a man.
    let may = game(PLANAR, "", &hoppers("CONSTRAINTS continue_captures"));
    let mut expected = vec![
        "white man (1,6) -> (1,7).".to_owned(),
        format!("{first}."),
        format!("{first}{second}{}", promoted("(3,8)")),
        format!("{first}{second}{third}{}", promoted("(5,8)")),
        format!("{first}{second}{third}{fourth}."),
    ];
    expected.sort();
    assert_eq!(texts(&may, &position(&may, &pieces)), expected);

    let must = [
        "CONSTRAINTS must_capture continue_captures",
        "CONSTRAINTS continue_captures must_capture",
    ];
    for constraints in must {
        let must = game(PLANAR, "", &hoppers(constraints));
        let here = position(&must, &pieces);
        assert_eq!(texts(&must, &here), [format!("{first}{second}{third}{fourth}.")]);
        let end = after(&must, &here, &format!("{first}{second}{third}{fourth}."));
        assert_eq!(end.piece_at(5, 6), Some((White, "man")));
        assert_eq!(end.turns(), 1);
        let left = (1..=8).flat_map(|x| (1..=8).map(move |y| (x, y)));
        assert_eq!(left.filter(|(x, y)| end.piece_at(*x, *y).is_some()).count(), 1);
    }
    let global =
        game(PLANAR, "CONSTRAINTS must_capture", &hoppers("CONSTRAINTS continue_captures"));
    let here = position(&global, &pieces);
    assert_eq!(texts(&global, &here), [format!("{first}{second}{third}{fourth}.")]);
}

#[test]
fn chains_pass_squares_they_have_left_and_emptied() {
    // Around a square and back; over its own origin to a ring that is free now.
    let game = game(PLANAR, "", &hoppers("CONSTRAINTS must_capture continue_captures"));
    let pieces = [
        ((1, 1), White, "man"),
        ((2, 1), Black, "dummy"),
        ((3, 2), Black, "dummy"),
        ((2, 3), Black, "dummy"),
        ((1, 2), Black, "dummy"),
    ];
    let moves = from(&game, &position(&game, &pieces), (1, 1));
    assert_eq!(moves.len(), 2);
    assert!(moves.iter().all(|text| text.contains("-> (1,1) X")));
}

#[test]
fn too_many_chains_are_noticed() {
    let ride = "RIDE <1,0> SYMMETRY all_symmetry";
    let captures = capturing("clobber", ANYTHING, "remove", ride);
    let game = game(PLANAR, "", &taker(&captures, "CONSTRAINTS continue_captures"));
    let squares = (1..=8).flat_map(|x| (1..=8).map(move |y| (x, y)));
    let pieces: Vec<(Square, Colour, &str)> =
        squares.map(|square| (square, White, "taker")).collect();
    let here = position(&game, &pieces);
    assert_eq!(game.moves(&here), Err(TooMany));
    assert_eq!(outcome(&game, &here), None);
}

/// A game in which the opponent promotes what reaches rank 3.
fn owed(options: &str) -> MetagameDefinition {
    let step = "MOVING MOVEMENT LEAP <0,1> SYMMETRY {forward} END MOVEMENT END MOVING";
    let kinds = format!(
        "DEFINE man {step} PROMOTING DECISION opponent OPTIONS {options} END PROMOTING END DEFINE
         DEFINE lord MOVING MOVEMENT LEAP <1,0> SYMMETRY {{side}} END MOVEMENT END MOVING END DEFINE"
    );
    game("3 BY 3 BOARD_TYPE planar PROMOTE_RANK 3", "", &kinds)
}

#[test]
fn the_opponent_promotes_first() {
    let game = owed("[any_player {man lord}]");
    let here = position(&game, &[((1, 2), White, "man"), ((3, 3), Black, "lord")]);
    let then = after(&game, &here, "white man (1,2) -> (1,3).");
    assert_eq!(then.waiting(), Some((1, 3)));
    assert_eq!(then.piece_at(1, 3), Some((White, "man")));
    let mut expected = Vec::new();
    for piece in ["white man", "white lord"] {
        expected.push(format!("promote (1,3) {piece}; black lord (3,3) -> (2,3)."));
    }
    // What he gains can move at once.
    for (piece, to) in [("black man", "(1,2)"), ("black lord", "(2,3)")] {
        expected.push(format!("promote (1,3) {piece}; black lord (3,3) -> (2,3)."));
        expected.push(format!("promote (1,3) {piece}; {piece} (1,3) -> {to}."));
    }
    expected.sort();
    assert_eq!(texts(&game, &then), expected);
    let gained = "promote (1,3) black lord; black lord (1,3) -> (2,3).";
    let end = after(&game, &then, gained);
    assert_eq!(end.piece_at(2, 3), Some((Black, "lord")));
    assert_eq!((end.waiting(), end.turns(), end.to_move()), (None, 2, White));
}

#[test]
fn owed_promotions_must_leave_a_move() {
    // Only gaining the piece lets black move.
    let game = owed("[any_player {lord}]");
    let here = position(&game, &[((1, 2), White, "man"), ((3, 3), Black, "dummy")]);
    let then = after(&game, &here, "white man (1,2) -> (1,3).");
    assert_eq!(texts(&game, &then), ["promote (1,3) black lord; black lord (1,3) -> (2,3)."]);
    assert_eq!(outcome(&game, &then), None);
    // Nothing does: stalemate, though he could promote.
    let game = owed("[{player} {lord man}]");
    let here = position(&game, &[((1, 2), White, "man"), ((3, 3), Black, "dummy")]);
    let then = after(&game, &here, "white man (1,2) -> (1,3).");
    assert_eq!(texts(&game, &then), [""; 0]);
    assert_eq!(outcome(&game, &then), won(White, EndReason::Stalemate));
}

#[test]
fn options_are_seen_by_the_mover() {
    let game = owed("[{opponent} {lord}]");
    let here = position(&game, &[((1, 2), White, "man")]);
    let then = after(&game, &here, "white man (1,2) -> (1,3).");
    assert_eq!(texts(&game, &then), ["promote (1,3) black lord; black lord (1,3) -> (2,3)."]);
    // And black's promotion rank is rank 1.
    let here = game.position(Black, &[((2, 2), Black, "man")], &[]).expect("a position");
    let then = after(&game, &here, "black man (2,2) -> (2,1).");
    let expected =
        ["(1,1)", "(3,1)"].map(|to| format!("promote (2,1) white lord; white lord (2,1) -> {to}."));
    assert_eq!(texts(&game, &then), expected);
    assert_eq!(after(&game, &here, "black man (2,2) -> (2,3).").waiting(), None);
}

#[test]
fn compulsion_is_judged_after_the_owed_promotion() {
    let leap = "MOVING MOVEMENT LEAP <1,0> SYMMETRY {side} END MOVEMENT END MOVING";
    let capture =
        capturing("clobber", "[{opponent} {prey}]", "remove", "LEAP <1,0> SYMMETRY {side}");
    let kinds = format!(
        "DEFINE man MOVING MOVEMENT LEAP <0,1> SYMMETRY {{}} END MOVEMENT END MOVING
           PROMOTING DECISION opponent OPTIONS [{{player}} {{man prey}}] END PROMOTING END DEFINE
         DEFINE prey END DEFINE
         DEFINE lord {leap} CAPTURING {capture} END CAPTURING END DEFINE"
    );
    let game = game("3 BY 3 BOARD_TYPE planar PROMOTE_RANK 3", "CONSTRAINTS must_capture", &kinds);
    let here = position(&game, &[((1, 2), White, "man"), ((2, 3), Black, "lord")]);
    let then = after(&game, &here, "white man (1,2) -> (1,3).");
    assert_eq!(
        texts(&game, &then),
        [
            "promote (1,3) white man; black lord (2,3) -> (3,3).",
            "promote (1,3) white prey; black lord (2,3) -> (1,3) X white prey (1,3).",
        ]
    );
}

#[test]
fn passes_promote() {
    let board = "3 BY 3 BOARD_TYPE vertical_cylinder PROMOTE_RANK 2";
    let ride = "RIDE MIN 3 <1,0> SYMMETRY {side}";
    let kinds = mover(ride, "PROMOTING PROMOTE_TO dummy END PROMOTING");
    let game = game(board, "", &kinds);
    let here = position(&game, &[((2, 1), White, "mover"), ((2, 2), White, "mover")]);
    assert_eq!(
        texts(&game, &here),
        ["white mover (2,1) -> (2,1).", "white mover (2,2) -> (2,2); promote (2,2) white dummy."]
    );
}

fn setup_by(assigner: &str) -> MetagameDefinition {
    read(&format!(
        "GAME g GOALS eradicate [{{opponent}} any_piece] arrive [{{player}} {{b}}] AT {{(2,1)}}
         BOARD_SIZE 3 BY 3 BOARD_TYPE planar PROMOTE_RANK 3
         SETUP DECISION {assigner} ASSIGNS {{a b}} TO {{(1,1) (2,1) (3,1)}} END DECISION
         DEFINE a MOVING MOVEMENT LEAP <0,1> SYMMETRY {{}} END MOVEMENT END MOVING END DEFINE
         DEFINE b END DEFINE END GAME."
    ))
}

#[test]
fn players_set_up_their_own_pieces() {
    let game = setup_by("player");
    let begin = game.begin(&[]);
    assert!(begin.is_setup());
    assert_eq!((begin.hand(White, "a"), begin.hand(Black, "b")), (1, 1));
    let expected = ["a (white) -> (1,1)", "a (white) -> (2,1)", "a (white) -> (3,1)"];
    let moves = texts(&game, &begin);
    assert_eq!(moves[..3], expected.map(|text| format!("white {text}.")));
    assert_eq!(moves.len(), 6);
    // Nothing is eradicated yet.
    assert_eq!(outcome(&game, &begin), None);
    let mut here = begin;
    for text in
        ["white a (white) -> (1,1).", "black b (black) -> (1,3).", "white b (white) -> (3,1)."]
    {
        here = after(&game, &here, text);
        assert_eq!(outcome(&game, &here), None);
        assert!(here.is_setup());
    }
    assert_eq!(
        texts(&game, &here),
        ["(2,3)", "(3,3)"].map(|to| format!("black a (black) -> {to}."))
    );
    here = after(&game, &here, "black a (black) -> (2,3).");
    assert_eq!((here.is_setup(), here.to_move(), here.turns()), (false, White, 4));
    assert_eq!(texts(&game, &here), ["white a (1,1) -> (1,2)."]);
    // Arriving counts during the setup.
    let arrived = after(&game, &game.begin(&[]), "white b (white) -> (2,1).");
    assert_eq!(outcome(&game, &arrived), won(White, EndReason::Goal));
}

#[test]
fn players_set_up_the_pieces_of_the_other() {
    let game = setup_by("opponent");
    let begin = game.begin(&[]);
    let moves = texts(&game, &begin);
    assert_eq!(moves.len(), 6);
    assert_eq!(moves[0], "black a (white) -> (1,3).");
    let mut here = after(&game, &begin, "black b (white) -> (1,3).");
    assert_eq!(here.piece_at(1, 3), Some((Black, "b")));
    assert_eq!((here.hand(White, "a"), here.hand(White, "b")), (1, 0));
    for text in
        ["white a (black) -> (3,1).", "black a (white) -> (2,3).", "white b (black) -> (1,1)."]
    {
        here = after(&game, &here, text);
    }
    assert!(!here.is_setup());
    assert_eq!(texts(&game, &here), ["white a (3,1) -> (3,2)."]);
    assert_eq!(game.perft(3, &[]), Ok(vec![6, 30, 50]));
}

#[test]
fn chance_sets_up_both_alike() {
    let game = setup_by("random");
    assert_eq!(game.random_setup(), Some((2, 3)));
    let begin = game.begin(&[2, 0]);
    assert_eq!(begin.piece_at(3, 1), Some((White, "a")));
    assert_eq!(begin.piece_at(1, 1), Some((White, "b")));
    assert_eq!(begin.piece_at(1, 3), Some((Black, "a")));
    assert_eq!(begin.piece_at(3, 3), Some((Black, "b")));
    assert_eq!((begin.turns(), begin.is_setup(), begin.to_move()), (0, false, White));
    // A goal of both in the initial position.
    let both = outcome(&game, &game.begin(&[0, 1]));
    assert_eq!(both, drawn(EndReason::Goal));
    assert_eq!(setup_by("player").random_setup(), None);
    let any = "ASSIGNS any_piece TO";
    let text = "GAME g GOALS stalemate player BOARD_SIZE 3 BY 3 BOARD_TYPE planar PROMOTE_RANK 3
        SETUP DECISION random ASSIGNS any_piece TO {(1,1) (2,1) (3,1)} END DECISION
        DEFINE a END DEFINE DEFINE b END DEFINE END GAME.";
    assert_eq!(read(text).random_setup(), Some((2, 3)));
    assert_eq!(read(&text.replace(any, "ASSIGNS {a a b} TO")).random_setup(), Some((3, 3)));
    let more = text.replace(any, "ASSIGNS {a a b b} TO");
    assert!(MetagameDefinition::read(&more).is_err());
    let meets = text.replace("(3,1)", "(3,1) (2,2)");
    assert!(MetagameDefinition::read(&meets).is_err());
}

fn goals(goals: &str) -> MetagameDefinition {
    read(&format!(
        "GAME g GOALS {goals} BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
         SETUP a AT {{(1,1)}} b AT {{(3,1)}}
         DEFINE a MOVING MOVEMENT LEAP <0,1> SYMMETRY {{}} END MOVEMENT END MOVING END DEFINE
         DEFINE b END DEFINE END GAME."
    ))
}

fn ends(game: &MetagameDefinition, pieces: &[(Square, Colour, &str)]) -> Option<MetagameOutcome> {
    outcome(game, &position(game, pieces))
}

#[test]
fn goals_of_arriving() {
    let own = goals("arrive [{player} {b}] AT {(1,2) (3,4)}");
    let movers = [((2, 1), White, "a"), ((2, 4), Black, "a")];
    let with = |more: &[(Square, Colour, &'static str)]| [&movers[..], more].concat();
    assert_eq!(ends(&own, &with(&[])), None);
    assert_eq!(ends(&own, &with(&[((1, 2), White, "b")])), won(White, EndReason::Goal));
    assert_eq!(ends(&own, &with(&[((3, 4), White, "b")])), won(White, EndReason::Goal));
    assert_eq!(ends(&own, &with(&[((1, 2), White, "a")])), None);
    assert_eq!(ends(&own, &with(&[((1, 2), Black, "b")])), None);
    assert_eq!(ends(&own, &with(&[((3, 3), White, "b")])), None);
    assert_eq!(ends(&own, &with(&[((3, 3), Black, "b")])), won(Black, EndReason::Goal));
    assert_eq!(ends(&own, &with(&[((1, 1), Black, "b")])), won(Black, EndReason::Goal));
    let both = with(&[((1, 2), White, "b"), ((3, 3), Black, "b")]);
    assert_eq!(ends(&own, &both), drawn(EndReason::Goal));

    let other = goals("arrive [{opponent} any_piece] AT {(1,2)}");
    assert_eq!(ends(&other, &with(&[((1, 2), White, "b")])), None);
    assert_eq!(ends(&other, &with(&[((1, 2), Black, "b")])), won(White, EndReason::Goal));
    assert_eq!(ends(&other, &with(&[((3, 3), White, "a")])), won(Black, EndReason::Goal));
    let any = goals("arrive [any_player {b}] AT {(1,2)}");
    assert_eq!(ends(&any, &with(&[((1, 2), Black, "b")])), won(White, EndReason::Goal));
    assert_eq!(ends(&any, &with(&[((3, 3), Black, "b")])), won(Black, EndReason::Goal));
    // Before the first move.
    assert_eq!(
        ends(&goals("arrive [{player} {b}] AT {(1,2)} arrive [{player} {a}] AT {(2,1)}"), &movers),
        drawn(EndReason::Goal)
    );
}

#[test]
fn goals_of_eradicating() {
    let movers = [((2, 1), White, "a"), ((2, 4), Black, "a")];
    let with = |more: &[(Square, Colour, &'static str)]| [&movers[..], more].concat();
    let white = [((1, 2), White, "b")];
    let black = [((1, 2), Black, "b")];
    let other = goals("eradicate [{opponent} {b}]");
    assert_eq!(ends(&other, &with(&white)), won(White, EndReason::Goal));
    assert_eq!(ends(&other, &with(&black)), won(Black, EndReason::Goal));
    assert_eq!(ends(&other, &with(&[])), drawn(EndReason::Goal));
    assert_eq!(ends(&other, &with(&[white[0], ((1, 3), Black, "b")])), None);
    let own = goals("eradicate [{player} {b}]");
    assert_eq!(ends(&own, &with(&white)), won(Black, EndReason::Goal));
    assert_eq!(ends(&own, &with(&black)), won(White, EndReason::Goal));
    let any = goals("eradicate [any_player {b}]");
    assert_eq!(ends(&any, &with(&white)), None);
    assert_eq!(ends(&any, &with(&[])), drawn(EndReason::Goal));
    // Hands do not count.
    let here = other.position(White, &with(&white), &[(Black, "b")]).expect("a position");
    assert_eq!(outcome(&other, &here), won(White, EndReason::Goal));
}

#[test]
fn goals_of_stalemate() {
    let stuck = [((2, 4), White, "a"), ((2, 2), Black, "a")];
    assert_eq!(ends(&goals("stalemate player"), &stuck), won(White, EndReason::Stalemate));
    assert_eq!(ends(&goals("stalemate opponent"), &stuck), won(Black, EndReason::Stalemate));
    let both = goals("stalemate player stalemate opponent");
    assert_eq!(ends(&both, &stuck), drawn(EndReason::Stalemate));
    let with_arrival = goals("stalemate player arrive [any_player any_piece] AT {(2,4)}");
    assert_eq!(ends(&with_arrival, &stuck), won(White, EndReason::Goal));
    let against = goals("stalemate player arrive [{opponent} any_piece] AT {(2,1)}");
    assert_eq!(ends(&against, &stuck), drawn(EndReason::Goal));
    let none = goals("eradicate [any_player {b a}]");
    assert_eq!(ends(&none, &stuck), drawn(EndReason::NoMove));
    // Only the player to move can be stalemated, and not with pieces in hand.
    let game = goals("stalemate opponent");
    let here = game.position(Black, &stuck, &[]).expect("a position");
    assert_eq!(outcome(&game, &here), None);
    let here = game.position(White, &stuck, &[(White, "b")]).expect("a position");
    assert_eq!(outcome(&game, &here), None);
    let here = game.position(White, &stuck, &[(Black, "b")]).expect("a position");
    assert_eq!(outcome(&game, &here), won(Black, EndReason::Stalemate));
}

/// Goals are looked at while a piece waits for its promotion, with its old kind.
#[test]
fn waiting_pieces_are_on_the_board() {
    let game = read(
        "GAME g GOALS eradicate [{opponent} {a}] arrive [{player} {a}] AT {(2,3)}
         BOARD_SIZE 3 BY 3 BOARD_TYPE planar PROMOTE_RANK 3 SETUP a AT {(1,1)}
         DEFINE a MOVING MOVEMENT LEAP <0,1> SYMMETRY {forward} END MOVEMENT END MOVING
           PROMOTING DECISION opponent OPTIONS [{player} {b}] END PROMOTING END DEFINE
         DEFINE b END DEFINE END GAME.",
    );
    let here = position(&game, &[((1, 2), White, "a"), ((3, 2), Black, "a")]);
    let then = after(&game, &here, "white a (1,2) -> (1,3).");
    assert_eq!(outcome(&game, &then), None);
    let then = after(&game, &then, "promote (1,3) white b; black a (3,2) -> (3,3).");
    assert_eq!(outcome(&game, &then), won(Black, EndReason::Goal));
    let here = position(&game, &[((2, 2), White, "a"), ((3, 2), Black, "a")]);
    let then = after(&game, &here, "white a (2,2) -> (2,3).");
    assert_eq!(outcome(&game, &then), won(White, EndReason::Goal));
}

/// Both can only pass: the third time comes after four turns.
#[test]
fn repetition_draws() {
    let text = "GAME g GOALS stalemate opponent BOARD_SIZE 3 BY 2 BOARD_TYPE vertical_cylinder
        PROMOTE_RANK 3 SETUP a AT {(1,1)}
        DEFINE a MOVING MOVEMENT RIDE MIN 3 <1,0> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
        END GAME.";
    let mut game = read(text);
    assert_eq!(game.perft(6, &[]), Ok(vec![1, 1, 1, 1, 0, 0]));
    let begin = game.begin(&[]);
    let mut history: Vec<Key> = vec![begin.key()];
    let mut here = begin;
    for turn in 1..=4 {
        let text = texts(&game, &here)[0].clone();
        here = after(&game, &here, &text);
        history.push(here.key());
        let expected = if turn == 4 { drawn(EndReason::Repetition) } else { None };
        assert_eq!(game.outcome(&here, &history), expected);
    }
    game.move_limit = 3;
    assert_eq!(game.perft(6, &[]), Ok(vec![1, 1, 1, 0, 0, 0]));
    game.move_limit = 4;
    assert_eq!(game.outcome(&here, &history), drawn(EndReason::MoveLimit));
}

/// A piece walks round a large cylinder, so that nothing repeats before the limit.
#[test]
fn five_hundred_turns_are_a_draw() {
    let game = read(
        "GAME g GOALS stalemate opponent BOARD_SIZE 401 BY 2 BOARD_TYPE vertical_cylinder
         PROMOTE_RANK 3 SETUP a AT {(1,1)}
         DEFINE a MOVING MOVEMENT LEAP <1,0> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
         END GAME.",
    );
    let mut here = game.begin(&[]);
    let mut history = vec![here.key()];
    while game.outcome(&here, &history).is_none() {
        here = game.moves(&here).expect("few moves")[0].1.clone();
        history.push(here.key());
    }
    assert_eq!(game.outcome(&here, &history), drawn(EndReason::MoveLimit));
    assert_eq!(here.turns(), 500);
}

#[test]
fn a_checkers_man_takes_two_and_is_crowned() {
    let game = read(CHECKERS);
    let pieces = [
        ((3, 5), Black, "man"),
        ((2, 4), White, "man"),
        ((2, 2), White, "man"),
        ((8, 8), Black, "man"),
    ];
    let here = game.position(Black, &pieces, &[]).expect("a position");
    let both = "black man (3,5) -> (1,3) X white man (2,4); \
        black man (1,3) -> (3,1) X white man (2,2); promote (3,1) black king.";
    assert_eq!(texts(&game, &here), [both]);
    assert_eq!(after(&game, &here, both).piece_at(3, 1), Some((Black, "king")));
    assert_eq!(outcome(&game, &after(&game, &here, both)), won(Black, EndReason::Stalemate));
}
