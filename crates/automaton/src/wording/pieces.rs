//! Words for sets of pieces.

use super::{ActionWords, alternatives};
use crate::ids::{IdVec, Piece, PieceSet, Player};

/// The most pieces that are named; then they are counted.
const MAX_NAMED: usize = 12;

impl ActionWords<'_> {
    /// The test whether the piece here is in a set. All pieces of a player are named together, and a set that holds nearly all
    /// pieces by what it does not hold.
    ///
    /// ```text
    /// on empty                     on empty or any piece of black                     on anything but wall
    /// ```
    pub(super) fn pieces(&self, set: &PieceSet) -> String {
        let rest: PieceSet =
            self.draft.pieces.keys().filter(|&piece| !set.contains(piece)).collect();
        let (members, others) = (self.members(set), self.members(&rest));
        if set.is_empty() {
            return "on no piece".to_owned();
        }
        if others.is_empty() {
            return "on anything".to_owned();
        }
        if others.len() + 2 < members.len() {
            return format!("on anything but {}", alternatives(&others));
        }
        format!("on {}", alternatives(&members))
    }

    pub(super) fn members(&self, set: &PieceSet) -> Vec<String> {
        let mut owned: IdVec<Player, Vec<Piece>> =
            IdVec::filled(Vec::new(), self.draft.players.len());
        for (piece, look) in self.draft.looks.pieces.iter() {
            if let Some(player) = look.owner.filter(|&player| owned.contains(player)) {
                owned[player].push(piece);
            }
        }
        let is_whole =
            |pieces: &[Piece]| pieces.len() > 1 && pieces.iter().all(|&piece| set.contains(piece));
        let mut grouped = PieceSet::new();
        let mut groups = Vec::new();
        for (player, pieces) in owned.iter().filter(|(_, pieces)| is_whole(pieces)) {
            for &piece in pieces {
                grouped.insert(piece);
            }
            groups.push(format!("any piece of {}", self.names.players.spell(player)));
        }
        let single = set.iter().filter(|&piece| !grouped.contains(piece));
        let mut members: Vec<String> =
            single.map(|piece| self.names.pieces.spell(piece).to_string()).collect();
        if members.len() > MAX_NAMED {
            let more = members.len() - MAX_NAMED + 1;
            members.truncate(MAX_NAMED - 1);
            members.push(format!("{more} more pieces"));
        }
        members.extend(groups);
        members
    }
}
