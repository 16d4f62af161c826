//! Values with their calls expanded: numbers and conditions that may depend on the board.

use super::names::{Meaning, PREDEFINED};
use super::{Arguments, COUNTED, Checker, REGISTER};
use crate::abg::ast::{Body, Call, Expression, Name, Placed};
use crate::abg::fold::folded;
use crate::abg::game::{Pattern, PieceInfo, Value};
use crate::diagnostics::{Code, Diagnostic, counted};
use crate::source::Span;

impl Checker<'_> {
    /// Returns an expression with its calls expanded; a piece or player is its number.
    pub(super) fn value(
        &mut self,
        expression: &Placed<Expression>,
        arguments: &Arguments,
    ) -> Option<Value> {
        self.spend(expression.span)?;
        self.deeper(expression.span, |checker| checker.resolved(expression, arguments))
    }

    /// The same without a look at the limits.
    fn resolved(
        &mut self,
        expression: &Placed<Expression>,
        arguments: &Arguments,
    ) -> Option<Value> {
        let mut value = |part: &Placed<Expression>| self.value(part, arguments).map(Box::new);
        Some(match &expression.value {
            Expression::Number(number) => Value::Number(*number),
            Expression::Negate(part) => Value::Negate(value(part)?),
            Expression::Not(part) => Value::Not(value(part)?),
            Expression::Binary(operation, left, right) => {
                let (left, right) = (value(left), value(right));
                Value::Binary(*operation, left?, right?)
            }
            Expression::Choose(condition, yes, no) => {
                let (condition, yes, no) = (value(condition), value(yes), value(no));
                Value::Choose(condition?, yes?, no?)
            }
            Expression::Board(x, y) => {
                let (x, y) = (value(x), value(y));
                let (x, y) = (Box::new(folded(&*x?)), Box::new(folded(&*y?)));
                if self.is_off_board(&x, &y) {
                    let message = "this square is not on the board, so its value is always -1";
                    self.warning(Code::AbgOffBoard, expression.span, message, COUNTED);
                    return Some(Value::Number(-1));
                }
                Value::Board(x, y)
            }
            Expression::Field(name, field) => self.field(name, field)?,
            Expression::Call(call) => self.value_call(call, arguments)?,
        })
    }

    /// Returns a coordinate or a score.
    fn field(&mut self, name: &Name, field: &Name) -> Option<Value> {
        match (name.value.as_str(), field.value.as_str()) {
            ("this", "x") => Some(Value::ThisX),
            ("this", "y") => Some(Value::ThisY),
            ("from", "x") => Some(Value::FromX),
            ("from", "y") => Some(Value::FromY),
            (_, "score") => Some(Value::Score(self.player(name)?)),
            (object, field_name) => {
                let message = format!("`{object}` has no `{field_name}`");
                let help = "there are `this.x`, `this.y`, `from.x`, `from.y` and `white.score`";
                self.error(Code::AbgUnknownName, field.span, message, help);
                None
            }
        }
    }

    /// Returns what a call in a value stands for.
    pub(super) fn value_call(&mut self, call: &Call, outside: &Arguments) -> Option<Value> {
        let name = &call.name;
        if call.arguments.is_empty() {
            if let Some(value) = outside.get(&name.value) {
                self.spend_value(value, name.span)?;
                return Some(value.clone());
            }
            match name.value.as_str() {
                "current" => return Some(Value::Current),
                "stuck" => return Some(Value::Stuck),
                _ => {}
            }
        }
        if name.value == "count" {
            return self.count(call);
        }
        match self.names.get(&name.value).cloned() {
            Some((Meaning::Function(parameters, body), _)) => {
                let arguments = self.arguments(call, &parameters, outside)?;
                let value =
                    self.deeper(name.span, |checker| checker.body(&body, &arguments, name.span))?;
                self.not_too_deep(&value, name.span)?;
                Some(value)
            }
            Some((Meaning::Player(number) | Meaning::Piece(number), _))
                if call.arguments.is_empty() =>
            {
                Some(Value::Number(i64::try_from(number).unwrap_or(0)))
            }
            Some((Meaning::Variable(variable), _)) if call.arguments.is_empty() => {
                Some(Value::Variable(variable))
            }
            None if call.arguments.is_empty() && self.predicate(&name.value).is_some() => {
                self.predicate(&name.value)
            }
            None if self.externals.predicates.contains(&name.value) => {
                self.stands_alone(name, "write it alone in a letter: `[0, 1, Name]`");
                None
            }
            _ => {
                let conditions: Vec<String> =
                    self.game.pieces.iter().map(PieceInfo::condition).collect();
                let others = self.externals.predicates.iter().chain(&conditions);
                let is_value = |meaning: &Meaning| {
                    !matches!(meaning, Meaning::Macro(..) | Meaning::Effect(..) | Meaning::Broken)
                };
                let known = self.known(is_value, others.map(String::as_str).chain(PREDEFINED));
                let word = &name.value;
                let remedy = format!("define `function {word}() {{ return … }};`, or {REGISTER}; ");
                self.unknown_unless(name, "condition or value", &known, &remedy);
                None
            }
        }
    }

    /// Returns the number of pieces of a kind.
    fn count(&mut self, call: &Call) -> Option<Value> {
        if let [argument] = call.arguments.as_slice()
            && let Expression::Call(piece) = &argument.value
            && piece.arguments.is_empty()
        {
            return Some(Value::Count(self.piece_named(&piece.name)?));
        }
        let message = "`count` takes one piece";
        self.error(Code::AbgArguments, call.name.span, message, "write `count(wPawn)`");
        None
    }

    /// Returns the value of a function: an expression, or whether a sentence is found.
    pub(super) fn body(&mut self, body: &Body, arguments: &Arguments, span: Span) -> Option<Value> {
        match body {
            Body::Value(value) => self.value(value, arguments),
            Body::Sentence { from, sentence } => {
                let from: Vec<Option<usize>> =
                    from.iter().map(|piece| self.piece_named(piece)).collect();
                let from = from.into_iter().collect::<Option<Vec<usize>>>()?;
                let expression = self.sentence(sentence, arguments, false)?;
                let consequence = if from.is_empty() {
                    "it is always found"
                } else {
                    "the piece alone is enough"
                };
                self.looked_for(&expression, sentence.span, consequence);
                let known = self.game.patterns.iter().position(|pattern| {
                    pattern.from == from && pattern.rule.expression == expression
                });
                let number = match known {
                    Some(number) => number,
                    None => {
                        let rule = self.machines(expression, span)?;
                        self.game.patterns.push(Pattern { from, rule });
                        self.game.patterns.len() - 1
                    }
                };
                Some(Value::Match(number))
            }
        }
    }

    /// Returns the arguments of a call by the names of the parameters; reports a wrong number of them.
    pub(super) fn arguments(
        &mut self,
        call: &Call,
        parameters: &[Name],
        outside: &Arguments,
    ) -> Option<Arguments> {
        if call.arguments.len() != parameters.len() {
            let place = self.names.get(&call.name.value).map(|(_, span)| *span);
            let message = format!(
                "`{}` takes {}, {} given",
                call.name.value,
                counted(parameters.len(), "argument"),
                if call.arguments.len() == 1 {
                    "1 is".to_owned()
                } else {
                    format!("{} are", call.arguments.len())
                },
            );
            let mut diagnostic = Diagnostic::error(Code::AbgArguments, call.name.span, message);
            if let Some(place) = place {
                diagnostic = diagnostic.also(place, "defined here");
            }
            self.sink.push(diagnostic);
            return None;
        }
        let values: Option<Vec<Value>> =
            call.arguments.iter().map(|argument| self.value(argument, outside)).collect();
        let values = values?;
        for value in &values {
            self.not_too_deep(value, call.name.span)?;
        }
        let names = parameters.iter().map(|name| name.value.clone());
        Some(names.zip(values).collect())
    }

    /// Returns whether a square is known to be off the board, whose size may be given later in the text.
    pub(super) fn is_off_board(&self, x: &Value, y: &Value) -> bool {
        let (width, height) = self.size.unwrap_or((0, 0));
        let is_off = |value: &Value, size: i64| match value {
            Value::Number(number) => *number < 0 || size > 0 && *number >= size,
            _ => false,
        };
        // Arguments of a trial mean nothing.
        !self.is_trial && (is_off(x, width) || is_off(y, height))
    }

    /// Reports `stuck` in what letters test or do: it depends on them.
    pub(super) fn without_stuck(&mut self, value: &Value, span: Span) -> Option<()> {
        if !value.mentions_stuck() {
            return Some(());
        }
        let message = "whether a player is stuck depends on what letters allow";
        self.error(Code::AbgWrongKind, span, message, "use `stuck` in victory, draw and outcome");
        None
    }
}
