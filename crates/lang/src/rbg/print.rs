//! A checked game as low-level text: no macros, generators, powers or lists of writes.
//!
//! The layout is that of the reference parser, byte for byte, except where its output could not be read again: starred
//! tests and stars get brackets, and a shift along a direction that no square has is the test `{}`, which fails as well.

use std::collections::HashSet;
use std::fmt::Write;

use regulus_automaton::{Direction, Operator, VariableInfo};

use super::checked::{Checked, Leaf, Step, Value};

/// The game as low-level text; reading and printing that text again gives the same bytes.
#[must_use]
pub fn lower_to_text(game: &Checked) -> String {
    let used = game.board.squares.values().flat_map(|square| {
        let neighbours = square.neighbours.iter().filter(|(_, target)| target.is_some());
        neighbours.map(|(direction, _)| direction)
    });
    let mut printer = Printer { game, used: used.collect(), text: String::new() };
    printer.board();
    printer.declarations();
    printer.rules();
    printer.text
}

struct Printer<'a> {
    game: &'a Checked,
    /// The directions that lead somewhere; others leave no trace in the text of the board.
    used: HashSet<Direction>,
    text: String,
}

/// What surrounds a step, which decides on its brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Nothing that could be confused: a whole, an alternative or the content of a look-ahead.
    Whole,
    Factor,
    Star,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut Self, T)) {
        for (number, content) in items.into_iter().enumerate() {
            if number > 0 {
                self.push(",");
            }
            item(self, content);
        }
    }

    fn board(&mut self) {
        let board = &self.game.board;
        self.push("#board =\n");
        for square in board.squares.values() {
            self.push("    ");
            self.push(&square.name);
            self.push("[");
            self.push(&self.game.pieces[square.piece]);
            self.push("]{");
            let mut edges: Vec<(&str, &str)> = square
                .neighbours
                .iter()
                .filter_map(|(direction, target)| {
                    let target = &board.squares[(*target)?].name;
                    Some((board.directions[direction].as_str(), target.as_str()))
                })
                .collect();
            edges.sort_unstable();
            self.list(edges, |printer, (label, target)| {
                printer.push(label);
                printer.push(":");
                printer.push(target);
            });
            self.push("}\n");
        }
    }

    fn declarations(&mut self) {
        let game = self.game;
        self.push("#players = ");
        self.list(game.players.values(), Self::bounded);
        let mut pieces: Vec<&String> = game.pieces.values().collect();
        pieces.sort_unstable();
        self.push("\n#pieces = ");
        self.list(pieces, |printer, piece| printer.push(piece));
        let mut variables: Vec<&VariableInfo> =
            game.variables.values().skip(game.players.len()).collect();
        variables.sort_unstable_by_key(|variable| &variable.name);
        self.push("\n#variables = ");
        self.list(variables, Self::bounded);
        self.push("\n");
    }

    fn bounded(&mut self, item: &VariableInfo) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{}({})", item.name, item.bound);
    }

    fn rules(&mut self) {
        self.push("#rules = \n");
        let game = self.game;
        self.step(&game.rules, Around::Whole);
        self.push("\n");
    }

    fn step(&mut self, step: &Step, around: Around) {
        if self.needs_brackets(step, around) {
            self.push("(");
            self.step(step, Around::Whole);
            return self.push(")");
        }
        match step {
            Step::Sum(parts) => {
                self.push("\n");
                for (number, part) in parts.iter().enumerate() {
                    self.push(if number > 0 { "+ " } else { "" });
                    self.step(part, Around::Whole);
                    self.push("\n");
                }
            }
            Step::Chain(parts) => parts.iter().for_each(|part| self.step(part, Around::Factor)),
            Step::Power(body, count) => (0..*count).for_each(|_| self.step(body, Around::Factor)),
            Step::Star(body, _) => {
                self.step(body, Around::Star);
                self.push("*");
            }
            Step::Look { succeeds, body, .. } => {
                self.push(if *succeeds { "{?" } else { "{!" });
                self.step(body, Around::Whole);
                self.push("}");
            }
            Step::Leaf(leaf, _) => self.leaf(leaf),
        }
    }

    fn needs_brackets(&self, step: &Step, around: Around) -> bool {
        match step {
            Step::Sum(_) => around != Around::Whole,
            Step::Chain(_) | Step::Power(..) | Step::Star(..) | Step::Look { .. } => {
                around == Around::Star
            }
            Step::Leaf(leaf, _) => around == Around::Star && self.is_bracketed(leaf),
        }
    }

    /// Whether the text of an action ends with a bracket, after which the reference reads no star.
    fn is_bracketed(&self, leaf: &Leaf) -> bool {
        match leaf {
            Leaf::On(_) | Leaf::Off(_) | Leaf::Assign(..) | Leaf::Compare(..) => true,
            Leaf::Shift(direction) => !self.used.contains(direction),
            Leaf::Turn(_) | Leaf::Keeper | Leaf::Dot => false,
        }
    }

    fn leaf(&mut self, leaf: &Leaf) {
        let game = self.game;
        match leaf {
            Leaf::Shift(direction) if !self.used.contains(direction) => self.push("{}"),
            Leaf::Shift(direction) => {
                self.push(&game.board.directions[*direction]);
                self.push(" ");
            }
            Leaf::On(pieces) => {
                let mut names: Vec<&String> =
                    pieces.iter().map(|piece| &game.pieces[piece]).collect();
                names.sort_unstable();
                self.push("{");
                self.list(names, |printer, name| printer.push(name));
                self.push("}");
            }
            Leaf::Off(piece) => {
                self.push("[");
                self.push(&game.pieces[*piece]);
                self.push("]");
            }
            Leaf::Assign(variable, value) => {
                self.push("[$ ");
                self.push(&game.variables[*variable].name);
                self.push("=");
                self.value(value);
                self.push("]");
            }
            Leaf::Compare(left, relation, right) => {
                self.push("{$ ");
                self.value(left);
                self.push(relation.symbol());
                self.value(right);
                self.push("}");
            }
            Leaf::Turn(player) => {
                self.push("->");
                self.push(&game.players[*player].name);
                self.push(" ");
            }
            Leaf::Keeper => self.push("->>"),
            Leaf::Dot => self.push("."),
        }
    }

    fn value(&mut self, value: &Value) {
        let game = self.game;
        match value {
            Value::Number(number) => self.push(&number.to_string()),
            Value::Variable(variable) => self.push(&game.variables[*variable].name),
            Value::Count(piece) => self.push(&game.pieces[*piece]),
            Value::Chain(operator, operands) => {
                for (number, operand) in operands.iter().enumerate() {
                    self.push(if number > 0 { operator.symbol() } else { "" });
                    let brackets = value_needs_brackets(*operator, operand);
                    self.push(if brackets { "(" } else { "" });
                    self.value(operand);
                    self.push(if brackets { ")" } else { "" });
                }
            }
        }
    }
}

/// For brackets, sums and differences bind equally, and so do products and quotients.
fn value_needs_brackets(operator: Operator, operand: &Value) -> bool {
    let Value::Chain(inner, _) = operand else {
        return false;
    };
    let tight = |operator| matches!(operator, Operator::Multiply | Operator::Divide);
    match operator {
        Operator::Add => false,
        Operator::Subtract | Operator::Multiply => !tight(*inner),
        Operator::Divide => true,
    }
}
