//! Positions that come again end the game, as a plain list of positions says.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::num::NonZeroUsize;

use rand::RngExt as _;
use regulus_automaton::{Automaton, Node, Piece, Player, Repetition, Square, Variable};
use regulus_engine::{
    Counting, Fault, Generator, History, Move, MoveList, Perft, Plan, Rules, State, Step, Walk,
    generator, perft, perft_threads,
};

use super::jit::compiled;
use crate::effort::{Effort, KeeperChoices};
use crate::exposure::{Exposure, SettledState};

/// What was compared by [`repetition_ends_games`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repetitions {
    /// States and trees that were compared with the list of positions.
    pub comparisons: u64,
    /// Games and playouts that ended because a position had come again.
    pub games: u64,
    /// Trees in which that happened.
    pub trees: u64,
}

impl std::ops::AddAssign for Repetitions {
    fn add_assign(&mut self, other: Repetitions) {
        self.comparisons += other.comparisons;
        self.games += other.games;
        self.trees += other.trees;
    }
}

/// A game that is told to end when a position comes again does so, with every engine: after a move, in playouts, long and
/// short ones, which note the moves that they make, and in trees below a state with a history. This is compared with the
/// game that is not told so, played by `walk`, and a list of complete copies of its positions. In all else the games are
/// the same.
///
/// The rule is made up from the seed: how often, with which scores, and which variables do not count.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn repetition_ends_games(text: &str, seed: u64, effort: &Effort) -> Repetitions {
    let mut repetitions = Repetitions::default();
    let mut automata = effort.load_both(text);
    if automata.is_empty() {
        return repetitions;
    }
    let (title, automaton) = automata.swap_remove(seed as usize % 2);
    if effort.keeper == KeeperChoices::Confluent {
        repetitions += compare(title, &automaton, None, seed, effort);
    } else {
        let exposure = Exposure::new(&automaton, effort.limits);
        repetitions += compare(title, &automaton, Some(&exposure), seed, effort);
        let title = &format!("{title}, a player for the keeper");
        repetitions += compare(title, exposure.automaton(), None, seed, effort);
    }
    repetitions
}

/// Compares all engines on one automaton.
fn compare(
    title: &str,
    automaton: &Automaton,
    keeper: Option<&Exposure>,
    seed: u64,
    effort: &Effort,
) -> Repetitions {
    let mut generator = generator(seed);
    let mut plain = automaton.clone().into_draft();
    plain.repetition = None;
    let mut draft = plain.clone();
    let over = draft.add_node();
    let rule = made_up(automaton, over, &mut generator);
    draft.repetition = Some(rule.clone());
    let plain = plain.verify().expect("a game without a rule for repetition is no violation");
    let declared = draft.verify().expect("a rule for repetition is no violation");
    let walk = Walk::with_limits(plain, effort.limits);
    let mut list = Positions { walk: &walk, keeper, rule: &rule, scratch: walk.scratch() };
    let mut repetitions = Repetitions::default();
    let limits = effort.generous();
    let engine = Walk::with_limits(declared.clone(), limits);
    repetitions += RepetitionComparison::new(title, "walk", &engine, &mut list, seed).run(effort);
    if let Ok(engine) = Plan::with_limits(declared.clone(), limits) {
        repetitions +=
            RepetitionComparison::new(title, "plan", &engine, &mut list, seed).run(effort);
    }
    if let Some(engine) = compiled(title, declared, limits) {
        repetitions +=
            RepetitionComparison::new(title, "jit", &engine, &mut list, seed).run(effort);
    }
    repetitions
}

/// A rule for a game.
fn made_up(automaton: &Automaton, over: Node, generator: &mut Generator) -> Repetition {
    let mut score =
        |player: Player| generator.random_range(0..=automaton.variables[player.score()].bound);
    let scores = automaton.players.keys().map(&mut score).collect();
    let ignored = automaton.variables.keys().filter(|_| generator.random_bool(0.5)).collect();
    Repetition { times: generator.random_range(2..=4), scores, ignored, over }
}

/// Everything that counts in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PositionContent {
    pieces: Vec<Piece>,
    variables: Vec<(Variable, i32)>,
    registers: Vec<Square>,
    node: Node,
    mover: Option<Player>,
}

/// A state of the game that is not told to end.
#[derive(Clone, Debug)]
struct Moment {
    state: State,
    keeper: Option<SettledState>,
    /// Whether a position has come often enough.
    is_over: bool,
}

/// The game that is not told to end, and what the rule says of a list of its positions.
struct Positions<'a> {
    walk: &'a Walk,
    keeper: Option<&'a Exposure>,
    rule: &'a Repetition,
    scratch: <Walk as Rules>::Scratch,
}

impl Positions<'_> {
    /// The first moment; `None` if a limit is reached or the keeper's choices matter.
    fn first(&mut self) -> Option<Moment> {
        let state = self.walk.initial(&mut self.scratch).ok()?;
        let keeper = match self.keeper {
            Some(exposure) => Some(exposure.initial()?),
            None => None,
        };
        Some(Moment { state, keeper, is_over: false })
    }

    /// The list of a play that begins here.
    fn list(&self, moment: &Moment) -> Vec<PositionContent> {
        self.position(&moment.state).into_iter().collect()
    }

    /// What counts in a state, if a player is in control.
    fn position(&self, state: &State) -> Option<PositionContent> {
        let (automaton, layout) = (self.walk.automaton(), self.walk.layout());
        let mover = state.mover(layout);
        let counted = automaton.variables.keys().filter(|name| !self.rule.ignored.contains(name));
        mover.is_some().then(|| PositionContent {
            pieces: automaton.board.squares.keys().map(|square| state.piece(square)).collect(),
            variables: counted.map(|name| (name, state.variable(layout, name))).collect(),
            registers: automaton.registers.keys().map(|at| state.register(layout, at)).collect(),
            node: state.node(layout),
            mover,
        })
    }

    /// The moment after a move, of which the position is added to the list; `None` as for [`Positions::first`].
    fn after(
        &mut self,
        moment: &Moment,
        steps: &[Step],
        list: &mut Vec<PositionContent>,
    ) -> Option<Moment> {
        let mut state = moment.state.clone();
        self.walk.apply(&mut state, &mut History::new(), steps, &mut self.scratch).ok()?;
        let keeper = match (&moment.keeper, self.keeper) {
            (Some(settled), Some(exposure)) => Some(exposure.after(settled, steps)?),
            _ => None,
        };
        let mut is_over = false;
        if let Some(position) = self.position(&state) {
            let before = list.iter().filter(|&earlier| *earlier == position).count();
            is_over = before + 1 >= self.rule.times as usize;
            list.push(position);
        }
        Some(Moment { state, keeper, is_over })
    }

    /// The moves; `None` if a limit is reached.
    fn moves(&mut self, moment: &Moment) -> Option<Vec<Move>> {
        if moment.is_over || self.walk.player(&moment.state).is_none() {
            return Some(Vec::new());
        }
        let mut moves = MoveList::new();
        self.walk.moves(&moment.state, &mut self.scratch, &mut moves).ok()?;
        Some(moves.iter().map(Move::from).collect())
    }

    /// Counts a tree; `None` if it is too large, a limit is reached or the keeper's choices matter.
    fn tree(
        &mut self,
        moment: &Moment,
        list: &mut Vec<PositionContent>,
        depth: u32,
        size: &mut TreeSize,
    ) -> Option<Perft> {
        size.left = size.left.checked_sub(1)?;
        size.ends += u64::from(moment.is_over);
        if depth == 0 {
            return Some(Perft { leaves: 1, states: 1 });
        }
        let mut sum = Perft { leaves: 0, states: 1 };
        for steps in self.moves(moment)? {
            let before = list.len();
            let next = self.after(moment, &steps.0, list)?;
            let below = self.tree(&next, list, depth - 1, size)?;
            list.truncate(before);
            sum.leaves += below.leaves;
            sum.states += below.states;
        }
        Some(sum)
    }
}

/// How many states a tree may still have, and in how many the game ended because of repetition.
struct TreeSize {
    left: u64,
    ends: u64,
}

/// How many games are played by each engine.
const GAMES: usize = 3;
/// How many moves a game has at most.
const MOVES: usize = 30;
/// How many states a tree may have.
const TREE: u64 = 250;
/// The deepest tree.
const DEPTH: u32 = 5;
/// How long playouts are: native code keeps no fingerprints in long ones without a reason.
const PLAYOUTS: [u64; 3] = [5, 40, 100];

/// An engine that plays the game that is told to end.
struct RepetitionComparison<'a, 'p, R: Rules> {
    title: &'a str,
    name: &'a str,
    rules: &'a R,
    scratch: R::Scratch,
    positions: &'a mut Positions<'p>,
    generator: Generator,
    found: Repetitions,
}

/// A state of both games, and what came before.
#[derive(Clone)]
struct ComparedPlay {
    state: State,
    history: History,
    moment: Moment,
    list: Vec<PositionContent>,
}

impl<'a, 'p, R: Rules> RepetitionComparison<'a, 'p, R> {
    fn new(
        title: &'a str,
        name: &'a str,
        rules: &'a R,
        positions: &'a mut Positions<'p>,
        seed: u64,
    ) -> RepetitionComparison<'a, 'p, R> {
        let (scratch, generator) = (rules.scratch(), generator(seed));
        let found = Repetitions::default();
        RepetitionComparison { title, name, rules, scratch, positions, generator, found }
    }

    fn run(mut self, effort: &Effort) -> Repetitions {
        for _ in 0..GAMES {
            if self.game(effort).is_none() {
                break;
            }
        }
        self.found
    }

    /// One game; `None` if a limit is reached or the keeper's choices matter.
    fn game(&mut self, effort: &Effort) -> Option<()> {
        let moment = self.positions.first()?;
        let state = self.rules.initial(&mut self.scratch);
        let state = self.answered(state)?;
        let (history, list) = (self.rules.history(&state), self.positions.list(&moment));
        let mut play = ComparedPlay { state, history, moment, list };
        for _ in 0..MOVES.min(effort.states) {
            self.must_agree(&play);
            let moves = self.positions.moves(&play.moment)?;
            self.compare_moves(&play, &moves)?;
            if moves.is_empty() {
                self.found.games += u64::from(play.moment.is_over);
                return Some(());
            }
            if self.generator.random_bool(0.25) {
                self.look_ahead(&play)?;
            }
            let steps = &moves[self.generator.random_range(0..moves.len())].0;
            play.moment = self.positions.after(&play.moment, steps, &mut play.list)?;
            let ComparedPlay { state, history, .. } = &mut play;
            let applied = self.rules.apply(state, history, steps, &mut self.scratch);
            self.answered(applied)?;
        }
        self.must_agree(&play);
        Some(())
    }

    fn compare_moves(&mut self, play: &ComparedPlay, moves: &[Move]) -> Option<()> {
        let mut found = MoveList::new();
        let listed = self.rules.moves(&play.state, &mut self.scratch, &mut found);
        self.answered(listed)?;
        let found: BTreeSet<Move> = found.iter().map(Move::from).collect();
        let moves: BTreeSet<Move> = moves.iter().cloned().collect();
        self.same("the moves", &moves, &found);
        let over = self.rules.is_over(&play.state, &mut self.scratch);
        let over = self.answered(over)?;
        self.same("whether the game is over", &moves.is_empty(), &over);
        Some(())
    }

    /// Playouts and trees from here, with the history so far or with a new one.
    fn look_ahead(&mut self, play: &ComparedPlay) -> Option<()> {
        let mut play = play.clone();
        if self.generator.random_bool(0.25) {
            play.history = self.rules.history(&play.state);
            play.list = self.positions.list(&play.moment);
        }
        for moves in PLAYOUTS {
            self.playout(&play, moves)?;
        }
        for depth in 0..=DEPTH {
            let mut size = TreeSize { left: TREE, ends: 0 };
            let before = play.list.len();
            let tree = self.positions.tree(&play.moment, &mut play.list, depth, &mut size);
            play.list.truncate(before);
            let Some(tree) = tree else { break };
            self.compare_tree(&play, depth, tree);
            self.found.trees += u64::from(size.ends > 0);
        }
        Some(())
    }

    fn compare_tree(&mut self, play: &ComparedPlay, depth: u32, tree: Perft) {
        let ComparedPlay { state, history, .. } = play;
        for counting in [Counting::Each, Counting::Bulk] {
            let counted = perft(self.rules, state, history, depth, counting, &mut |_, _| {});
            if let Some(counted) = self.answered(counted) {
                self.same(&format!("the tree to depth {depth}, {counting:?}"), &tree, &counted);
            }
        }
        // Threads take time to start.
        if depth == DEPTH {
            let (threads, each) =
                (NonZeroUsize::new(2).unwrap_or(NonZeroUsize::MIN), Counting::Each);
            let watch = &mut |_, _| {};
            let counted = perft_threads(self.rules, state, history, depth, each, threads, watch);
            if let Some(counted) = self.answered(counted) {
                self.same(&format!("the tree to depth {depth} in threads"), &tree, &counted);
            }
        }
        if let Some(counted) = self.rules.count(state, history, depth, &mut self.scratch) {
            self.same(&format!("the tree to depth {depth}, counted"), &tree, &counted);
        }
    }

    /// Plays chosen moves; compares every one of them, and the end.
    fn playout(&mut self, from: &ComparedPlay, moves: u64) -> Option<()> {
        let seed: u64 = self.generator.random();
        let pick = || {
            let mut generator = generator(seed);
            move |count: u64| generator.random_range(0..count)
        };
        let mut play = from.clone();
        let ComparedPlay { state, history, .. } = &mut play;
        let mut noted: Vec<(Player, Vec<Step>)> = Vec::new();
        let mut note = |player, steps: &[Step]| noted.push((player, steps.to_vec()));
        let scratch = &mut self.scratch;
        let made =
            self.rules.playout_noting(state, history, scratch, &mut pick(), moves, &mut note);
        for (player, steps) in &noted {
            let legal = self.positions.moves(&play.moment)?;
            self.same("that a noted move is legal", &true, &legal.contains(&Move(steps.clone())));
            let mover = self.positions.walk.player(&play.moment.state);
            self.same("who makes a noted move", &mover, &Some(*player));
            play.moment = self.positions.after(&play.moment, steps, &mut play.list)?;
        }
        if made.is_err() {
            // The last move, or finding the next one, must be too much for the other game as well.
            self.positions.moves(&play.moment)?;
        }
        let made = self.answered(made)?;
        self.same("the number of moves made", &made, &(noted.len() as u64));
        self.must_agree(&play);
        if made < moves {
            let left = self.positions.moves(&play.moment)?;
            self.same("that the game is over", &true, &left.is_empty());
        }
        self.found.games += u64::from(play.moment.is_over);
        // The same without notes, and in two parts.
        let (mut state, mut history) = (from.state.clone(), from.history.clone());
        let again =
            self.rules.playout(&mut state, &mut history, &mut self.scratch, &mut pick(), moves);
        self.same("a playout without notes", &Ok(made), &again);
        self.same("the state after it", &play.state, &state);
        self.same("the history after it", &play.history, &history);
        let (mut state, mut history) = (from.state.clone(), from.history.clone());
        let (mut pick, scratch) = (pick(), &mut self.scratch);
        let first = self.rules.play_chosen(&mut state, &mut history, scratch, &mut pick);
        self.same("whether a move was chosen", &Ok(made > 0), &first);
        let scratch = &mut self.scratch;
        let rest = self.rules.playout(&mut state, &mut history, scratch, &mut pick, moves - 1);
        self.same("the rest of a playout", &Ok(made.saturating_sub(1)), &rest);
        self.same("the state after a playout in two parts", &play.state, &state);
        self.same("the history after a playout in two parts", &play.history, &history);
        Some(())
    }

    /// The engine shows what the other game and the list say.
    fn must_agree(&mut self, play: &ComparedPlay) {
        let ComparedPlay { state, history, moment, list } = play;
        let (walk, rule) = (self.positions.walk, self.positions.rule);
        let (automaton, layout) = (self.rules.automaton(), self.rules.layout());
        let expected = &moment.state;
        let board = |state: &State| -> Vec<Piece> {
            automaton.board.squares.keys().map(|square| state.piece(square)).collect()
        };
        self.same("the board", &board(expected), &board(state));
        let values = walk.automaton().variables.keys().map(|name| walk.variable(expected, name));
        let mut values: Vec<i32> = values.collect();
        if moment.is_over {
            for (value, &score) in values.iter_mut().zip(rule.scores.values()) {
                *value = score;
            }
        }
        let names = automaton.variables.keys();
        let found: Vec<i32> = names.map(|name| self.rules.variable(state, name)).collect();
        self.same("the variables", &values, &found);
        let mover = walk.player(expected).filter(|_| !moment.is_over);
        self.same("the player in control", &mover, &self.rules.player(state));
        let node = if moment.is_over { rule.over } else { expected.node(walk.layout()) };
        self.same("the node", &node, &state.node(layout));
        // When the game is over the cursor does not matter.
        let skipped = usize::from(moment.is_over);
        for register in automaton.registers.keys().skip(skipped) {
            let wanted = expected.register(walk.layout(), register);
            self.same("a register", &wanted, &state.register(layout, register));
        }
        let fresh = self.rules.referee().zobrist.fresh_hash(state, layout);
        self.same("the fingerprint", &fresh, &state.fingerprint());
        self.compare_history(history, list);
        self.found.comparisons += 1;
    }

    /// The history has the same number of positions as the list, and the same ones are equal.
    fn compare_history(&self, history: &History, list: &[PositionContent]) {
        self.same("the length of the history", &list.len(), &history.len());
        // For each the first that is equal.
        let positions: Vec<_> = list.iter().map(|at| list.iter().position(|it| it == at)).collect();
        let keys = history.keys();
        let keys: Vec<_> = keys.iter().map(|at| keys.iter().position(|it| it == at)).collect();
        self.same("which positions are equal", &positions, &keys);
        let count = |at: &PositionContent| list.iter().filter(|it| *it == at).count() as u32;
        let most = list.iter().map(count).max().unwrap_or(0);
        self.same("how often a position has come", &most, &history.most());
    }

    /// The engine's answer to what the other game has answered; `None` if it was led astray, as engines may be where a
    /// look-ahead writes without end.
    fn answered<T>(&self, answer: Result<T, Fault>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(fault) if ["run-endless-move", "run-endless-search"].contains(&fault.id()) => None,
            Err(fault) => self.broken(&format!("a fault on one side only: {fault}")),
        }
    }

    fn same<T: PartialEq + Debug>(&self, what: &str, expected: &T, found: &T) {
        if expected != found {
            self.broken(&format!("{what}: {expected:?}, but {found:?}"));
        }
    }

    fn broken(&self, problem: &str) -> ! {
        let (title, name, rule) = (self.title, self.name, self.positions.rule);
        panic!("{title}, {name}: {problem}\n{rule:?}\n\n{}", self.positions.walk.automaton())
    }
}
