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
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::RuleKind;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
/// #     #board = rectangle(up, down, left, right, [e, x])
///     #free(way) = way {e}
///     #rules = free(left) free(right)
/// ";
/// let source = Source::new("solo.rbg", text);
/// let rule = rbg::parse(&source).0.expect("no errors").rules.expect("there are rules");
/// let RuleKind::Chain(parts) = rule.kind else { panic!("the rules are several actions") };
/// assert_eq!(source.slice(parts[2].place.span), "right");
/// // Both tests are written once, in the macro; they differ in the calls they came through.
/// assert_eq!(parts[1].place.span, parts[3].place.span);
/// assert_ne!(parts[1].place, parts[3].place);
/// ```
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
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::RuleKind;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
/// #     #board = rectangle(up, down, left, right, [e, x])
///     #rules = {x, e}
/// ";
/// let ast = rbg::parse(&Source::new("solo.rbg", text)).0.expect("no errors");
/// let RuleKind::On(pieces) = ast.rules.expect("there are rules").kind else { panic!("it is a test") };
/// // `#pieces = e, x`: wherever a word stands, it has the same name.
/// assert_eq!(pieces[0].name, ast.pieces.items[1].name);
/// assert_ne!(pieces[0].name, pieces[1].name);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

/// The interned words of a text.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// let text = "
///     #players = white(100), black(100)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, x])
/// #     #rules = ->white right* {e} [x] ->black ->> {}
/// ";
/// let ast = rbg::parse(&Source::new("solo.rbg", text)).0.expect("no errors");
/// let names = ast.players.items.iter().filter_map(|player| player.word.name);
/// let spelled: Vec<&str> = names.map(|name| ast.names.text(name)).collect();
/// assert_eq!(spelled, ["white", "black"]);
/// ```
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
