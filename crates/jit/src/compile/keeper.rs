//! Code for what the keeper does after a move: its moves follow one another without being looked up, as far as it is known
//! which come next.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_automaton::{Action, Node, Register, Variable};
use regulus_engine::Limits;
use regulus_engine::Rules as _;
use regulus_engine::segment::{Continuation, Exit, Operation, Stage, Transfer, TransferKind};

use super::body::Body;
use super::known::lone_exit;
use super::{CodePurpose, Compiler, FunctionKind};
use crate::context::status;

/// The keeper's moves are counted only roughly where they follow one another, so there must be more than enough of them.
const ENOUGH_KEEPER_MOVES: u64 = 1 << 11;

/// Work through more stages than this one after the other is without bounds; in games with more than
/// [`MAX_STAGES_OF_GAME`] stages no code looks ahead.
pub(super) const MAX_STAGES: usize = 64;
const MAX_STAGES_OF_GAME: usize = 1 << 10;

/// Work that can be tried in more ways than this is without bounds, too.
const MAX_WAYS: u32 = 1 << 10;

/// How much code there may be in place of calls: in all, in a function of the keeper's, and in one that plays a move.
pub(super) const ROOM: u32 = 8_000;
pub(super) const ROOM_FOR_KEEPER: u32 = 16;
pub(super) const ROOM_AFTER_MOVE: u32 = 64;

/// How much code a stage may be to be written in place of a call, and how much all that the keeper does after a move.
const MAX_IN_PLACE: u32 = 80;
const MAX_TOGETHER: u32 = 400;

/// What the keeper may do from a stage on, until a player is in control.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) stages: BTreeSet<u32>,
    pub(super) puts: bool,
    pub(super) variables: BTreeSet<Variable>,
    pub(super) registers: BTreeSet<Register>,
    /// Present when it is not much, and the keeper never comes back to where it was.
    pub(super) bounds: Option<Bounds>,
}

/// How much work can become.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    /// How many pieces are put one after the other.
    pub(super) puts: u32,
    /// In how many ways it can be tried.
    ways: u32,
    /// How much code it is when every way is written for itself; absent when something is too much for that.
    size: Option<u32>,
}

impl Bounds {
    /// Whether all of it can be written in place of calls.
    pub(super) fn fits_in_place(self) -> bool {
        self.size.is_some_and(|size| size <= MAX_TOGETHER)
    }
}

impl Work {
    pub(super) fn add(&mut self, action: &Action) {
        match action {
            Action::Put(_) | Action::PutHeld(_) => self.puts = true,
            Action::Assign(variable, _) => {
                self.variables.insert(*variable);
            }
            Action::Save(register) => {
                self.registers.insert(*register);
            }
            _ => {}
        }
    }
}

impl Compiler<'_> {
    /// What the keeper may do from a stage on.
    pub(super) fn keeper_work(&mut self, stage: u32) -> Rc<Work> {
        if let Some(work) = self.works.get(&stage) {
            return Rc::clone(work);
        }
        let mut work = Work::default();
        let mut left = vec![stage];
        while let Some(stage) = left.pop() {
            if !work.stages.insert(stage) {
                continue;
            }
            for exit in &self.plan.segments().stages[stage as usize].exits {
                work.add(&exit.action);
                left.extend(self.next_stage(exit));
            }
        }
        work.bounds = self
            .bounds(stage, &mut Vec::new(), &mut BTreeMap::new())
            .filter(|bounds| bounds.ways <= MAX_WAYS);
        let work = Rc::new(work);
        self.works.insert(stage, Rc::clone(&work));
        work
    }

    /// How much the keeper's work can become from a stage on, that is reached on a way through others.
    fn bounds(
        &self,
        stage: u32,
        way: &mut Vec<u32>,
        known: &mut BTreeMap<u32, Bounds>,
    ) -> Option<Bounds> {
        if let Some(bounds) = known.get(&stage) {
            return Some(*bounds);
        }
        if way.contains(&stage) || way.len() == MAX_STAGES {
            return None;
        }
        way.push(stage);
        let mut bounds = Bounds { puts: 0, ways: 1, size: self.is_small(stage) };
        for exit in &self.plan.segments().stages[stage as usize].exits {
            let next = match self.next_stage(exit) {
                Some(next) => self.bounds(next, way, known)?,
                None => Bounds { puts: 0, ways: 1, size: Some(0) },
            };
            bounds.ways = bounds.ways.saturating_add(next.ways);
            let put = u32::from(matches!(exit.action, Action::Put(_) | Action::PutHeld(_)));
            bounds.puts = bounds.puts.max(put + next.puts);
            // How often what follows is written.
            let times = match &exit.continuation {
                Continuation::Probe(..) => 2,
                Continuation::Spread(spreads) => spreads.len() as u32,
                _ => 1,
            };
            let add = |(size, more): (u32, u32)| size.saturating_add(more.saturating_mul(times));
            bounds.size = bounds.size.zip(next.size).map(add);
        }
        way.pop();
        known.insert(stage, bounds);
        Some(bounds)
    }

    /// Reserves room for code that is written in place of calls; returns how much there was, up to what is wanted.
    pub(super) fn reserve(&mut self, wanted: u32) -> u32 {
        let granted = wanted.min(self.room);
        self.room -= granted;
        granted
    }

    /// Gives back room that was reserved and not taken.
    pub(super) fn give_back(&mut self, room: u32) {
        self.room += room;
    }

    /// Whether it can be asked what the keeper will do: the few writes and moves that are not counted then must not matter,
    /// and the answers must not take too long.
    pub(super) fn looks_ahead(&self) -> bool {
        let Limits { writes, tries, keeper_moves, .. } = self.plan.referee().limits;
        let is_ample =
            writes > 2 * MAX_STAGES && tries > 1 << 16 && keeper_moves > ENOUGH_KEEPER_MOVES;
        is_ample && self.plan.segments().stages.len() <= MAX_STAGES_OF_GAME
    }

    /// Whether the writes that follow a stage on its cursor's square need not be counted.
    pub(super) fn is_bounded(&mut self, stage: u32) -> bool {
        self.looks_ahead() && self.keeper_work(stage).bounds.is_some()
    }

    /// How much is tried from a stage on without being counted.
    pub(super) fn uncounted(&mut self, stage: u32) -> u64 {
        if !self.looks_ahead() {
            return 0;
        }
        self.keeper_work(stage).bounds.map_or(0, |bounds| u64::from(bounds.ways))
    }

    /// The watches whose patterns the keeper asks from a stage on.
    pub(super) fn keeper_asks(&mut self, stage: u32) -> BTreeSet<u32> {
        let work = self.keeper_work(stage);
        let segments = self.plan.segments();
        let operations =
            work.stages.iter().flat_map(|&stage| &segments.stages[stage as usize].operations);
        let asked = |operation: &Operation| match operation {
            Operation::Transfer(Transfer { kind: TransferKind::Check(pattern, _), .. }) => {
                segments.watches.iter().position(|watch| watch.pattern == *pattern)
            }
            _ => None,
        };
        operations.filter_map(asked).map(|watch| watch as u32).collect()
    }

    /// Where every move is made, what the keeper asks after it is watched, too: then most moves leave the answer as it was.
    pub(super) fn watch_what_the_keeper_asks(&mut self) {
        let asked_after = self.watches_asked_after();
        for (watches, asks) in self.watches_of.iter_mut().zip(asked_after) {
            let all: BTreeSet<u32> = watches.drain(..).chain(asks).collect();
            watches.extend(all);
        }
        // Pieces matter that are put on the way, or by the keeper itself.
        let stages = &self.plan.segments().stages;
        for (number, stage) in stages.iter().enumerate() {
            let watches = self.watches_of[number].clone();
            self.add_classes(&watches, stage);
            for exit in stage.exits.iter().filter(|exit| matches!(exit.action, Action::Keeper)) {
                let Some(next) = self.next_stage(exit) else { continue };
                for &stage in &self.keeper_work(next).stages {
                    self.add_classes(&watches, &stages[stage as usize]);
                }
            }
        }
    }

    /// For each stage the watches that the keeper asks after moves from there on, where it can be known what it does.
    fn watches_asked_after(&mut self) -> Vec<BTreeSet<u32>> {
        let stages = &self.plan.segments().stages;
        let mut asked = vec![BTreeSet::new(); stages.len()];
        for (stage, asks) in stages.iter().zip(&mut asked) {
            for exit in stage.exits.iter().filter(|exit| matches!(exit.action, Action::Keeper)) {
                // The first writes may be part of the move; what is left then may fit when all of it does not.
                for next in self.stages_without_choice(exit) {
                    if self.keeper_work(next).bounds.is_some_and(Bounds::fits_in_place) {
                        asks.extend(self.keeper_asks(next));
                    }
                }
            }
        }
        let is_write = |exit: &&Exit| {
            exit.modifier.is_some() && !matches!(exit.action, Action::Turn(_) | Action::Keeper)
        };
        let mut changed = true;
        while changed {
            changed = false;
            for (number, stage) in stages.iter().enumerate() {
                let mut asks = std::mem::take(&mut asked[number]);
                let count = asks.len();
                for exit in stage.exits.iter().filter(is_write) {
                    asks.extend(&asked[exit.stage as usize]);
                }
                changed |= asks.len() > count;
                asked[number] = asks;
            }
        }
        asked
    }

    /// Notes that the pieces that a stage puts are put before watches are asked.
    fn add_classes(&mut self, watches: &[u32], stage: &Stage) {
        for &watch in watches {
            let class_of = &self.plan.segments().watches[watch as usize].class_of;
            let classes = &mut self.classes_of[watch as usize];
            for exit in &stage.exits {
                if let Action::Put(piece) = exit.action
                    && !classes.contains(&class_of[piece])
                {
                    classes.push(class_of[piece]);
                }
            }
        }
    }

    /// The stage that follows an exit, if no player comes first.
    fn next_stage(&self, exit: &Exit) -> Option<u32> {
        match self.plan.referee().modifiers[exit.modifier?].as_ref()? {
            (Action::Turn(_), _) => None,
            (Action::Keeper, node) => self.plan.segments().stage_of[*node],
            _ => Some(exit.stage),
        }
    }

    /// The stage that follows an exit, and those that follow it as long as there is only one way.
    fn stages_without_choice(&self, exit: &Exit) -> Vec<u32> {
        let mut stages: Vec<u32> = self.next_stage(exit).into_iter().collect();
        while let Some(&last) = stages.last()
            && let Some(lone) = lone_exit(self.plan.segments(), last)
            && let Some(next) = self.next_stage(lone)
            && !stages.contains(&next)
        {
            stages.push(next);
        }
        stages
    }

    /// The stage of the keeper's next move, if it can follow at once upon one that ends in a stage: that is when it never
    /// comes back there.
    fn following_stage(&mut self, ends_in: Option<u32>, node: Node) -> Option<u32> {
        let next = self.plan.segments().stage_of[node].filter(|_| self.looks_ahead())?;
        let comes_back = |stage: u32| self.keeper_work(next).stages.contains(&stage);
        (!ends_in.is_some_and(comes_back)).then_some(next)
    }

    /// How much code a stage is, if it may be written in place of a call.
    fn is_small(&self, stage: u32) -> Option<u32> {
        let stage = &self.plan.segments().stages[stage as usize];
        let cost = |operation: &Operation| match operation {
            Operation::Transfer(transfer) => match transfer.kind {
                TransferKind::Check(..) | TransferKind::IfEach(_) | TransferKind::Jump(_) => 4,
                TransferKind::CheckAll(..) => 8,
                _ => 1,
            },
            Operation::Along { .. } => 4,
            Operation::Repeat(_) | Operation::AlongBack { .. } => 8,
            Operation::Skip(..) => 0,
        };
        let operations = stage.operations.iter().map(cost).sum::<u32>();
        let cost = operations * self.words.min(2) as u32 + 4 * stage.exits.len() as u32;
        (cost <= MAX_IN_PLACE).then_some(cost)
    }
}

impl Body<'_, '_, '_> {
    /// Ends a move of the keeper: it takes over again at a node, and goes on at once if it is known how.
    pub(super) fn keep_on_moving(&mut self, node: Node, square: Value) -> Option<()> {
        if let Some(next) = self.compiler.following_stage(self.frame.stage, node) {
            let status = self.answer_if_first(next, square)?;
            if self.compiler.purpose == CodePurpose::Count {
                let gives_up = self.sets.b.ins().icmp_imm_s(IntCC::Equal, status, status::GIVE_UP);
                self.give_up_if(gives_up);
            }
        }
        // The caller lets `plan` find out that the keeper is stuck here, or which limit it reaches.
        self.hand_over(node, None, square);
        Some(())
    }

    /// Does the first move from a stage on; returns the status.
    pub(super) fn first_from(&mut self, stage: u32, square: Value) -> Option<Value> {
        let first = if self.is_quick {
            FunctionKind::QuickFirst(stage)
        } else {
            FunctionKind::First(stage)
        };
        if self.compiler.is_small(stage).is_some_and(|size| self.room.take(size)) {
            return self.stage_in_place(first, stage, square);
        }
        // Where room was made for everything, nothing is called.
        if self.room.is_enough() { None } else { Some(self.call(first, &[square])) }
    }

    /// Makes room for all that the keeper does from a stage on, to be written in place of calls; returns whether there is.
    pub(super) fn make_room_for(&mut self, stage: u32) -> bool {
        if !self.compiler.looks_ahead() {
            return false;
        }
        let bounds = self.compiler.keeper_work(stage).bounds;
        let size = bounds.filter(|bounds| bounds.fits_in_place()).and_then(|bounds| bounds.size);
        match size {
            Some(size) if self.room.left() + self.compiler.room >= size => {
                let more = self.compiler.reserve(size.saturating_sub(self.room.left()));
                self.room.add(more);
                true
            }
            _ => false,
        }
    }
}
