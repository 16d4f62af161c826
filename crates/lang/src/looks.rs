//! What people are told about pieces and players, guessed from their names, as authors choose them for readers.
//!
//! `whitePawn` and `wPawn` belong to the player `white`, are pawns and are called "white pawn"; `empty` or `e` is an empty
//! square. An adjective such as `Fresh` in `wFreshKing` is for the rules, not for people: such a piece looks like `wKing`.

use regulus_automaton::verify::{is_symbol, is_text};
use regulus_automaton::{Colour, Id, IdVec, Looks, PieceKind, PieceLook, Player, PlayerLook};

/// The symbol of a piece that stands for an empty square.
pub(crate) const EMPTY_SYMBOL: &str = "·";
/// The name of a piece that stands for an empty square.
pub(crate) const EMPTY_NAME: &str = "empty";

/// Words within names that say what the rules remember of a piece.
const ADJECTIVES: [&str; 3] = ["fresh", "unmoved", "moved"];

/// The looks of a game with these players and pieces.
pub(crate) fn guess<'a>(
    players: impl IntoIterator<Item = &'a str>,
    pieces: impl IntoIterator<Item = &'a str>,
) -> Looks {
    let players: Vec<&str> = players.into_iter().collect();
    let pieces: Vec<&str> = pieces.into_iter().collect();
    let symbols = symbols(&pieces);
    let looks = pieces.iter().zip(symbols).map(|(name, symbol)| {
        let plain = PieceLook::plain(name);
        if is_empty(name) {
            let (symbol, name) = (EMPTY_SYMBOL.to_owned(), EMPTY_NAME.to_owned());
            return PieceLook { is_empty: true, symbol, name, ..plain };
        }
        let owner = owner(&players, name);
        let name = piece_name(name, owner.map(|owner| players[owner.index()]));
        let kind = kind(&name);
        let symbol = if is_symbol(&symbol) { symbol } else { plain.symbol };
        PieceLook { owner, symbol, name, kind, ..plain }
    });
    let mut looks: IdVec<_, PieceLook> = looks.collect();
    if let Some(letters) = letters(&players, looks.as_slice()) {
        for (look, letter) in looks.values_mut().zip(letters) {
            if let Some(letter) = letter {
                look.symbol = letter.to_string();
            }
        }
    }
    Looks { pieces: looks, players: player_looks(&players), ..Looks::default() }
}

/// A letter for each piece of two players, as in diagrams of chess: of white, or else the first player, in upper case, of the
/// other in lower case. Draughts have `w`, `b` and `W`, `B` instead. `None` if letters would not tell the pieces apart.
fn letters(players: &[&str], pieces: &[PieceLook]) -> Option<Vec<Option<char>>> {
    let [first, second] = players else { return None };
    // Where one sign is enough already, it stays.
    let mut owned = pieces.iter().filter(|look| look.owner.is_some());
    if owned.all(|look| look.symbol.chars().count() == 1) {
        return None;
    }
    let upper = Player(u32::from(second.eq_ignore_ascii_case("white")));
    let is_man = |look: &PieceLook| matches!(look.kind, PieceKind::Man | PieceKind::King);
    let initials = [first, second].map(|name| name.chars().next().map(|c| c.to_ascii_lowercase()));
    let are_draughts = pieces.iter().filter(|look| look.owner.is_some()).all(is_man);
    let are_draughts = are_draughts && initials[0] != initials[1];
    let letter = |look: &PieceLook| {
        let owner = look.owner?;
        if are_draughts {
            let initial = initials[owner.index()]?;
            let is_king = look.kind == PieceKind::King;
            return Some(if is_king { initial.to_ascii_uppercase() } else { initial });
        }
        let word = look.name.rsplit(' ').next()?;
        // Of such a piece only the owner is known.
        if word == "piece" {
            return None;
        }
        let letter = if look.kind == PieceKind::Knight { 'n' } else { word.chars().next()? };
        Some(if owner == upper { letter.to_ascii_uppercase() } else { letter })
    };
    let letters: Vec<Option<char>> = pieces.iter().map(letter).collect();
    let of = |at: usize| letters[at].map_or(pieces[at].symbol.clone(), String::from);
    let tells_apart = (0..pieces.len()).all(|one| {
        let ascii = pieces[one].owner.is_none() || of(one).is_ascii();
        ascii
            && (0..one).all(|other| of(one) != of(other) || pieces[one].name == pieces[other].name)
    });
    tells_apart.then_some(letters)
}

/// The kind of a piece by the last word of its name.
pub(crate) fn kind(name: &str) -> PieceKind {
    match name.rsplit(' ').next().unwrap_or_default() {
        "arrow" => PieceKind::Blocked,
        // A crowned man is a king of draughts in a language that says so, and a wedge a piece of shogi; no name does.
        "crowned" | "wedge" | "blocked" => PieceKind::Token,
        word => PieceKind::from_word(word).unwrap_or(PieceKind::Token),
    }
}

fn is_empty(name: &str) -> bool {
    ["e", "empty", "none", "nothing"].contains(&name.to_lowercase().as_str())
}

/// The looks of players: a name that is a colour gives the colour, the others get those that are left in order.
fn player_looks(players: &[&str]) -> IdVec<Player, PlayerLook> {
    let named: Vec<Option<Colour>> = players.iter().map(|name| colour(name)).collect();
    let mut left = Colour::ALL.iter().copied().filter(|colour| !named.contains(&Some(*colour)));
    let looks = players.iter().zip(0..).zip(&named).map(|((name, at), named)| {
        let plain = PlayerLook::plain(name, Player(at));
        let colour = named.or_else(|| left.next()).unwrap_or(plain.colour);
        PlayerLook { colour, ..plain }
    });
    looks.collect()
}

fn colour(name: &str) -> Option<Colour> {
    match name.to_lowercase().as_str() {
        "gray" => Some(Colour::Grey),
        word => Colour::from_word(word),
    }
}

/// The name of a piece for people.
fn piece_name(name: &str, owner: Option<&str>) -> String {
    let parts = essential(name);
    let mut words: Vec<&str> =
        parts.iter().flat_map(|word| word.split('_')).filter(|part| !part.is_empty()).collect();
    if let (Some(owner), Some(first)) = (owner, words.first_mut()) {
        *first = owner;
        if words.len() == 1 {
            words.push("piece");
        }
    }
    let text = words.join(" ").to_lowercase();
    if is_text(&text) { text } else { name.to_owned() }
}

/// A symbol for each piece: different ones unless names are very alike, or the same for people.
fn symbols(pieces: &[&str]) -> Vec<String> {
    let firsts: Vec<String> = pieces.iter().map(|name| words(name).swap_remove(0)).collect();
    let mut found: Vec<(String, String)> = Vec::new();
    let mut symbols = Vec::new();
    for (name, first) in pieces.iter().zip(&firsts) {
        let essence = essential(name).concat();
        if let Some((_, symbol)) = found.iter().find(|(known, _)| *known == essence) {
            symbols.push(symbol.clone());
            continue;
        }
        let only = firsts.iter().filter(|other| *other == first).count() == 1;
        let mut candidates = candidates(&essence, only).into_iter();
        let symbol = candidates.find(|symbol| found.iter().all(|(_, known)| known != symbol));
        let symbol = symbol.unwrap_or_else(|| essence.chars().take(3).collect());
        found.push((essence, symbol.clone()));
        symbols.push(symbol);
    }
    symbols
}

/// Short forms of a name, best first: `whitePawn` gives wP, wN, wPa, whi; and before these w, if it is the only piece
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

/// The words of a name without adjectives; the first and the last word always stay.
fn essential(name: &str) -> Vec<String> {
    let words = words(name);
    let last = words.len() - 1;
    let stays = |at: usize, word: &str| {
        at == 0 || at == last || !ADJECTIVES.contains(&word.to_lowercase().as_str())
    };
    words.into_iter().enumerate().filter(|(at, word)| stays(*at, word)).map(|(_, w)| w).collect()
}

/// Splits `whitePawn` into `white` and `Pawn`; there is always a first word.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
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
fn owner(players: &[&str], name: &str) -> Option<Player> {
    let word = words(name).swap_remove(0).to_lowercase();
    let fits = |player: &str| {
        let player = player.to_lowercase();
        player.starts_with(&word) || word.starts_with(&player)
    };
    let mut owners = (0..players.len()).filter(|&at| fits(players[at]));
    match (owners.next(), owners.next()) {
        (Some(player), None) => Some(Player::from_index(player)),
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
        assert_eq!(words(""), [""]);
        assert_eq!(essential("wFreshKing"), ["w", "King"]);
        assert_eq!(essential("wFresh"), ["w", "Fresh"]);
    }

    #[test]
    fn short_forms_are_short_and_several() {
        assert_eq!(candidates("whitePawn", false), ["wP", "wN", "wPa", "whi"]);
        assert_eq!(candidates("blackKnight", false)[0], "bN");
        assert_eq!(candidates("whitePawn", true)[0], "w");
        assert_eq!(candidates("x", true), ["x", "x", "x"]);
    }

    /// Symbol, name, kind and owner of each piece.
    fn described(players: &[&str], pieces: &[&str]) -> Vec<String> {
        let looks = guess(players.iter().copied(), pieces.iter().copied());
        let describe = |look: &PieceLook| {
            let owner = look.owner.map_or("nobody", |owner| players[owner.index()]);
            let empty = if look.is_empty { " empty" } else { "" };
            format!("{} {}: {} of {owner}{empty}", look.symbol, look.name, look.kind.word())
        };
        looks.pieces.values().map(describe).collect()
    }

    #[test]
    fn pieces_are_recognised_by_their_names() {
        let players = ["white", "black"];
        assert_eq!(
            described(&players, &["e", "wKnight", "blackFreshKing", "blackKing", "arrow", "w"]),
            [
                "· empty: token of nobody empty",
                "N white knight: knight of white",
                "k black king: king of black",
                "k black king: king of black",
                "a arrow: blocked of nobody",
                "w white piece: token of white",
            ]
        );
        assert_eq!(described(&["a", "b"], &["a_man"]), ["a a man: man of a"]);
    }

    #[test]
    fn colours_are_those_of_the_names() {
        let looks = guess(["fox", "white", "gray", "hounds"], []);
        let colours: Vec<Colour> = looks.players.values().map(|look| look.colour).collect();
        assert_eq!(colours, [Colour::Black, Colour::White, Colour::Grey, Colour::Red]);
    }
}
