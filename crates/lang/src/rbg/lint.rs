//! Warnings about games that are correct but probably not meant: the last part of checking.
//!
//! The rules are walked once, from the bottom up: however deep stars are nested, each part is looked at once.

use regulus_automaton::{Operator, Origin, Relation};

use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::interval::Interval;
use crate::source::Span;

use super::checked::{Checked, Leaf, Step, Value};

/// Adds the warnings about a game.
pub(crate) fn lint(game: &Checked, sink: &mut Sink) {
    let mut linter = Linter { game, sink, pending: Vec::new() };
    // The keeper begins, so what still waits for a player in control at the beginning is harmless.
    linter.step(&game.rules);
}

struct Linter<'a> {
    game: &'a Checked,
    sink: &'a mut Sink,
    /// Stars that are endless if a player is in control where the step being looked at begins.
    pending: Vec<Origin>,
}

/// What is known about a step, whatever comes before it.
#[derive(Clone, Copy)]
struct StepSummary {
    /// Whether some path through it has no switch, so that control stays where it was.
    through: bool,
    /// Whether the last switch on some path through it gives control to a player.
    player: bool,
    certain: Certain,
}

impl StepSummary {
    const NO_PATH: StepSummary =
        StepSummary { through: false, player: false, certain: Certain::FAILS };
    const STILL: StepSummary =
        StepSummary { through: true, player: false, certain: Certain::STILL };

    fn or(self, other: StepSummary) -> StepSummary {
        StepSummary {
            through: self.through | other.through,
            player: self.player | other.player,
            certain: self.certain.or(other.certain),
        }
    }

    fn then(self, next: StepSummary) -> StepSummary {
        StepSummary {
            through: self.through & next.through,
            player: next.player | (self.player & next.through),
            certain: self.certain.then(next.certain),
        }
    }
}

impl Linter<'_> {
    /// Looks at a step; afterwards the stars of it that wait for what comes before are pending.
    fn step(&mut self, step: &Step) -> StepSummary {
        match step {
            Step::Sum(parts) => {
                parts.iter().fold(StepSummary::NO_PATH, |all, part| all.or(self.step(part)))
            }
            Step::Chain(parts) => parts.iter().fold(StepSummary::STILL, |before, part| {
                let waiting = self.pending.len();
                let part = self.step(part);
                self.settle(waiting, before);
                before.then(part)
            }),
            Step::Power(body, _) => {
                let body = self.repeated(body, None);
                body.then(body)
            }
            Step::Star(body, origin) => {
                let body = self.repeated(body, Some(*origin));
                let certain = Certain { still: true, writing: body.certain.writing };
                StepSummary { through: true, player: body.player, certain }
            }
            Step::Look { body, .. } => {
                self.step(body);
                StepSummary { certain: Certain::FAILS, ..StepSummary::STILL }
            }
            Step::Leaf(leaf, origin) => {
                self.leaf(leaf, *origin);
                let switch = matches!(leaf, Leaf::Turn(_) | Leaf::Keeper);
                let player = matches!(leaf, Leaf::Turn(_));
                StepSummary { through: !switch, player, certain: self.certain(leaf) }
            }
        }
    }

    /// Looks at a step that may come after itself, in a star when there is an origin.
    fn repeated(&mut self, body: &Step, star: Option<Origin>) -> StepSummary {
        let waiting = self.pending.len();
        let body = self.step(body);
        self.pending.extend(star.filter(|_| body.certain.writing));
        self.settle(waiting, StepSummary { through: true, ..body });
        body
    }

    /// Decides about the stars that came to wait in a step, now that it is known what comes before the step.
    fn settle(&mut self, waiting: usize, before: StepSummary) {
        if before.player {
            let endless = self.pending.split_off(waiting);
            endless.into_iter().for_each(|origin| self.endless(origin));
        } else if !before.through {
            self.pending.truncate(waiting);
        }
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
                    |range: &Interval| range.greatest < 0 || range.least > i64::from(info.bound);
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
    fn range(&self, value: &Value) -> Option<Interval> {
        match value {
            Value::Number(number) => Some(Interval::only(i64::from(*number))),
            Value::Variable(variable) => Some(Interval {
                least: 0,
                greatest: i64::from(self.game.variables[*variable].bound),
            }),
            Value::Count(_) => {
                Some(Interval { least: 0, greatest: self.game.board.squares.len() as i64 })
            }
            Value::Chain(operator, operands) => {
                let mut ranges = operands.iter().map(|operand| self.range(operand));
                let first = ranges.next()??;
                ranges.try_fold(first, |left, right| left.apply(*operator, right?))
            }
        }
    }

    /// Whether an action succeeds whatever the state is.
    fn certain(&self, leaf: &Leaf) -> Certain {
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

    fn or(self, other: Certain) -> Certain {
        Certain { still: self.still | other.still, writing: self.writing | other.writing }
    }

    fn then(self, next: Certain) -> Certain {
        Certain {
            still: self.still & next.still,
            writing: (self.writing & (next.still | next.writing)) | (self.still & next.writing),
        }
    }
}

impl Interval {
    /// The values of an operation on these and `right`; `None` if they are not easily known.
    fn apply(self, operator: Operator, right: Interval) -> Option<Interval> {
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
        Some(Interval { least: *corners.iter().min()?, greatest: *corners.iter().max()? })
    }
}

fn is_impossible(left: Interval, relation: Relation, right: Interval) -> bool {
    match relation {
        Relation::Equal => left.greatest < right.least || right.greatest < left.least,
        Relation::NotEqual => left == right && left.least == left.greatest,
        Relation::Less => left.least >= right.greatest,
        Relation::LessOrEqual => left.least > right.greatest,
        Relation::Greater => left.greatest <= right.least,
        Relation::GreaterOrEqual => left.greatest < right.least,
    }
}
