//! Captures that two ways could make alike, or that come across what they have captured.
//!
//! A capture is its squares and not the way in which it was made; but edges that belong to different ways are different. So
//! where two ways could take the same pieces and land on the same square, what is taken is only marked at first. Then the
//! way is refused if one that comes before it would have marked the same; and what is marked is taken away along the way.
//!
//! ```text
//! lift, leaving `from` ─ way i, marking ─ not (way j < i, finding just these marks) ─ `landed` ─ way i, clearing ─▶
//! ```

use regulus_automaton::{Action, Expression, Node, Origin, Piece, PieceSet, Register, Relation};

use super::captures::{CaptureSets, CaptureWay, capture_ways, may_agree, union};
use super::ways::{FREE, TAKEN, Tracks, WayWalker};
use super::{EMPTY, Lowering, Marks, sum};
use crate::metagame::game::{Effect, Kind, Side};
use crate::metagame::notation::{Deed, LandingKind};

/// Marks what is taken.
struct Marking<'s> {
    sets: &'s CaptureSets,
    marks: &'s Marks,
    clobbers: bool,
    effect: Effect,
    origin: Option<Origin>,
    to: Node,
}

/// Looks whether a way takes just what is marked.
struct Comparing<'s> {
    sets: &'s CaptureSets,
    marks: &'s Marks,
    clobbers: bool,
    /// Whether it takes a piece only where it lands.
    only_lands: bool,
    origin: Option<Origin>,
    to: Node,
}

impl Marks {
    fn empty(&self) -> PieceSet {
        PieceSet::from_iter([EMPTY, self.origin])
    }

    /// The marks of these pieces.
    pub(super) fn of(&self, set: &PieceSet) -> PieceSet {
        set.iter().filter_map(|piece| self.taken.get(&piece).copied()).collect()
    }
}

impl Marking<'_> {
    fn mark(&self, lowering: &mut Lowering<'_>, from: Node, set: &PieceSet, to: Node) {
        lowering.on(from, &self.marks.of(set), to, self.origin);
        for piece in set.iter() {
            let Some(mark) = self.marks.taken.get(&piece).copied() else { continue };
            let found = lowering.then(from, Action::On(PieceSet::from_iter([piece])), self.origin);
            lowering.act(found, Action::Put(mark), Deed::Take(self.effect), to, self.origin);
        }
    }
}

impl WayWalker for Marking<'_> {
    fn empty(&self) -> PieceSet {
        self.marks.empty()
    }

    fn hop(&mut self, lowering: &mut Lowering<'_>, from: Tracks, to: Tracks) {
        let stays = union(&self.sets.hopped, &self.marks.of(&self.sets.hopped));
        for (from, to_same) in from.into_iter().zip(to) {
            let (Some(from), Some(to_same)) = (from, to_same) else { continue };
            lowering.on(from, &stays, to_same, self.origin);
            if let Some(to) = to[TAKEN] {
                self.mark(lowering, from, &self.sets.hopped_prey, to);
            }
        }
    }

    fn land(&mut self, lowering: &mut Lowering<'_>, from: Tracks, far: Option<(i32, i32)>) {
        let Some(from) = from[TAKEN] else { return };
        let empty = self.empty();
        if self.clobbers {
            self.mark(lowering, from, &self.sets.prey, self.to);
        }
        let far = far.map(|leap| (leap, self.sets.further(&empty, self.clobbers)));
        lowering.land_on(from, &empty, far, self.to, self.origin);
    }
}

impl Comparing<'_> {
    fn find(
        &self,
        lowering: &mut Lowering<'_>,
        from: Node,
        set: &PieceSet,
        to: Node,
        seen: &[Piece],
    ) {
        let hoppable = |piece: &Piece| {
            self.sets.hopped_prey.contains(*piece) || self.sets.hopped.contains(*piece)
        };
        let [hopped, other] = self.marks.seen;
        for (wanted, mark) in [(true, hopped), (false, other)] {
            let part: PieceSet = set.iter().filter(|piece| hoppable(piece) == wanted).collect();
            let part = self.marks.of(&part);
            if !part.is_empty() {
                let found = lowering.then(from, Action::On(part), self.origin);
                lowering.edge(found, Action::Put(mark), to, self.origin);
            }
        }
        lowering.on(from, &seen.iter().copied().collect(), to, self.origin);
    }
}

impl WayWalker for Comparing<'_> {
    fn empty(&self) -> PieceSet {
        self.marks.empty()
    }

    fn hop(&mut self, lowering: &mut Lowering<'_>, from: Tracks, to: Tracks) {
        // What was seen already and is hopped over is not found again.
        let mut stays = union(&self.sets.hopped, &self.marks.of(&self.sets.hopped));
        stays.insert(self.marks.seen[0]);
        for (from, to_same) in from.into_iter().zip(to) {
            let (Some(from), Some(to_same)) = (from, to_same) else { continue };
            lowering.on(from, &stays, to_same, self.origin);
            if let Some(to) = to[TAKEN] {
                self.find(lowering, from, &self.sets.hopped_prey, to, &[]);
            }
        }
    }

    fn land(&mut self, lowering: &mut Lowering<'_>, from: Tracks, far: Option<(i32, i32)>) {
        let Some(from) = from[if self.only_lands { FREE } else { TAKEN }] else { return };
        if self.clobbers {
            let prey = self.sets.prey.clone();
            let seen = self.marks.seen;
            self.find(lowering, from, &prey, self.to, &seen);
        }
        if !self.only_lands {
            let empty = self.empty();
            let far = far.map(|leap| (leap, self.sets.further(&empty, self.clobbers)));
            lowering.land_on(from, &empty, far, self.to, self.origin);
        }
    }
}

impl Lowering<'_> {
    /// Lifts a piece, or takes it from where it has landed, for captures that are marked first.
    pub(super) fn marked_lift(&mut self, side: Side, kind: Kind, from: Node, deed: Deed) {
        let Some(marks) = self.pieces.marks.clone() else { return };
        let origin = Some(self.game.kinds[kind].origin);
        let start = match self.nodes_of.marked.get(&(side, kind)) {
            Some(start) => *start,
            None => {
                let start = self.add_node();
                self.nodes_of.marked.insert((side, kind), start);
                self.marked_ways(side, kind, start, &marks);
                start
            }
        };
        self.act(from, Action::Put(marks.origin), deed, start, origin);
    }

    fn marked_ways(&mut self, side: Side, kind: Kind, start: Node, marks: &Marks) {
        let game = self.game;
        let all = capture_ways(game, kind, side);
        let ways: Vec<CaptureWay<'_>> =
            all.iter().copied().filter(CaptureWay::takes_elsewhere).collect();
        let target = self.target();
        for (index, way) in ways.iter().enumerate() {
            if self.is_too_large {
                return;
            }
            let origin = Some(way.capture.origin);
            let sets = self.sets(way, side);
            let landed = self.add_node();
            let mut walker = Marking {
                sets: &sets,
                marks,
                clobbers: way.capture.clobber,
                effect: way.capture.effect,
                origin,
                to: landed,
            };
            let marked = self.add_node();
            let mut tracks = [Some(start), Some(marked)];
            if way.capture.retrieve {
                tracks[FREE] = Some(self.nothing_behind(way, &sets.prey, start));
                let behind = self.leap_back(start, &way.way, origin);
                let taken = self.add_node();
                walker.mark(self, behind, &sets.prey, taken);
                let back = self.leap(taken, way.way.leap, origin);
                self.skip(back, marked);
            }
            self.way(&way.way, tracks, &mut walker);
            // What earlier ways do alike.
            let same_effect = |other: &&CaptureWay<'_>| other.capture.effect == way.capture.effect;
            let lands = all.iter().filter(same_effect).filter(|other| other.capture.clobber);
            let earlier = ways[..index].iter().filter(|other| may_agree(game, way, other));
            let rivals: Vec<(CaptureWay<'_>, bool)> = lands
                .map(|other| (*other, true))
                .chain(earlier.map(|other| (*other, false)))
                .collect();
            let mut at = landed;
            if !rivals.is_empty() {
                let pattern = self.pattern(|lowering, start, accept| {
                    lowering.compare_marks(side, &rivals, marks, target, start, accept);
                });
                at = self.then(landed, Action::CheckNot(pattern), origin);
            }
            self.clear(side, kind, way, marks, at);
        }
    }

    /// A register for the square where a capture lands; only patterns write it.
    fn target(&mut self) -> Register {
        let name = "target";
        let known = self.draft.registers.iter().find(|(_, register)| *register == name);
        match known.map(|(register, _)| register) {
            Some(register) => register,
            None => self.draft.registers.push(name.to_owned()),
        }
    }

    /// Within a pattern: whether one of the ways leads from the mark `from` to the cursor and takes just what is marked.
    fn compare_marks(
        &mut self,
        side: Side,
        ways: &[(CaptureWay<'_>, bool)],
        marks: &Marks,
        target: Register,
        from: Node,
        accept: Node,
    ) {
        let saved = self.then(from, Action::Save(target), None);
        let anywhere = self.then(saved, Action::Walk(self.anywhere), None);
        let start = self.then(anywhere, Action::On(PieceSet::from_iter([marks.origin])), None);
        let end = self.add_node();
        for (way, only_lands) in ways {
            if self.is_too_large {
                return;
            }
            let origin = Some(way.capture.origin);
            let sets = self.sets(way, side);
            let mut walker = Comparing {
                sets: &sets,
                marks,
                clobbers: way.capture.clobber,
                only_lands: *only_lands,
                origin,
                to: end,
            };
            let found = (!only_lands).then(|| self.add_node());
            let mut tracks = [Some(start), found];
            if way.capture.retrieve {
                let prey = union(&sets.prey, &marks.of(&sets.prey));
                tracks[FREE] = Some(self.nothing_behind(way, &prey, start));
                if let Some(track) = found {
                    let behind = self.leap_back(start, &way.way, origin);
                    let taken = self.add_node();
                    walker.find(self, behind, &sets.prey, taken, &[]);
                    let back = self.leap(taken, way.way.leap, origin);
                    self.skip(back, track);
                }
            }
            self.way(&way.way, tracks, &mut walker);
        }
        let equal = |coordinate: fn(Register) -> Expression| {
            Action::Compare(coordinate(Register::CURSOR), Relation::Equal, coordinate(target))
        };
        let at = self.then(end, equal(Expression::Column), None);
        let at = self.then(at, equal(Expression::Row), None);
        let at = self.compare(at, left(marks), Relation::Equal, 0);
        self.skip(at, accept);
    }

    /// Takes what is marked away along a way, and ends the step where the cursor is.
    fn clear(&mut self, side: Side, kind: Kind, way: &CaptureWay<'_>, marks: &Marks, from: Node) {
        let (effect, origin) = (way.capture.effect, Some(way.capture.origin));
        let taken: PieceSet = marks.taken.values().copied().collect();
        // What is taken where the piece lands goes first.
        let landing = self.add_node();
        self.on(from, &marks.empty(), landing, origin);
        let found = self.then(from, Action::On(taken.clone()), origin);
        let at = self.possess(found, effect, side, Some(marks));
        self.skip(at, landing);
        let landed = self.add_node();
        self.act(landing, Action::Put(marks.landed), Deed::Land, landed, origin);
        // Back to where the piece came from.
        let came_from = Expression::Count(marks.origin);
        let start = self.add_node();
        let elsewhere = self.compare(landed, came_from.clone(), Relation::Greater, 0);
        let elsewhere = self.then(elsewhere, Action::Walk(self.anywhere), None);
        let elsewhere = self.then(elsewhere, Action::On(PieceSet::from_iter([marks.origin])), None);
        self.act(elsewhere, Action::Put(EMPTY), Deed::Silent, start, origin);
        let here = self.compare(landed, came_from, Relation::Equal, 0);
        self.skip(here, start);
        // Behind it.
        let mut at = start;
        let done = self.add_node();
        if way.capture.retrieve {
            at = self.add_node();
            let none = self.nothing_behind(way, &taken, start);
            self.skip(none, at);
            let behind = self.leap_back(start, &way.way, origin);
            let found = self.then(behind, Action::On(taken.clone()), origin);
            let cleared = self.clear_one(found, effect, side, marks, origin);
            let back = self.leap(cleared, way.way.leap, origin);
            self.skip(back, at);
        }
        // And along the way.
        let walk = self.add_node();
        self.skip(at, walk);
        let next = self.leap(walk, way.way.leap, origin);
        let others: PieceSet = (0..self.pieces.names.len() as u32)
            .map(Piece)
            .filter(|piece| !taken.contains(*piece))
            .collect();
        self.on(next, &others, walk, origin);
        let found = self.then(next, Action::On(taken), origin);
        let cleared = self.clear_one(found, effect, side, marks, origin);
        self.skip(cleared, walk);
        let over = self.compare(walk, left(marks), Relation::Equal, 0);
        self.skip(over, done);
        // There the piece is.
        let anywhere = self.then(done, Action::Walk(self.anywhere), None);
        let at = self.then(anywhere, Action::On(PieceSet::from_iter([marks.landed])), None);
        match self.nodes_of.chain.get(&(side, kind)).copied() {
            Some(chain) => self.act(at, Action::Put(EMPTY), Deed::Silent, chain, origin),
            None => {
                let finish = self.finish(side, kind, LandingKind::Capture);
                self.skip(at, finish);
            }
        }
    }

    fn clear_one(
        &mut self,
        from: Node,
        effect: Effect,
        side: Side,
        marks: &Marks,
        origin: Option<Origin>,
    ) -> Node {
        let at = self.possess(from, effect, side, Some(marks));
        let cleared = self.add_node();
        self.act(at, Action::Put(EMPTY), Deed::Silent, cleared, origin);
        cleared
    }
}

/// How many marks of taken pieces there are.
fn left(marks: &Marks) -> Expression {
    sum(marks.taken.values().map(|mark| Expression::Count(*mark)))
}
