//! A position of a game as flat bytes, and their layout.
//!
//! The size is fixed when the game is loaded: copying is a memory copy, comparing and hashing work on bytes. In order:
//! one byte for each square's piece, the variables (4 bytes each), the counts of the pieces whose number the rules
//! ask for (2 bytes each, derived from the squares), the registers (2 bytes each; the cursor first), the node
//! (4 bytes), the player in control (1 byte: 0 for the keeper).

use std::hash::{Hash, Hasher};

use regulus_automaton::{
    Action, Automaton, Expression, Id, IdVec, Node, Piece, Player, Register, Square, Variable,
};

use crate::zobrist::Zobrist;

/// Where everything is in the bytes of a state.
#[derive(Clone, Debug)]
pub struct Layout {
    squares: usize,
    variables: usize,
    counts: usize,
    registers: usize,
    node: usize,
    mover: usize,
    size: usize,
    counted: IdVec<Piece, Option<u16>>,
}

impl Layout {
    /// The layout for this game's states.
    #[must_use]
    pub fn new(automaton: &Automaton) -> Layout {
        let counted = counted_pieces(automaton);
        let squares = automaton.board.squares.len();
        let variables = squares;
        let counts = variables + 4 * automaton.variables.len();
        let registers = counts + 2 * counted.values().flatten().count();
        let node = registers + 2 * automaton.registers.len();
        let mover = node + 4;
        Layout { squares, variables, counts, registers, node, mover, size: mover + 1, counted }
    }

    /// How many bytes a state takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

/// Numbers the pieces that some expression counts.
fn counted_pieces(automaton: &Automaton) -> IdVec<Piece, Option<u16>> {
    let mut mentioned = IdVec::filled(false, automaton.pieces.len());
    let mut mention = |expression: &Expression| {
        expression.visit(&mut |part| {
            if let Expression::Count(piece) = part {
                mentioned[*piece] = true;
            }
        });
    };
    for (_, edge) in automaton.edges() {
        match &edge.action {
            Action::Compare(left, _, right) | Action::Jump(left, right) => {
                mention(left);
                mention(right);
            }
            Action::Assign(_, value) => mention(value),
            _ => {}
        }
    }
    let mut next = 0;
    mentioned
        .values()
        .map(|&mentioned| {
            mentioned.then(|| {
                next += 1;
                next - 1
            })
        })
        .collect()
}

/// A position: who holds what, every variable, who is in control and where in the rules.
///
/// Two states of one game are equal exactly when their bytes are. Obtained from [`crate::Rules::initial`].
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    bytes: Box<[u8]>,
    hash: u64,
}

impl Clone for State {
    fn clone(&self) -> State {
        State { bytes: self.bytes.clone(), hash: self.hash }
    }

    /// Copies without allocating.
    fn clone_from(&mut self, source: &State) {
        self.bytes.clone_from(&source.bytes);
        self.hash = source.hash;
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

impl State {
    /// The position before the keeper's first step.
    pub(crate) fn before_start(automaton: &Automaton, layout: &Layout, zobrist: &Zobrist) -> State {
        let mut state = State { bytes: vec![0; layout.size].into(), hash: 0 };
        for (square, info) in automaton.board.squares.iter() {
            state.bytes[square.index()] = info.piece.0 as u8;
            if let Some(count) = layout.counted[info.piece] {
                add_count(&mut state.bytes, layout, count, 1);
            }
        }
        state.set_node(layout, automaton.start);
        state.hash = zobrist.fresh_hash(&state, layout);
        state
    }

    /// The bytes, laid out as [`Layout`] says.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A 64-bit fingerprint: equal for equal states, kept incrementally.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.hash
    }

    /// The piece on a square.
    #[must_use]
    #[inline]
    pub fn piece(&self, square: Square) -> Piece {
        Piece(u32::from(self.bytes[square.index()]))
    }

    /// The value of a variable.
    #[must_use]
    #[inline]
    pub fn variable(&self, layout: &Layout, variable: Variable) -> i32 {
        let at = layout.variables + 4 * variable.index();
        i32::from_le_bytes(self.bytes[at..at + 4].try_into().expect("four bytes"))
    }

    /// How many squares hold this piece.
    #[must_use]
    pub fn count(&self, layout: &Layout, piece: Piece) -> usize {
        match layout.counted[piece] {
            Some(count) => {
                usize::from(read_u16(&self.bytes, layout.counts + 2 * usize::from(count)))
            }
            None => {
                self.bytes[..layout.squares].iter().filter(|&&p| u32::from(p) == piece.0).count()
            }
        }
    }

    /// The square a register remembers.
    #[must_use]
    #[inline]
    pub fn register(&self, layout: &Layout, register: Register) -> Square {
        Square(u32::from(read_u16(&self.bytes, layout.registers + 2 * register.index())))
    }

    /// Where in the rules the position is.
    #[must_use]
    #[inline]
    pub fn node(&self, layout: &Layout) -> Node {
        Node(u32::from_le_bytes(
            self.bytes[layout.node..layout.node + 4].try_into().expect("four bytes"),
        ))
    }

    /// Who is in control; nobody when it is the keeper.
    #[must_use]
    #[inline]
    pub fn mover(&self, layout: &Layout) -> Option<Player> {
        let mover = self.bytes[layout.mover];
        (mover > 0).then(|| Player(u32::from(mover) - 1))
    }

    /// Overwrites with another state of the same game.
    #[inline]
    pub(crate) fn copy_from(&mut self, source: &State) {
        self.bytes.copy_from_slice(&source.bytes);
        self.hash = source.hash;
    }

    pub(crate) fn copy_from_bytes(&mut self, bytes: &[u8], hash: u64) {
        self.bytes.copy_from_slice(bytes);
        self.hash = hash;
    }

    // The setters leave the hash alone: a search undoes what it writes and never asks for it. Whoever keeps what was
    // written adds the difference with `change_hash`.

    #[inline]
    pub(crate) fn set_piece(&mut self, layout: &Layout, square: Square, piece: Piece) {
        let old = std::mem::replace(&mut self.bytes[square.index()], piece.0 as u8);
        if let Some(count) = layout.counted[Piece(u32::from(old))] {
            add_count(&mut self.bytes, layout, count, u16::MAX);
        }
        if let Some(count) = layout.counted[piece] {
            add_count(&mut self.bytes, layout, count, 1);
        }
    }

    #[inline]
    pub(crate) fn set_variable(&mut self, layout: &Layout, variable: Variable, value: i32) {
        let at = layout.variables + 4 * variable.index();
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    #[inline]
    pub(crate) fn set_register(&mut self, layout: &Layout, register: Register, square: Square) {
        let at = layout.registers + 2 * register.index();
        self.bytes[at..at + 2].copy_from_slice(&(square.0 as u16).to_le_bytes());
    }

    #[inline]
    pub(crate) fn set_node(&mut self, layout: &Layout, node: Node) {
        self.bytes[layout.node..layout.node + 4].copy_from_slice(&node.0.to_le_bytes());
    }

    #[inline]
    pub(crate) fn set_mover(&mut self, layout: &Layout, mover: Option<Player>) {
        self.bytes[layout.mover] = mover.map_or(0, |player| player.0 as u8 + 1);
    }

    #[inline]
    pub(crate) fn change_hash(&mut self, difference: u64) {
        self.hash ^= difference;
    }
}

#[inline]
fn read_u16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

/// Adds to a count, `u16::MAX` being minus one.
#[inline]
fn add_count(bytes: &mut [u8], layout: &Layout, count: u16, difference: u16) {
    let at = layout.counts + 2 * usize::from(count);
    let value = read_u16(bytes, at).wrapping_add(difference);
    bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

/// Earlier positions, to be returned to in reverse order.
///
/// Undoing restores a copy: nothing that happened in between, the keeper's work included, can be left over.
#[derive(Clone, Debug, Default)]
pub struct UndoStack {
    bytes: Vec<u8>,
    hashes: Vec<u64>,
}

impl UndoStack {
    /// Nothing to return to.
    #[must_use]
    pub fn new() -> UndoStack {
        UndoStack::default()
    }

    /// How many positions can be returned to.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is nothing to return to.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Remembers the position.
    pub fn save(&mut self, state: &State) {
        self.bytes.extend_from_slice(&state.bytes);
        self.hashes.push(state.hash);
    }

    /// Returns to the position saved last; says whether there was one.
    pub fn undo(&mut self, state: &mut State) -> bool {
        let Some(hash) = self.hashes.pop() else { return false };
        let at = self.bytes.len() - state.bytes.len();
        state.copy_from_bytes(&self.bytes[at..], hash);
        self.bytes.truncate(at);
        true
    }
}
