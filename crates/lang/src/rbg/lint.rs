//! Warnings about games that are correct but probably not meant: the last part of checking.

use regulus_automaton::{Operator, Origin, Relation};

use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::Span;

use super::checked::{Checked, Leaf, Step, Value};

/// Adds the warnings about a game.
pub(crate) fn lint(game: &Checked, sink: &mut Sink) {
    let mut linter = Linter { game, sink };
    linter.step(&game.rules, Control { player: false, keeper: true });
}

struct Linter<'a> {
    game: &'a Checked,
    sink: &'a mut Sink,
}

/// Who may be in control at a place of the rules.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Control {
    player: bool,
    keeper: bool,
}

impl Control {
    const NOBODY: Control = Control { player: false, keeper: false };

    fn or(self, other: Control) -> Control {
        Control { player: self.player | other.player, keeper: self.keeper | other.keeper }
    }
}

impl Linter<'_> {
    /// Looks at a step and answers who may be in control after it.
    fn step(&mut self, step: &Step, before: Control) -> Control {
        match step {
            Step::Sum(parts) => {
                parts.iter().fold(Control::NOBODY, |after, part| after.or(self.step(part, before)))
            }
            Step::Chain(parts) => {
                parts.iter().fold(before, |control, part| self.step(part, control))
            }
            Step::Power(body, _) => self.repeated(body, before),
            Step::Star(body, origin) => {
                let control = before.or(self.repeated(body, before));
                if control.player && self.certain(body).writing {
                    self.endless(*origin);
                }
                control
            }
            Step::Look { body, .. } => {
                self.step(body, before);
                before
            }
            Step::Leaf(leaf, origin) => {
                self.leaf(leaf, *origin);
                match leaf {
                    Leaf::Turn(_) => Control { player: true, keeper: false },
                    Leaf::Keeper => Control { player: false, keeper: true },
                    _ => before,
                }
            }
        }
    }

    /// Control after a second round may differ from that after the first, but not after a third.
    fn repeated(&mut self, body: &Step, before: Control) -> Control {
        let once = self.step(body, before);
        if once == before { once } else { once.or(self.step(body, before.or(once))) }
    }

    fn warn(&mut self, code: Code, origin: Origin, message: String, help: &str) {
        let span = Span { start: origin.start, end: origin.end };
        self.sink.push(Diagnostic::warning(code, span, message).help(help));
    }

    fn endless(&mut self, origin: Origin) {
        let message = "a player may repeat this for ever, writing each time".to_owned();
        let help = "let something in it fail at last, such as a counter that reaches its bound";
        self.warn(Code::EndlessWrites, origin, message, help);
    }

    fn leaf(&mut self, leaf: &Leaf, origin: Origin) {
        match leaf {
            Leaf::Compare(left, relation, right) => {
                let (left, right) = (self.range(left), self.range(right));
                if let (Some(left), Some(right)) = (left, right)
                    && is_impossible(left, *relation, right)
                {
                    let message = "this comparison is never true".to_owned();
                    let help =
                        "values lie between 0 and their bounds, counts up to the number of squares";
                    self.warn(Code::NeverTrue, origin, message, help);
                }
            }
            Leaf::Assign(variable, value) => {
                let info = &self.game.variables[*variable];
                let outside =
                    |range: &Range| range.greatest < 0 || range.least > i64::from(info.bound);
                if self.range(value).filter(outside).is_some() {
                    let (name, bound) = (&info.name, info.bound);
                    let message = format!("the value never fits `{name}`, so this always fails");
                    let help = format!("`{name}` holds 0 to {bound}");
                    self.warn(Code::AlwaysOutOfBound, origin, message, &help);
                }
            }
            _ => {}
        }
    }

    /// The values an expression can have, as far as that is easily known.
    fn range(&self, value: &Value) -> Option<Range> {
        match value {
            Value::Number(number) => Some(Range::only(i64::from(*number))),
            Value::Variable(variable) => {
                Some(Range { least: 0, greatest: i64::from(self.game.variables[*variable].bound) })
            }
            Value::Count(_) => {
                Some(Range { least: 0, greatest: self.game.board.squares.len() as i64 })
            }
            Value::Chain(operator, operands) => {
                let mut ranges = operands.iter().map(|operand| self.range(operand));
                let first = ranges.next()??;
                ranges.try_fold(first, |left, right| left.apply(*operator, right?))
            }
        }
    }

    /// Which paths through a step succeed whatever the state is.
    fn certain(&self, step: &Step) -> Certain {
        match step {
            Step::Sum(parts) => {
                parts.iter().map(|part| self.certain(part)).fold(Certain::FAILS, |all, part| {
                    Certain { still: all.still | part.still, writing: all.writing | part.writing }
                })
            }
            Step::Chain(parts) => {
                parts.iter().map(|part| self.certain(part)).fold(Certain::STILL, Certain::then)
            }
            Step::Power(body, _) => {
                let body = self.certain(body);
                body.then(body)
            }
            Step::Star(body, _) => Certain { still: true, writing: self.certain(body).writing },
            Step::Look { .. } => Certain::FAILS,
            Step::Leaf(leaf, _) => self.certain_leaf(leaf),
        }
    }

    fn certain_leaf(&self, leaf: &Leaf) -> Certain {
        match leaf {
            Leaf::Off(_) => Certain { still: false, writing: true },
            Leaf::Assign(variable, value) => {
                let bound = i64::from(self.game.variables[*variable].bound);
                let range = self.range(value);
                let fits = range.is_some_and(|range| range.least >= 0 && range.greatest <= bound);
                Certain { still: false, writing: fits }
            }
            Leaf::On(pieces) if pieces.len() == self.game.pieces.len() => Certain::STILL,
            Leaf::Dot => Certain::STILL,
            _ => Certain::FAILS,
        }
    }
}

/// Whether some path through a step succeeds whatever the state is.
#[derive(Clone, Copy)]
struct Certain {
    /// One without writes.
    still: bool,
    /// One with writes.
    writing: bool,
}

impl Certain {
    const FAILS: Certain = Certain { still: false, writing: false };
    const STILL: Certain = Certain { still: true, writing: false };

    fn then(self, next: Certain) -> Certain {
        Certain {
            still: self.still & next.still,
            writing: (self.writing & (next.still | next.writing)) | (self.still & next.writing),
        }
    }
}

/// All numbers between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    least: i64,
    greatest: i64,
}

impl Range {
    fn only(number: i64) -> Range {
        Range { least: number, greatest: number }
    }

    fn apply(self, operator: Operator, right: Range) -> Option<Range> {
        let corners = match operator {
            Operator::Divide if self.least != self.greatest || right.least != right.greatest => {
                return None;
            }
            _ => [
                operator.apply(self.least, right.least)?,
                operator.apply(self.least, right.greatest)?,
                operator.apply(self.greatest, right.least)?,
                operator.apply(self.greatest, right.greatest)?,
            ],
        };
        Some(Range { least: *corners.iter().min()?, greatest: *corners.iter().max()? })
    }
}

fn is_impossible(left: Range, relation: Relation, right: Range) -> bool {
    match relation {
        Relation::Equal => left.greatest < right.least || right.greatest < left.least,
        Relation::NotEqual => left == right && left.least == left.greatest,
        Relation::Less => left.least >= right.greatest,
        Relation::LessOrEqual => left.least > right.greatest,
        Relation::Greater => left.greatest <= right.least,
        Relation::GreaterOrEqual => left.greatest < right.least,
    }
}
