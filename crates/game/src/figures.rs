//! Pieces as figures of Unicode, for terminals that can show them: chess men, and stones or men of two players.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{Colour, IdVec, Looks, Piece, PieceKind, PieceLook, Player};

/// The figure of each piece; `None` for those that belong to nobody, and for all in games where some need letters: a mixture
/// is hard to read.
pub(crate) fn figures(looks: &Looks) -> IdVec<Piece, Option<&'static str>> {
    let owners: BTreeSet<Player> = looks.pieces.values().filter_map(|look| look.owner).collect();
    let is_white = |player: &&Player| looks.players[**player].colour == Colour::White;
    let light = owners.iter().find(is_white).or(owners.first()).copied();
    let figure = |piece: Piece| {
        let look = &looks.pieces[piece];
        let owner = look.owner?;
        let [outlined, filled] = shapes(look.kind)?;
        let is_man = matches!(look.kind, PieceKind::Stone | PieceKind::Man | PieceKind::Crowned);
        match owners.len() {
            0..=2 => Some(if light == Some(owner) { outlined } else { filled }),
            // Only colours would tell the discs of three players apart.
            _ => Some(filled).filter(|_| !is_man),
        }
    };
    // A figure must not stand for pieces that have different letters.
    let mut letters: BTreeMap<(Option<Player>, &str), BTreeSet<&str>> = BTreeMap::new();
    for (piece, look) in looks.pieces.iter() {
        if let Some(figure) = figure(piece) {
            letters.entry((look.owner, figure)).or_default().insert(&look.symbol);
        }
    }
    let mut figures = IdVec::filled(None, looks.pieces.len());
    for (piece, look) in looks.pieces.iter() {
        let own = |figure: &&str| letters[&(look.owner, *figure)].len() == 1;
        figures[piece] = figure(piece).filter(own);
    }
    let needs_letters =
        |(piece, look): (Piece, &PieceLook)| look.owner.is_some() && figures[piece].is_none();
    if looks.pieces.iter().any(needs_letters) {
        return IdVec::filled(None, looks.pieces.len());
    }
    figures
}

/// The figures of a light and of a dark piece.
fn shapes(kind: PieceKind) -> Option<[&'static str; 2]> {
    match kind {
        PieceKind::Pawn => Some(["♙", "♟"]),
        PieceKind::Knight => Some(["♘", "♞"]),
        PieceKind::Bishop => Some(["♗", "♝"]),
        PieceKind::Rook => Some(["♖", "♜"]),
        PieceKind::Queen => Some(["♕", "♛"]),
        PieceKind::King => Some(["♔", "♚"]),
        PieceKind::Man | PieceKind::Stone => Some(["○", "●"]),
        PieceKind::Crowned => Some(["◎", "◉"]),
        PieceKind::Wedge | PieceKind::Blocked | PieceKind::Wall | PieceKind::Token => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, Game, Match, TextStyle};

    fn drawn(game: &str, moves: &[&str]) -> String {
        let mut play = Match::new(&Game::load(game, &Config::default()).expect("a bundled game"))
            .expect("it begins");
        for name in moves {
            play.play_named(name).expect("a legal move");
        }
        let style = TextStyle { has_figures: true, ..TextStyle::default() };
        play.draw(style, &mut |_, text| text.to_owned())
    }

    #[test]
    fn chess_men_are_figures() {
        let board = drawn("chess", &["e2-e4"]);
        let rows: Vec<&str> = board.lines().collect();
        assert_eq!(rows[0], "8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜");
        assert_eq!(rows[4], "4 · · · ·[♙]· · ·");
        assert_eq!(rows[7], "1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖");
    }

    #[test]
    fn stones_of_two_players_are_discs() {
        let board = drawn("hex", &["a1", "b1"]);
        assert!(board.contains('○') && board.contains('●'), "{board}");
    }

    #[test]
    fn games_keep_letters_if_some_pieces_need_them() {
        let board = drawn("tamerlane", &[]);
        assert!(board.contains('R') && !board.contains('♖'), "{board}");
        let board = drawn("trio", &["a1", "b1", "c1"]);
        assert!(board.contains("r b[g]") || board.contains("r g[b]"), "{board}");
    }
}
