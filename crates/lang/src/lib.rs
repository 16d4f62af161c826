//! The languages Regulus reads: text becomes a verified automaton, or diagnostics that say why not.
//!
//! ```text
//! Source ─▶ language by file extension ─▶ rbg: lex ▶ directives ▶ expand ▶ parse ▶ check ▶ lower ─▶ Automaton
//!                                       ─▶ sbg, abg, metagame: lex ▶ parse ▶ check ▶ lower ───────▶
//!                                              └────────────┴── diagnostics ───┴──────┘
//! ```
//!
//! Every front-end has its own folder with the same file names. None of them stops at the first error; all findings
//! are [`Diagnostic`] values with places in the text, and [`render()`] is the only way they become words on a screen.
//! The text is not trusted: every stage is bounded in time, memory and stack, and says so in a diagnostic when a text
//! asks for more.
//!
//! This crate knows no engines and no states; it never looks into how a game is played.
//!
//! # Examples
//!
//! ```
//! use regulus_lang::{Source, compile};
//!
//! let text = "
//!     #players = one(1)
//!     #pieces = e, x
//!     #variables =
//!     #board = rectangle(up, down, left, right, [e, e])
//!     #rules = ->one right* {e} [x] ->> {}
//! ";
//! let compilation = compile(&Source::new("solo.rbg", text));
//! let automaton = compilation.automaton.expect("the text has no errors");
//! assert_eq!(automaton.board.squares.len(), 2);
//! ```

#![forbid(unsafe_code)]

pub mod abg;
mod cursor;
mod diagnostics;
mod format;
mod interval;
mod looks;
pub mod metagame;
mod pragma;
pub mod rbg;
mod rectangle;
pub mod regular;
mod render;
pub mod sbg;
mod side;
mod source;
mod suggest;

use regulus_automaton::{Automaton, Violations};

pub use diagnostics::{Code, Diagnostic, Label, Severity};
pub use format::format;
pub use pragma::RepetitionRule;
pub use render::render;
pub use source::{LineColumn, Source, Span};
pub use suggest::nearest;

/// The longest text that is read, in bytes.
pub const MAX_SOURCE: usize = 4 << 20;

/// What came of a text.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, compile};
///
/// let compilation = compile(&Source::new("game.rbg", "#players = white(0)"));
/// assert!(compilation.automaton.is_none());
/// assert!(compilation.diagnostics.iter().any(|finding| finding.code.id() == "rbg-zero-bound"));
/// ```
#[derive(Clone, Debug)]
pub struct Compilation {
    /// The game as lowered, before any optimisation; present exactly when there are no errors.
    pub automaton: Option<Automaton>,
    /// All findings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// How the language writes moves, if it says so.
    pub deeds: Option<metagame::Deeds>,
}

/// The languages that are read.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Language, Source};
///
/// assert_eq!(Language::of(&Source::new("chess.abg", "")), Ok(Language::Abg));
/// assert!(Language::of(&Source::new("chess.pdf", "")).is_err());
/// assert_eq!(Language::Metagame.name(), "METAGAME");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Regular Boardgames.
    Rbg,
    /// Simplified Boardgames.
    Sbg,
    /// Abstract Boardgames.
    Abg,
    /// METAGAME.
    Metagame,
}

impl Language {
    /// All of them, with the extensions of their files.
    const ALL: [(&str, Language); 5] = [
        ("rbg", Language::Rbg),
        ("sbg", Language::Sbg),
        ("abg", Language::Abg),
        ("game", Language::Metagame),
        ("mg", Language::Metagame),
    ];

    /// The language of a text: the one that was said ([`Source::in_language`]), the one that the file extension names, in
    /// capitals or not, or for names without extension the one whose words the text uses.
    ///
    /// # Errors
    ///
    /// The finding that no language is known by that extension, or that the text could be in several.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_lang::{Language, Source};
    ///
    /// let text = "<<Solo>> <BOARD> 1 1 |K| <PIECES> K (1,0,e) & <GOALS> 9 &";
    /// assert_eq!(Language::of(&Source::new("-", text)), Ok(Language::Sbg));
    /// ```
    pub fn of(source: &Source) -> Result<Language, Box<Diagnostic>> {
        if let Some(language) = source.language() {
            return Ok(language);
        }
        let Some(extension) = source.extension() else { return Language::recognise(source) };
        let known = |(name, _): &&(&str, Language)| extension.eq_ignore_ascii_case(name);
        let found = Language::ALL.iter().find(known).map(|(_, language)| *language);
        found.ok_or_else(|| Box::new(unknown_language(extension)))
    }

    /// The language whose words a text uses; RBG if it uses none.
    fn recognise(source: &Source) -> Result<Language, Box<Diagnostic>> {
        let mut found: Vec<Language> =
            Language::ALL.iter().map(|(_, language)| *language).collect();
        found.dedup();
        found.retain(|language| language.fits(source.text()));
        match found.as_slice() {
            [] => Ok(Language::Rbg),
            [language] => Ok(*language),
            several => {
                let names: Vec<&str> = several.iter().map(|language| language.name()).collect();
                let message = format!("this text could be in {}", names.join(" or "));
                let diagnostic = Diagnostic::error(Code::UnknownLanguage, Span::default(), message);
                let help = "say which with --language, or by the extension of the file";
                Err(Box::new(diagnostic.help(help)))
            }
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Rbg => "RBG",
            Language::Sbg => "SBG",
            Language::Abg => "ABG",
            Language::Metagame => "METAGAME",
        }
    }

    /// Whether a text has a line that begins as only texts in this language do.
    fn fits(self, text: &str) -> bool {
        let mut lines = text.lines().map(str::trim_start);
        let directive = |line: &str, words: &[&str]| {
            let line = line.trim_start();
            words.iter().any(|word| {
                let rest = line.strip_prefix(word).map(str::trim_start);
                rest.is_some_and(|rest| rest.starts_with('='))
            })
        };
        lines.any(|line| match self {
            Language::Rbg => line.strip_prefix('#').is_some_and(|line| {
                directive(line, &["players", "pieces", "variables", "board", "rules"])
            }),
            Language::Sbg => {
                ["<<", "<BOARD>", "<PIECES>", "<GOALS>"].iter().any(|word| line.starts_with(word))
            }
            Language::Abg => directive(line, &["players", "pieces", "board_size", "board"]),
            Language::Metagame => {
                let first = line.split_whitespace().next();
                first.is_some_and(|word| word.eq_ignore_ascii_case("game"))
            }
        })
    }
}

/// Compiles a text in its language.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, compile};
///
/// let text = "
///     #players = one(1)
///     #pieces = e, x
///     #variables =
///     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let compilation = compile(&Source::new("solo.rbg", text));
/// assert!(compilation.diagnostics.is_empty());
/// let automaton = compilation.automaton.expect("there are no errors");
/// assert_eq!(automaton.board.squares.len(), 3);
/// ```
#[must_use]
pub fn compile(source: &Source) -> Compilation {
    let mut deeds = None;
    let (automaton, diagnostics) = match Language::of(source) {
        Ok(Language::Rbg) => rbg::compile(source),
        Ok(Language::Sbg) => sbg::compile(source),
        Ok(Language::Abg) => abg::compile(source),
        Ok(Language::Metagame) => {
            let (lowered, diagnostics) = metagame::compile(source);
            let (automaton, spelled) = lowered.unzip();
            deeds = spelled;
            (automaton, diagnostics)
        }
        Err(unknown) => (None, vec![*unknown]),
    };
    Compilation { automaton, diagnostics, deeds }
}

fn unknown_language(extension: &str) -> Diagnostic {
    let message = format!("no language is known for files ending in `.{extension}`");
    let known = Language::ALL.map(|(extension, _)| format!(".{extension}")).join(", ");
    Diagnostic::error(Code::UnknownLanguage, Span::default(), message)
        .help(format!("the known extensions are: {known}"))
}

/// What came of lowering a checked game; a violated invariant is a bug of the front-end, and is said to be.
pub(crate) fn lowered(
    automaton: Option<Result<Automaton, Violations>>,
    mut diagnostics: Vec<Diagnostic>,
) -> (Option<Automaton>, Vec<Diagnostic>) {
    let automaton = automaton.and_then(|automaton| {
        let report = |violations: Violations| {
            Diagnostic::error(Code::Internal, Span::default(), violations.to_string())
        };
        automaton.map_err(|violations| diagnostics.push(report(violations))).ok()
    });
    (automaton, diagnostics)
}

/// The finding that a text is too long to be read, when it is.
pub(crate) fn too_large(source: &Source) -> Option<Diagnostic> {
    let size = source.text().len();
    (size > MAX_SOURCE).then(|| {
        // A reader stops at the first byte that is too many.
        let given = if size == MAX_SOURCE + 1 { "too many".to_owned() } else { size.to_string() };
        let message = format!("the text has {given} bytes; at most {MAX_SOURCE} are read");
        Diagnostic::error(Code::SourceTooLarge, Span::default(), message)
    })
}
