//! Reading what is for people, and how games end: the sections `looks`, `endings` and `repetition`.

use std::collections::BTreeSet;
use std::fmt;

use super::edge::node;
use super::error::{ErrorKind, TextError, TextPlace};
use super::lex::TokenKind;
use super::names::{EntityNames, Vocabulary};
use super::parse::{Errors, SectionLines};
use super::read::{Read, TokenReader};
use crate::draft::Draft;
use crate::endings::{Endings, Reason, Repetition};
use crate::ids::{Id, IdVec, Player};
use crate::looks::{Border, Colour, Counter, Hand, Looks, PieceKind, Side, Surface};

/// Reads the looks; what the section does not state is as in a new draft.
pub(super) fn looks(
    sections: &SectionLines<'_>,
    draft: &Draft,
    names: &Vocabulary<'_>,
    errors: &mut Errors,
) -> Looks {
    if let Some(header) = sections.header("looks") {
        errors.keep(header.finish());
    }
    let mut looks = draft.looks.clone();
    let mut stated = BTreeSet::new();
    for line in sections.entries("looks") {
        errors.keep(look(&mut TokenReader::new(line), names, &mut looks, &mut stated));
    }
    looks
}

/// Reads one line of the looks. What it is about is added to `stated`, where it must be new.
fn look(
    reader: &mut TokenReader<'_, '_>,
    names: &Vocabulary<'_>,
    looks: &mut Looks,
    stated: &mut BTreeSet<String>,
) -> Read<()> {
    let place = reader.place();
    if reader.eat_word("piece") {
        let (piece, name) = subject(reader, "piece", &names.pieces, looks.pieces.len())?;
        once(stated, place, format!("the look of the piece {name}"))?;
        let look = &mut looks.pieces[piece];
        return properties(reader, |reader, word| {
            match word {
                "empty" => look.is_empty = true,
                "owner" => look.owner = Some(reader.entity("player", &names.players)?),
                "symbol" => look.symbol = text(reader)?,
                "name" => look.name = text(reader)?,
                "kind" => look.kind = word_of(reader, "a kind", PieceKind::from_word)?,
                _ => return Ok(false),
            }
            Ok(true)
        });
    }
    if reader.eat_word("player") {
        let (player, name) = subject(reader, "player", &names.players, looks.players.len())?;
        once(stated, place, format!("the look of the player {name}"))?;
        let look = &mut looks.players[player];
        return properties(reader, |reader, word| {
            match word {
                "name" => look.name = text(reader)?,
                "colour" => look.colour = word_of(reader, "a colour", Colour::from_word)?,
                _ => return Ok(false),
            }
            Ok(true)
        });
    }
    for (word, list) in [("columns", &mut looks.columns), ("rows", &mut looks.rows)] {
        if reader.eat_word(word) {
            once(stated, place, format!("the list of {word}"))?;
            return texts(reader).map(|names| *list = names);
        }
    }
    if reader.eat_word("hand") {
        let (variable, name) = subject(reader, "variable", &names.variables, usize::MAX)?;
        once(stated, place, format!("the hand {name}"))?;
        let piece = reader.entity("piece", &names.pieces)?;
        looks.hands.push(Hand { variable, piece });
        return reader.finish();
    }
    if reader.eat_word("counter") {
        let (variable, name) = subject(reader, "variable", &names.variables, usize::MAX)?;
        once(stated, place, format!("the counter {name}"))?;
        looks.counters.push(Counter { variable, name: text(reader)? });
        return reader.finish();
    }
    if reader.eat_word("side") {
        let border = word_of(reader, "a side of the board", Border::from_word)?;
        once(stated, place, format!("the side `{}`", border.word()))?;
        reader.symbol(":", "`:`")?;
        let player = reader.entity("player", &names.players)?;
        looks.sides.push(Side { player, border });
        return reader.finish();
    }
    if reader.eat_word("surface") {
        once(stated, place, "the surface".to_owned())?;
        looks.surface = Some(word_of(reader, "a surface", Surface::from_word)?);
        return reader.finish();
    }
    Err(reader
        .expected("`piece`, `player`, `columns`, `rows`, `hand`, `counter`, `side` or `surface`"))
}

/// Reads what a line is about, which must be one of `count`, and a colon; also returns how it is spelled.
fn subject<K: Id>(
    reader: &mut TokenReader<'_, '_>,
    what: &'static str,
    names: &EntityNames<'_, K>,
    count: usize,
) -> Read<(K, String)> {
    let place = reader.place();
    let id = reader.entity(what, names)?;
    let name = names.spell(id).to_string();
    if id.index() >= count {
        return Err(TextError::new(place, ErrorKind::Unknown { what, name }));
    }
    reader.symbol(":", "`:`")?;
    Ok((id, name))
}

fn once(stated: &mut BTreeSet<String>, place: TextPlace, what: String) -> Read<()> {
    if stated.insert(what.clone()) {
        Ok(())
    } else {
        Err(TextError::new(place, ErrorKind::Repeated(what)))
    }
}

/// Reads properties with commas between them up to the end of the line; `property` is given the word that a property
/// begins with, and returns whether there is such a property.
fn properties<'r, 't>(
    reader: &mut TokenReader<'r, 't>,
    mut property: impl FnMut(&mut TokenReader<'r, 't>, &str) -> Read<bool>,
) -> Read<()> {
    let mut stated = BTreeSet::new();
    loop {
        let place = reader.place();
        let unknown = reader.expected("a property such as `name`");
        let TokenKind::Word(word) = reader.peek() else {
            return Err(unknown);
        };
        reader.advance();
        if !property(reader, word)? {
            return Err(unknown);
        }
        once(&mut stated, place, format!("the property `{word}`"))?;
        if !reader.eat(",") {
            return reader.finish();
        }
    }
}

fn text(reader: &mut TokenReader<'_, '_>) -> Read<String> {
    reader.name("a text in quotes").map(str::to_owned)
}

/// Reads one text or more, with commas between them, up to the end of the line.
fn texts(reader: &mut TokenReader<'_, '_>) -> Read<Vec<String>> {
    let mut texts = vec![text(reader)?];
    while reader.eat(",") {
        texts.push(text(reader)?);
    }
    reader.finish().map(|()| texts)
}

/// Reads a word with a meaning.
fn word_of<T>(
    reader: &mut TokenReader<'_, '_>,
    expected: &str,
    meaning: impl Fn(&str) -> Option<T>,
) -> Read<T> {
    let found = match reader.peek() {
        TokenKind::Word(word) => meaning(word),
        _ => None,
    };
    let found = found.ok_or_else(|| reader.expected(expected))?;
    reader.advance();
    Ok(found)
}

/// Reads the reasons for which games end.
pub(super) fn endings(sections: &SectionLines<'_>, errors: &mut Errors) -> Endings {
    if let Some(header) = sections.header("endings") {
        errors.keep(header.finish());
    }
    let mut endings = Endings::default();
    for line in sections.entries("endings") {
        errors.keep(ending(&mut TokenReader::new(line), &mut endings));
    }
    endings
}

/// Reads `n5: "text" drawn "text"` or the same with `stuck`.
fn ending(reader: &mut TokenReader<'_, '_>, endings: &mut Endings) -> Read<()> {
    let place = reader.place();
    let repeated = |what: &dyn fmt::Display| {
        TextError::new(place, ErrorKind::Repeated(format!("the reason of {what}")))
    };
    if reader.eat_word("stuck") {
        let reason = reason(reader)?;
        return endings.stuck.replace(reason).map_or(Ok(()), |_| Err(repeated(&"`stuck`")));
    }
    let node = node(reader)?;
    let reason = reason(reader)?;
    endings.at.insert(node, reason).map_or(Ok(()), |_| Err(repeated(&node)))
}

fn reason(reader: &mut TokenReader<'_, '_>) -> Read<Reason> {
    reader.symbol(":", "`:` and a text in quotes")?;
    let words = text(reader)?;
    let drawn = if reader.eat_word("drawn") { Some(text(reader)?) } else { None };
    reader.finish()?;
    Ok(Reason { text: words, drawn })
}

/// Reads the rule about repetition, if there is one.
pub(super) fn repetition(
    sections: &SectionLines<'_>,
    players: usize,
    names: &Vocabulary<'_>,
    errors: &mut Errors,
) -> Option<Repetition> {
    for line in sections.entries("repetition") {
        errors.errors.push(TokenReader::new(line).expected("a section such as `players`"));
    }
    let mut header = sections.header("repetition")?;
    errors.keep(rule(&mut header, players, names))
}

/// Reads `3 over n9: white 50, black 50 ignoring quiet`.
fn rule(
    reader: &mut TokenReader<'_, '_>,
    players: usize,
    names: &Vocabulary<'_>,
) -> Read<Repetition> {
    let times = reader.unsigned()?;
    if !reader.eat_word("over") {
        return Err(reader.expected("`over` and a node"));
    }
    let over = node(reader)?;
    reader.symbol(":", "`:` and scores")?;
    let scores = scores(reader, players, names)?;
    let mut ignored = Vec::new();
    if reader.eat_word("ignoring") {
        ignored.push(reader.entity("variable", &names.variables)?);
        while reader.eat(",") {
            ignored.push(reader.entity("variable", &names.variables)?);
        }
    }
    reader.finish()?;
    Ok(Repetition { times, scores, ignored, over })
}

/// Reads the scores of all players, in any order.
fn scores(
    reader: &mut TokenReader<'_, '_>,
    players: usize,
    names: &Vocabulary<'_>,
) -> Read<IdVec<Player, i32>> {
    let mut scores = IdVec::<Player, Option<i32>>::filled(None, players);
    // A player may be called `ignoring`: then a number follows.
    let named = |reader: &TokenReader<'_, '_>| {
        reader.at_entity()
            && (*reader.peek() != TokenKind::Word("ignoring")
                || matches!(reader.peek_second(), TokenKind::Number(_) | TokenKind::Symbol("-")))
    };
    let mut goes_on = named(reader);
    while goes_on {
        let place = reader.place();
        let player = reader.entity("player", &names.players)?;
        let name = names.players.spell(player).to_string();
        if !scores.contains(player) {
            return Err(TextError::new(place, ErrorKind::Unknown { what: "player", name }));
        }
        if scores[player].replace(reader.signed()?).is_some() {
            let kind = ErrorKind::Repeated(format!("the score of {name}"));
            return Err(TextError::new(place, kind));
        }
        goes_on = reader.eat(",");
    }
    let missing = |player: Player| {
        let name = names.players.spell(player);
        TextError::new(reader.place(), ErrorKind::Missing(format!("the score of {name}")))
    };
    scores.iter().map(|(player, score)| score.ok_or_else(|| missing(player))).collect()
}
