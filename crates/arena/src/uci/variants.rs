//! The games that UCI can speak about.
//!
//! The list is shipped, not computed: an engine is asked for it when it is started, and looking at every bundled game would take
//! seconds. A test (`tests/uci.rs`) computes it with [`super::MoveText::check`] and compares.

/// A bundled game that can be played by UCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The value of `UCI_Variant`. For games that other engines know it is their name; where they give that name to other
    /// rules it is the name of our file.
    pub name: &'static str,
    /// The name of the bundled game.
    pub game: &'static str,
}

const fn variant(name: &'static str, game: &'static str) -> Variant {
    Variant { name, game }
}

/// The bundled games whose moves go from a square to another, with a promotion at most, for two players on a rectangle of at
/// most 12x16 squares. The first is the default.
pub const VARIANTS: &[Variant] = &[
    variant("chess", "chess"),
    variant("breakthrough", "breakthrough"),
    variant("gardner", "gardner_chess"),
    variant("losalamos", "los_alamos_chess"),
    variant("breakthrough_3x7", "breakthrough_3x7"),
    variant("breakthrough_4x4", "breakthrough_4x4"),
    variant("breakthrough_5x5", "breakthrough_5x5"),
    variant("breakthrough.abg", "breakthrough.abg"),
    variant("breakthrough.sbg", "breakthrough.sbg"),
    variant("cannon_chess", "cannon_chess"),
    variant("chess_threefold", "chess_threefold"),
    variant("chess_without_check", "chess_without_check"),
    variant("colorbound_clobberers", "colorbound_clobberers"),
    variant("double_chess", "double_chess"),
    variant("fox_and_hounds", "fox_and_hounds"),
    variant("gardner.sbg", "gardner.sbg"),
    variant("giveaway_chess", "giveaway_chess"),
    variant("goldrush_shogi", "goldrush_shogi"),
    variant("knightthrough", "knightthrough"),
    variant("los_alamos.sbg", "los_alamos.sbg"),
    variant("metagame_chess", "metagame_chess"),
    variant("mixed_armies", "mixed_armies"),
    variant("nutty_knights", "nutty_knights"),
    variant("remarkable_rookies", "remarkable_rookies"),
    variant("shatranj.sbg", "shatranj.sbg"),
    variant("simplified_chess", "simplified_chess"),
    variant("simplified_chess_double_step", "simplified_chess_double_step"),
    variant("tamerlane", "tamerlane"),
    variant("wolves_and_sheep", "wolves_and_sheep"),
    variant("xiangqi.game", "xiangqi.game"),
];

/// The files of games that other engines know, with the names that these use.
const ELSEWHERE: &[(&str, &str)] = &[
    ("chess.rbg", "chess"),
    ("chess_threefold.rbg", "chess"),
    ("breakthrough.rbg", "breakthrough"),
    ("breakthrough.sbg", "breakthrough"),
    ("breakthrough.abg", "breakthrough"),
    ("gardner_chess.rbg", "gardner"),
    ("los_alamos_chess.rbg", "losalamos"),
];

/// The name under which other engines know the game of this file; `None` if they do not.
pub(crate) fn known_elsewhere(file: &str) -> Option<&'static str> {
    let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
    ELSEWHERE.iter().find(|(known, _)| *known == file).map(|(_, name)| *name)
}
