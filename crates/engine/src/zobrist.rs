//! Incremental 64-bit fingerprints: the sum (exclusive or) of one key for every fact of a state.

use regulus_automaton::{Automaton, Id, Node, Piece, Player, Register, Square, Variable};

use crate::splitmix::mix;
use crate::state::{Layout, State};

/// The keys of one game. They depend on nothing but the numbers of the facts, so equal games give equal fingerprints.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Rules as _, Walk};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let rules = Walk::new(automaton);
/// let state = rules.initial(&mut rules.scratch())?;
/// assert_eq!(rules.zobrist().fresh_hash(&state, rules.layout()), state.fingerprint());
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Zobrist {
    pieces: usize,
    piece_keys: Vec<u64>,
    squares: usize,
    variables: usize,
    registers: usize,
    movers: usize,
    // The keys of places and registers, and what those of variables are made of, computed once.
    place_keys: Vec<u64>,
    register_keys: Vec<u64>,
    variable_seeds: Vec<u64>,
}

impl Zobrist {
    /// The keys of a game.
    #[must_use]
    pub fn new(automaton: &Automaton) -> Zobrist {
        let (pieces, squares) = (automaton.pieces.len(), automaton.board.squares.len());
        let piece_keys = (0..squares * pieces).map(|fact| key(PIECE, fact as u64, 1)).collect();
        let (variables, registers) = (automaton.variables.len(), automaton.registers.len());
        let (nodes, movers) = (automaton.nodes.len() as u64, automaton.players.len() as u64 + 1);
        let places = (0..nodes).flat_map(|node| (0..movers).map(move |mover| (node, mover)));
        let places = places.map(|(node, mover)| key(PLACE, node, mover));
        let squares_of = |register| (0..squares as u64).map(move |square| (register, square));
        let remembered = (0..registers as u64).flat_map(squares_of);
        Zobrist {
            pieces,
            piece_keys,
            squares,
            variables,
            registers,
            movers: movers as usize,
            place_keys: places.collect(),
            register_keys: remembered.map(|(r, square)| key(REGISTER, r, square)).collect(),
            variable_seeds: (0..variables as u64).map(|v| mix(VARIABLE << 56 ^ v)).collect(),
        }
    }

    /// A piece on a square.
    #[must_use]
    #[inline]
    pub fn piece(&self, square: Square, piece: Piece) -> u64 {
        self.piece_keys[square.index() * self.pieces + piece.index()]
    }

    /// A variable's value.
    #[must_use]
    #[inline]
    pub fn variable(&self, variable: Variable, value: i32) -> u64 {
        mix(self.variable_seeds[variable.index()].wrapping_add(value as u64))
    }

    /// A remembered square.
    #[must_use]
    #[inline]
    pub fn register(&self, register: Register, square: Square) -> u64 {
        self.register_keys[register.index() * self.squares + square.index()]
    }

    /// The node and who is in control there.
    #[must_use]
    #[inline]
    pub fn place(&self, node: Node, mover: Option<Player>) -> u64 {
        let mover = mover.map_or(0, |player| player.index() + 1);
        self.place_keys[node.index() * self.movers + mover]
    }

    /// What a variable's keys are made of: the key of a value is [`mix`] of the sum.
    #[must_use]
    pub fn variable_seed(&self, variable: Variable) -> u64 {
        self.variable_seeds[variable.index()]
    }

    /// What a register's keys are made of.
    #[must_use]
    pub fn register_seed(&self, register: Register) -> u64 {
        mix(REGISTER << 56 ^ u64::from(register.0))
    }

    /// The fingerprint computed from nothing; what the incremental one must equal.
    #[must_use]
    pub fn fresh_hash(&self, state: &State, layout: &Layout) -> u64 {
        let squares = (0..self.squares).map(Square::from_index);
        let variables = (0..self.variables).map(Variable::from_index);
        let registers = (0..self.registers).map(Register::from_index);
        let mut hash = self.place(state.node(layout), state.mover(layout));
        hash ^= squares.fold(0, |sum, square| sum ^ self.piece(square, state.piece(square)));
        hash ^= variables.fold(0, |sum, v| sum ^ self.variable(v, state.variable(layout, v)));
        registers.fold(hash, |sum, r| sum ^ self.register(r, state.register(layout, r)))
    }
}

const PIECE: u64 = 1;
const VARIABLE: u64 = 2;
const REGISTER: u64 = 3;
const PLACE: u64 = 4;

/// A well-mixed number for a fact: two rounds of SplitMix64.
#[inline]
fn key(kind: u64, index: u64, value: u64) -> u64 {
    mix(mix(kind << 56 ^ index).wrapping_add(value))
}
