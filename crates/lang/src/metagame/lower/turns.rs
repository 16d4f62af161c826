//! What comes before a move and after it: goals, limits, setup and hands.

use regulus_automaton::{
    Action, Expression, IdVec, Node, Pattern, PieceSet, Player, Reason, Relation, Repetition,
    Table, Variable, WalkTable,
};

use super::{Becomes, Lowering, TURNS, WIN, sum};
use crate::metagame::game::{Assigner, Description, Goal, Kind, Setup, Side, Who};
use crate::metagame::notation::{Deed, LandingKind};

/// What it means when the player to move has no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stuck {
    Wins(Who),
    Draws,
}

impl Lowering<'_> {
    /// The whole game.
    pub(super) fn game(&mut self) {
        let text = "{stuck} has no legal move".to_owned();
        self.draft.endings.stuck = Some(Reason { text, drawn: None });
        self.repetition();
        let mut at = self.draft.start;
        if self.stuck() == Stuck::Draws {
            at = self.scores(at, None);
        }
        match &self.game.setup {
            Setup::Assigned { by: Assigner::Random, .. } | Setup::Fixed(_) => {
                let begin = self.begin[Side::White as usize];
                self.skip(at, begin);
            }
            Setup::Assigned { by, pieces, squares } => {
                let (by, pieces, squares) = (*by, pieces.clone(), squares.clone());
                self.setup(at, by, &pieces, &squares);
            }
        }
        for side in Side::BOTH {
            self.turn(side, false);
            if self.nodes_of.after.contains_key(&(side.other(), true)) || self.owes(side.other()) {
                self.turn(side, true);
            }
        }
    }

    /// Whether the other player ever has to promote a piece of a side.
    fn owes(&self, side: Side) -> bool {
        (0..self.game.kinds.len()).any(|kind| self.owed(side, kind).is_some())
    }

    /// What the other player may make of a piece of a side.
    fn owed(&self, side: Side, kind: Kind) -> Option<Vec<(Side, Kind)>> {
        let piece = self.piece(side, kind)?;
        match (self.becomes(side, kind, piece), &self.game.kinds[kind].promoting) {
            (Becomes::Owed, super::Promotion::Choice { options, .. }) => {
                Some(self.game.described(options, side).collect())
            }
            _ => None,
        }
    }

    fn repetition(&mut self) {
        let times = self.game.repetitions;
        if times < 2 {
            return;
        }
        let over = self.add_node();
        let text = match times {
            3 => "the position has occurred for the third time".to_owned(),
            _ => format!("the position has occurred {times} times"),
        };
        self.draft.endings.at.insert(over, Reason { text, drawn: None });
        let scores = IdVec::from(vec![WIN / 2; 2]);
        self.draft.repetition = Some(Repetition { times, scores, ignored: vec![TURNS], over });
    }

    /// What it means when the player to move has no move.
    fn stuck(&self) -> Stuck {
        let wins = |who: Who| {
            self.game
                .goals
                .iter()
                .any(|goal| matches!(goal, Goal::Stalemate { who: w, .. } if *w == who))
        };
        match (wins(Who::Player), wins(Who::Opponent)) {
            (true, false) => Stuck::Wins(Who::Player),
            (false, true) => Stuck::Wins(Who::Opponent),
            _ => Stuck::Draws,
        }
    }

    fn scores(&mut self, from: Node, winner: Option<Side>) -> Node {
        let mut at = from;
        for side in Side::BOTH {
            let value = winner.map_or(WIN / 2, |winner| if winner == side { WIN } else { 0 });
            at = self.assign(at, Variable(side as u32), Expression::Constant(value));
        }
        at
    }

    fn end(&mut self, from: Node, winner: Option<Side>, reason: String) {
        let at = self.scores(from, winner);
        let over = self.reason(reason);
        self.edge(at, Action::Keeper, over, None);
    }

    /// Where a side's turn is over; with `owed`, the other side must promote the piece under the cursor.
    pub(super) fn after(&mut self, side: Side, owed: bool) -> Node {
        if let Some(node) = self.nodes_of.after.get(&(side, owed)) {
            return *node;
        }
        let node = self.add_node();
        self.nodes_of.after.insert((side, owed), node);
        let next = side.other() as usize;
        let target = if owed { self.begin_owed[next] } else { self.begin[next] };
        self.add(node, TURNS, 1, target);
        node
    }

    /// A side's turn, from before it begins.
    fn turn(&mut self, side: Side, owed: bool) {
        let from = if owed { self.begin_owed[side as usize] } else { self.begin[side as usize] };
        let at = self.before_move(side, Some(owed), from);
        let at = self.then(at, Action::Turn(Player(side as u32)), None);
        let main = self.main(side);
        if owed {
            self.promote_owed(side, at, main);
        } else {
            self.skip(at, main);
        }
    }

    /// Where a side chooses its main move; lowered once.
    fn main(&mut self, side: Side) -> Node {
        if let Some(node) = self.nodes_of.main.get(&side) {
            return *node;
        }
        let node = self.add_node();
        self.nodes_of.main.insert(side, node);
        self.moves(side, node);
        node
    }

    /// The promotion of the other side's piece under the cursor.
    fn promote_owed(&mut self, side: Side, from: Node, to: Node) {
        for kind in 0..self.game.kinds.len() {
            let Some(options) = self.owed(side.other(), kind) else { continue };
            let Some(piece) = self.piece(side.other(), kind) else { continue };
            let origin = Some(self.game.kinds[kind].origin);
            let found = self.then(from, Action::On(PieceSet::from_iter([piece])), origin);
            for (owner, kind) in options {
                let Some(piece) = self.piece(owner, kind) else { continue };
                self.act(found, Action::Put(piece), Deed::Owed(owner, kind), to, origin);
            }
        }
    }

    /// Goals, limits and scores before a side is in control; returns where it comes into control. `owed` is absent
    /// during the setup.
    fn before_move(&mut self, side: Side, owed: Option<bool>, from: Node) -> Node {
        let is_setup = owed.is_none();
        let has_move = |lowering: &mut Self| owed.map(|owed| lowering.has_move(side, owed));
        let stalemate = |who: Who| {
            !is_setup
                && self
                    .game
                    .goals
                    .iter()
                    .any(|goal| matches!(goal, Goal::Stalemate { who: w, .. } if *w == who))
        };
        let (own_stalemate, other_stalemate) = (stalemate(Who::Player), stalemate(Who::Opponent));
        // First the goals of the side to move, then those of the other.
        let own = self.goals(side, is_setup, from);
        let mut open = None;
        for (at, reached) in own {
            for (at, both) in self.goals(side.other(), is_setup, at) {
                match (&reached, both) {
                    (None, None) => open = Some(at),
                    (Some(_), Some(_)) => {
                        self.end(at, None, "both players have reached a goal".to_owned());
                    }
                    (Some(reason), None) => {
                        let pattern = if other_stalemate { has_move(self) } else { None };
                        self.decide(at, side, reason.clone(), pattern);
                    }
                    (None, Some(reason)) => {
                        let pattern = if own_stalemate { has_move(self) } else { None };
                        self.decide(at, side.other(), reason, pattern);
                    }
                }
            }
        }
        let Some(mut at) = open else { return self.add_node() };
        let limit = i32::try_from(self.game.turn_limit).unwrap_or(i32::MAX);
        let drawn = self.compare(at, Expression::Variable(TURNS), Relation::Equal, limit);
        let go_on = self.compare(at, Expression::Variable(TURNS), Relation::NotEqual, limit);
        at = go_on;
        let reason = format!("the limit of {limit} turns was reached");
        let pattern = if self.stuck() == Stuck::Draws { None } else { has_move(self) };
        match pattern {
            Some(pattern) => {
                // A player who cannot move has ended the game before the limit does.
                let can_move = self.then(drawn, Action::Check(pattern), None);
                self.end(can_move, None, reason);
                self.edge(drawn, Action::CheckNot(pattern), at, None);
            }
            None => self.end(drawn, None, reason),
        }
        if let Stuck::Wins(who) = self.stuck() {
            at = self.scores(at, Some(who.seen_by(side)));
        }
        at
    }

    /// A side has reached a goal; if the other one reaches another by there being no move, it is a draw.
    fn decide(&mut self, from: Node, winner: Side, reason: String, unless_stuck: Option<Pattern>) {
        let Some(pattern) = unless_stuck else { return self.end(from, Some(winner), reason) };
        let can_move = self.then(from, Action::Check(pattern), None);
        self.end(can_move, Some(winner), reason);
        let stuck = self.then(from, Action::CheckNot(pattern), None);
        self.end(stuck, None, "both players have reached a goal".to_owned());
    }

    /// Asks one goal of a side after the other: where one is reached, with the reason, and where none is.
    fn goals(&mut self, side: Side, is_setup: bool, from: Node) -> Vec<(Node, Option<String>)> {
        let game = self.game;
        let mut found = Vec::new();
        let mut at = from;
        for goal in &game.goals {
            let next = match goal {
                Goal::Stalemate { .. } => continue,
                Goal::Eradicate { .. } if is_setup => continue,
                Goal::Eradicate { what, .. } => {
                    let pieces = self.described(what, side);
                    let left = sum(pieces.iter().map(Expression::Count));
                    let reached = self.compare(at, left.clone(), Relation::Equal, 0);
                    found.push((reached, Some(self.eradicated(what, side))));
                    self.compare(at, left, Relation::Greater, 0)
                }
                Goal::Arrive { what, squares, origin } => {
                    let pieces = self.described(what, side);
                    let places =
                        squares.iter().map(|place| self.square(game.board.seen(*place, side)));
                    let mut places: Vec<_> = places.collect();
                    places.sort_unstable();
                    if pieces.is_empty() {
                        continue;
                    }
                    let table = self.draft.tables.push(WalkTable::Everywhere(places));
                    let pattern = self.pattern(|lowering, start, accept| {
                        let at = lowering.then(start, Action::Walk(table), Some(*origin));
                        lowering.on(at, &pieces, accept, Some(*origin));
                    });
                    let reached = self.then(at, Action::Check(pattern), Some(*origin));
                    found.push((reached, Some(self.arrived(what, side))));
                    self.then(at, Action::CheckNot(pattern), Some(*origin))
                }
            };
            at = next;
        }
        found.push((at, None));
        found
    }

    fn eradicated(&self, what: &Description, side: Side) -> String {
        format!("no {} is left", self.words(what, side))
    }

    fn arrived(&self, what: &Description, side: Side) -> String {
        format!(
            "{} {} has reached its goal",
            article(&self.words(what, side)),
            self.words(what, side)
        )
    }

    /// The pieces that a description of a side means, in words.
    fn words(&self, what: &Description, side: Side) -> String {
        let owner = what.owner.map(|who| who.seen_by(side).name());
        let kinds = what.kinds.as_ref().map_or_else(
            || "piece".to_owned(),
            |kinds| {
                let names: Vec<String> = kinds
                    .iter()
                    .map(|kind| self.game.kinds[*kind].name.replace('_', " "))
                    .collect();
                names.join(" or ")
            },
        );
        owner.map_or_else(|| kinds.clone(), |owner| format!("{owner} {kinds}"))
    }

    /// Whether a side has a move, the promotion it owes included.
    fn has_move(&mut self, side: Side, owed: bool) -> Pattern {
        if let Some(pattern) = self.moves.get(&(side, owed)) {
            return *pattern;
        }
        let pattern = self.pattern(|lowering, start, accept| {
            if owed {
                let promoted = lowering.add_node();
                lowering.promote_owed(side, start, promoted);
                let pattern = lowering.has_move(side, false);
                lowering.edge(promoted, Action::Check(pattern), accept, None);
            } else {
                lowering.ask_moves(side, start, accept);
            }
        });
        self.moves.insert((side, owed), pattern);
        pattern
    }

    /// The pieces in a side's hand can be placed on any empty square.
    pub(super) fn placements(&mut self, side: Side, anywhere: Node) {
        for (kind, hand) in self.hand(side) {
            let at = self.compare(anywhere, Expression::Variable(hand), Relation::Greater, 0);
            let after = self.after(side, false);
            self.place(at, None, (side, side, kind), hand, after);
        }
    }

    pub(super) fn ask_placements(&mut self, side: Side, anywhere: Node, accept: Node) {
        let empty = PieceSet::from_iter([super::EMPTY]);
        for (_, hand) in self.hand(side) {
            let at = self.compare(anywhere, Expression::Variable(hand), Relation::Greater, 0);
            self.on(at, &empty, accept, None);
        }
    }

    fn hand(&self, side: Side) -> Vec<(Kind, Variable)> {
        let hands = self.hands.iter().filter(|((owner, _), _)| *owner == side);
        hands.map(|((_, kind), variable)| (*kind, *variable)).collect()
    }

    /// Puts a piece of an owner from a side's hand onto an empty square.
    fn place(
        &mut self,
        from: Node,
        squares: Option<Table>,
        (side, owner, kind): (Side, Side, Kind),
        hand: Variable,
        after: Node,
    ) {
        let Some(piece) = self.piece(owner, kind) else { return };
        let at = squares.map_or(from, |table| self.then(from, Action::Walk(table), None));
        let empty = self.then(at, Action::On(PieceSet::from_iter([super::EMPTY])), None);
        let put = self.add_node();
        self.act(empty, Action::Put(piece), Deed::Place(side, owner, kind), put, None);
        let placed = self.add_node();
        self.act(put, Action::Keeper, Deed::End(LandingKind::Plain), placed, None);
        self.add(placed, hand, -1, after);
    }

    /// The players place the pieces, one after the other.
    fn setup(&mut self, from: Node, by: Assigner, pieces: &[Kind], squares: &[(u32, u32)]) {
        let mut at = from;
        for side in Side::BOTH {
            for (kind, hand) in self.hand(side) {
                let count = pieces.iter().filter(|piece| **piece == kind).count();
                if count > 0 {
                    at = self.assign(at, hand, Expression::Constant(count as i32));
                }
            }
        }
        let begins = Side::BOTH.map(|_| self.add_node());
        self.skip(at, begins[0]);
        let kinds: std::collections::BTreeSet<Kind> = pieces.iter().copied().collect();
        for side in Side::BOTH {
            let at = self.before_move(side, None, begins[side as usize]);
            let at = self.then(at, Action::Turn(Player(side as u32)), None);
            let owner = if by == Assigner::Player { side } else { side.other() };
            let places =
                squares.iter().map(|place| self.square(self.game.board.seen(*place, owner)));
            let mut places: Vec<_> = places.collect();
            places.sort_unstable();
            let table = self.draft.tables.push(WalkTable::Everywhere(places));
            let after = self.after_setup(side, begins, &kinds);
            for (kind, hand) in self.hand(side) {
                if kinds.contains(&kind) {
                    let at = self.compare(at, Expression::Variable(hand), Relation::Greater, 0);
                    self.place(at, Some(table), (side, owner, kind), hand, after);
                }
            }
        }
    }

    /// After black has placed a piece the setup may be over.
    fn after_setup(
        &mut self,
        side: Side,
        begins: [Node; 2],
        kinds: &std::collections::BTreeSet<Kind>,
    ) -> Node {
        let after = self.add_node();
        let counted = self.add_node();
        self.add(after, TURNS, 1, counted);
        if side == Side::White {
            self.skip(counted, begins[Side::Black as usize]);
            return after;
        }
        let hands = self.hand(Side::White).into_iter().filter(|(kind, _)| kinds.contains(kind));
        let left = sum(hands.map(|(_, hand)| Expression::Variable(hand)));
        let over = self.compare(counted, left.clone(), Relation::Equal, 0);
        let begin = self.begin[Side::White as usize];
        self.skip(over, begin);
        let goes_on = self.compare(counted, left, Relation::Greater, 0);
        self.skip(goes_on, begins[Side::White as usize]);
        after
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
