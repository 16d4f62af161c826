//! Native code and the calls into it: nearly all of the unsafe code; the callers in `jit.rs` vouch for moves.
//!
//! What makes the calls sound:
//!
//! 1. *Code.* It is compiled only for the game whose layout, tables and limits it was given, and is entered only here. Its
//!    functions are unsafe to call; their memory lives as long as the [`Native`] or [`Counter`] that calls them.
//! 2. *State.* [`Native::session`] and [`Counter::count`] refuse a state of another shape. A shape ([`Layout::shape`]) stands
//!    for the exact numbers of squares, pieces, registers, nodes and players and for the bounds of the variables, so every
//!    index in the state is within the bounds for which the code was compiled. Safe code cannot break that: the setters
//!    of [`State`] are private to its crate, and its memory can be written only through the raw pointer used here. Code may
//!    be given any arrangement of pieces, legal or not; it relies on bounds alone.
//! 3. *Memory.* A [`NativeMemory`] has the number of the code it was made for and is refused by any other, so that it is
//!    as long as the code expects. Records, data and path have ends, which the code asks before it writes.
//! 4. *Squares and steps.* Squares come from records that the code wrote in the same session, or from steps that were
//!    checked against the game by [`regulus_engine::Referee::must_be_steps`].
//!
//! Code reads and writes nothing but the state's words, the context, the records, data, path and areas between the ends it
//! is given, and the constant tables, which live as long as the code.

use std::mem::{ManuallyDrop, transmute};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use cranelift_jit::JITModule;
use regulus_automaton::{IdVec, Node, Player, Register};
use regulus_engine::{Layout, State};

use crate::compile::{Code, Shape};
use crate::context::{Context, Record, UNASKED_STEPS, status};
use crate::select;
use crate::tables::Tables;

/// How deep native code may use the stack. Threads have at least two megabytes of it.
const STACK: u64 = 512 << 10;

/// How many writes native code tries within each other at most.
const MAX_WRITES: usize = 1 << 14;

/// How many records and words of data there is place for at first.
const FIRST_RECORDS: usize = 1 << 10;
const FIRST_DATA: usize = 1 << 13;

/// Finds all moves: context, state, cursor, path.
type All = unsafe extern "C" fn(*mut Context, *mut u64, u64, *mut u64) -> u64;
/// Plays steps: context, state, where they begin, where they end.
type Execute = unsafe extern "C" fn(*mut Context, *mut u64, *const u64, *const u64) -> u64;

/// Plays a move of a shape: context, state, the square it ends on, where the steps on the way begin and end.
type Finish = unsafe extern "C" fn(*mut Context, *mut u64, u64, *const u64, *const u64) -> u64;

/// Counts the tree below a state: context, state.
type Visit = unsafe extern "C" fn(*mut Context, *mut u64) -> u64;

/// A game's code.
pub(crate) struct Native {
    all: IdVec<Node, Option<All>>,
    /// For native code, where the keeper's first move is done: addresses, or zero.
    first_table: Vec<u64>,
    quick_table: Vec<u64>,
    execute: Execute,
    quick_execute: Execute,
    /// For each shape.
    finish: Vec<Finish>,
    /// The memory the code is in. Locked only to be given back.
    _machine_code: MachineCode,
    pub(crate) shapes: Vec<Shape>,
    area_words: usize,
    writes: usize,
    shape: u64,
    /// The number that its memory has.
    owner: u64,
    pub(crate) size: usize,
    /// Whether this machine can deposit bits in one instruction.
    #[cfg(target_arch = "x86_64")]
    can_deposit: bool,
    // The code has their addresses.
    pub(crate) tables: Arc<Tables>,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Native({} bytes)", self.size)
    }
}

/// The memory of compiled functions. Its owner also owns all pointers to them, so both are dropped together.
pub(crate) struct MachineCode {
    module: ManuallyDrop<Mutex<JITModule>>,
}

impl MachineCode {
    pub(crate) fn new(module: JITModule) -> MachineCode {
        MachineCode { module: ManuallyDrop::new(Mutex::new(module)) }
    }
}

impl Drop for MachineCode {
    fn drop(&mut self) {
        // SAFETY: the module is taken once, here, and not used again.
        let module = unsafe { ManuallyDrop::take(&mut self.module) };
        if let Ok(module) = module.into_inner() {
            // SAFETY: running the code borrows the owner, which is being dropped, so no code runs; the owner's
            // pointers are dropped with it.
            unsafe { module.free_memory() };
        }
    }
}

/// The memory that a search leaves its moves in.
#[derive(Debug)]
pub(crate) struct NativeMemory {
    /// The number of the code it was made for.
    owner: u64,
    pub(crate) records: Vec<Record>,
    pub(crate) data: Vec<u64>,
    path: Vec<u64>,
    areas: Vec<u64>,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SearchResult {
    /// There are `count` moves, in `records` records.
    Moves { count: u64, records: usize },
    /// A limit was reached.
    GivesUp,
    /// There was not enough place.
    Full,
}

/// What became of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlayResult {
    /// It and the keeper's part are done.
    Done,
    /// It was none; the state is unspecified.
    NotAMove,
    /// The move is done, but the keeper reached a limit after `made` moves of its own.
    KeeperGoesOn { made: u64 },
}

impl Native {
    /// Makes code callable for states of a shape, whose moves have at most `writes` writes; longer ones are left to
    /// `plan`.
    pub(crate) fn new(code: Code, tables: Arc<Tables>, writes: usize, shape: u64) -> Native {
        let Code { module, all, first, execute, shapes, area_words, size, .. } = code;
        let address = |at: &Option<*const u8>| at.map_or(0, |at| at as u64);
        let quick_table = code.quick_first.iter().map(address).collect();
        let quick_execute = code.quick_execute.unwrap_or(execute);
        let finish = code.finish;
        let first_table = first.values().map(|at| at.map_or(0, |at| at as u64)).collect();
        // SAFETY: the compiler gave these functions exactly these parameters and results, all of them words in the
        // host's calling convention; their memory is freed only with `self`.
        let (all, execute, quick_execute, finish) = unsafe {
            (
                all.values().map(|at| at.map(|at| transmute::<*const u8, All>(at))).collect(),
                transmute::<*const u8, Execute>(execute),
                transmute::<*const u8, Execute>(quick_execute),
                finish.into_iter().map(|at| transmute::<*const u8, Finish>(at)).collect(),
            )
        };
        Native {
            all,
            first_table,
            quick_table,
            execute,
            quick_execute,
            finish,
            _machine_code: MachineCode::new(module),
            shapes,
            area_words,
            writes: writes.min(MAX_WRITES),
            shape,
            owner: new_owner(),
            size,
            #[cfg(target_arch = "x86_64")]
            can_deposit: std::arch::is_x86_feature_detected!("bmi2"),
            tables,
        }
    }

    pub(crate) fn memory(&self) -> NativeMemory {
        NativeMemory {
            owner: self.owner,
            records: vec![Record::default(); FIRST_RECORDS],
            data: vec![0; FIRST_DATA],
            // Writes are tried only while there are fewer; a step that is only looked at may follow the last.
            path: vec![0; self.writes + 1 + UNASKED_STEPS],
            areas: vec![0; self.area_words],
        }
    }

    /// The member of a set that has exactly `before` members below it; the set must have more than `before`.
    #[inline]
    pub(crate) fn nth(&self, words: &[u64], before: u64) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if self.can_deposit {
            // SAFETY: it was asked whether this machine has the instruction.
            return select::nth(words, before, |word, before| unsafe { nth_bit(word, before) });
        }
        select::nth(words, before, select::nth_bit)
    }

    /// How many steps a path has at most.
    pub(crate) fn longest_path(&self) -> usize {
        self.writes + 2
    }

    /// Begins work on a state.
    #[inline]
    pub(crate) fn session<'a>(
        &'a self,
        state: &'a mut State,
        memory: &'a mut NativeMemory,
        layout: &'a Layout,
        tries: i64,
    ) -> NativeSession<'a> {
        assert_eq!(state.shape(), self.shape, "a state of another game");
        assert_eq!(memory.owner, self.owner, "memory for another game");
        let mut context = context(memory, tries);
        context.first_table = self.first_table.as_ptr();
        NativeSession { native: self, layout, state, memory, context, tries, is_quick: false }
    }
}

/// Work on one state. What native code knows of the state from one call to the next is in the context.
pub(crate) struct NativeSession<'a> {
    native: &'a Native,
    layout: &'a Layout,
    pub(crate) state: &'a mut State,
    pub(crate) memory: &'a mut NativeMemory,
    context: Context,
    tries: i64,
    is_quick: bool,
}

impl NativeSession<'_> {
    /// From now on the fingerprint is not updated; a caller that needs it computes it anew.
    pub(crate) fn be_quick(&mut self) {
        self.is_quick = true;
        self.context.first_table = self.native.quick_table.as_ptr();
    }

    /// The player in control; `None` if it is the keeper.
    #[inline]
    pub(crate) fn player(&self) -> Option<Player> {
        self.state.mover(self.layout)
    }

    /// Finds the moves, or the first `wanted` of them and perhaps some more. The state is as it was then.
    #[inline]
    pub(crate) fn search(&mut self, wanted: u64) -> SearchResult {
        let Some(all) = self.native.all[self.state.node(self.layout)] else {
            return SearchResult::Moves { count: 0, records: 0 };
        };
        let cursor = u64::from(self.state.register(self.layout, Register::CURSOR).0);
        let context = &mut self.context;
        context.tries = self.tries;
        context.depth = 0;
        context.count = 0;
        context.wanted = wanted;
        context.record = self.memory.records.as_mut_ptr();
        context.data = context.data_start;
        let path = context.path;
        // SAFETY: the session has checked the state and the memory; the cursor is a square of the state.
        let answer = unsafe { all(context, self.state.as_mut_ptr(), cursor, path) };
        if answer != status::GIVE_UP as u64 {
            let size = context.record as usize - self.memory.records.as_ptr() as usize;
            SearchResult::Moves { count: context.count, records: size / size_of::<Record>() }
        } else if context.full != 0 {
            SearchResult::Full
        } else {
            SearchResult::GivesUp
        }
    }

    /// Makes more place for moves.
    pub(crate) fn grow(&mut self) {
        let NativeMemory { records, data, .. } = &mut *self.memory;
        records.resize(records.len() * 2, Record::default());
        data.resize(data.len() * 2, 0);
        self.context = context(self.memory, self.tries);
        let Native { first_table, quick_table, .. } = self.native;
        let table = if self.is_quick { quick_table } else { first_table };
        self.context.first_table = table.as_ptr();
    }

    /// Plays steps and what the keeper does after them.
    ///
    /// # Safety
    ///
    /// The steps are a move that the last search of this session found, or have passed
    /// [`regulus_engine::Referee::must_be_steps`].
    #[inline]
    pub(crate) unsafe fn execute(&mut self, steps: &[u64]) -> PlayResult {
        let context = &mut self.context;
        context.tries = self.tries;
        context.depth = 0;
        context.hash = self.state.fingerprint();
        let steps = steps.as_ptr_range();
        let Native { execute, quick_execute, .. } = self.native;
        let execute = if self.is_quick { quick_execute } else { execute };
        // SAFETY: the session has checked the state and the memory; the caller vouches for the steps.
        let answer = unsafe { execute(context, self.state.as_mut_ptr(), steps.start, steps.end) };
        self.state.set_fingerprint(context.hash);
        match answer as i64 {
            status::YES => PlayResult::Done,
            status::NO => PlayResult::NotAMove,
            _ => PlayResult::KeeperGoesOn { made: context.made },
        }
    }

    /// Plays a move that the last search found, without its fingerprint, and what the keeper does after it: a record of the
    /// search and a square of it.
    ///
    /// # Safety
    ///
    /// The record is one of those that the last search of this session counted, and the square is one of its squares.
    #[inline(always)]
    pub(crate) unsafe fn finish(&mut self, record: usize, square: u32) -> PlayResult {
        let Record { data, steps, shape, .. } = self.memory.records[record];
        let path = &self.memory.data[data as usize..][..steps as usize];
        let path = path.as_ptr_range();
        let context = &mut self.context;
        context.tries = self.tries;
        context.depth = 0;
        let finish = self.native.finish[shape as usize];
        let words = self.state.as_mut_ptr();
        // SAFETY: the session has checked the state and the memory; the caller vouches for the record and the square.
        let answer = unsafe { finish(context, words, u64::from(square), path.start, path.end) };
        match answer as i64 {
            status::YES => PlayResult::Done,
            _ => PlayResult::KeeperGoesOn { made: context.made },
        }
    }

    /// Whether fingerprints are left to others.
    #[inline]
    pub(crate) fn is_quick(&self) -> bool {
        self.is_quick
    }

    /// To be called when the state was changed by others.
    pub(crate) fn forget(&mut self) {
        self.context.known = 0;
    }
}

/// The index of the bit that has exactly `before` other bits below it.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "bmi2")]
fn nth_bit(word: u64, before: u64) -> u32 {
    std::arch::x86_64::_pdep_u64(1 << before, word).trailing_zeros()
}

/// A game's code for counting trees.
pub(crate) struct Counter {
    all: Vec<u64>,
    first: Vec<u64>,
    visit: Visit,
    _machine_code: MachineCode,
    area_words: usize,
    shape: u64,
    writes: usize,
    /// The number that its memory has.
    owner: u64,
    // The code has their addresses.
    _tables: Arc<Tables>,
}

impl std::fmt::Debug for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Counter")
    }
}

impl Counter {
    /// The deepest tree that native code counts; its memory grows with the depth.
    pub(crate) const MAX_DEPTH: u32 = 64;

    pub(crate) fn new(code: Code, tables: Arc<Tables>, writes: usize, shape: u64) -> Counter {
        let Code { module, all, first, execute, area_words, .. } = code;
        let table = |entries: IdVec<Node, Option<*const u8>>| {
            entries.values().map(|entry| entry.map_or(0, |code| code as u64)).collect()
        };
        Counter {
            all: table(all),
            first: table(first),
            // SAFETY: the compiler gave this function exactly these parameters and results, all of them words in the
            // host's calling convention; its memory is freed only with `self`.
            visit: unsafe { transmute::<*const u8, Visit>(execute) },
            _machine_code: MachineCode::new(module),
            area_words,
            shape,
            writes: writes.min(MAX_WRITES),
            owner: new_owner(),
            _tables: tables,
        }
    }

    /// Memory to count in.
    pub(crate) fn memory(&self, layout: &Layout) -> CountMemory {
        let levels = Counter::MAX_DEPTH as usize + 1;
        let memory = NativeMemory {
            owner: self.owner,
            records: Vec::new(),
            data: vec![0; UNASKED_STEPS],
            path: vec![0; self.writes + 1 + UNASKED_STEPS],
            // One for each move, and one for what is asked at the leaves.
            areas: vec![0; self.area_words * levels],
        };
        CountMemory { memory, snapshots: vec![0; layout.size() / 8 * levels] }
    }

    /// Counts the tree of `depth` moves below a state: its leaves, and the states above them. Returns `None` if a limit
    /// is reached; the state is then unspecified.
    pub(crate) fn count(
        &self,
        state: &mut State,
        memory: &mut CountMemory,
        depth: u32,
        tries: i64,
    ) -> Option<(u64, u64)> {
        let levels = Counter::MAX_DEPTH as usize + 1;
        let CountMemory { memory, snapshots } = memory;
        assert_eq!(state.shape(), self.shape, "a state of another game");
        assert_eq!(memory.owner, self.owner, "memory for another game");
        assert_eq!(snapshots.len(), state.word_count() * levels, "memory for another game");
        if depth == 0 || depth > Counter::MAX_DEPTH {
            return None;
        }
        let mut context = context(memory, tries);
        context.left = u64::from(depth);
        context.snapshot = snapshots.as_mut_ptr();
        context.all_table = self.all.as_ptr();
        context.first_table = self.first.as_ptr();
        // SAFETY: the state and the memory were checked above, and the depth is one there is memory for.
        let answer = unsafe { (self.visit)(&mut context, state.as_mut_ptr()) };
        (answer == status::NO as u64).then_some((context.leaves, context.states))
    }
}

/// The memory that trees are counted in.
#[derive(Debug)]
pub(crate) struct CountMemory {
    memory: NativeMemory,
    /// Copies of states, one for each level.
    snapshots: Vec<u64>,
}

/// A number that no other code has.
fn new_owner() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[inline]
fn context(memory: &mut NativeMemory, tries: i64) -> Context {
    // Any address on the stack will do: from here on it grows.
    let here = &raw const tries as u64;
    let records = memory.records.as_mut_ptr_range();
    let data = memory.data.as_mut_ptr_range();
    Context {
        tries,
        stack_limit: here.saturating_sub(STACK),
        hash: 0,
        count: 0,
        wanted: u64::MAX,
        record: records.start,
        record_end: records.end,
        data: data.start,
        data_start: data.start,
        data_end: data.end.wrapping_sub(UNASKED_STEPS),
        path: memory.path.as_mut_ptr(),
        depth: 0,
        deepest: (memory.path.len() - 1 - UNASKED_STEPS) as u64,
        full: 0,
        unsettled: 0,
        known: 0,
        left: 0,
        leaves: 0,
        states: 0,
        made: 0,
        snapshot: std::ptr::null_mut(),
        all_table: std::ptr::null(),
        first_table: std::ptr::null(),
        areas: memory.areas.as_mut_ptr(),
    }
}
