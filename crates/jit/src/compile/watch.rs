//! Code for watches: a pattern evaluated once, with the squares on which its answer depends.

use std::collections::BTreeSet;
use std::rc::Rc;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_automaton::{Action, Pattern, Piece};
use regulus_engine::segment::{Anchor, CURSOR, Continuation, Guard, Stage};

use super::body::{Body, field};
use super::operations::Start;
use super::sets::{Set, SetVariable, words};
use super::slots::Slots;
use super::trail::Settled;
use super::{CodePurpose, FunctionKind};
use crate::context::status;

/// What is noted while a watch is evaluated: for each class of pieces that is asked for, where a test failed that they
/// pass, or, when the pattern is known to succeed, where one passed that they do not.
pub(super) struct Watching {
    watch: u32,
    succeeds: bool,
    matters: Vec<SetVariable>,
}

/// What was known of a watch before moves that put pieces: its answer, whether that was doubtful already, and for each
/// piece where it may change it.
pub(super) struct Before {
    watch: u32,
    answer: Value,
    is_unsettled: Value,
    matters: Vec<Set>,
}

impl Body<'_, '_, '_> {
    /// The function that evaluates the watches of a stage and finds all moves from it on.
    pub(super) fn enter(&mut self, stage: u32) {
        let none = self.sets.number(0);
        self.sets.b.ins().store(words(), none, self.context, field!(unsettled));
        for watch in self.compiler.watches_of[stage as usize].clone() {
            self.know(watch);
        }
        let (cursor, path) = (self.frame.parameters[2], self.frame.parameters[3]);
        let answer = self.call(FunctionKind::All(stage), &[cursor, path]);
        self.answer_with(answer);
    }

    /// Makes sure that a watch's answer holds for the board as it is; returns where the answer is.
    fn know(&mut self, watch: u32) -> Value {
        let areas = self.sets.b.ins().load(I64, words(), self.context, field!(areas));
        let at = 8 * self.compiler.watch_area(watch as usize);
        let area = self.sets.b.ins().iadd_imm_s(areas, at as i64);
        let known = self.sets.b.ins().load(I64, words(), self.context, field!(known));
        let bit = self.sets.number((1_u64 << watch) as i64);
        let is_known = self.sets.b.ins().band(known, bit);
        let (evaluate, done) = (self.sets.b.create_block(), self.sets.b.create_block());
        self.sets.b.ins().brif(is_known, done, &[], evaluate, &[]);
        self.sets.b.seal_block(evaluate);
        self.sets.b.switch_to_block(evaluate);
        self.call(FunctionKind::Watch(watch), &[area]);
        let known = self.sets.b.ins().bor(known, bit);
        self.sets.b.ins().store(words(), known, self.context, field!(known));
        self.sets.b.ins().jump(done, &[]);
        self.sets.b.seal_block(done);
        self.sets.b.switch_to_block(done);
        area
    }

    /// Whether a pattern succeeds, if a watch can say so and its answer will be of use again: a word of ones or zeros.
    pub(super) fn ask_known(&mut self, pattern: Pattern) -> Option<Value> {
        let watches = &self.segments().watches;
        let watch = watches.iter().position(|watch| watch.pattern == pattern)?;
        if self.compiler.purpose == CodePurpose::Count {
            return self.ask_settled_before(watch as u32);
        }
        if !self.frame.keeps_writes {
            return None;
        }
        let area = self.know(watch as u32);
        Some(self.sets.b.ins().load(I64, words(), area, 0))
    }

    /// The same after a move that is made to be counted: it may be known that the answer is the one from before.
    fn ask_settled_before(&mut self, watch: u32) -> Option<Value> {
        let Settled { answer, may_differ, .. } = self.trail.settled(watch)?;
        let succeeds = self.sets.b.declare_var(I64);
        self.sets.b.def_var(succeeds, answer);
        let asks = vec![Some(may_differ)];
        self.if_any(&asks, |body| {
            let found = body.test_pattern(watch);
            body.sets.b.def_var(succeeds, found);
            Some(())
        })?;
        Some(self.sets.b.use_var(succeeds))
    }

    /// Before moves are made to be counted: what is known of the watches that the keeper will ask.
    pub(super) fn begin_settled(&mut self, watches: &BTreeSet<u32>, puts: &[Piece]) -> Vec<Before> {
        let mut all = Vec::new();
        for &watch in watches {
            let areas = self.sets.b.ins().load(I64, words(), self.context, field!(areas));
            let at = 8 * self.compiler.watch_area(watch as usize) as i32;
            let answer = self.sets.b.ins().load(I64, words(), areas, at);
            let unsettled = self.sets.b.ins().load(I64, words(), self.context, field!(unsettled));
            let bit = self.sets.number((1_u64 << watch) as i64);
            let is_unsettled = self.sets.b.ins().band(unsettled, bit);
            let matters = puts.iter().map(|&piece| self.matters(watch, piece)).collect();
            all.push(Before { watch, answer, is_unsettled, matters });
        }
        all
    }

    /// After pieces have been put on squares: returns what is known of the watches then.
    pub(super) fn settled_after(&mut self, before: &[Before], squares: &[Value]) -> Vec<Settled> {
        let mut settled = Vec::new();
        for Before { watch, answer, is_unsettled, matters } in before {
            let mut may_differ = *is_unsettled;
            for (matters, &square) in matters.iter().zip(squares) {
                let matters = self.sets.contains(matters, square);
                may_differ = self.sets.b.ins().bor(may_differ, matters);
            }
            settled.push(Settled { watch: *watch, answer: *answer, may_differ });
        }
        settled
    }

    /// Whether the pattern of a watch succeeds now: a word of ones or zeros.
    fn test_pattern(&mut self, watch: u32) -> Value {
        let pattern = self.segments().watches[watch as usize].pattern;
        let cursor = self.sets.number(0);
        let found =
            self.call(FunctionKind::Test(self.segments().patterns[pattern].stage), &[cursor]);
        self.sets.ones_if(found)
    }

    /// The function that evaluates a watch. What it notes depends on whether the pattern succeeds: it supposes that it does
    /// not, and if it does, another function notes the rest.
    pub(super) fn watch(&mut self, number: u32, succeeds: bool) -> Option<()> {
        let segments = self.segments();
        let watch = &segments.watches[number as usize];
        let stage = &segments.stages[segments.patterns[watch.pattern].stage as usize];
        self.frame.slots = Slots::of_stage(self.automaton(), segments, stage);
        let empty = self.sets.empty();
        let begin = |_: &u32| {
            let variable = self.sets.variable();
            self.sets.assign(&variable, &empty);
            variable
        };
        let classes = self.compiler.classes_of[number as usize].clone();
        let matters = classes.iter().map(begin).collect();
        let cursor = self.sets.number(0);
        let start = self.sets.single(cursor);
        self.set(CURSOR, &start);
        let watching = Rc::new(Watching { watch: number, succeeds, matters });
        let found = self.sets.b.create_block();
        let start = Start {
            cursor: stage.keeps_cursor.then_some((CURSOR, cursor)),
            accept: stage.accept.filter(|_| !succeeds).map(|slot| (slot, found)),
            ..Start::default()
        };
        self.scoped(
            |body| &mut body.watching,
            Some(Rc::clone(&watching)),
            |body| body.stage_operations(&stage.operations, start),
        )?;
        let area = self.frame.parameters[2];
        let answer = self.sets.number(if succeeds { -1 } else { 0 });
        self.sets.b.ins().store(words(), answer, area, 0);
        for (class, matters) in classes.into_iter().zip(&watching.matters) {
            let matters = self.sets.read(matters);
            let at = 8 * (1 + class as usize * self.sets.words);
            self.sets.store(&matters, area, at as i32);
        }
        self.answer(status::YES);
        self.sets.b.seal_block(found);
        self.sets.b.switch_to_block(found);
        if !succeeds {
            self.call(FunctionKind::WatchSuccess(number), &[area]);
        }
        self.answer(status::YES);
        Some(())
    }

    /// The squares of a set with a piece of another set; while a watch is evaluated, it is noted which pass.
    pub(super) fn test(&mut self, set: &Set, pieces: u32) -> Set {
        let passed = self.keep_on(set, pieces);
        if let Some(watching) = self.watching.clone() {
            let watch = &self.segments().watches[watching.watch as usize];
            let failed = self.sets.without(set, &passed);
            let changes = if watching.succeeds { &passed } else { &failed };
            let classes = self.compiler.classes_of[watching.watch as usize].clone();
            for (noted, class) in watching.matters.iter().zip(classes) {
                if watch.passes(class, pieces) != watching.succeeds {
                    let before = self.sets.read(noted);
                    let both = self.sets.or(&before, changes);
                    self.sets.assign(noted, &both);
                }
            }
        }
        passed
    }

    /// Before the exits of a stage: no watch has been evaluated on the way.
    pub(super) fn begin_guards(&mut self, stage: &Stage) {
        if stage.exits.iter().any(|exit| matches!(exit.continuation, Continuation::Guard(_))) {
            let is_fresh = self.sets.b.declare_var(I64);
            let none = self.sets.number(0);
            self.sets.b.def_var(is_fresh, none);
            self.frame.is_fresh = Some(is_fresh);
        }
    }

    /// After a write: the watches on whose squares something was put are unsettled. Returns what was so before.
    pub(super) fn unsettle(&mut self, next: u32, action: &Action, square: Value) -> Option<Value> {
        let watches = self.compiler.watches_of[next as usize].clone();
        if watches.is_empty() || !matches!(action, Action::Put(_) | Action::PutHeld(_)) {
            return None;
        }
        let before = self.sets.b.ins().load(I64, words(), self.context, field!(unsettled));
        let mut unsettled = before;
        for number in watches {
            let matters = match action {
                Action::Put(piece) => {
                    let matters = self.matters(number, *piece);
                    self.sets.contains(&matters, square)
                }
                _ => self.sets.number(1),
            };
            let matters = self.sets.b.ins().ishl_imm_s(matters, i64::from(number));
            unsettled = self.sets.b.ins().bor(unsettled, matters);
        }
        self.sets.b.ins().store(words(), unsettled, self.context, field!(unsettled));
        Some(before)
    }

    /// The squares on which a piece may change a watch's answer, as it was before the move.
    pub(super) fn matters(&mut self, number: u32, piece: Piece) -> Set {
        let watch = &self.segments().watches[number as usize];
        let areas = self.sets.b.ins().load(I64, words(), self.context, field!(areas));
        let class = watch.class_of[piece] as usize;
        let at = self.compiler.watch_area(number as usize) + 1 + class * self.sets.words;
        self.sets.load(areas, 8 * at as i32, words())
    }

    /// Before a write is taken back.
    pub(super) fn settle(&mut self, before: Option<Value>) {
        if let Some(before) = before {
            self.sets.b.ins().store(words(), before, self.context, field!(unsettled));
        }
        // Whatever was called may have evaluated a watch for itself.
        if let Some(is_fresh) = self.frame.is_fresh {
            let none = self.sets.number(0);
            self.sets.b.def_var(is_fresh, none);
        }
    }

    /// The squares where a guarded exit surely ends the move, and those where it must be tried.
    pub(super) fn ask_watch(&mut self, guard: &Guard, squares: &Set) -> Option<(Set, Set)> {
        let watch = &self.segments().watches[guard.watch as usize];
        let size = 8 * self.compiler.answer_words(watch) as i64;
        let at = 8 * self.compiler.watch_area(guard.watch as usize) as i64;
        let areas = self.sets.b.ins().load(I64, words(), self.context, field!(areas));
        let before = self.sets.b.ins().iadd_imm_s(areas, at);
        let here = self.sets.b.ins().iadd_imm_s(before, size);
        let unsettled = self.sets.b.ins().load(I64, words(), self.context, field!(unsettled));
        let bit = self.sets.number((1_u64 << guard.watch) as i64);
        let is_unsettled = self.sets.b.ins().band(unsettled, bit);
        if guard.is_lone {
            return self.ask_alone(guard, squares, before, is_unsettled);
        }
        if let Some(anchor) = watch.anchor
            && let Some(piece) = guard.piece
            && self.segments().piece_sets[anchor.pieces as usize].contains(piece)
        {
            return self.ask_anchor(guard, anchor, squares, [before, here, is_unsettled]);
        }
        self.ask_settled(guard, squares, [before, here, is_unsettled])
    }

    /// The same for a piece from whose square the pattern sets out: when there is no other, a survey knows everything.
    fn ask_anchor(
        &mut self,
        guard: &Guard,
        anchor: Anchor,
        squares: &Set,
        settled: [Value; 3],
    ) -> Option<(Set, Set)> {
        let (sure, rest) = (self.sets.variable(), self.sets.variable());
        let all = self.all_squares();
        let others = self.keep_on(&all, anchor.pieces);
        let any = self.sets.any_or_zero(&others);
        let (alone, not_alone, done) =
            (self.sets.b.create_block(), self.sets.b.create_block(), self.sets.b.create_block());
        self.sets.b.ins().brif(any, not_alone, &[], alone, &[]);
        self.sets.b.seal_block(alone);
        self.sets.b.seal_block(not_alone);
        self.sets.b.switch_to_block(alone);
        let succeeds = self.call_survey(anchor.survey);
        let safe = self.sets.without(squares, &succeeds);
        self.sets.assign(&sure, &safe);
        let empty = self.sets.empty();
        self.sets.assign(&rest, &empty);
        self.sets.b.ins().jump(done, &[]);
        self.sets.b.switch_to_block(not_alone);
        let (settled_sure, settled_rest) =
            self.in_branch(|body| body.ask_settled(guard, squares, settled))?;
        self.sets.assign(&sure, &settled_sure);
        self.sets.assign(&rest, &settled_rest);
        self.sets.b.ins().jump(done, &[]);
        self.sets.b.seal_block(done);
        self.sets.b.switch_to_block(done);
        Some((self.sets.read(&sure), self.sets.read(&rest)))
    }

    /// The same by what the watch says, which is evaluated on the way if it is unsettled: where its answers from before the
    /// move and on the way are, and whether it is.
    fn ask_settled(
        &mut self,
        guard: &Guard,
        squares: &Set,
        [before, here, is_unsettled]: [Value; 3],
    ) -> Option<(Set, Set)> {
        let watch = &self.segments().watches[guard.watch as usize];
        let (look, evaluate, done) =
            (self.sets.b.create_block(), self.sets.b.create_block(), self.sets.b.create_block());
        let area = self.sets.b.append_block_param(done, I64);
        self.sets.b.ins().brif(is_unsettled, look, &[], done, &[before.into()]);
        self.sets.b.seal_block(look);
        self.sets.b.switch_to_block(look);
        let is_fresh = self.frame.is_fresh.expect("the stage has guards");
        let fresh = self.sets.b.use_var(is_fresh);
        let number = self.sets.number(i64::from(guard.watch) + 1);
        let differs = self.sets.b.ins().bxor(fresh, number);
        self.sets.b.ins().brif(differs, evaluate, &[], done, &[here.into()]);
        self.sets.b.seal_block(evaluate);
        self.sets.b.switch_to_block(evaluate);
        self.call(FunctionKind::Watch(guard.watch), &[here]);
        self.sets.b.def_var(is_fresh, number);
        self.sets.b.ins().jump(done, &[here.into()]);
        self.sets.b.seal_block(done);
        self.sets.b.switch_to_block(done);
        let succeeds = self.sets.b.ins().load(I64, words(), area, 0);
        let fails = self.sets.b.ins().bnot(succeeds);
        let (sure, rest) = match guard.piece {
            Some(piece) => {
                let class = watch.class_of[piece] as usize;
                let at = 8 * (1 + class * self.sets.words) as i32;
                let matters = self.sets.load(area, at, words());
                (self.sets.without(squares, &matters), self.sets.and(squares, &matters))
            }
            None => (squares.clone(), self.sets.empty()),
        };
        Some((self.sets.when(&sure, fails), rest))
    }

    /// The same for one square: when the watch is unsettled, the move is tried.
    fn ask_alone(
        &mut self,
        guard: &Guard,
        squares: &Set,
        area: Value,
        is_unsettled: Value,
    ) -> Option<(Set, Set)> {
        let watch = &self.segments().watches[guard.watch as usize];
        let unsettled = self.sets.ones_if(is_unsettled);
        if guard.piece.is_none() {
            // Nothing is put here, so the pattern can be asked at once.
            let succeeds = self.sets.b.declare_var(I64);
            let known = self.sets.b.ins().load(I64, words(), area, 0);
            self.sets.b.def_var(succeeds, known);
            let asks = vec![Some(unsettled)];
            self.if_any(&asks, |body| {
                let found = body.test_pattern(guard.watch);
                body.sets.b.def_var(succeeds, found);
                Some(())
            })?;
            let succeeds = self.sets.b.use_var(succeeds);
            let fails = self.sets.b.ins().bnot(succeeds);
            return Some((self.sets.when(squares, fails), self.sets.empty()));
        }
        let class = watch.class_of[guard.piece?] as usize;
        let at = 8 * (1 + class * self.sets.words) as i32;
        let matters = self.sets.load(area, at, words());
        let succeeds = self.sets.b.ins().load(I64, words(), area, 0);
        let settled = self.sets.b.ins().bnot(unsettled);
        let sure = self.sets.b.ins().band_not(settled, succeeds);
        let sure = self.sets.when(squares, sure);
        let sure = self.sets.without(&sure, &matters);
        let unknown = self.sets.when(squares, unsettled);
        let matter = self.sets.and(squares, &matters);
        Some((sure, self.sets.or(&unknown, &matter)))
    }
}
