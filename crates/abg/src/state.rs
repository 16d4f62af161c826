//! A position: what is on the squares, variables, scores, and whose turn it is.

/// A square by its number: row by row from the bottom, each from the left.
pub(crate) type Square = usize;

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub(crate) board: Vec<u8>,
    pub(crate) variables: Vec<i64>,
    pub(crate) scores: Vec<i64>,
    pub(crate) current: usize,
}

impl State {
    /// The number of the piece on each square: row by row from the bottom, each from the left.
    #[must_use]
    pub fn board(&self) -> &[u8] {
        &self.board
    }

    /// The variables of the text in their order, and behind them those of the registry.
    #[must_use]
    pub fn variables(&self) -> &[i64] {
        &self.variables
    }

    /// What effects have assigned to the players' scores.
    #[must_use]
    pub fn scores(&self) -> &[i64] {
        &self.scores
    }

    /// The number of the player whose turn it is.
    #[must_use]
    pub fn current(&self) -> usize {
        self.current
    }
}
