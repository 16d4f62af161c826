//! What code needs to know of the board, as sets of the width the board has.

use std::collections::BTreeMap;

use regulus_automaton::{Automaton, Direction, Id, Piece, PieceSet, Square, SquareSet, Table};

use super::code::{LineSet, SMALL, Star, Stride};
use crate::bits::Bits;
use crate::segment::Segments;
use crate::state::{Layout, State};

/// Sets, flat: each takes as many words as the board needs.
#[derive(Debug)]
pub(super) struct SetTables {
    /// The row of sets as it is before views are filled in: views, all squares, no squares, the program's sets of
    /// squares, and others.
    pub(super) sets: Vec<u64>,
    /// For each square of each table and each ray the squares it leads to.
    pub(super) rows: Vec<u64>,
    pub(super) strides: Vec<Stride>,
    pub(super) stars: Vec<Star>,
    /// How each view is computed from a state.
    unions: Vec<Union>,
    /// For each pair of pieces where the views begin that hold only one of them.
    toggles: Vec<u32>,
    /// Where those of each pair end.
    toggle_ends: Vec<u32>,
    pieces: usize,
    squares: usize,
    words: usize,
    numbers: BTreeMap<Vec<u64>, u32>,
}

/// A set of pieces: those whose squares are at these places of a state, or all but those.
#[derive(Debug)]
struct Union {
    places: Vec<usize>,
    all_but: bool,
}

impl SetTables {
    /// The sets that a program asks for by number.
    pub(super) fn new(
        automaton: &Automaton,
        layout: &Layout,
        segments: &Segments,
        words: usize,
    ) -> SetTables {
        let views = &segments.piece_sets;
        let pieces = || automaton.pieces.keys();
        let pairs = pieces().flat_map(|old| pieces().map(move |new| (old, new)));
        let toggled = |(old, new): (Piece, Piece)| {
            let differs = |&(_, set): &(u32, &PieceSet)| set.contains(old) != set.contains(new);
            (0..)
                .zip(views)
                .filter(differs)
                .map(|(view, _)| view * words as u32)
                .collect::<Vec<u32>>()
        };
        let (mut toggles, mut toggle_ends): (Vec<u32>, Vec<u32>) = (Vec::new(), vec![0]);
        for pair in pairs {
            toggles.extend(toggled(pair));
            toggle_ends.push(toggles.len() as u32);
        }
        let mut tables = SetTables {
            sets: vec![0; views.len() * words],
            rows: Vec::new(),
            strides: Vec::new(),
            stars: Vec::new(),
            unions: views.iter().map(|set| union(automaton, layout, set)).collect(),
            toggles,
            toggle_ends,
            pieces: automaton.pieces.len(),
            squares: automaton.board.squares.len(),
            words,
            numbers: BTreeMap::new(),
        };
        tables.push(automaton.board.squares.keys());
        tables.push(std::iter::empty());
        for set in &segments.square_sets {
            tables.push(SquareSet::iter(set));
        }
        tables
    }

    /// How many words a set takes.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The number of the set of all squares.
    pub(super) fn all(&self) -> u32 {
        self.unions.len() as u32
    }

    /// The number of the set without squares.
    pub(super) fn none(&self) -> u32 {
        self.all() + 1
    }

    /// The number of one of the program's sets of squares.
    pub(super) fn square_set(&self, set: u32) -> u32 {
        self.all() + 2 + set
    }

    /// Makes every small number one of a set.
    pub(super) fn pad(&mut self) {
        self.sets.resize(self.sets.len().max(SMALL * self.words), 0);
    }

    fn push(&mut self, squares: impl Iterator<Item = Square>) -> u32 {
        let number = (self.sets.len() / self.words) as u32;
        self.sets.extend(to_words(squares, self.words));
        number
    }

    /// The strides of steps between squares.
    pub(super) fn strides_of(&mut self, pairs: &[(Square, Square)]) -> Vec<Stride> {
        let mut squares_of: BTreeMap<i32, Vec<Square>> = BTreeMap::new();
        for (from, to) in pairs {
            squares_of.entry(to.0 as i32 - from.0 as i32).or_default().push(*from);
        }
        let mut strides = Vec::new();
        for (distance, squares) in squares_of {
            let words = to_words(squares.iter().copied(), self.words);
            let mask = match self.numbers.get(&words) {
                Some(&mask) => mask,
                None => {
                    let mask = self.push(squares.into_iter());
                    self.numbers.insert(words, mask);
                    mask
                }
            };
            strides.push(Stride { mask, distance });
        }
        strides
    }

    /// Keeps strides; returns where they are and how many.
    pub(super) fn keep(&mut self, strides: &[Stride]) -> (u32, u32) {
        let first = self.strides.len() as u32;
        self.strides.extend_from_slice(strides);
        (first, strides.len() as u32)
    }

    /// Keeps what each square leads to; returns the number of the first row.
    pub(super) fn keep_rows(&mut self, pairs: &[(Square, Square)]) -> u32 {
        let first = self.rows.len() / self.words;
        self.rows.resize(self.rows.len() + self.squares * self.words, 0);
        for (from, to) in pairs {
            let row = (first + from.index()) * self.words;
            self.rows[row + to.index() / 64] |= 1 << (to.index() % 64);
        }
        first as u32
    }

    /// Keeps the lines of a ray; returns the number of the star they make.
    pub(super) fn keep_ray(&mut self, ray: &crate::segment::Ray, includes_start: bool) -> u32 {
        let squares = || (0..).map(Square);
        let lines = || squares().zip(&ray.lines);
        let all = lines().flat_map(|(from, line)| line.iter().map(move |&to| (from, to)));
        let rows = self.keep_rows(&all.collect::<Vec<_>>());
        let steps: Vec<(Square, Square)> =
            lines().filter_map(|(from, line)| line.first().map(|&to| (from, to))).collect();
        let strides = self.strides_of(&steps);
        let steps_at = self.keep(&strides);
        let back = self.strides_of(&reversed(&steps));
        let back = self.keep(&back);
        let longest = ray.lines.iter().map(Vec::len).max().unwrap_or(0) as i32;
        let (ascending, descending) =
            if ray.ascends { (vec![rows], Vec::new()) } else { (Vec::new(), vec![rows]) };
        let lines = vec![LineSet { steps: steps_at, back, longest }];
        self.stars.push(Star { lines, ascending, descending, includes_start });
        self.stars.len() as u32 - 1
    }

    /// Fills in the views of a state.
    pub(super) fn view(&self, state: &State, sets: &mut [u64]) {
        let (words, state) = (self.words, state.words());
        let (views, fixed) = sets.split_at_mut(self.unions.len() * words);
        for (view, union) in views.chunks_exact_mut(words).zip(&self.unions) {
            for (at, word) in view.iter_mut().enumerate() {
                let pieces =
                    union.places.iter().fold(0, |squares, place| squares | state[place + at]);
                *word = if union.all_but { fixed[at] & !pieces } else { pieces };
            }
        }
    }

    /// Keeps the views up to date when a piece has replaced another.
    #[inline]
    pub(super) fn replace(&self, sets: &mut [u64], square: Square, old: Piece, new: Piece) {
        let (word, bit) = (square.index() / 64, 1 << (square.index() % 64));
        let pair = old.index() * self.pieces + new.index();
        let (start, end) = (self.toggle_ends[pair], self.toggle_ends[pair + 1]);
        for &view in &self.toggles[start as usize..end as usize] {
            sets[view as usize + word] ^= bit;
        }
    }

    #[inline]
    pub(super) fn strides(&self, (first, count): (u32, u32)) -> &[Stride] {
        &self.strides[first as usize..(first + count) as usize]
    }
}

/// What sets and rows are read from while operations are done.
#[derive(Clone, Copy)]
pub(super) struct SetView<'a, const W: usize> {
    pub(super) tables: &'a SetTables,
    pub(super) sets: &'a [[u64; W]],
    pub(super) rows: &'a [[u64; W]],
}

impl<'a, const W: usize> SetView<'a, W> {
    #[inline]
    pub(super) fn new(tables: &'a SetTables, sets: &'a [u64]) -> Self {
        SetView { tables, sets: sets.as_chunks().0, rows: tables.rows.as_chunks().0 }
    }

    #[inline]
    pub(super) fn set(&self, number: u32) -> Bits<W> {
        Bits(self.sets[number as usize])
    }

    #[inline]
    pub(super) fn row(&self, rows: u32, square: u32) -> Bits<W> {
        Bits(self.rows[(rows + square) as usize])
    }

    /// Where steps lead from a set.
    #[inline]
    pub(super) fn go(&self, strides: &[Stride], from: Bits<W>) -> Bits<W> {
        strides.iter().fold(Bits::EMPTY, |reached, stride| {
            reached.or(from.and(self.set(stride.mask)).moved(stride.distance))
        })
    }

    /// The same, square by square where that is faster.
    #[inline(never)]
    pub(super) fn walk(&self, strides: &[Stride], rows: u32, from: Bits<W>) -> Bits<W> {
        if !from.is_at_most(strides.len()) {
            return self.go(strides, from);
        }
        from.each().fold(Bits::EMPTY, |reached, square| reached.or(self.row(rows, square)))
    }

    /// Along the lines of a star from every square of a set, up to the first square that does not let pass.
    #[inline(never)]
    pub(super) fn along(&self, star: &Star, from: Bits<W>, through: Bits<W>) -> Bits<W> {
        let mut reached = if star.includes_start { from } else { Bits::EMPTY };
        let from = if star.includes_start { from.and(through) } else { from };
        if !from.is_at_most(FEW) {
            for line in &star.lines {
                reached = reached.or(self.go(
                    self.tables.strides(line.steps),
                    self.fill(line.steps, line.back, line.longest, from, through),
                ));
            }
            return reached;
        }
        for square in from.each() {
            for &rows in &star.ascending {
                let line = self.row(rows, square);
                reached = reached.or(line.up_to_lowest(line.without(through)));
            }
            for &rows in &star.descending {
                let line = self.row(rows, square);
                reached = reached.or(line.down_to_highest(line.without(through)));
            }
        }
        reached
    }

    /// The squares from which the lines of a star lead to a set.
    #[inline(never)]
    pub(super) fn along_back(&self, star: &Star, to: Bits<W>, through: Bits<W>) -> Bits<W> {
        star.lines.iter().fold(Bits::EMPTY, |starts, line| {
            let leads = self.fill(line.back, line.steps, line.longest, to, through);
            let back = || self.go(self.tables.strides(line.back), leads);
            starts.or(if star.includes_start { leads } else { back() })
        })
    }

    /// Goes on as long as steps lead to squares of a set. When all steps have one length, ever further at a time: twice as
    /// far each time. `reversed` are the same steps the other way.
    fn fill(
        &self,
        steps: (u32, u32),
        reversed: (u32, u32),
        longest: i32,
        from: Bits<W>,
        through: Bits<W>,
    ) -> Bits<W> {
        let mut reached = from;
        let (steps, reversed) = (self.tables.strides(steps), self.tables.strides(reversed));
        let (&[Stride { distance, .. }], &[Stride { mask, .. }]) = (steps, reversed) else {
            loop {
                let more = self.go(steps, reached).and(through).without(reached);
                if more.is_empty() {
                    return reached;
                }
                reached = reached.or(more);
            }
        };
        // Squares that can be entered from far away have others that far away: none is reached round the end.
        let mut enterable = through.and(self.set(mask));
        let mut far = 1;
        while far <= longest {
            reached = reached.or(reached.moved(far * distance).and(enterable));
            enterable = enterable.and(enterable.moved(far * distance));
            far *= 2;
        }
        reached
    }
}

/// From at most this many squares, lines are followed one by one.
const FEW: usize = 3;

/// The steps of a direction.
pub(super) fn direction_steps(
    automaton: &Automaton,
    direction: Direction,
) -> Vec<(Square, Square)> {
    let squares = automaton.board.squares.iter();
    squares.filter_map(|(from, info)| info.neighbours[direction].map(|to| (from, to))).collect()
}

/// The steps of a table.
pub(super) fn table_steps(automaton: &Automaton, table: Table) -> Vec<(Square, Square)> {
    let table = &automaton.tables[table];
    let squares = automaton.board.squares.keys();
    squares.flat_map(|from| table.targets(from).iter().map(move |&to| (from, to))).collect()
}

/// Steps the other way.
pub(super) fn reversed(pairs: &[(Square, Square)]) -> Vec<(Square, Square)> {
    pairs.iter().map(|&(from, to)| (to, from)).collect()
}

fn union(automaton: &Automaton, layout: &Layout, set: &PieceSet) -> Union {
    let all_but = set.len() * 2 > automaton.pieces.len();
    let pieces = automaton.pieces.keys().filter(|&piece| set.contains(piece) != all_but);
    Union { places: pieces.map(|piece| layout.set_at(piece) / 8).collect(), all_but }
}

fn to_words(squares: impl Iterator<Item = Square>, words: usize) -> Vec<u64> {
    let mut set = vec![0; words];
    for square in squares {
        set[square.index() / 64] |= 1 << (square.index() % 64);
    }
    set
}
