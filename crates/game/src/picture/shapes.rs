//! What pieces look like: one family of flat shapes, each in a box of 100 by 100.

use regulus_automaton::PieceKind;

/// The shape of a piece, as paths of SVG.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawing {
    /// The outline, which is filled.
    pub(super) body: &'static str,
    /// Lines within it.
    pub(super) detail: &'static str,
    /// Whether the piece's symbol is written on it.
    pub(super) has_letters: bool,
}

const fn drawn(body: &'static str, detail: &'static str) -> Drawing {
    Drawing { body, detail, has_letters: false }
}

/// A circle of radius 38 in the middle.
const DISC: &str = "M12 50a38 38 0 1 1 76 0a38 38 0 1 1 -76 0z";

/// The shape of a kind of piece.
pub(super) fn shape(kind: PieceKind) -> Drawing {
    match kind {
        PieceKind::Pawn => drawn(
            "M50 16c9 0 15 6.500 15 14.500 0 4.500-2 8-5 10.500 3 2 5 4.500 5 8h-7c1 11 5 19 14 26v11H28V75c9-7 13-15 14-26h-7c0-3.500 2-6 5-8-3-2.500-5-6-5-10.500C35 22.500 41 16 50 16z",
            "M30 76h40",
        ),
        PieceKind::Knight => drawn(
            "M33 14l11 7c22 0 36 17 36 41 0 5-1 9-1 13v11H30V77c2-11 13-16 17-28-6 4-10 6-15 7-2 4-5 6-9 6-5-1-8-5-7-10 3-8 10-14 12-22 1-5 2-10 5-16z",
            "M32 77h45M37 34l5-2M60 36c7 6 10 14 10 25",
        ),
        PieceKind::Bishop => drawn(
            "M50 10c4 0 6.500 3 6.500 6 0 2-1 3.500-2 4.500C65 28 71 38 71 48c0 7-4 12-10 15 1 6 6 9 13 12v11H26V75c7-3 12-6 13-12-6-3-10-8-10-15 0-10 6-20 16.500-27.500-1-1-2-2.500-2-4.500 0-3 2.500-6 6.500-6z",
            "M28 76h44M58 30L47 46M40 63h20",
        ),
        PieceKind::Rook => drawn(
            "M26 15h12v9h7v-9h10v9h7v-9h12v19l-9 8v26l9 7v11H26V75l9-7V42l-9-8z",
            "M35 43h30M35 67h30M28 76h44",
        ),
        PieceKind::Queen => drawn(
            "M16 26a5 5 0 1 1 7 4.500L33 46l3-24a5 5 0 1 1 6-1l8 23 8-23a5 5 0 1 1 6 1l3 24 10-15.500A5 5 0 1 1 84 26 5 5 0 0 1 82 31l-9 38 2 17H25l2-17-9-38a5 5 0 0 1-2-5z",
            "M28 69c14-4 30-4 44 0M27 77h46",
        ),
        PieceKind::King => drawn(
            "M46 7h8v7h7v8h-7v8c11-7 30-5 31 12 1 11-8 18-12 27l2 17H25l2-17c-4-9-13-16-12-27 1-17 20-19 31-12v-8h-7v-8h7z",
            "M50 32v34M28 69c14-4 30-4 44 0M27 77h46",
        ),
        PieceKind::Man => drawn(DISC, "M24 50a26 26 0 1 1 52 0a26 26 0 1 1 -52 0z"),
        PieceKind::Crowned => {
            drawn(DISC, "M24 50a26 26 0 1 1 52 0a26 26 0 1 1 -52 0zM36 61V43l8 7 6-11 6 11 8-7v18z")
        }
        PieceKind::Stone => drawn(DISC, ""),
        PieceKind::Wedge => {
            Drawing { body: "M50 9L76 22 87 88H13L24 22z", detail: "", has_letters: true }
        }
        PieceKind::Blocked => drawn(
            "M20 14h60a6 6 0 0 1 6 6v60a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6V20a6 6 0 0 1 6-6z",
            "M34 34l32 32M66 34L34 66",
        ),
        PieceKind::Wall => drawn(
            "M10 22h80v56H10z",
            "M10 41h80M10 59h80M36 22v19M64 22v19M23 41v18M50 41v18M77 41v18M36 59v19M64 59v19",
        ),
        PieceKind::Token => Drawing { body: DISC, detail: "", has_letters: true },
    }
}
