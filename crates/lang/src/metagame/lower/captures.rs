//! The ways in which a kind of piece captures, and the sets of pieces they ask for.
//!
//! [`super::powers`] makes edges of them; here nothing is added to the automaton.

use regulus_automaton::PieceSet;

use super::ways::DirectedMovement;
use crate::metagame::game::{Amount, Capture, Game, Kind, Side, StepKind};

/// One direction of one movement of one way to capture.
#[derive(Clone, Copy)]
pub(super) struct CaptureWay<'a> {
    pub(super) capture: &'a Capture,
    pub(super) way: DirectedMovement<'a>,
}

impl CaptureWay<'_> {
    /// Whether it may take a piece elsewhere than where it lands.
    pub(super) fn takes_elsewhere(&self) -> bool {
        self.capture.retrieve || self.takes_by_hopping()
    }

    /// Where the piece lands, seen from the one piece that it takes; `None` if that may differ.
    pub(super) fn lands(&self) -> Option<(i32, i32)> {
        let Capture { retrieve: false, clobber: false, hop: true, .. } = self.capture else {
            return None;
        };
        let StepKind::Hop { over: Amount::Exactly(1), after: Amount::Exactly(after), .. } =
            self.way.movement.step
        else {
            return None;
        };
        let leaps = i32::try_from(after).ok()?.checked_add(1)?;
        let (x, y) = self.way.leap;
        Some((x.checked_mul(leaps)?, y.checked_mul(leaps)?))
    }

    pub(super) fn takes_by_hopping(&self) -> bool {
        self.capture.hop && matches!(self.way.movement.step, StepKind::Hop { .. })
    }
}

/// All ways in which a kind of piece captures.
pub(super) fn capture_ways(game: &Game, kind: Kind, side: Side) -> Vec<CaptureWay<'_>> {
    let captures = game.kinds[kind].capturing.iter();
    let ways = captures.flat_map(|capture| {
        let movements = capture.movements.iter();
        let ways =
            movements.flat_map(|movement| DirectedMovement::all(movement, &game.board, side));
        ways.map(move |way| CaptureWay { capture, way })
    });
    ways.collect()
}

/// Whether two ways may make the same capture, or one may come across what it has captured itself.
pub(super) fn needs_marks(game: &Game, kind: Kind) -> bool {
    let ways = capture_ways(game, kind, Side::White);
    let ways: Vec<_> = ways.into_iter().filter(CaptureWay::takes_elsewhere).collect();
    ways.iter().enumerate().any(|(index, one)| {
        one.way.ring.is_some() || ways[..index].iter().any(|other| may_agree(game, one, other))
    })
}

/// Whether two ways that take pieces elsewhere may lead to the same square and take the same pieces.
pub(super) fn may_agree(game: &Game, one: &CaptureWay<'_>, other: &CaptureWay<'_>) -> bool {
    if one.capture.effect != other.capture.effect {
        return false;
    }
    if game.board.is_cylinder {
        return true;
    }
    let ((ax, ay), (bx, by)) = (one.way.leap, other.way.leap);
    let same_line = i64::from(ax) * i64::from(by) == i64::from(ay) * i64::from(bx);
    let same_way = i64::from(ax) * i64::from(bx) + i64::from(ay) * i64::from(by) > 0;
    // What is taken behind the piece says how long a leap was.
    let by_hopping = one.takes_by_hopping() && other.takes_by_hopping();
    same_line && same_way && (by_hopping || one.way.leap == other.way.leap)
}

/// The pieces that matter to a way to capture.
#[derive(Clone)]
pub(super) struct CaptureSets {
    /// What can be taken.
    pub(super) prey: PieceSet,
    /// What can be hopped over, and is taken then.
    pub(super) hopped_prey: PieceSet,
    /// What can be hopped over, and stays.
    pub(super) hopped: PieceSet,
}

impl CaptureSets {
    /// What a piece that has landed on an empty square could also land on.
    pub(super) fn further(&self, empty: &PieceSet, clobbers: bool) -> PieceSet {
        if clobbers { union(empty, &self.prey) } else { empty.clone() }
    }
}

/// The pieces of both sets.
pub(super) fn union(one: &PieceSet, other: &PieceSet) -> PieceSet {
    one.iter().chain(other.iter()).collect()
}
