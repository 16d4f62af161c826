//! What the segment program needs to know of the board, as sets of the width the board has.

use std::collections::BTreeMap;

use regulus_automaton::{Automaton, Direction, Id, IdVec, PieceSet, Square, SquareInfo, SquareSet};

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
    walk_sets: Vec<Strides>,
    walks_back: Vec<Strides>,
    shifts: IdVec<Direction, Strides>,
    shifts_back: IdVec<Direction, Strides>,
    rays: Vec<u64>,
    pub(super) ray_ascends: Vec<bool>,
    ray_steps_back: Vec<Strides>,
    ray_steps: Vec<Strides>,
    ray_lengths: Vec<i32>,
    squares: usize,
}

/// A set of pieces: those whose squares are at these places of a state, or all but those.
#[derive(Debug)]
struct Union {
    /// The first place is by itself, because most sets are of one piece.
    first: Option<usize>,
    others: Box<[usize]>,
    all_but: bool,
}

/// Where whole sets go: for each distance, the squares from which something is that far away.
#[derive(Debug)]
struct Strides {
    distances: Vec<i32>,
    from: Vec<u64>,
}

impl Tables {
    pub(super) fn new(
        automaton: &Automaton,
        layout: &Layout,
        segments: &Segments,
        words: usize,
    ) -> Tables {
        let board = &automaton.board;
        let mut tables = Tables {
            unions: segments.piece_sets.iter().map(|set| union(automaton, layout, set)).collect(),
            square_sets: Vec::new(),
            all_squares: to_words(board.squares.keys(), words),
            walks: Vec::new(),
            walk_sets: Vec::new(),
            walks_back: Vec::new(),
            shifts: IdVec::new(),
            shifts_back: IdVec::new(),
            rays: Vec::new(),
            ray_ascends: segments.rays.iter().map(|ray| ray.ascends).collect(),
            ray_steps_back: Vec::new(),
            ray_steps: Vec::new(),
            ray_lengths: Vec::new(),
            squares: board.squares.len(),
        };
        for set in &segments.square_sets {
            tables.square_sets.extend(to_words(SquareSet::iter(set), words));
        }
        for table in automaton.tables.values() {
            let mut pairs = Vec::new();
            for square in board.squares.keys() {
                let targets = table.targets(square);
                tables.walks.extend(to_words(targets.iter().copied(), words));
                pairs.extend(targets.iter().map(|&target| (square, target)));
            }
            tables.walk_sets.push(Strides::new(pairs.iter().copied(), words));
            tables.walks_back.push(Strides::new(pairs.iter().map(|&(a, b)| (b, a)), words));
        }
        for ray in &segments.rays {
            for line in &ray.lines {
                tables.rays.extend(to_words(line.iter().copied(), words));
            }
            let steps = ray.lines.iter().zip(board.squares.keys());
            let steps = steps.filter_map(|(line, from)| line.first().map(|&to| (from, to)));
            let steps: Vec<(Square, Square)> = steps.collect();
            tables.ray_steps.push(Strides::new(steps.iter().copied(), words));
            tables.ray_steps_back.push(Strides::new(steps.iter().map(|&(a, b)| (b, a)), words));
            let longest = ray.lines.iter().map(Vec::len).max();
            tables.ray_lengths.push(longest.unwrap_or(0) as i32);
        }
        for direction in board.directions.keys() {
            let step = |(square, info): (Square, &SquareInfo)| {
                info.neighbours[direction].map(|target| (square, target))
            };
            let pairs: Vec<(Square, Square)> = board.squares.iter().filter_map(step).collect();
            tables.shifts.push(Strides::new(pairs.iter().copied(), words));
            tables.shifts_back.push(Strides::new(pairs.iter().map(|&(a, b)| (b, a)), words));
        }
        tables
    }

    /// The squares with a piece of this set.
    #[inline]
    pub(super) fn on<const W: usize>(&self, state: &State, set: u32) -> Bits<W> {
        let union = &self.unions[set as usize];
        let words = state.words();
        let mut squares = union.first.map_or(Bits::EMPTY, |at| Bits::load(&words[at..]));
        for &at in &union.others {
            squares = squares.or(Bits::load(&words[at..]));
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

    /// The squares that one step of a ray leads to from a set.
    #[inline]
    pub(super) fn ray_step<const W: usize>(&self, ray: u32, from: Bits<W>) -> Bits<W> {
        self.ray_steps[ray as usize].go(from)
    }

    /// The squares from which one step of a ray leads into a set.
    #[inline]
    pub(super) fn ray_back<const W: usize>(&self, ray: u32, to: Bits<W>) -> Bits<W> {
        self.ray_steps_back[ray as usize].go(to)
    }

    /// A set and the squares that steps of a ray lead to from it over squares of another.
    #[inline]
    pub(super) fn ray_fill<const W: usize>(
        &self,
        ray: u32,
        from: Bits<W>,
        through: Bits<W>,
    ) -> Bits<W> {
        let (steps, back) = (&self.ray_steps[ray as usize], &self.ray_steps_back[ray as usize]);
        steps.fill(back, self.ray_lengths[ray as usize], from, through)
    }

    /// A set and the squares over which steps of a ray lead into it, all of them squares of another.
    #[inline]
    pub(super) fn ray_fill_back<const W: usize>(
        &self,
        ray: u32,
        to: Bits<W>,
        through: Bits<W>,
    ) -> Bits<W> {
        let (steps, back) = (&self.ray_steps[ray as usize], &self.ray_steps_back[ray as usize]);
        back.fill(steps, self.ray_lengths[ray as usize], to, through)
    }

    #[inline]
    pub(super) fn all_squares<const W: usize>(&self) -> Bits<W> {
        Bits::load(&self.all_squares)
    }

    #[inline]
    pub(super) fn shift<const W: usize>(&self, direction: Direction, from: Bits<W>) -> Bits<W> {
        self.shifts[direction].go(from)
    }

    #[inline]
    pub(super) fn shift_back<const W: usize>(&self, direction: Direction, to: Bits<W>) -> Bits<W> {
        self.shifts_back[direction].go(to)
    }

    /// Where a table leads from any square of a set.
    #[inline]
    pub(super) fn walk_set<const W: usize>(&self, table: u32, from: Bits<W>) -> Bits<W> {
        let strides = &self.walk_sets[table as usize];
        if !from.is_at_most(strides.distances.len() / 2) {
            return strides.go(from);
        }
        from.each().fold(Bits::EMPTY, |set, square| set.or(self.walk(table, square)))
    }

    /// All squares from which a table leads into a set.
    #[inline]
    pub(super) fn walk_back<const W: usize>(&self, table: u32, to: Bits<W>) -> Bits<W> {
        self.walks_back[table as usize].go(to)
    }
}

impl Strides {
    fn new(pairs: impl Iterator<Item = (Square, Square)>, words: usize) -> Strides {
        let mut squares_of: BTreeMap<i32, Vec<Square>> = BTreeMap::new();
        for (from, to) in pairs {
            squares_of.entry(to.0 as i32 - from.0 as i32).or_default().push(from);
        }
        let from = squares_of.values().flat_map(|from| to_words(from.iter().copied(), words));
        Strides { from: from.collect(), distances: squares_of.into_keys().collect() }
    }

    /// Goes on as long as steps lead to squares of a set. When all steps have one length, ever further at a time: twice as
    /// far each time. `reversed` are the same steps the other way.
    #[inline]
    fn fill<const W: usize>(
        &self,
        reversed: &Strides,
        longest: i32,
        from: Bits<W>,
        through: Bits<W>,
    ) -> Bits<W> {
        let mut reached = from;
        let &[distance] = self.distances.as_slice() else {
            loop {
                let more = self.go(reached).and(through).without(reached);
                if more.is_empty() {
                    return reached;
                }
                reached = reached.or(more);
            }
        };
        let mut enterable = through.and(Bits::load(&reversed.from));
        let mut far = 1;
        while far <= longest {
            reached = reached.or(reached.shifted(far * distance).and(enterable));
            enterable = enterable.and(enterable.shifted(far * distance));
            far *= 2;
        }
        reached
    }

    #[inline]
    fn go<const W: usize>(&self, set: Bits<W>) -> Bits<W> {
        let mut reached = Bits::EMPTY;
        for (&distance, from) in self.distances.iter().zip(self.from.chunks_exact(W)) {
            reached = reached.or(set.and(Bits::load(from)).shifted(distance));
        }
        reached
    }
}

fn union(automaton: &Automaton, layout: &Layout, set: &PieceSet) -> Union {
    let all_but = set.len() * 2 > automaton.pieces.len();
    let pieces = automaton.pieces.keys().filter(|&piece| set.contains(piece) != all_but);
    let mut places = pieces.map(|piece| layout.set_at(piece) / 8);
    Union { first: places.next(), others: places.collect(), all_but }
}

fn to_words(squares: impl Iterator<Item = Square>, words: usize) -> Vec<u64> {
    let mut set = vec![0; words];
    for square in squares {
        set[square.index() / 64] |= 1 << (square.index() % 64);
    }
    set
}
