//! From the automaton to the segment program.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::analyses::{components, live_cursor};
use regulus_automaton::verify::pattern_order;
use regulus_automaton::{
    Action, ActionKind, Automaton, Edge, Expression, IdVec, Lists, Node, Pattern, PieceSet,
    Relation, Square, SquareInfo, SquareSet, Table, WalkTable,
};

use super::skips::insert_skips;
use super::{
    CURSOR, Costs, Exit, How, Operation, Pair, PatternCode, Ray, Segments, Slot, Stage, Survey,
    Then, Transfer, feasible, then, watch,
};
use crate::plan::NotPlanned;

/// How many nodes and arcs all stages together may have, and one of them; beyond it the game is better walked.
const MAX_SIZE: usize = 100_000;
const MAX_STAGE: usize = 10_000;

/// A survey of so few instructions is as fast as asking for one square.
const SHORT: usize = 5;

/// So many squares are worth a survey.
const MANY: usize = 12;

pub(super) fn build(automaton: &Automaton) -> Result<Segments, NotPlanned> {
    let mut builder = SegmentBuilder {
        automaton,
        component: components(&quiet_successors(automaton)),
        live_cursor: live_cursor(automaton),
        piece_sets: Interned::default(),
        square_sets: Interned::default(),
        pairs: Vec::new(),
        rays: Vec::new(),
        ray_of: BTreeMap::new(),
    };
    let entries = entries(automaton);
    let mut stage_of = IdVec::filled(None, automaton.nodes.len());
    for (number, entry) in entries.iter().enumerate() {
        stage_of[entry.node] = Some(number as u32);
    }
    let mut surveys = Vec::new();
    let survey_of = survey_patterns(&mut builder, &mut surveys);
    let mut stages = Vec::with_capacity(entries.len());
    let mut size = 0;
    for entry in &entries {
        let mut stage = StageBuilder::new(&mut builder, &stage_of, &survey_of, &surveys, *entry);
        let nodes = stage.region();
        let here = nodes.len() + stage.arcs.len();
        size += here;
        if size > MAX_SIZE || here > MAX_STAGE {
            let allowed = if size > MAX_SIZE { MAX_SIZE } else { MAX_STAGE };
            return Err(NotPlanned::TooLarge { allowed });
        }
        stages.push(stage.build(&nodes));
    }
    let patterns: IdVec<Pattern, PatternCode> = automaton
        .patterns
        .iter()
        .map(|(pattern, info)| PatternCode {
            survey: survey_of[pattern],
            stage: stage_of[info.start].unwrap_or(0),
            is_anywhere: !builder.live_cursor[info.start],
            is_quiet: is_quiet(automaton, info.start),
        })
        .collect();
    let mut finishes = then::decide(
        automaton,
        &mut stages,
        &builder.pairs,
        &builder.rays,
        &patterns,
        &mut builder.square_sets,
    );
    feasible::find(automaton, &mut stages, &builder.pairs, &builder.rays, &mut surveys);
    let watches = watch::watch(
        automaton,
        &mut stages,
        &patterns,
        &builder.piece_sets.items,
        &mut finishes,
        &builder.rays,
        &mut surveys,
    );
    Ok(Segments {
        stages,
        finishes: finishes.items,
        watches,
        stage_of,
        patterns,
        surveys,
        rays: builder.rays,
        piece_sets: builder.piece_sets.items,
        square_sets: builder.square_sets.items,
        pairs: builder.pairs,
        costs: Costs::default(),
    })
}

/// A node where a stage begins, and the accepting node of the pattern it lies in.
#[derive(Clone, Copy)]
struct Entry {
    node: Node,
    accept: Option<Node>,
}

fn entries(automaton: &Automaton) -> Vec<Entry> {
    let mut accept_of = IdVec::<Node, Option<Node>>::filled(None, automaton.nodes.len());
    let mut is_entry = IdVec::<Node, bool>::filled(false, automaton.nodes.len());
    is_entry[automaton.start] = true;
    for info in automaton.patterns.values() {
        is_entry[info.start] = true;
        let mut work = vec![info.start];
        while let Some(node) = work.pop() {
            if accept_of[node].replace(info.accept).is_none() {
                work.extend(automaton.nodes[node].iter().map(|edge| edge.target));
            }
        }
    }
    for (_, edge) in automaton.edges() {
        is_entry[edge.target] |= edge.action.is_modifier();
    }
    let entry = |node| Entry { node, accept: accept_of[node] };
    automaton.nodes.keys().filter(|&node| is_entry[node]).map(entry).collect()
}

fn quiet_successors(automaton: &Automaton) -> Lists<Node> {
    let quiet = automaton.nodes.values().map(|edges| {
        edges.iter().filter(|edge| !edge.action.is_modifier()).map(|edge| edge.target)
    });
    quiet.collect()
}

/// Whether nothing reachable from a node writes.
fn is_quiet(automaton: &Automaton, start: Node) -> bool {
    let mut seen = std::collections::BTreeSet::from([start]);
    let mut work = vec![start];
    while let Some(node) = work.pop() {
        for edge in &automaton.nodes[node] {
            if edge.action.kind() == ActionKind::Write {
                return false;
            }
            if seen.insert(edge.target) {
                work.push(edge.target);
            }
        }
    }
    true
}

/// Items by number, each once.
pub(super) struct Interned<T> {
    pub(super) items: Vec<T>,
    numbers: BTreeMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Interned { items: Vec::new(), numbers: BTreeMap::new() }
    }
}

impl<T: Ord + Clone> Interned<T> {
    pub(super) fn number(&mut self, item: &T) -> u32 {
        if let Some(&number) = self.numbers.get(item) {
            return number;
        }
        let number = self.items.len() as u32;
        self.numbers.insert(item.clone(), number);
        self.items.push(item.clone());
        number
    }
}

/// What all stages share.
struct SegmentBuilder<'a> {
    automaton: &'a Automaton,
    component: IdVec<Node, u32>,
    live_cursor: IdVec<Node, bool>,
    piece_sets: Interned<PieceSet>,
    square_sets: Interned<SquareSet>,
    pairs: Vec<Pair>,
    rays: Vec<Ray>,
    /// The ray of a step, by where the step leads; `None` if it has none.
    ray_of: BTreeMap<Vec<Option<Square>>, Option<u32>>,
}

impl SegmentBuilder<'_> {
    /// A check; one that only asks which piece is here is a test like any other.
    fn check_how(&mut self, pattern: Pattern, expected: bool) -> How {
        let info = &self.automaton.patterns[pattern];
        let tested = |edge: &Edge| match &edge.action {
            Action::On(pieces) if edge.target == info.accept => Some(pieces.clone()),
            _ => None,
        };
        let edges = self.automaton.nodes[info.start].iter();
        let Some(tests) = edges.map(tested).collect::<Option<Vec<PieceSet>>>() else {
            return How::Check(pattern, expected);
        };
        if info.start == info.accept {
            return How::Check(pattern, expected);
        }
        let succeeds = |piece| tests.iter().any(|pieces| pieces.contains(piece));
        let all = self.automaton.pieces.keys();
        let passing: PieceSet = all.filter(|&piece| succeeds(piece) == expected).collect();
        How::On(self.piece_sets.number(&passing))
    }

    fn how(&mut self, action: &Action) -> How {
        match action {
            Action::Skip => How::Same,
            Action::On(pieces) => How::On(self.piece_sets.number(pieces)),
            Action::At(squares) => How::At(self.square_sets.number(squares)),
            Action::Compare(left, relation, right) => {
                let each = left.mentions_cursor() || right.mentions_cursor();
                let pair = self.pair(left, *relation, right);
                if each { How::IfEach(pair) } else { How::If(pair) }
            }
            Action::Check(pattern) => self.check_how(*pattern, true),
            Action::CheckNot(pattern) => self.check_how(*pattern, false),
            Action::Shift(direction) => How::Shift(*direction),
            Action::Walk(table) => match &self.automaton.tables[*table] {
                WalkTable::Everywhere(squares) => {
                    How::Everywhere(self.square_sets.number(&squares.iter().copied().collect()))
                }
                WalkTable::PerSquare(_) => How::Walk(*table),
            },
            Action::Recall(register) => How::Recall(*register),
            Action::Jump(x, y) => How::Jump(self.pair(x, Relation::Equal, y)),
            // Writes and control are exits, never transfers.
            _ => How::Same,
        }
    }

    /// Whether a table leads to at least [`MANY`] squares, for which a check is better answered at once.
    fn is_wide(&self, table: Table) -> bool {
        let table = &self.automaton.tables[table];
        self.automaton.board.squares.keys().any(|square| table.targets(square).len() >= MANY)
    }

    /// About how many instructions operations on one word take.
    fn cost(&self, operations: &[Operation]) -> usize {
        let squares = &self.automaton.board.squares;
        let pieces = self.automaton.pieces.len();
        let strides = |pairs: &mut dyn Iterator<Item = (Square, Square)>| {
            pairs.map(|(from, to)| to.0 as i32 - from.0 as i32).collect::<BTreeSet<_>>().len()
        };
        let cost = |operation: &Operation| match operation {
            Operation::Transfer(transfer) => match transfer.how {
                How::On(set) => {
                    let count = self.piece_sets.items[set as usize].len();
                    count.min(pieces - count)
                }
                How::Shift(direction) | How::ShiftBack(direction) => {
                    let step = |(from, info): (Square, &SquareInfo)| {
                        info.neighbours[direction].map(|to| (from, to))
                    };
                    strides(&mut squares.iter().filter_map(step))
                }
                How::Walk(table) | How::WalkBack(table) => {
                    let table = &self.automaton.tables[table];
                    let targets = |from| table.targets(from).iter().map(move |&to| (from, to));
                    strides(&mut squares.keys().flat_map(targets))
                }
                How::CheckAll(..) | How::Check(..) | How::IfEach(_) | How::Jump(_) => SHORT + 1,
                _ => 1,
            },
            _ => SHORT + 1,
        };
        operations.iter().map(cost).sum()
    }

    fn pair(&mut self, left: &Expression, relation: Relation, right: &Expression) -> u32 {
        self.pairs.push(Pair { left: left.clone(), relation, right: right.clone() });
        self.pairs.len() as u32 - 1
    }

    /// The ray along which a step leads, when it leads to one square at most and lines are in order.
    fn ray(&mut self, how: How) -> Option<u32> {
        let squares = &self.automaton.board.squares;
        let step: Vec<Option<Square>> = match how {
            How::Shift(direction) => {
                squares.values().map(|info| info.neighbours[direction]).collect()
            }
            How::Walk(table) => {
                let table = &self.automaton.tables[table];
                if squares.keys().any(|square| table.targets(square).len() > 1) {
                    return None;
                }
                squares.keys().map(|square| table.targets(square).first().copied()).collect()
            }
            _ => return None,
        };
        let next = self.rays.len() as u32;
        *self.ray_of.entry(step).or_insert_with_key(|step| {
            let ray = Ray::new(step)?;
            self.rays.push(ray);
            Some(next)
        })
    }
}

/// Builds every pattern that can be computed backwards; returns the survey of each, `None` for the others.
fn survey_patterns(
    builder: &mut SegmentBuilder<'_>,
    surveys: &mut Vec<Survey>,
) -> IdVec<Pattern, Option<u32>> {
    let automaton = builder.automaton;
    let mut survey_of = IdVec::filled(None, automaton.patterns.len());
    // Each after those it contains.
    for pattern in pattern_order(automaton).unwrap_or_default() {
        if let Some(survey) = survey(builder, &survey_of, pattern) {
            survey_of[pattern] = Some(surveys.len() as u32);
            surveys.push(survey);
        }
    }
    survey_of
}

/// A pattern backwards; `None` if it writes, jumps, compares places, or contains one that cannot be surveyed.
fn survey(
    builder: &mut SegmentBuilder<'_>,
    survey_of: &IdVec<Pattern, Option<u32>>,
    pattern: Pattern,
) -> Option<Survey> {
    let automaton = builder.automaton;
    let info = automaton.patterns[pattern];
    let mut nodes = vec![info.start];
    let mut slot_of = BTreeMap::from([(info.start, 0)]);
    let mut arcs: Vec<Arc> = Vec::new();
    let mut index = 0;
    while let Some(&node) = nodes.get(index) {
        index += 1;
        if node == info.accept {
            continue;
        }
        for edge in &automaton.nodes[node] {
            let how = match builder.how(&edge.action) {
                _ if edge.action.is_modifier() => return None,
                How::IfEach(_) | How::Jump(_) => return None,
                How::Check(inner, expected) => {
                    survey_of[inner]?;
                    How::CheckAll(inner, expected)
                }
                How::Shift(direction) => How::ShiftBack(direction),
                How::Walk(table) => How::WalkBack(table),
                How::Everywhere(set) => How::FromEverywhere(set),
                How::Recall(register) => How::RecallBack(register),
                how => how,
            };
            arcs.push(Arc { from: edge.target, to: node, how, guard: None });
            let next = slot_of.len() as Slot;
            if *slot_of.entry(edge.target).or_insert(next) == next {
                nodes.push(edge.target);
            }
        }
    }
    let accept = *slot_of.get(&info.accept)?;
    // Against the arrows a component comes after those it leads to.
    arcs.sort_by_key(|arc| builder.component[arc.from]);
    let mut operations = Vec::new();
    let component = builder.component.clone();
    for part in arcs.chunk_by(|a, b| component[a.from] == component[b.from]) {
        let inside = |arc: &&Arc| component[arc.to] == component[arc.from];
        let loops: Vec<&Arc> = part.iter().filter(inside).collect();
        let slots = |arc: &Arc| {
            let (from, to) = (slot_of[&arc.from], slot_of[&arc.to]);
            Operation::Transfer(Transfer { from, to, how: arc.how, guard: None })
        };
        match line_back(builder, &loops) {
            Some((ray, step, test, through)) => {
                let to = slot_of[&step.from];
                operations.push(slots(test));
                let includes_start = true;
                operations.push(Operation::AlongBack {
                    ray,
                    from: to,
                    to,
                    through,
                    includes_start,
                });
                operations.push(slots(step));
            }
            None if loops.is_empty() => {}
            None => {
                operations.push(Operation::Repeat(loops.len() as u32));
                operations.extend(loops.iter().map(|arc| slots(arc)));
            }
        }
        operations.extend(part.iter().filter(|arc| !inside(arc)).map(slots));
    }
    let is_short = builder.cost(&operations) <= SHORT;
    Some(Survey {
        operations,
        slots: slot_of.len() as u32,
        accept: vec![accept],
        start: 0,
        is_short,
    })
}

/// A loop of a survey that goes against a line: a step back and a test in turn. Returns the ray, the two, and the pieces
/// that let pass.
fn line_back<'a>(
    builder: &mut SegmentBuilder<'_>,
    loops: &[&'a Arc],
) -> Option<(u32, &'a Arc, &'a Arc, u32)> {
    let &[one, other] = loops else { return None };
    let (step, test) = if matches!(one.how, How::On(_)) { (other, one) } else { (one, other) };
    let How::On(through) = test.how else { return None };
    let forwards = match step.how {
        How::ShiftBack(direction) => How::Shift(direction),
        How::WalkBack(table) => How::Walk(table),
        _ => return None,
    };
    let turns = step.to == test.from && test.to == step.from && step.from != step.to;
    let ray = builder.ray(forwards).filter(|_| turns)?;
    Some((ray, step, test, through))
}

/// A quiet edge within a stage, possibly joined with the test behind it.
#[derive(Clone, Copy, PartialEq)]
struct Arc {
    from: Node,
    to: Node,
    how: How,
    guard: Option<u32>,
}

struct StageBuilder<'a, 'b> {
    builder: &'b mut SegmentBuilder<'a>,
    stage_of: &'b IdVec<Node, Option<u32>>,
    survey_of: &'b IdVec<Pattern, Option<u32>>,
    surveys: &'b [Survey],
    entry: Entry,
    arcs: Vec<Arc>,
    slot_of: BTreeMap<Node, Slot>,
    /// The slots that have a value already.
    defined: Vec<bool>,
    /// The slots that may hold many squares: those a walk from anywhere leads to, and what follows.
    wide: Vec<bool>,
    /// Where a check of a slot has succeeded.
    checked: BTreeMap<(Slot, Pattern), Slot>,
    operations: Vec<Operation>,
}

impl<'a, 'b> StageBuilder<'a, 'b> {
    fn new(
        builder: &'b mut SegmentBuilder<'a>,
        stage_of: &'b IdVec<Node, Option<u32>>,
        survey_of: &'b IdVec<Pattern, Option<u32>>,
        surveys: &'b [Survey],
        entry: Entry,
    ) -> Self {
        StageBuilder {
            builder,
            stage_of,
            survey_of,
            surveys,
            entry,
            arcs: Vec::new(),
            slot_of: BTreeMap::from([(entry.node, CURSOR)]),
            defined: vec![true],
            wide: vec![false],
            checked: BTreeMap::new(),
            operations: Vec::new(),
        }
    }

    fn build(mut self, nodes: &[Node]) -> Stage {
        self.join_tests(nodes);
        let component = |node: Node| self.builder.component[node];
        let mut arcs = std::mem::take(&mut self.arcs);
        // A component has a greater number than those it leads to.
        arcs.sort_by_key(|arc| std::cmp::Reverse(component(arc.from)));
        let parts: Vec<(Vec<Arc>, Vec<Arc>)> = arcs
            .chunk_by(|a, b| component(a.from) == component(b.from))
            .map(|arcs| arcs.iter().partition(|arc| component(arc.to) == component(arc.from)))
            .collect();
        for (loops, leaving) in &parts {
            self.component(loops, leaving);
        }
        let exits = self.exits(nodes);
        let accept = self.entry.accept.and_then(|accept| self.slot_of.get(&accept).copied());
        let writes_cursor = self.operations.iter().any(|operation| match operation {
            Operation::Transfer(transfer) => transfer.to == CURSOR,
            Operation::Along { to, .. } | Operation::AlongBack { to, .. } => *to == CURSOR,
            Operation::Repeat(_) | Operation::Skip(..) => false,
        });
        let slots = self.defined.len() as u32;
        Stage {
            operations: insert_skips(self.operations, slots),
            slots,
            exits,
            accept,
            keeps_cursor: !writes_cursor,
            watches: Vec::new(),
        }
    }

    /// The nodes reached without a write, and the arcs between them. Nothing goes on after acceptance.
    fn region(&mut self) -> Vec<Node> {
        let automaton = self.builder.automaton;
        let mut nodes = vec![self.entry.node];
        let mut seen = std::collections::BTreeSet::from([self.entry.node]);
        let mut index = 0;
        while let Some(&node) = nodes.get(index) {
            index += 1;
            if Some(node) == self.entry.accept {
                continue;
            }
            for edge in automaton.nodes[node].iter().filter(|edge| !edge.action.is_modifier()) {
                let how = self.builder.how(&edge.action);
                self.arcs.push(Arc { from: node, to: edge.target, how, guard: None });
                if seen.insert(edge.target) {
                    nodes.push(edge.target);
                }
            }
        }
        nodes
    }

    /// Joins an arc with the test for a piece behind it, when nothing else leads to or from the node in between.
    fn join_tests(&mut self, nodes: &[Node]) {
        let mut ways_in: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
        let mut ways_out: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
        for (index, arc) in self.arcs.iter().enumerate() {
            ways_in.entry(arc.to).or_default().push(index);
            ways_out.entry(arc.from).or_default().push(index);
        }
        let mut gone = vec![false; self.arcs.len()];
        for &node in nodes.iter().filter(|&&node| node != self.entry.node) {
            let (Some(&[into]), Some(&[out])) =
                (ways_in.get(&node).map(Vec::as_slice), ways_out.get(&node).map(Vec::as_slice))
            else {
                continue;
            };
            let (way, test) = (self.arcs[into], self.arcs[out]);
            let has_exits = self.builder.automaton.nodes[node].len() > 1;
            if let How::On(set) = test.how
                && !has_exits
                && test.guard.is_none()
                && way.guard.is_none()
                && !gone[into]
                && into != out
            {
                self.arcs[into] = Arc { guard: Some(set), to: test.to, ..way };
                gone[out] = true;
            }
        }
        let mut gone = gone.into_iter();
        self.arcs.retain(|_| !gone.next().unwrap_or(false));
    }

    /// The operations of nodes that reach each other, or of one that does not reach itself: first what stays among
    /// them, then what leaves.
    fn component(&mut self, loops: &[Arc], leaving: &[Arc]) {
        if !loops.is_empty() && !self.ray(loops) {
            self.operations.push(Operation::Repeat(loops.len() as u32));
            for arc in loops {
                self.transfer(*arc);
            }
        }
        for arc in leaving {
            match arc.how {
                How::Check(pattern, expected) => self.check(*arc, pattern, expected),
                _ => self.transfer(*arc),
            }
        }
    }

    /// A check is made once for all edges of a node that make it: where it succeeds goes to a slot of its own.
    fn check(&mut self, arc: Arc, pattern: Pattern, expected: bool) {
        let from = self.slot(arc.from);
        let succeeds = match self.checked.get(&(from, pattern)) {
            Some(&succeeds) => succeeds,
            None => {
                let succeeds = self.new_slot();
                self.checked.insert((from, pattern), succeeds);
                let how = match self.survey_of[pattern] {
                    Some(survey)
                        if self.wide[from as usize] || self.surveys[survey as usize].is_short =>
                    {
                        How::CheckAll(pattern, true)
                    }
                    _ => How::Check(pattern, true),
                };
                self.push(Transfer { from, to: succeeds, how, guard: None });
                succeeds
            }
        };
        let to = self.slot(arc.to);
        let guard = arc.guard;
        self.push(if expected {
            Transfer { from: succeeds, to, how: How::Same, guard }
        } else {
            Transfer { from, to, how: How::Except(succeeds), guard }
        });
    }

    /// Writes a loop as rays when it is one: a step and a test in turn. Returns whether it was.
    fn ray(&mut self, loops: &[Arc]) -> bool {
        let (step, through) = match loops {
            // Standing on a, step to a square with a piece that lets pass, and so on.
            [arc] => match arc.guard {
                Some(through) if arc.from == arc.to => (*arc, through),
                _ => return false,
            },
            // The same, with a node between step and test where something else may happen.
            [one, other] => {
                let (step, test) =
                    if matches!(one.how, How::On(_)) { (other, one) } else { (one, other) };
                match (test.how, test.guard, step.guard) {
                    (How::On(through), None, None)
                        if step.to == test.from && test.to == step.from && step.from != step.to =>
                    {
                        (*step, through)
                    }
                    _ => return false,
                }
            }
            _ => return false,
        };
        let Some(ray) = self.builder.ray(step.how) else { return false };
        let standing = self.slot(step.from);
        let arrived = if loops.len() == 1 { self.new_slot() } else { self.slot(step.to) };
        let seeds_arrive = self.defined[arrived as usize];
        let seeds_stand = self.defined[standing as usize];
        self.defined[arrived as usize] = true;
        let seed = if seeds_arrive { self.take_seed(ray, arrived) } else { None };
        let mut along = |from, includes_start| {
            self.operations.push(Operation::Along {
                ray,
                from,
                to: arrived,
                through,
                includes_start,
            });
        };
        match seed {
            Some(from) => along(from, false),
            None if seeds_arrive => along(arrived, true),
            None => {}
        }
        if seeds_stand {
            along(standing, false);
        }
        let pass = Transfer { from: arrived, to: standing, how: How::On(through), guard: None };
        self.operations.push(Operation::Transfer(pass));
        self.defined[standing as usize] = true;
        true
    }

    /// When a slot's squares have come there by one step of a ray and nothing else, takes that step back, so that lines begin
    /// before it; returns the slot where they do.
    fn take_seed(&mut self, ray: u32, arrived: Slot) -> Option<Slot> {
        let touches = |operation: &Operation| match operation {
            Operation::Transfer(transfer) => transfer.to == arrived || transfer.from == arrived,
            Operation::Along { from, to, .. } | Operation::AlongBack { from, to, .. } => {
                *to == arrived || *from == arrived
            }
            Operation::Repeat(_) | Operation::Skip(..) => false,
        };
        let mut touching = (0..self.operations.len()).filter(|&at| touches(&self.operations[at]));
        let (at, other) = (touching.next()?, touching.next());
        let Operation::Transfer(seed) = self.operations[at] else { return None };
        // What is repeated must stay together.
        let in_loop = self.operations[..at].iter().enumerate().any(|(start, operation)| {
            matches!(operation, Operation::Repeat(count) if at <= start + *count as usize)
        });
        if other.is_some() || in_loop || seed.guard.is_some() || seed.from == arrived {
            return None;
        }
        if self.builder.ray(seed.how) != Some(ray) {
            return None;
        }
        self.operations.remove(at);
        Some(seed.from)
    }

    fn transfer(&mut self, arc: Arc) {
        let (from, to) = (self.slot(arc.from), self.slot(arc.to));
        self.push(Transfer { from, to, how: arc.how, guard: arc.guard });
    }

    fn push(&mut self, transfer: Transfer) {
        let Transfer { from, to, how, .. } = transfer;
        self.defined[to as usize] = true;
        self.wide[to as usize] |= self.wide[from as usize]
            || match how {
                How::Everywhere(_) => true,
                How::Walk(table) => self.builder.is_wide(table),
                _ => false,
            };
        self.operations.push(Operation::Transfer(transfer));
    }

    fn slot(&mut self, node: Node) -> Slot {
        if let Some(&slot) = self.slot_of.get(&node) {
            return slot;
        }
        let slot = self.new_slot();
        self.slot_of.insert(node, slot);
        slot
    }

    fn new_slot(&mut self) -> Slot {
        self.defined.push(false);
        self.wide.push(false);
        self.defined.len() as Slot - 1
    }

    /// The writes and ends of moves, each once: edges that share a modifier share a slot.
    fn exits(&mut self, nodes: &[Node]) -> Vec<Exit> {
        let automaton = self.builder.automaton;
        let mut exits: Vec<Exit> = Vec::new();
        let mut of_modifier = BTreeMap::new();
        let accept = self.entry.accept;
        for &node in nodes.iter().filter(|&&node| Some(node) != accept) {
            let Some(&slot) = self.slot_of.get(&node) else { continue };
            for edge in automaton.nodes[node].iter().filter(|edge| edge.action.is_modifier()) {
                let shared = edge.modifier.and_then(|modifier| of_modifier.get(&modifier).copied());
                if let Some(exit) = shared {
                    self.share_exit(&mut exits, exit, slot);
                    continue;
                }
                if let Some(modifier) = edge.modifier {
                    of_modifier.insert(modifier, exits.len());
                }
                exits.push(Exit {
                    slot,
                    action: edge.action.clone(),
                    modifier: edge.modifier,
                    stage: self.stage_of[edge.target].unwrap_or(0),
                    origin: edge.origin,
                    then: Then::Write,
                    feasible: None,
                });
            }
        }
        exits
    }

    /// Lets an exit happen on the squares of another slot too.
    fn share_exit(&mut self, exits: &mut [Exit], exit: usize, slot: Slot) {
        let both = self.new_slot();
        for from in [exits[exit].slot, slot] {
            let transfer = Transfer { from, to: both, how: How::Same, guard: None };
            self.operations.push(Operation::Transfer(transfer));
        }
        exits[exit].slot = both;
    }
}
