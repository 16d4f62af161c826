//! The search for paths through the automaton: depth first, with its own stack, undoing every write it leaves.

use std::ops::ControlFlow;

use regulus_automaton::{Modifier, Origin, Square};

use super::program::{EdgeCode, Instruction, NONE, WalkProgram};
use crate::fault::{Fault, FaultKind, Limits};
use crate::moves::{MoveList, Step};
use crate::referee::Referee;
use crate::state::{Layout, State};
use crate::trail::Trail;

/// The memory a search works in.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Rules as _, Walk, walk};
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
/// let mut scratch: walk::Scratch = rules.scratch();
/// let state = rules.initial(&mut scratch)?;
/// // Kept and lent to each request; nothing of one request is left in the next.
/// assert_eq!(rules.move_count(&state, &mut scratch)?, 3);
/// assert_eq!(rules.move_count(&state, &mut scratch)?, 3);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Debug)]
pub struct Scratch {
    /// The number of the game it was made for.
    pub(super) owner: u64,
    pub(super) state: State,
    /// The moves among which one is chosen.
    pub(super) list: MoveList,
    /// The keeper's move.
    pub(super) keeper_steps: Vec<Step>,
    /// The steps recorded on the way to where the search is.
    pub(super) path: Vec<Step>,
    frames: Vec<NodeFrame>,
    trail: Trail,
    levels: Vec<Level>,
    depth: usize,
    /// How many edges may still be tried.
    pub(super) tries: u64,
    /// How many moves have been found.
    found: u64,
}

/// A node the search will come back to, with the edges it has not tried yet.
#[derive(Clone, Copy, Debug)]
struct NodeFrame {
    next: u32,
    end: u32,
    /// How many squares of a walk have been tried, when the next edge is one.
    walked: u32,
    square: u32,
    /// Whether leaving this node undoes a write.
    wrote: bool,
}

/// Which nodes were visited on which squares since a write: those marked with the current stamp.
#[derive(Debug, Default)]
struct Level {
    stamp: u32,
    marks: Vec<u32>,
}

/// Called with every move found; returns whether to go on.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
///
/// use regulus_engine::{Rules as _, Step, Visitor, Walk};
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
/// let walk = Walk::new(automaton);
/// let mut scratch = walk.scratch();
/// let state = walk.initial(&mut scratch)?;
/// let mut seen = 0;
/// let visitor: &mut Visitor<'_> = &mut |_: &[Step]| {
///     seen += 1;
///     if seen < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// };
/// walk.visit_moves(&state, &mut scratch, visitor)?;
/// assert_eq!(seen, 2);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
pub type Visitor<'v> = dyn FnMut(&[Step]) -> ControlFlow<()> + 'v;

impl Scratch {
    pub(super) fn new(referee: &Referee) -> Scratch {
        Scratch {
            owner: referee.owner(),
            state: referee.before_start(),
            list: MoveList::new(),
            keeper_steps: Vec::new(),
            path: Vec::new(),
            frames: Vec::new(),
            trail: Trail::default(),
            levels: vec![Level::default()],
            depth: 0,
            tries: 0,
            found: 0,
        }
    }
}

/// A search under way: for all moves, or for steps that may follow a beginning.
pub(super) struct WalkSearch<'a, const STEPS: bool> {
    program: &'a WalkProgram,
    referee: &'a Referee,
    layout: &'a Layout,
    limits: Limits,
    scratch: &'a mut Scratch,
    /// In a search for steps, moves must begin with these, and of those that go on with the same step one is enough.
    beginning: &'a [Step],
}

impl<'a, const STEPS: bool> WalkSearch<'a, STEPS> {
    pub(super) fn new(
        program: &'a WalkProgram,
        referee: &'a Referee,
        scratch: &'a mut Scratch,
        beginning: &'a [Step],
    ) -> Self {
        let (layout, limits) = (&referee.layout, referee.limits);
        WalkSearch { program, referee, layout, limits, scratch, beginning }
    }

    /// Shows every move from a node, starting on a square of the scratch state; returns whether it was stopped.
    #[inline(always)]
    pub(super) fn moves(
        &mut self,
        node: u32,
        square: u32,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, Fault> {
        let scratch = &mut *self.scratch;
        scratch.path.clear();
        scratch.frames.clear();
        scratch.trail.clear();
        scratch.depth = 0;
        scratch.found = 0;
        self.clear_level(None)?;
        self.run(node, square, None, visitor)
    }

    /// Whether some path through a pattern succeeds from a square.
    fn check(
        &mut self,
        start: u32,
        accept: u32,
        square: u32,
        origin: Option<Origin>,
    ) -> Result<bool, Fault> {
        if start == accept {
            return Ok(true);
        }
        self.enter_level(origin)?;
        let found = self.run(start, square, Some(accept), &mut |_| ControlFlow::Continue(()));
        self.scratch.depth -= 1;
        found
    }

    /// The search itself: for moves, or within a pattern for the node that accepts. Returns whether it was stopped, by the
    /// visitor or because that node was reached.
    fn run(
        &mut self,
        start: u32,
        square: u32,
        accept: Option<u32>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, Fault> {
        let program = self.program;
        let base = self.scratch.frames.len();
        let mut frame = self.enter(start, square, false);
        self.first_visit(program.nodes[start as usize].slot, square);
        loop {
            if frame.next == frame.end {
                if frame.wrote {
                    self.undo_write(accept.is_none());
                }
                if self.scratch.frames.len() == base {
                    return Ok(false);
                }
                frame = self.scratch.frames.pop().expect("frames above the base");
                continue;
            }
            let edge = &program.edges[frame.next as usize];
            self.count_try(edge)?;
            let mut square = frame.square;
            let mut wrote = false;
            let passed = match edge.code {
                Instruction::Walk(walk) => {
                    let row = program.row(walk, square);
                    let rest = &row[frame.walked as usize..];
                    let Some(found) = rest.iter().position(|&to| self.admits(edge, to.into()))
                    else {
                        self.scratch.tries = self.scratch.tries.saturating_sub(rest.len() as u64);
                        frame.walked = 0;
                        frame.next += 1;
                        continue;
                    };
                    square = u32::from(rest[found]);
                    self.scratch.tries = self.scratch.tries.saturating_sub(found as u64);
                    frame.walked += found as u32 + 1;
                    if frame.walked as usize == row.len() {
                        frame.walked = 0;
                        frame.next += 1;
                    }
                    true
                }
                Instruction::End => {
                    frame.next += 1;
                    if self.begins_so(edge, square) && self.first_visit(edge.slot, square) {
                        self.count_move()?;
                        if self.show(edge, square, visitor).is_break() {
                            return Ok(true);
                        }
                        if STEPS && !self.leave_step(base, &mut frame) {
                            return Ok(false);
                        }
                    }
                    continue;
                }
                _ => {
                    frame.next += 1;
                    match self.step(edge, square)? {
                        None => false,
                        Some(Moved::To(target)) => {
                            square = target;
                            self.admits(edge, square)
                        }
                        Some(Moved::Wrote) => {
                            wrote = true;
                            true
                        }
                    }
                }
            };
            if !passed {
                continue;
            }
            if accept == Some(edge.target) {
                self.unwind(base, &frame, wrote);
                return Ok(true);
            }
            if wrote {
                if edge.modifier != NONE {
                    let modifier = Modifier(edge.modifier);
                    self.scratch.path.push(Step { modifier, square: Square(square) });
                }
                self.enter_level(edge.origin)?;
            }
            if !self.first_visit(program.nodes[edge.target as usize].slot, square) {
                continue;
            }
            if frame.next != frame.end || frame.wrote {
                self.scratch.frames.push(frame);
            }
            frame = self.enter(edge.target, square, wrote);
        }
    }

    /// Executes an action other than a walk over a table or control.
    #[inline]
    fn step(&mut self, edge: &EdgeCode, square: u32) -> Result<Option<Moved>, Fault> {
        let program = self.program;
        let here = Square(square);
        let stay = |passed: bool| passed.then_some(Moved::To(square));
        Ok(match edge.code {
            Instruction::Skip => stay(true),
            Instruction::On(set) => stay(program.piece_in(set, self.scratch.state.piece(here))),
            Instruction::At(set) => stay(program.square_in(set, square)),
            Instruction::Compare(left, relation, right) => {
                let (left, right) = (self.value(left, here), self.value(right, here));
                stay(left.zip(right).is_some_and(|(left, right)| relation.holds(left, right)))
            }
            Instruction::Check { start, accept, expected } => {
                stay(self.check(start, accept, square, edge.origin)? == expected)
            }
            Instruction::Shift(shift) => {
                let target = program.neighbour(shift, square);
                (target != NONE).then_some(Moved::To(target))
            }
            Instruction::Recall(register) => {
                Some(Moved::To(self.scratch.state.register(self.layout, register).0))
            }
            Instruction::Jump(x, y) => {
                let place = self.value(x, here).zip(self.value(y, here));
                place.and_then(|place| program.square_at(place)).map(|square| Moved::To(square.0))
            }
            Instruction::Put(_)
            | Instruction::PutHeld(_)
            | Instruction::Assign(..)
            | Instruction::Save(_) => (self.begins_so(edge, square)
                && self.first_visit(edge.slot, square)
                && self.write(edge.code, here))
            .then_some(Moved::Wrote),
            Instruction::Walk(_) | Instruction::End => None,
        })
    }

    /// Executes a write, remembering what it replaces; returns whether it succeeded.
    fn write(&mut self, code: Instruction, square: Square) -> bool {
        let layout = self.layout;
        let value = match code {
            Instruction::Assign(_, value) => self.value(value, square),
            _ => None,
        };
        let Scratch { state, trail, .. } = &mut *self.scratch;
        match code {
            Instruction::Put(piece) => trail.put(state, layout, square, piece),
            Instruction::PutHeld(register) => trail.put_held(state, layout, square, register),
            Instruction::Assign(variable, _) => {
                let Some(value) = self.referee.fit(variable, value) else { return false };
                trail.assign(state, layout, variable, value);
            }
            Instruction::Save(register) => trail.save(state, layout, register, square),
            _ => return false,
        }
        true
    }

    // PERF: within `run` it would cost registers there.
    #[inline(never)]
    fn undo_write(&mut self, recorded: bool) {
        let Scratch { state, trail, .. } = &mut *self.scratch;
        trail.undo(state, self.layout);
        self.scratch.depth -= 1;
        if recorded {
            self.scratch.path.pop();
        }
    }

    /// Leaves a pattern that succeeded: everything it wrote is undone.
    fn unwind(&mut self, base: usize, frame: &NodeFrame, wrote: bool) {
        if wrote {
            // The last write has not entered a level of its own yet.
            self.scratch.depth += 1;
            self.undo_write(false);
        }
        if frame.wrote {
            self.undo_write(false);
        }
        while self.scratch.frames.len() > base {
            if self.scratch.frames.pop().expect("frames above the base").wrote {
                self.undo_write(false);
            }
        }
    }

    /// Whether a step may come next in a move that begins as it must. Steps within patterns always may.
    #[inline]
    fn begins_so(&self, edge: &EdgeCode, square: u32) -> bool {
        let step = Step { modifier: Modifier(edge.modifier), square: Square(square) };
        let is_wanted = |&wanted: &Step| wanted == step;
        !STEPS
            || edge.modifier == NONE
            || self.beginning.get(self.scratch.path.len()).is_none_or(is_wanted)
    }

    /// Goes back to where the path was not longer than the beginning; returns whether anything is left to be tried there.
    fn leave_step(&mut self, base: usize, frame: &mut NodeFrame) -> bool {
        while self.scratch.path.len() > self.beginning.len() {
            if frame.wrote {
                self.undo_write(true);
            }
            if self.scratch.frames.len() == base {
                return false;
            }
            *frame = self.scratch.frames.pop().expect("frames above the base");
        }
        true
    }

    fn show(&mut self, edge: &EdgeCode, square: u32, visitor: &mut Visitor<'_>) -> ControlFlow<()> {
        let last = Step { modifier: Modifier(edge.modifier), square: Square(square) };
        self.scratch.path.push(last);
        let flow = visitor(&self.scratch.path);
        self.scratch.path.pop();
        flow
    }

    /// Whether the piece on a square is one that an edge may lead to.
    #[inline]
    fn admits(&self, edge: &EdgeCode, square: u32) -> bool {
        edge.guard == NONE
            || self.program.piece_in(edge.guard, self.scratch.state.piece(Square(square)))
    }

    #[inline]
    fn enter(&self, node: u32, square: u32, wrote: bool) -> NodeFrame {
        let node = &self.program.nodes[node as usize];
        NodeFrame { next: node.first, end: node.end, walked: 0, square, wrote }
    }

    /// Begins a stretch in which nothing has been visited.
    fn enter_level(&mut self, origin: Option<Origin>) -> Result<(), Fault> {
        self.scratch.depth += 1;
        if self.scratch.trail.len() > self.limits.writes {
            return Err(Fault::new(FaultKind::TooManyWrites(self.limits.writes), origin));
        }
        if self.scratch.depth >= self.scratch.levels.len() {
            self.scratch.levels.push(Level::default());
        }
        self.clear_level(origin)
    }

    fn clear_level(&mut self, origin: Option<Origin>) -> Result<(), Fault> {
        let marks = self.program.slots * self.program.squares;
        let level = &mut self.scratch.levels[self.scratch.depth];
        if level.marks.is_empty()
            && self.scratch.depth * marks * size_of::<u32>() > self.limits.memory
        {
            return Err(Fault::new(FaultKind::TooMuchMemory(self.limits.memory), origin));
        }
        if level.stamp == u32::MAX || level.marks.is_empty() {
            level.marks.clear();
            level.marks.resize(marks, 0);
            level.stamp = 0;
        }
        level.stamp += 1;
        Ok(())
    }

    /// Whether this is the first visit since the last write; what has no slot is never visited twice.
    #[inline]
    fn first_visit(&mut self, slot: u32, square: u32) -> bool {
        slot == NONE || self.mark(slot, square)
    }

    #[inline]
    fn mark(&mut self, slot: u32, square: u32) -> bool {
        let level = &mut self.scratch.levels[self.scratch.depth];
        let mark = &mut level.marks[slot as usize * self.program.squares + square as usize];
        std::mem::replace(mark, level.stamp) != level.stamp
    }

    #[inline]
    fn count_move(&mut self) -> Result<(), Fault> {
        self.scratch.found += 1;
        if self.scratch.found > self.limits.moves {
            return Err(Fault::new(FaultKind::TooManyMoves(self.limits.moves), None));
        }
        Ok(())
    }

    #[inline]
    fn count_try(&mut self, edge: &EdgeCode) -> Result<(), Fault> {
        if self.scratch.tries == 0 {
            return Err(Fault::new(FaultKind::TooManyTries(self.limits.tries), edge.origin));
        }
        self.scratch.tries -= 1;
        Ok(())
    }

    fn value(&self, expression: u32, cursor: Square) -> Option<i64> {
        let expression = &self.program.expressions[expression as usize];
        self.referee.value(expression, &self.scratch.state, cursor)
    }
}

/// How an action that succeeded left the cursor and the state.
enum Moved {
    To(u32),
    Wrote,
}
