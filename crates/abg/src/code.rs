//! Integer expressions as code for a stack, so that deeply nested ones need no deep recursion.

use regulus_lang::abg::{Content, Operation, Value};

/// An expression ready to be computed.
#[derive(Clone, Debug)]
pub(crate) struct ExpressionCode {
    pub(crate) ops: Vec<ExpressionOp>,
    /// Where jumps lead.
    labels: Vec<usize>,
}

/// One step of a computation. Values on the stack are missing where they cannot be computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExpressionOp {
    /// What depends on the state alone.
    Operand(Operand),
    /// A row and a column become the piece there.
    Board,
    Negate,
    Not,
    Binary(Operation),
    /// The left side of `and` or `or` is known: skips the right side where that decides.
    Decide(Operation, usize),
    /// Goes on behind it, or at the first label when the condition is 0, or at the second when it is missing.
    Branch(usize, usize),
    Jump(usize),
}

/// What has no parts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    Number(i64),
    Variable(usize),
    Score(usize),
    ThisX,
    ThisY,
    FromX,
    FromY,
    Count(usize),
    Holds(Content),
    Current,
    Stuck,
    Match(usize),
}

/// What a computation asks the state.
pub(crate) trait Facts {
    fn leaf(&self, leaf: Operand) -> Option<i64>;
    fn piece_at(&self, x: i64, y: i64) -> i64;
}

enum CodeTask<'a> {
    Visit(&'a Value),
    Emit(ExpressionOp),
    Label(usize),
}

impl ExpressionCode {
    pub(crate) fn new(value: &Value) -> ExpressionCode {
        let mut code = ExpressionCode { ops: Vec::new(), labels: Vec::new() };
        let mut tasks = vec![CodeTask::Visit(value)];
        while let Some(task) = tasks.pop() {
            match task {
                CodeTask::Visit(value) => code.visit(value, &mut tasks),
                CodeTask::Emit(op) => code.ops.push(op),
                CodeTask::Label(label) => code.labels[label] = code.ops.len(),
            }
        }
        code
    }

    fn label(&mut self) -> usize {
        self.labels.push(0);
        self.labels.len() - 1
    }

    /// Adds what comes next, the last first.
    fn visit<'a>(&mut self, value: &'a Value, tasks: &mut Vec<CodeTask<'a>>) {
        let leaf = match value {
            Value::Number(number) => Operand::Number(*number),
            Value::Variable(variable) => Operand::Variable(*variable),
            Value::Score(player) => Operand::Score(*player),
            Value::ThisX => Operand::ThisX,
            Value::ThisY => Operand::ThisY,
            Value::FromX => Operand::FromX,
            Value::FromY => Operand::FromY,
            Value::Count(piece) => Operand::Count(*piece),
            Value::Holds(content) => Operand::Holds(*content),
            Value::Current => Operand::Current,
            Value::Stuck => Operand::Stuck,
            Value::Match(pattern) => Operand::Match(*pattern),
            Value::Board(x, y) => {
                tasks.extend([
                    CodeTask::Emit(ExpressionOp::Board),
                    CodeTask::Visit(y),
                    CodeTask::Visit(x),
                ]);
                return;
            }
            Value::Negate(inner) => {
                tasks.extend([CodeTask::Emit(ExpressionOp::Negate), CodeTask::Visit(inner)]);
                return;
            }
            Value::Not(inner) => {
                tasks.extend([CodeTask::Emit(ExpressionOp::Not), CodeTask::Visit(inner)]);
                return;
            }
            Value::Binary(operation @ (Operation::And | Operation::Or), left, right) => {
                let end = self.label();
                tasks.extend([
                    CodeTask::Label(end),
                    CodeTask::Emit(ExpressionOp::Binary(*operation)),
                    CodeTask::Visit(right),
                    CodeTask::Emit(ExpressionOp::Decide(*operation, end)),
                    CodeTask::Visit(left),
                ]);
                return;
            }
            Value::Binary(operation, left, right) => {
                tasks.extend([
                    CodeTask::Emit(ExpressionOp::Binary(*operation)),
                    CodeTask::Visit(right),
                    CodeTask::Visit(left),
                ]);
                return;
            }
            Value::Choose(condition, yes, no) => {
                let (otherwise, end) = (self.label(), self.label());
                tasks.extend([
                    CodeTask::Label(end),
                    CodeTask::Visit(no),
                    CodeTask::Label(otherwise),
                    CodeTask::Emit(ExpressionOp::Jump(end)),
                    CodeTask::Visit(yes),
                    CodeTask::Emit(ExpressionOp::Branch(otherwise, end)),
                    CodeTask::Visit(condition),
                ]);
                return;
            }
        };
        self.ops.push(ExpressionOp::Operand(leaf));
    }

    /// The value; `None` if it divides by zero, overflows, or reads a square outside the board.
    pub(crate) fn value(&self, facts: &impl Facts) -> Option<i64> {
        if let [ExpressionOp::Operand(leaf)] = self.ops.as_slice() {
            return facts.leaf(*leaf);
        }
        let mut stack: Vec<Option<i64>> = Vec::with_capacity(8);
        let mut at = 0;
        while let Some(op) = self.ops.get(at) {
            at += 1;
            // Every operation finds its operands; a missing one would be a value that cannot be computed.
            match *op {
                ExpressionOp::Operand(leaf) => stack.push(facts.leaf(leaf)),
                ExpressionOp::Board => {
                    let (y, x) = (pop(&mut stack), pop(&mut stack));
                    stack.push(x.zip(y).map(|(x, y)| facts.piece_at(x, y)));
                }
                ExpressionOp::Negate => {
                    let inner = pop(&mut stack);
                    stack.push(inner.and_then(i64::checked_neg));
                }
                ExpressionOp::Not => {
                    let inner = pop(&mut stack);
                    stack.push(inner.map(|number| i64::from(number == 0)));
                }
                ExpressionOp::Binary(operation) => {
                    let (right, left) = (pop(&mut stack), pop(&mut stack));
                    stack.push(combined(operation, left, right));
                }
                ExpressionOp::Decide(operation, end) => {
                    if let Some(truth) = decides(operation, pop_peek(&stack)) {
                        stack.pop();
                        stack.push(Some(truth));
                        at = self.labels[end];
                    }
                }
                ExpressionOp::Branch(otherwise, end) => match pop(&mut stack) {
                    None => {
                        stack.push(None);
                        at = self.labels[end];
                    }
                    Some(0) => at = self.labels[otherwise],
                    Some(_) => {}
                },
                ExpressionOp::Jump(label) => at = self.labels[label],
            }
        }
        pop(&mut stack)
    }
}

fn pop(stack: &mut Vec<Option<i64>>) -> Option<i64> {
    stack.pop().flatten()
}

fn pop_peek(stack: &[Option<i64>]) -> Option<i64> {
    stack.last().copied().flatten()
}

/// The truth of `and` or `or` where one side decides it.
fn decides(operation: Operation, side: Option<i64>) -> Option<i64> {
    match (operation, side?) {
        (Operation::And, 0) => Some(0),
        (Operation::Or, number) if number != 0 => Some(1),
        _ => None,
    }
}

/// Two values combined. Where one side decides, it does not matter that the other cannot be computed.
fn combined(operation: Operation, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    decides(operation, left)
        .or_else(|| decides(operation, right))
        .or_else(|| operation.apply(left?, right?))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Facts for Nothing {
        fn leaf(&self, leaf: Operand) -> Option<i64> {
            if let Operand::Number(number) = leaf { Some(number) } else { None }
        }

        fn piece_at(&self, x: i64, y: i64) -> i64 {
            10 * x + y
        }
    }

    fn number(number: i64) -> Box<Value> {
        Box::new(Value::Number(number))
    }

    fn binary(operation: Operation, left: Box<Value>, right: Box<Value>) -> Box<Value> {
        Box::new(Value::Binary(operation, left, right))
    }

    fn compute(value: &Value) -> Option<i64> {
        ExpressionCode::new(value).value(&Nothing)
    }

    #[test]
    fn operations_take_their_operands_in_order() {
        let seven = binary(Operation::Subtract, number(10), number(3));
        assert_eq!(compute(&seven), Some(7));
        assert_eq!(compute(&Value::Board(number(4), number(2))), Some(42));
        assert_eq!(compute(&Value::Negate(seven)), Some(-7));
    }

    #[test]
    fn only_the_chosen_branch_is_computed() {
        let broken = || binary(Operation::Divide, number(1), number(0));
        let choose = |condition| Value::Choose(condition, number(5), broken());
        assert_eq!(compute(&choose(number(2))), Some(5));
        assert_eq!(compute(&choose(number(0))), None);
        assert_eq!(compute(&choose(broken())), None);
    }

    #[test]
    fn one_side_may_decide() {
        let broken = || binary(Operation::Modulo, number(1), number(0));
        for (operation, side, decided) in [(Operation::And, 0, 0), (Operation::Or, 3, 1)] {
            assert_eq!(compute(&binary(operation, number(side), broken())), Some(decided));
            assert_eq!(compute(&binary(operation, broken(), number(side))), Some(decided));
            let other = i64::from(side == 0);
            assert_eq!(compute(&binary(operation, broken(), number(other))), None);
            assert_eq!(compute(&binary(operation, number(other), number(7))), Some(1));
        }
    }
}
