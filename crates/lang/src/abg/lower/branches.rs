//! Conditions as branches: one node where the value is not 0, and one where it is.
//!
//! What depends on the square alone becomes a set of squares, what the automaton can compare is compared, and
//! the rest is decided by cases.

use regulus_automaton::{Action, Node, PieceSet, Relation, SquareSet};

use super::values::may_fail;
use super::{Context, Lowering, constant};
use crate::abg::game::{Content, Operation, Value};

impl Lowering<'_> {
    /// Goes on at `yes` where the value is not 0, and at `no` where it is.
    pub(super) fn branch(
        &mut self,
        value: &Value,
        context: Context,
        from: Node,
        yes: Option<Node>,
        no: Option<Node>,
    ) {
        if self.is_full() {
            return;
        }
        if let Some([true_on, false_on]) = self.squares(value, context) {
            let all = self.draft.board.squares.len();
            for (squares, to) in [(true_on, yes), (false_on, no)] {
                let Some(to) = to.filter(|_| !squares.is_empty()) else { continue };
                let action = if squares.len() == all { Action::Skip } else { Action::At(squares) };
                self.edge(from, action, to, None);
            }
            return;
        }
        match value {
            Value::Not(inner) => self.branch(inner, context, from, no, yes),
            Value::Binary(Operation::And, left, right) => {
                let both = self.draft.add_node();
                self.branch(left, context, from, Some(both), no);
                self.branch(right, context, both, yes, no);
                // What is false is false, even beside something that cannot be computed.
                if may_fail(left) {
                    self.branch(right, context, from, None, no);
                }
            }
            Value::Binary(Operation::Or, left, right) => {
                let neither = self.draft.add_node();
                self.branch(left, context, from, yes, Some(neither));
                self.branch(right, context, neither, yes, no);
                if may_fail(left) {
                    self.branch(right, context, from, yes, None);
                }
            }
            Value::Choose(condition, first, second) => {
                let (one, other) = (self.draft.add_node(), self.draft.add_node());
                self.branch(condition, context, from, Some(one), Some(other));
                self.branch(first, context, one, yes, no);
                self.branch(second, context, other, yes, no);
            }
            Value::Holds(content) => {
                let set = self.holds(*content, context);
                let pieces = self.draft.pieces.keys();
                let others: PieceSet = pieces.filter(|piece| !set.contains(*piece)).collect();
                self.both(from, Action::On(set), Action::On(others), yes, no);
            }
            Value::Match(number) => {
                let found = &self.game.patterns[*number];
                let pattern = match self.patterns.get(&(*number, context.current)) {
                    Some(pattern) => *pattern,
                    None => {
                        let pattern = self.pattern(context.current, &found.from, &found.rule);
                        self.patterns.insert((*number, context.current), pattern);
                        pattern
                    }
                };
                self.both(from, Action::Check(pattern), Action::CheckNot(pattern), yes, no);
            }
            Value::Binary(operation, left, right) => {
                self.compare(*operation, left, right, value, context, from, yes, no);
            }
            Value::Board(..) => {
                let truth = Value::Binary(
                    Operation::NotEqual,
                    Box::new(value.clone()),
                    Box::new(Value::Number(0)),
                );
                self.branch(&truth, context, from, yes, no);
            }
            _ => self.not_zero(value, context, from, yes, no),
        }
    }

    /// Branches on arithmetic: whether it is zero.
    fn not_zero(
        &mut self,
        value: &Value,
        context: Context,
        from: Node,
        yes: Option<Node>,
        no: Option<Node>,
    ) {
        let Some(expression) = self.arithmetic(value, context) else {
            return self.by_cases(value, context, from, yes, no);
        };
        let test = |relation| Action::Compare(expression.clone(), relation, constant(0));
        self.both(from, test(Relation::NotEqual), test(Relation::Equal), yes, no);
    }

    /// Branches on what is left of a value in each of its cases.
    fn by_cases(
        &mut self,
        value: &Value,
        context: Context,
        from: Node,
        yes: Option<Node>,
        no: Option<Node>,
    ) {
        self.cases(value, context, from, &mut |lowering, value, at| {
            lowering.branch(value, context, at, yes, no);
        });
    }

    /// Branches on a comparison; `whole` is all of it.
    #[expect(clippy::too_many_arguments, reason = "a comparison, and where it leads")]
    fn compare(
        &mut self,
        operation: Operation,
        left: &Value,
        right: &Value,
        whole: &Value,
        context: Context,
        from: Node,
        yes: Option<Node>,
        no: Option<Node>,
    ) {
        // A square and a piece, in any order.
        let square = match (left, right) {
            (Value::Board(..), Value::Number(number)) => Some((left, *number)),
            (Value::Number(number), Value::Board(..)) => Some((right, *number)),
            _ => None,
        };
        if let (Some((place, number)), Operation::Equal | Operation::NotEqual) = (square, operation)
        {
            if number < -1 {
                let (to, other) = (no, yes);
                let to = if operation == Operation::Equal { to } else { other };
                return self.both(from, Action::Skip, Action::Skip, to, None);
            }
            let pattern = self.square_pattern(place, number, context);
            let (yes, no) = if operation == Operation::Equal { (yes, no) } else { (no, yes) };
            // Outside the board is where no square is.
            return match number {
                -1 => self.both(from, Action::CheckNot(pattern), Action::Check(pattern), yes, no),
                _ => self.both(from, Action::Check(pattern), Action::CheckNot(pattern), yes, no),
            };
        }
        let relation = match operation {
            Operation::Equal => (Relation::Equal, Relation::NotEqual),
            Operation::NotEqual => (Relation::NotEqual, Relation::Equal),
            Operation::Less => (Relation::Less, Relation::GreaterOrEqual),
            Operation::LessOrEqual => (Relation::LessOrEqual, Relation::Greater),
            Operation::Greater => (Relation::Greater, Relation::LessOrEqual),
            Operation::GreaterOrEqual => (Relation::GreaterOrEqual, Relation::Less),
            _ => return self.not_zero(whole, context, from, yes, no),
        };
        if let (Some(left), Some(right)) =
            (self.arithmetic(left, context), self.arithmetic(right, context))
        {
            let test = |relation| Action::Compare(left.clone(), relation, right.clone());
            return self.both(from, test(relation.0), test(relation.1), yes, no);
        }
        self.by_cases(whole, context, from, yes, no);
    }

    /// Returns the squares where a value is not 0, and those where it is; `None` if it depends on more than the square.
    /// A square where it cannot be computed is in neither set.
    fn squares(&self, value: &Value, context: Context) -> Option<[SquareSet; 2]> {
        let mut only_place = true;
        value.visit(&mut |part| {
            only_place &= matches!(
                part,
                Value::Number(_)
                    | Value::ThisX
                    | Value::ThisY
                    | Value::FromX
                    | Value::FromY
                    | Value::Negate(_)
                    | Value::Not(_)
                    | Value::Binary(..)
                    | Value::Choose(..)
            );
        });
        if !only_place {
            return None;
        }
        let mut sets = [SquareSet::new(), SquareSet::new()];
        for (square, info) in self.draft.board.squares.iter() {
            let here = (i64::from(info.x), i64::from(self.game.height) - 1 - i64::from(info.y));
            if let Some(value) = at_place(value, here, context) {
                sets[usize::from(value == 0)].insert(square);
            }
        }
        Some(sets)
    }

    /// Returns the pieces that a test of what is on a square allows.
    fn holds(&self, content: Content, context: Context) -> PieceSet {
        let game = self.game;
        let fits = |number: usize| match content {
            Content::Empty => game.empty == Some(number),
            Content::Piece(piece) => piece == number,
            Content::Opponent => {
                let owners = &game.pieces[number].owners;
                !owners.is_empty() && !owners.contains(&context.current)
            }
        };
        (0..game.pieces.len())
            .filter(|number| fits(*number))
            .map(|number| self.piece(number))
            .collect()
    }
}

/// Returns the value on a known square; `None` if it depends on more, or cannot be computed.
fn at_place(value: &Value, here: (i64, i64), context: Context) -> Option<i64> {
    let part = |value: &Value| at_place(value, here, context);
    Some(match value {
        Value::Number(number) => *number,
        Value::ThisX => here.0,
        Value::ThisY => here.1,
        Value::FromX => here.0 - i64::from(context.step.0),
        Value::FromY => here.1 - i64::from(context.step.1),
        Value::Negate(a) => part(a)?.checked_neg()?,
        Value::Not(a) => i64::from(part(a)? == 0),
        Value::Choose(a, b, c) => {
            if part(a)? != 0 {
                part(b)?
            } else {
                part(c)?
            }
        }
        Value::Binary(operation, a, b) => match (operation, part(a), part(b)) {
            (Operation::And, Some(0), _) | (Operation::And, _, Some(0)) => 0,
            (Operation::Or, Some(a), _) if a != 0 => 1,
            (Operation::Or, _, Some(b)) if b != 0 => 1,
            (operation, a, b) => operation.apply(a?, b?)?,
        },
        _ => return None,
    })
}
