//! Decides what has to be done at each exit: whether anything is left to choose, and whether a write must be done to see
//! what follows it.

use std::collections::BTreeMap;

use regulus_automaton::{
    Action, Automaton, Expression, IdVec, Modifier, Pattern, Square, SquareSet, WalkTable,
};

use super::interned::Interned;
use super::{
    CURSOR, Continuation, Exit, Leg, Operation, Pair, PatternCode, Ray, Slot, Spread, Stage,
    Transfer, TransferKind,
};

/// How many ways a spread may have.
const MAX_WAYS: usize = 64;

/// How many steps are taken together at the end of a move. Chains of writes may be as long as there are stages, and each stage
/// has its own.
pub(super) const MAX_FINISH: usize = 64;

/// Decides for all exits; returns the modifiers that finish moves.
pub(super) fn decide(
    automaton: &Automaton,
    stages: &mut [Stage],
    pairs: &[Pair],
    rays: &[Ray],
    patterns: &IdVec<Pattern, PatternCode>,
    square_sets: &mut Interned<SquareSet>,
) -> Interned<Vec<Modifier>> {
    let mut all_finishes = Interned::default();
    let finish_of: Vec<Vec<Option<u32>>> = stages
        .iter()
        .map(|stage| {
            let of = |exit| finish(automaton, stages, exit).map(|list| all_finishes.number(&list));
            stage.exits.iter().map(of).collect()
        })
        .collect();
    let mut decided: Vec<Vec<Continuation>> = Vec::new();
    for (stage, finish_of_exits) in stages.iter().zip(&finish_of) {
        let mut decide = |(exit, finish): (&Exit, &Option<u32>)| match finish {
            Some(finish) => Continuation::Finish(*finish),
            None if exit.modifier.is_none() => Continuation::Write,
            None => {
                let next = &stages[exit.stage as usize];
                let finishes = &finish_of[exit.stage as usize];
                let mut analysis =
                    ExitAnalysis { automaton, pairs, rays, square_sets, next, finishes };
                match analysis.decide(exit) {
                    Continuation::Write => {
                        let checked = analysis.checked(exit).map(|(pattern, finish)| {
                            (&stages[patterns[pattern].stage as usize], finish)
                        });
                        let probe = checked.and_then(|(pattern, finish)| {
                            let ways = analysis.sure_ways(stages, patterns, pattern);
                            (!ways.is_empty()).then_some((ways, finish))
                        });
                        probe.map_or(Continuation::Write, |(ways, finish)| {
                            let mut modifiers = vec![exit.modifier];
                            modifiers.extend(
                                all_finishes.items[finish as usize].iter().map(|&m| Some(m)),
                            );
                            let modifiers: Vec<Modifier> =
                                modifiers.into_iter().flatten().collect();
                            Continuation::Probe(ways, all_finishes.number(&modifiers))
                        })
                    }
                    continuation => continuation,
                }
            }
        };
        decided.push(stage.exits.iter().zip(finish_of_exits).map(&mut decide).collect());
    }
    for (stage, decided) in stages.iter_mut().zip(decided) {
        for (exit, continuation) in stage.exits.iter_mut().zip(decided) {
            exit.continuation = continuation;
        }
    }
    all_finishes
}

/// The modifiers with which a move ends once this exit is taken, when nothing can fail or be chosen any more.
pub(super) fn finish<'a>(
    automaton: &Automaton,
    stages: &'a [Stage],
    mut exit: &'a Exit,
) -> Option<Vec<Modifier>> {
    let mut modifiers = Vec::new();
    for _ in 0..MAX_FINISH {
        modifiers.push(exit.modifier?);
        match &exit.action {
            Action::Turn(_) | Action::Keeper => return Some(modifiers),
            Action::Put(_) | Action::PutHeld(_) | Action::Save(_) => {}
            Action::Assign(variable, Expression::Constant(value)) => {
                let bound = automaton.variables[*variable].bound;
                (0..=bound).contains(value).then_some(())?;
            }
            _ => return None,
        }
        let next = &stages[exit.stage as usize];
        match next.exits.as_slice() {
            [only] if next.operations.is_empty() && only.slot == CURSOR => exit = only,
            _ => return None,
        }
    }
    None
}

/// Looks whether a write can be left out, given the stage that follows it.
struct ExitAnalysis<'a> {
    automaton: &'a Automaton,
    pairs: &'a [Pair],
    rays: &'a [Ray],
    square_sets: &'a mut Interned<SquareSet>,
    next: &'a Stage,
    /// What finishes each exit of that stage.
    finishes: &'a [Option<u32>],
}

impl ExitAnalysis<'_> {
    fn decide(&mut self, exit: &Exit) -> Continuation {
        let all_finish = self.finishes.iter().all(Option::is_some);
        let puts = matches!(exit.action, Action::Put(_));
        if !puts || !all_finish || self.next.accept.is_some() || !self.conditions_ignore_pieces() {
            return Continuation::Write;
        }
        if let Some(spreads) = self.spreads() {
            return Continuation::Spread(spreads);
        }
        if self.ignores_its_square() { Continuation::Look } else { Continuation::Write }
    }

    fn transfers(&self) -> impl Iterator<Item = &Transfer> {
        self.next.operations.iter().filter_map(|operation| match operation {
            Operation::Transfer(transfer) => Some(transfer),
            _ => None,
        })
    }

    /// Whether every comparison stays the same when a piece is replaced, and there are no checks.
    fn conditions_ignore_pieces(&self) -> bool {
        self.transfers().all(|transfer| self.ignores_pieces(transfer))
    }

    fn ignores_pieces(&self, transfer: &Transfer) -> bool {
        match transfer.kind {
            TransferKind::If(pair) => {
                let Pair { left, right, .. } = &self.pairs[pair as usize];
                !counts(left) && !counts(right)
            }
            TransferKind::Same
            | TransferKind::On(_)
            | TransferKind::At(_)
            | TransferKind::Shift(_)
            | TransferKind::Walk(_)
            | TransferKind::Everywhere(_) => true,
            _ => false,
        }
    }

    /// What follows as spreads, when every way goes a fixed distance and nothing looks at the square itself.
    fn spreads(&mut self) -> Option<Vec<Spread>> {
        let only_transfers = self
            .next
            .operations
            .iter()
            .all(|operation| matches!(operation, Operation::Transfer(_) | Operation::Skip(..)));
        if !only_transfers || !self.next.keeps_cursor {
            return None;
        }
        let ways = self.ways()?;
        let mut groups: BTreeMap<(u32, i32), Vec<Vec<Leg>>> = BTreeMap::new();
        for (exit, finish) in self.next.exits.iter().zip(self.finishes) {
            for way in ways.get(&exit.slot)? {
                let distance = way.iter().map(|leg| leg.distance).sum();
                groups.entry(((*finish)?, distance)).or_default().push(way.clone());
            }
        }
        let spread = |((finish, distance), ways)| Spread { distance, ways, finish };
        Some(groups.into_iter().map(spread).collect())
    }

    /// The pattern that must succeed on the square itself, and what finishes the move then, when there is nothing else
    /// between a write and the end of the move.
    fn checked(&self, exit: &Exit) -> Option<(Pattern, u32)> {
        let ([end], [Some(finish)]) = (self.next.exits.as_slice(), self.finishes) else {
            return None;
        };
        if !matches!(exit.action, Action::Put(_)) || self.next.accept.is_some() {
            return None;
        }
        let mut at = CURSOR;
        let mut checked = None;
        for operation in &self.next.operations {
            match operation {
                Operation::Transfer(Transfer { from, to, kind, guard: None }) if *from == at => {
                    match kind {
                        TransferKind::Same => {}
                        TransferKind::Check(pattern, true) if checked.is_none() => {
                            checked = Some(*pattern)
                        }
                        _ => return None,
                    }
                    at = *to;
                }
                Operation::Skip(..) => {}
                _ => return None,
            }
        }
        checked.filter(|_| at == end.slot).map(|pattern| (pattern, *finish))
    }

    /// Short ways from the cursor to acceptance in a pattern that do not look at the square they start from.
    fn sure_ways(
        &mut self,
        stages: &[Stage],
        patterns: &IdVec<Pattern, PatternCode>,
        pattern: &Stage,
    ) -> Vec<Vec<Leg>> {
        let mut sure = Vec::new();
        let mut short: Vec<(Slot, Vec<Leg>)> = vec![(CURSOR, Vec::new())];
        for _ in 0..2 {
            let mut longer = Vec::new();
            for (slot, way) in &short {
                let before: i32 = way.iter().map(|leg| leg.distance).sum();
                for operation in &pattern.operations {
                    let Operation::Transfer(transfer) = operation else { continue };
                    if transfer.from != *slot {
                        continue;
                    }
                    // A check on the square itself that decides alone succeeds on its own sure ways.
                    if let TransferKind::Check(inner, true) = transfer.kind
                        && way.is_empty()
                        && leads_to(pattern, transfer.to, pattern.accept)
                    {
                        let inner = &stages[patterns[inner].stage as usize];
                        sure.extend(self.sure_ways(stages, patterns, inner));
                    }
                    if !self.ignores_pieces(transfer) {
                        continue;
                    }
                    for leg in self.legs(transfer).unwrap_or_default() {
                        if leg.guard.is_some() && before + leg.distance == 0 {
                            continue;
                        }
                        let way: Vec<Leg> = way.iter().cloned().chain([leg]).collect();
                        if Some(transfer.to) == pattern.accept {
                            sure.push(way);
                        } else {
                            longer.push((transfer.to, way));
                        }
                    }
                }
            }
            short = longer;
            if sure.len() + short.len() > MAX_WAYS {
                break;
            }
        }
        sure.truncate(MAX_WAYS);
        sure
    }

    /// All ways from the cursor to each slot.
    fn ways(&mut self) -> Option<BTreeMap<Slot, Vec<Vec<Leg>>>> {
        let mut ways: BTreeMap<Slot, Vec<Vec<Leg>>> = BTreeMap::from([(CURSOR, vec![Vec::new()])]);
        let transfers: Vec<Transfer> = self.transfers().copied().collect();
        for transfer in transfers {
            let legs = self.legs(&transfer)?;
            let from = ways.get(&transfer.from)?.clone();
            let to = ways.entry(transfer.to).or_default();
            for way in &from {
                let before: i32 = way.iter().map(|leg| leg.distance).sum();
                for leg in &legs {
                    // At distance 0 the square itself would be looked at, which the write has changed.
                    if leg.guard.is_some() && before + leg.distance == 0 {
                        return None;
                    }
                    to.push(way.iter().chain([leg]).cloned().collect());
                }
            }
            if to.len() > MAX_WAYS {
                return None;
            }
        }
        Some(ways)
    }

    /// What a transfer does, as legs that are alternatives.
    fn legs(&mut self, transfer: &Transfer) -> Option<Vec<Leg>> {
        let leg = Leg { from: None, distance: 0, guard: transfer.guard, condition: None };
        Some(match transfer.kind {
            TransferKind::Same => vec![leg],
            // A test and a guard on the same square would need a leg with two guards; that is rare.
            TransferKind::On(set) if transfer.guard.is_none() => {
                vec![Leg { guard: Some(set), ..leg }]
            }
            TransferKind::At(set) => vec![Leg { from: Some(set), ..leg }],
            TransferKind::If(pair) => vec![Leg { condition: Some(pair), ..leg }],
            TransferKind::Shift(direction) => {
                let squares = &self.automaton.board.squares;
                let pairs = squares
                    .iter()
                    .filter_map(|(from, info)| info.neighbours[direction].map(|to| (from, to)));
                self.strides(pairs.collect(), &leg)
            }
            TransferKind::Walk(table) => {
                let table = &self.automaton.tables[table];
                if let WalkTable::Everywhere(_) = table {
                    return None;
                }
                let squares = self.automaton.board.squares.keys();
                let pairs =
                    squares.flat_map(|from| table.targets(from).iter().map(move |&to| (from, to)));
                self.strides(pairs.collect(), &leg)
            }
            _ => return None,
        })
    }

    fn strides(&mut self, pairs: Vec<(Square, Square)>, leg: &Leg) -> Vec<Leg> {
        let mut from: BTreeMap<i32, SquareSet> = BTreeMap::new();
        for (square, to) in pairs {
            from.entry(to.0 as i32 - square.0 as i32).or_default().insert(square);
        }
        let leg = |(distance, from): (i32, SquareSet)| Leg {
            from: Some(self.square_sets.number(&from)),
            distance,
            ..leg.clone()
        };
        from.into_iter().map(leg).collect()
    }

    fn ignores_its_square(&self) -> bool {
        let ExitAnalysis { automaton, rays, next, .. } = self;
        Sight { automaton, rays, next, start: CURSOR }.ignores_its_square()
    }
}

/// What squares a stage may look at.
pub(super) struct Sight<'a> {
    pub(super) automaton: &'a Automaton,
    pub(super) rays: &'a [Ray],
    pub(super) next: &'a Stage,
    /// The slot where it begins.
    pub(super) start: Slot,
}

impl Sight<'_> {
    /// Whether the stage looks at no piece on the square where it begins, wherever that is.
    pub(super) fn ignores_its_square(&self) -> bool {
        let mut slots = vec![SquareSet::new(); self.next.slots as usize];
        self.automaton.board.squares.keys().all(|start| {
            slots.iter_mut().for_each(SquareSet::clear);
            !self.looks_at(start, &mut slots)
        })
    }

    /// Whether a stage that begins on a square may look at the piece there, supposing that all tests succeed. `slots` are
    /// empty sets to work with.
    fn looks_at(&self, start: Square, slots: &mut [SquareSet]) -> bool {
        slots[self.start as usize].insert(start);
        // Transfers in the order of the stage complete a slot before it is read, except in loops.
        let loops =
            self.next.operations.iter().any(|operation| matches!(operation, Operation::Repeat(_)));
        let mut reached = SquareSet::new();
        for _ in 0..=self.next.operations.len() {
            let size = |slots: &[SquareSet]| slots.iter().map(SquareSet::len).sum::<usize>();
            let before = if loops { size(slots) } else { 0 };
            for operation in &self.next.operations {
                reached.clear();
                let to = match operation {
                    Operation::Skip(..) | Operation::Repeat(_) | Operation::AlongBack { .. } => {
                        continue;
                    }
                    Operation::Along { ray, from, to, includes_start, .. } => {
                        let from = &slots[*from as usize];
                        self.along(*ray, from, *includes_start, &mut reached);
                        // Lines through a square are not followed further than to say that they may come back.
                        if reached.contains(start) {
                            return true;
                        }
                        *to
                    }
                    Operation::Transfer(transfer) => {
                        let from = &slots[transfer.from as usize];
                        let looks = self.transfer(transfer.kind, from, start, &mut reached);
                        if looks || transfer.guard.is_some() && reached.contains(start) {
                            return true;
                        }
                        transfer.to
                    }
                };
                slots[to as usize].extend_from(&reached);
            }
            if !loops || size(slots) == before {
                return false;
            }
        }
        true
    }

    /// Finds the squares that a transfer leads to. Returns whether it looks at the piece where the stage began.
    fn transfer(
        &self,
        kind: TransferKind,
        from: &SquareSet,
        start: Square,
        reached: &mut SquareSet,
    ) -> bool {
        match kind {
            TransferKind::Shift(direction) => {
                let board = &self.automaton.board;
                for to in from.iter().filter_map(|square| board.neighbour(square, direction)) {
                    reached.insert(to);
                }
            }
            TransferKind::Walk(table) => {
                let table = &self.automaton.tables[table];
                for &to in from.iter().flat_map(|square| table.targets(square)) {
                    reached.insert(to);
                }
            }
            TransferKind::Everywhere(_) => return !from.is_empty(),
            TransferKind::On(_) if from.contains(start) => return true,
            _ => reached.extend_from(from),
        }
        false
    }

    /// Finds the squares on the lines from some squares.
    fn along(&self, ray: u32, from: &SquareSet, includes_start: bool, reached: &mut SquareSet) {
        let lines = &self.rays[ray as usize].lines;
        for square in from.iter() {
            if includes_start {
                reached.insert(square);
            }
            for &next in &lines[square.0 as usize] {
                reached.insert(next);
            }
        }
    }
}

/// Whether what arrives at a slot goes on to another without condition.
fn leads_to(stage: &Stage, from: Slot, to: Option<Slot>) -> bool {
    Some(from) == to
        || stage.operations.iter().any(|operation| match operation {
            Operation::Transfer(transfer) => {
                transfer.from == from
                    && Some(transfer.to) == to
                    && transfer.kind == TransferKind::Same
                    && transfer.guard.is_none()
            }
            _ => false,
        })
}

pub(super) fn counts(expression: &Expression) -> bool {
    let mut counts = false;
    expression.visit(&mut |part| counts |= matches!(part, Expression::Count(_)));
    counts
}
