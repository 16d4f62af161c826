//! The goals. They come last, since they must not hold at the start.

use super::{Draw, Kinds, MAX_REDRAWS};
use crate::rules::{Board, Description, Goal, PieceId, Pieces, Setup, Who};
use crate::value::GoalType;

impl Draw<'_> {
    /// A stalemate and perhaps more. No goal follows from another in the sense of [`implies`].
    pub(super) fn goals(&mut self, board: &Board, setup: &Setup, kinds: Kinds) -> Vec<Goal> {
        let mut goals = vec![Goal::Stalemate(self.config.stalemate_owner.draw(self.dice))];
        while self.config.goal_complexity.draw(self.dice) {
            let new = (0..MAX_REDRAWS)
                .map(|_| self.goal(board, setup, kinds))
                .find(|goal| !goals.iter().any(|known| implies(board, kinds, known, goal)));
            // When every goal follows from one of these, there is no further one.
            let Some(new) = new else { break };
            goals.retain(|known| !implies(board, kinds, &new, known));
            goals.push(new);
        }
        goals
    }

    fn goal(&mut self, board: &Board, setup: &Setup, kinds: Kinds) -> Goal {
        match self.config.goal_type.draw(self.dice) {
            GoalType::Eradicate => self.eradicate(kinds),
            GoalType::Arrive => self.arrive(board, setup, kinds),
        }
    }

    /// Names a kind of the setup, so that it does not hold at the start, and others.
    fn eradicate(&mut self, kinds: Kinds) -> Goal {
        let owner = Some(self.config.eradicate_owner.draw(self.dice));
        if self.config.eradicate_any_piece.draw(self.dice) {
            return Goal::Eradicate(Description { owner, pieces: Pieces::Any });
        }
        let sure = self.dice.pick(&kinds.placed());
        let others: Vec<PieceId> = kinds.all().into_iter().filter(|&id| id != sure).collect();
        let mut pieces = if others.is_empty() { Vec::new() } else { self.some_of(others) };
        pieces.push(sure);
        pieces.sort_unstable();
        Goal::Eradicate(Description { owner, pieces: Pieces::Some(pieces) })
    }

    /// Either a player's own piece of kinds that the setup does not have, or a piece of the opponent on a square where
    /// the setup has none.
    fn arrive(&mut self, board: &Board, setup: &Setup, kinds: Kinds) -> Goal {
        let own = kinds.promote_only();
        let owner = match self.config.arrive_owner.draw(self.dice) {
            Who::Player if !own.is_empty() => Who::Player,
            _ => Who::Opponent,
        };
        let (pieces, squares) = match owner {
            Who::Player => (Pieces::Some(self.some_of(own)), board.squares().collect()),
            Who::Opponent => {
                let taken: Vec<_> =
                    setup.squares().into_iter().map(|square| board.invert(square)).collect();
                let free = board.squares().filter(|square| !taken.contains(square));
                (self.pieces(kinds), free.collect::<Vec<_>>())
            }
        };
        let squares = vec![self.dice.pick(&squares)];
        Goal::Arrive { piece: Description { owner: Some(owner), pieces }, squares }
    }
}

/// Whether a goal implies another, which is then dropped, as in Pell's program: of the two, the harder one stays.
///
/// Eradicating more implies eradicating less, also if their owners differ, since both players would then reach their
/// goals together. Arriving with fewer kinds on fewer squares implies arriving with more, with inverted squares if the
/// owners differ, for the same reason.
fn implies(board: &Board, kinds: Kinds, goal: &Goal, other: &Goal) -> bool {
    let within = |less: &Pieces, more: &Pieces| {
        let has = |pieces: &Pieces, id: &PieceId| match pieces {
            Pieces::Any => true,
            Pieces::Some(list) => list.contains(id),
        };
        kinds.all().iter().all(|id| !has(less, id) || has(more, id))
    };
    match (goal, other) {
        (Goal::Stalemate(who), Goal::Stalemate(whose)) => who == whose,
        (Goal::Eradicate(more), Goal::Eradicate(less)) => within(&less.pieces, &more.pieces),
        (
            Goal::Arrive { piece: less, squares: from },
            Goal::Arrive { piece: more, squares: to },
        ) => {
            let same = less.owner == more.owner;
            let seen = |square| if same { square } else { board.invert(square) };
            within(&less.pieces, &more.pieces)
                && from.iter().all(|&square| to.contains(&seen(square)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BoardType, Inversion, Square};

    const BOARD: Board = Board {
        width: 5,
        height: 6,
        board_type: BoardType::Planar,
        inversion: Inversion::Diagonal,
        promote_rank: 6,
    };
    const KINDS: Kinds = Kinds { placed: 2, all: 3 };

    fn described(owner: Who, pieces: &[u32]) -> Description {
        let pieces = pieces.iter().map(|&id| PieceId(id)).collect();
        Description { owner: Some(owner), pieces: Pieces::Some(pieces) }
    }

    #[test]
    fn eradicating_more_implies_eradicating_less() {
        let all = Goal::Eradicate(Description { owner: Some(Who::Opponent), pieces: Pieces::Any });
        let list = Goal::Eradicate(described(Who::Opponent, &[0, 1, 2]));
        let less = Goal::Eradicate(described(Who::Player, &[0, 1]));
        assert!(implies(&BOARD, KINDS, &all, &list) && implies(&BOARD, KINDS, &list, &all));
        assert!(implies(&BOARD, KINDS, &list, &less) && !implies(&BOARD, KINDS, &less, &list));
        assert!(!implies(&BOARD, KINDS, &all, &Goal::Stalemate(Who::Player)));
    }

    #[test]
    fn arriving_with_less_implies_arriving_with_more() {
        let goal = |owner, pieces: &[u32], x, y| Goal::Arrive {
            piece: described(owner, pieces),
            squares: vec![Square { x, y }],
        };
        let less = goal(Who::Player, &[2], 2, 5);
        assert!(implies(&BOARD, KINDS, &less, &goal(Who::Player, &[1, 2], 2, 5)));
        assert!(implies(&BOARD, KINDS, &less, &goal(Who::Opponent, &[1, 2], 4, 2)));
        assert!(!implies(&BOARD, KINDS, &less, &goal(Who::Opponent, &[1, 2], 2, 5)));
        assert!(!implies(&BOARD, KINDS, &goal(Who::Player, &[1, 2], 2, 5), &less));
    }
}
