//! Tokens to syntax. A mistake costs the goal, the movement or the section it stands in, not the rest of the text.
//!
//! Here is the whole of a text and how tokens are taken; [`sections`] reads what comes before the pieces, [`pieces`] reads these.

mod pieces;
mod sections;

use super::ast::{Ast, Name, Placed};
use super::lex::{Token, TokenKind};
use crate::cursor::Cursor;
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::Span;
use crate::suggest::nearest;

/// The words of the grammar, which cannot be names; `x` can.
pub(super) const RESERVED: [&str; 57] = [
    "after",
    "all_symmetry",
    "any_piece",
    "any_player",
    "arrive",
    "assigns",
    "at",
    "before",
    "board_size",
    "board_type",
    "by",
    "capture",
    "capturing",
    "clobber",
    "constraints",
    "continue_captures",
    "decision",
    "define",
    "diagonal",
    "displaces",
    "effect",
    "end",
    "eradicate",
    "forward",
    "game",
    "goals",
    "hop",
    "hop_over",
    "inversion",
    "leap",
    "longest",
    "max",
    "min",
    "movement",
    "moving",
    "must_capture",
    "opponent",
    "options",
    "over",
    "planar",
    "player",
    "possesses",
    "promote_rank",
    "promote_to",
    "promoting",
    "random",
    "remove",
    "retrieve",
    "ride",
    "rotation",
    "setup",
    "side",
    "stalemate",
    "symmetry",
    "to",
    "type",
    "vertical_cylinder",
];

/// Where reading goes on after a mistake in one of the parts of a game.
const PARTS: [&str; 4] = ["board_size", "setup", "constraints", "define"];

pub(super) fn parse(tokens: &[Token], sink: &mut Sink) -> Ast {
    let mut parser = Parser { cursor: Cursor::new(tokens, Span::default()), sink };
    let mut ast = Ast::default();
    parser.game(&mut ast);
    ast
}

struct Parser<'a> {
    cursor: Cursor<'a, Token>,
    sink: &'a mut Sink,
}

impl Parser<'_> {
    fn is(&self, symbol: &str) -> bool {
        matches!(self.cursor.peek(), Some(TokenKind::Symbol(found)) if *found == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.cursor.peek(), Some(TokenKind::Word(found)) if found == word)
    }

    fn take(&mut self, symbol: &str) -> Option<Span> {
        self.is(symbol).then(|| self.cursor.advance())
    }

    fn take_word(&mut self, word: &str) -> Option<Span> {
        self.is_word(word).then(|| self.cursor.advance())
    }

    fn expect(&mut self, symbol: &'static str, help: &str) -> Option<Span> {
        let found = self.take(symbol);
        if found.is_none() {
            self.unexpected(&format!("`{symbol}`"), help);
        }
        found
    }

    fn expect_word(&mut self, word: &'static str, help: &str) -> Option<Span> {
        let found = self.take_word(word);
        if found.is_none() {
            self.unexpected(&format!("`{}`", word.to_uppercase()), help);
        }
        found
    }

    /// One of several words.
    fn expect_one<T: Copy>(&mut self, words: &[(&'static str, T)], help: &str) -> Option<T> {
        for (word, value) in words {
            if self.take_word(word).is_some() {
                return Some(*value);
            }
        }
        let names: Vec<String> =
            words.iter().map(|(word, _)| format!("`{}`", word.to_uppercase())).collect();
        self.unexpected(&names.join(" or "), help);
        None
    }

    fn unexpected(&mut self, expected: &str, help: &str) {
        let message = match self.cursor.peek() {
            // Reported where it was found.
            Some(TokenKind::Poison) => return,
            Some(kind) => format!("{} stands where {expected} was expected", kind.describe()),
            None => format!("the text ends where {expected} was expected"),
        };
        // A misspelt word of the grammar is more likely than a name in the wrong place.
        let meant = match self.cursor.peek() {
            Some(TokenKind::Word(word)) if !RESERVED.contains(&word.as_str()) => {
                nearest(word, RESERVED).filter(|word| {
                    let expected = expected.to_lowercase();
                    expected.split('`').any(|part| part == *word)
                })
            }
            _ => None,
        };
        let meant = meant.map(str::to_uppercase);
        let span = self.cursor.place();
        let diagnostic = Diagnostic::error(Code::MetagameUnexpectedToken, span, message)
            .label(format!("expected {expected}"))
            .help(help)
            .did_you_mean(meant.as_deref());
        self.sink.push(diagnostic);
    }

    /// Steps to one of the words, or to the end.
    fn skip_to(&mut self, words: &[&str]) {
        while let Some(kind) = self.cursor.peek() {
            if matches!(kind, TokenKind::Word(word) if words.contains(&word.as_str())) {
                return;
            }
            self.cursor.advance();
        }
    }

    /// Steps behind the next `END word`, or to `END GAME`, or to one of the stops.
    fn skip_behind_end(&mut self, word: &str, stops: &[&str]) {
        loop {
            self.skip_to(&[&["end"], stops].concat());
            if !self.is_word("end") {
                return;
            }
            let before = self.cursor.clone();
            self.cursor.advance();
            if self.is_word("game") || self.is_word("define") && word != "define" {
                self.cursor = before;
                return;
            }
            if self.take_word(word).is_some() {
                return;
            }
        }
    }

    fn number(&mut self, what: &str, help: &str) -> Option<Placed<u32>> {
        let Some(TokenKind::Number(value)) = self.cursor.peek() else {
            self.unexpected(what, help);
            return None;
        };
        Some(Placed { value: *value, span: self.cursor.advance() })
    }

    /// A name; words of the grammar are none.
    fn name(&mut self, what: &str, help: &str) -> Option<Name> {
        let Some(TokenKind::Word(word)) = self.cursor.peek() else {
            self.unexpected(what, help);
            return None;
        };
        let value = word.clone();
        if RESERVED.contains(&value.as_str()) {
            let message = format!("`{value}` is a word of the language and cannot be {what}");
            let span = self.cursor.place();
            let diagnostic = Diagnostic::error(Code::MetagameReservedName, span, message);
            self.sink.push(diagnostic.help("choose another name"));
            return None;
        }
        Some(Placed { value, span: self.cursor.advance() })
    }

    fn game(&mut self, ast: &mut Ast) {
        let help = "a text begins with `GAME name GOALS …` and ends with `END GAME.`";
        if self.expect_word("game", help).is_some() {
            ast.name = self.name("the name of a game", help);
        }
        if !self.is_word("goals") {
            if ast.name.is_some() {
                self.unexpected("`GOALS`", help);
            }
            self.skip_to(&[&["goals"], &PARTS[..]].concat());
        }
        ast.goals_span = self.take_word("goals");
        if ast.goals_span.is_some() {
            let errors = self.sink.errors();
            ast.goals = self.goals();
            ast.has_all_goals = self.sink.errors() == errors;
        }
        if self.is_word("board_size") {
            ast.board = self.board();
            if ast.board.is_none() {
                self.skip_to(&PARTS[1..]);
            }
        } else {
            self.unexpected("`BOARD_SIZE`", "the board comes after the goals");
            self.skip_to(&PARTS);
            if self.is_word("board_size") {
                ast.board = self.board();
            }
        }
        if self.take_word("setup").is_some() {
            ast.setup = self.setup();
        } else if ast.board.is_some() {
            self.unexpected("`SETUP`", "how the pieces are set up comes after the board");
        }
        if ast.setup.is_none() {
            self.skip_to(&PARTS[2..]);
        }
        if self.is_word("constraints") {
            ast.must_capture = self.constraints();
        }
        self.pieces(ast);
        let help = "a text ends with `END GAME.`";
        let ended = self.expect_word("end", help).is_some()
            && self.expect_word("game", help).is_some()
            && self.expect(".", help).is_some();
        if ended && self.cursor.peek().is_some() {
            self.unexpected("the end of the text", "nothing comes after `END GAME.`");
        }
    }
}
