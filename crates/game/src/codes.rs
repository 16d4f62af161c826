//! The letters that stand for pieces in positions written as text.

use regulus_automaton::{Automaton, Id as _, IdVec, Piece, PieceKind};

/// A code for every piece, no two the same: a letter, of the first player in upper case and of the second in lower case,
/// with primes where pieces share a letter (`K` and `K'`); a sign for a piece without owner; or a name in
/// parentheses. One piece that stands for emptiness is written as the number of squares in a row.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    codes: IdVec<Piece, String>,
    pub(crate) empty: Option<Piece>,
}

/// The signs for pieces without owner, in their order.
const SIGNS: [char; 6] = ['*', '+', '%', '!', '&', '$'];

impl Codes {
    pub(crate) fn new(automaton: &Automaton) -> Codes {
        let (looks, names) = (&automaton.looks, &automaton.pieces);
        let empty = looks.pieces.iter().find(|(_, look)| look.is_empty).map(|(piece, _)| piece);
        let mut codes: IdVec<Piece, String> = IdVec::new();
        let mut signs = SIGNS.iter();
        for (piece, look) in looks.pieces.iter() {
            let letter = letter(&look.name, look.kind, look.owner.map(|owner| owner.index()));
            let name = format!("({})", names[piece]);
            let base = match (letter, look.owner) {
                (Some(letter), _) => letter.to_string(),
                (None, None) if Some(piece) != empty => signs.next().map_or(name, char::to_string),
                _ => name,
            };
            // Names of pieces are unique, so primes are needed behind letters only.
            let alike = codes.values().filter(|code| code.trim_end_matches('\'') == base).count();
            codes.push(format!("{base}{}", "'".repeat(alike)));
        }
        Codes { codes, empty }
    }

    /// The code of a piece.
    pub(crate) fn code(&self, piece: Piece) -> &str {
        &self.codes[piece]
    }

    /// The piece whose code a text begins with, and the length of the code; `None` if there is none.
    pub(crate) fn read(&self, text: &str) -> Option<(Piece, usize)> {
        let first = text.chars().next()?;
        let length = match first {
            '(' => text.find(')')? + 1,
            _ => {
                let rest = &text[first.len_utf8()..];
                let primes = rest.chars().take_while(|&c| c == '\'').count();
                first.len_utf8() + primes
            }
        };
        let code = text.get(..length)?;
        let found = self.codes.iter().find(|(_, other)| *other == code);
        found.map(|(piece, _)| (piece, length))
    }
}

/// The letter of a piece of the first or second player; `None` for all others.
fn letter(name: &str, kind: PieceKind, owner: Option<usize>) -> Option<char> {
    let owner = owner.filter(|&owner| owner < 2)?;
    let letter = match kind {
        PieceKind::Pawn => 'P',
        PieceKind::Knight => 'N',
        PieceKind::Bishop => 'B',
        PieceKind::Rook => 'R',
        PieceKind::Queen => 'Q',
        PieceKind::King | PieceKind::Crowned => 'K',
        PieceKind::Man => 'M',
        PieceKind::Stone if owner == 0 => 'X',
        PieceKind::Stone => 'O',
        PieceKind::Wedge | PieceKind::Blocked | PieceKind::Wall | PieceKind::Token => {
            let word = name.split_whitespace().last().unwrap_or(name);
            word.chars().find(char::is_ascii_alphabetic).unwrap_or('T').to_ascii_uppercase()
        }
    };
    Some(if owner == 0 { letter } else { letter.to_ascii_lowercase() })
}
