//! The powers of a kind of piece.

use super::{Draw, Kinds, MAX_REDRAWS, longer_side, trunc};
use crate::rules::{
    Board, Capture, Comparison, Count, Movement, MovementKind, Piece, Promotion, Symmetries,
};
use crate::value::{Chance, MovementType};

impl Draw<'_> {
    /// A kind of piece with this name.
    pub(super) fn piece(&mut self, name: String, board: &Board, kinds: Kinds) -> Piece {
        let moving = self.movements(board, kinds);
        let mut capturing = vec![self.capture(board, kinds)];
        while self.config.capture_complexity.draw(self.dice) {
            capturing.push(self.capture(board, kinds));
        }
        let promotion = self.promotion(kinds);
        let must_capture = self.config.piece_must_capture.draw(self.dice);
        let continue_captures = self.config.continue_captures.draw(self.dice);
        Piece { name, moving, capturing, promotion, must_capture, continue_captures }
    }

    fn movements(&mut self, board: &Board, kinds: Kinds) -> Vec<Movement> {
        let mut movements = vec![self.movement(board, kinds)];
        while self.config.movement_complexity.draw(self.dice) {
            movements.push(self.movement(board, kinds));
        }
        movements
    }

    fn capture(&mut self, board: &Board, kinds: Kinds) -> Capture {
        Capture {
            movements: self.movements(board, kinds),
            retrieve: self.config.capture_retrieve.draw(self.dice),
            clobber: self.config.capture_clobber.draw(self.dice),
            hop: self.config.capture_hop.draw(self.dice),
            captured: self.description(kinds),
            effect: self.config.capture_effect.draw(self.dice),
        }
    }

    fn promotion(&mut self, kinds: Kinds) -> Promotion {
        if self.config.specific_promotion.draw(self.dice) {
            Promotion::To(self.dice.pick(&kinds.all()))
        } else {
            let chooser = self.config.promotion_chooser.draw(self.dice);
            Promotion::Decision { chooser, options: self.description(kinds) }
        }
    }

    fn movement(&mut self, board: &Board, kinds: Kinds) -> Movement {
        let direction = self.direction(board);
        let symmetries = Symmetries {
            rotation: self.config.rotation_symmetry.draw(self.dice),
            forward: self.config.forward_symmetry.draw(self.dice),
            side: self.config.side_symmetry.draw(self.dice),
        };
        let kind = match self.config.movement_type.draw(self.dice) {
            MovementType::Leaper => MovementKind::Leap,
            MovementType::Rider => self.ride(board, direction),
            MovementType::Hopper => self.hop(board, kinds, direction),
        };
        Movement { kind, direction, symmetries }
    }

    /// A direction that is not ⟨0,0⟩.
    fn direction(&mut self, board: &Board) -> (u32, u32) {
        let reach = self.config.reach.draw(self.dice);
        let longest = |side: u32| trunc(f64::from(side - 1) * reach).max(1);
        loop {
            let dx = self.dice.between(0, longest(board.width));
            let dy = self.dice.between(0, longest(board.height));
            if (dx, dy) != (0, 0) {
                return (dx, dy);
            }
        }
    }

    fn ride(&mut self, board: &Board, (dx, dy): (u32, u32)) -> MovementKind {
        let longest = self.config.must_ride.draw(self.dice);
        let reach = self.config.reach.draw(self.dice);
        let leaps = trunc(reach * f64::from(longer_side(board)) / f64::from(dx.max(dy)));
        MovementKind::Ride { max: (leaps > 1).then_some(leaps), longest }
    }

    /// A hop whose shortest path fits on the board.
    fn hop(&mut self, board: &Board, kinds: Kinds, (dx, dy): (u32, u32)) -> MovementKind {
        let fits = |leaps: u32| {
            leaps.saturating_mul(dx) < board.width && leaps.saturating_mul(dy) < board.height
        };
        for _ in 0..MAX_REDRAWS {
            let hop_over = self.description(kinds);
            let before = self.count(board, &self.config.hop_before_constrained, 0, 0);
            let over = self.count(board, &self.config.hop_over_constrained, 1, 1);
            let after = self.count(board, &self.config.hop_after_constrained, 0, 1);
            let least = [before, over, after].map(|count| *count.range().start());
            if fits(least.iter().sum::<u32>() + 1) {
                return MovementKind::Hop { before, over, after, hop_over };
            }
        }
        // One leap always fits, so a hop over at most one piece does.
        let over = Count { comparison: Comparison::AtMost, number: 1 };
        let [before, after] = [Count::at_least(0); 2];
        MovementKind::Hop { before, over, after, hop_over: self.description(kinds) }
    }

    /// A condition on a number of squares: at least `free`, or constrained by a number that is at least `least`.
    fn count(&mut self, board: &Board, constrained: &Chance, free: u32, least: u32) -> Count {
        if !constrained.draw(self.dice) {
            return Count::at_least(free);
        }
        let most = trunc(f64::from(longer_side(board)) * self.config.hop_number_limit.0);
        let number = self.dice.between(least, most.max(least));
        Count { comparison: self.config.hop_comparison.draw(self.dice), number }
    }
}
