//! What front-ends have to say about a text: values, not printed lines.
//!
//! Every stage puts its findings into one [`Sink`], which forgets repetitions and keeps the number bounded; the caller
//! gets a list in the order of the text. How they look is the business of [`crate::render()`].

use std::collections::HashSet;

use crate::source::Span;

/// One finding about a text.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Code, Diagnostic, Severity, Span};
///
/// let finding = Diagnostic::warning(Code::MoreProblems, Span::new(0, 4), "there are more")
///     .label("from here on")
///     .help("correct the others first");
/// assert_eq!(finding.severity, Severity::Warning);
/// assert_eq!(finding.primary.text, "from here on");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule it is about.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence saying what is wrong.
    pub message: String,
    /// Where it is wrong.
    pub primary: Label,
    /// Further places that explain it; those of macro expansions come innermost first.
    pub secondary: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// What the text at the primary place may have been meant to be.
    pub replacement: Option<String>,
}

/// A place with a remark.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, compile};
///
/// let source = Source::new("game.rbg", "#players = white(0)");
/// let finding = &compile(&source).diagnostics[0];
/// println!("{:?}: {}", source.position(finding.primary.span.start), finding.primary.text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark.
    pub text: String,
}

/// How bad a finding is.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Severity, Source, compile};
///
/// let findings = compile(&Source::new("game.rbg", "#players = white(0)")).diagnostics;
/// assert!(findings.iter().any(|finding| finding.severity == Severity::Error));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text has no meaning; nothing is compiled.
    Error,
    /// The text has a meaning which is probably not the intended one.
    Warning,
    /// A remark about the list of findings itself.
    Note,
}

macro_rules! codes {
    ($($name:ident $id:literal $meaning:literal;)*) => {
        /// The kinds of finding; each has a stable textual id.
        ///
        /// # Examples
        ///
        /// ```
        /// use regulus_lang::{Code, Source, compile};
        ///
        /// let findings = compile(&Source::new("game.rbg", "#players = white(0)")).diagnostics;
        /// assert!(findings.iter().any(|finding| finding.code == Code::MissingSection));
        /// assert_eq!(Code::MissingSection.id(), "rbg-missing-section");
        /// assert_eq!(Code::MissingSection.meaning(), "One of the five sections is not there.");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $name,)*
        }

        impl Code {
            /// All codes in the order of the table.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The stable id, as shown to users.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self { $(Code::$name => $id,)* }
            }

            /// What findings of this kind say, in one line.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$name => $meaning,)* }
            }
        }
    };
}

codes! {
    UnknownLanguage "unknown-language" "The extension of the file name belongs to no known language.";
    SourceTooLarge "source-too-large" "The text is longer than a front-end reads.";
    MoreProblems "more-problems" "More problems were found than are shown.";
    RunTime "run-time" "The rules went wrong while the game was played; found by engines, not by front-ends.";
    KeeperChoice "keeper-choice" "It matters what the keeper does first; found by following all its ways, not by front-ends.";
    Internal "internal" "The front-end broke its own rules; a bug of Regulus, not of the text.";

    PragmaUnknown "pragma-unknown" "A pragma comment that begins with a word without meaning.";
    PragmaForm "pragma-form" "A pragma comment that lacks a colon, or whose parts are not in their places.";
    PragmaName "pragma-name" "A pragma comment about a piece, player or variable that is not declared.";
    PragmaValue "pragma-value" "A pragma comment with a value that is not allowed.";
    PragmaRepeated "pragma-repeated" "A pragma comment that states what another one states already.";
    PragmaIdle "pragma-idle" "A pragma comment with the reason of an end that is not there.";
    PragmaLimit "pragma-limit" "More or longer pragma comments than are read.";

    StrayCharacter "rbg-stray-character" "A character that belongs to no token of the language.";
    UnterminatedComment "rbg-unterminated-comment" "A `/*` without its `*/`.";
    NumberTooLarge "rbg-number-too-large" "A number beyond what the language can hold.";
    NameTooLong "rbg-name-too-long" "A name with more letters than allowed.";

    EmptyFile "rbg-empty-file" "A text without any directive.";
    BadDirective "rbg-bad-directive" "A directive whose head is not `#name =` or `#name(p; q) =`.";
    MissingSection "rbg-missing-section" "One of the five sections is not there.";
    RepeatedSection "rbg-repeated-section" "A section is written twice.";

    DuplicateParameter "rbg-duplicate-parameter" "Two parameters of a macro share a name.";
    MacroRedefined "rbg-macro-redefined" "A macro is defined again, or once with and once without parameters.";
    BadMacroCall "rbg-bad-macro-call" "A macro with parameters is used without a complete argument list.";
    WrongArgumentCount "rbg-wrong-argument-count" "No visible macro of this name takes that many arguments.";
    BadPaste "rbg-bad-paste" "A `~` that cannot glue its two sides.";
    ExpansionTooLarge "rbg-expansion-too-large" "Macro expansion produces more tokens than allowed.";
    ExpansionTooDeep "rbg-expansion-too-deep" "Macros are nested deeper than allowed.";

    UnexpectedToken "rbg-unexpected-token" "A token stands where the grammar does not allow it.";
    UnclosedBracket "rbg-unclosed-bracket" "A bracket is opened but not closed.";
    UnmatchedBracket "rbg-unmatched-bracket" "A bracket is closed that was not opened.";
    EmptyExpression "rbg-empty-expression" "An empty alternative, parenthesis or look-ahead.";
    NestingTooDeep "rbg-nesting-too-deep" "Brackets or suffixes are nested deeper than allowed.";
    ExpressionTooLong "rbg-expression-too-long" "An arithmetic expression has more operands than allowed.";
    ZeroBound "rbg-zero-bound" "A player or variable with the bound 0.";
    ZeroPower "rbg-zero-power" "The power `^0`.";
    EmptyOff "rbg-empty-off" "The action `[]`, which names no piece.";

    UnknownName "rbg-unknown-name" "A name that nothing declares.";
    WrongKind "rbg-wrong-kind" "A name of one kind where another kind is needed, such as a piece for a direction.";
    DuplicateName "rbg-duplicate-name" "A name is declared twice.";
    NameClash "rbg-name-clash" "A name is declared as two kinds of thing.";
    TooMany "rbg-too-many" "More players, pieces, variables, directions or squares than allowed.";
    NothingDeclared "rbg-nothing-declared" "A game without players, without pieces or without squares.";

    LineLength "rbg-line-length" "A board line or layer whose size does not fit the others.";
    DuplicateSquare "rbg-duplicate-square" "Two squares of a board share a name.";

    SwitchInLookAhead "rbg-switch-in-look-ahead" "A look-ahead that would end the move.";
    RulesTooLarge "rbg-rules-too-large" "Rules that grow beyond the allowed size when powers are written out.";

    EndlessWrites "rbg-endless-writes" "A star that a player may repeat for ever, writing each time.";
    NeverTrue "rbg-never-true" "A comparison that no values can satisfy.";
    AlwaysOutOfBound "rbg-always-out-of-bound" "An assignment whose value never fits the variable, so it always fails.";
    NoTurn "rbg-no-turn" "A player to whom the rules never give the turn, or rules that give it to no player.";
    UnusedName "rbg-unused-name" "A piece, variable or macro that nothing uses.";
    DuplicateAlternative "rbg-duplicate-alternative" "A piece listed twice in `[...]`, which makes two equal moves.";

    SbgStrayCharacter "sbg-stray-character" "A character that belongs to no token of the language.";
    SbgUnterminatedComment "sbg-unterminated-comment" "A `/*` without its `*/`.";
    SbgNumberTooLarge "sbg-number-too-large" "A number beyond what the language can hold.";
    SbgBadName "sbg-bad-name" "A game without a name, or one of other things than letters, digits and spaces.";
    SbgMissingSection "sbg-missing-section" "One of `<BOARD>`, `<PIECES>`, `<GOALS>` is not there.";
    SbgSectionOrder "sbg-section-order" "A section occurs twice, or before one that must precede it.";
    SbgUnexpectedToken "sbg-unexpected-token" "A token stands where the grammar does not allow it.";
    SbgBracket "sbg-bracket" "A bracket is not closed, or closes nothing.";
    SbgNestingTooDeep "sbg-nesting-too-deep" "Brackets are nested deeper than allowed.";
    SbgUnclosedRow "sbg-unclosed-row" "A row of the board lacks its second bar.";
    SbgBoardSize "sbg-board-size" "A board without squares or with more than allowed.";
    SbgRowLength "sbg-row-length" "A row with more or fewer squares than the board has columns.";
    SbgRowCount "sbg-row-count" "More or fewer rows than the height of the board.";
    SbgLowercaseRule "sbg-lowercase-rule" "A rule for a lower-case letter; black's pieces have no rules of their own.";
    SbgDuplicateRule "sbg-duplicate-rule" "A piece with two rules.";
    SbgVectorOffBoard "sbg-vector-off-board" "A step that is longer than the board.";
    SbgBadContent "sbg-bad-content" "A step whose condition is not e, p or w.";
    SbgRuleTooLarge "sbg-rule-too-large" "A rule that grows beyond the allowed size.";
    SbgTooManyGoals "sbg-too-many-goals" "More goals than allowed.";
    SbgUnknownPiece "sbg-unknown-piece" "A goal for a piece that has no rule and is not on the board.";
    SbgSquareOffBoard "sbg-square-off-board" "A goal with a square outside the board.";
    SbgEmptyWord "sbg-empty-word" "A rule by which a piece may stay where it is.";
    SbgUnusedRule "sbg-unused-rule" "A rule for a piece that is not on the board.";
    SbgIdleGoal "sbg-idle-goal" "A goal that never holds, or holds from the beginning.";

    AbgStrayCharacter "abg-stray-character" "A character that belongs to no token of the language.";
    AbgUnterminatedComment "abg-unterminated-comment" "A `/*` without its `*/`.";
    AbgNumberTooLarge "abg-number-too-large" "A number beyond what the language can hold.";
    AbgUnexpectedToken "abg-unexpected-token" "A token stands where the grammar does not allow it.";
    AbgNestingTooDeep "abg-nesting-too-deep" "Brackets are nested deeper than allowed, or an expression is too long.";
    AbgMissingSection "abg-missing-section" "Players, pieces, the size of the board or the board are not there.";
    AbgOrder "abg-order" "Something is used before it is defined, or stands before what it needs.";
    AbgDuplicateName "abg-duplicate-name" "A name is defined twice, or a section occurs twice.";
    AbgUnknownName "abg-unknown-name" "A name that nothing defines.";
    AbgWrongKind "abg-wrong-kind" "A name of one kind where another kind is needed, such as a player for a piece.";
    AbgArguments "abg-arguments" "A macro, function or effect with more or fewer arguments than it takes.";
    AbgNotConstant "abg-not-constant" "A step or initial value that is not known beforehand.";
    AbgUnowned "abg-unowned" "A rule for a piece that no player owns.";
    AbgBoardSize "abg-board-size" "A board of an impossible size, or with more or fewer squares than its size says.";
    AbgOffBoard "abg-off-board" "A square outside the board is read or written.";
    AbgTooMany "abg-too-many" "More pieces, letters, states or expansions than allowed.";
    AbgScoreRange "abg-score-range" "A score below 0 or above 100.";
    AbgEmptyWord "abg-empty-word" "A rule by which a piece may stay where it is, or a sentence that matches everywhere.";
    AbgIdleStar "abg-idle-star" "A repetition of something that may be empty, or that does nothing.";
    AbgEndlessStar "abg-endless-star" "A repetition that need never come to an end.";
    AbgNoRule "abg-no-rule" "A piece for which no rule says how it moves.";
    AbgNeverPlaced "abg-never-placed" "A piece of a player that is never on the board.";
    AbgNoWinner "abg-no-winner" "A game that no player can win.";

    MetagameStrayCharacter "metagame-stray-character" "A character that belongs to no token of the language.";
    MetagameNumberTooLarge "metagame-number-too-large" "A number beyond what the language can hold.";
    MetagameNameTooLong "metagame-name-too-long" "A name with more letters than allowed.";
    MetagameUnexpectedToken "metagame-unexpected-token" "A token stands where the grammar does not allow it.";
    MetagameReservedName "metagame-reserved-name" "A word of the grammar as the name of a piece or a game.";
    MetagameRepeatedWord "metagame-repeated-word" "A word that stands twice in a set.";
    MetagameDisplaces "metagame-displaces" "The effect DISPLACES, which nothing defines.";
    MetagameNoGoal "metagame-no-goal" "A game without a goal.";
    MetagameGlobalContinue "metagame-global-continue" "The constraint CONTINUE_CAPTURES for the whole game; it is one of pieces.";
    MetagameDuplicatePiece "metagame-duplicate-piece" "A kind of piece is defined twice.";
    MetagameUnknownPiece "metagame-unknown-piece" "A kind of piece that is not defined.";
    MetagameBoardSize "metagame-board-size" "A board without squares, or with more than allowed.";
    MetagamePromoteRank "metagame-promote-rank" "PROMOTE_RANK is 0, or beyond the last rank.";
    MetagameOffBoard "metagame-off-board" "A square outside the board.";
    MetagameSetup "metagame-setup" "A setup with two pieces on a square, squares of both players, or more pieces than squares.";
    MetagameZeroVector "metagame-zero-vector" "A movement by <0,0>.";
    MetagameZeroLeaps "metagame-zero-leaps" "A ride with MIN 0 or MAX 0.";
    MetagameTooMany "metagame-too-many" "More kinds of pieces, movements or steps than allowed.";
    MetagameNoStalemate "metagame-no-stalemate" "A game that does not say who wins when a player cannot move.";
    MetagameLongestOnCylinder "metagame-longest-on-cylinder" "LONGEST on a cylinder, where it means nothing.";
    MetagameEmptyRange "metagame-empty-range" "A ride whose MIN is greater than its MAX.";
    MetagameNoCapture "metagame-no-capture" "A way to capture that never captures anything.";
    MetagameLongVector "metagame-long-vector" "A movement that never stays on the board.";
    MetagameUnusedPiece "metagame-unused-piece" "A kind of piece that is never on the board.";
    MetagameIdleConstraint "metagame-idle-constraint" "A constraint of a piece that the game has for all pieces.";
    MetagameGoalAtStart "metagame-goal-at-start" "A goal that is reached before the first move.";
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Error, span, message.into())
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Warning, span, message.into())
    }

    fn new(code: Code, severity: Severity, span: Span, message: String) -> Diagnostic {
        let primary = Label { span, text: String::new() };
        Diagnostic {
            code,
            severity,
            message,
            primary,
            secondary: Vec::new(),
            help: None,
            replacement: None,
        }
    }

    /// Asks whether another name was meant at the primary place; `None` changes nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_lang::{Code, Diagnostic, Span};
    ///
    /// let finding = Diagnostic::error(Code::UnknownName, Span::new(3, 5), "there is no direction `uo`")
    ///     .did_you_mean(Some("up"));
    /// assert_eq!(finding.help.as_deref(), Some("did you mean `up`?"));
    /// assert_eq!(finding.replacement.as_deref(), Some("up"));
    /// ```
    #[must_use]
    pub fn did_you_mean(mut self, name: Option<&str>) -> Diagnostic {
        if let Some(name) = name {
            self.help = Some(format!("did you mean `{name}`?"));
            self.replacement = Some(name.to_owned());
        }
        self
    }

    /// Sets the remark at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Sets what to do about it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Sets what to do about it, when something is known.
    #[must_use]
    pub fn maybe_help(mut self, text: Option<String>) -> Diagnostic {
        self.help = text.or(self.help);
        self
    }
}

/// A number with its noun, for messages: `1 cell`, `2 cells`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Collects the findings of all stages.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Where something was already reported: a macro body used a hundred times is wrong only once.
    seen: HashSet<(Code, Span)>,
    left_out: usize,
}

impl Sink {
    /// How many errors, and how many warnings, are kept at most.
    pub(crate) const LIMIT: usize = 100;

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        // Past the limit nothing is looked up or kept, so that garbage costs no memory.
        let list = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning | Severity::Note => &mut self.warnings,
        };
        if list.len() >= Self::LIMIT {
            self.left_out += 1;
        } else if self.seen.insert((diagnostic.code, diagnostic.primary.span)) {
            list.push(diagnostic);
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// How many errors were pushed, those that are only counted included.
    pub(crate) fn errors(&self) -> usize {
        self.errors.len() + self.left_out
    }

    /// Whether further errors are only counted, so that no work need be put into them.
    pub(crate) fn is_full(&self) -> bool {
        self.errors.len() >= Self::LIMIT
    }

    /// The findings in the order of the text; the last says how many were left out, when some were.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let mut all = self.errors;
        all.extend(self.warnings);
        all.sort_by_key(|diagnostic| diagnostic.primary.span);
        if let Some(last) = all.last().filter(|_| self.left_out > 0) {
            let message = format!("{} more problems are not shown", self.left_out);
            let span = last.primary.span;
            all.push(Diagnostic::new(Code::MoreProblems, Severity::Note, span, message));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_plain() {
        let ids: HashSet<&str> = Code::ALL.iter().map(|code| code.id()).collect();
        assert_eq!(ids.len(), Code::ALL.len());
        assert!(ids.iter().all(|id| id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')));
        assert!(Code::ALL.iter().all(|code| code.meaning().ends_with('.')));
    }

    #[test]
    fn repetitions_are_forgotten_and_the_rest_is_counted() {
        let mut sink = Sink::default();
        let error = |at| Diagnostic::error(Code::UnknownName, Span::new(at, at + 1), "unknown");
        sink.push(error(7));
        sink.push(error(7));
        for at in 0..200 {
            sink.push(error(500 - at));
        }
        let all = sink.finish();
        assert_eq!(all.len(), Sink::LIMIT + 1);
        assert_eq!(all[0].primary.span.start, 7);
        assert_eq!(all[Sink::LIMIT].message, "101 more problems are not shown");
    }
}
