//! Why something could not be done.

use std::fmt;

use regulus_engine::Fault;
use regulus_lang::{Code, Diagnostic, Severity, Source, Span, render};

/// Why a game could not be loaded or a request not be answered. `Display` tells it in one sentence; [`Error::render`] also
/// shows the places in the text.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game};
///
/// let error = Game::load("hex", &Config { without_passes: vec!["no".to_owned()], ..Config::default() })
///     .expect_err("there is no such pass");
/// assert!(error.is_usage());
/// assert!(error.to_string().starts_with("there is no pass `no`"));
/// ```
#[derive(Clone, Debug)]
pub struct Error {
    detail: Box<Detail>,
}

#[derive(Clone, Debug)]
struct Detail {
    id: &'static str,
    message: String,
    is_usage: bool,
    findings: Option<(Vec<Diagnostic>, Source)>,
}

impl Error {
    fn new(id: &'static str, message: impl Into<String>) -> Error {
        let message = message.into();
        Error { detail: Box::new(Detail { id, message, is_usage: false, findings: None }) }
    }

    /// A file, a move, a position or another input is bad.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::Error;
    ///
    /// let error = Error::bad_input("the file is empty");
    /// assert_eq!((error.id(), error.to_string().as_str()), ("bad-input", "the file is empty"));
    /// ```
    #[must_use]
    pub fn bad_input(message: impl Into<String>) -> Error {
        Error::new("bad-input", message)
    }

    /// Something was asked for that does not exist.
    pub(crate) fn usage(message: impl Into<String>) -> Error {
        let mut error = Error::new("usage", message);
        error.detail.is_usage = true;
        error
    }

    /// The description of a game is bad.
    pub(crate) fn bad_game(diagnostics: Vec<Diagnostic>, source: &Source) -> Error {
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        let count = if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") };
        let mut error = Error::new("bad-game", format!("{} has {count}", source.name()));
        error.detail.findings = Some((diagnostics, source.clone()));
        error
    }

    /// A game went wrong while it was played.
    pub(crate) fn fault(fault: &Fault, source: &Source) -> Error {
        let mut message = format!("{} cannot be played: {fault}", source.name());
        let findings = fault.origin().map(|origin| {
            let span = Span { start: origin.start, end: origin.end };
            let diagnostic = Diagnostic::error(Code::RunTime, span, fault.to_string())
                .label("noticed here")
                .help(fault.help());
            (vec![diagnostic], source.clone())
        });
        if findings.is_none() {
            message = format!("{message}; {}", fault.help());
        }
        let mut error = Error::new(fault.id(), message);
        error.detail.findings = findings;
        error
    }

    /// A stable name for programs.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.detail.id
    }

    /// Whether something was asked for that does not exist, such as a pass of an unknown name.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        self.detail.is_usage
    }

    /// The findings behind the error, if it is about a text.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.detail.findings.as_ref().map_or(&[], |(diagnostics, _)| diagnostics)
    }

    /// The text that the findings are about, if there are any.
    #[must_use]
    pub fn source_text(&self) -> Option<&Source> {
        self.detail.findings.as_ref().map(|(_, source)| source)
    }

    /// The findings with their places in the text, to be printed before the message; empty if there are none.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game};
    /// use regulus_lang::Source;
    ///
    /// let source = Source::new("broken.rbg", "#players = white(0)");
    /// let error = Game::new(source, &Config::default()).expect_err("a bound of 0");
    /// assert!(error.render(false).contains("[rbg-zero-bound] Error"));
    /// ```
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let findings = self.detail.findings.as_ref();
        findings.map_or_else(String::new, |(found, source)| render(found, source, colour))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail.message)
    }
}

impl std::error::Error for Error {}
