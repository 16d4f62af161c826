//! Computes stretches that only walk beforehand, into tables.
//!
//! What depends on nothing but the cursor is known when the game is loaded: shifts, walks over tables, tests for
//! squares, and checks whose patterns consist of these.
//!
//! ```text
//! a: shift up -> b                 a: walk t0 -> c
//! b: shift left -> c       ==>     c: …
//!    shift right -> c              t0: for each square, what is up left and up right of it
//! ```
//!
//! 1. A check of such a pattern becomes a test for the squares where it succeeds.
//! 2. A node that is entered by any other action (or where the rules or a pattern begin) gets, for each node that such
//!    walks lead to and where something else happens, one edge with all the ways there. A table that equals one shift,
//!    a test for squares or a skip is written as that.
//!
//! A node where a move ends keeps its number, and so the reason why games end there.

use std::collections::BTreeMap;

use crate::action::Action;
use crate::draft::{Draft, Edge, Origin, WalkTable};
use crate::ids::{Direction, Id, IdVec, Node, Pattern, Square, SquareSet, Table};
use crate::verify::pattern_order;

/// How many (node, square) pairs may be walked, and how many rows kept; a game that needs more is left as it is.
const WORK: usize = 6_000_000;

/// Boards with more squares are run by the engine `walk` alone, which gains little, and walking them misses the caches: each pair
/// counts as this many.
const LARGE_BOARD: usize = 512;
const LARGE_BOARD_COST: usize = 4;

/// By which factor the number of edges may grow. Where every stretch leads to every other, folding copies.
const GROWTH: usize = 2;

/// See the module's text.
pub fn fold_walks(draft: &mut Draft) -> bool {
    fold_checks(draft) | fold_stretches(draft)
}

/// Whether the action depends on, and changes, nothing but the cursor.
fn is_static(action: &Action) -> bool {
    matches!(action, Action::Skip | Action::At(_) | Action::Shift(_) | Action::Walk(_))
}

/// Case (1).
fn fold_checks(draft: &mut Draft) -> bool {
    // The innermost static patterns are static to begin with.
    if !draft.patterns.keys().any(|pattern| is_static_pattern(draft, pattern)) {
        return false;
    }
    let Some(order) = pattern_order(draft) else { return false };
    let mut checks = IdVec::<Pattern, Vec<(Node, usize)>>::filled(Vec::new(), draft.patterns.len());
    for (node, edges) in draft.nodes.iter() {
        for (index, edge) in edges.iter().enumerate() {
            if let Some(pattern) = edge.action.pattern() {
                checks[pattern].push((node, index));
            }
        }
    }
    let mut changed = false;
    let mut walker = StaticWalker::new(draft);
    for pattern in order {
        if !is_static_pattern(draft, pattern) {
            continue;
        }
        // Without time for this one there is none for the others either.
        let Some(succeeds) = squares_of_pattern(draft, &mut walker, pattern) else { break };
        let fails: SquareSet =
            draft.board.squares.keys().filter(|&square| !succeeds.contains(square)).collect();
        for &(node, index) in &checks[pattern] {
            let action = &mut draft.nodes[node][index].action;
            let expected = matches!(action, Action::Check(_));
            *action = Action::At(if expected { succeeds.clone() } else { fails.clone() });
            changed = true;
        }
    }
    changed
}

/// Whether a pattern consists of static actions; large ones are not looked at.
fn is_static_pattern(draft: &Draft, pattern: Pattern) -> bool {
    let mut nodes = vec![draft.patterns[pattern].start];
    let mut index = 0;
    while let Some(&node) = nodes.get(index) {
        index += 1;
        for edge in &draft.nodes[node] {
            if !is_static(&edge.action) || nodes.len() > 1000 {
                return false;
            }
            if !nodes.contains(&edge.target) {
                nodes.push(edge.target);
            }
        }
    }
    true
}

/// The squares where a pattern of static actions succeeds; `None` if that is too much work.
fn squares_of_pattern(
    draft: &Draft,
    walker: &mut StaticWalker,
    pattern: Pattern,
) -> Option<SquareSet> {
    let info = draft.patterns[pattern];
    let mut succeeds = SquareSet::new();
    for square in draft.board.squares.keys() {
        let found =
            walker.closure(draft, info.start, square)?.iter().any(|&(node, _)| node == info.accept);
        if found {
            succeeds.insert(square);
        }
    }
    Some(succeeds)
}

/// Case (2).
fn fold_stretches(draft: &mut Draft) -> bool {
    let entries = entries(draft);
    let mut exits = IdVec::<Node, bool>::filled(false, draft.nodes.len());
    for (node, edges) in draft.nodes.iter() {
        exits[node] = edges.iter().any(|edge| !is_static(&edge.action));
    }
    let mut accepts = IdVec::<Node, bool>::filled(false, draft.nodes.len());
    for pattern in draft.patterns.values() {
        exits[pattern.accept] = true;
        accepts[pattern.accept] = true;
    }
    // A pattern is over where it accepts; what would follow is of no interest.
    let walks = |node: Node| draft.nodes[node].iter().any(|edge| is_static(&edge.action));
    let begins = |node: &Node| entries[*node] && !accepts[*node] && walks(*node);
    let begins: Vec<Node> = draft.nodes.keys().filter(begins).collect();
    if begins.iter().all(|&node| is_folded(draft, node, &accepts)) {
        return false;
    }
    let Some(stretches) = all_stretches(draft, &begins, &exits) else { return false };
    let folded_edges: usize = stretches.iter().map(|stretch| stretch.walks.len()).sum();
    if folded_edges > GROWTH * draft.edge_count() {
        return false;
    }
    rebuild(draft, stretches);
    true
}

/// The nodes where a stretch may begin.
fn entries(draft: &Draft) -> IdVec<Node, bool> {
    let mut entries = IdVec::filled(false, draft.nodes.len());
    entries[draft.start] = true;
    for pattern in draft.patterns.values() {
        entries[pattern.start] = true;
    }
    for (_, edge) in draft.edges() {
        if !is_static(&edge.action) {
            entries[edge.target] = true;
        }
    }
    entries
}

/// From where to where a walk leads, in order.
type Pairs = Vec<(Square, Square)>;

/// All static walks from one node, by the node they lead to.
struct Stretch {
    from: Node,
    origin: Option<Origin>,
    walks: Vec<(Node, Pairs)>,
}

/// The stretches that begin at these nodes; `None` if there is too much to do.
fn all_stretches(
    draft: &Draft,
    begins: &[Node],
    exits: &IdVec<Node, bool>,
) -> Option<Vec<Stretch>> {
    let mut walker = StaticWalker::new(draft);
    let mut found: Vec<(Node, (Square, Square))> = Vec::new();
    let mut stretches = Vec::with_capacity(begins.len());
    for &from in begins {
        found.clear();
        for square in draft.board.squares.keys() {
            let reached = walker.closure(draft, from, square)?.iter();
            let reached = reached.filter(|(exit, _)| exits[*exit]);
            found.extend(reached.map(|&(exit, target)| (exit, (square, target))));
        }
        found.sort_unstable();
        let by_exit = found.chunk_by(|one, other| one.0 == other.0);
        let walks = by_exit.map(|walk| (walk[0].0, walk.iter().map(|&(_, pair)| pair).collect()));
        let first = draft.nodes[from].iter().find(|edge| is_static(&edge.action));
        let origin = first.and_then(|edge| edge.origin);
        stretches.push(Stretch { from, origin, walks: walks.collect() });
    }
    Some(stretches)
}

/// Whether a node already is what folding would make of it: one static edge for each other node it leads to, and no walk
/// goes on from there.
fn is_folded(draft: &Draft, node: Node, accepts: &IdVec<Node, bool>) -> bool {
    let edges = draft.nodes[node].iter().filter(|edge| is_static(&edge.action));
    let mut targets: Vec<Node> = edges.map(|edge| edge.target).collect();
    let count = targets.len();
    targets.sort_unstable();
    targets.dedup();
    let stops = |target: &Node| {
        accepts[*target] || draft.nodes[*target].iter().all(|edge| !is_static(&edge.action))
    };
    targets.len() == count && targets.iter().all(|target| *target != node && stops(target))
}

/// Rewrites all stretches. Each exit gives its other edges to a node of its own, except where the stretch from it
/// merely stays there and no other walk leads to it.
fn rebuild(draft: &mut Draft, stretches: Vec<Stretch>) {
    let mut reached_from = IdVec::<Node, u32>::filled(0, draft.nodes.len());
    let mut begins_stretch = IdVec::<Node, bool>::filled(false, draft.nodes.len());
    for stretch in &stretches {
        begins_stretch[stretch.from] = true;
        for (exit, pairs) in &stretch.walks {
            if *exit != stretch.from || !is_identity(draft, pairs) {
                reached_from[*exit] += 1;
            }
        }
    }
    let accepts: Vec<Node> = draft.patterns.values().map(|pattern| pattern.accept).collect();
    let mut doing = IdVec::<Node, Option<Node>>::filled(None, draft.nodes.len());
    for node in draft.nodes.keys() {
        if reached_from[node] == 0 || accepts.contains(&node) {
            continue;
        }
        let acts: Vec<Edge> =
            draft.nodes[node].iter().filter(|edge| !is_static(&edge.action)).cloned().collect();
        if begins_stretch[node] {
            let twin = draft.add_node();
            draft.nodes[twin] = acts;
            doing[node] = Some(twin);
        } else {
            draft.nodes[node] = acts;
        }
    }
    let mut tables: BTreeMap<WalkTable, Table> =
        draft.tables.iter().map(|(table, walk)| (walk.clone(), table)).collect();
    for stretch in stretches {
        let node = stretch.from;
        let keeps_acts = doing[node].is_none() || accepts.contains(&node);
        let mut edges: Vec<Edge> = Vec::new();
        if keeps_acts {
            edges.extend(draft.nodes[node].iter().filter(|edge| !is_static(&edge.action)).cloned());
        }
        for (exit, pairs) in stretch.walks {
            if exit == node && keeps_acts && is_identity(draft, &pairs) {
                continue;
            }
            let action = walk_action(draft, &mut tables, &pairs);
            let target = doing[exit].unwrap_or(exit);
            edges.push(Edge { action, modifier: None, target, origin: stretch.origin });
        }
        draft.nodes[node] = edges;
    }
}

/// Whether a walk stays wherever it begins.
fn is_identity(draft: &Draft, pairs: &Pairs) -> bool {
    pairs.len() == draft.board.squares.len() && stays(pairs)
}

/// Whether a walk leads nowhere else.
fn stays(pairs: &Pairs) -> bool {
    pairs.iter().all(|(from, to)| from == to)
}

/// The simplest action that walks as the pairs say.
fn walk_action(
    draft: &mut Draft,
    tables: &mut BTreeMap<WalkTable, Table>,
    pairs: &Pairs,
) -> Action {
    if is_identity(draft, pairs) {
        return Action::Skip;
    }
    if stays(pairs) {
        return Action::At(pairs.iter().map(|&(from, _)| from).collect());
    }
    if let Some(direction) = direction_of(draft, pairs) {
        return Action::Shift(direction);
    }
    let mut rows = vec![Vec::new(); draft.board.squares.len()];
    pairs.iter().for_each(|&(from, to)| rows[from.index()].push(to));
    let table = if rows.iter().all(|row| *row == rows[0]) {
        WalkTable::Everywhere(rows.into_iter().next().unwrap_or_default())
    } else {
        WalkTable::PerSquare(rows)
    };
    Action::Walk(*tables.entry(table).or_insert_with_key(|table| draft.tables.push(table.clone())))
}

/// The direction that leads where a walk does; `None` if there is none.
fn direction_of(draft: &Draft, pairs: &Pairs) -> Option<Direction> {
    let board = &draft.board;
    board.directions.keys().find(|&direction| {
        let steps = board.squares.iter().filter_map(|(square, info)| {
            info.neighbours[direction].map(|neighbour| (square, neighbour))
        });
        steps.eq(pairs.iter().copied())
    })
}

/// Follows static edges from one place, remembering where it has been.
struct StaticWalker {
    squares: usize,
    stamp: u32,
    marks: Vec<u32>,
    found: Vec<(Node, Square)>,
    work: usize,
}

impl StaticWalker {
    fn new(draft: &Draft) -> StaticWalker {
        let squares = draft.board.squares.len();
        // The marks of a game this large would take hundreds of megabytes; its walks would not pay anyway.
        let fits = draft.nodes.len().saturating_mul(squares) <= WORK;
        let marks = if fits { vec![0; draft.nodes.len() * squares] } else { Vec::new() };
        StaticWalker {
            squares,
            stamp: 0,
            marks,
            found: Vec::new(),
            work: if fits { 0 } else { WORK },
        }
    }

    /// Every place that static edges lead to, including the given one; `None` if that is too much work.
    fn closure(&mut self, draft: &Draft, node: Node, square: Square) -> Option<&[(Node, Square)]> {
        self.stamp += 1;
        self.found.clear();
        if self.work >= WORK {
            return None;
        }
        self.find(node, square);
        let mut index = 0;
        while let Some(&(node, square)) = self.found.get(index) {
            index += 1;
            for edge in &draft.nodes[node] {
                match &edge.action {
                    Action::Skip => self.find(edge.target, square),
                    Action::At(squares) if squares.contains(square) => {
                        self.find(edge.target, square)
                    }
                    Action::Shift(direction) => {
                        if let Some(target) = draft.board.neighbour(square, *direction) {
                            self.find(edge.target, target);
                        }
                    }
                    Action::Walk(table) => {
                        for &target in draft.tables[*table].targets(square) {
                            self.find(edge.target, target);
                        }
                    }
                    _ => {}
                }
            }
        }
        let cost = if self.squares > LARGE_BOARD { LARGE_BOARD_COST } else { 1 };
        self.work += self.found.len() * cost;
        Some(&self.found)
    }

    fn find(&mut self, node: Node, square: Square) {
        let mark = &mut self.marks[node.index() * self.squares + square.index()];
        if std::mem::replace(mark, self.stamp) != self.stamp {
            self.found.push((node, square));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::check;

    #[test]
    fn several_steps_become_a_table() {
        check(
            fold_walks,
            "rules n0
               n0: shift right -> n1
               n1: shift right -> n2
                   skip -> n2
               n2: on {e} -> n3
               n3: keeper #1 -> n0",
            "tables
               t0 each
                 p: q, r
                 q: r
             rules n0
               n0: walk t0 -> n2
               n1: shift right -> n2
                   skip -> n2
               n2: on {e} -> n3
               n3: keeper #1 -> n0",
        );
    }

    #[test]
    fn walking_anywhere_forgets_where_from() {
        check(
            fold_walks,
            "rules n0
               n0: shift left -> n0
                   shift right -> n0
                   on {w} -> n1
               n1: keeper #1 -> n0",
            "tables
               t0 everywhere: p, q, r
             rules n0
               n0: walk t0 -> n2
               n1: keeper #1 -> n0
               n2: on {w} -> n1",
        );
    }

    #[test]
    fn a_single_step_stays_a_step() {
        let rules = "rules n0
               n0: shift left -> n1
                   on {e} -> n2
               n1: on {w} -> n2
               n2: keeper #1 -> n0";
        check(fold_walks, rules, rules);
    }

    #[test]
    fn checks_of_places_become_tests_for_squares() {
        check(
            fold_walks,
            "patterns
               k0 n2 -> n3
             rules n0
               n0: check k0 -> n1
                   check not k0 -> n4
               n1: keeper #1 -> n0
               n2: shift left -> n3
               n3:
               n4: keeper #2 -> n0",
            "patterns
               k0 n2 -> n3
             rules n0
               n0: at {q, r} -> n1
                   at {p} -> n4
               n1: keeper #1 -> n0
               n2: shift left -> n3
               n3:
               n4: keeper #2 -> n0",
        );
    }
}
