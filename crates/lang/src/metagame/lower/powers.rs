//! The moves and captures of a kind of piece.

use std::collections::BTreeMap;

use regulus_automaton::{Action, Node, Origin, Pattern, Piece, PieceSet};

use super::captures::{CaptureSets, CaptureWay, capture_ways};
use super::ways::{DirectedMovement, FREE, TAKEN, Tracks, WayWalker};
use super::{Becomes, EMPTY, Lowering, Marks};
use crate::metagame::game::{Effect, Kind, Side, StepKind};
use crate::metagame::notation::{Deed, LandingKind};

/// Nodes that several moves share.
#[derive(Default)]
pub(super) struct Nodes {
    /// Where a piece has landed, by side, kind and how it came there.
    finish: BTreeMap<(Side, Kind, LandingKind), Node>,
    /// Where a piece that may capture on has landed.
    pub(super) chain: BTreeMap<(Side, Kind), Node>,
    /// Where a step of its capture ends.
    landing: BTreeMap<(Side, Kind, LandingKind), Node>,
    /// Where a side's turn is over; and where it is, with a promotion that the other side owes.
    pub(super) after: BTreeMap<(Side, bool), Node>,
    /// Where a side chooses its main move.
    pub(super) main: BTreeMap<Side, Node>,
    /// Where captures begin that are marked first.
    pub(super) marked: BTreeMap<(Side, Kind), Node>,
}

/// Plain moves.
struct MoveWalker {
    hop_over: PieceSet,
    origin: Option<Origin>,
    to: Node,
}

impl WayWalker for MoveWalker {
    fn empty(&self) -> PieceSet {
        PieceSet::from_iter([EMPTY])
    }

    fn hop(&mut self, lowering: &mut Lowering<'_>, from: Tracks, to: Tracks) {
        if let (Some(from), Some(to)) = (from[FREE], to[FREE]) {
            lowering.on(from, &self.hop_over, to, self.origin);
        }
    }

    fn land(&mut self, lowering: &mut Lowering<'_>, from: Tracks, far: Option<(i32, i32)>) {
        let Some(from) = from[FREE] else { return };
        let empty = self.empty();
        let far = far.map(|leap| (leap, empty.clone()));
        lowering.land_on(from, &empty, far, self.to, self.origin);
    }
}

/// Captures, as moves or as a question.
struct CaptureWalker<'s> {
    sets: &'s CaptureSets,
    clobbers: bool,
    effect: Effect,
    /// What taking a piece that is hopped over means.
    deed: Deed,
    side: Side,
    origin: Option<Origin>,
    /// Where a piece lands that has taken others; `None` if only what is taken by landing counts.
    empty_to: Option<Node>,
    /// Where a piece lands on what it takes.
    clobber_to: Node,
}

impl WayWalker for CaptureWalker<'_> {
    fn empty(&self) -> PieceSet {
        PieceSet::from_iter([EMPTY])
    }

    fn hop(&mut self, lowering: &mut Lowering<'_>, from: Tracks, to: Tracks) {
        let (effect, side, origin) = ((self.effect, self.deed), self.side, self.origin);
        for (from, to_same) in from.into_iter().zip(to) {
            let (Some(from), Some(to_same)) = (from, to_same) else { continue };
            lowering.on(from, &self.sets.hopped, to_same, origin);
            if let Some(to) = to[TAKEN] {
                lowering.take(from, &self.sets.hopped_prey, effect, side, origin, to);
            }
        }
    }

    fn land(&mut self, lowering: &mut Lowering<'_>, from: Tracks, far: Option<(i32, i32)>) {
        if let (Some(to), Some(from)) = (self.empty_to, from[TAKEN]) {
            let empty = self.empty();
            let far = far.map(|leap| (leap, self.sets.further(&empty, self.clobbers)));
            lowering.land_on(from, &empty, far, to, self.origin);
        }
        if self.clobbers {
            for from in from.into_iter().flatten() {
                lowering.on(from, &self.sets.prey, self.clobber_to, self.origin);
            }
        }
    }
}

impl<'a> Lowering<'a> {
    /// Lands on one of these pieces; with `far`, only where one leap further none of those pieces stands.
    pub(super) fn land_on(
        &mut self,
        from: Node,
        set: &PieceSet,
        far: Option<((i32, i32), PieceSet)>,
        to: Node,
        origin: Option<Origin>,
    ) {
        let Some((leap, further)) = far else { return self.on(from, set, to, origin) };
        let landed = self.add_node();
        self.on(from, set, landed, origin);
        let pattern = self.pattern(|lowering, start, accept| {
            let at = lowering.leap(start, leap, origin);
            lowering.on(at, &further, accept, origin);
        });
        self.edge(landed, Action::CheckNot(pattern), to, origin);
    }

    pub(super) fn sets(&self, way: &CaptureWay<'_>, side: Side) -> CaptureSets {
        let prey = self.described(&way.capture.what, side);
        let hop_over = match &way.way.movement.step {
            StepKind::Hop { what, .. } => self.described(what, side),
            _ => PieceSet::new(),
        };
        let taken = |piece: &Piece| way.capture.hop && prey.contains(*piece);
        CaptureSets {
            hopped_prey: hop_over.iter().filter(taken).collect(),
            hopped: hop_over.iter().filter(|piece| !taken(piece)).collect(),
            prey,
        }
    }

    /// Takes what stands under the cursor away, into a hand or for good.
    fn take(
        &mut self,
        from: Node,
        prey: &PieceSet,
        (effect, deed): (Effect, Deed),
        side: Side,
        origin: Option<Origin>,
        to: Node,
    ) {
        if prey.is_empty() {
            return;
        }
        let found = self.then(from, Action::On(prey.clone()), origin);
        if self.in_pattern {
            return self.skip(found, to);
        }
        let at = self.possess(found, effect, side, None);
        self.act(at, Action::Put(EMPTY), deed, to, origin);
    }

    /// Puts a piece of the kind under the cursor, where with `marks` only its mark is, into the hand that an effect names.
    pub(super) fn possess(
        &mut self,
        from: Node,
        effect: Effect,
        side: Side,
        marks: Option<&Marks>,
    ) -> Node {
        let Effect::Possess(who) = effect else { return from };
        let receiver = who.seen_by(side);
        let joined = self.add_node();
        for kind in 0..self.game.kinds.len() {
            let Some(hand) = self.hands.get(&(receiver, kind)).copied() else { continue };
            let set: PieceSet =
                Side::BOTH.iter().filter_map(|side| self.piece(*side, kind)).collect();
            let set = marks.map_or(set.clone(), |marks| marks.of(&set));
            let found = self.then(from, Action::On(set), None);
            self.add(found, hand, 1, joined);
        }
        joined
    }

    /// Whether squares that a movement has left can come into its way again.
    fn may_return(&self) -> bool {
        self.game.board.is_cylinder
    }

    /// All moves of a side, from a node where it is in control and no promotion is owed.
    pub(super) fn moves(&mut self, side: Side, from: Node) {
        let anywhere = self.then(from, Action::Walk(self.anywhere), None);
        let mut plain_anywhere = anywhere;
        if self.game.must_capture {
            let pattern = self.any_capture(side);
            let at = self.then(from, Action::CheckNot(pattern), None);
            plain_anywhere = self.then(at, Action::Walk(self.anywhere), None);
        }
        for kind in 0..self.game.kinds.len() {
            let Some(piece) = self.piece(side, kind) else { continue };
            self.piece_moves(side, kind, piece, anywhere, plain_anywhere);
        }
        self.placements(side, anywhere);
    }

    fn piece_moves(
        &mut self,
        side: Side,
        kind: Kind,
        piece: Piece,
        anywhere: Node,
        plain_anywhere: Node,
    ) {
        let rules = &self.game.kinds[kind];
        let origin = Some(rules.origin);
        let on = || Action::On(PieceSet::from_iter([piece]));
        let has_captures = !capture_ways(self.game, kind, side).is_empty();
        let lift = |lowering: &mut Self, from: Node| {
            let lifted = lowering.add_node();
            lowering.act(from, Action::Put(EMPTY), Deed::Lift(side, kind), lifted, origin);
            lifted
        };
        let mut lifted = None;
        if has_captures {
            let found = self.then(anywhere, on(), origin);
            let captures = self.chain_start(side, kind);
            if self.pieces.marked.contains(&kind) {
                self.marked_lift(side, kind, found, Deed::Lift(side, kind));
            }
            let at = lift(self, found);
            self.skip(at, captures);
            lifted = Some(at);
        }
        if rules.moving.is_empty() {
            return;
        }
        let from = match lifted {
            Some(lifted) if !rules.must_capture && plain_anywhere == anywhere => lifted,
            _ => {
                let mut found = self.then(plain_anywhere, on(), origin);
                if has_captures && rules.must_capture && !self.game.must_capture {
                    let pattern = self.can_capture_from(side, kind);
                    found = self.then(found, Action::CheckNot(pattern), origin);
                }
                lift(self, found)
            }
        };
        let to = self.finish(side, kind, LandingKind::Plain);
        self.plain_ways(side, kind, from, to);
    }

    /// Plain moves from the square where the piece was lifted.
    fn plain_ways(&mut self, side: Side, kind: Kind, from: Node, to: Node) {
        let game = self.game;
        for movement in &game.kinds[kind].moving {
            let hop_over = match &movement.step {
                StepKind::Hop { what, .. } => self.described(what, side),
                _ => PieceSet::new(),
            };
            for way in DirectedMovement::all(movement, &game.board, side) {
                let origin = Some(movement.origin);
                let mut walker = MoveWalker { hop_over: hop_over.clone(), origin, to };
                self.way(&way, [Some(from), None], &mut walker);
            }
        }
    }

    /// Where a piece is about to capture: it is in hand, the cursor where it was.
    fn chain_start(&mut self, side: Side, kind: Kind) -> Node {
        let start = self.add_node();
        let marked = self.pieces.marked.contains(&kind);
        let continues = self.game.kinds[kind].continue_captures;
        if continues {
            let chain = self.add_node();
            self.nodes_of.chain.insert((side, kind), chain);
            let stop = self.finish(side, kind, LandingKind::Capture);
            if self.game.must_capture || self.game.kinds[kind].must_capture {
                let pattern = self.can_capture(side, kind);
                self.edge(chain, Action::CheckNot(pattern), stop, None);
            } else {
                self.skip(chain, stop);
            }
            self.skip(chain, start);
            if marked {
                self.marked_lift(side, kind, chain, Deed::Silent);
            }
        }
        let empty_to = (!marked).then(|| self.landing(side, kind, LandingKind::Capture));
        let game = self.game;
        for way in capture_ways(game, kind, side) {
            if self.is_too_large {
                break;
            }
            let clobber_to = self.landing(side, kind, LandingKind::Clobber(way.capture.effect));
            let chain = self.nodes_of.chain.get(&(side, kind)).copied();
            self.capture_way(side, &way, start, empty_to, clobber_to, chain);
        }
        start
    }

    /// Where a step of a capture ends: the move may go on, or not.
    pub(super) fn landing(&mut self, side: Side, kind: Kind, landing: LandingKind) -> Node {
        let Some(&chain) = self.nodes_of.chain.get(&(side, kind)) else {
            return self.finish(side, kind, landing);
        };
        if let Some(node) = self.nodes_of.landing.get(&(side, kind, landing)) {
            return *node;
        }
        let origin = Some(self.game.kinds[kind].origin);
        let from = self.add_node();
        self.nodes_of.landing.insert((side, kind, landing), from);
        match landing {
            LandingKind::Clobber(effect) => {
                let at = self.possess(from, effect, side, None);
                self.act(at, Action::Put(EMPTY), Deed::LandTaking(effect), chain, origin);
            }
            _ => self.act(from, Action::Put(EMPTY), Deed::Land, chain, origin),
        }
        from
    }

    /// One way to capture. Without `empty_to`, only what is taken by landing on it counts. `chain` is where the piece may go on
    /// capturing.
    fn capture_way(
        &mut self,
        side: Side,
        way: &CaptureWay<'_>,
        from: Node,
        empty_to: Option<Node>,
        clobber_to: Node,
        chain: Option<Node>,
    ) {
        let sets = self.sets(way, side);
        let (effect, origin) = (way.capture.effect, Some(way.capture.origin));
        let taken = (way.takes_elsewhere() && empty_to.is_some()).then(|| self.add_node());
        let mut tracks = [Some(from), taken];
        if way.capture.retrieve {
            tracks[FREE] = Some(self.nothing_behind(way, &sets.prey, from));
            if let Some(track) = tracks[TAKEN] {
                let behind = self.leap_back(from, &way.way, origin);
                let taken = self.add_node();
                self.take(behind, &sets.prey, (effect, Deed::Take(effect)), side, origin, taken);
                let back = self.leap(taken, way.way.leap, origin);
                self.skip(back, track);
            }
        }
        let clobbers = way.capture.clobber;
        let mut deed = Deed::Take(effect);
        let mut empty_to = empty_to;
        // Where the piece lands need not be written if the piece that is taken tells it.
        if let (Some(chain), Some(leap), Some(_)) = (chain, way.lands(), empty_to) {
            deed = Deed::TakeAndLand(effect, leap);
            empty_to = Some(chain);
        }
        let mut walker = CaptureWalker {
            sets: &sets,
            clobbers,
            effect,
            deed,
            side,
            origin,
            empty_to,
            clobber_to,
        };
        self.way(&way.way, tracks, &mut walker);
    }

    /// Where nothing behind the piece can be taken.
    pub(super) fn nothing_behind(
        &mut self,
        way: &CaptureWay<'_>,
        prey: &PieceSet,
        from: Node,
    ) -> Node {
        let origin = Some(way.capture.origin);
        let pattern = self.pattern(|lowering, start, accept| {
            let at = lowering.leap_back(start, &way.way, origin);
            lowering.on(at, prey, accept, origin);
        });
        self.then(from, Action::CheckNot(pattern), origin)
    }

    /// Whether a piece can capture, asked where it was lifted.
    fn can_capture(&mut self, side: Side, kind: Kind) -> Pattern {
        if let Some(pattern) = self.captures.get(&(side, kind)) {
            return *pattern;
        }
        let game = self.game;
        let pattern = self.pattern(|lowering, start, accept| {
            for way in capture_ways(game, kind, side) {
                if lowering.is_too_large {
                    break;
                }
                lowering.capture_way(side, &way, start, Some(accept), accept, None);
            }
        });
        self.captures.insert((side, kind), pattern);
        pattern
    }

    /// Whether a piece can capture, asked where it stands.
    fn can_capture_from(&mut self, side: Side, kind: Kind) -> Pattern {
        let pattern = self.can_capture(side, kind);
        if !self.may_return() {
            return pattern;
        }
        self.pattern(|lowering, start, accept| {
            let lifted = lowering.then(start, Action::Put(EMPTY), None);
            lowering.edge(lifted, Action::Check(pattern), accept, None);
        })
    }

    /// Within a pattern: whether a piece of a side can capture, or, with `moves`, move at all.
    fn ask_pieces(&mut self, side: Side, anywhere: Node, moves: bool, accept: Node) {
        for kind in 0..self.game.kinds.len() {
            let Some(piece) = self.piece(side, kind) else { continue };
            let has_captures = !capture_ways(self.game, kind, side).is_empty();
            let has_moves = moves && !self.game.kinds[kind].moving.is_empty();
            if !has_captures && !has_moves {
                continue;
            }
            let on = Action::On(PieceSet::from_iter([piece]));
            let mut at = self.then(anywhere, on, None);
            if self.may_return() {
                at = self.then(at, Action::Put(EMPTY), None);
            }
            if has_captures {
                let pattern = self.can_capture(side, kind);
                self.edge(at, Action::Check(pattern), accept, None);
            }
            // Where plain moves are forbidden, there is a capture.
            if has_moves {
                self.plain_ways(side, kind, at, accept);
            }
        }
    }

    /// Whether any piece of a side can capture.
    fn any_capture(&mut self, side: Side) -> Pattern {
        self.pattern(|lowering, start, accept| {
            let anywhere = lowering.then(start, Action::Walk(lowering.anywhere), None);
            lowering.ask_pieces(side, anywhere, false, accept);
        })
    }

    /// Within a pattern: whether a side has a move.
    pub(super) fn ask_moves(&mut self, side: Side, from: Node, accept: Node) {
        let anywhere = self.then(from, Action::Walk(self.anywhere), None);
        self.ask_pieces(side, anywhere, true, accept);
        self.ask_placements(side, anywhere, accept);
    }

    /// Where a piece has landed for good, the cursor there: it is put down, and perhaps promoted.
    pub(super) fn finish(&mut self, side: Side, kind: Kind, landing: LandingKind) -> Node {
        if let Some(node) = self.nodes_of.finish.get(&(side, kind, landing)) {
            return *node;
        }
        let node = self.add_node();
        self.nodes_of.finish.insert((side, kind, landing), node);
        let Some(piece) = self.piece(side, kind) else { return node };
        let origin = Some(self.game.kinds[kind].origin);
        let effect = match landing {
            LandingKind::Clobber(effect) => effect,
            LandingKind::Plain | LandingKind::Capture => Effect::Remove,
        };
        let board = &self.game.board;
        let [inside, outside] = self.squares(|place| board.promotes(place, side));
        let becomes =
            if inside.is_empty() { Becomes::Fixed(piece) } else { self.becomes(side, kind, piece) };
        let after = self.after(side, false);
        let ends = |lowering: &mut Self, from: Node, to: Node| {
            lowering.act(from, Action::Keeper, Deed::End(landing), to, origin);
        };
        let mut from = node;
        if let Becomes::Chosen(options) = &becomes {
            let at = self.then(node, Action::At(inside.clone()), origin);
            let at = self.possess(at, effect, side, None);
            let promoted = self.add_node();
            for &(owner, kind) in options {
                let Some(piece) = self.piece(owner, kind) else { continue };
                self.act(at, Action::Put(piece), Deed::Promote(owner, kind), promoted, origin);
            }
            ends(self, promoted, after);
            if outside.is_empty() {
                return node;
            }
            from = self.then(node, Action::At(outside.clone()), origin);
        }
        let kept = self.add_node();
        ends(self, from, kept);
        let at = self.possess(kept, effect, side, None);
        match becomes {
            Becomes::Chosen(_) => self.edge(at, Action::Put(piece), after, origin),
            Becomes::Fixed(next) if next == piece => {
                self.edge(at, Action::Put(piece), after, origin);
            }
            Becomes::Fixed(next) => {
                for (squares, becomes) in [(inside, next), (outside, piece)] {
                    if !squares.is_empty() {
                        let at = self.then(at, Action::At(squares), origin);
                        self.edge(at, Action::Put(becomes), after, origin);
                    }
                }
            }
            Becomes::Owed => {
                let put = self.then(at, Action::Put(piece), origin);
                let owed = self.after(side, true);
                for (squares, to) in [(inside, owed), (outside, after)] {
                    if !squares.is_empty() {
                        self.edge(put, Action::At(squares), to, origin);
                    }
                }
            }
        }
        node
    }
}
