//! How games end: the conditions after a move, and the scores that count where a player has no legal move.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{Action, Expression, Node, Origin, Reason, Variable};

use super::branches::BranchPoint;
use super::values::{may_fail, specialised};
use super::{Context, Lowering, WIN, constant};
use crate::abg::game::{Outcome, Value};

/// What to do at the end of conditions: it is given the scores, if any condition holds, the node, the place of the condition,
/// and the reason in words.
type Ending<'a, L> = dyn FnMut(&mut L, Option<Vec<i64>>, Node, Option<Origin>, Option<Reason>) + 'a;

/// The players who have won so far, and the reason in words: that of the first condition that held.
type Winners = (BTreeSet<usize>, Option<Reason>);

impl Lowering<'_> {
    /// Adds what happens after a player's move: a condition may end the game; otherwise it is the next player's turn.
    pub(super) fn after_move(&mut self, player: usize, from: Node, next: Node) {
        let context = Context { current: player, stuck: false, step: (0, 0) };
        self.conditions(context, from, &|_| true, &mut |lowering, scores, at, origin, reason| {
            match scores {
                Some(scores) => {
                    let at = lowering.final_scores(&scores, at, origin);
                    let over = lowering.over(reason);
                    lowering.edge(at, Action::Keeper, over, origin);
                }
                None => lowering.edge(at, Action::Skip, next, None),
            }
        });
    }

    /// Sets the scores to what they are if a player has no legal move; returns the node behind that.
    pub(super) fn stuck_scores(&mut self, player: usize, from: Node) -> Node {
        let context = Context { current: player, stuck: true, step: (0, 0) };
        let ready = self.draft.add_node();
        let mentions = |value: &Value| value.mentions_stuck();
        self.conditions(context, from, &mentions, &mut |lowering, scores, at, origin, _| {
            let at = match scores {
                Some(scores) => lowering.final_scores(&scores, at, origin),
                None => lowering.assigned_scores(at, origin),
            };
            lowering.edge(at, Action::Skip, ready, origin);
        });
        ready
    }

    /// Looks at the conditions in their order, victories together, and goes on with the scores of what holds.
    fn conditions(
        &mut self,
        context: Context,
        from: Node,
        counts: &dyn Fn(&Value) -> bool,
        function: &mut Ending<'_, Self>,
    ) {
        /// More winners at once are not told apart.
        const MAX_WINNERS: usize = 6;
        /// The most different sets of winners.
        const MAX_SETS: usize = 4096;
        let players = self.game.players.len();
        let mut open: BTreeMap<Winners, Node> = BTreeMap::from([((BTreeSet::new(), None), from)]);
        for condition in &self.game.conditions {
            if !counts(&condition.when) {
                continue;
            }
            let when = specialised(&condition.when, context);
            if when == Value::Number(0) {
                continue;
            }
            let origin = Some(condition.origin);
            let may_fail = may_fail(&when);
            // Where a player cannot move, one text says why.
            let words = (!context.stuck).then(|| self.game.reason(condition));
            let mut next: BTreeMap<Winners, Node> = BTreeMap::new();
            for ((winners, reason), at) in std::mem::take(&mut open) {
                self.is_too_large |= next.len() > MAX_SETS;
                if self.is_full() {
                    return;
                }
                let mut join = |lowering: &mut Self, winners: BTreeSet<usize>, reason| {
                    *next.entry((winners, reason)).or_insert_with(|| lowering.draft.add_node())
                };
                match &condition.outcome {
                    Outcome::Victory(player) if winners.len() < MAX_WINNERS => {
                        let mut more = winners.clone();
                        more.insert(*player);
                        let no = join(self, winners, reason.clone());
                        let yes = join(self, more, reason.or_else(|| words.clone()));
                        self.decide(&when, may_fail, BranchPoint::new(context, at, yes, no));
                    }
                    // A player has won already.
                    _ if !winners.is_empty() => {
                        let no = join(self, winners, reason);
                        self.edge(at, Action::Skip, no, origin);
                    }
                    outcome => {
                        let no = join(self, winners, reason);
                        let yes = self.draft.add_node();
                        self.decide(&when, may_fail, BranchPoint::new(context, at, yes, no));
                        let scores = match outcome {
                            Outcome::Scores(given) => {
                                let mut scores = vec![0; players];
                                given.iter().for_each(|(player, score)| scores[*player] = *score);
                                scores
                            }
                            _ => vec![WIN / 2; players],
                        };
                        function(self, Some(scores), yes, origin, words.clone());
                    }
                }
            }
            open = next;
        }
        for ((winners, reason), at) in open {
            let share = |player: usize| {
                if winners.contains(&player) { WIN / winners.len() as i64 } else { 0 }
            };
            let scores = (!winners.is_empty()).then(|| (0..players).map(share).collect());
            function(self, scores, at, None, reason);
        }
    }

    /// Branches on a condition; one that cannot be computed does not hold.
    fn decide(&mut self, when: &Value, may_fail: bool, point: BranchPoint) {
        if !may_fail {
            return self.branch(when, point);
        }
        let pattern = self.inside(|lowering, start, accept| {
            lowering.branch(when, BranchPoint::only_if(point.context, start, accept));
        });
        self.both(point, Action::Check(pattern), Action::CheckNot(pattern));
    }

    /// Sets the scores to the given ones; returns the node behind that.
    fn final_scores(&mut self, scores: &[i64], from: Node, origin: Option<Origin>) -> Node {
        let mut at = from;
        for (player, score) in scores.iter().enumerate() {
            at = self.then(at, Action::Assign(Variable(player as u32), constant(*score)), origin);
        }
        at
    }

    /// Sets the scores to what effects have assigned, or to a draw if no effect assigns scores.
    fn assigned_scores(&mut self, from: Node, origin: Option<Origin>) -> Node {
        let mut at = from;
        for player in 0..self.game.players.len() {
            let value = match self.variables.score(player) {
                Some(score) => Expression::Variable(score),
                None => constant(WIN / 2),
            };
            at = self.then(at, Action::Assign(Variable(player as u32), value), origin);
        }
        at
    }

    /// Returns the node where the game is over for a reason.
    fn over(&mut self, reason: Option<Reason>) -> Node {
        let Some(reason) = reason else { return self.draft.add_node() };
        let draft = &mut self.draft;
        *self.over.entry(reason).or_insert_with_key(|reason| {
            let over = draft.add_node();
            draft.endings.at.insert(over, reason.clone());
            over
        })
    }
}
