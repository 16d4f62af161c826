//! How a residual net is played with: by a tree of positions, or by looking a fixed number of moves ahead.
//!
//! Two ways are those of the ABG report, with a net that says no more than what positions are worth: *rounds* goes down a tree by the
//! UCB1 rule, and the value of each new position takes the place of a random game; *lookahead* is alpha-beta search of a fixed
//! depth. In both the net judges also positions where the game is over. The third, *likely*, goes down by PUCT, where moves that
//! the net finds good are tried more often; at the root, moves are drawn and compared by sequential halving (Gumbel), so that few rounds
//! improve on what the net says; positions where the game is over have their results.

use std::collections::HashMap;
use std::sync::Arc;

use rand::RngExt as _;
use regulus_automaton::{Id as _, Player};
use regulus_engine::{Generator, Move, Step};
use regulus_game::{Error, Game, Match};

use super::net::{ResidualJudgement, ResidualMemory, ResidualNet};
use crate::budget::Clock;
use crate::position_stack::PositionStack;

/// How a residual net is searched with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NetSearchKind {
    /// A tree that is grown by UCB1, with this much exploration.
    Rounds {
        /// How much moves are favoured that were rarely tried.
        exploration: f32,
    },
    /// A tree that is grown where the net finds moves likely.
    Likely {
        /// How much moves are favoured that the net finds likely.
        exploration: f32,
        /// Whether moves at the root are drawn, to learn from games that differ.
        draws: bool,
    },
    /// All moves, to a fixed depth.
    Lookahead {
        /// How many moves ahead.
        depth: u32,
    },
}

/// What is known of a move after a search.
#[derive(Clone, Debug, PartialEq)]
pub struct NetMove {
    /// The move.
    pub steps: Move,
    /// How often it was tried.
    pub visits: u32,
    /// What the player to move can expect, from -1 to 1.
    pub value: f32,
    /// How likely it should be chosen, after what was found.
    pub likely: f32,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct NetChoice {
    /// The legal moves.
    pub moves: Vec<NetMove>,
    /// The number of the best one.
    pub best: usize,
    /// What the player to move can expect, from -1 to 1.
    pub value: f32,
    /// How many positions were looked at.
    pub rounds: u64,
}

/// The most positions whose judgements are remembered, and numbers of all of them.
const MOST_REMEMBERED: usize = 1 << 18;
const MOST_NUMBERS: usize = 1 << 26;

/// How many moves are compared at the root of a search that is guided by likelihoods.
const COMPARED: usize = 16;

/// How much what was found counts against what the net finds likely, for a whole point: it begins with this and grows with each visit.
const TRUST: f32 = 50.0;
const TRUST_SCALE: f32 = 0.5;

/// Searches with a residual net. It remembers what the net has said.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use regulus_agents::residual::{
///     NetSearch, NetSearchKind, ResidualNet, ResidualShape, ResidualWeights,
/// };
/// use regulus_agents::{Budget, Clock, Stop};
/// use regulus_game::{Config, Game, Match};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let weights = ResidualWeights::random(ResidualShape::small(&game)?, 1);
/// let net = Arc::new(ResidualNet::new(&game, &weights));
/// let kind = NetSearchKind::Likely { exploration: 1.5, draws: false };
/// let mut search = NetSearch::new(&game, net, kind, 1);
/// let clock = Clock::start(Budget::iterations(50), Stop::new());
/// let choice = search.choose(&Match::new(&game)?, &clock)?;
/// assert_eq!(choice.moves.len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NetSearch {
    game: Arc<Game>,
    net: Arc<ResidualNet>,
    kind: NetSearchKind,
    random: Generator,
    memory: ResidualMemory,
    remembered: HashMap<u64, ResidualJudgement>,
}

/// A position in the tree.
struct TreePosition {
    /// Its moves in `Tree::moves`; none if it was not looked into, or the game is over.
    moves: std::ops::Range<usize>,
    mover: usize,
    is_over: bool,
}

/// A move in the tree.
struct TreeMove {
    steps: Move,
    /// The position after it, if it was looked at.
    next: Option<usize>,
    prior: f32,
    visits: u32,
    /// What the first player got of it altogether.
    sum: f32,
}

/// What looking ahead may take, and how many positions it has judged.
struct AheadWork<'a> {
    clock: &'a Clock,
    rounds: u64,
}

struct SearchTree {
    positions: Vec<TreePosition>,
    moves: Vec<TreeMove>,
}

impl NetSearch {
    /// Searches positions of a game with a net.
    #[must_use]
    pub fn new(
        game: &Arc<Game>,
        net: Arc<ResidualNet>,
        kind: NetSearchKind,
        seed: u64,
    ) -> NetSearch {
        NetSearch {
            game: Arc::clone(game),
            net,
            kind,
            random: regulus_engine::generator(seed),
            memory: ResidualMemory::default(),
            remembered: HashMap::new(),
        }
    }

    /// Begins its random numbers anew.
    pub fn reseed(&mut self, seed: u64) {
        self.random = regulus_engine::generator(seed);
    }

    /// Finds a move for the player to move, who must have one.
    ///
    /// # Errors
    ///
    /// If the rules fault.
    pub fn choose(&mut self, play: &Match, clock: &Clock) -> Result<NetChoice, Error> {
        let mut stack = PositionStack::new(play);
        match self.kind {
            NetSearchKind::Lookahead { depth } => self.look_ahead(&mut stack, depth, clock),
            _ => self.grow(&mut stack, clock),
        }
    }

    /// What the net says of the position at `ply`, for `mover`.
    fn judge(&mut self, stack: &PositionStack<'_>, ply: usize, mover: usize) -> ResidualJudgement {
        let key = stack.key(ply) ^ (mover as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if let Some(known) = self.remembered.get(&key) {
            return known.clone();
        }
        let judgement = self.net.judge_with(&mut self.memory, |planes| {
            stack.write_planes(ply, Player::from_index(mover), planes);
        });
        let numbers = self.remembered.len() * (1 + judgement.choices.len());
        if self.remembered.len() >= MOST_REMEMBERED || numbers >= MOST_NUMBERS {
            self.remembered.clear();
        }
        self.remembered.insert(key, judgement.clone());
        judgement
    }

    /// Grows a tree.
    fn grow(&mut self, stack: &mut PositionStack<'_>, clock: &Clock) -> Result<NetChoice, Error> {
        let mut tree = SearchTree { positions: Vec::new(), moves: Vec::new() };
        let mover = stack.player(0).map_or(0, Player::index);
        let first = self.judge(stack, 0, mover);
        tree.add(stack, 0, mover)?;
        self.expand(&mut tree, stack, 0, 0, &first)?;
        let mut root = RootOrder::new(&tree.moves, self.kind, clock, &mut self.random);
        let mut rounds = 0;
        while !clock.is_over(rounds) && (rounds == 0 || tree.moves.len() > 1) {
            let forced = root.next(&tree.moves, mover);
            self.round(&mut tree, stack, forced)?;
            rounds += 1;
        }
        Ok(root.choice(&tree, mover, first.value, rounds))
    }

    /// Goes down the tree to a new position, and back with what it is worth.
    fn round(
        &mut self,
        tree: &mut SearchTree,
        stack: &mut PositionStack<'_>,
        forced: Option<usize>,
    ) -> Result<(), Error> {
        let mut path = Vec::new();
        let (mut at, mut ply) = (0, 0);
        let for_first = loop {
            let position = &tree.positions[at];
            let (mover, is_over) = (position.mover, position.is_over);
            if position.moves.is_empty() {
                let exact = is_over && matches!(self.kind, NetSearchKind::Likely { .. });
                let value = if exact {
                    self.result(stack, ply)
                } else {
                    let judgement = self.judge(stack, ply, mover);
                    if !is_over && ply > 0 {
                        self.expand(tree, stack, at, ply, &judgement)?;
                    }
                    towards_first(judgement.value, mover)
                };
                break value;
            }
            let index = match forced.filter(|_| ply == 0) {
                Some(index) => index,
                None => self.select(tree, at),
            };
            path.push(index);
            let steps: &[Step] = &tree.moves[index].steps.0;
            stack.enter(ply, steps)?;
            ply += 1;
            at = match tree.moves[index].next {
                Some(next) => next,
                None => {
                    let next = tree.add(stack, ply, 1 - mover)?;
                    tree.moves[index].next = Some(next);
                    next
                }
            };
        };
        for index in path {
            tree.moves[index].visits += 1;
            tree.moves[index].sum += for_first;
        }
        Ok(())
    }

    /// Adds the moves of a position to the tree.
    fn expand(
        &mut self,
        tree: &mut SearchTree,
        stack: &mut PositionStack<'_>,
        at: usize,
        ply: usize,
        judgement: &ResidualJudgement,
    ) -> Result<(), Error> {
        stack.list_moves(ply)?;
        let list = stack.list(ply);
        let begin = tree.moves.len();
        let mut largest = f32::NEG_INFINITY;
        for steps in list.iter() {
            let prior = match judgement.choices.is_empty() {
                true => 0.0,
                false => self.net.goodness(&self.game, judgement, steps),
            };
            largest = largest.max(prior);
            tree.moves.push(TreeMove {
                steps: Move::from(steps),
                next: None,
                prior,
                visits: 0,
                sum: 0.0,
            });
        }
        let own = &mut tree.moves[begin..];
        own.iter_mut().for_each(|it| it.prior = (it.prior - largest).exp());
        let sum: f32 = own.iter().map(|it| it.prior).sum();
        own.iter_mut().for_each(|it| it.prior /= sum);
        tree.positions[at].moves = begin..tree.moves.len();
        Ok(())
    }

    /// The move to go on with.
    fn select(&mut self, tree: &SearchTree, at: usize) -> usize {
        let TreePosition { moves, mover, .. } = &tree.positions[at];
        let own = &tree.moves[moves.clone()];
        let visits: u32 = own.iter().map(|it| it.visits).sum();
        let score: &dyn Fn(&TreeMove) -> f32 = match self.kind {
            NetSearchKind::Rounds { exploration } => {
                let log = (visits.max(1) as f32).ln();
                &move |it: &TreeMove| match it.visits {
                    0 => f32::INFINITY,
                    count => it.mean(*mover) + exploration * (log / count as f32).sqrt(),
                }
            }
            NetSearchKind::Likely { exploration, .. } => {
                let root = (visits as f32 + 1.0).sqrt();
                // Moves that were not tried are taken to be as good as those that were, on average.
                let sum: f32 = own.iter().map(|it| it.sum).sum();
                let mean = towards_first(sum, *mover) / visits.max(1) as f32;
                &move |it: &TreeMove| {
                    let value = if it.visits == 0 { mean } else { it.mean(*mover) };
                    value + exploration * it.prior * root / (1 + it.visits) as f32
                }
            }
            NetSearchKind::Lookahead { .. } => &|_| 0.0,
        };
        let scores: Vec<f32> = own.iter().map(score).collect();
        let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let equal = scores.iter().filter(|score| **score == best).count().max(1);
        let chosen = if equal == 1 { 0 } else { self.random.random_range(0..equal) };
        let mut found = (0..own.len()).filter(|index| scores[*index] == best);
        moves.start + found.nth(chosen).unwrap_or(0)
    }

    /// What the first player has got where the game is over, from -1 to 1.
    fn result(&self, stack: &PositionStack<'_>, ply: usize) -> f32 {
        let result = |player| self.game.result(stack.state(ply), Player::from_index(player));
        (result(0) - result(1)) as f32
    }

    /// Looks at all moves, to a fixed depth.
    fn look_ahead(
        &mut self,
        stack: &mut PositionStack<'_>,
        depth: u32,
        clock: &Clock,
    ) -> Result<NetChoice, Error> {
        let mover = stack.player(0).map_or(0, Player::index);
        let count = stack.list_moves(0)?;
        let mut work = AheadWork { clock, rounds: 0 };
        let mut moves = Vec::new();
        let (mut best, mut low) = (0, -2.0f32);
        for index in 0..count {
            let steps = Move::from(stack.list(0).get(index as usize));
            let mut tried = NetMove { steps, visits: 0, value: -1.0, likely: 0.0 };
            if index == 0 || !clock.is_late() {
                stack.enter_listed(0, index)?;
                // Moves that cannot be better need no exact value.
                let limits = if mover == 0 { (low, 2.0) } else { (-2.0, -low) };
                let found = self.ahead(stack, 1, depth - 1, 1 - mover, limits, &mut work)?;
                // What was looked at in part says nothing.
                if index == 0 || !clock.is_late() {
                    (tried.value, tried.visits) = (towards_first(found, mover), 1);
                    if tried.value > low {
                        (low, best) = (tried.value, index as usize);
                    }
                }
            }
            moves.push(tried);
        }
        moves[best].likely = 1.0;
        Ok(NetChoice { moves, best, value: low.clamp(-1.0, 1.0), rounds: work.rounds })
    }

    /// What the first player can expect of the position at `ply`, within limits; anything if the time is over. `other` is to move if the
    /// rules do not say who is.
    fn ahead(
        &mut self,
        stack: &mut PositionStack<'_>,
        ply: usize,
        depth: u32,
        other: usize,
        limits: (f32, f32),
        work: &mut AheadWork<'_>,
    ) -> Result<f32, Error> {
        if work.clock.is_late() {
            return Ok(0.0);
        }
        let count = stack.list_moves(ply)?;
        let mover = stack.player(ply).map_or(other, Player::index);
        if depth == 0 || count == 0 {
            work.rounds += 1;
            return Ok(towards_first(self.judge(stack, ply, mover).value, mover));
        }
        let (mut low, mut high) = limits;
        let mut best = if mover == 0 { -2.0f32 } else { 2.0 };
        for index in 0..count {
            stack.enter_listed(ply, index)?;
            let value = self.ahead(stack, ply + 1, depth - 1, 1 - mover, (low, high), work)?;
            if mover == 0 {
                best = best.max(value);
                low = low.max(value);
            } else {
                best = best.min(value);
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        Ok(best)
    }
}

/// What the first player can expect if one of the players expects `value`, and the other way round.
fn towards_first(value: f32, player: usize) -> f32 {
    if player == 0 { value } else { -value }
}

impl TreeMove {
    /// What a player got of it on average.
    fn mean(&self, player: usize) -> f32 {
        towards_first(self.sum, player) / self.visits.max(1) as f32
    }
}

impl SearchTree {
    /// Adds the position at `ply`; `other` is to move if the rules do not say who is.
    fn add(
        &mut self,
        stack: &mut PositionStack<'_>,
        ply: usize,
        other: usize,
    ) -> Result<usize, Error> {
        let is_over = stack.is_over(ply)?;
        let mover = stack.player(ply).map_or(other, Player::index);
        self.positions.push(TreePosition { moves: 0..0, mover, is_over });
        Ok(self.positions.len() - 1)
    }
}

/// Which move is tried next at the root.
enum RootOrder {
    /// As everywhere in the tree; the most visits tell which is best.
    Usual,
    /// Sequential halving: the moves that are left are tried equally often, and then the worse half is left out.
    Halving {
        /// What each move was drawn with, added to the logarithm of its likelihood.
        drawn: Vec<f32>,
        left: Vec<usize>,
        /// How often each that is left is tried before the next halving, and altogether so far.
        each: u32,
        until: u32,
        rounds: u64,
    },
}

impl RootOrder {
    fn new(
        moves: &[TreeMove],
        kind: NetSearchKind,
        clock: &Clock,
        random: &mut Generator,
    ) -> RootOrder {
        let NetSearchKind::Likely { draws, .. } = kind else { return RootOrder::Usual };
        // Without a number of rounds it is not known when to halve.
        let Some(rounds) = clock.iterations() else { return RootOrder::Usual };
        let mut gumbel = || {
            let number: f32 = random.random_range(1e-9..1.0);
            -(-number.ln()).ln()
        };
        let drawn: Vec<f32> = moves
            .iter()
            .map(|it| it.prior.max(1e-9).ln() + if draws { gumbel() } else { 0.0 })
            .collect();
        let mut left: Vec<usize> = (0..moves.len()).collect();
        left.sort_by(|one, other| drawn[*other].total_cmp(&drawn[*one]));
        left.truncate(COMPARED.min(rounds as usize).max(1));
        let each = RootOrder::each(rounds, left.len(), left.len());
        RootOrder::Halving { drawn, left, each, until: each, rounds }
    }

    /// How often each move is tried before the next halving.
    fn each(rounds: u64, all: usize, left: usize) -> u32 {
        let phases = (all.max(2) as f32).log2().ceil();
        ((rounds as f32 / (phases * left as f32)) as u32).max(1)
    }

    fn next(&mut self, moves: &[TreeMove], mover: usize) -> Option<usize> {
        let RootOrder::Halving { drawn, left, each, until, rounds } = self else { return None };
        if left.len() > 1 && left.iter().all(|index| moves[*index].visits >= *until) {
            let own = &moves[..drawn.len()];
            let trust = trust(own);
            let worth = |index: &usize| drawn[*index] + trust * moves[*index].mean(mover);
            left.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
            left.truncate(left.len().div_ceil(2));
            *each = RootOrder::each(*rounds, COMPARED.min(drawn.len()), left.len());
            *until += *each;
        }
        left.iter().copied().min_by_key(|index| moves[*index].visits)
    }

    /// What was found.
    fn choice(&self, tree: &SearchTree, mover: usize, first: f32, rounds: u64) -> NetChoice {
        let own = &tree.moves[tree.positions[0].moves.clone()];
        let visits: u32 = own.iter().map(|it| it.visits).sum();
        let sum: f32 = own.iter().map(|it| it.sum).sum();
        let value = (first + towards_first(sum, mover)) / (1 + visits) as f32;
        let found = |it: &TreeMove| if it.visits == 0 { value } else { it.mean(mover) };
        let (best, likely): (usize, Vec<f32>) = match self {
            RootOrder::Usual => {
                let most =
                    (0..own.len()).max_by_key(|index| (own[*index].visits, usize::MAX - index));
                let share = |it: &TreeMove| it.visits as f32 / visits.max(1) as f32;
                (most.unwrap_or(0), own.iter().map(share).collect())
            }
            RootOrder::Halving { drawn, left, .. } => {
                let trust = trust(own);
                let worth = |index: &&usize| drawn[**index] + trust * found(&own[**index]);
                let best = left.iter().max_by(|one, other| worth(one).total_cmp(&worth(other)));
                let better = own.iter().map(|it| it.prior.max(1e-9).ln() + trust * found(it));
                let better: Vec<f32> = better.collect();
                let largest = better.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let powers: Vec<f32> = better.iter().map(|it| (it - largest).exp()).collect();
                let sum: f32 = powers.iter().sum();
                (best.copied().unwrap_or(0), powers.iter().map(|power| power / sum).collect())
            }
        };
        let moves = own
            .iter()
            .zip(likely)
            .map(|(it, likely)| NetMove {
                steps: it.steps.clone(),
                visits: it.visits,
                value: found(it),
                likely,
            })
            .collect();
        NetChoice { moves, best, value, rounds }
    }
}

/// How much values count against likelihoods, after these visits.
fn trust(moves: &[TreeMove]) -> f32 {
    let most = moves.iter().map(|it| it.visits).max().unwrap_or(0);
    (TRUST + most as f32) * TRUST_SCALE * 0.1
}
