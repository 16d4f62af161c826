//! What can be wrong with a text: all errors of one run, each with its place.

use std::fmt;

/// All errors of a text, in the order of their places; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextErrors {
    errors: Vec<TextError>,
}

/// One error of a text. Its `Display` is `line:column: message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    place: TextPlace,
    kind: ErrorKind,
}

impl TextErrors {
    /// The errors in the order of their places; `None` if there are none.
    pub(super) fn from_unsorted(mut errors: Vec<TextError>) -> Option<TextErrors> {
        errors.sort_by_key(|error| error.place);
        (!errors.is_empty()).then_some(TextErrors { errors })
    }

    /// The errors in the order of their places.
    #[must_use]
    pub fn errors(&self) -> &[TextError] {
        &self.errors
    }
}

impl TextError {
    pub(super) fn new(place: TextPlace, kind: ErrorKind) -> TextError {
        TextError { place, kind }
    }

    /// The line, counted from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.place.line
    }

    /// The column in characters, counted from 1.
    #[must_use]
    pub fn column(&self) -> u32 {
        self.place.column
    }
}

impl fmt::Display for TextErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.place.line, self.place.column, self.kind)
    }
}

impl std::error::Error for TextErrors {}
impl std::error::Error for TextError {}

/// Where something stands in the text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TextPlace {
    pub(super) line: u32,
    pub(super) column: u32,
}

/// The kinds of error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ErrorKind {
    /// A character that no token begins with.
    Character(char),
    /// A quoted name without its second quote.
    OpenQuote,
    /// A backslash with something unknown behind it.
    Escape,
    /// Something else should stand here.
    Expected { expected: String, found: String },
    /// A number outside the range of what it means.
    Number { text: String, least: i64, greatest: i64 },
    /// A name that was not declared.
    Unknown { what: &'static str, name: String },
    /// Something is declared for the second time.
    Repeated(String),
    /// Something is not declared at all.
    Missing(String),
    /// Too much memory would be needed.
    Cells { what: &'static str, limit: usize },
    /// An expression is too deep.
    Depth { limit: u32 },
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Character(character) => {
                write!(f, "the character {character:?} means nothing here")
            }
            ErrorKind::OpenQuote => write!(f, "the quoted name does not end on its line"),
            ErrorKind::Escape => {
                write!(f, "after `\\` a quoted name may have `\"`, `\\` or `u{{…}}`")
            }
            ErrorKind::Expected { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            ErrorKind::Number { text, least, greatest } => {
                write!(f, "the number {text} is not between {least} and {greatest}")
            }
            ErrorKind::Unknown { what, name } => write!(f, "there is no {what} {name}"),
            ErrorKind::Repeated(what) => write!(f, "{what} is declared twice"),
            ErrorKind::Missing(what) => write!(f, "{what} is not declared"),
            ErrorKind::Cells { what, limit } => write!(f, "there are more than {limit} {what}"),
            ErrorKind::Depth { limit } => {
                write!(f, "the expression is more than {limit} levels deep")
            }
        }
    }
}
