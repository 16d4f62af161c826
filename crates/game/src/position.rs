//! Positions as one line of text.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR black quiet=3 @e4 origin@d2
//! ```
//!
//! The board comes first: rows from the top, each from the left, between slashes; a number stands for as many empty squares,
//! letters for pieces (`codes`). Then the player in control, or `-` if the game is over; with `#` and a number if the rules
//! know several places where this player is in control: the number of a switch that leads there, the same as in moves, or
//! `start` where the rules begin. Without it the first place is meant, or that of an end by repetition.
//! Then, in any order, the variables that are not 0 (the scores among them), the square of the cursor if it is not the
//! first (`@e4`), and registers that do not remember the first square.
//!
//! A text is not trusted: what is read is a state within all bounds, at a place of the rules where a player is in control
//! or the keeper has nothing to do. That play can reach it is not checked.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use regulus_automaton::{
    Action, IdVec, Modifier, Node, Piece, Player, Register, Shape, Square, Variable,
};
use regulus_engine::{Parts, Rules as _, State};

use crate::error::Error;
use crate::fen;
use crate::game::Game;

/// Written behind the player where no switch leads to: a game that is over before it has begun.
const START: &str = "#start";

/// The longest text that is read, in bytes.
const MAX_LENGTH: usize = 1 << 20;

/// The position of a state.
pub(crate) fn write(game: &Game, state: &State) -> String {
    let parts = game.rules().referee().parts(state);
    let (automaton, notation) = (game.automaton(), game.notation());
    let rows: Vec<String> =
        rows(game).iter().map(|row| write_row(game, row, &parts.pieces)).collect();
    let mut text = rows.join("/");
    let mover = parts.mover.map_or("-", |player| automaton.players[player].as_str());
    // Writing to a string cannot fail.
    let _ = write!(text, " {mover}");
    let places = Places::of(game, parts.mover);
    match places.modifier_of(parts.node) {
        Some(modifier) if places.nodes.len() > 1 => {
            let _ = write!(text, "#{}", modifier.0);
        }
        None if parts.node == automaton.start => text.push_str(START),
        _ => {}
    }
    for (variable, &value) in parts.variables.iter().filter(|(_, value)| **value != 0) {
        let _ = write!(text, " {}={value}", automaton.variables[variable].name);
    }
    for (register, &square) in parts.registers.iter().filter(|(_, square)| square.0 != 0) {
        let name = if register == Register::CURSOR { "" } else { &automaton.registers[register] };
        let _ = write!(text, " {name}@{}", notation.square(square));
    }
    text
}

/// The state that a text describes.
pub(crate) fn read(game: &Game, text: &str) -> Result<State, Error> {
    if text.len() > MAX_LENGTH {
        return Err(Error::bad_input(format!(
            "the position has {} bytes; at most {MAX_LENGTH} are read",
            text.len()
        )));
    }
    if let Some(parts) = fen::read(game, text)? {
        return compose(game, &parts);
    }
    let mut words = text.split_whitespace();
    let board = words.next().ok_or_else(|| bad("it is empty; it begins with the board"))?;
    let pieces = read_board(game, board)?;
    let mover = words.next().ok_or_else(|| {
        bad("after the board comes the player in control, or `-` if the game is over")
    })?;
    let (mover, node) = read_mover(game, mover)?;
    let automaton = game.automaton();
    let mut parts = Parts {
        pieces,
        variables: IdVec::filled(0, automaton.variables.len()),
        registers: IdVec::filled(Square(0), automaton.registers.len()),
        node,
        mover,
    };
    let mut seen = BTreeSet::new();
    for word in words {
        let name = read_word(game, word, &mut parts)?;
        if !seen.insert(name) {
            return Err(bad(format!("`{word}` says something for the second time")));
        }
    }
    compose(game, &parts)
}

fn bad(problem: impl std::fmt::Display) -> Error {
    Error::bad_input(format!("this is not a position of the game: {problem}"))
}

fn compose(game: &Game, parts: &Parts) -> Result<State, Error> {
    let state = game.rules().referee().compose(parts).map_err(bad)?;
    if parts.mover.is_none() {
        // Where the keeper has something to do, the game is not over.
        let (walk, mut goes_on) = (game.walk(), false);
        let found = walk.visit_moves(&state, &mut walk.scratch(), &mut |_| {
            goes_on = true;
            ControlFlow::Break(())
        });
        found.map_err(|fault| game.blame(&fault))?;
        if goes_on {
            return Err(bad("the game is not over there; the rules go on"));
        }
    }
    Ok(state)
}

/// The squares in the rows in which they are written. The points of a graph make one row.
pub(crate) fn rows(game: &Game) -> Vec<Vec<Square>> {
    let board = &game.automaton().board;
    if board.shape == Shape::Point {
        return vec![board.squares.keys().collect()];
    }
    let mut rows: BTreeMap<i32, Vec<Square>> = BTreeMap::new();
    for (square, info) in board.squares.iter() {
        rows.entry(info.y).or_default().push(square);
    }
    let in_order = |mut row: Vec<Square>| {
        row.sort_by_key(|&square| board.squares[square].x);
        row
    };
    rows.into_values().map(in_order).collect()
}

fn write_row(game: &Game, row: &[Square], pieces: &IdVec<Square, Piece>) -> String {
    let codes = game.codes();
    let mut text = String::new();
    let mut empties = 0;
    for &square in row {
        if Some(pieces[square]) == codes.empty {
            empties += 1;
            continue;
        }
        if empties > 0 {
            text.push_str(&std::mem::take(&mut empties).to_string());
        }
        text.push_str(codes.code(pieces[square]));
    }
    if empties > 0 {
        text.push_str(&empties.to_string());
    }
    text
}

fn read_board(game: &Game, text: &str) -> Result<IdVec<Square, Piece>, Error> {
    let rows = rows(game);
    let texts: Vec<&str> = text.split('/').collect();
    if texts.len() != rows.len() {
        let (found, wanted) = (texts.len(), rows.len());
        return Err(bad(format!("the board has {wanted} rows, not {found}")));
    }
    let count = game.automaton().board.squares.len();
    let mut pieces = IdVec::filled(Piece(0), count);
    for (number, (row, text)) in rows.iter().zip(texts).enumerate() {
        let wrong = |problem: String| bad(format!("row {} from the top: {problem}", number + 1));
        let found = read_row(game, text, row.len()).map_err(wrong)?;
        if found.len() != row.len() {
            let (found, wanted) = (found.len(), row.len());
            return Err(wrong(format!("it has {wanted} squares, not {found}")));
        }
        for (&square, piece) in row.iter().zip(found) {
            pieces[square] = piece;
        }
    }
    Ok(pieces)
}

/// The pieces of a row, of which there are not many more than `most`.
fn read_row(game: &Game, text: &str, most: usize) -> Result<Vec<Piece>, String> {
    let codes = game.codes();
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() && pieces.len() <= most {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 {
            let Some(empty) = codes.empty else {
                return Err("the game has no piece that stands for an empty square".to_owned());
            };
            let count = rest[..digits].parse().unwrap_or(usize::MAX).min(most + 1);
            pieces.extend(std::iter::repeat_n(empty, count));
            rest = &rest[digits..];
            continue;
        }
        let Some((piece, length)) = codes.read(rest) else {
            let known: Vec<&str> = (0..game.automaton().pieces.len() as u32)
                .map(Piece)
                .filter(|&piece| Some(piece) != codes.empty)
                .map(|piece| codes.code(piece))
                .collect();
            let first: String = rest.chars().take(1).collect();
            return Err(format!("`{first}` is no piece; there are: {}", known.join(" ")));
        };
        pieces.push(piece);
        rest = &rest[length..];
    }
    Ok(pieces)
}

/// The places of the rules where a player is in control, or the keeper, each with the switches that lead there.
struct Places {
    nodes: BTreeSet<Node>,
    switches: BTreeMap<Modifier, Node>,
}

impl Places {
    fn of(game: &Game, mover: Option<Player>) -> Places {
        let automaton = game.automaton();
        let wanted = |action: &Action| match action {
            Action::Turn(player) => mover == Some(*player),
            Action::Keeper => mover.is_none(),
            _ => false,
        };
        let edges = automaton.edges().filter(|(_, edge)| wanted(&edge.action));
        let switches: BTreeMap<Modifier, Node> =
            edges.filter_map(|(_, edge)| Some((edge.modifier?, edge.target))).collect();
        let mut nodes: BTreeSet<Node> = switches.values().copied().collect();
        if mover.is_none() {
            nodes.insert(automaton.start);
            nodes.extend(automaton.repetition.as_ref().map(|rule| rule.over));
        }
        Places { nodes, switches }
    }

    /// The first switch that leads to a node; `None` if none does.
    fn modifier_of(&self, node: Node) -> Option<Modifier> {
        self.switches.iter().find(|(_, target)| **target == node).map(|(modifier, _)| *modifier)
    }
}

fn read_mover(game: &Game, text: &str) -> Result<(Option<Player>, Node), Error> {
    let (name, number) = match text.split_once('#') {
        Some((name, number)) => (name, Some(number)),
        None => (text, None),
    };
    let mover = match name {
        "-" => None,
        name => Some(game.player(name).ok_or_else(|| {
            let players = game.automaton().players.as_slice().join(", ");
            bad(format!("there is no player `{name}`; there are: {players}"))
        })?),
    };
    let places = Places::of(game, mover);
    let node = match number {
        Some(_) if mover.is_none() && text.ends_with(START) => game.automaton().start,
        Some(number) => {
            let modifier = number.parse().ok().map(Modifier);
            let node = modifier.and_then(|modifier| places.switches.get(&modifier));
            *node.ok_or_else(|| bad(format!("`#{number}` is no switch to `{name}`")))?
        }
        None => match (mover, &game.automaton().repetition) {
            (None, Some(rule)) => rule.over,
            _ => {
                *places.nodes.first().ok_or_else(|| bad(format!("`{name}` is never in control")))?
            }
        },
    };
    Ok((mover, node))
}

/// Reads what a word says about variables and registers; returns what it is about.
fn read_word(game: &Game, word: &str, parts: &mut Parts) -> Result<String, Error> {
    let automaton = game.automaton();
    if let Some((name, value)) = word.split_once('=') {
        let Some(variable) = variable(game, name) else {
            return Err(bad(format!("there is no variable `{name}`")));
        };
        let info = &automaton.variables[variable];
        let value: i32 =
            value.parse().ok().filter(|v| (0..=info.bound).contains(v)).ok_or_else(|| {
                bad(format!("`{word}`: `{name}` is a number from 0 to {}", info.bound))
            })?;
        parts.variables[variable] = value;
        return Ok(format!("={name}"));
    }
    let Some((name, square)) = word.split_once('@') else {
        return Err(bad(format!(
            "`{word}` is neither a variable, as in `x=1`, nor a square, as in `@a1`"
        )));
    };
    let registers = automaton.registers.iter();
    let register = match name {
        "" => Some(Register::CURSOR),
        name => registers.skip(1).find(|(_, other)| *other == name).map(|(register, _)| register),
    };
    let register = register.ok_or_else(|| bad(format!("there is no register `{name}`")))?;
    let mut squares = automaton.board.squares.keys();
    let found = squares.find(|&other| game.notation().square(other) == square);
    parts.registers[register] =
        found.ok_or_else(|| bad(format!("there is no square `{square}`")))?;
    Ok(format!("@{name}"))
}

/// The variable of this name; `None` if there is none.
pub(crate) fn variable(game: &Game, name: &str) -> Option<Variable> {
    let mut variables = game.automaton().variables.iter();
    variables.find(|(_, info)| info.name == name).map(|(variable, _)| variable)
}

/// The first place of the rules where a player is in control; `None` if there is none.
pub(crate) fn first_place(game: &Game, player: Player) -> Option<Node> {
    Places::of(game, Some(player)).nodes.first().copied()
}
