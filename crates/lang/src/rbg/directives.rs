//! Tokens to directives: the five sections and the macros, with every word of every body resolved.
//!
//! A macro is visible only in directives after its own, so the macros known when a directive is read are exactly those
//! its body may use. Each word of a body is therefore given its [`TokenRole`] here, once, and expansion never searches.
//! All bodies stay where they are in the one list of tokens and are denoted by ranges.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;

use super::token::{Keyword, Name, ParseContext, Place, Symbol, Token, TokenKind};

/// The sections every game has, in the order in which they are understood.
pub(crate) const SECTIONS: [Keyword; 5] =
    [Keyword::Players, Keyword::Pieces, Keyword::Variables, Keyword::Board, Keyword::Rules];

/// A text cut into directives.
#[derive(Debug)]
pub(crate) struct Directives {
    /// All tokens of the text.
    pub(crate) tokens: Vec<Token>,
    /// For every token what it is in its body.
    pub(crate) roles: Vec<TokenRole>,
    /// For every `(` of a body its `)`; otherwise 0.
    pub(crate) closing: Vec<usize>,
    pub(crate) macros: Vec<Macro>,
    /// The macros with parameters by name and number of parameters.
    pub(crate) overloads: HashMap<Name, BTreeMap<usize, MacroId>>,
    sections: HashMap<Keyword, RawSection>,
}

/// What a token is in the body it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenRole {
    /// Itself.
    Plain,
    /// The parameter with this number of the macro it stands in.
    Parameter(usize),
    /// A macro without parameters.
    Constant(MacroId),
    /// A macro with parameters; those numbered below the bound are visible.
    Call(MacroId),
    /// A macro whose definition was faulty.
    Broken,
}

/// A macro by its place in the order of definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MacroId(pub(crate) usize);

#[derive(Debug)]
pub(crate) struct Macro {
    pub(crate) name: Name,
    pub(crate) arity: usize,
    pub(crate) body: Range<usize>,
    /// Its name where it is defined.
    pub(crate) place: Place,
}

/// A section as written.
#[derive(Clone, Debug)]
pub(crate) struct RawSection {
    /// Its keyword.
    pub(crate) head: Place,
    pub(crate) body: Range<usize>,
}

impl Directives {
    pub(crate) fn section(&self, keyword: Keyword) -> Option<&RawSection> {
        self.sections.get(&keyword)
    }
}

/// Cuts a text into directives.
pub(crate) fn read(tokens: Vec<Token>, context: &mut ParseContext) -> Directives {
    let count = tokens.len();
    let directives = Directives {
        tokens,
        roles: vec![TokenRole::Plain; count],
        closing: vec![0; count],
        macros: Vec::new(),
        overloads: HashMap::new(),
        sections: HashMap::new(),
    };
    let mut reader = DirectiveReader {
        directives,
        constants: HashMap::new(),
        broken: HashSet::new(),
        at: 0,
        end: 0,
        context,
    };
    reader.all();
    reader.directives
}

struct DirectiveReader<'a> {
    directives: Directives,
    /// The macros without parameters.
    constants: HashMap<Name, MacroId>,
    broken: HashSet<Name>,
    /// The next token of the directive being read.
    at: usize,
    /// The end of the directive being read.
    end: usize,
    context: &'a mut ParseContext,
}

/// The parameters of a macro with their numbers.
type Parameters = HashMap<Name, usize>;

impl DirectiveReader<'_> {
    fn all(&mut self) {
        let count = self.directives.tokens.len();
        let hash = |token: &Token| token.kind == TokenKind::Symbol(Symbol::Hash);
        let starts: Vec<usize> =
            (0..count).filter(|&at| hash(&self.directives.tokens[at])).collect();
        self.before_first(starts.first().copied());
        for (number, &start) in starts.iter().enumerate() {
            self.at = start + 1;
            self.end = starts.get(number + 1).copied().unwrap_or(count);
            let alone_at_the_end = self.at == count;
            if !alone_at_the_end {
                self.directive(start);
            }
        }
    }

    fn before_first(&mut self, first: Option<usize>) {
        match (self.directives.tokens.first(), first) {
            (_, Some(0)) => {}
            // Where everything is faulty or a comment that never ends, that is said already.
            (None, _) if self.context.sink.has_errors() => {}
            (None, _) => {
                let diagnostic =
                    Diagnostic::error(Code::EmptyFile, Span::default(), "the text is empty").help(
                        "a game has the sections #players, #pieces, #variables, #board and #rules",
                    );
                self.context.sink.push(diagnostic);
            }
            (Some(token), _) => {
                let place = token.place;
                self.error(
                    Code::BadDirective,
                    place,
                    "a game begins with a directive",
                    "write `#`, a section or macro name, and `=` before this",
                );
            }
        }
    }

    fn directive(&mut self, hash: usize) {
        let head = self.next();
        match head.map(|token| (token.kind, token.place)) {
            Some((TokenKind::Keyword(keyword), place)) if SECTIONS.contains(&keyword) => {
                self.section(keyword, place);
            }
            Some((TokenKind::Word(name), place)) => self.definition(name, place),
            Some((kind, place)) => {
                let message = format!("{} cannot be defined", self.context.describe(kind));
                self.error(Code::BadDirective, place, message, "after `#` comes players, pieces, variables, board, rules or the name of a macro");
            }
            None => {
                let place = self.directives.tokens[hash].place;
                self.error(
                    Code::BadDirective,
                    place,
                    "nothing follows this `#`",
                    "after `#` comes the name of a section or macro",
                );
            }
        }
    }

    fn section(&mut self, keyword: Keyword, head: Place) {
        self.equals(head);
        let body = self.at..self.end;
        self.resolve(&body, &Parameters::new());
        if let Some(first) = self.directives.sections.get(&keyword) {
            let message = format!("the section `#{}` is written twice", keyword.text());
            let diagnostic = Diagnostic::error(Code::RepeatedSection, head.span, message)
                .label("again here")
                .also(first.head.span, "first here")
                .help("join the two into one");
            return self.context.sink.push(diagnostic);
        }
        self.directives.sections.insert(keyword, RawSection { head, body });
    }

    fn definition(&mut self, name: Name, head: Place) {
        let Some(parameters) = self.parameters(name) else {
            self.broken.insert(name);
            return;
        };
        self.equals(head);
        let body = self.at..self.end;
        self.resolve(&body, &parameters);
        let new = Macro { name, arity: parameters.len(), body, place: head };
        if let Some(old) = self.rival(&new) {
            let text = self.context.names.text(name).to_owned();
            let message = if old.arity == new.arity {
                format!("the macro `{text}` is defined twice")
            } else {
                format!("the macro `{text}` is defined both with and without parameters")
            };
            let diagnostic = Diagnostic::error(Code::MacroRedefined, head.span, message)
                .label("again here")
                .also(old.place.span, "first here")
                .help("give one of them another name");
            return self.context.sink.push(diagnostic);
        }
        self.context.macros.entry(name).or_insert(head.span);
        let id = MacroId(self.directives.macros.len());
        if new.arity == 0 {
            self.constants.insert(name, id);
        } else {
            self.directives.overloads.entry(name).or_default().insert(new.arity, id);
        }
        self.directives.macros.push(new);
    }

    /// An earlier macro that leaves no room for this one.
    fn rival(&self, new: &Macro) -> Option<&Macro> {
        let overloads = self.directives.overloads.get(&new.name);
        let rival = self.constants.get(&new.name).or_else(|| match new.arity {
            0 => overloads?.values().next(),
            arity => overloads?.get(&arity),
        });
        rival.map(|id| &self.directives.macros[id.0])
    }

    /// The parameters of a macro, empty if there is no list; `None` if the list is faulty.
    fn parameters(&mut self, name: Name) -> Option<Parameters> {
        let mut parameters = Parameters::new();
        if !self.eat(Symbol::OpenRound) {
            return Some(parameters);
        }
        let mut good = true;
        loop {
            let Some(token) = self.next() else {
                return self.bad_list(name, "the list of parameters is not closed");
            };
            let TokenKind::Word(parameter) = token.kind else {
                let what = self.context.describe(token.kind);
                return self.bad_list(name, &format!("a parameter is a name, not {what}"));
            };
            if parameters.contains_key(&parameter) {
                let text = self.context.names.text(parameter).to_owned();
                let message = format!("the parameter `{text}` is listed twice");
                self.error(
                    Code::DuplicateParameter,
                    token.place,
                    message,
                    "give each parameter its own name",
                );
                good = false;
            }
            let number = parameters.len();
            parameters.entry(parameter).or_insert(number);
            if self.eat(Symbol::CloseRound) {
                return good.then_some(parameters);
            }
            if !self.eat(Symbol::Semicolon) {
                self.next();
                return self.bad_list(name, "parameters are separated by `;`");
            }
        }
    }

    fn bad_list(&mut self, name: Name, message: &str) -> Option<Parameters> {
        let at = self.at.clamp(1, self.end) - 1;
        let place = self.directives.tokens[at].place;
        let help = format!("write `#{}(first; second) = ...`", self.context.names.text(name));
        self.error(Code::BadDirective, place, message, &help);
        None
    }

    /// Reads the `=` after a head; without one the body is taken to begin at once.
    fn equals(&mut self, head: Place) {
        if !self.eat(Symbol::Assign) {
            self.error(
                Code::BadDirective,
                head,
                "there is no `=` after this head",
                "a directive is `#`, a head, `=` and a body",
            );
        }
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.directives.tokens[..self.end].get(self.at).copied();
        self.at += usize::from(token.is_some());
        token
    }

    fn eat(&mut self, symbol: Symbol) -> bool {
        let token = self.directives.tokens[..self.end].get(self.at);
        let found = token.is_some_and(|token| token.kind == TokenKind::Symbol(symbol));
        self.at += usize::from(found);
        found
    }

    /// Gives each token of a body its role, and each parenthesis its partner.
    fn resolve(&mut self, body: &Range<usize>, parameters: &Parameters) {
        let mut open = Vec::new();
        for at in body.clone() {
            match self.directives.tokens[at].kind {
                TokenKind::Word(name) => self.directives.roles[at] = self.role(name, parameters),
                TokenKind::Symbol(Symbol::OpenRound) => open.push(at),
                TokenKind::Symbol(Symbol::CloseRound) => {
                    if let Some(start) = open.pop() {
                        self.directives.closing[start] = at;
                    }
                }
                _ => {}
            }
        }
    }

    fn role(&self, name: Name, parameters: &Parameters) -> TokenRole {
        if let Some(&number) = parameters.get(&name) {
            TokenRole::Parameter(number)
        } else if let Some(&constant) = self.constants.get(&name) {
            TokenRole::Constant(constant)
        } else if self.directives.overloads.contains_key(&name) {
            TokenRole::Call(MacroId(self.directives.macros.len()))
        } else if self.broken.contains(&name) {
            TokenRole::Broken
        } else {
            TokenRole::Plain
        }
    }

    fn error(&mut self, code: Code, place: Place, message: impl Into<String>, help: &str) {
        self.context.sink.push(Diagnostic::error(code, place.span, message).help(help));
    }
}
