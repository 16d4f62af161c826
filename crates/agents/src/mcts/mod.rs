//! The player `mcts`: Monte-Carlo tree search that learns from all moves of a random game, from an evaluation, and from proof.
//!
//! Each iteration goes down the tree, adds a position, plays on from there for some moves, and judges where it ends: by the
//! result, or by an evaluation that was fitted to the game. Besides how a move did when it was chosen, it is noted how it did
//! when it was made later (RAVE), also in the whole tree (from which positions start that are seldom visited, as in GRAVE). What
//! positions are worth by the evaluation is backed up as in minimax and counts, too. Results that are certain are proven.
//! Where there are a great many moves, one is chosen step by step.

mod tree;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt as _;
use regulus_automaton::{Id as _, Player};
use regulus_engine::{Move, MoveList, Rules as _, State, Step};
use regulus_game::{Error, Game, Match, Ply};

use crate::agent::{Agent, AgentError, Task, Thought, choices};
use crate::budget::Clock;
use crate::evaluation::{Fitted, Mobility, expected, fitted, is_fitted};
use crate::move_key::move_key;
use crate::net::{Net, NetJudge};
use crate::playouts::Trial;
use crate::report::{BETWEEN_REPORTS, Candidate, Report, shared};
use tree::{NONE, Proven, Tree};

/// How long the line of a report can be.
const LONGEST_LINE: usize = 40;

/// For how many kinds of moves it is noted how they do anywhere.
const KEYS: usize = 1 << 14;

/// How many moves an iteration goes down the tree at most: positions may come again.
const DEEPEST: usize = 400;

/// How many iterations are made between two looks at the clock.
const BATCH: u64 = 8;

/// What can be set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MctsOptions {
    pub(crate) exploration: f32,
    /// How many visits the results of later moves count as much as.
    pub(crate) rave: f32,
    /// After this number of moves, a random game is judged by the evaluation.
    pub(crate) length: u64,
    /// How much what is backed up from evaluations counts.
    pub(crate) minimax: f32,
    /// How much moves are favoured after which few positions are left to be proven.
    pub(crate) proof: f32,
    /// Whether moves of random games are the better one of two.
    pub(crate) mast: bool,
    /// How much is learnt about the game before it is played.
    pub(crate) learning: u32,
    pub(crate) threads: usize,
    /// More moves than this are chosen step by step.
    pub(crate) wide: usize,
    /// How much memory the trees may take.
    pub(crate) bytes: usize,
}

impl MctsOptions {
    /// Whether an evaluation is needed.
    fn evaluates(&self) -> bool {
        self.minimax > 0.0 || self.length < LONGEST
    }
}

/// A random game of this length is played to its end.
const LONGEST: u64 = 1_000;

#[derive(Debug)]
pub(crate) struct Mcts {
    options: MctsOptions,
    game: Arc<Game>,
    seed: u64,
    fitted: Option<Arc<Fitted>>,
    /// Judges positions instead of the evaluation.
    net: Option<Arc<Net>>,
    memory: Option<TreeMemory>,
}

/// The trees of the position that was last thought about, one for each thread.
#[derive(Debug)]
struct TreeMemory {
    /// What the play began with, and its moves.
    first: State,
    line: Vec<Ply>,
    brains: Vec<Brain>,
}

/// What one thread knows.
#[derive(Debug, Default)]
struct Brain {
    tree: Tree,
    /// How moves did anywhere, by player and key: how often they were made, and the sum of the results.
    moves: Vec<(f32, f32)>,
}

impl Mcts {
    pub(crate) fn new(game: &Arc<Game>, options: MctsOptions, seed: u64) -> Mcts {
        Mcts { options, game: Arc::clone(game), seed, fitted: None, net: None, memory: None }
    }

    /// The same, judging positions by a net of the game.
    pub(crate) fn with_net(self, net: Arc<Net>) -> Mcts {
        Mcts { net: Some(net), ..self }
    }

    /// What is known of the position of a play.
    fn recall(&mut self, play: &Match) -> Vec<Brain> {
        let fresh = || (0..self.options.threads).map(|_| Brain::default()).collect();
        let Some(memory) = self.memory.take() else { return fresh() };
        let later = play.line().strip_prefix(memory.line.as_slice());
        let Some(later) = later.filter(|_| memory.first == *play.first_state()) else {
            return fresh();
        };
        let mut brains = memory.brains;
        // It goes on with the same position.
        if later.is_empty() {
            return brains;
        }
        for brain in &mut brains {
            let mut node = (!brain.tree.nodes.is_empty()).then_some(0);
            for ply in later {
                node = node.and_then(|node| brain.tree.after(node, &ply.steps.0));
            }
            brain.tree = node.map_or_else(Tree::default, |node| brain.tree.below(node));
            // What was good in another position is a hint, not more.
            for (count, sum) in &mut brain.moves {
                (*count, *sum) = (*count * 0.5, *sum * 0.5);
            }
        }
        brains
    }
}

impl Agent for Mcts {
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        self.prepare();
        let clock = Clock::start(task.budget, task.stop.clone());
        let (_, legal) = choices(play)?;
        let mut brains = self.recall(play);
        let mut report = Report::default();
        if legal.len() > 1 || task.is_analysis {
            let most = task.budget.iterations.map(|most| most.div_ceil(brains.len() as u64));
            let new_worker = |brain, thread: u64| {
                let trial = Trial::new(play, self.seed ^ thread << 48);
                let judges = (self.fitted.as_deref(), self.net.as_deref());
                Worker::new(self.options, judges, &clock, trial, brain)
            };
            let mut workers: Vec<Worker<'_>> = brains
                .drain(..)
                .zip(0..)
                .map(|(brain, thread)| new_worker(brain, thread))
                .collect();
            let worked: Vec<Result<(), Error>> = std::thread::scope(|scope| {
                let (own, others) = workers.split_at_mut(1);
                let others: Vec<_> = others
                    .iter_mut()
                    .map(|worker| scope.spawn(|| worker.run(most, &mut |_| {})))
                    .collect();
                let mut last = Duration::ZERO;
                let own = own[0].run(most, &mut |worker| {
                    let now = clock.elapsed();
                    if let Some(watch) = &mut task.watch
                        && now >= last + BETWEEN_REPORTS
                    {
                        last = now;
                        watch(&report_of(std::slice::from_ref(worker), now));
                    }
                });
                let mut worked = vec![own];
                for other in others {
                    match other.join() {
                        Ok(result) => worked.push(result),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                worked
            });
            worked.into_iter().collect::<Result<(), Error>>()?;
            report = report_of(&workers, clock.elapsed());
            brains = workers.into_iter().map(|worker| worker.brain).collect();
        }
        self.seed = self.seed.wrapping_add(1);
        let steps = report.line.first().cloned().unwrap_or_else(|| Move::from(legal.get(0)));
        let (first, line) = (play.first_state().clone(), play.line().to_vec());
        self.memory = Some(TreeMemory { first, line, brains });
        Ok(Thought { steps, report })
    }

    fn prepare(&mut self) {
        if self.options.evaluates() {
            self.fitted.get_or_insert_with(|| fitted(&self.game, self.options.learning));
        }
    }

    fn is_prepared(&self) -> bool {
        let is_known = || is_fitted(&self.game, self.options.learning);
        !self.options.evaluates() || self.fitted.is_some() || is_known()
    }

    fn forget(&mut self) {
        self.memory = None;
    }
}

/// One thread of a search.
struct Worker<'a> {
    options: MctsOptions,
    fitted: Option<&'a Fitted>,
    net: Option<NetJudge<'a>>,
    clock: &'a Clock,
    trial: Trial,
    brain: Brain,
    players: usize,
    iterations: u64,
    deepest: usize,
    list: MoveList,
    /// The choices on the way down: the position and the choice.
    path: Vec<(u32, usize)>,
    steps: Vec<Step>,
    /// The moves after the tree, and in it: who made them, and their keys.
    made: Vec<(Player, u32)>,
    /// In which iteration a move was last made, by player and key.
    stamps: Vec<u64>,
    stamp: u64,
}

impl<'a> Worker<'a> {
    fn new(
        options: MctsOptions,
        (fitted, net): (Option<&'a Fitted>, Option<&'a Net>),
        clock: &'a Clock,
        trial: Trial,
        mut brain: Brain,
    ) -> Worker<'a> {
        let players = trial.results.len();
        brain.moves.resize(players * KEYS, (0.0, 0.0));
        Worker {
            options,
            fitted,
            net: net.map(NetJudge::new),
            clock,
            trial,
            brain,
            players,
            iterations: 0,
            deepest: 0,
            list: MoveList::new(),
            path: Vec::new(),
            steps: Vec::new(),
            made: Vec::new(),
            stamps: vec![0; players * KEYS],
            stamp: 0,
        }
    }

    /// Makes iterations until the budget is used up or the position is solved.
    fn run(&mut self, most: Option<u64>, tick: &mut dyn FnMut(&Worker<'_>)) -> Result<(), Error> {
        loop {
            for _ in 0..BATCH {
                self.iterate()?;
                self.iterations += 1;
                let is_solved = self.brain.tree.nodes[0].proven != Proven::NO;
                if is_solved || most.is_some_and(|most| self.iterations >= most) {
                    return Ok(());
                }
            }
            if self.clock.is_late() {
                return Ok(());
            }
            tick(self);
        }
    }

    fn iterate(&mut self) -> Result<(), Error> {
        self.trial.restart();
        self.path.clear();
        self.steps.clear();
        self.made.clear();
        if self.brain.tree.nodes.is_empty() {
            self.grow(self.fingerprint())?;
        }
        let mut node = 0;
        let mut depth = 0;
        // How many moves there were in the last whole position on the way.
        let mut before = 0;
        // The results if they are certain.
        let mut is_certain = false;
        loop {
            let at = &self.brain.tree.nodes[node as usize];
            if !at.is_within {
                before = at.moves;
            }
            if self.brain.tree.branches(node).is_empty() {
                self.trial.end();
                is_certain = true;
                break;
            }
            let branch = self.select(node);
            let player = self.brain.tree.nodes[node as usize].player;
            self.path.push((node, branch));
            self.steps.extend_from_slice(self.brain.tree.steps(branch));
            self.made.push((player, self.brain.tree.branches[branch].key));
            if self.brain.tree.is_divided(branch) {
                node = self.brain.tree.branches[branch].child;
                continue;
            }
            let steps = std::mem::take(&mut self.steps);
            self.trial.apply(&steps)?;
            self.steps = steps;
            self.steps.clear();
            depth += 1;
            let child = self.brain.tree.branches[branch].child;
            if child != NONE && depth < DEEPEST {
                node = child;
                continue;
            }
            if self.trial.player().is_none() {
                self.trial.end();
                is_certain = true;
                break;
            }
            let visits = self.brain.tree.branches[branch].visits;
            let is_full = self.brain.tree.bytes() > self.options.bytes / self.options.threads;
            if visits == 0 && self.options.minimax == 0.0 || is_full {
                self.play_out(Mobility { now: before, before })?;
                break;
            }
            // A position that is known from elsewhere is gone on from.
            let fingerprint = self.fingerprint();
            let known = fingerprint.and_then(|fingerprint| self.brain.tree.known(fingerprint));
            if let Some(known) = known.filter(|_| depth < DEEPEST) {
                self.brain.tree.branches[branch].child = known;
                node = known;
                continue;
            }
            let child = self.grow(fingerprint)?;
            self.brain.tree.branches[branch].child = child;
            if self.brain.tree.branches(child).is_empty() {
                self.trial.end();
                is_certain = true;
            } else {
                let mobility = Mobility { now: self.list.len() as u32, before };
                self.judge(child, mobility);
                self.play_out(mobility)?;
            }
            break;
        }
        self.deepest = self.deepest.max(depth);
        self.learn(is_certain);
        Ok(())
    }

    /// The fingerprint of the present position; `None` where positions are told apart by what came before, so that no two ways
    /// lead to the same one.
    fn fingerprint(&self) -> Option<u64> {
        (!self.trial.game().keeps_history()).then(|| self.trial.state.fingerprint())
    }

    /// Adds the present position to the tree.
    fn grow(&mut self, fingerprint: Option<u64>) -> Result<u32, Error> {
        self.trial.moves(&mut self.list)?;
        let player = self.trial.player().unwrap_or(Player(0));
        let Worker { brain, list, fitted, trial, options, .. } = self;
        let Brain { tree, moves } = brain;
        let known = &moves[player.index() * KEYS..(player.index() + 1) * KEYS];
        let mut rate = |steps: &[Step]| {
            let (count, sum) = known[move_key(steps) as usize % KEYS];
            let gain = fitted.map_or(0.5, |fitted| {
                let Fitted { features, evaluation, .. } = fitted;
                expected(evaluation.gain(features, &trial.state, player, steps).gain) as f32
            });
            (gain * 4.0 + sum) / (4.0 + count)
        };
        Ok(tree.add(player, list, options.wide, &mut rate, fingerprint))
    }

    /// Notes what the evaluation says about a new position.
    fn judge(&mut self, node: u32, mobility: Mobility) {
        if self.options.minimax > 0.0
            && let Some(value) = self.value(self.brain.tree.nodes[node as usize].player, mobility)
        {
            self.brain.tree.nodes[node as usize].backed = value;
        }
    }

    /// What the evaluation says about the present position, from 0 to 1; `None` if there is no evaluation.
    fn value(&mut self, player: Player, mobility: Mobility) -> Option<f32> {
        if let Some(net) = &mut self.net {
            return Some(expected(net.value(&self.trial.state, player.index())) as f32);
        }
        let Fitted { evaluation, .. } = self.fitted?;
        let game = self.trial.game();
        let layout = game.rules().layout();
        Some(expected(evaluation.value(layout, &self.trial.state, player, mobility)) as f32)
    }

    /// Plays on from the present position, and notes the results. `mobility` is that of the present position.
    fn play_out(&mut self, mobility: Mobility) -> Result<(), Error> {
        let Worker { trial, made, clock, options, .. } = self;
        trial.mobility = mobility;
        let is_over = if options.length == 0 {
            false
        } else if options.mast {
            self.play_out_well()?
        } else {
            trial.playout_noting(clock, options.length.min(5_000), &mut |player, steps| {
                made.push((player, move_key(steps)));
            })?
        };
        if !is_over && self.options.length < LONGEST && self.trial.player().is_some() {
            let mobility = self.trial.mobility;
            if self.players == 2 {
                let value = self.value(Player(0), mobility).map_or(0.5, f64::from);
                self.trial.results[0] = value;
                self.trial.results[1] = 1.0 - value;
            } else {
                for player in 0..self.players {
                    let value = self.value(Player(player as u32), mobility);
                    self.trial.results[player] = value.map_or(0.5, f64::from);
                }
            }
        }
        Ok(())
    }

    /// Plays on with the better one of two random moves each time, by how they did elsewhere.
    fn play_out_well(&mut self) -> Result<bool, Error> {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for number in 0..self.options.length.min(5_000) {
            let Some(player) = self.trial.player() else {
                self.trial.end();
                return Ok(true);
            };
            if !self.trial.choose(&mut one)? {
                self.trial.end();
                return Ok(true);
            }
            if self.trial.generator.random_bool(0.8) && self.trial.choose(&mut other)? {
                let mean = |steps: &[Step]| {
                    let known =
                        self.brain.moves[player.index() * KEYS + move_key(steps) as usize % KEYS];
                    (known.1 + 0.5) / (known.0 + 1.0)
                };
                if mean(&other) > mean(&one) {
                    std::mem::swap(&mut one, &mut other);
                }
            }
            self.made.push((player, move_key(&one)));
            self.trial.apply(&one)?;
            if number % 256 == 255 && self.clock.is_late() {
                break;
            }
        }
        self.trial.results.fill(0.5);
        Ok(false)
    }

    /// The choice to be tried.
    fn select(&self, node: u32) -> usize {
        let tree = &self.brain.tree;
        let at = &tree.nodes[node as usize];
        let MctsOptions { exploration, rave, minimax, proof, .. } = self.options;
        // Only with two players does one lose what the other wins.
        let proof = if self.players == 2 { proof } else { 0.0 };
        let spread = exploration * ((at.visits + 1) as f32).ln().sqrt();
        let mut best = (f32::NEG_INFINITY, tree.branches(node).start);
        for index in tree.branches(node) {
            let branch = &tree.branches[index];
            if branch.proven != Proven::NO {
                if branch.proven == Proven::WON {
                    return index;
                }
                if branch.proven.is_lost() {
                    continue;
                }
            }
            let visits = branch.visits as f32;
            let mut value = (branch.sum + branch.prior) / (visits + 1.0);
            if rave > 0.0 && branch.later > 0 {
                let later = branch.later_sum / branch.later as f32;
                let share = (rave / (3.0 * visits + rave)).sqrt();
                // Few later moves say little.
                let share = share * branch.later as f32 / (branch.later as f32 + 4.0);
                value = (1.0 - share) * value + share * later;
            }
            if minimax > 0.0 {
                value = (1.0 - minimax) * value + minimax * branch.backed;
            }
            let mut bound = value + spread / (visits + 1.0).sqrt();
            if proof > 0.0 {
                let [own, _] = tree.proof(index);
                bound += proof * (at.proof[0].max(1.0) / own.max(1.0)).min(1.0);
            }
            if bound > best.0 {
                best = (bound, index);
            }
        }
        best.1
    }

    /// Adds the results of an iteration to all choices on the way.
    fn learn(&mut self, is_certain: bool) {
        let Worker { brain, path, made, stamps, stamp, trial, options, players, .. } = self;
        let Brain { tree, moves } = brain;
        *stamp += 1;
        for &(player, key) in made.iter() {
            let place = player.index() * KEYS + key as usize % KEYS;
            if std::mem::replace(&mut stamps[place], *stamp) != *stamp {
                let (count, sum) = &mut moves[place];
                *count += 1.0;
                *sum += trial.results[player.index()] as f32;
            }
        }
        let mut is_certain = is_certain && *players == 2;
        for (place, &(node, index)) in path.iter().enumerate().rev() {
            let player = tree.nodes[node as usize].player;
            let result = trial.results[player.index()] as f32;
            tree.nodes[node as usize].visits += 1;
            let child = tree.branches[index].child;
            let branch = &mut tree.branches[index];
            branch.visits += 1;
            branch.sum += result;
            if child != NONE {
                let below = &tree.nodes[child as usize];
                branch.backed =
                    if below.player == player { below.backed } else { 1.0 - below.backed };
                if is_certain && place + 1 < path.len() {
                    branch.proven =
                        if below.player == player { below.proven } else { below.proven.turned() };
                }
            }
            if is_certain && place + 1 == path.len() {
                branch.proven = Proven::result(f64::from(result));
            }
            if options.rave > 0.0 {
                let first = player.index() * KEYS;
                let range = tree.nodes[node as usize].range();
                for branch in &mut tree.branches[range] {
                    if stamps[first + branch.key as usize % KEYS] == *stamp {
                        branch.later += 1;
                        branch.later_sum += result;
                    }
                }
            }
            if options.proof > 0.0 {
                tree.update_proof(node);
            }
            let branches = &tree.branches[tree.nodes[node as usize].range()];
            if options.minimax > 0.0 {
                let best = branches.iter().map(|branch| branch.backed).fold(0.0, f32::max);
                tree.nodes[node as usize].backed = best;
            }
            if is_certain {
                let has_won = branches.iter().any(|branch| branch.proven == Proven::WON);
                let best = branches.iter().map(|branch| branch.proven);
                let all = branches.iter().all(|branch| branch.proven != Proven::NO);
                let proven = if has_won {
                    Proven::WON
                } else if all {
                    best.reduce(Proven::max).unwrap_or(Proven::NO)
                } else {
                    Proven::NO
                };
                tree.nodes[node as usize].proven = proven;
                is_certain = proven != Proven::NO;
            }
        }
    }
}

/// A move at the root, as all threads see it.
struct Root {
    steps: Vec<Step>,
    visits: u64,
    sum: f64,
    proven: Proven,
    /// If it is proven, in how many choices the game ends.
    length: u32,
}

/// What several threads have found together.
fn report_of(workers: &[Worker<'_>], time: Duration) -> Report {
    let mut report = Report { time, ..Report::default() };
    let mut roots = Roots::default();
    for worker in workers {
        report.iterations += worker.iterations;
        report.depth = report.depth.max(worker.deepest as u32);
        let tree = &worker.brain.tree;
        if !tree.nodes.is_empty() {
            roots.collect(tree, 0, &mut Vec::new());
        }
    }
    let mut roots = roots.list;
    let value = |root: &Root| {
        let mean = if root.visits == 0 { 0.0 } else { root.sum / root.visits as f64 };
        root.proven.value().unwrap_or(mean)
    };
    // A win that is proven is played, a loss is not; otherwise what was tried most often. Wins are quick and losses slow.
    let rank = |root: &Root| match root.proven {
        Proven::WON => (2, u64::MAX - u64::from(root.length)),
        proven if proven.is_lost() => (0, u64::from(root.length)),
        _ => (1, root.visits),
    };
    roots.sort_by(|one, other| {
        rank(other).cmp(&rank(one)).then(value(other).total_cmp(&value(one)))
    });
    let Some(best) = roots.first() else { return report };
    let players = workers[0].players;
    let player = workers[0].brain.tree.nodes[0].player;
    report.values = shared(value(best), player, players);
    report.line = line(&workers[0].brain.tree, &best.steps);
    report.candidates = roots
        .iter()
        .map(|root| Candidate {
            steps: Move::from(&*root.steps),
            visits: root.visits,
            value: value(root),
            is_bound: false,
        })
        .collect();
    report
}

/// The moves from the root of some trees.
#[derive(Default)]
struct Roots {
    list: Vec<Root>,
    /// Where each is in the list. There can be a million.
    places: HashMap<Vec<Step>, usize>,
}

impl Roots {
    /// Adds the moves below a position, which begin with these steps.
    fn collect(&mut self, tree: &Tree, node: u32, steps: &mut Vec<Step>) {
        for index in tree.branches(node) {
            let known = steps.len();
            steps.extend_from_slice(tree.steps(index));
            let branch = &tree.branches[index];
            if tree.is_divided(index) {
                self.collect(tree, branch.child, steps);
            } else {
                self.add(tree, index, steps);
            }
            steps.truncate(known);
        }
    }

    /// Adds a move, or what another tree has found about it.
    fn add(&mut self, tree: &Tree, index: usize, steps: &[Step]) {
        let branch = &tree.branches[index];
        let (visits, sum, proven) =
            (u64::from(branch.visits), f64::from(branch.sum), branch.proven);
        let length = match proven {
            Proven::NO => 0,
            _ => tree.length(index, &mut HashMap::new()),
        };
        if let Some(&place) = self.places.get(steps) {
            let root = &mut self.list[place];
            root.visits += visits;
            root.sum += sum;
            if proven != Proven::NO {
                (root.proven, root.length) = (proven, length);
            }
        } else {
            self.places.insert(steps.to_vec(), self.list.len());
            self.list.push(Root { steps: steps.to_vec(), visits, sum, proven, length });
        }
    }
}

/// The moves that are expected after a first one.
fn line(tree: &Tree, first: &[Step]) -> Vec<Move> {
    let mut line = vec![Move::from(first)];
    let mut node = tree.after(0, first);
    while let Some(at) = node
        && line.len() < LONGEST_LINE
    {
        let mut steps = Vec::new();
        let mut at = at;
        let next = loop {
            let best = tree.branches(at).max_by_key(|&index| tree.branches[index].visits);
            let Some(best) = best.filter(|&best| tree.branches[best].visits > 0) else {
                return line;
            };
            steps.extend_from_slice(tree.steps(best));
            at = tree.branches[best].child;
            if !tree.is_divided(best) {
                break at;
            }
        };
        line.push(Move(steps));
        node = (next != NONE).then_some(next);
    }
    line
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use regulus_game::{Config, EngineKind};

    use super::*;
    use crate::budget::{Budget, Stop};
    use crate::spec::PlayerSpec;

    /// A tree that was grown from the first position of a game.
    fn grown(name: &str, player: &str, iterations: u64) -> Tree {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        let game = Game::load(name, &config).expect("it is bundled");
        let play = Match::new(&game).expect("it begins");
        let spec: PlayerSpec = player.parse().expect("a player");
        let clock = Clock::start(Budget::default(), Stop::new());
        let options = spec.mcts_options();
        let mut worker =
            Worker::new(options, (None, None), &clock, Trial::new(&play, 1), Brain::default());
        worker.run(Some(iterations), &mut |_| {}).expect("the rules hold");
        worker.brain.tree
    }

    #[test]
    fn a_position_that_is_reached_in_several_ways_is_in_the_tree_once() {
        let tree = grown("tic_tac_toe", "mcts", 20_000);
        let known: BTreeSet<u64> = tree.nodes.iter().map(|node| node.fingerprint).collect();
        assert_eq!(known.len(), tree.nodes.len());
        let leading = |node: u32| tree.branches.iter().filter(|each| each.child == node).count();
        assert!((0..tree.nodes.len() as u32).any(|node| leading(node) > 1));
        // So is it in what is kept of it.
        let child = tree.branches[tree.branches(0).start].child;
        let below = tree.below(child);
        let known: BTreeSet<u64> = below.nodes.iter().map(|node| node.fingerprint).collect();
        assert_eq!(known.len(), below.nodes.len());
        assert!(below.nodes.iter().all(|node| tree.known(node.fingerprint).is_some()));
    }

    #[test]
    fn numbers_of_proof_are_those_of_the_positions_below() {
        let tree = grown("breakthrough_4x4", "mcts?proof=0.1", 3_000);
        let mut compared = 0;
        for node in 0..tree.nodes.len() as u32 {
            let at = &tree.nodes[node as usize];
            if at.proven != Proven::NO {
                let is_won = at.proven == Proven::WON;
                assert_eq!(at.proof[0] == 0.0, is_won, "{at:?}");
                compared += 1;
            }
        }
        assert!(compared >= 50, "{compared}");
    }
}
