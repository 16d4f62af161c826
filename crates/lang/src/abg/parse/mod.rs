//! Tokens to syntax. A mistake costs the definition it stands in, not the rest of the text.
//!
//! Here are definitions and statements; [`sentences`] and [`expressions`] are read in their own files.

mod expressions;
mod sentences;

use super::ast::{Body, Call, Definition, Expression, Name, Outcome, Placed, Statement};
use super::lex::{Token, TokenKind};
use crate::cursor::Cursor;
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::Span;
use crate::suggest::nearest;

/// How deep brackets may be nested.
const MAX_DEPTH: usize = 100;

/// What begins a definition.
pub(super) const KEYWORDS: [&str; 13] = [
    "players",
    "pieces",
    "variable",
    "macro",
    "function",
    "effect",
    "victory",
    "draw",
    "outcome",
    "rule",
    "post",
    "board_size",
    "board",
];

/// The definitions of a text, each with the place of its keyword.
pub(super) fn parse(tokens: &[Token], sink: &mut Sink) -> Vec<Placed<Definition>> {
    let cursor = Cursor::new(tokens, Span::default());
    let mut parser = Parser { cursor, depth: 0, operations: 0, sink };
    let mut definitions = Vec::new();
    while !parser.cursor.at_end() {
        if parser.take(";").is_some() {
            continue;
        }
        let span = parser.cursor.place();
        match parser.definition() {
            Some(value) => {
                definitions.push(Placed { value, span });
                // The grammar puts one behind every definition; after a closing brace it may be left out.
                let braced = parser.cursor.passed() == Some(&TokenKind::Symbol("}"));
                if parser.take(";").is_none() && !braced {
                    parser.unexpected("`;`", "put `;` behind every definition");
                    let next = matches!(parser.cursor.peek(), Some(TokenKind::Word(word)) if KEYWORDS.contains(&word.as_str()));
                    if !next {
                        parser.skip();
                    }
                }
            }
            None => parser.skip(),
        }
    }
    definitions
}

struct Parser<'a> {
    cursor: Cursor<'a, Token>,
    depth: usize,
    /// Those of the expression that is being read.
    operations: usize,
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

    fn expect(&mut self, symbol: &'static str, help: &str) -> Option<Span> {
        let found = self.take(symbol);
        if found.is_none() {
            self.unexpected(&format!("`{symbol}`"), help);
        }
        found
    }

    fn unexpected(&mut self, expected: &str, help: &str) {
        let message = match self.cursor.peek() {
            // Reported where it was found.
            Some(TokenKind::Poison) => return,
            Some(kind) => format!("{} stands where {expected} was expected", kind.describe()),
            None => format!("the text ends where {expected} was expected"),
        };
        // What closes a value, or separates it from the next one, shows that a comparison was meant.
        let ends_value = ["`}`", "`]`", "`)`", "`,`", "`:`", "`;`"].contains(&expected);
        let help = if self.is("=") && ends_value {
            "`=` only assigns and defines; to compare, write `==`"
        } else if self.is("==") && expected == "`=`" {
            "`==` compares; to assign or define, write `=`"
        } else {
            help
        };
        let diagnostic = Diagnostic::error(Code::AbgUnexpectedToken, self.cursor.place(), message);
        self.sink.push(diagnostic.label(format!("expected {expected}")).help(help));
    }

    /// Steps to behind the next `;` outside braces.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        while let Some(kind) = self.cursor.peek() {
            let symbol = if let TokenKind::Symbol(symbol) = kind { *symbol } else { "" };
            self.cursor.advance();
            match symbol {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => return,
                _ => {}
            }
        }
    }

    fn name(&mut self, what: &str, help: &str) -> Option<Name> {
        if let Some(TokenKind::Word(word)) = self.cursor.peek() {
            return Some(Placed { value: word.clone(), span: self.cursor.advance() });
        }
        self.unexpected(what, help);
        None
    }

    fn number(&mut self, what: &str, help: &str) -> Option<Placed<i64>> {
        let start = self.cursor.place();
        let negative = self.take("-").is_some();
        if let Some(TokenKind::Number(number)) = self.cursor.peek() {
            let value = if negative { -*number } else { *number };
            return Some(Placed { value, span: start.to(self.cursor.advance()) });
        }
        self.unexpected(what, help);
        None
    }

    fn definition(&mut self) -> Option<Definition> {
        let keyword = self
            .name("a definition", "a text is made of definitions like `players = white, black;`")?;
        let equals = "definitions look like `players = white, black;`";
        match keyword.value.as_str() {
            "players" => {
                self.expect("=", equals)?;
                Some(Definition::Players(self.list(|p| p.name("a player", equals))?))
            }
            "pieces" => {
                self.expect("=", equals)?;
                Some(Definition::Pieces(self.list(Parser::piece)?))
            }
            "variable" => {
                let name = self.name("a name", "a variable is `variable count = 0;`")?;
                self.expect("=", "a variable has a value at the beginning: `variable count = 0;`")?;
                Some(Definition::Variable(name, self.expression()?))
            }
            "macro" => {
                let name = self.name("a name", "a macro is `macro step(dx, dy) = …;`")?;
                let parameters = self.parameters()?;
                self.expect("=", "a macro is `macro step(dx, dy) = …;`")?;
                Some(Definition::Macro(name, parameters, self.sentence()?))
            }
            "function" => {
                let name =
                    self.name("a name", "a function is `function f(a) { return a + 1 };`")?;
                let parameters = if self.is("(") { self.parameters()? } else { Vec::new() };
                Some(Definition::Function(name, parameters, self.body()?))
            }
            "effect" => {
                let name = self.name("a name", "an effect is `effect f() { count = 0; };`")?;
                let parameters = if self.is("(") { self.parameters()? } else { Vec::new() };
                Some(Definition::Effect(name, parameters, self.statements()?))
            }
            "victory" => {
                let player = self.name("a player", "a victory is `victory white { return … };`")?;
                Some(Definition::Condition(Outcome::Victory(player), self.returned()?))
            }
            "draw" => Some(Definition::Condition(Outcome::Draw, self.returned()?)),
            "outcome" => {
                let help = "an outcome is `outcome white = 70, black = 30 { return … };`";
                let scores = self.list(|p| {
                    let player = p.name("a player", help)?;
                    p.expect("=", help)?;
                    Some((player, p.number("a score", help)?))
                })?;
                Some(Definition::Condition(Outcome::Scores(scores), self.returned()?))
            }
            "rule" => {
                let piece = self.name("a piece", "a rule is `rule wPawn = …;`")?;
                self.expect("=", "a rule is `rule wPawn = …;`")?;
                Some(Definition::Rule(piece, self.sentence()?))
            }
            "post" => {
                let help = "a post condition is `post white wKing = …;`";
                let (player, piece) = (self.name("a player", help)?, self.name("a piece", help)?);
                self.expect("=", help)?;
                Some(Definition::Post(player, piece, self.sentence()?))
            }
            "board_size" => {
                let help = "the size is `board_size = 8, 8;`: columns, then rows";
                self.expect("=", help)?;
                let width = self.number("a number of columns", help)?;
                self.expect(",", help)?;
                Some(Definition::BoardSize(width, self.number("a number of rows", help)?))
            }
            "board" => {
                self.expect("=", equals)?;
                Some(Definition::Board(
                    self.list(|p| p.name("a piece", "every square has a piece"))?,
                ))
            }
            other => {
                let message = format!("`{other}` does not begin a definition");
                let all = format!("definitions begin with: {}", KEYWORDS.join(", "));
                let diagnostic = Diagnostic::error(Code::AbgUnexpectedToken, keyword.span, message);
                self.sink.push(diagnostic.help(all).did_you_mean(nearest(other, KEYWORDS)));
                None
            }
        }
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.take(",").is_some() {
            items.push(item(self)?);
        }
        Some(items)
    }

    fn piece(&mut self) -> Option<(Name, Vec<Name>)> {
        let help = "pieces are named with their owners: `pieces = empty, wPawn(white);`";
        let name = self.name("a piece", help)?;
        let mut owners = Vec::new();
        if self.take("(").is_some() {
            owners = self.list(|p| p.name("a player", help))?;
            self.expect(")", help)?;
        }
        Some((name, owners))
    }

    fn parameters(&mut self) -> Option<Vec<Name>> {
        let help = "parameters stand in brackets: `(dx, dy)`";
        self.expect("(", help)?;
        if self.take(")").is_some() {
            return Some(Vec::new());
        }
        let parameters = self.list(|p| p.name("a parameter", help))?;
        self.expect(")", help)?;
        Some(parameters)
    }

    fn body(&mut self) -> Option<Body> {
        let help = "a function is `function f(a) { return a + 1 };` or `function f() = …;`";
        if self.is("{") {
            return Some(Body::Value(self.returned()?));
        }
        self.expect("=", help)?;
        let mut from = Vec::new();
        if self.is_word("from") {
            self.cursor.advance();
            from = self
                .list(|p| p.name("a piece", "`from wKing [1, 1, BPawn]` looks from every wKing"))?;
            // A colon may make it easier to read.
            self.take(":");
        }
        Some(Body::Sentence { from, sentence: self.sentence()? })
    }

    /// `{ return value }`
    fn returned(&mut self) -> Option<Placed<Expression>> {
        let help = "write `{ return … }`";
        self.expect("{", help)?;
        if !self.is_word("return") {
            self.unexpected("`return`", help);
            return None;
        }
        self.cursor.advance();
        let value = self.expression()?;
        self.take(";");
        self.expect("}", help)?;
        Some(value)
    }

    fn statements(&mut self) -> Option<Vec<Statement>> {
        let help = "an effect is `effect f() { Board[this.x][this.y] = wQueen; count = 0; };`";
        self.expect("{", help)?;
        let mut statements = Vec::new();
        while self.take("}").is_none() {
            if self.cursor.peek().is_none() {
                self.unexpected("`}`", help);
                return None;
            }
            if self.take(";").is_some() {
                continue;
            }
            let statement = self.statement(help);
            let ended = statement.is_some()
                && (self.is("}") || self.expect(";", "put `;` behind every assignment").is_some());
            let Some(statement) = statement.filter(|_| ended) else {
                while self.cursor.peek().is_some() && !self.is("}") {
                    self.cursor.advance();
                }
                continue;
            };
            statements.push(statement);
        }
        Some(statements)
    }

    fn statement(&mut self, help: &str) -> Option<Statement> {
        let name = self.name("an assignment", help)?;
        if name.value == "Board" {
            let (x, y) = (self.index()?, self.index()?);
            let span = name.span.to(self.cursor.before());
            self.expect("=", help)?;
            return Some(Statement::Board(x, y, self.expression()?, span));
        }
        if self.take(".").is_some() {
            let field =
                self.name("`score`", "only scores of players are assigned: `white.score = 100;`")?;
            if field.value != "score" {
                let message = format!("`{}` has no `{}` to be assigned", name.value, field.value);
                self.sink.push(Diagnostic::error(Code::AbgWrongKind, field.span, message));
                return None;
            }
        }
        if self.take("=").is_some() {
            return Some(Statement::Assign(name, self.expression()?));
        }
        if self.is("==") {
            self.unexpected("`=`", help);
            return None;
        }
        Some(Statement::Call(self.call(name)?))
    }

    fn index(&mut self) -> Option<Placed<Expression>> {
        let help = "squares are `Board[column][row]`, counted from 0 at the lower left";
        self.expect("[", help)?;
        let value = self.expression()?;
        self.expect("]", help)?;
        Some(value)
    }

    /// The arguments of a call, if there are any.
    fn call(&mut self, name: Name) -> Option<Call> {
        let mut arguments = Vec::new();
        if self.take("(").is_some() && self.take(")").is_none() {
            arguments = self.list(Parser::expression)?;
            self.expect(")", "arguments are separated by commas and end with `)`")?;
        }
        Some(Call { name, arguments })
    }

    /// Runs a parser one level deeper, unless that is too deep.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == MAX_DEPTH {
            let message = format!("brackets are nested deeper than {MAX_DEPTH}");
            self.sink.push(Diagnostic::error(
                Code::AbgNestingTooDeep,
                self.cursor.place(),
                message,
            ));
            return None;
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }
}
