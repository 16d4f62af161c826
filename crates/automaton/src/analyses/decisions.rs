//! Which steps of moves are decisions, and which of them can share a number.
//!
//! A move is a sequence of steps (modifier, square). Where only one step can come next, there is nothing to decide. The
//! other modifiers are put into *decisions* such that no two steps that can come next in one situation have the same
//! decision and the same square: a decision and a square together name a choice. Modifiers share a decision where that is
//! possible and they do the same kind of thing: lifting a piece, putting down a knight, ending the move.
//!
//! ```text
//! lift e2        put pawn e4          end
//! decision 0     decision 1           forced: not a decision
//! ```
//!
//! 1. Situations: where a player takes over, and behind each write of a player's move. What can come next in one is found by
//!    following the edges that are not recorded.
//! 2. A step is forced if its modifier is the only one of its situation, and the square is determined too: nothing walks on
//!    the way, or the way has no branches and only goes in single directions.
//! 3. Two modifiers of one situation may share a decision only if they do the same kind of thing and cannot be possible on
//!    the same square: the pieces that may stand under the cursor are different.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::{Action, ActionKind};
use crate::draft::Draft;
use crate::ids::{Id, IdVec, Modifier, Node, Piece};
use crate::looks::PieceKind;

/// How many edges may be looked at, and pairs compared. Beyond it every modifier is a decision of its own.
const WORK: usize = 20_000_000;

/// The decisions of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decisions {
    /// The decision of each modifier; `None` if the step is always forced, or is not part of a player's move.
    pub of: IdVec<Modifier, Option<u32>>,
    /// How many decisions there are.
    pub count: u32,
}

/// Finds the decisions of a game.
#[must_use]
pub fn decisions(draft: &Draft) -> Decisions {
    let last = draft.edges().filter_map(|(_, edge)| edge.modifier).max();
    let modifiers = last.map_or(0, |last| last.index() + 1);
    let mut finder = DecisionFinder {
        draft,
        modifiers,
        work: WORK,
        seen: IdVec::filled(0, draft.nodes.len()),
        situation: 0,
    };
    finder.find().unwrap_or_else(|RulesTooLarge| Decisions {
        of: (0..modifiers as u32).map(Some).collect(),
        count: modifiers as u32,
    })
}

struct DecisionFinder<'a> {
    draft: &'a Draft,
    modifiers: usize,
    work: usize,
    /// The last situation that each node was found in; they are counted from 1.
    seen: IdVec<Node, u32>,
    situation: u32,
}

/// The rules are too large to look at.
struct RulesTooLarge;

/// What can come next in one situation.
struct Situation {
    /// The modifiers, with the nodes they can come from.
    next: BTreeMap<Modifier, Vec<Node>>,
    is_forced: bool,
}

/// What kind of thing a step does. Pieces of different owners that look the same are the same here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StepEffect {
    Lift,
    Put(PieceKind, usize),
    Write(usize),
    End,
}

impl DecisionFinder<'_> {
    fn find(&mut self) -> Result<Decisions, RulesTooLarge> {
        let situations = self.situations()?;
        let pieces = self.pieces_under_cursor()?;
        let kinds = self.kinds();
        let chosen: BTreeSet<Modifier> = situations
            .iter()
            .filter(|situation| !situation.is_forced)
            .flat_map(|situation| situation.next.keys().copied())
            .collect();
        let mut rivals: BTreeMap<Modifier, BTreeSet<Modifier>> = BTreeMap::new();
        for Situation { next, .. } in &situations {
            let candidates: Vec<(Modifier, StepEffect, PieceBits)> = next
                .iter()
                .filter(|(modifier, _)| chosen.contains(modifier))
                .map(|(&modifier, nodes)| {
                    let all = nodes.iter().map(|&node| pieces[node]);
                    (modifier, kinds[&modifier], all.fold(PieceBits::default(), PieceBits::or))
                })
                .collect();
            self.spend(candidates.len() * candidates.len())?;
            for (at, &(one, kind, under)) in candidates.iter().enumerate() {
                for &(other, kind_other, under_other) in &candidates[..at] {
                    if kind == kind_other && under.meets(under_other) {
                        rivals.entry(one).or_default().insert(other);
                        rivals.entry(other).or_default().insert(one);
                    }
                }
            }
        }
        // Each modifier gets the first place among those of its kind that no rival before it has.
        let mut places: BTreeMap<Modifier, usize> = BTreeMap::new();
        let mut numbers: BTreeMap<(StepEffect, usize), u32> = BTreeMap::new();
        let mut of = IdVec::filled(None, self.modifiers);
        for &modifier in &chosen {
            let rivals = rivals.get(&modifier).into_iter().flatten();
            let taken: BTreeSet<usize> =
                rivals.filter_map(|rival| places.get(rival)).copied().collect();
            let place = (0..).find(|place| !taken.contains(place)).unwrap_or(taken.len());
            places.insert(modifier, place);
            let number = numbers.len() as u32;
            of[modifier] = Some(*numbers.entry((kinds[&modifier], place)).or_insert(number));
        }
        Ok(Decisions { of, count: numbers.len() as u32 })
    }

    fn spend(&mut self, work: usize) -> Result<(), RulesTooLarge> {
        self.work = self.work.checked_sub(work).ok_or(RulesTooLarge)?;
        Ok(())
    }

    /// The situations of all players' moves.
    fn situations(&mut self) -> Result<Vec<Situation>, RulesTooLarge> {
        let draft = self.draft;
        let turns = draft.edges().filter(|(_, edge)| matches!(edge.action, Action::Turn(_)));
        let mut starts: BTreeSet<Node> = turns.map(|(_, edge)| edge.target).collect();
        let mut work: Vec<Node> = starts.iter().copied().collect();
        let mut situations = Vec::new();
        while let Some(start) = work.pop() {
            let (situation, targets) = self.situation(start)?;
            situations.push(situation);
            work.extend(targets.into_iter().filter(|&target| starts.insert(target)));
        }
        Ok(situations)
    }

    /// The situation that begins at a node, and where its writes lead.
    fn situation(&mut self, start: Node) -> Result<(Situation, Vec<Node>), RulesTooLarge> {
        self.situation += 1;
        self.seen[start] = self.situation;
        let mut nodes = vec![start];
        let mut next: BTreeMap<Modifier, Vec<Node>> = BTreeMap::new();
        let mut targets = Vec::new();
        let (mut walks, mut branches, mut strays) = (false, false, false);
        while let Some(node) = nodes.pop() {
            let draft = self.draft;
            let edges = &draft.nodes[node];
            self.spend(edges.len() + 1)?;
            branches |= edges.len() > 1;
            for edge in edges {
                if let Some(modifier) = edge.modifier {
                    next.entry(modifier).or_default().push(node);
                    if edge.action.kind() == ActionKind::Write {
                        targets.push(edge.target);
                    }
                    continue;
                }
                walks |= edge.action.kind() == ActionKind::Walk;
                strays |= matches!(edge.action, Action::Walk(_));
                if std::mem::replace(&mut self.seen[edge.target], self.situation) != self.situation
                {
                    nodes.push(edge.target);
                }
            }
        }
        let is_determined = !walks || !branches && !strays;
        let is_forced = next.len() <= 1 && is_determined;
        Ok((Situation { next, is_forced }, targets))
    }

    /// For each node the pieces that may stand under the cursor there.
    fn pieces_under_cursor(&mut self) -> Result<IdVec<Node, PieceBits>, RulesTooLarge> {
        let draft = self.draft;
        let all = PieceBits::of(draft.pieces.keys());
        let mut under = IdVec::filled(PieceBits::default(), draft.nodes.len());
        let mut work: Vec<Node> = Vec::new();
        under[draft.start] = all;
        work.push(draft.start);
        while let Some(node) = work.pop() {
            self.spend(draft.nodes[node].len() + 1)?;
            for edge in &draft.nodes[node] {
                let after = match &edge.action {
                    Action::On(pieces) => under[node].and(PieceBits::of(pieces.iter())),
                    Action::Put(piece) => PieceBits::of([*piece].into_iter()),
                    Action::PutHeld(_) => all,
                    action => match action.kind() {
                        ActionKind::Walk | ActionKind::Control => all,
                        ActionKind::Test | ActionKind::Write => under[node],
                    },
                };
                let joined = under[edge.target].or(after);
                if joined != under[edge.target] {
                    under[edge.target] = joined;
                    work.push(edge.target);
                }
            }
        }
        Ok(under)
    }

    /// What each modifier does.
    fn kinds(&self) -> BTreeMap<Modifier, StepEffect> {
        let looks = &self.draft.looks.pieces;
        let kind = |action: &Action| match action {
            Action::Put(piece) if looks[*piece].is_empty => StepEffect::Lift,
            Action::Put(piece) => {
                let look = &looks[*piece];
                let alike = looks.values().take(piece.index());
                let alike = alike.filter(|other| other.owner == look.owner && !other.is_empty);
                let rank = alike.filter(|other| other.kind == look.kind).count();
                StepEffect::Put(look.kind, rank)
            }
            Action::PutHeld(register) | Action::Save(register) => {
                StepEffect::Write(register.index())
            }
            Action::Assign(variable, _) => StepEffect::Write(usize::MAX - variable.index()),
            _ => StepEffect::End,
        };
        let edges = self.draft.edges();
        edges.filter_map(|(_, edge)| Some((edge.modifier?, kind(&edge.action)))).collect()
    }
}

/// A set of pieces, of which there are at most 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PieceBits([u64; 4]);

impl PieceBits {
    fn of(pieces: impl Iterator<Item = Piece>) -> PieceBits {
        let mut bits = PieceBits::default();
        for piece in pieces {
            bits.0[piece.index() / 64] |= 1 << (piece.index() % 64);
        }
        bits
    }

    fn or(self, other: PieceBits) -> PieceBits {
        PieceBits(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    fn and(self, other: PieceBits) -> PieceBits {
        PieceBits(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    fn meets(self, other: PieceBits) -> bool {
        self.and(other) != PieceBits::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rules: &str) -> (Vec<Option<u32>>, u32) {
        let text = format!(
            "players white 100, black 100
             pieces e, w, b
             directions left, right
             board square
               p w (0, 0) right=q
               q e (1, 0) left=p right=r
               r b (2, 0) left=q
             tables
               t0 everywhere: p, q, r
             rules n0
               n0: turn white #0 -> n1
               {rules}"
        );
        let draft: Draft = text.parse().expect("it can be read");
        let found = decisions(&draft.verify().expect("it is well-formed"));
        (found.of.as_slice().to_vec(), found.count)
    }

    #[test]
    fn what_cannot_be_otherwise_is_no_decision() {
        let rules = "n1: walk t0 -> n2
               n2: on {w} -> n3
               n3: put e #1 -> n4
               n4: shift right -> n5
               n5: put w #2 -> n6
               n6: keeper #3 -> n7
               n7: assign white = 1 #4 -> n8
               n8: keeper #5 -> n8";
        assert_eq!(of(rules), (vec![None, Some(0), None, None, None, None], 1));
    }

    #[test]
    fn different_pieces_on_the_square_share_a_decision_and_the_same_ones_do_not() {
        let choice = |one: &str, other: &str| {
            of(&format!(
                "n1: walk t0 -> n2
               n2: on {{{one}}} -> n3
                   on {{{other}}} -> n4
               n3: put e #1 -> n5
               n4: put e #2 -> n5
               n5: keeper #3 -> n6
               n6:"
            ))
        };
        assert_eq!(choice("w", "b"), (vec![None, Some(0), Some(0), None], 1));
        assert_eq!(choice("w", "w, b"), (vec![None, Some(0), Some(1), None], 2));
    }
}
