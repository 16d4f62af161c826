//! What names mean: looking them up, and saying what is wrong with those that mean something else.

use super::Checker;
use crate::abg::ast::{Body, Name, Placed, Sentence, Statement};
use crate::abg::game::{Content, PieceInfo, Value};
use crate::diagnostics::{Code, Diagnostic};
use crate::suggest::nearest;

/// The names with a meaning of their own.
pub(super) const PREDEFINED: [&str; 8] =
    ["Empty", "Opponent", "True", "False", "current", "stuck", "count", "Board"];

/// What a name means.
#[derive(Clone)]
pub(super) enum Meaning {
    Player(usize),
    Piece(usize),
    Variable(usize),
    Macro(Vec<Name>, Placed<Sentence>),
    Function(Vec<Name>, Body),
    Effect(Vec<Name>, Vec<Statement>),
    /// Something faulty, which was reported.
    Broken,
}

impl Meaning {
    /// Returns what kind of thing has this meaning.
    fn kind(&self) -> &'static str {
        match self {
            Meaning::Player(_) => "a player",
            Meaning::Piece(_) => "a piece",
            Meaning::Variable(_) => "a variable",
            Meaning::Macro(..) => "a macro",
            Meaning::Function(..) => "a function",
            Meaning::Effect(..) => "an effect",
            Meaning::Broken => "something faulty",
        }
    }
}

impl Checker<'_> {
    /// Gives a name its meaning, unless it has one.
    pub(super) fn define(&mut self, name: &Name, meaning: Meaning) {
        // Conditions and effects of the language may be given another meaning.
        let fixed =
            ["current", "stuck", "count", "Board", "this", "from"].contains(&name.value.as_str());
        if fixed {
            let message = format!("`{}` has a meaning of its own", name.value);
            self.error(Code::AbgDuplicateName, name.span, message, "choose another name");
        } else if let Some((before, span)) = self.names.get(&name.value) {
            let message = format!("`{}` is {} already", name.value, before.kind());
            let diagnostic = Diagnostic::error(Code::AbgDuplicateName, name.span, message);
            self.sink.push(diagnostic.also(*span, "defined here"));
        } else {
            self.names.insert(name.value.clone(), (meaning, name.span));
        }
    }

    /// Returns the player with a name; reports it if there is none.
    pub(super) fn player(&mut self, name: &Name) -> Option<usize> {
        match self.names.get(&name.value) {
            Some((Meaning::Player(player), _)) => Some(*player),
            _ => {
                let players = self.game.players.clone();
                self.unknown(name, "player", &players);
                None
            }
        }
    }

    /// Returns the piece with a name; reports it if there is none.
    pub(super) fn piece_named(&mut self, name: &Name) -> Option<usize> {
        match self.names.get(&name.value) {
            Some((Meaning::Piece(piece), _)) => Some(*piece),
            _ => {
                let pieces: Vec<String> =
                    self.game.pieces.iter().map(|piece| piece.name.clone()).collect();
                self.unknown(name, "piece", &pieces);
                None
            }
        }
    }

    /// Returns the meaning of a condition that every game has: `Empty`, or the name of a piece with a capital.
    pub(super) fn predicate(&self, name: &str) -> Option<Value> {
        let is_its = |piece: &PieceInfo| piece.condition() == name;
        match name {
            "True" | "true" => Some(Value::Number(1)),
            "False" | "false" => Some(Value::Number(0)),
            "Opponent" => Some(Value::Holds(Content::Opponent)),
            "Empty" if self.game.empty.is_some() => Some(Value::Holds(Content::Empty)),
            _ => {
                let piece = self.game.pieces.iter().position(is_its)?;
                Some(Value::Holds(Content::Piece(piece)))
            }
        }
    }

    /// Returns the names of some meaning, and others, in order.
    pub(super) fn known<'b>(
        &self,
        means: impl Fn(&Meaning) -> bool,
        others: impl IntoIterator<Item = &'b str>,
    ) -> Vec<String> {
        let names = self.names.iter().filter(|(_, (meaning, _))| means(meaning));
        let mut known: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        known.extend(others.into_iter().map(str::to_owned));
        known.sort_unstable();
        known.dedup();
        known
    }

    /// Reports a name that has no meaning, or another one.
    pub(super) fn unknown(&mut self, name: &Name, what: &str, known: &[String]) {
        self.unknown_unless(name, what, known, "");
    }

    /// The same for what a program may also provide; `remedy` says how it comes to be known.
    pub(super) fn unknown_unless(
        &mut self,
        name: &Name,
        what: &str,
        known: &[String],
        remedy: &str,
    ) {
        let (word, span) = (&name.value, name.span);
        if let Some((meaning, place)) = self.names.get(word) {
            if matches!(meaning, Meaning::Broken) {
                return;
            }
            let message = format!("`{word}` is {}, not a {what}", meaning.kind());
            let diagnostic = Diagnostic::error(Code::AbgWrongKind, span, message);
            self.sink.push(diagnostic.also(*place, "defined here"));
            return;
        }
        if let Some(place) = self.later.get(word) {
            let message = format!("`{word}` is used before it is defined");
            let diagnostic = Diagnostic::error(Code::AbgOrder, span, message)
                .also(*place, "defined here")
                .help("definitions come before their uses, so nothing can call itself");
            self.sink.push(diagnostic);
            return;
        }
        let like = nearest(word, known.iter().map(String::as_str));
        let help = if known.is_empty() {
            format!("no {what} is known yet")
        } else {
            format!("{remedy}known are: {}", known.join(", "))
        };
        let message = format!("there is no {what} `{word}`");
        let diagnostic = Diagnostic::error(Code::AbgUnknownName, span, message).help(help);
        self.sink.push(diagnostic.did_you_mean(like));
    }

    /// Reports something registered where it cannot be a part of something else.
    pub(super) fn stands_alone(&mut self, name: &Name, help: &str) {
        let message =
            format!("`{}` is registered by the program and stands for itself", name.value);
        self.error(Code::AbgWrongKind, name.span, message, help);
    }
}
