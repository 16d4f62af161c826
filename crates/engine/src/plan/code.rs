//! The segment program with everything looked up that does not depend on the position.
//!
//! An operation is one [`SetOp`]; what it works on is numbers of sets. All sets that operations read are in one row,
//! which a search keeps beside the state: first the *views*, the squares with a piece of each of the segment program's
//! sets of pieces, kept up to date with every write; then the set of all squares, and the fixed sets.

use crate::segment::{Slot, Transfer};

/// What can be computed without asking anything else: a stage, a survey, or what a watch evaluates.
#[derive(Debug)]
pub(super) struct CodeBlock {
    pub(super) ops: Vec<SetOp>,
    /// How many slots there are.
    pub(super) slots: usize,
    /// The slots that begin with all squares.
    pub(super) full: Vec<Slot>,
    /// The slots that are read afterwards: of the exits, or the answer.
    pub(super) results: Vec<Slot>,
    /// In a pattern, the slot that says by not being empty that the pattern has succeeded.
    pub(super) accept: Option<Slot>,
    /// The rows and the set by which a pattern succeeds whose first step from the cursor leads to a square of the set.
    pub(super) at_once: Option<(u32, u32)>,
    /// The steps of all batches, as far as their numbers are small.
    pub(super) paces: Vec<Pace>,
    /// What doing all of it once is charged for; what is repeated is charged for by itself.
    pub(super) cost: u64,
}

/// The number of slots and sets, from the first on, that a byte can number.
pub(super) const SMALL: usize = 1 << u8::BITS;

/// A step whose slots and sets are numbered by bytes, so that no number is out of bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) mask: u8,
    pub(super) within: u8,
    pub(super) distance: i32,
}

/// Squares of one slot, or what they lead to, are added to another, where they are in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SetOp {
    pub(super) from: Slot,
    pub(super) to: Slot,
    /// The number of the set in which squares must arrive.
    pub(super) within: u32,
    pub(super) act: SetOpKind,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SetOpKind {
    /// The squares themselves.
    Same,
    /// The squares of a set, moved by `distance`.
    Step { mask: u32, distance: i32 },
    /// The next `count` operations, all of them steps of a set, and where they are among the paces, if they are.
    Batch { count: u32, paces: Option<u32> },
    /// Several steps, and the number of the row with what they lead to from the first square.
    Steps { first: u32, count: u32, rows: u32 },
    /// The same, from the cursor alone.
    Row { first: u32, count: u32, rows: u32 },
    /// A whole set, from anywhere.
    Fill { set: u32 },
    /// The squares that are not in another slot.
    Except { other: Slot },
    /// Along lines over a set.
    Star { star: u32, through: u32 },
    /// Against lines over a set.
    StarBack { star: u32, through: u32 },
    /// The squares that are reached over a set again and again by steps; `to` are those where steps lead. In a pattern, it
    /// succeeds where one is in a set.
    Flood { first: u32, count: u32, rows: u32, succeeds: u32 },
    /// What takes a search.
    Other { transfer: u32 },
    /// The pattern succeeds if a square of the set, moved by `distance`, is among the squares.
    Meets { mask: u32, distance: i32 },
    /// The pattern succeeds when there is a square.
    Accept,
    /// If there is no square, the next `count` operations are left out.
    Skip { count: u32 },
    /// Repeats the next `count` operations until they add nothing.
    Repeat { count: u32 },
}

/// The squares from which a step leads by a certain distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stride {
    /// The number of the set of squares.
    pub(super) mask: u32,
    pub(super) distance: i32,
}

/// Lines in several directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Star {
    pub(super) lines: Vec<LineSet>,
    /// The numbers of the rows of lines in ascending order, and in descending order.
    pub(super) ascending: Vec<u32>,
    pub(super) descending: Vec<u32>,
    /// Whether squares are themselves the first on their lines.
    pub(super) includes_start: bool,
}

/// Lines in one direction: the steps, the same steps backwards, and how many there are at most in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineSet {
    pub(super) steps: (u32, u32),
    pub(super) back: (u32, u32),
    pub(super) longest: i32,
}

/// A way from one square to another, all steps of which have fixed distances.
#[derive(Debug)]
pub(super) struct HopPath {
    // PERF: most ways have one step.
    pub(super) first: Hop,
    pub(super) others: Box<[Hop]>,
}

/// From the squares of a set by `distance`, into another set, if a comparison holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    pub(super) mask: u32,
    pub(super) distance: i32,
    pub(super) within: u32,
    pub(super) condition: Option<u32>,
}

impl HopPath {
    pub(super) fn hops(&self) -> impl Iterator<Item = &Hop> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// The paths behind one exit of a stage: for each of its spreads those along it; for a probe those that make it sure.
pub(super) type ExitWays = Vec<Vec<HopPath>>;

/// The paths behind all exits of all stages.
#[derive(Debug)]
pub(super) struct Ways {
    /// By the number of the stage, and then by that of the exit.
    stages: Vec<Vec<ExitWays>>,
}

impl Ways {
    /// Returns the given ways, by the number of the stage and then by that of the exit.
    pub(super) fn new(stages: Vec<Vec<ExitWays>>) -> Ways {
        Ways { stages }
    }

    /// Returns the ways behind the exits of a stage, in the order of the exits.
    #[inline]
    pub(super) fn of_stage(&self, stage: u32) -> &[ExitWays] {
        &self.stages[stage as usize]
    }
}

/// All code of a game.
#[derive(Debug)]
pub(super) struct PlanCode {
    /// The stages, by number.
    pub(super) stages: Vec<CodeBlock>,
    /// Whether behind the exits of a stage there is nothing to try.
    pub(super) is_flat: Vec<bool>,
    /// For each stage whose exits all end the move on their square the numbers of what ends it, when no watch is asked.
    pub(super) ends: Vec<Option<Vec<u32>>>,
    /// Whether a stage does nothing but write where it begins.
    pub(super) only_writes: Vec<bool>,
    /// Whether a stage does nothing but write, and so do those behind it until one has [`PlanCode::ends`].
    pub(super) writes_and_ends: Vec<bool>,
    pub(super) ways: Ways,
    /// The surveys, by number.
    pub(super) surveys: Vec<CodeBlock>,
    /// What each watch evaluates.
    pub(super) watched: Vec<CodeBlock>,
    /// What takes a search.
    pub(super) transfers: Vec<Transfer>,
    /// With how many writes under way the search gives up, since a move that ends then may have more than are allowed.
    pub(super) deepest: usize,
}

impl SetOp {
    /// About how many simple operations it takes once.
    pub(super) fn cost(&self) -> u64 {
        match self.act {
            SetOpKind::Steps { .. }
            | SetOpKind::Star { .. }
            | SetOpKind::StarBack { .. }
            | SetOpKind::Flood { .. } => 16,
            _ => 1,
        }
    }

    /// The same as a pace, when it is a step and its numbers are small.
    pub(super) fn pace(&self) -> Option<Pace> {
        let SetOpKind::Step { mask, distance } = self.act else { return None };
        let small = |number: u32| u8::try_from(number).ok();
        let (from, to) = (small(self.from)?, small(self.to)?);
        Some(Pace { from, to, mask: small(mask)?, within: small(self.within)?, distance })
    }

    pub(super) fn repeats(&self) -> usize {
        if let SetOpKind::Repeat { count } = self.act { count as usize } else { 0 }
    }

    /// Whether it works on the squares of a slot.
    pub(super) fn reads(&self) -> bool {
        !matches!(
            self.act,
            SetOpKind::Skip { .. } | SetOpKind::Repeat { .. } | SetOpKind::Batch { .. }
        )
    }

    /// Whether it adds something to a slot.
    pub(super) fn adds(&self) -> bool {
        !matches!(
            self.act,
            SetOpKind::Batch { .. }
                | SetOpKind::Meets { .. }
                | SetOpKind::Accept
                | SetOpKind::Skip { .. }
                | SetOpKind::Repeat { .. }
        )
    }

    /// Whether what arrives is further restricted by `within`.
    pub(super) fn is_bounded(&self) -> bool {
        self.adds() && !matches!(self.act, SetOpKind::Flood { .. })
    }
}
