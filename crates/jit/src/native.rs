//! Native code and the calls into it: all of the unsafe code.
//!
//! What makes the calls sound: code is compiled only for the game whose layout, tables and limits it was given, and is
//! entered only here, with a state of that game, squares that are on its board, and memory that is as long as the
//! context says. Code reads and writes nothing else: the state's words, the context, the records, data, path and areas
//! between the ends it is given, and the constant tables, which live as long as the code.

use std::mem::{ManuallyDrop, transmute};
use std::sync::Mutex;

use cranelift_jit::JITModule;
use regulus_automaton::{IdVec, Node};
use regulus_engine::State;

use crate::compile::{Code, Shape};
use crate::context::{Context, Record, status};
use crate::tables::Tables;

/// How deep native code may use the stack. Threads have at least two megabytes of it.
const STACK: u64 = 512 << 10;

/// How many records and words of data there is place for at first.
const FIRST_RECORDS: usize = 1 << 10;
const FIRST_DATA: usize = 1 << 13;

/// Finds all moves: context, state, cursor, path.
type All = extern "C" fn(*mut Context, *mut u64, u64, *mut u64) -> u64;
/// Does the first move: context, state, cursor.
type First = extern "C" fn(*mut Context, *mut u64, u64) -> u64;
/// Plays steps: context, state, where they begin, where they end.
type Execute = extern "C" fn(*mut Context, *mut u64, *const u64, *const u64) -> u64;

/// A game's code.
pub(crate) struct Native {
    all: IdVec<Node, Option<All>>,
    first: IdVec<Node, Option<First>>,
    execute: Execute,
    /// The memory the code is in. Locked only to be given back.
    module: ManuallyDrop<Mutex<JITModule>>,
    pub(crate) shapes: Vec<Shape>,
    area_words: usize,
    path_words: usize,
    state_words: usize,
    pub(crate) size: usize,
    // The code has their addresses.
    _tables: Tables,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Native({} bytes)", self.size)
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // SAFETY: the module is taken once, here, and not used again.
        let module = unsafe { ManuallyDrop::take(&mut self.module) };
        if let Ok(module) = module.into_inner() {
            // SAFETY: whoever runs the code borrows `self`, so nobody does; the pointers into it go with `self`.
            unsafe { module.free_memory() };
        }
    }
}

/// The memory that a search leaves its moves in.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) records: Vec<Record>,
    pub(crate) data: Vec<u64>,
    path: Vec<u64>,
    areas: Vec<u64>,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Search {
    /// So many moves, in so many records.
    Moves { count: u64, records: usize },
    /// A limit was reached.
    GivesUp,
    /// There was not enough place.
    Full,
}

/// What became of the keeper's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Done,
    Stuck,
    GivesUp,
}

impl Native {
    /// Makes code callable. `path_words` is how long a move may be, `state_words` how long a state is.
    pub(crate) fn new(code: Code, tables: Tables, path_words: usize, state_words: usize) -> Native {
        let Code { module, all, first, execute, shapes, area_words, size } = code;
        // SAFETY: the compiler gave these functions exactly these parameters and results, all of them words in the
        // host's calling convention; their memory is freed only with `self`.
        let (all, first, execute) = unsafe {
            (
                all.values().map(|at| at.map(|at| transmute::<*const u8, All>(at))).collect(),
                first.values().map(|at| at.map(|at| transmute::<*const u8, First>(at))).collect(),
                transmute::<*const u8, Execute>(execute),
            )
        };
        Native {
            all,
            first,
            execute,
            module: ManuallyDrop::new(Mutex::new(module)),
            shapes,
            area_words,
            path_words,
            state_words,
            size,
            _tables: tables,
        }
    }

    pub(crate) fn memory(&self) -> Memory {
        Memory {
            records: vec![Record::default(); FIRST_RECORDS],
            data: vec![0; FIRST_DATA],
            // Code looks before it tries a write whether there is place for its step; an end of move needs none.
            path: vec![0; self.path_words + 1],
            areas: vec![0; self.area_words],
        }
    }

    /// Finds the moves of a state, or the first `wanted` of them and perhaps some more. The state is as it was then.
    #[inline]
    pub(crate) fn search(
        &self,
        state: &mut State,
        memory: &mut Memory,
        node: Node,
        cursor: u64,
        wanted: u64,
        tries: i64,
    ) -> Search {
        let Some(all) = self.all[node] else { return Search::Moves { count: 0, records: 0 } };
        let mut context = context(memory, 0, tries);
        context.wanted = wanted;
        let (words, _) = state.memory();
        assert_eq!(words.len(), self.state_words, "a state of another game");
        let answer = all(&mut context, words.as_mut_ptr(), cursor, memory.path.as_mut_ptr());
        if answer != status::GIVE_UP as u64 {
            let size = context.record as usize - memory.records.as_ptr() as usize;
            Search::Moves { count: context.count, records: size / size_of::<Record>() }
        } else if context.full != 0 {
            Search::Full
        } else {
            Search::GivesUp
        }
    }

    /// Lets the keeper do one move.
    #[inline]
    pub(crate) fn keep(
        &self,
        state: &mut State,
        memory: &mut Memory,
        node: Node,
        cursor: u64,
        tries: i64,
    ) -> Kept {
        let Some(first) = self.first[node] else { return Kept::Stuck };
        let (words, hash) = state.memory();
        assert_eq!(words.len(), self.state_words, "a state of another game");
        let mut context = context(memory, *hash, tries);
        let answer = first(&mut context, words.as_mut_ptr(), cursor);
        *hash = context.hash;
        match answer as i64 {
            status::YES => Kept::Done,
            status::NO => Kept::Stuck,
            _ => Kept::GivesUp,
        }
    }

    /// Plays steps, which must be on the board; says whether they were a move.
    #[inline]
    pub(crate) fn execute(&self, state: &mut State, memory: &mut Memory, steps: &[u64]) -> bool {
        let (words, hash) = state.memory();
        assert_eq!(words.len(), self.state_words, "a state of another game");
        let mut context = context(memory, *hash, 0);
        let steps = steps.as_ptr_range();
        let answer = (self.execute)(&mut context, words.as_mut_ptr(), steps.start, steps.end);
        *hash = context.hash;
        answer == status::YES as u64
    }
}

#[inline]
fn context(memory: &mut Memory, hash: u64, tries: i64) -> Context {
    // Any address on the stack will do: from here on it grows.
    let here = &raw const tries as u64;
    let records = memory.records.as_mut_ptr_range();
    let data = memory.data.as_mut_ptr_range();
    let path = memory.path.as_mut_ptr_range();
    Context {
        tries,
        stack_limit: here.saturating_sub(STACK),
        hash,
        count: 0,
        wanted: u64::MAX,
        record: records.start,
        record_end: records.end,
        data: data.start,
        data_start: data.start,
        data_end: data.end,
        path: path.start,
        path_end: path.end,
        full: 0,
        unsettled: 0,
        areas: memory.areas.as_mut_ptr(),
    }
}
