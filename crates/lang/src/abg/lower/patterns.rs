//! Patterns: what is looked for from a square or from all pieces of a kind, without doing anything.

use regulus_automaton::{Action, Node, Pattern, PatternInfo, PieceSet};

use super::branches::BranchPoint;
use super::values::{Axis, affine, specialised};
use super::{Context, Lowering};
use crate::abg::game::{Rule, Value};

impl Lowering<'_> {
    /// Returns a pattern between the two nodes that `build` is given; edges that it adds belong to the pattern.
    pub(super) fn inside(&mut self, build: impl FnOnce(&mut Self, Node, Node)) -> Pattern {
        let outside = std::mem::replace(&mut self.in_pattern, true);
        let (start, accept) = (self.draft.add_node(), self.draft.add_node());
        build(self, start, accept);
        self.in_pattern = outside;
        self.draft.patterns.push(PatternInfo { start, accept })
    }

    /// Returns a pattern that succeeds where a square holds a piece; for -1, where there is such a square.
    pub(super) fn square_pattern(
        &mut self,
        place: &Value,
        number: i64,
        context: Context,
    ) -> Pattern {
        let place = specialised(place, context);
        self.inside(|lowering, start, accept| {
            if let Value::Board(x, y) = &place
                && let (Some(x), Some(y)) = (affine(x, Axis::X), affine(y, Axis::Y))
            {
                let at = lowering.shift(start, (x, y), None);
                return lowering.holds_number(at, number, accept);
            }
            lowering.cases_of_place(&place, context, start, &mut |lowering, x, y, at| {
                let jumped = lowering.then(at, Action::Jump(x, y), None);
                lowering.holds_number(jumped, number, accept);
            });
        })
    }

    /// Adds an edge for a square that holds the piece with a number; for -1, for any square.
    fn holds_number(&mut self, from: Node, number: i64, to: Node) {
        match usize::try_from(number) {
            Ok(piece) if piece < self.game.pieces.len() => {
                let set = PieceSet::from_iter([self.piece(piece)]);
                self.edge(from, Action::On(set), to, None);
            }
            // Such a piece is nowhere.
            Ok(_) => {}
            Err(_) => self.edge(from, Action::Skip, to, None),
        }
    }

    /// Returns a pattern that looks for a sentence, from every square with one of the given pieces, or from the cursor's
    /// square if there are none.
    pub(super) fn pattern(&mut self, current: usize, from: &[usize], rule: &Rule) -> Pattern {
        let origin = Some(rule.origin);
        self.inside(|lowering, start, accept| {
            let mut at = start;
            if !from.is_empty() {
                let set = from.iter().map(|piece| lowering.piece(*piece)).collect();
                at = lowering.then(at, Action::Walk(lowering.anywhere), origin);
                at = lowering.then(at, Action::On(set), origin);
            }
            let machine = &rule.machines.minimal;
            let states: Vec<Node> = (0..machine.len()).map(|_| lowering.draft.add_node()).collect();
            lowering.edge(at, Action::Skip, states[machine.start], origin);
            for (state, &node) in states.iter().enumerate() {
                if machine.accepts[state] {
                    lowering.edge(node, Action::Skip, accept, origin);
                }
                for (letter, to) in machine.letters(state) {
                    let context = lowering.context(current, letter);
                    let at = lowering.shift(node, (letter.x, letter.y), origin);
                    let test = lowering.test(letter, context);
                    lowering.branch(&test, BranchPoint::only_if(context, at, states[to]));
                }
            }
        })
    }
}
