//! What functions of a program see of a state, and how their effects change it.

use crate::moves::Write;
use crate::rules::AbgRules;
use crate::state::{Square, State};

/// A state that is looked at: in a condition of a letter, an effect, or a terminal condition.
///
/// Columns and rows are counted from 0 at the lower left.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(crate) rules: &'a AbgRules,
    pub(crate) state: &'a State,
    pub(crate) this: Option<Square>,
    pub(crate) from: Option<Square>,
    pub(crate) stuck: bool,
}

impl<'a> View<'a> {
    /// How many columns the board has.
    #[must_use]
    pub fn width(&self) -> i64 {
        i64::from(self.rules.game.width)
    }

    /// How many rows the board has.
    #[must_use]
    pub fn height(&self) -> i64 {
        i64::from(self.rules.game.height)
    }

    /// The column and row that the letter leads to; terminal conditions have none.
    #[must_use]
    pub fn this(&self) -> Option<(i64, i64)> {
        self.this.map(|square| self.rules.place(square))
    }

    /// The column and row that the letter leads from; terminal conditions have none.
    #[must_use]
    pub fn from(&self) -> Option<(i64, i64)> {
        self.from.map(|square| self.rules.place(square))
    }

    /// The name of the piece in this column and row; `None` outside the board.
    #[must_use]
    pub fn piece_at(&self, x: i64, y: i64) -> Option<&'a str> {
        let square = self.rules.square(x, y)?;
        Some(&self.rules.game.pieces[usize::from(self.state.board[square])].name)
    }

    /// Whether the square that the letter leads to holds this piece.
    #[must_use]
    pub fn holds(&self, piece: &str) -> bool {
        self.this().is_some_and(|(x, y)| self.piece_at(x, y) == Some(piece))
    }

    /// Whether the square that the letter leads to holds a piece of others, and not of the current player.
    #[must_use]
    pub fn holds_opponent(&self) -> bool {
        self.this.is_some_and(|square| {
            self.rules.is_opponent(self.state.board[square], self.state.current)
        })
    }

    /// The columns and rows of all squares that hold a piece, row by row from the bottom.
    pub fn squares_of(&self, piece: &str) -> impl Iterator<Item = (i64, i64)> + use<'a> {
        let (rules, state) = (self.rules, self.state);
        let number = rules.game.pieces.iter().position(|known| known.name == piece);
        let squares = state.board.iter().enumerate();
        let squares = squares.filter(move |(_, held)| Some(usize::from(**held)) == number);
        squares.map(|(square, _)| rules.place(square))
    }

    /// How many squares hold a piece.
    #[must_use]
    pub fn count(&self, piece: &str) -> usize {
        self.squares_of(piece).count()
    }

    /// The names of a piece's owners; an empty list if the piece is not known.
    #[must_use]
    pub fn owners(&self, piece: &str) -> Vec<&'a str> {
        let game = &self.rules.game;
        let piece = game.pieces.iter().find(|known| known.name == piece);
        let owners = piece.map_or(&[][..], |piece| &piece.owners);
        owners.iter().map(|&owner| game.players[owner].as_str()).collect()
    }

    /// The value of a variable of the text or of the registry.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<i64> {
        let number = self.rules.variables.iter().position(|known| known == name)?;
        Some(self.state.variables[number])
    }

    /// What effects have assigned to a player's score.
    #[must_use]
    pub fn score(&self, player: &str) -> Option<i64> {
        let number = self.rules.game.players.iter().position(|known| known == player)?;
        Some(self.state.scores[number])
    }

    /// The player whose turn it is; after a move the one who has made it.
    #[must_use]
    pub fn current(&self) -> &'a str {
        &self.rules.game.players[self.state.current]
    }

    /// The players in the order of their turns.
    #[must_use]
    pub fn players(&self) -> &'a [String] {
        &self.rules.game.players
    }

    /// Whether that player has no legal move; known in terminal conditions only.
    #[must_use]
    pub fn stuck(&self) -> bool {
        self.stuck
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View")
            .field("state", self.state)
            .field("this", &self.this())
            .field("from", &self.from())
            .field("stuck", &self.stuck)
            .finish_non_exhaustive()
    }
}

/// A state that an effect changes.
///
/// A change that is not possible, such as one of a square outside the board, is not made, and the letter cannot be read.
pub struct Change<'a> {
    rules: &'a AbgRules,
    state: &'a mut State,
    piece: usize,
    from: Square,
    this: Square,
    writes: Vec<Write>,
    refused: bool,
}

impl<'a> Change<'a> {
    pub(crate) fn new(
        rules: &'a AbgRules,
        state: &'a mut State,
        (piece, from, this): (usize, Square, Square),
    ) -> Change<'a> {
        Change { rules, state, piece, from, this, writes: Vec::new(), refused: false }
    }

    /// The changes made, and whether something was not possible.
    pub(crate) fn finish(self) -> (Vec<Write>, bool) {
        (self.writes, self.refused)
    }

    /// The state as it is now.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View {
            rules: self.rules,
            state: self.state,
            this: Some(self.this),
            from: Some(self.from),
            stuck: false,
        }
    }

    /// The column and row that the letter leads to.
    #[must_use]
    pub fn this(&self) -> (i64, i64) {
        self.rules.place(self.this)
    }

    /// The column and row that the letter leads from.
    #[must_use]
    pub fn from(&self) -> (i64, i64) {
        self.rules.place(self.from)
    }

    /// The name of the piece whose rule the letter belongs to.
    #[must_use]
    pub fn piece(&self) -> &'a str {
        &self.rules.game.pieces[self.piece].name
    }

    fn write(&mut self, write: Option<Write>) -> bool {
        match write {
            Some(write) => {
                write.make(self.state);
                self.writes.push(write);
            }
            None => self.refused = true,
        }
        write.is_some()
    }

    /// Makes the letter impossible to read, whatever else the effect does.
    pub fn refuse(&mut self) {
        self.refused = true;
    }

    /// Puts a piece on a square; returns whether both are there.
    pub fn put(&mut self, x: i64, y: i64, piece: &str) -> bool {
        let number = self.rules.game.pieces.iter().position(|known| known.name == piece);
        let number = number.and_then(|number| u8::try_from(number).ok());
        let square = self.rules.square(x, y);
        self.write(square.zip(number).map(|(square, number)| Write::Square(square, number)))
    }

    /// Does what letters without an effect do: the piece of the rule goes from the one square to the other, where it takes the place of
    /// what was there. Returns whether the game has a piece `empty` to be left behind.
    pub fn move_piece(&mut self) -> bool {
        if self.rules.game.empty.is_none() {
            self.refused = true;
            return false;
        }
        let writes = self.rules.move_writes(self.piece, self.from, self.this);
        writes.into_iter().flatten().for_each(|write| {
            self.write(Some(write));
        });
        true
    }

    /// Assigns to a variable of the text or of the registry; returns whether it is there.
    pub fn set(&mut self, variable: &str, value: i64) -> bool {
        let number = self.rules.variables.iter().position(|known| known == variable);
        self.write(number.map(|number| Write::Variable(number, value)))
    }

    /// Assigns to a player's score; returns whether he is there.
    pub fn set_score(&mut self, player: &str, value: i64) -> bool {
        let number = self.rules.game.players.iter().position(|known| known == player);
        self.write(number.map(|number| Write::Score(number, value)))
    }
}

impl std::fmt::Debug for Change<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.view().fmt(f)
    }
}
