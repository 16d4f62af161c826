//! Tokens to syntax. A mistake costs the definition it stands in, not the rest of the text.

use super::ast::{
    Body, Call, Definition, Expression, Name, Operation, Outcome, Placed, Sentence, Statement,
};
use super::lex::{Token, TokenKind};
use crate::cursor::Cursor;
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::Span;
use crate::suggest::nearest;

/// How deep brackets may be nested.
const MAX_DEPTH: usize = 100;
/// How many operations an expression may have: as deep it may become.
const MAX_OPERATIONS: usize = 400;
/// The most signs `*`, `?` and `+` after each other.
const MAX_SIGNS: usize = 8;

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
                let help = nearest(other, KEYWORDS).map(|like| format!("did you mean `{like}`?"));
                let all = format!("definitions begin with: {}", KEYWORDS.join(", "));
                let diagnostic = Diagnostic::error(Code::AbgUnexpectedToken, keyword.span, message);
                self.sink.push(diagnostic.help(all).maybe_help(help));
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

    fn sentence(&mut self) -> Option<Placed<Sentence>> {
        let start = self.cursor.place();
        let mut parts = vec![self.word()?];
        while self.take("|").is_some() {
            parts.push(self.word()?);
        }
        let span = start.to(self.cursor.before());
        Some(if parts.len() == 1 {
            parts.remove(0)
        } else {
            Placed { value: Sentence::Sum(parts), span }
        })
    }

    fn word(&mut self) -> Option<Placed<Sentence>> {
        let start = self.cursor.place();
        let mut parts = Vec::new();
        // A keyword begins the next definition: then a `;` was forgotten.
        let is_name = |kind: &TokenKind| match kind {
            TokenKind::Word(word) => !KEYWORDS.contains(&word.as_str()),
            _ => false,
        };
        while self.is("(") || self.is("[") || self.cursor.peek().is_some_and(is_name) {
            parts.push(self.repeated()?);
        }
        if parts.is_empty() {
            self.unexpected(
                "a letter",
                "letters are `[dx, dy, Condition]`, and alternatives are never empty",
            );
            return None;
        }
        let span = start.to(self.cursor.before());
        Some(if parts.len() == 1 {
            parts.remove(0)
        } else {
            Placed { value: Sentence::Chain(parts), span }
        })
    }

    fn repeated(&mut self) -> Option<Placed<Sentence>> {
        let start = self.cursor.place();
        let mut part = self.core()?;
        for _ in 0..=MAX_SIGNS {
            let wrap = match self.cursor.peek() {
                Some(TokenKind::Symbol("*")) => Sentence::Star,
                Some(TokenKind::Symbol("?")) => Sentence::Maybe,
                Some(TokenKind::Symbol("+")) => Sentence::Plus,
                _ => return Some(part),
            };
            self.cursor.advance();
            let span = start.to(self.cursor.before());
            part = Placed { value: wrap(Box::new(part)), span };
        }
        let message = format!("more than {MAX_SIGNS} signs `*`, `?` and `+` follow each other");
        let diagnostic = Diagnostic::error(Code::AbgNestingTooDeep, self.cursor.place(), message);
        self.sink.push(diagnostic.help("`**` says no more than `*`"));
        None
    }

    fn core(&mut self) -> Option<Placed<Sentence>> {
        let start = self.cursor.place();
        if self.take("(").is_some() {
            let inner = self.deeper(Parser::sentence)?;
            self.expect(")", "close the bracket")?;
            return Some(inner);
        }
        if self.is("[") {
            return self.letter();
        }
        let name = self.name("a letter", "letters are `[dx, dy, Condition]`")?;
        let value = if self.take(".").is_some() {
            let field = self.name("`regex`", "`wPawn.regex` is the rule of wPawn")?;
            if field.value != "regex" {
                let message = format!("`{}` is not part of a sentence", field.value);
                let diagnostic = Diagnostic::error(Code::AbgWrongKind, field.span, message);
                self.sink.push(diagnostic.help("`wPawn.regex` is the rule of wPawn"));
                return None;
            }
            Sentence::RuleOf(name)
        } else {
            Sentence::Call(self.call(name)?)
        };
        Some(Placed { value, span: start.to(self.cursor.before()) })
    }

    fn letter(&mut self) -> Option<Placed<Sentence>> {
        let help = "letters are `[dx, dy, Condition]` or `[dx, dy, Condition]{effect}`";
        let start = self.expect("[", help)?;
        let x = self.expression()?;
        self.expect(",", help)?;
        let y = self.expression()?;
        self.expect(",", help)?;
        let test = self.expression()?;
        self.expect("]", help)?;
        let mut effect = None;
        if self.take("{").is_some() {
            let name = self.name("an effect", help)?;
            effect = Some(self.call(name)?);
            self.expect("}", help)?;
        }
        let span = start.to(self.cursor.before());
        Some(Placed { value: Sentence::Letter { x, y, test, effect }, span })
    }

    /// `a ? b : c` binds weakest.
    fn expression(&mut self) -> Option<Placed<Expression>> {
        if self.depth == 0 {
            self.operations = 0;
        }
        let start = self.cursor.place();
        let condition = self.deeper(|p| p.binary(0))?;
        if self.take("?").is_none() {
            return Some(condition);
        }
        let yes = self.deeper(Parser::expression)?;
        self.expect(":", "a choice is `condition ? one : other`")?;
        let no = self.deeper(Parser::expression)?;
        let value = Expression::Choose(Box::new(condition), Box::new(yes), Box::new(no));
        Some(Placed { value, span: start.to(self.cursor.before()) })
    }

    fn binary(&mut self, level: usize) -> Option<Placed<Expression>> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let start = self.cursor.place();
        let mut left = self.binary(level + 1)?;
        while let Some(operation) = self.operation(level) {
            self.cursor.advance();
            self.operations += 1;
            if self.operations > MAX_OPERATIONS {
                let message = format!("this expression has more than {MAX_OPERATIONS} operations");
                self.sink.push(Diagnostic::error(
                    Code::AbgNestingTooDeep,
                    self.cursor.place(),
                    message,
                ));
                return None;
            }
            let right = self.binary(level + 1)?;
            let value = Expression::Binary(operation, Box::new(left), Box::new(right));
            left = Placed { value, span: start.to(self.cursor.before()) };
        }
        Some(left)
    }

    fn operation(&self, level: usize) -> Option<Operation> {
        let text = match self.cursor.peek()? {
            TokenKind::Symbol(symbol) => symbol,
            TokenKind::Word(word) => word.as_str(),
            _ => return None,
        };
        LEVELS[level]
            .iter()
            .find(|(spelling, _)| *spelling == text)
            .map(|(_, operation)| *operation)
    }

    fn unary(&mut self) -> Option<Placed<Expression>> {
        let start = self.cursor.place();
        let wrap = if self.is("-") {
            Expression::Negate
        } else if self.is("!") || self.is_word("not") {
            Expression::Not
        } else {
            return self.primary();
        };
        self.cursor.advance();
        let inner = self.deeper(Parser::unary)?;
        Some(Placed { value: wrap(Box::new(inner)), span: start.to(self.cursor.before()) })
    }

    fn primary(&mut self) -> Option<Placed<Expression>> {
        let start = self.cursor.place();
        if self.take("(").is_some() {
            let inner = self.deeper(Parser::expression)?;
            self.expect(")", "close the bracket")?;
            return Some(inner);
        }
        if let Some(TokenKind::Number(number)) = self.cursor.peek() {
            return Some(Placed {
                value: Expression::Number(*number),
                span: self.cursor.advance(),
            });
        }
        let name = self.name(
            "a value",
            "values are numbers, variables, `Board[x][y]`, `this.x`, and what is made of them",
        )?;
        let value = if name.value == "Board" {
            Expression::Board(Box::new(self.index()?), Box::new(self.index()?))
        } else if self.take(".").is_some() {
            Expression::Field(
                name,
                self.name("a field", "there are `this.x`, `this.y` and `white.score`")?,
            )
        } else {
            Expression::Call(self.call(name)?)
        };
        Some(Placed { value, span: start.to(self.cursor.before()) })
    }
}

/// The operations by how strongly they bind, weakest first.
const LEVELS: [&[(&str, Operation)]; 6] = [
    &[("or", Operation::Or), ("||", Operation::Or)],
    &[("and", Operation::And), ("&&", Operation::And)],
    &[("==", Operation::Equal), ("!=", Operation::NotEqual)],
    &[
        ("<", Operation::Less),
        ("<=", Operation::LessOrEqual),
        (">", Operation::Greater),
        (">=", Operation::GreaterOrEqual),
    ],
    &[("+", Operation::Add), ("-", Operation::Subtract)],
    &[
        ("*", Operation::Multiply),
        ("/", Operation::Divide),
        ("//", Operation::Divide),
        ("%", Operation::Modulo),
    ],
];
