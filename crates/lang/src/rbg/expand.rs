//! Macro expansion: the body of a section becomes the tokens it stands for.
//!
//! Substitution is lazy and hygienic. An argument is a closure, a range of tokens together with the arguments of the
//! macro it is written in, and is expanded where the parameter occurs. `A~B` glues the last token of `A` to the first
//! of `B` after both are expanded, and the result is not looked up again.
//!
//! The expander is a loop over a stack of frames, not a recursion, and every token it looks at costs one of a fixed
//! number of steps: a text of a few lines can ask for 2^1000 tokens.

use std::ops::Range;

use crate::diagnostics::{Code, Diagnostic, counted};

use super::ast::Word;
use super::directives::{Directives, MacroId, RawSection, TokenRole};
use super::token::{
    CallId, Keyword, MAX_NAME, Name, ParseContext, Place, Symbol, Token, TokenKind,
};

/// How many tokens all expansions of a text may look at and produce.
pub(crate) const MAX_STEPS: usize = 4_000_000;
/// How deep macros may be nested.
pub(crate) const MAX_DEPTH: usize = 1_000;

/// How many numbers of arguments a help mentions.
const MENTIONED: usize = 5;

/// Expands the sections of one text, which share their limit.
#[derive(Debug)]
pub(crate) struct Expander<'a> {
    directives: &'a Directives,
    /// The arguments of all calls so far, those of one call side by side.
    arguments: Vec<Argument>,
    /// For every macro whether it was expanded.
    used: Vec<bool>,
    steps: usize,
}

/// The tokens an argument consists of, and where the arguments of the macro they are written in begin.
#[derive(Clone, Debug)]
struct Argument {
    tokens: Range<usize>,
    arguments: usize,
}

/// A range of tokens being expanded.
#[derive(Clone, Debug)]
struct ExpansionFrame {
    at: usize,
    end: usize,
    /// Where the arguments of the macro it is written in begin.
    arguments: usize,
    call: CallId,
    chain: Chain,
}

/// The operands joined by `~` that a frame is in the middle of; positions are in the output.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    start: usize,
    operand: usize,
    /// Whether an operand is being expanded.
    open: bool,
    /// Whether the operand comes after a `~`.
    glue: bool,
}

/// The limit was reached and reported; there is no sense in going on.
struct Exhausted;

impl<'a> Expander<'a> {
    pub(crate) fn new(directives: &'a Directives) -> Expander<'a> {
        let used = vec![false; directives.macros.len()];
        Expander { directives, arguments: Vec::new(), used, steps: 0 }
    }

    /// The macros that were not expanded so far, where they are defined.
    pub(crate) fn unused_macros(&self) -> Vec<Word> {
        let unused = self.directives.macros.iter().zip(&self.used).filter(|(_, used)| !**used);
        unused.map(|(unused, _)| Word { name: Some(unused.name), place: unused.place }).collect()
    }

    /// The tokens of a section; `None` if it grows too large.
    pub(crate) fn section(
        &mut self,
        section: &RawSection,
        context: &mut ParseContext,
    ) -> Option<Vec<Token>> {
        let start = ExpansionFrame {
            at: section.body.start,
            end: section.body.end,
            arguments: 0,
            call: CallId::default(),
            chain: Chain::default(),
        };
        let mut run =
            SectionExpansion { expander: self, context, frames: vec![start], output: Vec::new() };
        match run.all() {
            Ok(()) => Some(run.finish()),
            Err(Exhausted) => None,
        }
    }
}

/// The expansion of one section.
struct SectionExpansion<'a, 'b> {
    expander: &'b mut Expander<'a>,
    context: &'b mut ParseContext,
    frames: Vec<ExpansionFrame>,
    /// Nothing stands for a token that was glued to the one before it.
    output: Vec<Option<Token>>,
}

impl SectionExpansion<'_, '_> {
    fn all(&mut self) -> Result<(), Exhausted> {
        while let Some(frame) = self.frames.last() {
            if frame.chain.open {
                self.end_operand();
            } else if frame.at == frame.end {
                self.frames.pop();
            } else {
                self.operand()?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Vec<Token> {
        self.output.into_iter().flatten().collect()
    }

    fn frame(&mut self) -> &mut ExpansionFrame {
        self.frames.last_mut().expect("called only while a frame is being expanded")
    }

    fn token(&self, at: usize) -> Token {
        self.expander.directives.tokens[at]
    }

    fn is(&self, at: usize, symbol: Symbol) -> bool {
        self.token(at).kind == TokenKind::Symbol(symbol)
    }

    /// Pays for some work.
    fn spend(&mut self, steps: usize, place: Place) -> Result<(), Exhausted> {
        self.expander.steps += steps;
        if self.expander.steps <= MAX_STEPS {
            return Ok(());
        }
        let message = format!("the macros expand to more than {MAX_STEPS} tokens");
        let diagnostic = Diagnostic::error(Code::ExpansionTooLarge, place.span, message)
            .label("the limit was reached here")
            .help("use a macro that doubles its argument fewer times");
        self.context.report(place, diagnostic);
        Err(Exhausted)
    }

    /// Begins to expand the next token of the innermost frame, whatever it is.
    fn operand(&mut self) -> Result<(), Exhausted> {
        let length = self.output.len();
        let frame = self.frame();
        let (at, arguments, call) = (frame.at, frame.arguments, frame.call);
        frame.at += 1;
        frame.chain.open = true;
        frame.chain.operand = length;
        if !frame.chain.glue {
            frame.chain.start = length;
        }
        let token = self.token(at);
        let place = Place { span: token.place.span, call };
        self.spend(1, place)?;
        if token.kind == TokenKind::Symbol(Symbol::Tilde) {
            self.bad_paste(place, "there is nothing to the left of this `~`");
            self.poison(place);
            return Ok(());
        }
        match self.expander.directives.roles[at] {
            TokenRole::Plain if self.is_pasted_in_section(at) => {
                let tilde = Place { span: self.token(at + 1).place.span, call };
                self.bad_paste(tilde, "tokens are glued with `~` only inside macros");
                self.poison(place);
            }
            TokenRole::Plain => self.output.push(Some(Token { kind: token.kind, place })),
            TokenRole::Parameter(number) => {
                let Argument { tokens, arguments } =
                    self.expander.arguments[arguments + number].clone();
                self.enter(tokens, arguments, call, place);
            }
            TokenRole::Constant(id) => self.call(id, place, self.expander.arguments.len()),
            TokenRole::Call(bound) => self.call_with_arguments(at, bound, place)?,
            TokenRole::Broken => {
                self.skip_arguments(at);
                self.poison(place);
            }
        }
        Ok(())
    }

    /// Glues the operand just expanded, and looks whether a further one belongs to the chain.
    fn end_operand(&mut self) {
        let chain = self.frame().chain;
        let produced = self.output.len() > chain.operand;
        if chain.glue && produced && chain.operand > chain.start {
            self.glue(chain.operand);
        }
        let frame = self.frame();
        frame.chain.open = false;
        frame.chain.glue = false;
        let (at, end, call) = (frame.at, frame.end, frame.call);
        if at == end || !self.is(at, Symbol::Tilde) {
            return;
        }
        let place = Place { span: self.token(at).place.span, call };
        self.frame().at += 1;
        if at + 1 == end {
            self.bad_paste(place, "there is nothing to the right of this `~`");
        } else {
            self.frame().chain.glue = true;
        }
    }

    /// Whether a `~` comes after this token of the section itself; after a plain one it is allowed only in macros.
    fn is_pasted_in_section(&self, at: usize) -> bool {
        let end = self.frames.first().map_or(0, |frame| frame.end);
        self.frames.len() == 1 && at + 1 < end && self.is(at + 1, Symbol::Tilde)
    }

    fn enter(&mut self, tokens: Range<usize>, arguments: usize, call: CallId, place: Place) {
        if self.frames.len() >= MAX_DEPTH {
            let message = format!("macros are nested more than {MAX_DEPTH} deep");
            let diagnostic = Diagnostic::error(Code::ExpansionTooDeep, place.span, message)
                .help("let macros use fewer other macros");
            self.context.report(place, diagnostic);
            return self.poison(place);
        }
        let chain = Chain::default();
        self.frames.push(ExpansionFrame {
            at: tokens.start,
            end: tokens.end,
            arguments,
            call,
            chain,
        });
    }

    /// Enters the body of a macro whose arguments are in place.
    fn call(&mut self, id: MacroId, place: Place, arguments: usize) {
        self.expander.used[id.0] = true;
        let called = &self.expander.directives.macros[id.0];
        let call = self.context.calls.add(called.name, place);
        self.enter(called.body.clone(), arguments, call, place);
    }

    fn call_with_arguments(
        &mut self,
        at: usize,
        bound: MacroId,
        place: Place,
    ) -> Result<(), Exhausted> {
        let TokenKind::Word(name) = self.token(at).kind else {
            return Ok(());
        };
        let Some(close) = self.argument_list(at) else {
            self.bad_call(at, name, bound, place);
            return Ok(());
        };
        let arguments = self.expander.arguments.len();
        let outer = self.frame().arguments;
        let count = self.split_arguments(at + 2..close, outer, place)?;
        self.frame().at = close + 1;
        let overloads = &self.expander.directives.overloads[&name];
        match overloads.get(&count).filter(|id| **id < bound) {
            Some(&id) => self.call(id, place, arguments),
            None => self.wrong_count(name, bound, count, place),
        }
        Ok(())
    }

    /// Where the argument list after a macro name ends, when there is one in the same body or argument.
    fn argument_list(&mut self, at: usize) -> Option<usize> {
        let end = self.frame().end;
        let opens = at + 1 < end && self.is(at + 1, Symbol::OpenRound);
        let close = self.expander.directives.closing[if opens { at + 1 } else { at }];
        (opens && close != 0 && close < end).then_some(close)
    }

    /// Appends the arguments in a range to the list and counts them.
    fn split_arguments(
        &mut self,
        range: Range<usize>,
        outer: usize,
        place: Place,
    ) -> Result<usize, Exhausted> {
        let before = self.expander.arguments.len();
        let mut start = range.start;
        let mut at = range.start;
        while at < range.end {
            self.spend(1, place)?;
            if self.is(at, Symbol::OpenRound) {
                at = self.expander.directives.closing[at].max(at);
            } else if self.is(at, Symbol::Semicolon) {
                self.expander.arguments.push(Argument { tokens: start..at, arguments: outer });
                start = at + 1;
            }
            at += 1;
        }
        self.expander.arguments.push(Argument { tokens: start..range.end, arguments: outer });
        Ok(self.expander.arguments.len() - before)
    }

    fn skip_arguments(&mut self, at: usize) {
        if let Some(close) = self.argument_list(at) {
            self.frame().at = close + 1;
        }
    }

    fn bad_call(&mut self, at: usize, name: Name, bound: MacroId, place: Place) {
        let end = self.frame().end;
        let opens = at + 1 < end && self.is(at + 1, Symbol::OpenRound);
        let text = self.context.names.text(name).to_owned();
        let message = if opens {
            format!("the arguments of the macro `{text}` are not closed with `)`")
        } else {
            format!("the macro `{text}` needs arguments")
        };
        let help = format!("it takes {} between `(` and `)`", self.arities(name, bound));
        let diagnostic = Diagnostic::error(Code::BadMacroCall, place.span, message).help(help);
        self.context.report(place, diagnostic);
        if opens {
            self.frame().at = end;
        }
        self.poison(place);
    }

    fn wrong_count(&mut self, name: Name, bound: MacroId, count: usize, place: Place) {
        let text = self.context.names.text(name);
        let message = format!("the macro `{text}` is given {}", counted(count, "argument"));
        let help = format!("it takes {}; they are separated by `;`", self.arities(name, bound));
        let diagnostic =
            Diagnostic::error(Code::WrongArgumentCount, place.span, message).help(help);
        self.context.report(place, diagnostic);
        self.poison(place);
    }

    /// The numbers of arguments that the visible macros of a name take.
    fn arities(&self, name: Name, bound: MacroId) -> String {
        let overloads = self.expander.directives.overloads[&name].iter();
        let visible = overloads.filter(|(_, id)| **id < bound).take(MENTIONED);
        let mut arities: Vec<usize> = visible.map(|(arity, _)| *arity).collect();
        let last = counted(arities.pop().unwrap_or(0), "argument");
        let others: String = arities.iter().map(|arity| format!("{arity} or ")).collect();
        others + &last
    }

    fn poison(&mut self, place: Place) {
        self.output.push(Some(Token { kind: TokenKind::Poison, place }));
    }

    fn bad_paste(&mut self, place: Place, message: &str) {
        let diagnostic = Diagnostic::error(Code::BadPaste, place.span, message)
            .help("`a~b` glues two neighbouring tokens of a macro body into one");
        self.context.report(place, diagnostic);
    }

    /// Glues the token at a place of the output to the one before it.
    ///
    /// The result takes the left place, and a right place at the end goes away, so neither the first nor the last
    /// token of any operand is ever a hole.
    fn glue(&mut self, at: usize) {
        let (Some(left), Some(right)) = (self.output[at - 1], self.output[at]) else {
            return;
        };
        let place = left.place.to(right.place);
        let kind = self.glued(left, right).unwrap_or_else(|message| {
            let diagnostic = Diagnostic::error(Code::BadPaste, place.span, message)
                .help("names and numbers can be glued to a name, numbers to a number, and the parts of a symbol");
            self.context.report(place, diagnostic);
            TokenKind::Poison
        });
        self.output[at - 1] = Some(Token { kind, place });
        self.output[at] = None;
        if at + 1 == self.output.len() {
            self.output.pop();
        }
    }

    fn glued(&mut self, left: Token, right: Token) -> Result<TokenKind, String> {
        use TokenKind::{Keyword as Reserved, Number, Poison, Symbol as Sign, Word};
        match (left.kind, right.kind) {
            (Poison, _) | (_, Poison) => Ok(Poison),
            (Number(left), Number(right)) => format!("{left}{right}")
                .parse()
                .map(Number)
                .map_err(|_| format!("`{left}` and `{right}` make a number that is too large")),
            (Word(_) | Reserved(_), Word(_) | Reserved(_) | Number(_)) => {
                let text = self.spelling(left.kind) + &self.spelling(right.kind);
                self.glued_word(&text, left.place)
            }
            (Sign(left), Sign(right)) => {
                let text = format!("{}{}", left.text(), right.text());
                let message =
                    format!("`{}` and `{}` do not make a symbol", left.text(), right.text());
                Symbol::from_text(&text).map(Sign).ok_or(message)
            }
            (left, right) => {
                let (left, right) = (self.context.describe(left), self.context.describe(right));
                Err(format!("{left} and {right} cannot be glued together"))
            }
        }
    }

    fn glued_word(&mut self, text: &str, place: Place) -> Result<TokenKind, String> {
        if text.len() > MAX_NAME {
            return Err(format!("the glued name has more than {MAX_NAME} letters"));
        }
        // Names made up during expansion take memory like tokens do; running out is noticed at the next step.
        let _ = self.spend(text.len() / 16, place);
        Ok(match Keyword::from_text(text) {
            Some(keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Word(self.context.names.intern(text)),
        })
    }

    fn spelling(&self, kind: TokenKind) -> String {
        match kind {
            TokenKind::Word(name) => self.context.names.text(name).to_owned(),
            TokenKind::Number(number) => number.to_string(),
            TokenKind::Keyword(keyword) => keyword.text().to_owned(),
            TokenKind::Symbol(symbol) => symbol.text().to_owned(),
            TokenKind::Poison => String::new(),
        }
    }
}
