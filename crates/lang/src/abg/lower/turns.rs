//! A player's turn: the moves of all pieces, the post conditions behind them, and what follows.
//!
//! ```text
//! stuck scores ─ ->white ─ any square ─┬─ words of wRook ─┬─ post conditions ─ ->> ─ conditions ─▶ next turn
//!                                      └─ words of wPawn ─┘
//! ```

use regulus_automaton::{Action, Node, Origin, Pattern, Player};

use super::Lowering;
use crate::abg::game::Rule;

/// A pattern that must not match after a move, and where it is written.
pub(super) type PostPattern = (Pattern, Origin);

impl Lowering<'_> {
    /// Adds the turns of all players, one after the other; the first begins behind `from`.
    pub(super) fn turns(&mut self, from: Node) {
        let turns: Vec<Node> = self.game.players.iter().map(|_| self.draft.add_node()).collect();
        self.edge(from, Action::Skip, turns[0], None);
        for player in 0..turns.len() {
            let next = turns[(player + 1) % turns.len()];
            self.turn(player, turns[player], next);
        }
    }

    /// Adds the turn of a player between two nodes.
    fn turn(&mut self, player: usize, from: Node, next: Node) {
        let chooses = self.draft.add_node();
        let ready = self.stuck_scores(player, from);
        self.edge(ready, Action::Turn(Player(player as u32)), chooses, None);
        let anywhere = self.then(chooses, Action::Walk(self.anywhere), None);
        let moved = self.draft.add_node();
        let posts = self.posts(player);
        let done = self.draft.add_node();
        for piece in 0..self.game.pieces.len() {
            if let Some(rule) = &self.game.rules[piece]
                && self.game.pieces[piece].owners.contains(&player)
            {
                self.word(player, piece, rule, anywhere, done, &posts, moved);
            }
        }
        let legal = self.checked(&posts, done);
        self.edge(legal, Action::Keeper, moved, None);
        self.after_move(player, moved, next);
    }

    /// Returns the patterns that must not match after a player's move; equal ones for several pieces are one.
    fn posts(&mut self, player: usize) -> Vec<PostPattern> {
        let mut groups: Vec<(Vec<usize>, &Rule)> = Vec::new();
        for post in self.game.posts.iter().filter(|post| post.player == player) {
            match groups.iter_mut().find(|(_, rule)| rule.expression == post.rule.expression) {
                Some((pieces, _)) => pieces.push(post.piece),
                None => groups.push((vec![post.piece], &post.rule)),
            }
        }
        let mut patterns = Vec::new();
        for (pieces, rule) in groups {
            patterns.push((self.pattern(player, &pieces, rule), rule.origin));
        }
        patterns
    }

    /// Goes on where no post condition matches.
    pub(super) fn checked(&mut self, posts: &[PostPattern], from: Node) -> Node {
        let mut at = from;
        for (pattern, origin) in posts {
            at = self.then(at, Action::CheckNot(*pattern), Some(*origin));
        }
        at
    }
}
