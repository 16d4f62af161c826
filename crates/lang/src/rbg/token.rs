//! Tokens, the words they spell and the places they come from.
//!
//! A token is small and plain: words are interned as [`Name`]s, and the macro calls a token came through are a link
//! into the list of [`Calls`]. All stages after the lexer share one [`ParseContext`].

use std::collections::HashMap;
use std::sync::Arc;

use crate::cursor::Lexeme;
use crate::diagnostics::{Diagnostic, Sink};
use crate::pragma::Comments;
use crate::source::Span;

/// The most letters a name may have.
pub(crate) const MAX_NAME: usize = 100;

/// A piece of text with a meaning, where it stands and how it got there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word(Name),
    Number(u32),
    Keyword(Keyword),
    Symbol(Symbol),
    /// Stands for something that was already reported; later stages accept it silently.
    Poison,
}

impl Lexeme for Token {
    type Kind = TokenKind;
    type Place = Place;

    fn kind(&self) -> &TokenKind {
        &self.kind
    }

    fn place(&self) -> Place {
        self.place
    }
}

/// A span of the text, together with the macro calls through which the text came here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Where it is written; inside a macro this is the text of the macro's body.
    pub span: Span,
    pub(crate) call: CallId,
}

impl Place {
    /// From here to the end of a later place; this place alone if the two are not in the same text.
    pub(crate) fn to(self, end: Place) -> Place {
        if self.call == end.call && self.span.start <= end.span.start {
            Place { span: self.span.to(end.span), call: self.call }
        } else {
            self
        }
    }
}

/// An interned word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

/// The interned words of a text.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Arc<str>>,
    by_text: HashMap<Arc<str>, Name>,
}

impl Names {
    /// The spelling of a name.
    #[must_use]
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }

    pub(crate) fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.by_text.get(text) {
            return name;
        }
        let name = Name(u32::try_from(self.texts.len()).expect("fewer names than bytes of text"));
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.by_text.insert(text, name);
        name
    }
}

/// A macro call in [`Calls`], or the text of a section itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallId(u32);

/// All macro calls of an expansion, each linked to the call it was made in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    calls: Vec<MacroCall>,
}

#[derive(Clone, Copy, Debug)]
struct MacroCall {
    name: Name,
    place: Place,
}

impl Calls {
    /// How many enclosing expansions a diagnostic shows.
    const SHOWN: usize = 4;

    pub(crate) fn add(&mut self, name: Name, place: Place) -> CallId {
        self.calls.push(MacroCall { name, place });
        CallId(u32::try_from(self.calls.len()).expect("the expansion limit is below 32 bits"))
    }

    /// The calls around a place, innermost first.
    fn around(&self, place: Place) -> impl Iterator<Item = &MacroCall> {
        let find = |call: CallId| self.calls.get((call.0 as usize).checked_sub(1)?);
        std::iter::successors(find(place.call), move |call| find(call.place.call))
    }
}

/// What the stages share: the words, the macro calls and the findings so far.
#[derive(Debug, Default)]
pub(crate) struct ParseContext {
    pub(crate) names: Names,
    pub(crate) calls: Calls,
    pub(crate) sink: Sink,
    /// Where each macro is first defined.
    pub(crate) macros: HashMap<Name, Span>,
    pub(crate) comments: Comments,
    /// Where the arrows of the text begin that end a move; ascending, and only if there are pragma comments.
    pub(crate) switches: Vec<u32>,
}

impl ParseContext {
    /// Reports a finding about a place, adding the macro calls it came through.
    pub(crate) fn report(&mut self, place: Place, diagnostic: Diagnostic) {
        let mut diagnostic = diagnostic;
        for call in self.calls.around(place).take(Calls::SHOWN) {
            let text = format!("in the expansion of `{}`", self.names.text(call.name));
            diagnostic = diagnostic.also(call.place.span, text);
        }
        self.sink.push(diagnostic);
    }

    /// How a token is called in a message.
    pub(crate) fn describe(&self, kind: TokenKind) -> String {
        match kind {
            TokenKind::Word(name) => format!("`{}`", self.names.text(name)),
            TokenKind::Number(number) => format!("`{number}`"),
            TokenKind::Keyword(keyword) => format!("the keyword `{}`", keyword.text()),
            TokenKind::Symbol(symbol) => format!("`{}`", symbol.text()),
            TokenKind::Poison => "something faulty".to_owned(),
        }
    }
}

macro_rules! spellings {
    ($(#[doc = $doc:literal])* $type:ident: $($name:ident $text:literal,)*) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum $type {
            $($name,)*
        }

        impl $type {
            /// The one with this spelling.
            pub(crate) fn from_text(text: &str) -> Option<$type> {
                match text {
                    $($text => Some($type::$name),)*
                    _ => None,
                }
            }

            /// How it is spelt.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $($type::$name => $text,)*
                }
            }
        }
    };
}

spellings! {
    /// The reserved words.
    Keyword:
    Players "players",
    Pieces "pieces",
    Variables "variables",
    Board "board",
    Rules "rules",
    Rectangle "rectangle",
    Hexagon "hexagon",
    Cuboid "cuboid",
}

spellings! {
    /// Brackets, operators and punctuation.
    Symbol:
    OpenRound "(",
    CloseRound ")",
    OpenSquare "[",
    CloseSquare "]",
    OpenCurly "{",
    CloseCurly "}",
    OpenIf "{?",
    OpenIfNot "{!",
    OpenCompare "{$",
    OpenAssign "[$",
    Arrow "->",
    KeeperArrow "->>",
    Plus "+",
    Minus "-",
    Star "*",
    Slash "/",
    Power "^",
    Assign "=",
    Equal "==",
    NotEqual "!=",
    Less "<",
    LessOrEqual "<=",
    Greater ">",
    GreaterOrEqual ">=",
    Hash "#",
    Tilde "~",
    Dot ".",
    Comma ",",
    Semicolon ";",
    Colon ":",
    Dollar "$",
    Exclamation "!",
    Question "?",
}
