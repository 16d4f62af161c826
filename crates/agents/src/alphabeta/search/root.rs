//! The first moves of a search: they are looked at one by one, and a search that ends early keeps the best that it found.

use regulus_engine::Step;

use super::{EXACT, Halt, NEARLY_WON, Searcher, WON};
use crate::alphabeta::table::{Bound, Found, short};
use crate::move_key::move_key;

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) steps: Vec<Step>,
    key: u32,
    pub(crate) score: i32,
    /// Whether the score is only known not to be higher.
    pub(crate) is_bound: bool,
    pub(crate) nodes: u64,
}

impl Searcher<'_> {
    /// The moves at the root, in the order in which they are to be tried.
    pub(crate) fn root_moves(&mut self) -> Result<Vec<RootMove>, Halt> {
        self.list_moves(0)?;
        let player = self.player(0).unwrap_or(self.me);
        self.note_moves(0, player, None);
        let mut prospects = self.order.prospects(0).to_vec();
        prospects.sort_by_key(|prospect| std::cmp::Reverse(prospect.rank));
        let moves = prospects.iter().map(|prospect| RootMove {
            steps: self.stack.list(0).get(prospect.index as usize).to_vec(),
            key: prospect.key,
            score: 0,
            is_bound: true,
            nodes: 0,
        });
        Ok(moves.collect())
    }

    /// Looks `depth` moves ahead; sorts the moves, the best first, and returns its score for the player to move.
    pub(crate) fn search_root(
        &mut self,
        moves: &mut [RootMove],
        depth: i32,
        window: (i32, i32),
    ) -> Result<i32, Halt> {
        let before = moves.len() as u32;
        let best = self.search_moves(moves, depth, window, before)?;
        let bound = if best >= window.1 {
            Bound::AtLeast
        } else if best <= window.0 {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        let best_key = short(moves[0].key);
        self.table
            .put(self.key(0), Found { score: best, depth, bound, best: best_key, is_new: true });
        Ok(best)
    }

    /// Looks `depth` moves ahead after some of the moves at the root only, and puts the best of them first.
    pub(crate) fn search_next(
        &mut self,
        moves: &mut [RootMove],
        depth: i32,
        before: u32,
    ) -> Result<i32, Halt> {
        self.search_moves(moves, depth, (-WON, WON), before)
    }

    /// Looks `depth` moves ahead for a win that is certain; puts a move that wins first. Nothing is left out, and nothing that was
    /// found before is relied on.
    pub(crate) fn search_exactly(
        &mut self,
        moves: &mut [RootMove],
        depth: i32,
    ) -> Result<i32, Halt> {
        let before = moves.len() as u32;
        (self.is_exact, self.salt) = (true, EXACT);
        let found = self.search_moves(moves, depth, (NEARLY_WON - 1, WON), before);
        self.is_exact = false;
        match found {
            Ok(score) if score >= NEARLY_WON => {
                let best = short(moves[0].key);
                let found = Found { score, depth, bound: Bound::Exact, best, is_new: true };
                self.table.put(self.key(0), found);
            }
            _ => self.salt = 0,
        }
        found
    }

    /// Finds the best of some moves at the root, of which there are `before` in all, and puts it first.
    fn search_moves(
        &mut self,
        moves: &mut [RootMove],
        depth: i32,
        window: (i32, i32),
        before: u32,
    ) -> Result<i32, Halt> {
        let (mut alpha, beta) = window;
        let mut best = -WON - 1;
        let mut best_index = 0;
        let mut halted = None;
        for (index, root) in moves.iter_mut().enumerate() {
            let nodes = self.nodes;
            match self.root_score(root, index == 0, depth, (alpha, beta), before) {
                Ok(score) => {
                    root.score = score;
                    root.is_bound = score <= alpha && index > 0;
                }
                Err(halt) => {
                    halted = Some(halt);
                    break;
                }
            }
            root.nodes += self.nodes - nodes;
            if root.score > best {
                best = root.score;
                best_index = index;
            }
            alpha = alpha.max(root.score);
            if root.score >= beta {
                break;
            }
        }
        // If the search ends too early, a move that is better than the first is still better.
        moves[..=best_index].rotate_right(1);
        if let Some(halt) = halted {
            return Err(halt);
        }
        Ok(best)
    }

    /// The score of a move at the root.
    fn root_score(
        &mut self,
        root: &RootMove,
        is_first: bool,
        depth: i32,
        (alpha, beta): (i32, i32),
        before: u32,
    ) -> Result<i32, Halt> {
        let player = self.player(0).unwrap_or(self.me);
        self.stack.enter(0, &root.steps)?;
        if !is_first {
            let score = self.child(1, depth - 1, (alpha, alpha + 1), player, before)?;
            if score <= alpha || score >= beta {
                return Ok(score);
            }
        }
        self.child(1, depth - 1, (alpha, beta), player, before)
    }

    /// The moves that are expected, as far as they are still known.
    pub(crate) fn line(&mut self, most: usize) -> Result<Vec<Vec<Step>>, Halt> {
        let mut line = Vec::new();
        while line.len() < most {
            let ply = line.len();
            if self.player(ply).is_none() {
                break;
            }
            let Some(found) = self.table.get(self.key(ply)).filter(|found| found.best != 0) else {
                break;
            };
            self.list_moves(ply)?;
            let list = self.stack.list(ply);
            let Some(steps) = list.iter().find(|steps| short(move_key(steps)) == found.best) else {
                break;
            };
            let steps = steps.to_vec();
            self.stack.enter(ply, &steps)?;
            line.push(steps);
        }
        Ok(line)
    }
}
