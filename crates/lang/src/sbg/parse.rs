//! Tokens to syntax. A mistake costs the piece, row or goal it stands in, not the rest of the text.

use super::ast::{Ast, Board, Expression, Goal, GoalKind, Goals, PieceRule, Placed, Row};
use super::lex::{SectionKind, Token, TokenKind};
use crate::cursor::Cursor;
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::Span;

/// How deep brackets may be nested.
const MAX_DEPTH: usize = 200;

pub(super) fn parse(tokens: &[Token], sink: &mut Sink) -> Ast {
    let mut ast = Ast::default();
    let first = tokens.iter().position(|token| matches!(token.kind, TokenKind::Section(_)));
    let (head, mut rest) = tokens.split_at(first.unwrap_or(tokens.len()));
    if !tokens.is_empty() {
        ast.name = name(head, sink);
    }
    let mut seen: Vec<(SectionKind, Span)> = Vec::new();
    while let Some((tag, after)) = rest.split_first() {
        let TokenKind::Section(section) = tag.kind else { break };
        let end = after.iter().position(|token| matches!(token.kind, TokenKind::Section(_)));
        let (body, next) = after.split_at(end.unwrap_or(after.len()));
        rest = next;
        if !is_in_order(section, tag.span, &seen, sink) {
            continue;
        }
        seen.push((section, tag.span));
        let mut parser = Parser { cursor: Cursor::new(body, tag.span), sink };
        match section {
            SectionKind::Board => ast.board = parser.board(),
            SectionKind::Pieces => ast.pieces = parser.pieces(),
            SectionKind::Goals => ast.goals = Some(parser.goals()),
        }
    }
    report_missing(tokens, &seen, sink);
    ast
}

fn name(head: &[Token], sink: &mut Sink) -> Option<Placed<String>> {
    let mut found: Option<Placed<String>> = None;
    for token in head {
        match &token.kind {
            TokenKind::Name(name) if found.is_none() => {
                found = Some(Placed { value: name.clone(), span: token.span });
            }
            TokenKind::Poison => return None,
            other => {
                let message = format!("{} does not belong before `<BOARD>`", other.describe());
                let help = "a text begins with the name of the game: `<<My Game>>`";
                sink.push(
                    Diagnostic::error(Code::SbgUnexpectedToken, token.span, message).help(help),
                );
                break;
            }
        }
    }
    match &found {
        Some(name) if name.value.is_empty() => {
            let diagnostic = Diagnostic::error(Code::SbgBadName, name.span, "the game has no name");
            sink.push(diagnostic.help("write it as `<<My Game>>`"));
        }
        None if head.is_empty() => {
            let message = "the game has no name";
            let diagnostic = Diagnostic::error(Code::SbgBadName, Span::default(), message);
            sink.push(diagnostic.help("begin the text with `<<My Game>>`"));
        }
        _ => {}
    }
    found
}

fn is_in_order(
    section: SectionKind,
    span: Span,
    seen: &[(SectionKind, Span)],
    sink: &mut Sink,
) -> bool {
    if let Some((_, first)) = seen.iter().find(|(other, _)| *other == section) {
        let message = format!("`{}` occurs twice", section.text());
        let diagnostic = Diagnostic::error(Code::SbgSectionOrder, span, message);
        sink.push(diagnostic.also(*first, "the first is here").help("join the two"));
        return false;
    }
    if let Some((later, place)) = seen.last().filter(|(last, _)| *last as u8 > section as u8) {
        let message = format!("`{}` must come before `{}`", section.text(), later.text());
        let diagnostic = Diagnostic::error(Code::SbgSectionOrder, span, message);
        let help = "the order is: name, `<BOARD>`, `<PIECES>`, `<GOALS>`";
        sink.push(diagnostic.also(*place, "this came first").help(help));
    }
    true
}

fn report_missing(tokens: &[Token], seen: &[(SectionKind, Span)], sink: &mut Sink) {
    let missing: Vec<String> = SectionKind::ALL
        .iter()
        .filter(|section| seen.iter().all(|(other, _)| other != *section))
        .map(|section| format!("`{}`", section.text()))
        .collect();
    if !missing.is_empty() {
        let end = tokens.last().map_or(Span::default(), |token| token.span);
        let message = format!("the game lacks {}", missing.join(", "));
        let diagnostic = Diagnostic::error(Code::SbgMissingSection, end, message)
            .label("the text ends here")
            .help("every game has a name, `<BOARD>`, `<PIECES>` and `<GOALS>`, in this order");
        sink.push(diagnostic);
    }
}

/// Reads one section.
struct Parser<'a> {
    /// Begins at the section's tag, for what is missing in an empty section.
    cursor: Cursor<'a, Token>,
    sink: &'a mut Sink,
}

impl Parser<'_> {
    fn take_symbol(&mut self, symbol: char) -> Option<Span> {
        let found = self.cursor.peek() == Some(&TokenKind::Symbol(symbol));
        found.then(|| self.cursor.advance())
    }

    fn take_natural(&mut self) -> Option<Placed<u32>> {
        let Some(TokenKind::Natural(value)) = self.cursor.peek() else { return None };
        Some(Placed { value: *value, span: self.cursor.advance() })
    }

    fn take_letter(&mut self) -> Option<Placed<char>> {
        let Some(TokenKind::Letter(value)) = self.cursor.peek() else { return None };
        Some(Placed { value: *value, span: self.cursor.advance() })
    }

    /// Reports what stands here instead of what was expected.
    fn unexpected(&mut self, expected: &str, help: &str) {
        let found = match self.cursor.peek() {
            // Reported where it was found.
            Some(TokenKind::Poison) => return,
            Some(kind) => format!("{} stands where {expected} was expected", kind.describe()),
            None => format!("the section ends where {expected} was expected"),
        };
        let diagnostic = Diagnostic::error(Code::SbgUnexpectedToken, self.cursor.place(), found);
        self.sink.push(diagnostic.label(format!("expected {expected}")).help(help));
    }

    /// Steps over everything up to and with the next `&`; returns whether there was one.
    fn skip_to_ampersand(&mut self) -> bool {
        while !self.cursor.at_end() {
            if self.take_symbol('&').is_some() {
                return true;
            }
            self.cursor.advance();
        }
        false
    }

    fn board(&mut self) -> Option<Board> {
        let help = "the board begins with its width and its height, as in `8 8`";
        let Some(width) = self.take_natural() else {
            self.unexpected("the width of the board", help);
            return None;
        };
        let Some(height) = self.take_natural() else {
            self.unexpected("the height of the board", help);
            return None;
        };
        let mut rows = Vec::new();
        while !self.cursor.at_end() {
            match self.take_symbol('|') {
                Some(open) => rows.push(self.row(open)),
                None => {
                    self.unexpected("a row", "rows stand between bars: `|rnbqk|`");
                    while self.cursor.peek().is_some_and(|kind| *kind != TokenKind::Symbol('|')) {
                        self.cursor.advance();
                    }
                }
            }
        }
        Some(Board { width, height, rows })
    }

    fn row(&mut self, open: Span) -> Row {
        let mut cells = Vec::new();
        let mut end = open;
        loop {
            if self.cursor.at_end() || self.begins_next_row() {
                let diagnostic =
                    Diagnostic::error(Code::SbgUnclosedRow, open.to(end), "this row is not closed");
                self.sink.push(diagnostic.help("a row stands between two bars"));
                break;
            }
            if let Some(close) = self.take_symbol('|') {
                end = close;
                break;
            }
            let span = self.cursor.place();
            match self.take_letter() {
                Some(cell) => cells.push(cell),
                None if self.take_symbol('.').is_some() => cells.push(Placed { value: '.', span }),
                None => {
                    self.unexpected(
                        "a piece or `.`",
                        "a row has a letter for each piece and a dot for each empty square",
                    );
                    self.cursor.advance();
                }
            }
            end = span;
        }
        Row { cells, span: open.to(end) }
    }

    /// Whether the next bar must open a row: behind one that closes a row no square can stand.
    fn begins_next_row(&self) -> bool {
        let bar = |token: &Token| token.after_line_end && token.kind == TokenKind::Symbol('|');
        let is_square =
            |kind: &TokenKind| matches!(kind, TokenKind::Letter(_) | TokenKind::Symbol('.'));
        self.cursor.token().is_some_and(bar) && self.cursor.peek_second().is_some_and(is_square)
    }

    fn pieces(&mut self) -> Vec<PieceRule> {
        let mut pieces = Vec::new();
        while !self.cursor.at_end() {
            let Some(letter) = self.take_letter() else {
                self.unexpected(
                    "the letter of a piece",
                    "a rule is a letter, an expression and `&`, as in `P (0,1,e) &`",
                );
                self.skip_to_ampersand();
                continue;
            };
            let rule = self.sum(0);
            if rule.is_some() && self.take_symbol('&').is_some() {
                pieces.push(PieceRule { letter, rule });
                continue;
            }
            if rule.is_some() {
                self.after_rule(letter);
            }
            self.skip_to_ampersand();
            // What it says is unknown, but that there is one is not.
            pieces.push(PieceRule { letter, rule: None });
        }
        pieces
    }

    /// Reports what stands behind a rule instead of `&`.
    fn after_rule(&mut self, letter: Placed<char>) {
        match self.cursor.peek() {
            Some(TokenKind::Symbol(')')) => {
                let message = "this bracket closes nothing";
                let diagnostic = Diagnostic::error(Code::SbgBracket, self.cursor.place(), message);
                self.sink.push(diagnostic.help("remove it, or open one before"));
            }
            Some(TokenKind::Symbol('^')) => self.unexpected(
                "`&` or more of the rule",
                "a power of a power needs brackets: `((0,1,e)^2)^3`",
            ),
            None | Some(TokenKind::Letter(_)) => {
                let message = format!("the rule of `{}` does not end", letter.value);
                let diagnostic =
                    Diagnostic::error(Code::SbgUnexpectedToken, self.cursor.place(), message)
                        .label("expected `&`")
                        .also(letter.span, "it begins here");
                self.sink.push(diagnostic.help("put `&` behind every rule"));
            }
            Some(_) => {
                self.unexpected(
                    "`&` or more of the rule",
                    "rules consist of letters like `(0,1,e)`",
                );
            }
        }
    }

    fn sum(&mut self, depth: usize) -> Option<Placed<Expression>> {
        let mut parts = vec![self.chain(depth)?];
        while self.take_symbol('+').is_some() {
            parts.push(self.chain(depth)?);
        }
        Some(joined(parts, Expression::Sum))
    }

    fn chain(&mut self, depth: usize) -> Option<Placed<Expression>> {
        let mut parts = Vec::new();
        while let Some(open) = self.take_symbol('(') {
            parts.push(self.factor(open, depth)?);
        }
        if parts.is_empty() {
            self.unexpected(
                "a letter of the rule",
                "a letter is `(x,y,c)` with c one of e, p, w; brackets and alternatives are never empty",
            );
            return None;
        }
        Some(joined(parts, Expression::Chain))
    }

    /// What follows an opening bracket: a letter or an expression, and perhaps a power.
    fn factor(&mut self, open: Span, depth: usize) -> Option<Placed<Expression>> {
        let value = match self.cursor.peek() {
            Some(TokenKind::Natural(_) | TokenKind::Negative(_)) => self.letter(open)?,
            Some(TokenKind::Symbol('(')) if depth == MAX_DEPTH => {
                let message = format!("brackets are nested deeper than {MAX_DEPTH}");
                self.sink.push(Diagnostic::error(Code::SbgNestingTooDeep, open, message));
                return None;
            }
            _ => {
                let inner = self.sum(depth + 1)?;
                if self.take_symbol(')').is_none() {
                    if matches!(self.cursor.peek(), None | Some(TokenKind::Symbol('&'))) {
                        let message = "this bracket is not closed";
                        let diagnostic = Diagnostic::error(Code::SbgBracket, open, message);
                        self.sink.push(diagnostic.help("close it with `)` before the rule ends"));
                    } else {
                        self.unexpected(
                            "`)` or more of the rule",
                            "rules consist of letters like `(0,1,e)`",
                        );
                    }
                    return None;
                }
                inner.value
            }
        };
        let span = open.to(self.cursor.before());
        self.power(Placed { value, span })
    }

    /// The rest of a letter behind its bracket.
    fn letter(&mut self, open: Span) -> Option<Expression> {
        let x = self.integer()?;
        self.comma()?;
        let y = self.integer()?;
        self.comma()?;
        let Some(on) = self.take_letter() else {
            self.unexpected(
                "e, p or w",
                "e is an empty square, p a piece of the opponent, w an own one",
            );
            return None;
        };
        if self.take_symbol(')').is_none() {
            let message = "this letter is not closed";
            let diagnostic = Diagnostic::error(Code::SbgBracket, open.to(on.span), message);
            self.sink.push(diagnostic.help("a letter is `(x,y,c)`"));
            return None;
        }
        Some(Expression::Letter { x, y, on })
    }

    fn comma(&mut self) -> Option<()> {
        if self.take_symbol(',').is_none() {
            self.unexpected("`,`", "a letter is `(x,y,c)`");
            return None;
        }
        Some(())
    }

    fn integer(&mut self) -> Option<Placed<i32>> {
        let value = match self.cursor.peek() {
            Some(TokenKind::Natural(number)) => i32::try_from(*number).ok()?,
            Some(TokenKind::Negative(number)) => -i32::try_from(*number).ok()?,
            _ => {
                self.unexpected(
                    "a number",
                    "a letter is `(x,y,c)`: columns, rows forward, content",
                );
                return None;
            }
        };
        Some(Placed { value, span: self.cursor.advance() })
    }

    fn power(&mut self, base: Placed<Expression>) -> Option<Placed<Expression>> {
        if self.take_symbol('^').is_none() {
            if self.cursor.peek() == Some(&TokenKind::Symbol('*')) {
                self.unexpected("`^*`", "any number of times is written `^*`");
                return None;
            }
            return Some(base);
        }
        let begin = base.span;
        let end = self.cursor.place();
        let value = if self.take_symbol('*').is_some() {
            Expression::Star(Box::new(base))
        } else if let Some(count) = self.take_natural() {
            Expression::Power(Box::new(base), count.value)
        } else {
            self.unexpected("a number or `*`", "powers are `^3` and `^*`");
            return None;
        };
        Some(Placed { value, span: begin.to(end) })
    }

    fn goals(&mut self) -> Goals {
        let limit = self.take_natural();
        if limit.is_none() {
            self.unexpected(
                "the turn limit",
                "goals begin with the number of half-moves after which the game is drawn: `100 &`",
            );
        } else if self.take_symbol('&').is_none() {
            self.unexpected("`&`", "put `&` behind the turn limit and behind every goal");
        }
        let mut goals = Vec::new();
        if limit.is_none() {
            self.skip_to_ampersand();
        }
        while !self.cursor.at_end() {
            match self.goal() {
                Some(goal) if self.take_symbol('&').is_some() => goals.push(goal),
                Some(goal) => {
                    self.unexpected("`&`", "put `&` behind every goal");
                    goals.push(goal);
                    self.next_goal();
                }
                None => self.next_goal(),
            }
        }
        Goals { limit, goals }
    }

    /// Steps to what looks like the next goal.
    fn next_goal(&mut self) {
        while let Some(kind) = self.cursor.peek() {
            if matches!(kind, TokenKind::Symbol('#' | '@')) {
                return;
            }
            if self.take_symbol('&').is_some() {
                return;
            }
            self.cursor.advance();
        }
    }

    fn goal(&mut self) -> Option<Goal> {
        let start = self.cursor.place();
        let is_count = if self.take_symbol('#').is_some() {
            true
        } else if self.take_symbol('@').is_some() {
            false
        } else {
            self.unexpected("a goal", "goals are `#K 0` and `@P 0 7, 1 7`");
            self.cursor.advance();
            return None;
        };
        let Some(letter) = self.take_letter() else {
            self.unexpected("the letter of a piece", "goals are `#K 0` and `@P 0 7, 1 7`");
            return None;
        };
        let kind = if is_count {
            let Some(count) = self.take_natural() else {
                self.unexpected("a number of pieces", "`#K 0` means: white loses with no K left");
                return None;
            };
            GoalKind::Count(count)
        } else {
            GoalKind::Reach(self.squares()?)
        };
        let span = start.to(self.cursor.before());
        Some(Goal { letter, kind, span })
    }

    fn squares(&mut self) -> Option<Vec<Placed<(u32, u32)>>> {
        let mut squares = Vec::new();
        loop {
            let help =
                "squares are pairs of column and row from the lower left, both from 0: `0 7, 1 7`";
            let Some(x) = self.take_natural() else {
                self.unexpected("the column of a square", help);
                return None;
            };
            let Some(y) = self.take_natural() else {
                self.unexpected("the row of a square", help);
                return None;
            };
            squares.push(Placed { value: (x.value, y.value), span: x.span.to(y.span) });
            if self.take_symbol(',').is_none() {
                return Some(squares);
            }
        }
    }
}

/// One part as it is, several joined.
fn joined(
    mut parts: Vec<Placed<Expression>>,
    join: impl Fn(Vec<Placed<Expression>>) -> Expression,
) -> Placed<Expression> {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let span = parts[0].span.to(parts[parts.len() - 1].span);
    Placed { value: join(parts), span }
}
