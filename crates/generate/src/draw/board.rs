//! The board, the pieces that stand on it first, and the names of all kinds.

use super::{Draw, trunc};
use crate::names::{MAX_KINDS, WORDS};
use crate::rules::{Board, PieceId, Setup, Square};
use crate::value::PlacementMethod;

impl Draw<'_> {
    /// The board and the array: the squares of the ranks where white's pieces can stand at the start.
    ///
    /// Crowding is at most 1 and there are at least two ranks, so the array is in white's half and never meets its
    /// inversion, and `PROMOTE_RANK` is never 0, which the language does not allow.
    pub(super) fn board(&mut self) -> (Board, Vec<Square>) {
        let width = self.config.board_width.draw(self.dice);
        let height = self.config.board_height.draw(self.dice);
        let board_type = self.config.board_type.draw(self.dice);
        let inversion = self.config.inversion.draw(self.dice);
        let crowding = self.config.board_crowding.draw(self.dice);
        let ranks = trunc(f64::from(height) * crowding / 2.0).max(1);
        let fraction = self.config.promotion_fraction.draw(self.dice);
        let promote_rank = (height - trunc(f64::from(ranks) * fraction)).max(1);
        let board = Board { width, height, board_type, inversion, promote_rank };
        (board, board.squares().take_while(|square| square.y <= ranks).collect())
    }

    /// The setup and the names of its kinds.
    pub(super) fn setup(&mut self, array: &[Square]) -> (Setup, Vec<String>) {
        let crowding = self.config.row_crowding.draw(self.dice);
        let size = trunc(array.len() as f64 * crowding).max(1);
        let variety = self.config.variety.draw(self.dice);
        let kinds = trunc(f64::from(size) * variety).clamp(1, MAX_KINDS as u32);
        let names: Vec<String> = (0..kinds as usize).map(|kind| self.name(kind)).collect();
        let mut pieces: Vec<PieceId> = (0..kinds).map(PieceId).collect();
        while pieces.len() < size as usize {
            pieces.push(PieceId(self.dice.between(0, kinds - 1)));
        }
        pieces.sort_unstable();
        let setup = match self.config.placement_method.draw(self.dice) {
            PlacementMethod::Arbitrary => {
                let mut free = array.to_vec();
                let places = pieces.into_iter().map(|id| (id, self.dice.take(&mut free)));
                Setup::Fixed(places.collect())
            }
            PlacementMethod::By(by) => Setup::Assigned { by, pieces, squares: array.to_vec() },
        };
        (setup, names)
    }

    /// Adds the names of kinds that only promotion brings: one more than the parameter says, as far as letters go.
    pub(super) fn promote_only_names(&mut self, names: &mut Vec<String>) {
        let more = self.config.promote_only_kinds.draw(self.dice) as usize + 1;
        for kind in names.len()..(names.len() + more).min(MAX_KINDS) {
            names.push(self.name(kind));
        }
    }

    /// A word of the list of this kind.
    fn name(&mut self, kind: usize) -> String {
        self.dice.pick(&WORDS[kind]).to_owned()
    }
}
