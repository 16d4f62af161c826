//! Warnings about names that nothing uses; made when a game has no errors, which might hide uses.

use std::collections::HashSet;

use regulus_automaton::{Id, Piece, Variable};

use crate::diagnostics::{Code, Diagnostic};

use super::ast::{Ast, Word};
use super::checked::{Checked, Leaf, Step, Value};
use super::token::ParseContext;

/// Adds a warning for each piece, variable and macro that is declared but not used.
pub(crate) fn report_unused(ast: &Ast, game: &Checked, context: &mut ParseContext) {
    let mut uses = NameUses::default();
    uses.pieces.extend(game.board.squares.iter().map(|(_, square)| square.piece));
    uses.step(&game.rules);
    for (number, word) in ast.pieces.items.iter().enumerate() {
        if !uses.pieces.contains(&Piece::from_index(number)) {
            let help = "it is neither on the board nor in the rules";
            warn(*word, "piece", help, ast, context);
        }
    }
    for (number, item) in ast.variables.items.iter().enumerate() {
        if !uses.variables.contains(&Variable::from_index(game.players.len() + number)) {
            warn(item.word, "variable", "the rules neither set nor read it", ast, context);
        }
    }
    for word in &ast.unused_macros {
        warn(*word, "macro", "no section needs its text", ast, context);
    }
}

fn warn(word: Word, kind: &str, help: &str, ast: &Ast, context: &mut ParseContext) {
    let text = word.name.map_or("", |name| ast.names.text(name));
    let message = format!("the {kind} `{text}` is never used");
    let diagnostic = Diagnostic::warning(Code::UnusedName, word.place.span, message).help(help);
    context.report(word.place, diagnostic);
}

/// What occurs on the board and in the rules.
#[derive(Default)]
struct NameUses {
    pieces: HashSet<Piece>,
    variables: HashSet<Variable>,
}

impl NameUses {
    fn step(&mut self, step: &Step) {
        match step {
            Step::Sum(parts) | Step::Chain(parts) => parts.iter().for_each(|part| self.step(part)),
            Step::Star(body, _) | Step::Power(body, _) | Step::Look { body, .. } => self.step(body),
            Step::Leaf(leaf, _) => self.leaf(leaf),
        }
    }

    fn leaf(&mut self, leaf: &Leaf) {
        match leaf {
            Leaf::On(pieces) => self.pieces.extend(pieces.iter()),
            Leaf::Off(piece) => {
                self.pieces.insert(*piece);
            }
            Leaf::Assign(variable, value) => {
                self.variables.insert(*variable);
                self.value(value);
            }
            Leaf::Compare(left, _, right) => {
                self.value(left);
                self.value(right);
            }
            Leaf::Shift(_) | Leaf::Turn(_) | Leaf::Keeper | Leaf::Dot => {}
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Number(_) => {}
            Value::Variable(variable) => {
                self.variables.insert(*variable);
            }
            Value::Count(piece) => {
                self.pieces.insert(*piece);
            }
            Value::Chain(_, operands) => operands.iter().for_each(|operand| self.value(operand)),
        }
    }
}
