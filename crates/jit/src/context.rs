//! The memory that native code works in, besides the state.

/// What native code is given, and leaves behind. Its code knows where each field is.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    /// How much may still be done, in operations on sets.
    pub(crate) tries: i64,
    /// The stack must not grow below this address.
    pub(crate) stack_limit: u64,
    /// The state's fingerprint.
    pub(crate) hash: u64,
    /// How many moves have been found.
    pub(crate) count: u64,
    /// The number of moves after which the search may stop.
    pub(crate) wanted: u64,
    /// Where the next record goes, and where no more records go.
    pub(crate) record: *mut Record,
    pub(crate) record_end: *mut Record,
    /// Where the next record's steps and squares go, where the first's went, and where nothing goes any more.
    pub(crate) data: *mut u64,
    pub(crate) data_start: *mut u64,
    pub(crate) data_end: *mut u64,
    /// Where the steps on the way to a move begin.
    pub(crate) path: *mut u64,
    /// How many writes are being tried within each other, and how many may be.
    pub(crate) depth: u64,
    pub(crate) deepest: u64,
    /// Set when there was no place for a record.
    pub(crate) full: u64,
    /// Bits for the watches on whose squares something was put since they were evaluated.
    pub(crate) unsettled: u64,
    /// Bits for the watches whose answers before the move hold for the board as it is.
    pub(crate) known: u64,
    /// How many moves in a row the keeper has made.
    pub(crate) made: u64,
    /// When a tree is counted: how many moves deep it still is, how many states there are at its end and above it.
    pub(crate) left: u64,
    pub(crate) leaves: u64,
    pub(crate) states: u64,
    /// Where the next copy of a state goes.
    pub(crate) snapshot: *mut u64,
    /// For each node the address of the code that finds the moves, and does the keeper's, there; zero where there is none.
    pub(crate) all_table: *const u64,
    pub(crate) first_table: *const u64,
    /// Memory for the answers of surveys and watches.
    pub(crate) areas: *mut u64,
}

/// Moves that are found together: the same steps, then steps on one square of a set.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Record {
    /// How many moves there are up to and with these.
    pub(crate) up_to: u64,
    /// Where its data begin, in words from the first: the steps, then the set of squares.
    pub(crate) data: u32,
    /// How many steps come first.
    pub(crate) steps: u32,
    /// What is done on the square.
    pub(crate) shape: u32,
    pub(crate) unused: u32,
}

/// This many steps of a move are always copied, even if it has fewer, so the path and the data must be followed by as much
/// room.
pub(crate) const UNASKED_STEPS: usize = 4;

/// What native code answers.
pub(crate) mod status {
    /// Nothing was found, or nothing stands in the way of going on.
    pub(crate) const NO: i64 = 0;
    /// Found; or enough has been found.
    pub(crate) const YES: i64 = 1;
    /// A limit was reached; everything is as it was before.
    pub(crate) const GIVE_UP: i64 = 2;
}

/// A step as one word: the modifier below, the square above.
pub(crate) const fn step_word(modifier: u32, square: u32) -> u64 {
    modifier as u64 | (square as u64) << 32
}
