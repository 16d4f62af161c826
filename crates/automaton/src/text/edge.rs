//! Reading an edge: its action, modifier, target and origin.

use super::error::{ErrorKind, TextError};
use super::lex::TokenKind;
use super::names::Vocabulary;
use super::read::{Read, TokenReader};
use crate::action::{Action, Expression, Operator, Relation};
use crate::draft::{Edge, Origin};
use crate::ids::{Modifier, Node, Pattern, Table};

/// The deepest expression that is read: what works on expressions works by recursion.
const MAX_DEPTH: u32 = 256;

/// The deepest recursion while reading one: an expression as right operand may add a pair of parentheses to itself.
const MAX_LEVEL: u32 = 2 * MAX_DEPTH;

const OPERATORS: [Operator; 4] =
    [Operator::Add, Operator::Subtract, Operator::Multiply, Operator::Divide];

const RELATIONS: [Relation; 6] = [
    Relation::Equal,
    Relation::NotEqual,
    Relation::Less,
    Relation::LessOrEqual,
    Relation::Greater,
    Relation::GreaterOrEqual,
];

/// Reads an edge up to the end of its line.
pub(super) fn edge(reader: &mut TokenReader<'_, '_>, names: &Vocabulary<'_>) -> Read<Edge> {
    let action = action(reader, names)?;
    let modifier = if reader.eat("#") { Some(Modifier(reader.unsigned()?)) } else { None };
    reader.symbol("->", "`->` and a node")?;
    let target = node(reader)?;
    let origin = if reader.eat("@") { Some(origin(reader)?) } else { None };
    reader.finish()?;
    Ok(Edge { action, modifier, target, origin })
}

/// Reads a node.
pub(super) fn node(reader: &mut TokenReader<'_, '_>) -> Read<Node> {
    reader.numbered('n', "a node such as `n0`").map(Node)
}

fn origin(reader: &mut TokenReader<'_, '_>) -> Read<Origin> {
    let start = reader.unsigned()?;
    reader.symbol("..", "`..` and the end of the origin")?;
    Ok(Origin { start, end: reader.unsigned()? })
}

fn action(reader: &mut TokenReader<'_, '_>, names: &Vocabulary<'_>) -> Read<Action> {
    let TokenKind::Word(keyword) = reader.peek() else {
        return Err(reader.expected("an action"));
    };
    let unknown = reader.expected("an action");
    reader.advance();
    Ok(match *keyword {
        "skip" => Action::Skip,
        "on" => Action::On(set(reader, |reader| reader.entity("piece", &names.pieces))?),
        "at" => Action::At(set(reader, |reader| reader.entity("square", &names.squares))?),
        "compare" => {
            let left = expression(reader, names)?;
            let relation = relation(reader)?;
            Action::Compare(left, relation, expression(reader, names)?)
        }
        "check" if reader.eat_word("not") => Action::CheckNot(pattern(reader)?),
        "check" => Action::Check(pattern(reader)?),
        "shift" => Action::Shift(reader.entity("direction", &names.directions)?),
        "walk" => Action::Walk(reader.numbered('t', "a table such as `t0`").map(Table)?),
        "recall" => Action::Recall(reader.entity("register", &names.registers)?),
        "jump" => jump(reader, names)?,
        "put" => put(reader, names)?,
        "assign" => {
            let variable = reader.entity("variable", &names.variables)?;
            reader.symbol("=", "`=` and a value")?;
            Action::Assign(variable, expression(reader, names)?)
        }
        "save" => Action::Save(reader.entity("register", &names.registers)?),
        "turn" => Action::Turn(reader.entity("player", &names.players)?),
        "keeper" => Action::Keeper,
        _ => return Err(unknown),
    })
}

fn pattern(reader: &mut TokenReader<'_, '_>) -> Read<Pattern> {
    reader.numbered('k', "a pattern such as `k0`").map(Pattern)
}

fn jump(reader: &mut TokenReader<'_, '_>, names: &Vocabulary<'_>) -> Read<Action> {
    reader.symbol("(", "`(` and coordinates")?;
    let x = expression(reader, names)?;
    reader.symbol(",", "`,` and the second coordinate")?;
    let y = expression(reader, names)?;
    reader.symbol(")", "`)`")?;
    Ok(Action::Jump(x, y))
}

fn put(reader: &mut TokenReader<'_, '_>, names: &Vocabulary<'_>) -> Read<Action> {
    // A piece may be called `held`: then nothing that could be a register follows.
    let held = matches!(reader.peek(), TokenKind::Word("held"))
        && matches!(
            reader.peek_second(),
            TokenKind::Word(_) | TokenKind::Quoted(_) | TokenKind::Symbol("?")
        );
    if held {
        reader.advance();
        return Ok(Action::PutHeld(reader.entity("register", &names.registers)?));
    }
    Ok(Action::Put(reader.entity("piece", &names.pieces)?))
}

/// Reads `{a, b}`; a trailing comma is an error.
fn set<K, S: FromIterator<K>>(
    reader: &mut TokenReader<'_, '_>,
    mut member: impl FnMut(&mut TokenReader<'_, '_>) -> Read<K>,
) -> Read<S> {
    reader.symbol("{", "`{` and a set")?;
    let mut members = Vec::new();
    if reader.eat("}") {
        return Ok(S::from_iter(members));
    }
    loop {
        members.push(member(reader)?);
        if reader.eat("}") {
            return Ok(S::from_iter(members));
        }
        reader.symbol(",", "`,` or `}`")?;
    }
}

fn relation(reader: &mut TokenReader<'_, '_>) -> Read<Relation> {
    RELATIONS
        .into_iter()
        .find(|relation| reader.eat(relation.symbol()))
        .ok_or_else(|| reader.expected("a relation such as `==`"))
}

fn expression(reader: &mut TokenReader<'_, '_>, names: &Vocabulary<'_>) -> Read<Expression> {
    ExpressionReader { reader, names }.at_least(0, 1).map(|(expression, _)| expression)
}

struct ExpressionReader<'p, 'r, 't, 'a> {
    reader: &'p mut TokenReader<'r, 't>,
    names: &'p Vocabulary<'a>,
}

impl ExpressionReader<'_, '_, '_, '_> {
    /// Reads operands joined by operators of at least this precedence, inside `level` others; also returns the depth of
    /// the expression. Chains grow to the left, where no recursion of the reader would notice.
    fn at_least(&mut self, precedence: u8, level: u32) -> Read<(Expression, u32)> {
        let (mut left, mut depth) = self.operand(level)?;
        while let Some(operator) = self.operator(precedence) {
            let place = self.reader.place();
            self.reader.advance();
            let (right, right_depth) = self.at_least(operator.precedence() + 1, level + 1)?;
            depth = depth.max(right_depth) + 1;
            left = Expression::binary(operator, left, right);
            if depth > MAX_DEPTH {
                return Err(TextError::new(place, ErrorKind::Depth { limit: MAX_DEPTH }));
            }
        }
        Ok((left, depth))
    }

    /// The operator that stands here; `None` if there is none of at least this precedence.
    fn operator(&self, precedence: u8) -> Option<Operator> {
        let TokenKind::Symbol(symbol) = self.reader.peek() else {
            return None;
        };
        OPERATORS
            .into_iter()
            .find(|operator| operator.symbol() == *symbol && operator.precedence() >= precedence)
    }

    fn operand(&mut self, level: u32) -> Read<(Expression, u32)> {
        let place = self.reader.place();
        if level > MAX_LEVEL {
            return Err(TextError::new(place, ErrorKind::Depth { limit: MAX_DEPTH }));
        }
        if self.reader.eat("(") {
            let inner = self.at_least(0, level + 1)?;
            self.reader.symbol(")", "`)` or an operator")?;
            return Ok(inner);
        }
        self.atom().map(|atom| (atom, 1))
    }

    fn atom(&mut self) -> Read<Expression> {
        let names = self.names;
        match (self.reader.peek(), self.reader.peek_second()) {
            (TokenKind::Number(_) | TokenKind::Symbol("-"), _) => {
                self.reader.signed().map(Expression::Constant)
            }
            (TokenKind::Word("count"), TokenKind::Symbol("(")) => {
                self.argument(|reader| reader.entity("piece", &names.pieces)).map(Expression::Count)
            }
            (TokenKind::Word("column"), TokenKind::Symbol("(")) => self
                .argument(|reader| reader.entity("register", &names.registers))
                .map(Expression::Column),
            (TokenKind::Word("row"), TokenKind::Symbol("(")) => self
                .argument(|reader| reader.entity("register", &names.registers))
                .map(Expression::Row),
            _ if self.reader.at_entity() => {
                self.reader.entity("variable", &names.variables).map(Expression::Variable)
            }
            _ => Err(self.reader.expected("a number, a variable, `count`, `column`, `row` or `(`")),
        }
    }

    /// Reads the word of a function and its argument.
    fn argument<K>(&mut self, read: impl FnOnce(&mut TokenReader<'_, '_>) -> Read<K>) -> Read<K> {
        self.reader.advance();
        self.reader.symbol("(", "`(`")?;
        let argument = read(self.reader)?;
        self.reader.symbol(")", "`)`")?;
        Ok(argument)
    }
}
