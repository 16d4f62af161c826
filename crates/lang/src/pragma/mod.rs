//! Pragma comments: comments that state what names do not tell about a game, and why it ends.
//!
//! They begin with `//!` in RBG and with `#!` in ABG. Other programs take them for comments, so a bad one is a warning and
//! has no effect. docs/languages/rbg.md describes all of them.
//!
//! [`reader`] reads them, [`part`] cuts them, [`findings`] says what is wrong with them.

mod findings;
mod part;
mod reader;

use regulus_automaton::{Board, Draft, IdVec, Looks, Player, Reason, Repetition, Variable};

use self::part::Part;
use self::reader::Reader;
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::Span;

pub(crate) use self::findings::{second_reason, without_end};

/// How many pragma comments of a text are read.
pub(crate) const MAX_PRAGMAS: usize = 10_000;
/// How many bytes a pragma comment may have.
const MAX_LENGTH: usize = 50_000;

/// A comment as it was found.
#[derive(Clone, Debug)]
pub(crate) struct Comment {
    /// The whole comment.
    pub(crate) span: Span,
    /// What stands after the mark that it begins with.
    pub(crate) text: String,
}

/// The pragma comments of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comments {
    pub(crate) all: Vec<Comment>,
    /// The first one that is not kept because there are too many.
    beyond: Option<Span>,
}

impl Comments {
    /// Adds the comment from `start` to `end` of the text, after the comments before it; `mark` is how it begins.
    pub(crate) fn push(&mut self, text: &str, start: usize, end: usize, mark: &str) {
        let span = Span::new(start, end);
        if self.all.len() < MAX_PRAGMAS {
            let text = text.get(start + mark.len()..end).unwrap_or_default().to_owned();
            self.all.push(Comment { span, text });
        } else {
            self.beyond.get_or_insert(span);
        }
    }
}

/// The rule that a position ends the game when it occurs for the n-th time.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Variable;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
///     //! history 3: one=5; ignoring n
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
/// #     #board = rectangle(up, down, left, right, [e, x])
/// #     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let game = rbg::check(&Source::new("solo.rbg", text)).0.expect("no errors");
/// let rule = game.history.expect("the comment states it");
/// assert_eq!((rule.times, rule.scores.values().copied().collect()), (3, vec![5]));
/// assert_eq!(rule.ignored, [Variable(1)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepetitionRule {
    /// How often the position occurs until the game is over.
    pub times: u32,
    /// The scores of the players then.
    pub scores: IdVec<Player, i32>,
    /// The variables that do not count; ascending.
    pub ignored: Vec<Variable>,
}

/// What the comments are about: the names that they may use.
pub(crate) struct Subject<'a> {
    pub(crate) players: Vec<&'a str>,
    /// The greatest score of each player.
    pub(crate) bounds: Vec<i32>,
    pub(crate) pieces: Vec<&'a str>,
    /// All variables of the automaton by the names they have in the text; the first ones are the scores.
    pub(crate) variables: Vec<&'a str>,
    /// How many columns and rows the board has.
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Whether a comment that begins with none of the words is the reason of an end.
    pub(crate) bare_reasons: bool,
}

/// How many columns and rows a board has.
pub(crate) fn lines(board: &Board) -> (usize, usize) {
    let count = |mut places: Vec<i32>| {
        places.sort_unstable();
        places.dedup();
        places.len()
    };
    let squares = board.squares.values();
    (
        count(squares.clone().map(|square| square.x).collect()),
        count(squares.map(|square| square.y).collect()),
    )
}

/// What comments state besides looks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stated {
    /// Reasons of ends, with the comments that state them, in the order of the text.
    pub(crate) ends: Vec<(Span, Reason)>,
    pub(crate) stuck: Option<Reason>,
    pub(crate) history: Option<RepetitionRule>,
}

/// Reads comments. What they state about looks is changed there; what is wrong with them is reported.
pub(crate) fn read(
    comments: &Comments,
    subject: &Subject<'_>,
    looks: &mut Looks,
    sink: &mut Sink,
) -> Stated {
    let mut reader = Reader::new(subject, looks, sink);
    for comment in &comments.all {
        let end = comment.span.end as usize;
        let part = Part { text: &comment.text, at: end.saturating_sub(comment.text.len()) };
        if comment.text.len() > MAX_LENGTH {
            let message = format!("this comment has {} bytes", comment.text.len());
            let diagnostic = Diagnostic::warning(Code::PragmaLimit, comment.span, message)
                .label("it has no effect")
                .help(format!("at most {MAX_LENGTH} bytes are read"));
            reader.sink.push(diagnostic);
        } else if let Err(diagnostic) = reader.comment(part.trim(), comment.span) {
            reader.sink.push(*diagnostic);
        }
    }
    if let Some(span) = comments.beyond {
        let message = format!("this text has more than {MAX_PRAGMAS} pragma comments");
        let diagnostic = Diagnostic::warning(Code::PragmaLimit, span, message)
            .label("from here on they have no effect")
            .help("state the same of several pieces in one comment");
        reader.sink.push(diagnostic);
    }
    reader.stated
}

/// Gives a draft the rule about repetition, with a new node where the game is over.
pub(crate) fn add_history(draft: &mut Draft, history: &RepetitionRule) {
    let over = draft.add_node();
    let text = format!("the same position occurred for the {} time", ordinal(history.times));
    draft.endings.at.insert(over, Reason { text, drawn: None });
    draft.repetition = Some(Repetition {
        times: history.times,
        scores: history.scores.clone(),
        ignored: history.ignored.clone(),
        over,
    });
}

/// A number as it counts: second, third, 21st.
fn ordinal(number: u32) -> String {
    let words = [(2, "second"), (3, "third"), (4, "fourth"), (5, "fifth")];
    if let Some((_, word)) = words.iter().find(|(known, _)| *known == number) {
        return (*word).to_owned();
    }
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
