//! Movements along one direction.

use regulus_automaton::{Action, Node, Origin, PieceSet, Table, WalkTable};

use super::Lowering;
use crate::metagame::game::{Amount, BoardRules, Movement, Side, StepKind};
use crate::rectangle;

/// On boards with at most this many squares a leap is one step, not one for each file and rank.
const MAX_TABLE: usize = 512;

/// A movement along one of its directions.
#[derive(Clone, Copy, Debug)]
pub(super) struct DirectedMovement<'a> {
    pub(super) movement: &'a Movement,
    /// Files to the right and ranks up of one leap.
    pub(super) leap: (i32, i32),
    /// How many leaps stay on the board at most.
    bound: u32,
    /// After how many leaps a piece is back where it was, on a ring round a cylinder.
    pub(super) ring: Option<u32>,
}

/// How often something is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Repeats {
    min: u32,
    /// `None` means without end.
    max: Option<u32>,
}

impl<'a> DirectedMovement<'a> {
    /// All ways of a movement that can lead anywhere.
    pub(super) fn all(
        movement: &'a Movement,
        board: &BoardRules,
        side: Side,
    ) -> Vec<DirectedMovement<'a>> {
        let directions = movement.directions(board, side).into_iter();
        directions.filter_map(|leap| DirectedMovement::new(movement, board, leap)).collect()
    }

    fn new(
        movement: &'a Movement,
        board: &BoardRules,
        leap: (i32, i32),
    ) -> Option<DirectedMovement<'a>> {
        let (x, y) = (leap.0.unsigned_abs(), leap.1.unsigned_abs());
        let ring = (board.is_cylinder && y == 0).then(|| board.width / gcd(board.width, x));
        let files = if board.is_cylinder || x == 0 { u32::MAX } else { (board.width - 1) / x };
        let ranks = (board.height - 1).checked_div(y).unwrap_or(u32::MAX);
        let bound = ring.unwrap_or(files.min(ranks));
        (bound > 0).then_some(DirectedMovement { movement, leap, bound, ring })
    }

    /// One leap backwards.
    fn opposite(&self) -> (i32, i32) {
        (-self.leap.0, -self.leap.1)
    }

    /// How often empty squares come in a row; `None` if that is impossible.
    fn empties(&self, amount: Amount) -> Option<Repeats> {
        // Once all squares of a ring are known to be empty, only where the piece is matters.
        let around = |number: u32| match self.ring {
            Some(ring) if number >= 2 * ring => ring + number % ring,
            _ => number,
        };
        match (amount, self.ring) {
            (Amount::Exactly(n), _) => Some(Repeats { min: around(n), max: Some(around(n)) }),
            (Amount::AtMost(n), None) => {
                Some(Repeats { min: 0, max: (n < self.bound).then_some(n) })
            }
            (Amount::AtMost(n), Some(ring)) => Some(Repeats { min: 0, max: Some(n.min(2 * ring)) }),
            (Amount::AtLeast(n), None) => Some(Repeats { min: n, max: None }),
            (Amount::AtLeast(n), Some(ring)) => {
                (n <= ring).then_some(Repeats { min: n, max: Some(ring) })
            }
        }
        .filter(|times| self.ring.is_some() || times.min < self.bound)
    }

    /// How often pieces come in a row; `None` if that is impossible.
    fn pieces(&self, amount: Amount) -> Option<Repeats> {
        // The square where the piece came from is empty, so a ring is never full.
        let most = self.ring.map_or(self.bound, |ring| ring - 1);
        let times = match amount {
            Amount::Exactly(n) => Repeats { min: n, max: Some(n) },
            Amount::AtMost(n) => Repeats { min: 0, max: Some(n.min(most)) },
            Amount::AtLeast(n) => Repeats { min: n, max: self.ring.map(|_| most) },
        };
        (times.min <= most).then_some(times)
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether something has been captured already, for a place on a way: a node for each answer that is possible.
pub(super) type Tracks = [Option<Node>; 2];

/// Whether nothing has been captured yet.
pub(super) const FREE: usize = 0;
/// Whether something has been captured.
pub(super) const TAKEN: usize = 1;

/// What a way does on its squares.
pub(super) trait WayWalker {
    /// What counts as an empty square.
    fn empty(&self) -> PieceSet;

    /// Lowers a step over a piece that is hopped over, from track to track.
    fn hop(&mut self, lowering: &mut Lowering<'_>, from: Tracks, to: Tracks);

    /// Lowers what may stand on the last square. `far` says whether the way must end here if it can go no further:
    /// the square after it must not allow to go on.
    fn land(&mut self, lowering: &mut Lowering<'_>, from: Tracks, far: Option<(i32, i32)>);
}

impl Lowering<'_> {
    pub(super) fn leap(&mut self, from: Node, (x, y): (i32, i32), origin: Option<Origin>) -> Node {
        let squares = self.draft.board.squares.len();
        if x.abs() + y.abs() > 1 && squares <= MAX_TABLE {
            let table = self.leap_table((x, y));
            return self.then(from, Action::Walk(table), origin);
        }
        let mut at = from;
        for direction in rectangle::way(x, y) {
            at = self.then(at, Action::Shift(direction), origin);
        }
        at
    }

    /// Where a leap leads from every square.
    fn leap_table(&mut self, leap: (i32, i32)) -> Table {
        if let Some(table) = self.leaps.get(&leap) {
            return *table;
        }
        let board = &self.game.board;
        let rows = board.places().map(|place| {
            let target = board.step(place, leap);
            target.map(|target| self.square(target)).into_iter().collect()
        });
        let rows = rows.collect();
        let table = self.draft.tables.push(WalkTable::PerSquare(rows));
        self.leaps.insert(leap, table);
        table
    }

    pub(super) fn leap_back(
        &mut self,
        from: Node,
        way: &DirectedMovement<'_>,
        origin: Option<Origin>,
    ) -> Node {
        self.leap(from, way.opposite(), origin)
    }

    /// New nodes for the same answers.
    fn tracks(&mut self, like: Tracks) -> Tracks {
        like.map(|node| node.map(|_| self.add_node()))
    }

    fn leap_both(&mut self, from: Tracks, way: &DirectedMovement<'_>) -> Tracks {
        let origin = Some(way.movement.origin);
        from.map(|node| node.map(|node| self.leap(node, way.leap, origin)))
    }

    /// One leap onto an empty square.
    fn over_empty(
        &mut self,
        way: &DirectedMovement<'_>,
        empty: &PieceSet,
        from: Tracks,
        to: Tracks,
    ) {
        let at = self.leap_both(from, way);
        for (from, to) in at.into_iter().zip(to) {
            if let (Some(from), Some(to)) = (from, to) {
                self.on(from, empty, to, Some(way.movement.origin));
            }
        }
    }

    /// Repeats a step; returns where it has been repeated often enough.
    fn repeat(
        &mut self,
        from: Tracks,
        times: Repeats,
        step: &mut impl FnMut(&mut Self, Tracks, Tracks),
    ) -> Tracks {
        let mut at = from;
        for _ in 0..times.min {
            let next = self.tracks(at);
            step(self, at, next);
            at = next;
            if self.is_too_large {
                return at;
            }
        }
        let end = self.tracks(at);
        let leave = |lowering: &mut Self, at: Tracks| {
            for (from, to) in at.into_iter().zip(end) {
                if let (Some(from), Some(to)) = (from, to) {
                    lowering.skip(from, to);
                }
            }
        };
        leave(self, at);
        match times.max {
            None => step(self, end, end),
            Some(max) => {
                for _ in times.min..max {
                    let next = self.tracks(at);
                    step(self, at, next);
                    leave(self, next);
                    at = next;
                    if self.is_too_large {
                        return at;
                    }
                }
            }
        }
        end
    }

    /// Lowers a way from the square where the piece was lifted; the walker says what happens on it.
    pub(super) fn way(
        &mut self,
        way: &DirectedMovement<'_>,
        from: Tracks,
        walker: &mut impl WayWalker,
    ) {
        let empty = walker.empty();
        match &way.movement.step {
            StepKind::Leap => {
                let at = self.leap_both(from, way);
                walker.land(self, at, None);
            }
            StepKind::Ride { min, max, longest } => {
                self.ride(way, from, min.unwrap_or(1), *max, *longest, walker);
            }
            StepKind::Hop { before, over, after, .. } => {
                let (Some(before), Some(over), Some(after)) =
                    (way.empties(*before), way.pieces(*over), way.empties(*after))
                else {
                    return;
                };
                let mut over_empty = |lowering: &mut Self, from: Tracks, to: Tracks| {
                    lowering.over_empty(way, &empty, from, to);
                };
                let at = self.repeat(from, before, &mut over_empty);
                let at = self.repeat(at, over, &mut |lowering, from, to| {
                    let at = lowering.leap_both(from, way);
                    walker.hop(lowering, at, to);
                });
                let at = self.repeat(at, after, &mut over_empty);
                let at = self.leap_both(at, way);
                walker.land(self, at, None);
            }
        }
    }

    fn ride(
        &mut self,
        way: &DirectedMovement<'_>,
        from: Tracks,
        min: u32,
        max: Option<u32>,
        longest: bool,
        walker: &mut impl WayWalker,
    ) {
        let empty = walker.empty();
        let mut over_empty = |lowering: &mut Self, from: Tracks, to: Tracks| {
            lowering.over_empty(way, &empty, from, to);
        };
        if let Some(ring) = way.ring {
            let max = max.unwrap_or(ring);
            // After a whole round all squares are empty, and only where the piece ends matters.
            let ends = |leaps: u32| {
                let first = if leaps <= ring || leaps >= min {
                    leaps
                } else {
                    leaps + (min - leaps).div_ceil(ring) * ring
                };
                (min..=max).contains(&first)
            };
            let last = (1..=2 * ring).rev().find(|leaps| ends(*leaps)).unwrap_or(0);
            let mut at = from;
            for leaps in 1..=last {
                if ends(leaps) {
                    let landing = self.leap_both(at, way);
                    walker.land(self, landing, None);
                }
                if leaps < last {
                    let next = self.tracks(at);
                    over_empty(self, at, next);
                    at = next;
                }
                if self.is_too_large {
                    return;
                }
            }
            return;
        }
        let last = max.filter(|max| *max < way.bound);
        if min > last.unwrap_or(way.bound) {
            return;
        }
        let at = self.repeat(from, Repeats { min: min - 1, max: Some(min - 1) }, &mut over_empty);
        let far = (longest && !self.game.board.is_cylinder).then_some(way.leap);
        let Some(last) = last else {
            let at = self.repeat(at, Repeats { min: 0, max: None }, &mut over_empty);
            let landing = self.leap_both(at, way);
            walker.land(self, landing, far);
            return;
        };
        if far.is_none() {
            let times = Repeats { min: 0, max: Some(last - min) };
            let at = self.repeat(at, times, &mut over_empty);
            let landing = self.leap_both(at, way);
            walker.land(self, landing, None);
            return;
        }
        // The longest ride that is allowed need not look further.
        let mut at = at;
        for leaps in min..=last {
            let landing = self.leap_both(at, way);
            walker.land(self, landing, far.filter(|_| leaps < last));
            let next = self.tracks(at);
            over_empty(self, at, next);
            at = next;
            if self.is_too_large {
                return;
            }
        }
    }
}
