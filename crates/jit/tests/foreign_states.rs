//! Safe calls cannot break the engines: states, memory, histories and steps of other games are given to each of them, in
//! random order, with choices out of range and with callbacks that panic. Every call answers, reports a fault or panics; no
//! state ever holds anything out of the bounds of its game, which is what native code relies on; and in the end the
//! engines answer as they did in the beginning.
//!
//! `REGULUS_FOREIGN_CALLS` and `REGULUS_FOREIGN_GAMES` say how many calls are made and how many games of each kind there are.
//! With few of both it can be run under `valgrind`, which sees whether memory is read or written out of bounds.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rand::RngExt as _;
use regulus_automaton::{Automaton, Draft, Id as _, Modifier, Node, Player, Square, passes};
use regulus_engine::plan::{self, Plan};
use regulus_engine::{
    Counting, Fault, Generator, History, Limits, Move, MoveList, Rules, State, Step, UndoStack,
    Walk, generator, perft, walk,
};
use regulus_jit::{Config, Engine, EngineKind, Jit};
use regulus_lang::{Source, compile};

/// Games that come with Regulus; the last two are large enough for several words of squares.
const BUNDLED: [&str; 6] = [
    "rbg/tic_tac_toe.rbg",
    "rbg/breakthrough_5x5.rbg",
    "sbg/gardner.sbg",
    "abg/animal_shogi.abg",
    "rbg/english_checkers.rbg",
    "rbg/reversi.rbg",
];

/// How many random automata there are, each with two others of its shape.
const RANDOM: u64 = 12;

/// How many calls are made.
const CALLS: usize = 8_000;

const LIMITS: Limits = Limits {
    writes: 20,
    tries: 20_000,
    memory: 1 << 24,
    moves: 20_000,
    stored_steps: 20_000,
    keeper_moves: 50,
};

/// The moves of a state by each engine.
type Answers = [Result<Vec<Move>, Fault>; 4];

/// One game with all its engines.
struct GameEngines {
    name: String,
    walk: Walk,
    plan: Plan,
    jit: Jit,
    engine: Engine,
    /// Some states, with the moves that each engine finds there.
    known: Vec<(State, Answers)>,
}

/// Memory for all engines of one game.
struct Scratches {
    walk: walk::Scratch,
    plan: plan::Scratch,
    jit: <Jit as Rules>::Scratch,
    engine: <Engine as Rules>::Scratch,
}

impl Scratches {
    fn new(game: &GameEngines) -> Scratches {
        let mut engine = game.engine.scratch();
        // It belongs to the game that uses it first. A fault here is no news.
        let _ = game.engine.initial(&mut engine);
        let (walk, plan, jit) = (game.walk.scratch(), game.plan.scratch(), game.jit.scratch());
        Scratches { walk, plan, jit, engine }
    }
}

impl GameEngines {
    /// Prepares a game; `None` if it has no native code or does not begin.
    fn new(name: String, automaton: Automaton) -> Option<GameEngines> {
        let automaton = Arc::new(automaton);
        let walk = Walk::with_limits(Arc::clone(&automaton), LIMITS);
        let plan = Plan::with_limits(Arc::clone(&automaton), LIMITS).ok()?;
        let jit = Jit::with_limits(Arc::clone(&automaton), LIMITS).ok()?;
        let config = Config { kind: EngineKind::Jit, limits: LIMITS, ..Config::default() };
        let engine = Engine::new(automaton, &config);
        let mut game = GameEngines { name, walk, plan, jit, engine, known: Vec::new() };
        let mut scratches = Scratches::new(&game);
        let mut state = game.jit.initial(&mut scratches.jit).ok()?;
        let mut history = game.jit.history(&state);
        let mut random = generator(5);
        for _ in 0..8 {
            game.must_be_sound(&state);
            let answers = game.answers(&state, &mut scratches);
            game.known.push((state.clone(), answers));
            let mut pick = |count| random.random_range(0..count);
            let played =
                game.jit.play_chosen(&mut state, &mut history, &mut scratches.jit, &mut pick);
            if played != Ok(true) {
                break;
            }
        }
        Some(game)
    }

    /// The moves of a state by each engine.
    fn answers(&self, state: &State, scratches: &mut Scratches) -> Answers {
        fn listed<R: Rules>(
            rules: &R,
            state: &State,
            scratch: &mut R::Scratch,
        ) -> Result<Vec<Move>, Fault> {
            let mut list = MoveList::new();
            rules.moves(state, scratch, &mut list)?;
            Ok(list.iter().map(Move::from).collect())
        }
        [
            listed(&self.walk, state, &mut scratches.walk),
            listed(&self.plan, state, &mut scratches.plan),
            listed(&self.jit, state, &mut scratches.jit),
            listed(&self.engine, state, &mut scratches.engine),
        ]
    }

    fn shape(&self) -> u64 {
        self.walk.layout().shape()
    }

    /// Everything in a state of this game's shape is within bounds, and the sets of squares say what the squares say.
    fn must_be_sound(&self, state: &State) {
        let (automaton, layout) = (self.walk.automaton(), self.walk.layout());
        assert_eq!(state.shape(), layout.shape(), "{}", self.name);
        assert_eq!(state.word_count() * 8, layout.size(), "{}", self.name);
        for square in automaton.board.squares.keys() {
            let piece = state.piece(square);
            assert!(piece.index() < automaton.pieces.len(), "{}: {piece} on {square}", self.name);
            let (word, bit) = (square.index() / 64, square.index() % 64);
            for other in automaton.pieces.keys() {
                let is_there = state.squares_of(layout, other)[word] >> bit & 1 == 1;
                assert_eq!(is_there, other == piece, "{}: {other} on {square}", self.name);
            }
        }
        for (variable, info) in automaton.variables.iter() {
            let value = state.variable(layout, variable);
            assert!((0..=info.bound).contains(&value), "{}: {variable} {value}", self.name);
        }
        for register in automaton.registers.keys() {
            let square = state.register(layout, register);
            assert!(square.index() < automaton.board.squares.len(), "{}: {square}", self.name);
        }
        assert!(state.node(layout).index() < automaton.nodes.len(), "{}: the node", self.name);
        let mover = state.mover(layout).map_or(0, Player::index);
        assert!(mover < automaton.players.len(), "{}: the player in control", self.name);
    }
}

fn bundled(name: &str) -> Automaton {
    let path = format!("{}/../../games/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the game is there");
    compile(&Source::new(name, text)).automaton.expect("no errors")
}

/// Another game with states of the same shape: pieces stand elsewhere, and edges lead elsewhere.
fn of_the_same_shape(automaton: &Automaton, random: &mut Generator) -> Automaton {
    let mut draft: Draft = automaton.clone().into_draft();
    let pieces: Vec<_> = draft.pieces.keys().collect();
    for square in draft.board.squares.values_mut() {
        square.piece = pieces[random.random_range(0..pieces.len())];
    }
    for _ in 0..8 {
        let mut other = draft.clone();
        let nodes = other.nodes.len();
        let node = Node::from_index(random.random_range(0..nodes));
        if let Some(edge) = other.nodes[node].first_mut() {
            edge.target = Node::from_index(random.random_range(0..nodes));
        }
        if other.clone().verify().is_ok() {
            draft = other;
        }
    }
    draft.verify().expect("what was verified")
}

/// A number that the environment may give.
fn given(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

fn games(most: usize) -> Vec<GameEngines> {
    let mut random = generator(3);
    let mut games = Vec::new();
    for name in BUNDLED.into_iter().take(most) {
        let lowered = bundled(name);
        let similar = of_the_same_shape(&lowered, &mut random);
        let optimised = passes::optimise(lowered.clone(), &passes::Config::default());
        games.extend(GameEngines::new(format!("{name}, changed"), similar));
        games.extend(GameEngines::new(name.to_owned(), lowered));
        games.extend(GameEngines::new(format!("{name}, optimised"), optimised));
    }
    for seed in (0..RANDOM).take(most) {
        let text = regulus_laws::automaton(&regulus_laws::bytes(seed));
        let draft: Draft = text.parse().expect("an automaton");
        let automaton = draft.verify().expect("a well-formed automaton");
        for number in 0..2 {
            let similar = of_the_same_shape(&automaton, &mut random);
            games.extend(GameEngines::new(format!("automaton {seed}, changed {number}"), similar));
        }
        games.extend(GameEngines::new(format!("automaton {seed}"), automaton));
    }
    games
}

/// What is given to engines in random order, whatever game it belongs to.
struct Mess<'g> {
    games: &'g [GameEngines],
    by_shape: BTreeMap<u64, &'g GameEngines>,
    scratches: Vec<Scratches>,
    states: Vec<State>,
    histories: Vec<History>,
    undo: UndoStack,
    moves: Vec<Vec<Step>>,
    random: Generator,
    /// How many calls answered, reported a fault, and panicked.
    outcomes: [usize; 3],
}

/// The number of an engine.
#[derive(Clone, Copy, Debug)]
enum Which {
    Walk,
    Plan,
    Jit,
    Engine,
}

const ENGINES: [Which; 4] = [Which::Walk, Which::Plan, Which::Jit, Which::Engine];

impl Mess<'_> {
    fn any(&mut self, count: usize) -> usize {
        self.random.random_range(0..count)
    }

    /// One call of an engine of one game with what belongs to others.
    fn call(&mut self) {
        let (game, scratch) = (self.any(self.games.len()), self.any(self.scratches.len()));
        // Often the right memory and the right state, so that not everything is refused at once.
        let scratch = if self.random.random_bool(0.5) { game } else { scratch };
        let own = (0..self.states.len())
            .filter(|&at| self.states[at].shape() == self.games[game].shape());
        let own: Vec<usize> = own.collect();
        let at = match own.len() {
            count if count > 0 && self.random.random_bool(0.6) => own[self.any(count)],
            _ => self.any(self.states.len()),
        };
        let history = self.any(self.histories.len());
        let steps = self.any(self.moves.len());
        let seed: u64 = self.random.random();
        let games = self.games;
        let engine = ENGINES[self.any(ENGINES.len())];
        let (mut state, mut past) = (self.states[at].clone(), self.histories[history].clone());
        let steps = &self.moves[steps];
        let memory = &mut self.scratches[scratch];
        let game = &games[game];
        let work = AssertUnwindSafe(|| match engine {
            Which::Walk => {
                request(&game.walk, &mut state, &mut past, steps, &mut memory.walk, seed)
            }
            Which::Plan => {
                request(&game.plan, &mut state, &mut past, steps, &mut memory.plan, seed)
            }
            Which::Jit => request(&game.jit, &mut state, &mut past, steps, &mut memory.jit, seed),
            Which::Engine => {
                request(&game.engine, &mut state, &mut past, steps, &mut memory.engine, seed)
            }
        });
        let outcome = catch_unwind(work);
        self.outcomes[match &outcome {
            Ok(Ok(())) => 0,
            Ok(Err(_)) => 1,
            Err(_) => 2,
        }] += 1;
        // Whatever happened, it is still a state of some game, and is used again.
        self.must_be_sound(&state, &format!("{} by {engine:?}, seed {seed}", game.name));
        self.states[at] = state;
        self.histories[history] = past;
        if self.histories[history].len() > 50 {
            self.histories[history].truncate(3);
        }
        self.mix();
    }

    fn must_be_sound(&self, state: &State, context: &str) {
        let Some(game) = self.by_shape.get(&state.shape()) else {
            panic!("{context}: a state of no game");
        };
        let checked = catch_unwind(AssertUnwindSafe(|| game.must_be_sound(state)));
        assert!(checked.is_ok(), "{context}: a state of {} is out of bounds", game.name);
    }

    /// Copies, saves and restores states over those of other games.
    fn mix(&mut self) {
        let (one, other) = (self.any(self.states.len()), self.any(self.states.len()));
        let source = self.states[other].clone();
        match self.any(12) {
            0 => self.states[one].copy_from(&source),
            1 => self.states[one].clone_from(&source),
            2 => self.undo.save(&source),
            3 => {
                self.undo.undo(&mut self.states[one]);
            }
            4 => self.states[one].set_fingerprint(self.random.random()),
            // A fresh one, since many have come to an end.
            5..=8 => {
                let game = &self.games[one % self.games.len()];
                let known = self.any(game.known.len());
                self.states[one] = game.known[known].0.clone();
            }
            9 => {
                let (modifier, square) =
                    (self.random.random_range(0..40), self.random.random_range(0..70));
                let step = Step { modifier: Modifier(modifier), square: Square(square) };
                let at = self.any(self.moves.len());
                let moves = &mut self.moves[at];
                match moves.len() {
                    0..40 => moves.insert(self.random.random_range(0..=moves.len()), step),
                    _ => moves.clear(),
                }
            }
            10 => {
                let at = self.any(self.moves.len());
                let from = self.any(self.moves.len());
                self.moves[at] = self.moves[from].clone();
            }
            _ => {}
        }
    }
}

/// A request to an engine, chosen by the seed.
fn request<R: Rules>(
    rules: &R,
    state: &mut State,
    history: &mut History,
    steps: &[Step],
    scratch: &mut R::Scratch,
    seed: u64,
) -> Result<(), Fault> {
    let mut random = generator(seed);
    let kind = random.random_range(0..16);
    // Choices are in range, out of it, or do not come back.
    let manner = random.random_range(0..6);
    let calls = Cell::new(0);
    let mut pick = |count: u64| {
        calls.set(calls.get() + 1);
        match manner {
            0 if calls.get() > 3 => count,
            1 if calls.get() > 3 => u64::MAX,
            2 if calls.get() > 3 => panic!("no choice"),
            _ => random.random_range(0..count.max(1)),
        }
    };
    match kind {
        0 => rules.moves(state, scratch, &mut MoveList::new()),
        1 => rules.visit_moves(state, scratch, &mut |_| match manner {
            0 => panic!("no visit"),
            1 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }),
        2 => rules.choose(state, scratch, &mut pick, &mut Vec::new()).map(drop),
        3 | 4 => rules.apply(state, history, steps, scratch),
        5 => rules.play(state, history, steps, scratch),
        6 => rules.play_chosen(state, history, scratch, &mut pick).map(drop),
        7 => rules.playout(state, history, scratch, &mut pick, 4).map(drop),
        8 => rules.playout(state, history, scratch, &mut pick, 100).map(drop),
        9 => {
            let mut note = |_, _: &[Step]| assert!(manner != 3 || calls.get() < 3, "no note");
            let moves = [3, 100][seed as usize % 2];
            rules.playout_noting(state, history, scratch, &mut pick, moves, &mut note).map(drop)
        }
        10 => rules.move_count(state, scratch).map(drop),
        11 => {
            let depth = [0, 1, 2, 1, 2, 65, u32::MAX][seed as usize % 7];
            let _ = rules.count(state, history, depth, scratch);
            Ok(())
        }
        12 => rules.is_over(state, scratch).map(drop),
        13 => perft(rules, state, history, 1, Counting::Each, &mut |_, _| {}).map(drop),
        14 => {
            let _ = (rules.player(state), rules.scores(state), rules.cursor(state));
            rules.initial(scratch).map(drop)
        }
        _ => {
            let referee = rules.referee();
            match seed % 4 {
                0 => referee.execute(state, steps)?,
                1 => referee.remember(state, history),
                2 => referee.refresh(state),
                _ => drop(referee.history(state)),
            }
            Ok(())
        }
    }
}

#[test]
fn safe_calls_break_nothing() {
    // Thousands of panics are expected; only those of the test itself are of interest.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let tried = catch_unwind(try_everything);
    std::panic::set_hook(hook);
    match tried {
        Ok([answers, faults, panics]) => {
            eprintln!("{answers} answers, {faults} faults, {panics} panics");
            let all = answers + faults + panics;
            assert!(answers * 5 > all && faults * 50 > all && panics * 10 > all, "some of each");
        }
        Err(problem) => {
            let text = problem.downcast_ref::<String>().map_or("no reason", String::as_str);
            panic!("{text}");
        }
    }
}

fn try_everything() -> [usize; 3] {
    let calls = given("REGULUS_FOREIGN_CALLS").unwrap_or(CALLS);
    let most = given("REGULUS_FOREIGN_GAMES");
    let games = games(most.unwrap_or(usize::MAX));
    assert!(most.is_some() || games.len() > 30, "most games are compiled: {}", games.len());
    let shapes: BTreeMap<u64, &GameEngines> =
        games.iter().map(|game| (game.shape(), game)).collect();
    assert!(shapes.len() > 3 && shapes.len() + 3 < games.len(), "some have the same shape");
    let moves = games.iter().flat_map(|game| {
        let moves = game.known.iter().filter_map(|(_, answers)| answers[2].as_ref().ok());
        moves.filter_map(|moves| Some(moves.first()?.0.clone())).take(3)
    });
    let states: Vec<State> = games.iter().map(|game| game.known[0].0.clone()).collect();
    let mut mess = Mess {
        games: &games,
        by_shape: shapes,
        scratches: games.iter().map(Scratches::new).collect(),
        histories: vec![History::new(); 8],
        undo: UndoStack::new(),
        moves: moves.chain([Vec::new()]).collect(),
        states,
        random: generator(11),
        outcomes: [0; 3],
    };
    for _ in 0..calls {
        mess.call();
    }
    // With the memory that has seen everything, and with new memory.
    for (game, scratches) in games.iter().zip(&mut mess.scratches) {
        for (state, expected) in &game.known {
            let used = game.answers(state, scratches);
            let fresh = game.answers(state, &mut Scratches::new(game));
            for (name, ((expected, used), fresh)) in
                ENGINES.iter().zip(expected.iter().zip(&used).zip(&fresh))
            {
                let name = format!("{}, {name:?}", game.name);
                assert!(fresh == expected, "{name}: {fresh:?}, not {expected:?}");
                assert!(used == expected, "{name}, used memory: {used:?}, not {expected:?}");
            }
        }
    }
    mess.outcomes
}
