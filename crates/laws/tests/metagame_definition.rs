//! The second definition of METAGAME, held against figures and against positions worked out by hand.

use regulus_laws::metagame_definition::{
    Colour::{self, Black, White},
    Definition, Key, Outcome, Position, Reason, Square, TooMany,
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

fn read(text: &str) -> Definition {
    Definition::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A game whose pieces stand somewhere; positions are given in each test.
fn game(board: &str, constraints: &str, pieces: &str) -> Definition {
    read(&format!(
        "GAME g GOALS stalemate opponent BOARD_SIZE {board} SETUP dummy AT {{(1,1)}} {constraints}
         DEFINE dummy END DEFINE {pieces} END GAME."
    ))
}

const PLANAR: &str = "8 BY 8 BOARD_TYPE planar PROMOTE_RANK 8";
const CYLINDER: &str = "8 BY 8 BOARD_TYPE vertical_cylinder PROMOTE_RANK 8";

fn position(game: &Definition, pieces: &[(Square, Colour, &str)]) -> Position {
    game.position(White, pieces, &[]).expect("a position")
}

fn texts(game: &Definition, position: &Position) -> Vec<String> {
    let moves = game.moves(position).expect("few moves");
    moves.into_iter().map(|(text, _)| text).collect()
}

/// The moves of the piece on a square, without its name and where it comes from, and without a period.
fn from(game: &Definition, position: &Position, (x, y): Square) -> Vec<String> {
    let (owner, kind) = position.piece_at(x, y).expect("a piece");
    let begin = format!("{owner} {kind} ({x},{y}) -> ");
    let moves = texts(game, position);
    let moves = moves.iter().filter_map(|text| text.strip_prefix(&begin));
    moves.map(|text| text.trim_end_matches('.').to_owned()).collect()
}

/// The position after a move.
fn after(game: &Definition, position: &Position, text: &str) -> Position {
    let moves = game.moves(position).expect("few moves");
    let found = moves.iter().find(|(found, _)| found == text);
    let known: Vec<&String> = moves.iter().map(|(text, _)| text).collect();
    found.unwrap_or_else(|| panic!("no {text} in {known:#?}")).1.clone()
}

fn outcome(game: &Definition, position: &Position) -> Option<Outcome> {
    game.outcome(position, &[position.key()])
}

fn won(winner: Colour, reason: Reason) -> Option<Outcome> {
    Some(Outcome { winner: Some(winner), reason })
}

fn drawn(reason: Reason) -> Option<Outcome> {
    Some(Outcome { winner: None, reason })
}

#[test]
fn checkers_has_its_leaves() {
    assert_eq!(read(CHECKERS).perft(6, &[]), Ok(vec![7, 49, 302, 1469, 7361, 36768]));
}

#[test]
fn turncoat_chess_has_its_leaves() {
    assert_eq!(read(TURNCOAT).perft(3, &[]), Ok(vec![17, 306, 6201]));
}
