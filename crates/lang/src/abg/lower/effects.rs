//! What letters do: pieces put on squares, and numbers assigned to variables and scores.

use regulus_automaton::{Action, Expression, Node, Operator, Origin, Variable};

use super::branches::BranchPoint;
use super::values::{Axis, affine, specialised};
use super::{Context, Lowering, constant};
use crate::abg::game::{Operation, Step, Value};

impl Lowering<'_> {
    /// Adds the steps of an effect, one after the other; the cursor is on the letter's square before and after.
    pub(super) fn effect(
        &mut self,
        steps: &[Step],
        piece: usize,
        context: Context,
        from: Node,
    ) -> Node {
        let mut at = from;
        for step in steps {
            at = match step {
                Step::Move => {
                    let (x, y) = context.step;
                    let (empty, piece) = (self.empty(), self.piece(piece));
                    if (x, y) != (0, 0) {
                        at = self.shift(at, (-x, -y), None);
                        at = self.then(at, Action::Put(empty), None);
                        at = self.shift(at, (x, y), None);
                    }
                    self.then(at, Action::Put(piece), None)
                }
                Step::Board(x, y, value, origin) => {
                    self.put(x, y, &specialised(value, context), context, at, Some(*origin))
                }
                Step::Variable(variable, value, origin) => {
                    let offset = self.variables.offset(*variable);
                    let variable = self.variables.variable(*variable);
                    self.assign(
                        variable,
                        offset,
                        &specialised(value, context),
                        context,
                        at,
                        Some(*origin),
                    )
                }
                Step::Score(player, value, origin) => {
                    let Some(variable) = self.variables.score(*player) else { continue };
                    self.assign(
                        variable,
                        0,
                        &specialised(value, context),
                        context,
                        at,
                        Some(*origin),
                    )
                }
            };
        }
        at
    }

    /// Assigns a value, plus an offset; returns the node behind that.
    fn assign(
        &mut self,
        variable: Variable,
        offset: i64,
        value: &Value,
        context: Context,
        from: Node,
        origin: Option<Origin>,
    ) -> Node {
        let done = self.draft.add_node();
        self.cases(value, context, from, &mut |lowering, value, at| {
            if let Some(expression) = lowering.arithmetic(value, context) {
                let sum = Expression::binary(Operator::Add, expression, constant(offset));
                let sum = if offset == 0 {
                    lowering.arithmetic(value, context).unwrap_or(sum)
                } else {
                    sum
                };
                lowering.edge(at, Action::Assign(variable, sum), done, origin);
            }
        });
        done
    }

    /// Puts the piece with a number on a square; returns the node behind that.
    fn put(
        &mut self,
        x: &Value,
        y: &Value,
        value: &Value,
        context: Context,
        from: Node,
        origin: Option<Origin>,
    ) -> Node {
        let (x, y) = (specialised(x, context), specialised(y, context));
        let done = self.draft.add_node();
        self.cases(value, context, from, &mut |lowering, value, at| {
            let Value::Number(number) = value else {
                // A piece by an unknown number: whichever it is.
                for piece in 0..lowering.game.pieces.len() {
                    let same = Value::Binary(
                        Operation::Equal,
                        Box::new(value.clone()),
                        Box::new(Value::Number(piece as i64)),
                    );
                    let chosen = lowering.draft.add_node();
                    lowering.branch(&same, BranchPoint::only_if(context, at, chosen));
                    lowering.put_piece(&x, &y, piece, context, chosen, done, origin);
                }
                return;
            };
            if let Ok(piece) = usize::try_from(*number)
                && piece < lowering.game.pieces.len()
            {
                lowering.put_piece(&x, &y, piece, context, at, done, origin);
            }
        });
        done
    }

    /// Puts a piece on a square, between two nodes.
    #[expect(clippy::too_many_arguments, reason = "what is put where, between two nodes")]
    fn put_piece(
        &mut self,
        x: &Value,
        y: &Value,
        piece: usize,
        context: Context,
        from: Node,
        done: Node,
        origin: Option<Origin>,
    ) {
        let piece = self.piece(piece);
        let place = (affine(x, Axis::X), affine(y, Axis::Y));
        if let (Some(x), Some(y)) = place {
            let at = self.shift(from, (x, y), origin);
            let put = self.then(at, Action::Put(piece), origin);
            let back = self.shift(put, (-x, -y), origin);
            return self.edge(back, Action::Skip, done, origin);
        }
        let Some(register) = self.register else { return };
        let saved = self.then(from, Action::Save(register), origin);
        let both = Value::Board(Box::new(x.clone()), Box::new(y.clone()));
        self.cases_of_place(&both, context, saved, &mut |lowering, x, y, at| {
            let jumped = lowering.then(at, Action::Jump(x, y), origin);
            let put = lowering.then(jumped, Action::Put(piece), origin);
            lowering.edge(put, Action::Recall(register), done, origin);
        });
    }
}
