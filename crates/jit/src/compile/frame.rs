//! The parts of a [`Body`] that belong to some of its code only.
//!
//! A stage may be written in place of a call, a survey within a stage, and what the keeper does within a move. Each of them
//! has parts of its own; [`Body::scoped`] puts them in their places, and gives the code around them its own back.

use cranelift_codegen::ir::{Block, Value};
use cranelift_frontend::Variable;

use super::body::Body;
use super::pieces::Asked;
use super::slots::Slots;

/// What belongs to the code of one stage: that of the function, or one that is written in place of a call.
pub(super) struct Frame {
    /// The stage; `None` where the function is not that of a stage.
    pub(super) stage: Option<u32>,
    /// What the function is given, or would be given if it were called.
    pub(super) parameters: Vec<Value>,
    pub(super) slots: Slots,
    /// The sets of pieces that are known here.
    pub(super) asked: Asked,
    /// The number of skips that are being written within each other.
    pub(super) skips: usize,
    /// Says which watch has been evaluated on the way and still holds; zero for none.
    pub(super) is_fresh: Option<Variable>,
    /// Whether what is written here stays, so that the board is the one that watches' answers are kept for.
    pub(super) keeps_writes: bool,
}

impl Frame {
    /// Returns what code has that is given parameters, before anything is known there.
    pub(super) fn new(parameters: Vec<Value>, keeps_writes: bool) -> Frame {
        Frame {
            stage: None,
            parameters,
            slots: Slots::default(),
            asked: Asked::default(),
            skips: 0,
            is_fresh: None,
            keeps_writes,
        }
    }
}

/// Where code leads that is done.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    /// Where the answer is given: the end of the function, or what comes after it where it is written in place of a call.
    pub(super) answer: Block,
    /// Where the keeper's moves lead when a player takes over; `None` if an answer says so.
    pub(super) turn: Option<Block>,
}

impl Body<'_, '_, '_> {
    /// Writes code with another value for a part of the body, which has its own value again after that. Returns what
    /// `write` does.
    pub(super) fn scoped<P, T>(
        &mut self,
        part: fn(&mut Self) -> &mut P,
        value: P,
        write: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(part(self), value);
        let result = write(self);
        *part(self) = outer;
        result
    }

    /// Writes the code of another stage.
    pub(super) fn in_frame<T>(&mut self, frame: Frame, write: impl FnOnce(&mut Self) -> T) -> T {
        self.scoped(|body| &mut body.frame, frame, write)
    }

    /// Writes code that has slots of its own.
    pub(super) fn with_slots<T>(&mut self, slots: Slots, write: impl FnOnce(&mut Self) -> T) -> T {
        self.scoped(|body| &mut body.frame.slots, slots, write)
    }

    /// Writes code that leads elsewhere when it is done.
    pub(super) fn leading_to<T>(
        &mut self,
        targets: Targets,
        write: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scoped(|body| &mut body.targets, targets, write)
    }
}
