//! Finds the checks at the end of moves that need not be made for each move: those whose answer a watch knows.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{Action, Automaton, Expression, IdVec, Modifier, Pattern, Piece, PieceSet};

use super::continuation::{MAX_FINISH, finish};
use super::interned::Interned;
use super::{
    Anchor, CURSOR, Continuation, Exit, Guard, Operation, PatternCode, Ray, Slot, Stage, Survey,
    Transfer, TransferKind, Watch,
};

/// The most watches, and classes of pieces of a watch: they are the bits of a word.
const MAX_WATCHES: usize = 64;

/// Marks the exits that a watch can decide, and the stages that lead to them; returns the watches.
pub(super) fn watch(
    automaton: &Automaton,
    stages: &mut [Stage],
    patterns: &IdVec<Pattern, PatternCode>,
    piece_sets: &[PieceSet],
    finishes: &mut Interned<Vec<Modifier>>,
    rays: &[Ray],
    surveys: &mut Vec<Survey>,
) -> Vec<Watch> {
    let mut watches: Vec<Watch> = Vec::new();
    let mut number_of: BTreeMap<Pattern, Option<u32>> = BTreeMap::new();
    let mut guards: Vec<(usize, usize, Guard)> = Vec::new();
    for (number, stage) in stages.iter().enumerate() {
        for (index, exit) in stage.exits.iter().enumerate() {
            if !matches!(exit.continuation, Continuation::Write) {
                continue;
            }
            let Some((pattern, piece, modifiers)) = guarded(automaton, stages, exit) else {
                continue;
            };
            let number_of = number_of.entry(pattern).or_insert_with(|| {
                if watches.len() == MAX_WATCHES || !is_watchable(stages, patterns[pattern]) {
                    return None;
                }
                let tests = tests(&stages[patterns[pattern].stage as usize]);
                watches.push(classify(automaton, pattern, &tests, piece_sets)?);
                Some(watches.len() as u32 - 1)
            });
            let Some(watch) = *number_of else { continue };
            let finish = finishes.number(&modifiers);
            let is_lone = stage.operations.is_empty() && exit.slot == CURSOR;
            guards.push((number, index, Guard { watch, piece, finish, is_lone }));
        }
    }
    for (stage, exit, guard) in guards {
        stages[stage].exits[exit].continuation = Continuation::Guard(guard);
        stages[stage].watches = vec![guard.watch];
    }
    spread_watches(stages);
    for watch in &mut watches {
        let stage = &stages[patterns[watch.pattern].stage as usize];
        watch.anchor = anchor(automaton, stage, rays, surveys);
    }
    for watch in 0..watches.len() as u32 {
        watches[watch as usize].asked = asked(stages, &watches[watch as usize], watch);
    }
    watches
}

/// The pattern that must fail behind an exit, what stands on its square then, and all modifiers up to the end of the
/// move, when there is nothing else behind it.
fn guarded(
    automaton: &Automaton,
    stages: &[Stage],
    exit: &Exit,
) -> Option<(Pattern, Option<Piece>, Vec<Modifier>)> {
    let mut modifiers = Vec::new();
    let mut piece = None;
    let mut at = exit;
    for _ in 0..MAX_FINISH {
        modifiers.push(at.modifier?);
        match &at.action {
            Action::Put(put) => piece = Some(*put),
            Action::Save(_) => {}
            Action::Assign(variable, Expression::Constant(value)) => {
                let bound = automaton.variables[*variable].bound;
                (0..=bound).contains(value).then_some(())?;
            }
            _ => return None,
        }
        let next = &stages[at.stage as usize];
        match next.exits.as_slice() {
            [only] if next.operations.is_empty() && only.slot == CURSOR => at = only,
            [end] if next.accept.is_none() => {
                let pattern = must_fail(next, end.slot)?;
                modifiers.extend(finish(automaton, stages, end)?);
                return Some((pattern, piece, modifiers));
            }
            _ => return None,
        }
    }
    None
}

/// The pattern whose failing, and nothing else, decides whether a slot holds the cursor.
fn must_fail(stage: &Stage, wanted: Slot) -> Option<Pattern> {
    #[derive(Clone, Copy, PartialEq)]
    enum SlotContent {
        Cursor,
        IfSucceeds(Pattern),
        IfFails(Pattern),
    }
    let mut slots = BTreeMap::from([(CURSOR, SlotContent::Cursor)]);
    for operation in &stage.operations {
        let Transfer { from, to, kind, guard } = match operation {
            Operation::Transfer(transfer) => *transfer,
            Operation::Skip(..) => continue,
            _ => return None,
        };
        let holds = match (slots.get(&from)?, kind) {
            (holds, TransferKind::Same) => *holds,
            (SlotContent::Cursor, TransferKind::Check(pattern, true)) => {
                SlotContent::IfSucceeds(pattern)
            }
            (SlotContent::Cursor, TransferKind::Check(pattern, false)) => {
                SlotContent::IfFails(pattern)
            }
            (SlotContent::Cursor, TransferKind::Except(other)) => match slots.get(&other)? {
                SlotContent::IfSucceeds(pattern) => SlotContent::IfFails(*pattern),
                _ => return None,
            },
            _ => return None,
        };
        let is_new = slots.insert(to, holds).is_none_or(|before| before == holds);
        if guard.is_some() || !is_new {
            return None;
        }
    }
    match slots.get(&wanted) {
        Some(SlotContent::IfFails(pattern)) => Some(*pattern),
        _ => None,
    }
}

/// Whether a pattern only asks for pieces on squares, wherever the cursor is.
fn is_watchable(stages: &[Stage], pattern: PatternCode) -> bool {
    let asks_for_pieces = |operation: &Operation| match operation {
        Operation::Transfer(transfer) => matches!(
            transfer.kind,
            TransferKind::Same
                | TransferKind::On(_)
                | TransferKind::At(_)
                | TransferKind::Shift(_)
                | TransferKind::Walk(_)
                | TransferKind::Everywhere(_)
        ),
        Operation::Repeat(_) | Operation::Skip(..) | Operation::Along { .. } => true,
        Operation::AlongBack { .. } => false,
    };
    let stage = &stages[pattern.stage as usize];
    pattern.is_anywhere
        && pattern.is_quiet
        && stage.accept.is_some_and(|accept| accept != CURSOR)
        && stage.operations.iter().all(asks_for_pieces)
}

/// The numbers of the sets of pieces that a stage asks for. What lets lines pass is asked for again behind them.
fn tests(stage: &Stage) -> BTreeSet<u32> {
    let of = |operation: &Operation| match operation {
        Operation::Transfer(Transfer { kind: TransferKind::On(set), guard, .. }) => {
            [Some(*set), *guard]
        }
        Operation::Transfer(Transfer { guard, .. }) => [*guard, None],
        _ => [None, None],
    };
    stage.operations.iter().flat_map(of).flatten().collect()
}

/// A watch of a pattern with these tests; `None` if there are too many classes of pieces.
fn classify(
    automaton: &Automaton,
    pattern: Pattern,
    tests: &BTreeSet<u32>,
    piece_sets: &[PieceSet],
) -> Option<Watch> {
    let mut classes: BTreeMap<Vec<bool>, u32> = BTreeMap::new();
    let mut passing = vec![0; piece_sets.len()];
    let mut class = |piece| {
        let passes = |&set: &u32| piece_sets[set as usize].contains(piece);
        let passed: Vec<bool> = tests.iter().map(passes).collect();
        let next = classes.len() as u32;
        let class = *classes.entry(passed).or_insert(next);
        for &set in tests.iter().filter(|set| passes(set)) {
            passing[set as usize] |= 1_u64.checked_shl(class).unwrap_or(0);
        }
        class
    };
    let class_of: IdVec<Piece, u32> = automaton.pieces.keys().map(&mut class).collect();
    let classes = classes.len();
    (classes <= MAX_WATCHES).then(|| {
        let (asked, anchor) = (Vec::new(), None);
        Watch { pattern, class_of, classes: classes as u32, asked, anchor, passing }
    })
}

/// The pieces from whose squares a pattern sets out, if it does.
fn anchor(
    automaton: &Automaton,
    stage: &Stage,
    rays: &[Ray],
    surveys: &mut Vec<Survey>,
) -> Option<Anchor> {
    let mut operations = stage.operations.iter();
    let Some(Operation::Transfer(Transfer {
        from: CURSOR,
        to,
        kind: TransferKind::Everywhere(_),
        guard: Some(pieces),
    })) = operations.next()
    else {
        return None;
    };
    let reads_or_writes = |operation: &Operation| match operation {
        Operation::Transfer(Transfer { from, to: into, .. })
        | Operation::Along { from, to: into, .. } => *from == CURSOR || into == to,
        _ => false,
    };
    if operations.any(reads_or_writes) {
        return None;
    }
    let survey = super::feasible::survey(automaton, stage, &[], rays, *to)?;
    surveys.push(survey);
    Some(Anchor { pieces: *pieces, survey: surveys.len() as u32 - 1 })
}

/// Tells every stage which watches moves from it on may ask.
fn spread_watches(stages: &mut [Stage]) {
    let mut changed = true;
    while changed {
        changed = false;
        for number in 0..stages.len() {
            let next = stages[number].exits.iter().filter(|exit| exit.modifier.is_some());
            let behind = next.flat_map(|exit| match exit.action {
                // The next move has its own watches.
                Action::Turn(_) | Action::Keeper => &[],
                _ => stages[exit.stage as usize].watches.as_slice(),
            });
            let mut watches: BTreeSet<u32> = behind.copied().collect();
            watches.extend(&stages[number].watches);
            if watches.len() > stages[number].watches.len() {
                stages[number].watches = watches.into_iter().collect();
                changed = true;
            }
        }
    }
}

/// The classes of pieces that are put on the way to where a watch is asked, or there.
fn asked(stages: &[Stage], watch: &Watch, number: u32) -> Vec<u32> {
    let mut asked = BTreeSet::new();
    for stage in stages.iter().filter(|stage| stage.watches.contains(&number)) {
        for exit in &stage.exits {
            if let Action::Put(piece) = exit.action {
                asked.insert(watch.class_of[piece]);
            }
            if let Continuation::Guard(Guard { piece: Some(piece), .. }) = exit.continuation {
                asked.insert(watch.class_of[piece]);
            }
        }
    }
    asked.into_iter().collect()
}
