//! What the segment program needs to know of the board, as sets of the width the board has.

use regulus_automaton::{Automaton, Direction, Id, IdVec, Piece, PieceSet, Square, SquareSet};

use crate::bits::Bits;
use crate::segment::Segments;
use crate::state::{Layout, State};

/// Sets and rows of sets, flat; a set takes `W` words in the functions that are given `W`.
#[derive(Debug)]
pub(super) struct Tables {
    /// The squares each piece set's pieces are asked for.
    unions: Vec<Union>,
    square_sets: Vec<u64>,
    all_squares: Vec<u64>,
    walks: Vec<u64>,
    shifts: IdVec<Direction, Shift>,
    rays: Vec<u64>,
    pub(super) ray_ascends: Vec<bool>,
    squares: usize,
}

/// A set of pieces: those listed, or all but those.
#[derive(Debug)]
struct Union {
    pieces: Vec<Piece>,
    all_but: bool,
}

#[derive(Debug)]
enum Shift {
    /// Neighbours are always so many squares apart: mask, then move.
    Stride { by: i32, from: Vec<u64> },
    /// Each square has its own.
    Table(Vec<Option<Square>>),
}

impl Tables {
    pub(super) fn new(automaton: &Automaton, segments: &Segments, words: usize) -> Tables {
        let board = &automaton.board;
        let mut tables = Tables {
            unions: segments.piece_sets.iter().map(|set| union(automaton, set)).collect(),
            square_sets: Vec::new(),
            all_squares: to_words(board.squares.keys(), words),
            walks: Vec::new(),
            shifts: IdVec::new(),
            rays: Vec::new(),
            ray_ascends: segments.rays.iter().map(|ray| ray.ascends).collect(),
            squares: board.squares.len(),
        };
        for set in &segments.square_sets {
            tables.square_sets.extend(to_words(SquareSet::iter(set), words));
        }
        for table in automaton.tables.values() {
            for square in board.squares.keys() {
                tables.walks.extend(to_words(table.targets(square).iter().copied(), words));
            }
        }
        for ray in &segments.rays {
            for line in &ray.lines {
                tables.rays.extend(to_words(line.iter().copied(), words));
            }
        }
        for direction in board.directions.keys() {
            let to: Vec<Option<Square>> =
                board.squares.values().map(|info| info.neighbours[direction]).collect();
            tables.shifts.push(shift(to, words));
        }
        tables
    }

    /// The squares with a piece of this set.
    #[inline]
    pub(super) fn on<const W: usize>(&self, state: &State, layout: &Layout, set: u32) -> Bits<W> {
        let union = &self.unions[set as usize];
        let mut squares = Bits::EMPTY;
        for &piece in &union.pieces {
            squares = squares.or(Bits::load(state.squares_of(layout, piece)));
        }
        if union.all_but { Bits::load(&self.all_squares).without(squares) } else { squares }
    }

    #[inline]
    pub(super) fn square_set<const W: usize>(&self, set: u32) -> Bits<W> {
        Bits::load(&self.square_sets[set as usize * W..])
    }

    #[inline]
    pub(super) fn walk<const W: usize>(&self, table: u32, square: u32) -> Bits<W> {
        Bits::load(&self.walks[(table as usize * self.squares + square as usize) * W..])
    }

    #[inline]
    pub(super) fn ray<const W: usize>(&self, ray: u32, square: u32) -> Bits<W> {
        Bits::load(&self.rays[(ray as usize * self.squares + square as usize) * W..])
    }

    #[inline]
    pub(super) fn shift<const W: usize>(&self, direction: Direction, from: Bits<W>) -> Bits<W> {
        match &self.shifts[direction] {
            Shift::Stride { by, from: has } => from.and(Bits::load(has)).shifted(*by),
            Shift::Table(to) => from
                .each()
                .filter_map(|square| to[square as usize])
                .fold(Bits::EMPTY, |set, square| set.or(Bits::single(square.0))),
        }
    }
}

fn union(automaton: &Automaton, set: &PieceSet) -> Union {
    let all_but = set.len() * 2 > automaton.pieces.len();
    let pieces = automaton.pieces.keys().filter(|&piece| set.contains(piece) != all_but).collect();
    Union { pieces, all_but }
}

fn shift(to: Vec<Option<Square>>, words: usize) -> Shift {
    let mut strides =
        to.iter().enumerate().filter_map(|(from, to)| to.map(|to| to.index() as i32 - from as i32));
    let by = strides.next().unwrap_or(0);
    if strides.all(|stride| stride == by) {
        let has = to.iter().enumerate().filter(|(_, to)| to.is_some());
        Shift::Stride { by, from: to_words(has.map(|(from, _)| Square::from_index(from)), words) }
    } else {
        Shift::Table(to)
    }
}

fn to_words(squares: impl Iterator<Item = Square>, words: usize) -> Vec<u64> {
    let mut set = vec![0; words];
    for square in squares {
        set[square.index() / 64] |= 1 << (square.index() % 64);
    }
    set
}
