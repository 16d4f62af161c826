//! Settles what can be known of a test beforehand: one that always succeeds becomes a skip, an edge that always
//! fails is removed.
//!
//! Decided are tests for no piece or every piece, for no square or every square, comparisons of constants,
//! assignments of constants out of bounds, shifts that lead nowhere on the whole board, and checks of patterns whose
//! acceptance is their start or cannot be reached.

use crate::action::{Action, Expression};
use crate::draft::{Draft, WalkTable};
use crate::ids::{IdVec, Pattern};

/// See the module's text.
pub fn decide_tests(draft: &mut Draft) -> bool {
    let patterns: IdVec<Pattern, Option<bool>> =
        draft.patterns.keys().map(|pattern| decide_pattern(draft, pattern)).collect();
    let mut changed = false;
    for node in draft.nodes.keys() {
        let mut edges = std::mem::take(&mut draft.nodes[node]);
        edges.retain_mut(|edge| {
            let decided = if edge.action == Action::Skip {
                None
            } else {
                decide(draft, &patterns, &edge.action)
            };
            changed |= decided.is_some();
            if decided == Some(true) {
                edge.action = Action::Skip;
            }
            decided != Some(false)
        });
        draft.nodes[node] = edges;
    }
    changed
}

/// How the action always ends, when that is known and it does nothing but end so.
fn decide(draft: &Draft, patterns: &IdVec<Pattern, Option<bool>>, action: &Action) -> Option<bool> {
    let of_all = |members: usize, all: usize| match members {
        0 => Some(false),
        _ => (members == all).then_some(true),
    };
    match action {
        Action::On(pieces) => of_all(pieces.len(), draft.pieces.len()),
        Action::At(squares) => of_all(squares.len(), draft.board.squares.len()),
        Action::Compare(left, relation, right) => match (constant(left), constant(right)) {
            (Some(Ok(left)), Some(Ok(right))) => Some(relation.holds(left, right)),
            (Some(Err(_)), _) | (_, Some(Err(_))) => Some(false),
            _ => None,
        },
        Action::Check(pattern) => patterns[*pattern],
        Action::CheckNot(pattern) => patterns[*pattern].map(|found| !found),
        Action::Shift(direction) => {
            let leads =
                draft.board.squares.values().any(|square| square.neighbours[*direction].is_some());
            (!leads).then_some(false)
        }
        Action::Walk(table) => {
            let leads = match &draft.tables[*table] {
                WalkTable::Everywhere(row) => !row.is_empty(),
                WalkTable::PerSquare(rows) => rows.iter().any(|row| !row.is_empty()),
            };
            (!leads).then_some(false)
        }
        Action::Assign(variable, value) => match constant(value)? {
            Ok(value) if (0..=i64::from(draft.variables[*variable].bound)).contains(&value) => None,
            _ => Some(false),
        },
        _ => None,
    }
}

/// An expression that divides by zero or leaves 64 bits.
struct Undefined;

/// The value of an expression without variables.
fn constant(expression: &Expression) -> Option<Result<i64, Undefined>> {
    match expression {
        Expression::Constant(value) => Some(Ok(i64::from(*value))),
        Expression::Binary(operator, left, right) => match (constant(left)?, constant(right)?) {
            (Ok(left), Ok(right)) => Some(operator.apply(left, right).ok_or(Undefined)),
            _ => Some(Err(Undefined)),
        },
        _ => None,
    }
}

fn decide_pattern(draft: &Draft, pattern: Pattern) -> Option<bool> {
    let info = draft.patterns[pattern];
    if info.start == info.accept {
        return Some(true);
    }
    let mut seen = std::collections::BTreeSet::from([info.start]);
    let mut stack = vec![info.start];
    while let Some(node) = stack.pop() {
        for edge in &draft.nodes[node] {
            if edge.target == info.accept {
                return None;
            }
            if seen.insert(edge.target) {
                stack.push(edge.target);
            }
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::check;

    #[test]
    fn sets_of_all_and_of_none() {
        check(
            decide_tests,
            "rules n0
               n0: on {e, w, b} -> n1
                   on {} -> n1
                   at {p, q, r} -> n1
                   at {} -> n1
                   on {w} -> n1
               n1: keeper #1 -> n0",
            "rules n0
               n0: skip -> n1
                   skip -> n1
                   on {w} -> n1
               n1: keeper #1 -> n0",
        );
    }

    #[test]
    fn constants_are_compared() {
        check(
            decide_tests,
            "rules n0
               n0: compare 2 * 3 == 6 -> n1
                   compare 1 / 0 == 1 -> n1
                   compare 1 > 2 -> n1
                   compare turn > 2 -> n1
               n1: assign turn = 6 #1 -> n2
                   assign turn = 5 #2 -> n2
               n2: keeper #3 -> n0",
            "rules n0
               n0: skip -> n1
                   compare turn > 2 -> n1
               n1: assign turn = 5 #2 -> n2
               n2: keeper #3 -> n0",
        );
    }

    #[test]
    fn walks_that_lead_nowhere_are_removed() {
        check(
            decide_tests,
            "tables
               t0 everywhere:
             rules n0
               n0: shift up -> n1
                   walk t0 -> n1
                   shift left -> n1
               n1: keeper #1 -> n0",
            "tables
               t0 everywhere:
             rules n0
               n0: shift left -> n1
               n1: keeper #1 -> n0",
        );
    }

    #[test]
    fn checks_of_trivial_patterns() {
        check(
            decide_tests,
            "patterns
               k0 n2 -> n2
               k1 n3 -> n4
             rules n0
               n0: check k0 -> n1
                   check not k0 -> n1
                   check k1 -> n1
                   check not k1 -> n1
               n1: keeper #1 -> n0
               n2:
               n3: on {w} -> n3
               n4:",
            "patterns
               k0 n2 -> n2
               k1 n3 -> n4
             rules n0
               n0: skip -> n1
                   skip -> n1
               n1: keeper #1 -> n0
               n2:
               n3: on {w} -> n3
               n4:",
        );
    }
}
