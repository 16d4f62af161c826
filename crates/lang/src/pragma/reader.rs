//! Reads pragma comments one by one: what each says about looks goes into [`Looks`], the rest into [`Stated`].

use std::collections::HashMap;

use regulus_automaton::verify::{MAX_TIMES, is_symbol, is_text};
use regulus_automaton::{
    Border, Colour, Counter, Hand, Id, IdVec, Looks, Piece, PieceKind, PieceLook, Player, Reason,
    Side, Surface, Variable,
};

use super::findings::{
    BoxedHelp, bad_form, bad_value, repeated, shown, unknown_value, unknown_word,
};
use super::part::{Part, Read, colon, last_colon};
use super::{RepetitionRule, Stated, Subject};
use crate::diagnostics::{Code, Diagnostic, Sink, counted};
use crate::looks::{EMPTY_NAME, EMPTY_SYMBOL};
use crate::source::Span;
use crate::suggest::nearest;

/// How many characters a name or a reason may have.
const MAX_TEXT: usize = 200;

/// The words that pragma comments begin with.
pub(super) const WORDS: [&str; 16] = [
    "empty", "owner", "kind", "name", "symbol", "colour", "player", "columns", "rows", "hand",
    "counter", "side", "surface", "history", "end", "stuck",
];

pub(super) struct Reader<'a> {
    subject: &'a Subject<'a>,
    looks: &'a mut Looks,
    /// Where each thing was stated: the word, and the number of the piece or player.
    seen: HashMap<(&'static str, usize), Span>,
    pub(super) stated: Stated,
    pub(super) sink: &'a mut Sink,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        subject: &'a Subject<'a>,
        looks: &'a mut Looks,
        sink: &'a mut Sink,
    ) -> Reader<'a> {
        Reader { subject, looks, seen: HashMap::new(), stated: Stated::default(), sink }
    }

    /// Reads a comment; the error is the finding because of which it has no effect.
    pub(super) fn comment(&mut self, part: Part<'_>, span: Span) -> Read<()> {
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
            "kind" => self.kind(last_colon(word, rest)?, span),
            "name" => self.name(last_colon(word, rest)?, span),
            "symbol" => self.symbol(last_colon(word, rest)?, span),
            "colour" => self.colour(last_colon(word, rest)?, span),
            "player" => self.player_name(last_colon(word, rest)?, span),
            "columns" | "rows" => self.lines(word, colon(word, rest)?, span),
            "hand" => self.hand(last_colon(word, rest)?, span),
            "counter" => self.counter(last_colon(word, rest)?, span),
            "side" => self.side(last_colon(word, rest)?, span),
            "surface" => self.surface(colon(word, rest)?, span),
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

    fn kind(&mut self, (kind, pieces): (Part<'_>, Part<'_>), span: Span) -> Read<()> {
        let words = PieceKind::ALL.iter().map(|kind| kind.word());
        let kind = PieceKind::from_word(kind.text)
            .ok_or_else(|| unknown_value(kind, "kind of piece", words))?;
        self.pieces("kind", pieces, span, |look| look.kind = kind)
    }

    fn name(&mut self, (name, pieces): (Part<'_>, Part<'_>), span: Span) -> Read<()> {
        let name = text(name)?;
        self.pieces("name", pieces, span, |look| look.name.clone_from(&name))
    }

    fn symbol(&mut self, (symbol, pieces): (Part<'_>, Part<'_>), span: Span) -> Read<()> {
        if !is_symbol(symbol.text) {
            return Err(bad_value(symbol, format!("`{}` is no symbol", symbol.text))
                .boxed_help("a symbol has one to three characters and no spaces"));
        }
        self.pieces("symbol", pieces, span, |look| symbol.text.clone_into(&mut look.symbol))
    }

    fn colour(&mut self, (colour, players): (Part<'_>, Part<'_>), span: Span) -> Read<()> {
        let words = Colour::ALL.iter().map(|colour| colour.word());
        let colour =
            Colour::from_word(colour.text).ok_or_else(|| unknown_value(colour, "colour", words))?;
        for player in self.players(players)? {
            self.once("colour", player.index(), span)?;
            self.looks.players[player].colour = colour;
        }
        Ok(())
    }

    fn player_name(&mut self, (name, players): (Part<'_>, Part<'_>), span: Span) -> Read<()> {
        let name = text(name)?;
        for player in self.players(players)? {
            self.once("player", player.index(), span)?;
            self.looks.players[player].name.clone_from(&name);
        }
        Ok(())
    }

    /// Names the columns or the rows, as the word says.
    fn lines(&mut self, word: &'static str, names: Part<'_>, span: Span) -> Read<()> {
        let is_columns = word == "columns";
        let count = if is_columns { self.subject.columns } else { self.subject.rows };
        let names = line_names(names, word, count)?;
        self.once(word, 0, span)?;
        let looks = &mut *self.looks;
        *(if is_columns { &mut looks.columns } else { &mut looks.rows }) = names;
        Ok(())
    }

    fn hand(&mut self, (at, variables): (Part<'_>, Part<'_>), span: Span) -> Read<()> {
        let piece = self.piece(at)?;
        if self.looks.pieces[piece].owner.is_none() {
            let message = format!("no player owns `{}`", shown(at.text));
            return Err(bad_value(at, message)
                .boxed_help("only pieces that belong to a player can be held"));
        }
        for variable in self.variables(variables)? {
            self.once("hand", variable.index(), span)?;
            self.looks.hands.push(Hand { variable, piece });
        }
        Ok(())
    }

    fn counter(&mut self, (name, variables): (Part<'_>, Part<'_>), span: Span) -> Read<()> {
        let name = text(name)?;
        for variable in self.variables(variables)? {
            self.once("counter", variable.index(), span)?;
            self.looks.counters.push(Counter { variable, name: name.clone() });
        }
        Ok(())
    }

    fn side(&mut self, (player, borders): (Part<'_>, Part<'_>), span: Span) -> Read<()> {
        let player = self.player(player)?;
        for part in borders.list() {
            let words = Border::ALL.iter().map(|border| border.word());
            let border = Border::from_word(part.text)
                .ok_or_else(|| unknown_value(part, "side of a board", words))?;
            self.once("side", border as usize, span)?;
            self.looks.sides.push(Side { player, border });
        }
        Ok(())
    }

    fn surface(&mut self, part: Part<'_>, span: Span) -> Read<()> {
        let words = Surface::ALL.iter().map(|surface| surface.word());
        let surface =
            Surface::from_word(part.text).ok_or_else(|| unknown_value(part, "surface", words))?;
        self.once("surface", 0, span)?;
        self.looks.surface = Some(surface);
        Ok(())
    }

    /// Changes the looks of all listed pieces; none of them if one is unknown.
    fn pieces(
        &mut self,
        word: &'static str,
        pieces: Part<'_>,
        span: Span,
        change: impl Fn(&mut PieceLook),
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
    let diagnostic = Diagnostic::warning(Code::PragmaName, part.span(), message)
        .label("this comment has no effect")
        .did_you_mean(nearest(part.text, names.iter().copied()));
    Err(Box::new(diagnostic))
}
