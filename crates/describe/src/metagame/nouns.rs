//! What pieces and squares are called in sentences about METAGAME.

use std::collections::BTreeSet;

use regulus_lang::metagame::{Amount, Description, Game, Kind, Place, Side, Who};

use crate::guide::{listed, plural, square_name, with_article};

/// The most names or squares that are listed.
const MAX_LISTED: usize = 12;

/// The name of a kind for people.
pub(super) fn name(game: &Game, kind: Kind) -> String {
    let words: Vec<&str> = game.kinds[kind].name.split('_').filter(|w| !w.is_empty()).collect();
    if words.is_empty() { game.kinds[kind].name.clone() } else { words.join(" ") }
}

/// One of the described pieces: `an enemy king or queen`.
pub(super) fn one_of(game: &Game, what: &Description) -> String {
    described(game, what.owner, what.kinds.as_ref(), false)
}

/// Several of the described pieces: `enemy kings or queens`.
pub(super) fn several_of(game: &Game, what: &Description) -> String {
    described(game, what.owner, what.kinds.as_ref(), true)
}

fn described(
    game: &Game,
    owner: Option<Who>,
    kinds: Option<&BTreeSet<Kind>>,
    is_plural: bool,
) -> String {
    let owner_before = match owner {
        None => "",
        Some(Who::Player) => "own ",
        Some(Who::Opponent) => "enemy ",
    };
    let nouns = kinds_of(game, kinds, is_plural);
    let text = format!("{owner_before}{nouns}");
    let text = if is_plural { text } else { with_article(&text) };
    // Said only where it could be meant otherwise.
    if owner.is_none() && kinds.is_some() { format!("{text} of either side") } else { text }
}

/// Kinds without an article: `king or queen`, `pieces`.
pub(super) fn kinds_of(game: &Game, kinds: Option<&BTreeSet<Kind>>, is_plural: bool) -> String {
    let noun = |name: String| if is_plural { plural(&name) } else { name };
    let Some(kinds) = kinds.filter(|kinds| kinds.len() < game.kinds.len()) else {
        return noun("piece".to_owned());
    };
    let others: Vec<Kind> = (0..game.kinds.len()).filter(|kind| !kinds.contains(kind)).collect();
    if others.len() * 2 < kinds.len() && others.len() <= 3 {
        let other = |&kind: &Kind| match name(game, kind) {
            name if is_plural => plural(&name),
            name => with_article(&name),
        };
        let names: Vec<String> = others.iter().map(other).collect();
        return format!(
            "{} other than {}",
            noun("piece".to_owned()),
            listed(&names, if is_plural { "and" } else { "or" })
        );
    }
    let mut names: Vec<String> = kinds.iter().map(|&kind| noun(name(game, kind))).collect();
    if names.len() > MAX_LISTED {
        let left = names.len() - (MAX_LISTED - 1);
        names.truncate(MAX_LISTED - 1);
        names.push(format!("one of {left} other kinds"));
    }
    listed(&names, "or")
}

/// A number of described pieces in a row, that are hopped over.
pub(super) fn amount_of(game: &Game, amount: Amount, what: &Description) -> String {
    let several = several_of(game, what);
    match amount {
        Amount::Exactly(0) => "nothing".to_owned(),
        Amount::Exactly(1) => one_of(game, what),
        Amount::Exactly(count) => format!("{count} {several} in a row"),
        Amount::AtLeast(0) => format!("any number of {several} in a row, or none,"),
        Amount::AtLeast(1) => format!("one or more {several} in a row"),
        Amount::AtLeast(count) => format!("{count} or more {several} in a row"),
        Amount::AtMost(1) => format!("{}, or none,", one_of(game, what)),
        Amount::AtMost(count) => format!("at most {count} {several} in a row, or none,"),
    }
}

/// Squares as both sides have them: by rows where they fill rows, else by name, with black's in brackets where they differ.
pub(super) fn squares(game: &Game, places: &[Place]) -> String {
    let board = &game.board;
    let all: BTreeSet<Place> = places.iter().copied().collect();
    let rows: BTreeSet<u32> = all.iter().map(|place| place.1).collect();
    let filled = rows.len() as u64 * u64::from(board.width) == all.len() as u64;
    let (first, last) = (rows.first().copied(), rows.last().copied());
    if let (true, Some(first), Some(last)) = (filled, first, last)
        && (last - first) as usize + 1 == rows.len()
    {
        return rows_in_words(first, last, board.height);
    }
    let names = |side: Side| {
        let seen: BTreeSet<Place> = all.iter().map(|&place| board.seen(place, side)).collect();
        let mut names: Vec<String> = seen
            .iter()
            .map(|(x, y)| square_name(x.saturating_sub(1), y.saturating_sub(1)))
            .collect();
        if names.len() > MAX_LISTED {
            let left = names.len() - (MAX_LISTED - 1);
            names.truncate(MAX_LISTED - 1);
            names.push(format!("{left} other squares"));
        }
        listed(&names, "or")
    };
    let (white, black) = (names(Side::White), names(Side::Black));
    if white == black { white } else { format!("{white} (Black: {black})") }
}

/// Whole rows as a player counts them.
fn rows_in_words(first: u32, last: u32, height: u32) -> String {
    match (first, last) {
        (first, last) if first == 1 && last == height => "any square".to_owned(),
        (1, 1) => "the first row".to_owned(),
        (first, last) if first == last && first == height => "the last row".to_owned(),
        (first, last) if first == last => format!("row {first} from the own side"),
        (1, last) => format!("the first {last} rows"),
        (first, last) if last == height => format!("the last {} rows", height - first + 1),
        (first, last) => format!("rows {first} to {last} from the own side"),
    }
}
