//! The two players of chess-like languages.

/// A player, as owner of pieces.
///
/// # Examples
///
/// ```
/// use regulus_lang::sbg::Side;
///
/// assert_eq!(Side::BOTH.map(Side::name), ["white", "black"]);
/// assert_eq!(Side::White.other(), Side::Black);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The player who moves first, up the board.
    White,
    /// The player who moves second, down the board.
    Black,
}

impl Side {
    /// Both, in the order in which they move.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The other side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// Its name as a player.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }
}
