//! The squares of sets of pieces, which are computed once for as long as the board stays as it is.

use regulus_automaton::Piece;

use super::body::Body;
use super::sets::{Set, words};

/// The squares with certain pieces.
#[derive(Clone, Debug)]
enum Pieces {
    Are(Set),
    AreNot(Set),
}

/// The sets of pieces whose squares were computed in the blocks that dominate the current one, by their numbers.
#[derive(Default)]
pub(super) struct Asked(Vec<(u32, Pieces)>);

impl Asked {
    fn get(&self, number: u32) -> Option<&Pieces> {
        self.0.iter().find(|(asked, _)| *asked == number).map(|(_, pieces)| pieces)
    }

    fn push(&mut self, number: u32, pieces: Pieces) {
        self.0.push((number, pieces));
    }
}

impl Body<'_, '_, '_> {
    /// Writes code in blocks that do not dominate what comes after them: sets of pieces that are asked for there are not
    /// known after it. Returns what `write` does.
    pub(super) fn in_branch<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.frame.asked.0.len();
        let result = write(self);
        self.frame.asked.0.truncate(known);
        result
    }

    /// Writes code for the board as it is after writes, of which no set of pieces is known yet. Returns what `write` does.
    pub(super) fn on_changed_board<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.scoped(|body| &mut body.frame.asked, Asked::default(), write)
    }

    /// Returns the squares of a set with a piece of another set.
    pub(super) fn keep_on(&mut self, set: &Set, pieces: u32) -> Set {
        match self.pieces(pieces) {
            Pieces::Are(squares) => self.sets.and(set, &squares),
            Pieces::AreNot(squares) => self.sets.without(set, &squares),
        }
    }

    /// Returns the squares of a set without a piece of another set.
    pub(super) fn keep_not_on(&mut self, set: &Set, pieces: u32) -> Set {
        match self.pieces(pieces) {
            Pieces::Are(squares) => self.sets.without(set, &squares),
            Pieces::AreNot(squares) => self.sets.and(set, &squares),
        }
    }

    /// Asks for a set of pieces before it is needed, in a block that dominates those where it is.
    pub(super) fn ask_ahead(&mut self, pieces: u32) {
        self.pieces(pieces);
    }

    fn pieces(&mut self, number: u32) -> Pieces {
        if let Some(pieces) = self.frame.asked.get(number) {
            return pieces.clone();
        }
        let set = &self.segments().piece_sets[number as usize];
        let automaton = self.automaton();
        let all_but = set.len() * 2 > automaton.pieces.len();
        let mut squares = self.sets.empty();
        for piece in automaton.pieces.keys().filter(|&piece| set.contains(piece) != all_but) {
            let here = self.squares_of(piece);
            squares = self.sets.or(&squares, &here);
        }
        let pieces = if all_but { Pieces::AreNot(squares) } else { Pieces::Are(squares) };
        self.frame.asked.push(number, pieces.clone());
        pieces
    }

    /// Returns the squares of a piece.
    pub(super) fn squares_of(&mut self, piece: Piece) -> Set {
        let at = self.layout().set_at(piece) as i32;
        self.sets.load(self.state, at, words())
    }
}
