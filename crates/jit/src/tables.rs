//! What native code looks up: rows of sets, keys, coordinates, in one memory that does not move.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{
    Automaton, Direction, Id, IdVec, Node, Player, Register, Square, SquareSet, Table, Variable,
};
use regulus_engine::referee::Referee;
use regulus_engine::segment::Segments;

/// How large the rectangle of coordinates that can be jumped to may be.
const MAX_COORDINATES: i64 = 1 << 16;

/// Keys of variables with fewer values than this are looked up.
const MAX_KEYS: i32 = 1 << 10;

/// Constant memory for a game's code. Places are counted in words.
#[derive(Debug)]
pub(crate) struct Tables {
    memory: Box<[u64]>,
    /// For each table of the automaton, a row of targets for every square.
    walks: IdVec<Table, usize>,
    /// For each direction with steps of many lengths, the neighbour of every square.
    shifts: IdVec<Direction, Option<usize>>,
    /// For each ray, the line of every square.
    rays: Vec<usize>,
    /// For each square, the keys of the pieces.
    piece_keys: usize,
    /// For each node, the keys of who is in control there.
    place_keys: usize,
    /// For each variable without many values the keys of its values.
    variable_keys: IdVec<Variable, Option<usize>>,
    /// For each square the key of the cursor there.
    cursor_keys: usize,
    columns: usize,
    rows: usize,
    jumps: Option<Jumps>,
    /// On wide boards: for each table that leads to one square at most, each direction and each ray, one step from every
    /// square.
    walk_steps: IdVec<Table, Option<usize>>,
    shift_steps: IdVec<Direction, Option<usize>>,
    ray_steps: Vec<Option<usize>>,
    pub(crate) walk_strides: IdVec<Table, Vec<Stride>>,
    pub(crate) shift_strides: IdVec<Direction, Vec<Stride>>,
    /// The steps of rays.
    pub(crate) ray_strides: Vec<Vec<Stride>>,
}

/// A board whose sets take at least this many words is wide.
pub(crate) const WIDE: usize = 3;

/// In a table of steps, where there is none.
pub(crate) const NOWHERE: u16 = u16::MAX;

/// The squares from which a step leads by a certain distance.
#[derive(Clone, Debug)]
pub(crate) struct Stride {
    pub(crate) distance: i32,
    pub(crate) from: Vec<u64>,
    /// Present when from all other squares a step would land outside the board: a mask that cuts that off. Words of which
    /// nothing has to be cut off are full.
    pub(crate) after: Option<Vec<u64>>,
}

impl Stride {
    /// The squares that steps lead to.
    pub(crate) fn to(&self) -> Vec<u64> {
        self.reversed().from
    }

    /// The same steps backwards.
    pub(crate) fn reversed(&self) -> Stride {
        let to = members(&self.from).map(|square| Square((square as i32 + self.distance) as u32));
        Stride { distance: -self.distance, from: to_words(to, self.from.len()), after: None }
    }

    /// How many steps can be made one after the other before nothing new is reached.
    pub(crate) fn longest(&self) -> i32 {
        if self.distance == 0 {
            return 0;
        }
        let mut longest = 0;
        let mut standing: Vec<u32> = members(&self.from).collect();
        while !standing.is_empty() {
            longest += 1;
            let moved = standing.into_iter().map(|square| (square as i32 + self.distance) as u32);
            standing = moved.filter(|&s| self.from[s as usize / 64] >> (s % 64) & 1 == 1).collect();
        }
        longest
    }
}

fn members(words: &[u64]) -> impl Iterator<Item = u32> {
    let bits = 0..64 * words.len() as u32;
    bits.filter(|&bit| words[bit as usize / 64] >> (bit % 64) & 1 == 1)
}

/// The squares by their coordinates, less one where there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jumps {
    pub(crate) at: usize,
    pub(crate) first_column: i32,
    pub(crate) first_row: i32,
    pub(crate) columns: i32,
    pub(crate) rows: i32,
}

impl Tables {
    pub(crate) fn new(referee: &Referee, segments: &Segments, words: usize) -> Tables {
        let automaton = &*referee.automaton;
        let board = &automaton.board;
        let mut memory: Vec<u64> = Vec::new();
        let mut walks = IdVec::new();
        let mut walk_strides = IdVec::new();
        for table in automaton.tables.values() {
            walks.push(memory.len());
            let mut pairs = Vec::new();
            for square in board.squares.keys() {
                memory.extend(to_words(table.targets(square).iter().copied(), words));
                pairs.extend(table.targets(square).iter().map(|&to| (square, to)));
            }
            walk_strides.push(strides(&pairs, board.squares.len(), words));
        }
        let mut rays = Vec::new();
        let mut ray_strides = Vec::new();
        for ray in &segments.rays {
            rays.push(memory.len());
            let mut pairs = Vec::new();
            for (line, from) in ray.lines.iter().zip(board.squares.keys()) {
                memory.extend(to_words(line.iter().copied(), words));
                pairs.extend(line.first().map(|&to| (from, to)));
            }
            ray_strides.push(strides(&pairs, board.squares.len(), words));
        }
        let piece_keys = memory.len();
        for square in board.squares.keys() {
            let keys = automaton.pieces.keys().map(|piece| referee.zobrist.piece(square, piece));
            memory.extend(keys);
        }
        let place_keys = memory.len();
        for node in automaton.nodes.keys() {
            memory.push(referee.zobrist.place(node, None));
            let players = automaton.players.keys();
            memory.extend(players.map(|player| referee.zobrist.place(node, Some(player))));
        }
        let mut variable_keys = IdVec::new();
        for (variable, info) in automaton.variables.iter() {
            let is_small = info.bound < MAX_KEYS;
            variable_keys.push(is_small.then_some(memory.len()));
            if is_small {
                let key = |value| referee.zobrist.variable(variable, value);
                memory.extend((0..=info.bound).map(key));
            }
        }
        let cursor_keys = memory.len();
        let cursor = |square| referee.zobrist.register(Register::CURSOR, square);
        memory.extend(board.squares.keys().map(cursor));
        let columns = memory.len();
        memory.extend(board.squares.values().map(|info| i64::from(info.x) as u64));
        let rows = memory.len();
        memory.extend(board.squares.values().map(|info| i64::from(info.y) as u64));
        let jumps = jumps(automaton, &mut memory);
        let (mut shifts, mut shift_strides) = (IdVec::new(), IdVec::new());
        for direction in board.directions.keys() {
            let step = |square| board.neighbour(square, direction).map(|to| (square, to));
            let pairs: Vec<(Square, Square)> = board.squares.keys().filter_map(step).collect();
            let strides = strides(&pairs, board.squares.len(), words);
            let is_uneven = strides.len() > 4;
            shifts.push(is_uneven.then_some(memory.len()));
            if is_uneven {
                for square in board.squares.keys() {
                    let neighbour = board.neighbour(square, direction);
                    memory.extend(to_words(neighbour.into_iter(), words));
                }
            }
            shift_strides.push(strides);
        }
        let mut walk_steps = IdVec::new();
        for table in automaton.tables.values() {
            let steps = board.squares.keys().map(|square| match table.targets(square) {
                [] => Some(None),
                [only] => Some(Some(*only)),
                _ => None,
            });
            let steps = steps.collect::<Option<Vec<_>>>().filter(|_| words >= WIDE);
            walk_steps.push(steps.map(|steps| add_steps(&steps, &mut memory)));
        }
        let mut shift_steps = IdVec::new();
        for direction in board.directions.keys() {
            let steps = board.squares.keys().map(|square| board.neighbour(square, direction));
            let steps: Vec<_> = steps.collect();
            shift_steps.push((words >= WIDE).then(|| add_steps(&steps, &mut memory)));
        }
        let ray_steps = segments.rays.iter().map(|ray| {
            let steps: Vec<_> = ray.lines.iter().map(|line| line.first().copied()).collect();
            (words >= WIDE).then(|| add_steps(&steps, &mut memory))
        });
        let ray_steps = ray_steps.collect();
        Tables {
            walk_steps,
            shift_steps,
            ray_steps,
            shifts,
            shift_strides,
            memory: memory.into(),
            walks,
            rays,
            piece_keys,
            place_keys,
            variable_keys,
            cursor_keys,
            columns,
            rows,
            jumps,
            walk_strides,
            ray_strides,
        }
    }

    /// The address of a place, to be put into code.
    fn address(&self, word: usize) -> i64 {
        self.memory[word..].as_ptr() as i64
    }

    pub(crate) fn walk(&self, table: Table) -> i64 {
        self.address(self.walks[table])
    }

    pub(crate) fn shift(&self, direction: Direction) -> Option<i64> {
        self.shifts[direction].map(|at| self.address(at))
    }

    /// The address of one step by a table from every square; `None` if it leads to several, or the board is not wide.
    pub(crate) fn next_of_walk(&self, table: Table) -> Option<i64> {
        self.walk_steps[table].map(|at| self.address(at))
    }

    /// The same for a direction.
    pub(crate) fn next_of_shift(&self, direction: Direction) -> Option<i64> {
        self.shift_steps[direction].map(|at| self.address(at))
    }

    /// The same for a ray.
    pub(crate) fn next_of_ray(&self, ray: u32) -> Option<i64> {
        self.ray_steps[ray as usize].map(|at| self.address(at))
    }

    pub(crate) fn ray(&self, ray: u32) -> i64 {
        self.address(self.rays[ray as usize])
    }

    pub(crate) fn piece_keys(&self) -> i64 {
        self.address(self.piece_keys)
    }

    pub(crate) fn place_keys(&self) -> i64 {
        self.address(self.place_keys)
    }

    pub(crate) fn place_key(&self, players: usize, node: Node, mover: Option<Player>) -> u64 {
        let mover = mover.map_or(0, |player| player.index() + 1);
        self.memory[self.place_keys + node.index() * (players + 1) + mover]
    }

    pub(crate) fn variable_keys(&self, variable: Variable) -> Option<i64> {
        self.variable_keys[variable].map(|at| self.address(at))
    }

    pub(crate) fn cursor_keys(&self) -> i64 {
        self.address(self.cursor_keys)
    }

    pub(crate) fn columns(&self) -> i64 {
        self.address(self.columns)
    }

    pub(crate) fn rows(&self) -> i64 {
        self.address(self.rows)
    }

    /// The squares by coordinates, with the address of the first; `None` if there are too many coordinates.
    pub(crate) fn jumps(&self) -> Option<(Jumps, i64)> {
        self.jumps.map(|jumps| (jumps, self.address(jumps.at)))
    }
}

/// Adds a table of steps: four in a word, in the order of memory.
fn add_steps(steps: &[Option<Square>], memory: &mut Vec<u64>) -> usize {
    let at = memory.len();
    for steps in steps.chunks(4) {
        let mut bytes = [u8::MAX; 8];
        for (place, step) in bytes.chunks_exact_mut(2).zip(steps) {
            let step = step.map_or(NOWHERE, |square| square.0 as u16);
            place.copy_from_slice(&step.to_ne_bytes());
        }
        memory.push(u64::from_ne_bytes(bytes));
    }
    at
}

fn jumps(automaton: &Automaton, memory: &mut Vec<u64>) -> Option<Jumps> {
    let squares = &automaton.board.squares;
    let xs = squares.values().map(|info| info.x);
    let ys = squares.values().map(|info| info.y);
    let (first_column, first_row) = (xs.clone().min()?, ys.clone().min()?);
    let columns = i64::from(xs.max()?) - i64::from(first_column) + 1;
    let rows = i64::from(ys.max()?) - i64::from(first_row) + 1;
    if columns.checked_mul(rows)? > MAX_COORDINATES {
        return None;
    }
    let at = memory.len();
    for y in 0..rows as i32 {
        for x in 0..columns as i32 {
            let square = automaton.board.square_at(first_column + x, first_row + y);
            memory.push(square.map_or(u64::MAX, |square| u64::from(square.0)));
        }
    }
    Some(Jumps { at, first_column, first_row, columns: columns as i32, rows: rows as i32 })
}

/// The mask that cuts off steps from squares where none is made, when they all land outside the board.
fn cut_off(distance: i32, from: &[Square], squares: usize, words: usize) -> Option<Vec<u64>> {
    let all: BTreeSet<usize> = from.iter().map(|square| square.index()).collect();
    let lands_outside = |square: usize| {
        let to = square as i64 + i64::from(distance);
        to < 0 || to >= squares as i64
    };
    (0..squares).all(|square| all.contains(&square) || lands_outside(square)).then(|| {
        let word = |at: usize| match squares.saturating_sub(64 * at) {
            // Below the board nothing is left over, above it only in the last word.
            left if distance < 0 || left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        };
        (0..words).map(word).collect()
    })
}

fn strides(pairs: &[(Square, Square)], squares: usize, words: usize) -> Vec<Stride> {
    let mut squares_of: BTreeMap<i32, Vec<Square>> = BTreeMap::new();
    for (from, to) in pairs {
        squares_of.entry(to.0 as i32 - from.0 as i32).or_default().push(*from);
    }
    let stride = |(distance, from): (i32, Vec<Square>)| Stride {
        distance,
        after: cut_off(distance, &from, squares, words),
        from: to_words(from.into_iter(), words),
    };
    squares_of.into_iter().map(stride).collect()
}

pub(crate) fn to_words(squares: impl Iterator<Item = Square>, words: usize) -> Vec<u64> {
    let mut set = vec![0; words];
    for square in squares {
        set[square.index() / 64] |= 1 << (square.index() % 64);
    }
    set
}

pub(crate) fn set_words(set: &SquareSet, words: usize) -> Vec<u64> {
    to_words(set.iter(), words)
}
