//! Pragma comments: comments that state what names do not tell about a game, and why it ends.
//!
//! They begin with `//!` in RBG and with `#!` in ABG. Other programs take them for comments, so a bad one is a warning and
//! has no effect. docs/languages/rbg.md describes all of them.

use std::collections::HashMap;

use regulus_automaton::verify::{MAX_TIMES, is_symbol, is_text};
use regulus_automaton::{
    Board, Border, Colour, Counter, Draft, Hand, Id, IdVec, Looks, Piece, PieceKind, Player,
    Reason, Repetition, Side, Surface, Variable,
};

use crate::diagnostics::{Code, Diagnostic, Sink, counted};
use crate::looks::{EMPTY_NAME, EMPTY_SYMBOL};
use crate::source::Span;
use crate::suggest::nearest;

/// How many pragma comments of a text are read.
pub(crate) const MAX_PRAGMAS: usize = 10_000;
/// How many bytes a pragma comment may have.
const MAX_LENGTH: usize = 50_000;
/// How many characters a name or a reason may have.
const MAX_TEXT: usize = 200;

/// The words that pragma comments begin with.
const WORDS: [&str; 16] = [
    "empty", "owner", "kind", "name", "symbol", "colour", "player", "columns", "rows", "hand",
    "counter", "side", "surface", "history", "end", "stuck",
];

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
    let mut reader =
        Reader { subject, looks, seen: HashMap::new(), stated: Stated::default(), sink };
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

/// A stretch of a comment with its place in the text.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Part<'a> {
    fn span(self) -> Span {
        Span::new(self.at, self.at + self.text.len())
    }

    fn trim(self) -> Part<'a> {
        let start = self.text.trim_start();
        Part { text: start.trim_end(), at: self.at + (self.text.len() - start.len()) }
    }

    /// The first bytes, and what follows after some more.
    fn split_at(self, first: usize, skipped: usize) -> (Part<'a>, Part<'a>) {
        let (before, after) = (&self.text[..first], &self.text[first + skipped..]);
        (
            Part { text: before, ..self }.trim(),
            Part { text: after, at: self.at + first + skipped }.trim(),
        )
    }

    /// What stands before and after the first of these characters, if there is one.
    fn split_once(self, separator: char) -> Option<(Part<'a>, Part<'a>)> {
        self.text.find(separator).map(|at| self.split_at(at, separator.len_utf8()))
    }

    /// The same with the last one.
    fn rsplit_once(self, separator: char) -> Option<(Part<'a>, Part<'a>)> {
        self.text.rfind(separator).map(|at| self.split_at(at, separator.len_utf8()))
    }

    /// What stands between commas.
    fn list(self) -> Vec<Part<'a>> {
        let mut parts = Vec::new();
        let mut rest = self;
        while let Some((first, after)) = rest.split_once(',') {
            parts.push(first);
            rest = after;
        }
        parts.push(rest);
        parts
    }
}

/// What a comment yields, or the finding because of which it has no effect.
type Read<T> = Result<T, Box<Diagnostic>>;

struct Reader<'a> {
    subject: &'a Subject<'a>,
    looks: &'a mut Looks,
    /// Where each thing was stated: the word, and the number of the piece or player.
    seen: HashMap<(&'static str, usize), Span>,
    stated: Stated,
    sink: &'a mut Sink,
}

impl Reader<'_> {
    fn comment(&mut self, part: Part<'_>, span: Span) -> Read<()> {
        let end = part.text.find(|c: char| !c.is_alphanumeric()).unwrap_or(part.text.len());
        let (head, rest) = part.split_at(end, 0);
        let is_bare = self.subject.bare_reasons && !rest.text.contains(':');
        let word = WORDS.into_iter().find(|word| *word == head.text && !is_bare);
        let Some(word) = word else {
            if self.subject.bare_reasons {
                let reason = reason(part)?;
                self.stated.ends.push((span, reason));
                return Ok(());
            }
            return Err(unknown_word(head, span));
        };
        match word {
            "empty" => self.empty(colon(word, rest)?, span),
            "owner" => self.owner(last_colon(word, rest)?, span),
            "kind" => {
                let (kind, pieces) = last_colon(word, rest)?;
                let words = PieceKind::ALL.iter().map(|kind| kind.word());
                let kind = PieceKind::from_word(kind.text)
                    .ok_or_else(|| unknown_value(kind, "kind of piece", words))?;
                self.pieces(word, pieces, span, |look| look.kind = kind)
            }
            "name" => {
                let (name, pieces) = last_colon(word, rest)?;
                let name = text(name)?;
                self.pieces(word, pieces, span, |look| look.name.clone_from(&name))
            }
            "symbol" => {
                let (symbol, pieces) = last_colon(word, rest)?;
                if !is_symbol(symbol.text) {
                    return Err(bad_value(symbol, format!("`{}` is no symbol", symbol.text))
                        .boxed_help("a symbol has one to three characters and no spaces"));
                }
                self.pieces(word, pieces, span, |look| symbol.text.clone_into(&mut look.symbol))
            }
            "colour" => {
                let (colour, players) = last_colon(word, rest)?;
                let words = Colour::ALL.iter().map(|colour| colour.word());
                let colour = Colour::from_word(colour.text)
                    .ok_or_else(|| unknown_value(colour, "colour", words))?;
                for player in self.players(players)? {
                    self.once(word, player.index(), span)?;
                    self.looks.players[player].colour = colour;
                }
                Ok(())
            }
            "player" => {
                let (name, players) = last_colon(word, rest)?;
                let name = text(name)?;
                for player in self.players(players)? {
                    self.once(word, player.index(), span)?;
                    self.looks.players[player].name.clone_from(&name);
                }
                Ok(())
            }
            "columns" | "rows" => {
                let is_columns = word == "columns";
                let count = if is_columns { self.subject.columns } else { self.subject.rows };
                let names = line_names(colon(word, rest)?, word, count)?;
                self.once(word, 0, span)?;
                let looks = &mut *self.looks;
                *(if is_columns { &mut looks.columns } else { &mut looks.rows }) = names;
                Ok(())
            }
            "hand" => {
                let (piece, variables) = last_colon(word, rest)?;
                let at = piece;
                let piece = self.piece(piece)?;
                if self.looks.pieces[piece].owner.is_none() {
                    let message = format!("no player owns `{}`", shown(at.text));
                    return Err(bad_value(at, message)
                        .boxed_help("only pieces that belong to a player can be held"));
                }
                for variable in self.variables(variables)? {
                    self.once(word, variable.index(), span)?;
                    self.looks.hands.push(Hand { variable, piece });
                }
                Ok(())
            }
            "counter" => {
                let (name, variables) = last_colon(word, rest)?;
                let name = text(name)?;
                for variable in self.variables(variables)? {
                    self.once(word, variable.index(), span)?;
                    self.looks.counters.push(Counter { variable, name: name.clone() });
                }
                Ok(())
            }
            "side" => {
                let (player, borders) = last_colon(word, rest)?;
                let player = self.player(player)?;
                for part in borders.list() {
                    let words = Border::ALL.iter().map(|border| border.word());
                    let border = Border::from_word(part.text)
                        .ok_or_else(|| unknown_value(part, "side of a board", words))?;
                    self.once(word, border as usize, span)?;
                    self.looks.sides.push(Side { player, border });
                }
                Ok(())
            }
            "surface" => {
                let part = colon(word, rest)?;
                let words = Surface::ALL.iter().map(|surface| surface.word());
                let surface = Surface::from_word(part.text)
                    .ok_or_else(|| unknown_value(part, "surface", words))?;
                self.once(word, 0, span)?;
                self.looks.surface = Some(surface);
                Ok(())
            }
            "history" => {
                let history = self.history(rest)?;
                self.once(word, 0, span)?;
                self.stated.history = Some(history);
                Ok(())
            }
            "stuck" => {
                let reason = reason(colon(word, rest)?)?;
                self.once(word, 0, span)?;
                self.stated.stuck = Some(reason);
                Ok(())
            }
            _ => {
                let reason = reason(colon(word, rest)?)?;
                self.stated.ends.push((span, reason));
                Ok(())
            }
        }
    }

    fn empty(&mut self, pieces: Part<'_>, span: Span) -> Read<()> {
        for part in pieces.list() {
            let piece = self.piece(part)?;
            self.once("empty", piece.index(), span)?;
            let stated = |word| self.seen.contains_key(&(word, piece.index()));
            let (has_symbol, has_name, has_owner) =
                (stated("symbol"), stated("name"), stated("owner"));
            let look = &mut self.looks.pieces[piece];
            look.is_empty = true;
            if !has_symbol {
                EMPTY_SYMBOL.clone_into(&mut look.symbol);
            }
            if !has_name {
                EMPTY_NAME.clone_into(&mut look.name);
            }
            if !has_owner {
                look.owner = None;
            }
        }
        Ok(())
    }

    fn owner(&mut self, (owner, pieces): (Part<'_>, Part<'_>), span: Span) -> Read<()> {
        let owner = if owner.text == "none" { None } else { Some(self.player(owner)?) };
        self.pieces("owner", pieces, span, |look| look.owner = owner)
    }

    /// Changes the looks of all listed pieces; none of them if one is unknown.
    fn pieces(
        &mut self,
        word: &'static str,
        pieces: Part<'_>,
        span: Span,
        change: impl Fn(&mut regulus_automaton::PieceLook),
    ) -> Read<()> {
        let pieces: Vec<Piece> =
            pieces.list().into_iter().map(|part| self.piece(part)).collect::<Read<_>>()?;
        for piece in pieces {
            self.once(word, piece.index(), span)?;
            change(&mut self.looks.pieces[piece]);
        }
        Ok(())
    }

    fn players(&self, players: Part<'_>) -> Read<Vec<Player>> {
        players.list().into_iter().map(|part| self.player(part)).collect()
    }

    fn piece(&self, part: Part<'_>) -> Read<Piece> {
        find(part, "piece", &self.subject.pieces).map(Piece::from_index)
    }

    fn player(&self, part: Part<'_>) -> Read<Player> {
        find(part, "player", &self.subject.players).map(Player::from_index)
    }

    /// Makes sure that something is stated for the first time.
    fn once(&mut self, word: &'static str, number: usize, span: Span) -> Read<()> {
        let first = *self.seen.entry((word, number)).or_insert(span);
        if first == span {
            return Ok(());
        }
        let of = match word {
            "colour" | "player" => self.subject.players.get(number),
            "hand" | "counter" => self.subject.variables.get(number),
            "side" => {
                let word = Border::ALL[number].word();
                let message = format!("the side `{word}` belongs to two players");
                return Err(Box::new(repeated(span, first, message)));
            }
            "columns" | "rows" | "surface" | "history" | "stuck" => None,
            _ => self.subject.pieces.get(number),
        };
        let of = of.map(|name| format!(" of `{name}`")).unwrap_or_default();
        Err(Box::new(repeated(span, first, format!("`{word}`{of} is stated twice"))))
    }

    fn variables(&self, variables: Part<'_>) -> Read<Vec<Variable>> {
        let find = |part| find(part, "variable", &self.subject.variables).map(Variable::from_index);
        variables.list().into_iter().map(find).collect()
    }

    /// Reads `3: white=50, black=50; ignoring quiet`.
    fn history(&self, part: Part<'_>) -> Read<RepetitionRule> {
        let stated = part.split_once(':').filter(|(times, _)| !times.text.is_empty());
        let Some((times, rest)) = stated else {
            return Err(bad_form(part, "history"));
        };
        let number: Option<u32> = times.text.parse().ok().filter(|n| (2..=MAX_TIMES).contains(n));
        let times = number.ok_or_else(|| {
            bad_value(times, format!("`{}` is no number of times", shown(times.text)))
                .boxed_help(&format!("a position may occur from 2 to {MAX_TIMES} times"))
        })?;
        let (scores, ignored) = match rest.split_once(';') {
            Some((scores, rest)) => {
                let names = rest
                    .text
                    .strip_prefix("ignoring")
                    .filter(|names| names.starts_with(char::is_whitespace));
                let length = "ignoring".len();
                let Some(_) = names else { return Err(bad_form(rest, "history")) };
                (scores, Some(rest.split_at(length, 0).1))
            }
            None => (rest, None),
        };
        let scores = self.scores(scores)?;
        let mut ignored = match ignored {
            Some(names) => self.variables(names)?,
            None => Vec::new(),
        };
        ignored.sort_unstable();
        ignored.dedup();
        Ok(RepetitionRule { times, scores, ignored })
    }

    /// Reads `white=50, black=50`.
    fn scores(&self, part: Part<'_>) -> Read<IdVec<Player, i32>> {
        let mut scores = IdVec::<Player, Option<i32>>::filled(None, self.subject.players.len());
        for item in part.list() {
            let Some((name, value)) = item.split_once('=') else {
                return Err(bad_form(item, "history"));
            };
            let player = self.player(name)?;
            let bound = self.subject.bounds.get(player.index()).copied().unwrap_or(i32::MAX);
            let score = value.text.parse().ok().filter(|score| (0..=bound).contains(score));
            let score = score.ok_or_else(|| {
                bad_value(value, format!("`{}` is no score of `{}`", shown(value.text), name.text))
                    .boxed_help(&format!("this score goes from 0 to {bound}"))
            })?;
            if scores[player].replace(score).is_some() {
                let message = format!("the score of `{}` is stated twice", name.text);
                return Err(bad_value(item, message).boxed_help("remove one of the two"));
            }
        }
        let missing = |player: Player| {
            let message = format!("`{}` gets no score", self.subject.players[player.index()]);
            bad_value(part, message).boxed_help("state the score of every player")
        };
        scores.iter().map(|(player, score)| score.ok_or_else(|| missing(player))).collect()
    }
}

/// The finding that a reason belongs to nothing; `what` should come after it.
pub(crate) fn without_end(span: Span, what: &str) -> Diagnostic {
    Diagnostic::warning(Code::PragmaIdle, span, format!("no {what} comes after this reason"))
        .label("it has no effect")
        .help(format!("write it on a line before the {what} where the game ends"))
}

/// The finding that there are two reasons for one end.
pub(crate) fn second_reason(span: Span, first: Span, what: &str) -> Diagnostic {
    repeated(span, first, format!("this {what} has two reasons"))
}

/// The finding that something is stated twice.
fn repeated(span: Span, first: Span, message: String) -> Diagnostic {
    Diagnostic::warning(Code::PragmaRepeated, span, message)
        .label("this one has no effect")
        .also(first, "first here")
        .help("remove one of the two")
}

/// What follows `word:`.
fn colon<'a>(word: &str, rest: Part<'a>) -> Read<Part<'a>> {
    match rest.split_once(':') {
        Some((before, after)) if before.text.is_empty() => Ok(after),
        _ => Err(bad_form(rest, word)),
    }
}

/// What stands before and after the last colon, neither of which is empty.
fn last_colon<'a>(word: &str, rest: Part<'a>) -> Read<(Part<'a>, Part<'a>)> {
    let parts = rest.rsplit_once(':');
    let complete =
        |(before, after): &(Part<'_>, Part<'_>)| !before.text.is_empty() && !after.text.is_empty();
    parts.filter(complete).ok_or_else(|| bad_form(rest, word))
}

/// Reads a reason, and after `|` the one for draws.
fn reason(part: Part<'_>) -> Read<Reason> {
    let (words, drawn) = match part.split_once('|') {
        Some((words, drawn)) => (words, Some(text(drawn)?)),
        None => (part, None),
    };
    Ok(Reason { text: text(words)?, drawn })
}

fn text(part: Part<'_>) -> Read<String> {
    let length = part.text.chars().count();
    if is_text(part.text) && length <= MAX_TEXT && !part.text.contains('|') {
        return Ok(part.text.to_owned());
    }
    let message = match length {
        0 => "a text is missing here".to_owned(),
        _ if length > MAX_TEXT => format!("this text has {}", counted(length, "character")),
        _ => "this text has a character that is not allowed".to_owned(),
    };
    Err(bad_value(part, message).boxed_help(&format!(
        "a text has 1 to {MAX_TEXT} characters, and neither `|` nor control characters"
    )))
}

/// Reads the names of columns or rows.
fn line_names(part: Part<'_>, word: &str, count: usize) -> Read<Vec<String>> {
    let names: Vec<String> = part.list().into_iter().map(text).collect::<Read<_>>()?;
    if names.len() >= count {
        return Ok(names);
    }
    let message = format!("{} for {count} {word}", counted(names.len(), "name"));
    Err(bad_value(part, message).boxed_help(&format!("name all {word} of the board in order")))
}

/// The number of the item with a name.
fn find(part: Part<'_>, what: &str, names: &[&str]) -> Read<usize> {
    if let Some(number) = names.iter().position(|name| *name == part.text) {
        return Ok(number);
    }
    if part.text.is_empty() {
        return Err(bad_value(part, format!("the name of a {what} is missing here"))
            .boxed_help("names are separated by commas"));
    }
    let message = format!("there is no {what} `{}`", shown(part.text));
    let similar = nearest(part.text, names.iter().copied());
    let help = similar.map(|name| format!("did you mean `{name}`?"));
    let diagnostic = Diagnostic::warning(Code::PragmaName, part.span(), message)
        .label("this comment has no effect")
        .maybe_help(help);
    Err(Box::new(diagnostic))
}

fn unknown_word(head: Part<'_>, span: Span) -> Box<Diagnostic> {
    let similar = nearest(head.text, WORDS);
    let help = match similar {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("it should begin with one of: {}", WORDS.join(", ")),
    };
    let message = "this pragma comment begins with no word that has a meaning";
    let span = if head.text.is_empty() { span } else { head.span() };
    let diagnostic = Diagnostic::warning(Code::PragmaUnknown, span, message)
        .label("this comment has no effect")
        .help(help);
    Box::new(diagnostic)
}

fn unknown_value<'a>(
    part: Part<'_>,
    what: &str,
    words: impl Iterator<Item = &'a str> + Clone,
) -> Box<Diagnostic> {
    let help = match nearest(part.text, words.clone()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("one of: {}", words.collect::<Vec<_>>().join(", ")),
    };
    bad_value(part, format!("`{}` is no {what}", shown(part.text))).boxed_help(&help)
}

fn bad_value(part: Part<'_>, message: String) -> Diagnostic {
    Diagnostic::warning(Code::PragmaValue, part.span(), message).label("this comment has no effect")
}

/// The finding that a comment does not have the form that its first word asks for.
fn bad_form(part: Part<'_>, word: &str) -> Box<Diagnostic> {
    let form = match word {
        "empty" => "empty: PIECE, PIECE",
        "owner" => "owner PLAYER: PIECE, PIECE",
        "kind" => "kind KIND: PIECE, PIECE",
        "name" => "name TEXT: PIECE, PIECE",
        "symbol" => "symbol SYMBOL: PIECE, PIECE",
        "colour" => "colour COLOUR: PLAYER, PLAYER",
        "player" => "player TEXT: PLAYER",
        "columns" => "columns: a, b, c",
        "rows" => "rows: 3, 2, 1",
        "hand" => "hand PIECE: VARIABLE",
        "counter" => "counter TEXT: VARIABLE",
        "side" => "side PLAYER: top, bottom",
        "surface" => "surface: lines",
        "history" => "history 3: PLAYER=50, PLAYER=50; ignoring VARIABLE",
        "stuck" => "stuck: TEXT | TEXT FOR A DRAW",
        _ => "end: TEXT | TEXT FOR A DRAW",
    };
    let diagnostic = Diagnostic::warning(
        Code::PragmaForm,
        part.span(),
        format!("this is not how `{word}` is stated"),
    )
    .label("this comment has no effect")
    .help(format!("write `{form}`"));
    Box::new(diagnostic)
}

/// A text shortened for a message.
fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}

trait BoxedHelp {
    fn boxed_help(self, help: &str) -> Box<Diagnostic>;
}

impl BoxedHelp for Diagnostic {
    fn boxed_help(self, help: &str) -> Box<Diagnostic> {
        Box::new(self.help(help))
    }
}
