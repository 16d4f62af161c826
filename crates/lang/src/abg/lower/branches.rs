//! Conditions as branches: one node where the value is not 0, and one where it is.
//!
//! What depends on the square alone becomes a set of squares, what the automaton can compare is compared, and
//! the rest is decided by cases.

use regulus_automaton::{Action, Node, PieceSet, Relation, SquareSet};

use super::values::may_fail;
use super::{Context, Lowering, constant};
use crate::abg::game::{Content, Operation, Value};

/// Where a branch begins and where it leads.
#[derive(Clone, Copy)]
pub(super) struct BranchPoint {
    /// The context in which the condition is computed.
    pub(super) context: Context,
    /// The node where the branch begins.
    pub(super) from: Node,
    /// The node where the value is not 0; `None` if nothing follows.
    pub(super) yes: Option<Node>,
    /// The node where the value is 0; `None` if nothing follows.
    pub(super) no: Option<Node>,
}

impl BranchPoint {
    /// Returns a branch of two nodes.
    pub(super) fn new(context: Context, from: Node, yes: Node, no: Node) -> BranchPoint {
        BranchPoint { context, from, yes: Some(yes), no: Some(no) }
    }

    /// Returns a branch that ends where the value is 0.
    pub(super) fn only_if(context: Context, from: Node, yes: Node) -> BranchPoint {
        BranchPoint { context, from, yes: Some(yes), no: None }
    }

    /// Returns the branch of the negated condition.
    fn negated(self) -> BranchPoint {
        BranchPoint { yes: self.no, no: self.yes, ..self }
    }

    /// Returns the same branch from another node.
    fn at(self, from: Node) -> BranchPoint {
        BranchPoint { from, ..self }
    }
}

impl Lowering<'_> {
    /// Goes on at `yes` where the value is not 0, and at `no` where it is.
    pub(super) fn branch(&mut self, value: &Value, point: BranchPoint) {
        if self.is_full() {
            return;
        }
        let BranchPoint { context, from, yes, no } = point;
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
            Value::Not(inner) => self.branch(inner, point.negated()),
            Value::Binary(Operation::And, left, right) => {
                let both = self.draft.add_node();
                self.branch(left, BranchPoint { yes: Some(both), ..point });
                self.branch(right, point.at(both));
                // What is false is false, even beside something that cannot be computed.
                if may_fail(left) {
                    self.branch(right, BranchPoint { yes: None, ..point });
                }
            }
            Value::Binary(Operation::Or, left, right) => {
                let neither = self.draft.add_node();
                self.branch(left, BranchPoint { no: Some(neither), ..point });
                self.branch(right, point.at(neither));
                if may_fail(left) {
                    self.branch(right, BranchPoint { no: None, ..point });
                }
            }
            Value::Choose(condition, first, second) => {
                let (one, other) = (self.draft.add_node(), self.draft.add_node());
                self.branch(condition, BranchPoint::new(context, from, one, other));
                self.branch(first, point.at(one));
                self.branch(second, point.at(other));
            }
            Value::Holds(content) => {
                let set = self.holds(*content, context);
                let pieces = self.draft.pieces.keys();
                let others: PieceSet = pieces.filter(|piece| !set.contains(*piece)).collect();
                self.both(point, Action::On(set), Action::On(others));
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
                self.both(point, Action::Check(pattern), Action::CheckNot(pattern));
            }
            Value::Binary(operation, left, right) => {
                self.compare(*operation, left, right, value, point);
            }
            Value::Board(..) => {
                let truth = Value::Binary(
                    Operation::NotEqual,
                    Box::new(value.clone()),
                    Box::new(Value::Number(0)),
                );
                self.branch(&truth, point);
            }
            _ => self.not_zero(value, point),
        }
    }

    /// Goes on at `yes` by one action, and at `no` by another.
    pub(super) fn both(&mut self, point: BranchPoint, if_yes: Action, if_no: Action) {
        if let Some(yes) = point.yes {
            self.edge(point.from, if_yes, yes, None);
        }
        if let Some(no) = point.no {
            self.edge(point.from, if_no, no, None);
        }
    }

    /// Branches on arithmetic: whether it is zero.
    fn not_zero(&mut self, value: &Value, point: BranchPoint) {
        let Some(expression) = self.arithmetic(value, point.context) else {
            return self.by_cases(value, point);
        };
        let test = |relation| Action::Compare(expression.clone(), relation, constant(0));
        self.both(point, test(Relation::NotEqual), test(Relation::Equal));
    }

    /// Branches on what is left of a value in each of its cases.
    fn by_cases(&mut self, value: &Value, point: BranchPoint) {
        self.cases(value, point.context, point.from, &mut |lowering, value, at| {
            lowering.branch(value, point.at(at));
        });
    }

    /// Branches on a comparison; `whole` is all of it.
    fn compare(
        &mut self,
        operation: Operation,
        left: &Value,
        right: &Value,
        whole: &Value,
        point: BranchPoint,
    ) {
        let context = point.context;
        // A square and a piece, in any order.
        let square = match (left, right) {
            (Value::Board(..), Value::Number(number)) => Some((left, *number)),
            (Value::Number(number), Value::Board(..)) => Some((right, *number)),
            _ => None,
        };
        if let (Some((place, number)), Operation::Equal | Operation::NotEqual) = (square, operation)
        {
            let point = if operation == Operation::Equal { point } else { point.negated() };
            if number < -1 {
                let always_no = BranchPoint { yes: None, ..point };
                return self.both(always_no, Action::Skip, Action::Skip);
            }
            let pattern = self.square_pattern(place, number, context);
            // Outside the board is where no square is.
            return match number {
                -1 => self.both(point, Action::CheckNot(pattern), Action::Check(pattern)),
                _ => self.both(point, Action::Check(pattern), Action::CheckNot(pattern)),
            };
        }
        let relation = match operation {
            Operation::Equal => (Relation::Equal, Relation::NotEqual),
            Operation::NotEqual => (Relation::NotEqual, Relation::Equal),
            Operation::Less => (Relation::Less, Relation::GreaterOrEqual),
            Operation::LessOrEqual => (Relation::LessOrEqual, Relation::Greater),
            Operation::Greater => (Relation::Greater, Relation::LessOrEqual),
            Operation::GreaterOrEqual => (Relation::GreaterOrEqual, Relation::Less),
            _ => return self.not_zero(whole, point),
        };
        if let (Some(left), Some(right)) =
            (self.arithmetic(left, context), self.arithmetic(right, context))
        {
            let test = |relation| Action::Compare(left.clone(), relation, right.clone());
            return self.both(point, test(relation.0), test(relation.1));
        }
        self.by_cases(whole, point);
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
