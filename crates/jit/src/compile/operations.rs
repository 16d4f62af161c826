//! Code for the operations of stages and surveys, which fill slots.

use cranelift_codegen::ir::{Block, InstBuilder, Value};
use regulus_engine::segment::{CURSOR, Operation, Slot, Transfer, TransferKind};

use super::body::Body;
use super::sets::{Set, SetVariable};

/// Operations on more words than this are left out by a branch when there is nothing to do.
const WORTH_A_BRANCH: usize = 10;

/// The most skips that are written within each other; those within are left out.
const MAX_SKIPS: usize = 32;

/// Where the stage begins: a square, when the slot of the cursor holds nothing else.
#[derive(Clone, Copy, Default)]
pub(super) struct Start {
    pub(super) cursor: Option<(Slot, Value)>,
    /// The square where the slot of the cursor begins, whatever is added to it later.
    pub(super) first: Option<Value>,
    /// Whether the first operation is a repetition.
    pub(super) begins_with_loop: bool,
    /// Where to go when a pattern has succeeded, and the slot that says so.
    pub(super) accept: Option<(Slot, Block)>,
}

impl Body<'_, '_, '_> {
    /// The operations of a stage. PERF: when all begins on the squares of some piece, of which there are likely very few,
    /// they are gone through one by one: then everything that starts there has its table.
    pub(super) fn stage_operations(
        &mut self,
        operations: &[Operation],
        start: Start,
    ) -> Option<()> {
        let Some((anchor, first, rest)) = self.anchored(operations) else {
            return self.operations(operations, start);
        };
        let squares = self.transfer(&first, start)?;
        self.begin_slots(rest);
        self.each(&squares, |body, square| {
            let single = body.sets.single(square);
            body.set(anchor, &single);
            body.operations(rest, Start { cursor: Some((anchor, square)), ..start })
        })?;
        self.set(anchor, &squares);
        Some(())
    }

    /// The slot where all begins, what leads there, and the rest, which must be the same for many squares as for each.
    fn anchored<'o>(
        &self,
        operations: &'o [Operation],
    ) -> Option<(Slot, Transfer, &'o [Operation])> {
        let (Operation::Transfer(first), rest) = operations.split_first()? else { return None };
        let anchor = first.to;
        let begins = first.from == CURSOR && matches!(first.kind, TransferKind::Everywhere(_));
        let is_apart = |operation: &Operation| match operation {
            Operation::Transfer(transfer) => {
                let is_simple = matches!(
                    transfer.kind,
                    TransferKind::Same
                        | TransferKind::On(_)
                        | TransferKind::At(_)
                        | TransferKind::Shift(_)
                        | TransferKind::Walk(_)
                );
                is_simple && transfer.from != CURSOR && transfer.to != anchor
            }
            Operation::Along { from, to, .. } => *from != CURSOR && *to != anchor,
            Operation::Skip(..) => true,
            Operation::Repeat(_) | Operation::AlongBack { .. } => false,
        };
        let is_anchored = begins
            && first.guard.is_some()
            && self.frame.slots.is_few(anchor)
            && rest.len() > 4
            && rest.iter().all(is_apart);
        is_anchored.then_some((anchor, *first, rest))
    }

    pub(super) fn operations(&mut self, operations: &[Operation], start: Start) -> Option<()> {
        let mut at = 0;
        while let Some(operation) = operations.get(at) {
            at += 1;
            match operation {
                Operation::Skip(slot, count) => {
                    let skipped = &operations[at..at + *count as usize];
                    let skips = self.frame.skips;
                    if skips == MAX_SKIPS || !self.is_worth_a_branch(skipped) {
                        continue;
                    }
                    at += *count as usize;
                    self.scoped(
                        |body| &mut body.frame.skips,
                        skips + 1,
                        |body| body.skip(*slot, skipped, start),
                    )?;
                }
                Operation::Transfer(transfer) => {
                    let arrived = self.transfer(transfer, start)?;
                    self.add(transfer.to, &arrived);
                    self.accept(transfer.to, start);
                }
                Operation::Along { ray, from, to, through, includes_start } => {
                    self.along(*ray, *from, *to, *through, *includes_start, start)?;
                    self.accept(*to, start);
                }
                Operation::AlongBack { ray, from, to, through, includes_start } => {
                    self.along_back(*ray, *from, *to, *through, *includes_start)?;
                }
                Operation::Repeat(count) => {
                    let (repeated, rest) = operations[at..].split_at(*count as usize);
                    let is_first = at == 1;
                    at += *count as usize;
                    let begins_with_loop = start.begins_with_loop && is_first;
                    self.repeat(repeated, rest, Start { begins_with_loop, ..start })?;
                }
            }
        }
        Some(())
    }

    /// Whether operations take longer than a branch that is guessed wrong now and then.
    fn is_worth_a_branch(&self, operations: &[Operation]) -> bool {
        let tables = self.compiler.tables;
        let cost = |operation: &Operation| match operation {
            Operation::Transfer(transfer) => match transfer.kind {
                TransferKind::Check(..)
                | TransferKind::CheckAll(..)
                | TransferKind::IfEach(_)
                | TransferKind::Jump(_) => 20,
                TransferKind::Walk(_) | TransferKind::Shift(_) if self.goes_by_square(transfer) => {
                    6
                }
                TransferKind::Walk(table) | TransferKind::WalkBack(table) => {
                    tables.walk_strides[table].len()
                }
                TransferKind::Shift(direction) | TransferKind::ShiftBack(direction) => {
                    tables.shift_strides[direction].len()
                }
                _ => 1,
            },
            Operation::Repeat(_) => 20,
            Operation::Along { .. } | Operation::AlongBack { .. } => 6,
            Operation::Skip(..) => 0,
        };
        operations.iter().map(cost).sum::<usize>() * self.sets.words > WORTH_A_BRANCH
    }

    /// Leaves the function when a pattern has succeeded.
    fn accept(&mut self, filled: Slot, start: Start) {
        if let Some((_, found)) = start.accept.filter(|(accept, _)| *accept == filled) {
            let set = self.get(filled);
            self.leave_if_any(&set, found);
        }
    }

    fn leave_if_any(&mut self, set: &Set, found: Block) {
        let Some(any) = self.sets.any(set) else { return };
        let next = self.sets.b.create_block();
        self.sets.b.ins().brif(any, found, &[], next, &[]);
        self.sets.b.seal_block(next);
        self.sets.b.switch_to_block(next);
    }

    fn skip(&mut self, slot: Slot, skipped: &[Operation], start: Start) -> Option<()> {
        self.begin_slots(skipped);
        let set = self.get(slot);
        self.if_any(&set, |body| body.operations(skipped, start))
    }

    /// Gives all slots that are written a value before code that may not be run.
    fn begin_slots(&mut self, operations: &[Operation]) {
        for operation in operations {
            let to = match operation {
                Operation::Transfer(Transfer { to, .. })
                | Operation::Along { to, .. }
                | Operation::AlongBack { to, .. } => *to,
                Operation::Repeat(_) | Operation::Skip(..) => continue,
            };
            self.begin_slot(to);
        }
    }

    fn repeat(&mut self, repeated: &[Operation], rest: &[Operation], start: Start) -> Option<()> {
        self.begin_slots(repeated);
        let transfers: Vec<Transfer> = repeated.iter().filter_map(as_transfer).collect();
        if self.sets.words <= 2 {
            // There are registers enough to ask for the pieces only once.
            for transfer in &transfers {
                let tested =
                    if let TransferKind::On(set) = transfer.kind { Some(set) } else { None };
                for set in tested.into_iter().chain(transfer.guard) {
                    self.ask_ahead(set);
                }
            }
        }
        // PERF: what goes square by square does so for each square only once.
        let empty = self.sets.empty();
        let begin = |transfer: &Transfer| {
            self.goes_by_square(transfer).then(|| {
                let variable = self.sets.variable();
                self.sets.assign(&variable, &empty);
                variable
            })
        };
        let expanded: Vec<Option<SetVariable>> = transfers.iter().map(begin).collect();
        let (head, done) = (self.sets.b.create_block(), self.sets.b.create_block());
        if start.begins_with_loop {
            // PERF: as long as there is only the cursor, tables are faster than steps of whole sets.
            let cursor = start.first.map(|first| (CURSOR, first));
            let first = Start { cursor, ..start };
            let grown = self.in_branch(|body| body.round(&transfers, &expanded, rest, first))?;
            let grows = self.sets.any_or_zero(&grown);
            self.sets.b.ins().brif(grows, head, &[], done, &[]);
        } else {
            self.sets.b.ins().jump(head, &[]);
        }
        self.sets.b.switch_to_block(head);
        let grown = self.in_branch(|body| body.round(&transfers, &expanded, rest, start))?;
        let grows = self.sets.any_or_zero(&grown);
        self.sets.b.ins().brif(grows, head, &[], done, &[]);
        self.sets.b.seal_block(head);
        self.sets.b.seal_block(done);
        self.sets.b.switch_to_block(done);
        Some(())
    }

    /// Once through what is repeated; returns what is new in the slots that are read before they are written.
    fn round(
        &mut self,
        transfers: &[Transfer],
        expanded: &[Option<SetVariable>],
        rest: &[Operation],
        start: Start,
    ) -> Option<Set> {
        let mut grown = self.sets.empty();
        for (index, transfer) in transfers.iter().enumerate() {
            let mut from = self.get(transfer.from);
            if let Some(expanded) = &expanded[index] {
                let before = self.sets.read(expanded);
                self.sets.assign(expanded, &from);
                from = self.sets.without(&from, &before);
            }
            let arrived = self.transfer_from(&from, transfer, start)?;
            let before = self.get(transfer.to);
            if transfers[..=index].iter().any(|earlier| earlier.from == transfer.to) {
                let new = self.sets.without(&arrived, &before);
                grown = self.sets.or(&grown, &new);
            }
            let both = self.sets.or(&before, &arrived);
            self.set(transfer.to, &both);
            self.accept(transfer.to, start);
        }
        // PERF: most patterns with a loop (a group that has a liberty, a chain that touches a side) succeed near where
        // they start, so what leaves the loop for acceptance is asked every time.
        if let Some((accept, found)) = start.accept {
            let inside = |slot| transfers.iter().any(|transfer| transfer.to == slot);
            let leaves = rest.iter().filter_map(as_transfer);
            // Whatever looks at other slots has to wait until they are complete.
            let is_simple = |kind| {
                matches!(
                    kind,
                    TransferKind::Same
                        | TransferKind::On(_)
                        | TransferKind::At(_)
                        | TransferKind::Shift(_)
                        | TransferKind::Walk(_)
                )
            };
            let leaves: Vec<Transfer> = leaves
                .filter(|t| t.to == accept && inside(t.from) && is_simple(t.kind))
                .filter(|t| !self.goes_by_square(t))
                .collect();
            for transfer in leaves {
                // What has arrived since a slot was read is not complete, but there.
                let arrived = self.transfer(&transfer, Start { cursor: None, ..start })?;
                self.leave_if_any(&arrived, found);
            }
        }
        Some(grown)
    }
}

fn as_transfer(operation: &Operation) -> Option<Transfer> {
    match operation {
        Operation::Transfer(transfer) => Some(*transfer),
        _ => None,
    }
}
