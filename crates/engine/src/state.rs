//! A position of a game as flat memory, and its layout.
//!
//! The size is fixed when the game is loaded: copying is a memory copy, comparing and hashing work on bytes. In order:
//! one byte for each square's piece, the variables (4 bytes each), the registers (2 bytes each; the cursor first), the
//! node (4 bytes), the player in control (1 byte: 0 for the keeper); then, aligned, for each piece the set of squares
//! it stands on. The sets say again what the first bytes say; they are kept because asking them is fast.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use regulus_automaton::{Automaton, Id, Node, Piece, Player, Register, Square, Variable};

use crate::zobrist::Zobrist;

/// Where everything is in the memory of a state.
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
/// assert_eq!(state.bytes().len(), rules.layout().size());
/// assert_eq!(state.shape(), rules.layout().shape());
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    variables: usize,
    registers: usize,
    node: usize,
    mover: usize,
    /// Where the sets of squares begin, in words of 8 bytes.
    sets: usize,
    /// How many words a set of squares takes.
    set_words: usize,
    words: usize,
    shape: u64,
    // Keeps the number alive.
    _extents: Arc<Extents>,
}

/// What states of a game can hold, with a number of its own: games alive at the same time have the same number exactly if
/// their states can hold the same.
#[derive(Debug)]
struct Extents {
    number: u64,
    /// How many squares, pieces, registers, nodes and players there are, and the bounds of the variables.
    counts: Vec<u64>,
}

/// The shapes of all games that are alive, by their counts, and the next number. Numbers are never used again.
#[derive(Debug)]
struct Shapes {
    known: BTreeMap<Vec<u64>, Weak<Extents>>,
    next: u64,
}

static SHAPES: Mutex<Shapes> = Mutex::new(Shapes { known: BTreeMap::new(), next: 1 });

impl Extents {
    fn of(automaton: &Automaton) -> Arc<Extents> {
        let counts = [
            automaton.board.squares.len(),
            automaton.pieces.len(),
            automaton.registers.len(),
            automaton.nodes.len(),
            automaton.players.len(),
        ];
        let bounds = automaton.variables.values().map(|variable| variable.bound as u64);
        let counts: Vec<u64> = counts.iter().map(|&count| count as u64).chain(bounds).collect();
        let mut shapes = SHAPES.lock().unwrap_or_else(PoisonError::into_inner);
        let Shapes { known, next } = &mut *shapes;
        if let Some(shape) = known.get(&counts).and_then(Weak::upgrade) {
            return shape;
        }
        let shape = Arc::new(Extents { number: *next, counts: counts.clone() });
        *next += 1;
        known.insert(counts, Arc::downgrade(&shape));
        shape
    }
}

impl Drop for Extents {
    fn drop(&mut self) {
        let mut shapes = SHAPES.lock().unwrap_or_else(PoisonError::into_inner);
        // Another game may have entered the same counts anew in the meantime.
        if shapes.known.get(&self.counts).is_some_and(|shape| shape.strong_count() == 0) {
            shapes.known.remove(&self.counts);
        }
    }
}

impl Layout {
    /// The layout for this game's states.
    #[must_use]
    pub fn new(automaton: &Automaton) -> Layout {
        let squares = automaton.board.squares.len();
        let registers = squares + 4 * automaton.variables.len();
        let node = registers + 2 * automaton.registers.len();
        let mover = node + 4;
        let sets = (mover + 1).div_ceil(8);
        let set_words = set_words(squares);
        let words = sets + set_words * automaton.pieces.len();
        let extents = Extents::of(automaton);
        let shape = extents.number;
        Layout {
            variables: squares,
            registers,
            node,
            mover,
            sets,
            set_words,
            words,
            shape,
            _extents: extents,
        }
    }

    /// How many bytes a state takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.words * 8
    }

    /// A number for what states of a game can hold: the same for two games, among those alive, exactly if they have the same
    /// numbers of squares, pieces, registers, nodes and players, and variables with the same bounds. A state of one can then
    /// be given to the other without leaving any bounds.
    #[must_use]
    #[inline]
    pub fn shape(&self) -> u64 {
        self.shape
    }

    /// How many words hold everything but the sets of squares, which follow from it.
    pub(crate) fn position_words(&self) -> usize {
        self.sets
    }

    /// Where a variable's four bytes begin.
    #[must_use]
    pub fn variable_at(&self, variable: Variable) -> usize {
        self.variables + 4 * variable.index()
    }

    /// Where a register's two bytes begin.
    #[must_use]
    pub fn register_at(&self, register: Register) -> usize {
        self.registers + 2 * register.index()
    }

    /// Where the four bytes of the node begin.
    #[must_use]
    pub fn node_at(&self) -> usize {
        self.node
    }

    /// Where the byte of the player in control is.
    #[must_use]
    pub fn mover_at(&self) -> usize {
        self.mover
    }

    /// Where the bytes of a piece's set of squares begin.
    #[must_use]
    pub fn set_at(&self, piece: Piece) -> usize {
        self.set(piece).start * 8
    }

    /// How many words a set of squares takes.
    #[must_use]
    pub fn set_words(&self) -> usize {
        self.set_words
    }

    /// The words that hold the squares of a piece.
    #[inline]
    fn set(&self, piece: Piece) -> std::ops::Range<usize> {
        let start = self.sets + piece.index() * self.set_words;
        start..start + self.set_words
    }
}

/// How many words a set of squares takes: for boards of up to 512 squares a power of two, for which there is faster code.
fn set_words(squares: usize) -> usize {
    let words = squares.div_ceil(64);
    if words <= 8 { words.next_power_of_two() } else { words }
}

/// A position: who holds what, every variable, who is in control and where in the rules.
///
/// Two states of one game are equal exactly when their bytes are. Obtained from [`crate::Rules::initial`].
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Piece, Square};
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
/// let mut scratch = rules.scratch();
/// let first = rules.initial(&mut scratch)?;
/// let (mut state, mut history) = (first.clone(), rules.history(&first));
/// rules.play_chosen(&mut state, &mut history, &mut scratch, &mut |_| 1)?;
/// assert_eq!(state.piece(Square(1)), Piece(1));
/// assert_ne!(state.fingerprint(), first.fingerprint());
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    words: Box<[u64]>,
    hash: u64,
    shape: u64,
}

impl Clone for State {
    fn clone(&self) -> State {
        State { words: self.words.clone(), hash: self.hash, shape: self.shape }
    }

    /// Copies, without allocating if both are states of one game.
    fn clone_from(&mut self, source: &State) {
        self.copy_from(source);
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
        let mut state =
            State { words: vec![0; layout.words].into(), hash: 0, shape: layout.shape() };
        for (square, info) in automaton.board.squares.iter() {
            state.bytes_mut()[square.index()] = info.piece.0 as u8;
            state.words[layout.set(info.piece)][square.index() / 64] |= 1 << (square.index() % 64);
        }
        state.set_node(layout, automaton.start);
        state.hash = zobrist.fresh_hash(&state, layout);
        state
    }

    /// The bytes, laid out as [`Layout`] says.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.words)
    }

    #[inline]
    fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.words)
    }

    /// The [`Layout::shape`] of its game.
    #[must_use]
    #[inline]
    pub fn shape(&self) -> u64 {
        self.shape
    }

    /// The memory, for native code that keeps its invariants: all indices within the bounds of the layout, and the sets of
    /// squares in agreement with the squares' pieces. Writing through the pointer is up to unsafe code.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut u64 {
        self.words.as_mut_ptr()
    }

    /// How many words the memory has.
    #[must_use]
    #[inline]
    pub fn word_count(&self) -> usize {
        self.words.len()
    }

    /// Replaces the fingerprint, for engines that keep it by themselves.
    #[inline]
    pub fn set_fingerprint(&mut self, fingerprint: u64) {
        self.hash = fingerprint;
    }

    /// A 64-bit fingerprint: equal for equal states, kept incrementally.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.hash
    }

    /// The memory, in words.
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The piece on a square.
    #[must_use]
    #[inline]
    pub fn piece(&self, square: Square) -> Piece {
        Piece(u32::from(self.bytes()[square.index()]))
    }

    /// The squares a piece stands on, as bits.
    #[must_use]
    #[inline]
    pub fn squares_of(&self, layout: &Layout, piece: Piece) -> &[u64] {
        &self.words[layout.set(piece)]
    }

    /// The value of a variable.
    #[must_use]
    #[inline]
    pub fn variable(&self, layout: &Layout, variable: Variable) -> i32 {
        let at = layout.variables + 4 * variable.index();
        i32::from_le_bytes(self.bytes()[at..at + 4].try_into().expect("four bytes"))
    }

    /// How many squares hold this piece.
    #[must_use]
    pub fn count(&self, layout: &Layout, piece: Piece) -> u32 {
        self.squares_of(layout, piece).iter().map(|word| word.count_ones()).sum()
    }

    /// The square a register remembers.
    #[must_use]
    #[inline]
    pub fn register(&self, layout: &Layout, register: Register) -> Square {
        let at = layout.registers + 2 * register.index();
        let square = u16::from_le_bytes(self.bytes()[at..at + 2].try_into().expect("two bytes"));
        Square(u32::from(square))
    }

    /// Where in the rules the position is.
    #[must_use]
    #[inline]
    pub fn node(&self, layout: &Layout) -> Node {
        let bytes = &self.bytes()[layout.node..layout.node + 4];
        Node(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    /// The player in control; `None` if the keeper is.
    #[must_use]
    #[inline]
    pub fn mover(&self, layout: &Layout) -> Option<Player> {
        let mover = self.bytes()[layout.mover];
        (mover > 0).then(|| Player(u32::from(mover) - 1))
    }

    /// Overwrites with another state; without allocating if it is of the same game.
    #[inline]
    pub fn copy_from(&mut self, source: &State) {
        self.copy_from_words(&source.words, source.hash, source.shape);
    }

    #[inline]
    fn copy_from_words(&mut self, words: &[u64], hash: u64, shape: u64) {
        if self.words.len() == words.len() {
            self.words.copy_from_slice(words);
        } else {
            self.words = words.into();
        }
        self.hash = hash;
        self.shape = shape;
    }

    // The setters leave the hash alone: a search undoes what it writes and never asks for it. A caller that keeps what
    // it wrote adds the difference with `change_hash`.

    #[inline]
    pub(crate) fn set_piece(&mut self, layout: &Layout, square: Square, piece: Piece) {
        let old = std::mem::replace(&mut self.bytes_mut()[square.index()], piece.0 as u8);
        let (word, bit) = (square.index() / 64, 1 << (square.index() % 64));
        self.words[layout.set(Piece(u32::from(old))).start + word] ^= bit;
        self.words[layout.set(piece).start + word] ^= bit;
    }

    #[inline]
    pub(crate) fn set_variable(&mut self, layout: &Layout, variable: Variable, value: i32) {
        let at = layout.variables + 4 * variable.index();
        self.bytes_mut()[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    #[inline]
    pub(crate) fn set_register(&mut self, layout: &Layout, register: Register, square: Square) {
        let at = layout.registers + 2 * register.index();
        self.bytes_mut()[at..at + 2].copy_from_slice(&(square.0 as u16).to_le_bytes());
    }

    #[inline]
    pub(crate) fn set_node(&mut self, layout: &Layout, node: Node) {
        self.bytes_mut()[layout.node..layout.node + 4].copy_from_slice(&node.0.to_le_bytes());
    }

    #[inline]
    pub(crate) fn set_mover(&mut self, layout: &Layout, mover: Option<Player>) {
        self.bytes_mut()[layout.mover] = mover.map_or(0, |player| player.0 as u8 + 1);
    }

    #[inline]
    pub(crate) fn change_hash(&mut self, difference: u64) {
        self.hash ^= difference;
    }
}

/// Earlier positions, to be returned to in reverse order.
///
/// Undoing restores a copy: nothing that happened in between, the keeper's work included, can be left over. A position is
/// restored whole, so the state it is restored into may be that of any game.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Rules as _, UndoStack, Walk};
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
/// let mut scratch = rules.scratch();
/// let first = rules.initial(&mut scratch)?;
/// let (mut state, mut history) = (first.clone(), rules.history(&first));
/// let mut undo = UndoStack::new();
/// undo.save(&state);
/// rules.play_chosen(&mut state, &mut history, &mut scratch, &mut |_| 0)?;
/// assert!(undo.undo(&mut state));
/// assert_eq!(state, first);
/// assert!(!undo.undo(&mut state));
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct UndoStack {
    words: Vec<u64>,
    saved: Vec<Saved>,
}

/// What is known of a saved position besides its words, which are the last of those before the next.
#[derive(Clone, Copy, Debug)]
struct Saved {
    words: usize,
    hash: u64,
    shape: u64,
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
        self.saved.len()
    }

    /// Whether there is nothing to return to.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.saved.is_empty()
    }

    /// Remembers the position.
    #[inline]
    pub fn save(&mut self, state: &State) {
        self.words.extend_from_slice(&state.words);
        let State { words, hash, shape } = state;
        self.saved.push(Saved { words: words.len(), hash: *hash, shape: *shape });
    }

    /// Goes back to the position saved last; returns whether there was one.
    #[inline]
    pub fn undo(&mut self, state: &mut State) -> bool {
        let Some(Saved { words, hash, shape }) = self.saved.pop() else { return false };
        let at = self.words.len() - words;
        state.copy_from_words(&self.words[at..], hash, shape);
        self.words.truncate(at);
        true
    }
}
