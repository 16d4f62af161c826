//! Makes code shorter: slots that are never read are left out, tests join what comes before them, lines that begin and
//! end together become one operation.

use std::collections::{HashMap, HashSet};

use regulus_automaton::Lists;

use super::code::{CodeBlock, Pace, SetOp, SetOpKind, Star, Stride};
use super::tables::SetTables;
use crate::segment::{CURSOR, Slot};

/// Code that is being made.
pub(super) struct Outline {
    pub(super) ops: Vec<SetOp>,
    pub(super) slots: Slot,
    pub(super) full: Vec<Slot>,
    pub(super) results: Vec<Slot>,
    pub(super) accept: Option<Slot>,
    /// Whether it begins with the cursor in the first slot.
    pub(super) has_cursor: bool,
}

/// Fewer operations than this are done without asking whether they are needed.
const WORTH_SKIPPING: usize = 4;

/// At most this many steps are done one by one, on boards whose sets take at most [`NARROW`] words.
const FEW_STEPS: usize = 4;
/// The words of a set on a small board.
const NARROW: usize = 2;

/// What doing nothing is charged for.
const BASE_COST: u64 = 8;

/// Simplifies and finishes.
pub(super) fn simplify(outline: Outline, tables: &mut SetTables) -> CodeBlock {
    let mut draft = BlockDraft::new(&outline, tables);
    draft.drop_unread(&outline.results);
    draft.join_tests();
    draft.merge_twins();
    draft.join_lines();
    draft.find_floods();
    if outline.has_cursor {
        draft.read_rows();
    }
    draft.accept_at_once();
    draft.drop_skips();
    draft.batch_steps();
    let ops = draft.compact();
    finish(Outline { ops, ..outline })
}

/// Simplifies code that must do every test, even where the result is never read.
pub(super) fn simplify_watched(outline: Outline, tables: &mut SetTables) -> CodeBlock {
    let mut draft = BlockDraft::new(&outline, tables);
    draft.merge_unread();
    draft.merge_twins();
    draft.drop_skips();
    draft.merge_stars();
    let ops = draft.compact();
    finish(Outline { ops, ..outline })
}

/// Numbers slots anew, without those that are not used.
fn finish(mut outline: Outline) -> CodeBlock {
    let mut numbers = vec![None; outline.slots as usize];
    let mut count = 0;
    let mut number = |slot: &mut Slot| {
        let number = numbers[*slot as usize].get_or_insert_with(|| {
            count += 1;
            count - 1
        });
        *slot = *number;
    };
    number(&mut { CURSOR });
    for op in &mut outline.ops {
        number(&mut op.from);
        number(&mut op.to);
        if let SetOpKind::Except { other } = &mut op.act {
            number(other);
        }
    }
    outline.full.iter_mut().chain(&mut outline.results).for_each(&mut number);
    outline.accept.iter_mut().for_each(&mut number);
    let Outline { mut ops, full, results, accept, .. } = outline;
    let paces = pace_batches(&mut ops);
    let at_once =
        match ops.first() {
            Some(&SetOp {
                from: CURSOR, to, act: SetOpKind::Flood { rows, succeeds, .. }, ..
            }) if to != CURSOR => Some((rows, succeeds)),
            _ => None,
        };
    let cost = BASE_COST + ops.iter().map(SetOp::cost).sum::<u64>();
    CodeBlock { ops, slots: count as usize, full, results, accept, at_once, paces, cost }
}

/// Makes paces of the steps of batches.
fn pace_batches(ops: &mut [SetOp]) -> Vec<Pace> {
    let mut all = Vec::new();
    for at in 0..ops.len() {
        let (batch, rest) = ops[at..].split_first_mut().expect("there is an operation");
        let SetOpKind::Batch { count, paces } = &mut batch.act else { continue };
        let steps: Option<Vec<Pace>> = rest[..*count as usize].iter().map(SetOp::pace).collect();
        if let Some(steps) = steps {
            *paces = Some(all.len() as u32);
            all.extend(steps);
        }
    }
    all
}

struct BlockDraft<'a> {
    /// Operations that are no longer needed leave a gap, so that the others keep their places.
    ops: Vec<Option<SetOp>>,
    /// Whether an operation is part of a repetition.
    repeated: Vec<bool>,
    slots: Slot,
    /// The slots that are written or read by others.
    kept: Vec<Slot>,
    accept: Option<Slot>,
    /// The slots that have been made of several.
    merged: Vec<bool>,
    /// Where batches of steps begin, how many steps are in each.
    batches: Vec<u32>,
    tables: &'a mut SetTables,
}

/// Who reads and writes each slot.
struct SlotUses {
    readers: Lists<usize>,
    writers: Lists<usize>,
}

impl<'a> BlockDraft<'a> {
    fn new(outline: &Outline, tables: &'a mut SetTables) -> BlockDraft<'a> {
        let Outline { ops, slots, full, results, accept, .. } = outline;
        let mut repeated = vec![false; ops.len()];
        for (at, op) in ops.iter().enumerate() {
            if op.repeats() > 0 {
                repeated[at..=at + op.repeats()].fill(true);
            }
        }
        let kept = results.iter().chain(accept).chain(full).chain([&CURSOR]).copied().collect();
        BlockDraft {
            ops: ops.iter().copied().map(Some).collect(),
            repeated,
            slots: *slots,
            kept,
            accept: *accept,
            merged: vec![false; *slots as usize],
            batches: vec![0; ops.len()],
            tables,
        }
    }

    /// The slots that an operation reads.
    fn reads(op: &SetOp) -> impl Iterator<Item = Slot> + Clone + use<> {
        let other = if let SetOpKind::Except { other } = op.act { Some(other) } else { None };
        let loops = if let SetOpKind::Flood { .. } = op.act { Some(op.to) } else { None };
        [op.from].into_iter().chain(other).chain(loops)
    }

    fn writes(op: &SetOp, slot: Slot) -> bool {
        op.to == slot || matches!(op.act, SetOpKind::Flood { .. }) && op.from == slot
    }

    fn uses(&self) -> SlotUses {
        let ops = self.ops.iter().enumerate();
        let adds = ops.filter_map(|(at, op)| Some((at, op.filter(SetOp::adds)?)));
        let reads = adds
            .clone()
            .flat_map(|(at, op)| BlockDraft::reads(&op).map(move |slot| (slot as usize, at)));
        let writes = adds.map(|(at, op)| (op.to as usize, at));
        let slots = self.slots as usize;
        SlotUses { readers: Lists::grouped(slots, reads), writers: Lists::grouped(slots, writes) }
    }

    /// Leaves out what is written to slots that are not read any more.
    fn drop_unread(&mut self, results: &[Slot]) {
        let mut read = vec![false; self.slots as usize];
        results.iter().chain(&self.accept).for_each(|&slot| read[slot as usize] = true);
        let mut end = self.ops.len();
        while end > 0 {
            let mut start = end - 1;
            while start > 0
                && self.repeated[end - 1]
                && self.repeated[start - 1]
                && !self.begins_repetition(start)
            {
                start -= 1;
            }
            // What is repeated reads what it has written.
            let mut changed = true;
            while changed {
                changed = false;
                for op in self.ops[start..end].iter().rev().flatten().filter(|op| op.adds()) {
                    if read[op.to as usize] {
                        for slot in BlockDraft::reads(op) {
                            changed |= !std::mem::replace(&mut read[slot as usize], true);
                        }
                    }
                }
            }
            for op in &mut self.ops[start..end] {
                if op.is_some_and(|op| op.adds() && !read[op.to as usize]) {
                    *op = None;
                }
            }
            end = start;
        }
    }

    /// Whether a repetition begins at a place.
    fn begins_repetition(&self, at: usize) -> bool {
        self.ops[at].is_some_and(|op| op.repeats() > 0)
    }

    /// Merges all slots that are never read into one.
    fn merge_unread(&mut self) {
        let uses = self.uses();
        let is_unread =
            |slot: Slot| uses.readers[slot as usize].is_empty() && !self.kept.contains(&slot);
        let unread: Vec<bool> = (0..self.slots).map(is_unread).collect();
        let Some(first) = unread.iter().position(|&is_unread| is_unread) else { return };
        for op in self.ops.iter_mut().flatten().filter(|op| op.adds()) {
            if unread[op.to as usize] {
                op.to = first as Slot;
            }
        }
    }

    /// Makes one slot of those whose squares go the same ways. What was done for each of them is then done once, where it
    /// was done last: all is there by then.
    fn merge_twins(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            let uses = self.uses();
            let mut slots_of: HashMap<Vec<SetOp>, Slot> = HashMap::new();
            let mut names: Vec<Slot> = (0..self.slots).collect();
            for slot in 0..self.slots {
                if let Some(ways) = self.ways_from(slot, &uses) {
                    let first = *slots_of.entry(ways).or_insert(slot);
                    names[slot as usize] = first;
                    if first != slot {
                        self.merged[first as usize] = true;
                        changed = true;
                    }
                }
            }
            for op in self.ops.iter_mut().flatten() {
                op.from = names[op.from as usize];
                op.to = names[op.to as usize];
            }
            if changed {
                self.drop_doubles();
            }
        }
    }

    /// The operations on the squares of a slot, as if it were the first one; `None` if the slot must stay separate.
    fn ways_from(&self, slot: Slot, uses: &SlotUses) -> Option<Vec<SetOp>> {
        let (readers, writers) = (&uses.readers[slot as usize], &uses.writers[slot as usize]);
        let is_repeated = readers.iter().chain(writers).any(|&at| self.repeated[at]);
        if readers.is_empty() || is_repeated || self.kept.contains(&slot) {
            return None;
        }
        let ways = readers.iter().map(|&at| {
            let op = self.ops[at].filter(|op| op.from == slot && op.to != slot)?;
            let is_simple = !matches!(op.act, SetOpKind::Except { .. } | SetOpKind::Other { .. });
            is_simple.then_some(SetOp { from: CURSOR, ..op })
        });
        ways.collect()
    }

    /// Leaves out operations that are done again later.
    fn drop_doubles(&mut self) {
        let mut seen = HashSet::new();
        for at in (0..self.ops.len()).rev() {
            let Some(op) = self.ops[at].filter(SetOp::adds) else { continue };
            if !self.repeated[at] && !seen.insert(op) {
                self.ops[at] = None;
            }
        }
    }

    /// Joins an operation with the one test that its squares go through.
    fn join_tests(&mut self) {
        let mut uses = self.uses();
        for at in 0..self.ops.len() {
            let Some((op, next, reader)) = self.pair(at, &uses) else { continue };
            let all = self.tables.all();
            let test = match next.act {
                SetOpKind::Same => next.within,
                SetOpKind::Step { mask, distance: 0 } if next.within == all => mask,
                _ => continue,
            };
            let within = match (op.within, test) {
                (within, test) if test == all || within == test => within,
                (within, test) if within == all => test,
                _ => continue,
            };
            self.ops[reader] = Some(SetOp { to: next.to, within, ..op });
            self.ops[at] = None;
            BlockDraft::reads(&op).for_each(|slot| {
                uses.readers[slot as usize]
                    .iter_mut()
                    .filter(|place| **place == at)
                    .for_each(|place| *place = reader);
            });
        }
    }

    /// An operation whose squares go to one other operation and nowhere else, that operation, and its place.
    fn pair(&self, at: usize, uses: &SlotUses) -> Option<(SetOp, SetOp, usize)> {
        let op = self.ops[at].filter(SetOp::is_bounded)?;
        let slot = op.to as usize;
        let (&[writer], &[reader]) = (&uses.writers[slot], &uses.readers[slot]) else {
            return None;
        };
        let next = self.ops[reader].filter(SetOp::is_bounded)?;
        let is_alone = writer == at && reader > at && !self.kept.contains(&op.to);
        let is_once = !self.repeated[at] && !self.repeated[reader];
        // What is read must be the same at the later place.
        let is_complete = BlockDraft::reads(&op)
            .all(|slot| uses.writers[slot as usize].iter().all(|&writer| writer <= at));
        (is_alone && is_once && is_complete && next.from == op.to).then_some((op, next, reader))
    }

    /// Joins lines.
    ///
    /// ```text
    /// Row  from ▶ to, one step in each direction
    /// Star from ▶ a, over empty squares, where it is empty      Star from ▶ to, over empty squares,
    /// Step a ▶ to, one step in the same direction          ▶         in all directions
    /// ```
    fn join_lines(&mut self) {
        let uses = self.uses();
        let all = self.tables.all();
        for at in 0..self.ops.len() {
            let Some((op, next, reader)) = self.pair(at, &uses) else { continue };
            let (SetOpKind::Star { star, through }, SetOpKind::Step { mask, distance }) =
                (op.act, next.act)
            else {
                continue;
            };
            let step = Stride { mask, distance };
            let goes_on = op.within == through
                && next.within == all
                && self.steps_of(star) == Some(step)
                && self.ops.iter().flatten().any(|first| {
                    (first.from, first.to, first.within) == (op.from, next.to, all)
                        && self.includes(first.act, step)
                });
            if goes_on {
                self.ops[reader] = Some(SetOp { to: next.to, within: all, ..op });
                self.ops[at] = None;
            }
        }
        self.drop_skips();
        self.merge_stars();
    }

    /// The step that all lines of a star are made of, when it does not include where it starts.
    fn steps_of(&self, star: u32) -> Option<Stride> {
        let Star { lines, includes_start, .. } = &self.tables.stars[star as usize];
        match lines.as_slice() {
            [line] if !includes_start => match self.tables.strides(line.steps) {
                &[step] => Some(step),
                _ => None,
            },
            _ => None,
        }
    }

    fn includes(&self, act: SetOpKind, step: Stride) -> bool {
        match act {
            SetOpKind::Step { mask, distance } => Stride { mask, distance } == step,
            SetOpKind::Steps { first, count, .. } => {
                self.tables.strides((first, count)).contains(&step)
            }
            _ => false,
        }
    }

    /// Makes one star of stars that stand together.
    fn merge_stars(&mut self) {
        let mut before: Option<usize> = None;
        for at in 0..self.ops.len() {
            let Some(op) = self.ops[at] else { continue };
            if let Some(earlier) = before
                && let Some(merged) = self.merged(self.ops[earlier], op)
            {
                // At the later place: an operation may be left out at the earlier one.
                self.ops[at] = Some(merged);
                self.ops[earlier] = None;
            }
            before = (!self.repeated[at]).then_some(at);
        }
    }

    fn merged(&mut self, earlier: Option<SetOp>, later: SetOp) -> Option<SetOp> {
        let earlier = earlier?;
        let (act, stars) = match (earlier.act, later.act) {
            (SetOpKind::Star { star: a, through }, SetOpKind::Star { star: b, through: other })
                if through == other =>
            {
                (SetOpKind::Star { star: self.tables.stars.len() as u32, through }, (a, b))
            }
            (
                SetOpKind::StarBack { star: a, through },
                SetOpKind::StarBack { star: b, through: other },
            ) if through == other => {
                (SetOpKind::StarBack { star: self.tables.stars.len() as u32, through }, (a, b))
            }
            _ => return None,
        };
        let merged = SetOp { act, ..later };
        let mut star = self.tables.stars[stars.0 as usize].clone();
        let other = &self.tables.stars[stars.1 as usize];
        if merged != (SetOp { act, ..earlier }) || star.includes_start != other.includes_start {
            return None;
        }
        star.lines.extend(&other.lines);
        star.ascending.extend(&other.ascending);
        star.descending.extend(&other.descending);
        self.tables.stars.push(star);
        Some(merged)
    }

    /// Finds repetitions that go by the same steps over a set.
    fn find_floods(&mut self) {
        let all = self.tables.all();
        for at in 0..self.ops.len() {
            let Some(SetOp { act: SetOpKind::Repeat { count }, .. }) = self.ops[at] else {
                continue;
            };
            let body: Vec<usize> =
                (at + 1..=at + count as usize).filter(|&at| self.ops[at].is_some()).collect();
            let parts: Vec<SetOp> = body.iter().filter_map(|&at| self.ops[at]).collect();
            let (op, steps) = match parts.as_slice() {
                [go, test]
                    if go.from != go.to
                        && (go.from, go.to, go.within) == (test.to, test.from, all)
                        && test.act == SetOpKind::Same =>
                {
                    (SetOp { within: test.within, ..*go }, go.act)
                }
                [go] if go.from == go.to => (*go, go.act),
                _ => continue,
            };
            let SetOpKind::Steps { first, count, rows } = steps else { continue };
            let succeeds = self.test_for_acceptance(op.to).unwrap_or(self.tables.none());
            self.ops[at] =
                Some(SetOp { act: SetOpKind::Flood { first, count, rows, succeeds }, ..op });
            for place in body {
                self.ops[place] = None;
            }
        }
    }

    /// The set in which squares of a slot let a pattern succeed.
    fn test_for_acceptance(&self, slot: Slot) -> Option<u32> {
        let accept = self.accept?;
        let all = self.tables.all();
        self.ops.iter().flatten().find_map(|op| match op.act {
            _ if op.from != slot || op.to != accept => None,
            SetOpKind::Same => Some(op.within),
            SetOpKind::Step { mask, distance: 0 } if op.within == all => Some(mask),
            _ => None,
        })
    }

    /// Goes from the cursor by rows.
    fn read_rows(&mut self) {
        if self.ops.iter().flatten().any(|op| op.adds() && BlockDraft::writes(op, CURSOR)) {
            return;
        }
        for op in self.ops.iter_mut().flatten().filter(|op| op.from == CURSOR) {
            if let SetOpKind::Steps { first, count, rows } = op.act {
                op.act = SetOpKind::Row { first, count, rows };
            }
        }
    }

    /// Says that a pattern succeeds as soon as it does.
    fn accept_at_once(&mut self) {
        let Some(accept) = self.accept else { return };
        let is_read = self.ops.iter().flatten().any(|op| op.adds() && op.from == accept);
        for at in 0..self.ops.len() {
            let Some(op) = &mut self.ops[at] else { continue };
            if self.repeated[at] || !op.adds() || op.to != accept || is_read {
                continue;
            }
            match op.act {
                SetOpKind::Same => {
                    op.act = SetOpKind::Meets { mask: self.tables.all(), distance: 0 }
                }
                SetOpKind::Step { mask, distance } => op.act = SetOpKind::Meets { mask, distance },
                _ => {}
            }
        }
    }

    /// Leaves out skips that cost more than they save, or would leave out too much since slots were merged.
    fn drop_skips(&mut self) {
        let uses = self.uses();
        for at in 0..self.ops.len() {
            let Some(SetOp { from, act: SetOpKind::Skip { count }, .. }) = self.ops[at] else {
                continue;
            };
            let range = at + 1..=at + count as usize;
            let left_out = || self.ops[range.clone()].iter().flatten();
            let last_writer = uses.writers[from as usize].last();
            let is_complete = last_writer.is_some_and(|&last| last < at);
            // What is merged has other sources than the slot that is asked, unless all are left out with it.
            let is_fed = |slot: Slot| {
                let mut writers = uses.writers[slot as usize].iter();
                slot != from
                    && self.merged[slot as usize]
                    && !writers.all(|writer| range.contains(writer))
            };
            let is_idle = !left_out().filter(|op| op.reads()).any(|op| is_fed(op.from));
            let is_worth_it = left_out().map(cost).sum::<usize>() >= WORTH_SKIPPING;
            if !is_worth_it || !is_complete || !is_idle {
                self.ops[at] = None;
            }
        }
    }

    /// Whether an operation is a step, or few steps that are faster one by one.
    fn is_stepwise(&self, at: usize) -> bool {
        let Some(op) = self.ops[at].filter(|op| Some(op.to) != self.accept) else { return false };
        let is_step = match op.act {
            SetOpKind::Step { .. } => true,
            SetOpKind::Steps { count, .. } => {
                count as usize <= FEW_STEPS && self.tables.words() <= NARROW
            }
            _ => false,
        };
        is_step && !self.repeated[at]
    }

    /// How many steps an operation is.
    fn width(&self, at: usize) -> u32 {
        match self.ops[at].map(|op| op.act) {
            Some(SetOpKind::Steps { count, .. }) => count,
            _ => 1,
        }
    }

    /// Finds steps that stand together.
    fn batch_steps(&mut self) {
        let mut is_end = vec![false; self.ops.len() + 1];
        let mut begin = None;
        let all = self.tables.all();
        for at in 0..self.ops.len() {
            if is_end[at] {
                begin = None;
            }
            let Some(op) = &mut self.ops[at] else { continue };
            match op.act {
                SetOpKind::Same if !self.repeated[at] => {
                    op.act = SetOpKind::Step { mask: all, distance: 0 }
                }
                SetOpKind::Skip { count } => is_end[at + 1 + count as usize] = true,
                _ => {}
            }
            if self.is_stepwise(at) {
                self.batches[*begin.get_or_insert(at)] += self.width(at);
            } else {
                begin = None;
            }
        }
    }

    /// Closes the gaps. Behind what fills the accepting slot otherwise than by a test it is asked for acceptance.
    fn compact(&self) -> Vec<SetOp> {
        let mut ops: Vec<SetOp> = Vec::with_capacity(self.ops.len());
        let mut places = Vec::with_capacity(self.ops.len() + 1);
        let mut ends = Vec::new();
        for (at, op) in self.ops.iter().enumerate() {
            places.push(ops.len());
            let Some(op) = *op else { continue };
            if self.batches[at] > 1 {
                ops.push(SetOp {
                    act: SetOpKind::Batch { count: self.batches[at], paces: None },
                    ..op
                });
            }
            if self.is_stepwise(at)
                && let SetOpKind::Steps { first, count, .. } = op.act
            {
                for &Stride { mask, distance } in self.tables.strides((first, count)) {
                    ops.push(SetOp { act: SetOpKind::Step { mask, distance }, ..op });
                }
                continue;
            }
            if let SetOpKind::Skip { count } | SetOpKind::Repeat { count } = op.act {
                ends.push((ops.len(), at + 1 + count as usize));
            }
            ops.push(op);
            if op.adds() && Some(op.to) == self.accept && !self.repeated[at] {
                ops.push(SetOp { from: op.to, act: SetOpKind::Accept, ..op });
            }
        }
        places.push(ops.len());
        set_reaches(&mut ops, &places, &ends);
        ops
    }
}

/// Tells skips and repetitions how many operations they reach over: for each its place, and the operation before which it ends,
/// by its number before operations were given their places.
pub(super) fn set_reaches(ops: &mut [SetOp], places: &[usize], ends: &[(usize, usize)]) {
    for &(at, end) in ends {
        let reach = (places[end] - at - 1) as u32;
        match &mut ops[at].act {
            SetOpKind::Skip { count } | SetOpKind::Repeat { count } => *count = reach,
            _ => {}
        }
    }
}

/// How long an operation takes, compared with a test.
fn cost(op: &SetOp) -> usize {
    match op.act {
        SetOpKind::Skip { .. } => 0,
        SetOpKind::Star { .. }
        | SetOpKind::StarBack { .. }
        | SetOpKind::Other { .. }
        | SetOpKind::Repeat { .. } => 2,
        _ => 1,
    }
}
