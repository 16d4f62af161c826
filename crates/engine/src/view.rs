//! What a drawing needs to know of pieces: a short symbol, and whose they are.
//!
//! Descriptions do not say these things, so they are guessed from names, as authors choose them for readers:
//! `whitePawn` and `wPawn` belong to the player `white`, and `empty` or `e` is nothing.

use regulus_automaton::{Automaton, Id, IdVec, Piece, Player};

/// How a piece is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceView {
    /// One to three characters, different for different pieces unless names are very alike.
    pub symbol: String,
    /// Whose it seems to be.
    pub owner: Option<Player>,
    /// Whether it stands for an empty square.
    pub is_empty: bool,
}

/// How the pieces of a game are shown.
#[must_use]
pub fn piece_views(automaton: &Automaton) -> IdVec<Piece, PieceView> {
    let mut symbols: Vec<String> = Vec::new();
    for name in automaton.pieces.values() {
        let alike = automaton.pieces.values().filter(|other| words(other)[..1] == words(name)[..1]);
        let only = alike.count() == 1;
        let symbol = candidates(name, only).into_iter().find(|symbol| !symbols.contains(symbol));
        symbols.push(symbol.unwrap_or_else(|| name.chars().take(3).collect()));
    }
    let views = automaton.pieces.iter().map(|(piece, name)| {
        let is_empty = ["e", "empty", "none", "nothing"].contains(&name.to_lowercase().as_str());
        PieceView {
            symbol: if is_empty { "·".to_owned() } else { symbols[piece.index()].clone() },
            owner: if is_empty { None } else { owner(automaton, name) },
            is_empty,
        }
    });
    views.collect()
}

/// Short forms of a name, best first: `whitePawn` gives wP, wN, wPa, whi; and before these w, when it is the only piece
/// whose name begins with that word.
fn candidates(name: &str, only: bool) -> Vec<String> {
    let words = words(name);
    // Knights are N wherever chess is written down; K is the king.
    let initial = |word: &String| if word == "Knight" { Some('N') } else { word.chars().next() };
    let start = |word: &str, count: usize| word.chars().take(count).collect::<String>();
    if words.len() == 1 || only {
        let word = &words[0];
        return vec![start(word, 1), start(word, 2), start(word, 3)];
    }
    let initials: String = words.iter().filter_map(initial).take(3).collect();
    let (first, last) = (&words[0], &words[words.len() - 1]);
    let with_two = format!("{}{}", start(first, 1), start(last, 2));
    let last_letter = last.chars().last().unwrap_or_default().to_ascii_uppercase();
    vec![initials, format!("{}{last_letter}", start(first, 1)), with_two, start(name, 3)]
}

/// Splits `whitePawn` into `white` and `Pawn`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut upper_before = true;
    for c in name.chars() {
        let begins = c.is_ascii_uppercase() && !upper_before;
        match words.last_mut() {
            Some(word) if !begins => word.push(c),
            _ => words.push(c.to_string()),
        }
        upper_before = c.is_ascii_uppercase();
    }
    words
}

/// The one player whose name begins like the piece's first word, or the other way round.
fn owner(automaton: &Automaton, name: &str) -> Option<Player> {
    let word = words(name).into_iter().next()?.to_lowercase();
    let fits = |player: &String| {
        let player = player.to_lowercase();
        player.starts_with(&word) || word.starts_with(&player)
    };
    let mut owners = automaton.players.iter().filter(|(_, player)| fits(player));
    match (owners.next(), owners.next()) {
        (Some((player, _)), None) => Some(player),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words() {
        assert_eq!(words("whitePawn"), ["white", "Pawn"]);
        assert_eq!(words("wPawn"), ["w", "Pawn"]);
        assert_eq!(words("e"), ["e"]);
    }

    #[test]
    fn short_forms_are_short_and_several() {
        assert_eq!(candidates("whitePawn", false), ["wP", "wN", "wPa", "whi"]);
        assert_eq!(candidates("blackKnight", false)[0], "bN");
        assert_eq!(candidates("whitePawn", true)[0], "w");
        assert_eq!(candidates("x", true), ["x", "x", "x"]);
    }
}
