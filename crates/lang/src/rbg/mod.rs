//! Regular Boardgames (RBG): a board, pieces, bounded variables, and rules that are one regular expression.
//!
//! ```text
//! lex ─▶ directives ─▶ expand ─▶ parse ─▶ check ─▶ lower ─▶ automaton
//!                                 Ast      Checked ─▶ print (low-level text), straightness
//!                                             ◀─ raise ── automaton of any language
//! ```
//!
//! One grammar reads both levels of the language: high-level text with macros, generators, powers and lists, and
//! low-level text without them. Comments that begin with `//!` state what names do not tell, see docs/languages/rbg.md.

pub mod ast;
mod board;
mod check;
mod checked;
mod directives;
mod drawing;
mod expand;
mod lex;
mod lint;
mod lower;
mod parse;
mod paths;
mod pragmas;
mod print;
mod raise;
mod straightness;
mod token;
mod turns;
mod unused;

use regulus_automaton::Automaton;

use crate::diagnostics::{Code, Diagnostic};
use crate::source::{Source, Span};
use crate::{lowered, too_large};

pub use ast::Ast;
pub use checked::{Checked, GameSizes, Leaf, MAX_SIZE, Step, Value};
pub use lower::lower;
pub use print::lower_to_text;
pub use raise::{NotRaised, raise};
pub use straightness::{Straightness, WriteCount, straightness};
pub use token::{Name, Names, Place};

use directives::{Directives, SECTIONS};
use expand::Expander;
use parse::Parser;
use token::{Keyword, ParseContext, Token};

/// Compiles a text to an automaton, which is there when no finding is an error.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// let text = "
///     #players = one(1)
///     #pieces = e, x
///     #variables =
///     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let (automaton, findings) = rbg::compile(&Source::new("solo.rbg", text));
/// assert_eq!(automaton.expect("no errors").players.len(), 1);
/// assert!(findings.is_empty());
/// ```
#[must_use]
pub fn compile(source: &Source) -> (Option<Automaton>, Vec<Diagnostic>) {
    let (game, diagnostics) = check(source);
    lowered(game.as_ref().map(lower), diagnostics)
}

/// Reads and checks a text; the game is `None` if a finding is an error.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// let (game, findings) = rbg::check(&Source::new("solo.rbg", text));
/// assert_eq!(game.expect("no errors").sizes().squares, 3);
/// assert!(findings.is_empty());
/// ```
#[must_use]
pub fn check(source: &Source) -> (Option<Checked>, Vec<Diagnostic>) {
    let mut context = ParseContext::default();
    let ast = read(source, &mut context);
    let game = ast.and_then(|ast| check::check(&ast, &mut context));
    let game = game.filter(|_| !context.sink.has_errors());
    (game, context.sink.finish())
}

/// Reads a text without looking up names; the syntax is `None` if a finding is an error.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// let (syntax, _) = rbg::parse(&Source::new("solo.rbg", text));
/// assert!(syntax.is_some());
/// let (syntax, findings) = rbg::parse(&Source::new("solo.rbg", "#rules = ("));
/// assert!(syntax.is_none() && !findings.is_empty());
/// ```
#[must_use]
pub fn parse(source: &Source) -> (Option<Ast>, Vec<Diagnostic>) {
    let mut context = ParseContext::default();
    let ast = read(source, &mut context).filter(|_| !context.sink.has_errors());
    (ast, context.sink.finish())
}

/// Text to syntax, as much of it as can be understood.
fn read(source: &Source, context: &mut ParseContext) -> Option<Ast> {
    if let Some(diagnostic) = too_large(source) {
        context.sink.push(diagnostic);
        return None;
    }
    let tokens = lex::lex(source, context);
    let directives = directives::read(tokens, context);
    report_missing(&directives, context);
    let mut expander = Expander::new(&directives);
    let mut parser = SectionParser { directives: &directives, expander: &mut expander, context };
    let mut ast = Ast {
        players: parser.list(Keyword::Players, parse::bounded),
        pieces: parser.list(Keyword::Pieces, parse::pieces),
        variables: parser.list(Keyword::Variables, parse::bounded),
        board: parser.section(Keyword::Board, parse::board).flatten(),
        rules: parser.section(Keyword::Rules, parse::rules).flatten(),
        rules_place: directives.section(Keyword::Rules).map_or(Place::default(), |s| s.head),
        unused_macros: Vec::new(),
        names: Names::default(),
    };
    ast.unused_macros = expander.unused_macros();
    ast.names = context.names.clone();
    Some(ast)
}

fn report_missing(directives: &Directives, context: &mut ParseContext) {
    let at_end = directives.tokens.last().map_or(Span::default(), |token| token.place.span);
    let missing: Vec<String> = SECTIONS
        .iter()
        .filter(|keyword| directives.section(**keyword).is_none())
        .map(|keyword| format!("`#{}`", keyword.text()))
        .collect();
    if !missing.is_empty() && !directives.tokens.is_empty() {
        let message = format!("the game lacks {}", missing.join(", "));
        let diagnostic = Diagnostic::error(Code::MissingSection, at_end, message)
            .label("the text ends here")
            .help("every game has all five sections; `#variables =` may be empty");
        context.sink.push(diagnostic);
    }
}

/// Expands and parses one section after the other.
struct SectionParser<'a, 'b> {
    directives: &'a Directives,
    expander: &'b mut Expander<'a>,
    context: &'b mut ParseContext,
}

impl SectionParser<'_, '_> {
    /// What a section says; `None` if it is missing or too large.
    fn section<T>(&mut self, keyword: Keyword, parse: impl FnOnce(Parser<'_>) -> T) -> Option<T> {
        let section = self.directives.section(keyword)?;
        let tokens: Vec<Token> = self.expander.section(section, self.context)?;
        Some(parse(Parser::new(&tokens, section.head, self.context)))
    }

    fn list<T>(
        &mut self,
        keyword: Keyword,
        parse: impl FnOnce(Parser<'_>) -> ast::Section<T>,
    ) -> ast::Section<T> {
        let missing = ast::Section { place: Place::default(), items: Vec::new(), complete: false };
        self.section(keyword, parse).unwrap_or(missing)
    }
}
