//! A game in Simplified Boardgames as seen from outside: who is to move, the pieces, and moves as origin and destination.
//!
//! What an engine shows of the game can so be compared with its definition, and with another automaton of the same game.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{Automaton, Id as _, Square};
use regulus_engine::{Fault, History, Limits, MoveList, Rules as _, State, Step, Walk};

use crate::sbg_definition::{Place, SbgDefinition, SbgOutcome, SbgPosition, SbgSide};

/// What can be seen of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PositionView {
    pub(crate) pieces: BTreeMap<Place, String>,
    pub(crate) stage: GameStatus,
}

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GameStatus {
    Turn { player: usize, moves: BTreeSet<(Place, Place)> },
    Over { scores: Vec<i32> },
}

impl PositionView {
    /// What the definition shows.
    pub(crate) fn defined(definition: &SbgDefinition, position: &SbgPosition) -> PositionView {
        let number = |side| match side {
            SbgSide::White => 0,
            SbgSide::Black => 1,
        };
        let stage = match position.outcome {
            None => {
                let moves = definition.moves(position);
                GameStatus::Turn { player: number(position.side), moves }
            }
            Some(SbgOutcome::Drawn) => GameStatus::Over { scores: vec![50, 50] },
            Some(SbgOutcome::Won(winner)) => {
                let mut scores = vec![0, 0];
                scores[number(winner)] = 100;
                GameStatus::Over { scores }
            }
        };
        let pieces = position.pieces.iter().map(|(&place, &piece)| (place, name(piece))).collect();
        PositionView { pieces, stage }
    }
}

/// The name of a piece in an automaton.
fn name(piece: char) -> String {
    let owner = match SbgSide::of(piece) {
        SbgSide::White => "white",
        SbgSide::Black => "black",
    };
    format!("{owner}{}", piece.to_ascii_uppercase())
}

/// The steps of the moves with this origin and destination.
pub(crate) type MovesByPair = BTreeMap<(Place, Place), Vec<Step>>;

/// An automaton run by the `walk` engine, as itself. Every game in this language comes to an end, so a fault breaks any
/// law.
#[derive(Debug)]
pub(crate) struct ShownGame {
    title: &'static str,
    pub(crate) walk: Walk,
    /// Columns and rows are counted from here.
    left: i32,
    bottom: i32,
}

impl ShownGame {
    pub(crate) fn new(title: &'static str, automaton: Automaton) -> ShownGame {
        let squares = automaton.board.squares.values();
        let left = squares.clone().map(|square| square.x).min().unwrap_or(0);
        let bottom = squares.map(|square| square.y).max().unwrap_or(0);
        ShownGame { title, walk: Walk::with_limits(automaton, Limits::default()), left, bottom }
    }

    pub(crate) fn initial(&self) -> State {
        self.answer("the first state", self.walk.initial(&mut self.walk.scratch()))
    }

    /// The state after a move.
    pub(crate) fn after(&self, state: &State, steps: &[Step]) -> State {
        let mut after = state.clone();
        // Positions that come again do not matter in this language.
        let history = &mut History::new();
        let applied = self.walk.apply(&mut after, history, steps, &mut self.walk.scratch());
        self.answer("a move", applied);
        after
    }

    /// What is seen of a state, and the steps of its moves.
    pub(crate) fn view(&self, state: &State) -> (PositionView, MovesByPair) {
        let mut list = MoveList::new();
        let found = match self.walk.player(state) {
            Some(_) => self.walk.moves(state, &mut self.walk.scratch(), &mut list),
            None => Ok(()),
        };
        self.answer("the moves", found);
        let mut moves = BTreeMap::new();
        for steps in list.iter() {
            let [first, .., last] = steps else {
                panic!("{}: the move {steps:?} has no origin and destination", self.title);
            };
            let pair = (self.place(first.square), self.place(last.square));
            if let Some(other) = moves.insert(pair, steps.to_vec()) {
                panic!("{}: {pair:?} is a move twice: {other:?} and {steps:?}", self.title);
            }
        }
        let stage = match self.walk.player(state) {
            Some(player) if !moves.is_empty() => {
                GameStatus::Turn { player: player.index(), moves: moves.keys().copied().collect() }
            }
            _ => GameStatus::Over { scores: self.walk.scores(state) },
        };
        (PositionView { pieces: self.pieces(state), stage }, moves)
    }

    fn pieces(&self, state: &State) -> BTreeMap<Place, String> {
        let automaton = self.walk.automaton();
        let squares = automaton.board.squares.keys();
        let pieces = squares
            .map(|square| (self.place(square), automaton.pieces[state.piece(square)].clone()));
        pieces.filter(|(_, piece)| piece != "empty").collect()
    }

    fn place(&self, square: Square) -> Place {
        let info = &self.walk.automaton().board.squares[square];
        (i64::from(info.x - self.left), i64::from(self.bottom - info.y))
    }

    fn answer<T>(&self, what: &str, answer: Result<T, Fault>) -> T {
        answer.unwrap_or_else(|fault| panic!("{}: no answer to {what}: {fault}", self.title))
    }
}
