//! The interpreter and the compiled automaton side by side, through random games.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::collections::BTreeMap;

use regulus_abg::{Environment, Limits, Registry};
use regulus_automaton::Automaton;
use regulus_automaton::passes::{Config, optimise};
use regulus_engine::{History, MoveList, Plan, Rules, State, Walk};
use regulus_lang::{Source, compile, render};

/// Numbers from a seed.
#[derive(Clone, Debug)]
pub(crate) struct SeededRandom(u64);

impl SeededRandom {
    pub(crate) fn new(seed: u64) -> SeededRandom {
        SeededRandom(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    pub(crate) fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most + 1 - least)
    }

    pub(crate) fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }
}

/// A text of `games/abg`, by its name.
pub(crate) fn bundled(name: &str) -> Source {
    let path = format!("{}/../../games/abg/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|problem| panic!("{path}: {problem}"));
    Source::new(name, &*text)
}

/// All texts of `games/abg`.
pub(crate) fn all_bundled() -> Vec<Source> {
    let folder = format!("{}/../../games/abg", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(folder).expect("the folder of the games");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".abg"))
        .collect();
    names.sort();
    names.iter().map(|name| bundled(name)).collect()
}

/// Loads a text that must be without errors.
pub(crate) fn load(source: &Source, registry: &Registry) -> Environment {
    load_with_limits(source, registry, Limits::default())
}

/// The same under other limits.
pub(crate) fn load_with_limits(
    source: &Source,
    registry: &Registry,
    limits: Limits,
) -> Environment {
    Environment::load_with_limits(source, registry, limits).unwrap_or_else(|diagnostics| {
        panic!("{}\n{}", source.text(), render(&diagnostics, source, false))
    })
}

/// What is compared of a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Snapshot {
    /// The names of the pieces: rows from the bottom, each from the left.
    pub(crate) board: Vec<String>,
    pub(crate) variables: Vec<i64>,
    /// The player to move; `None` if the game is over.
    pub(crate) player: Option<String>,
    /// The scores, when it is.
    pub(crate) scores: Option<Vec<i64>>,
}

fn of_environment(environment: &mut Environment) -> Result<Snapshot, String> {
    let scores = environment.result().map_err(|fault| fault.to_string())?.map(<[i64]>::to_vec);
    let (game, state) = (environment.game(), environment.state());
    let name = |piece: &u8| game.pieces[usize::from(*piece)].name.clone();
    Ok(Snapshot {
        board: state.board().iter().map(name).collect(),
        variables: state.variables().to_vec(),
        player: scores.is_none().then(|| environment.current().to_owned()),
        scores,
    })
}

/// The compiled game, with the squares and variables in the order of the interpreter.
struct Compiled<R> {
    engine: R,
    squares: Vec<regulus_automaton::Square>,
    /// Each with what is to be added to its value: those of automata are never negative.
    variables: Vec<(regulus_automaton::Variable, i64)>,
}

impl<R: Rules> Compiled<R> {
    fn new(
        source: &Source,
        environment: &Environment,
        engine: impl FnOnce(Automaton) -> Option<R>,
    ) -> Result<Compiled<R>, Incomplete> {
        let compilation = compile(source);
        let Some(automaton) = compilation.automaton else {
            return Err(Incomplete::TooLarge(render(&compilation.diagnostics, source, false)));
        };
        let game = environment.game();
        let (width, height) = (game.width as i32, game.height as i32);
        let places = (0..height).rev().flat_map(|y| (0..width).map(move |x| (x, y)));
        let squares = places
            .map(|(x, y)| automaton.board.square_at(x, y).unwrap_or_else(|| panic!("no ({x},{y})")))
            .collect();
        let mut variables = Vec::new();
        for wanted in environment.variables() {
            let mut all = automaton.variables.iter();
            // What is added to it stands behind its name.
            let found = all.find(|(_, info)| info.name.split('+').next() == Some(wanted));
            let found = found.map(|(variable, _)| variable);
            let missing = || Incomplete::Different(format!("the automaton has no {wanted}"));
            variables.push((found.ok_or_else(missing)?, 0));
        }
        let too_large = || Incomplete::TooLarge("the engine has no place for it".to_owned());
        let engine = engine(automaton).ok_or_else(too_large)?;
        let mut compiled = Compiled { engine, squares, variables };
        let fault = |fault| Incomplete::Different(format!("the first state: {fault}"));
        let first = compiled.engine.initial(&mut compiled.engine.scratch()).map_err(fault)?;
        for ((variable, more), ours) in
            compiled.variables.iter_mut().zip(environment.state().variables())
        {
            *more = ours - i64::from(compiled.engine.variable(&first, *variable));
        }
        Ok(compiled)
    }

    fn snapshot(&self, state: &State) -> Result<Snapshot, String> {
        let automaton = self.engine.automaton();
        let over = self.engine.is_over(state, &mut self.engine.scratch());
        let over = over.map_err(|fault| format!("the automaton: {fault}"))?;
        let player = self.engine.player(state).filter(|_| !over);
        let scores = self.engine.scores(state).into_iter().map(i64::from).collect();
        let name = |square| automaton.pieces[state.piece(square)].clone();
        Ok(Snapshot {
            board: self.squares.iter().map(|square| name(*square)).collect(),
            variables: self
                .variables
                .iter()
                .map(|(variable, more)| more + i64::from(self.engine.variable(state, *variable)))
                .collect(),
            player: player.map(|player| automaton.players[player].clone()),
            scores: over.then_some(scores),
        })
    }
}

/// Why a game was not compared to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Incomplete {
    /// It is not compiled, for the reasons given.
    TooLarge(String),
    /// The two sides differ.
    Different(String),
}

/// How much is compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComparisonEffort {
    pub(crate) games: usize,
    pub(crate) plies: usize,
    /// Whether there must be exactly one move for each resulting change.
    pub(crate) exact: bool,
    pub(crate) limits: Limits,
}

/// What was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ComparisonCounts {
    pub(crate) states: usize,
    pub(crate) moves: usize,
    pub(crate) ends: usize,
    /// Games that were left because a limit was reached.
    pub(crate) faults: usize,
    /// States with other numbers of moves than in the automaton.
    pub(crate) uneven: usize,
}

impl std::ops::AddAssign for ComparisonCounts {
    fn add_assign(&mut self, other: ComparisonCounts) {
        self.states += other.states;
        self.moves += other.moves;
        self.ends += other.ends;
        self.faults += other.faults;
        self.uneven += other.uneven;
    }
}

/// Plays random games on both sides: with the automaton as it is lowered, in the engine that defines what automata mean, and
/// with the optimised automaton in a faster one. The error says where they differ.
pub(crate) fn lockstep(
    source: &Source,
    random: &mut SeededRandom,
    effort: &ComparisonEffort,
) -> Result<ComparisonCounts, Incomplete> {
    let limits = regulus_engine::Limits {
        tries: effort.limits.tries.saturating_mul(100),
        ..regulus_engine::Limits::default()
    };
    let lowered = |automaton| Some(Walk::with_limits(automaton, limits));
    let mut seen = against(source, &mut random.clone(), effort, lowered)?;
    let optimised =
        |automaton| Plan::with_limits(optimise(automaton, &Config::default()), limits).ok();
    seen += against(source, random, effort, optimised)?;
    Ok(seen)
}

fn against<R: Rules>(
    source: &Source,
    random: &mut SeededRandom,
    effort: &ComparisonEffort,
    engine: impl FnOnce(Automaton) -> Option<R>,
) -> Result<ComparisonCounts, Incomplete> {
    let mut environment = load_with_limits(source, &Registry::new(), effort.limits);
    let compiled = Compiled::new(source, &environment, engine)?;
    let mut seen = ComparisonCounts::default();
    for _ in 0..effort.games {
        environment.reset();
        play(&mut environment, &compiled, random, effort, &mut seen)
            .map_err(Incomplete::Different)?;
    }
    Ok(seen)
}

fn play<R: Rules>(
    environment: &mut Environment,
    compiled: &Compiled<R>,
    random: &mut SeededRandom,
    effort: &ComparisonEffort,
    seen: &mut ComparisonCounts,
) -> Result<(), String> {
    let engine = &compiled.engine;
    let mut scratch = engine.scratch();
    let Ok(first) = of_environment(environment) else {
        seen.faults += 1;
        return Ok(());
    };
    let mut state = engine.initial(&mut scratch).map_err(|fault| format!("initial: {fault}"))?;
    let mut line: Vec<String> = Vec::new();
    same("the first state", &first, &compiled.snapshot(&state)?, &line)?;
    for _ in 0..effort.plies {
        if environment.result().is_ok_and(|result| result.is_some()) {
            seen.ends += 1;
            return Ok(());
        }
        seen.states += 1;
        let Some(ours) = successors(environment) else {
            seen.faults += 1;
            return Ok(());
        };
        let (mut list, mut theirs) = (MoveList::new(), BTreeMap::new());
        let at = |fault| format!("after {line:?} the automaton: {fault}");
        engine.moves(&state, &mut scratch, &mut list).map_err(at)?;
        for steps in list.iter() {
            let mut next = state.clone();
            engine.apply(&mut next, &mut History::new(), steps, &mut scratch).map_err(at)?;
            theirs.insert(compiled.snapshot(&next)?, next);
        }
        compare(&ours, &theirs, environment, &line)?;
        let count = environment.moves().map_err(|fault| fault.to_string())?.len();
        if (list.len(), ours.len()) != (count, count) {
            seen.uneven += usize::from(list.len() != count);
            if effort.exact {
                return Err(format!(
                    "after {line:?} there are {count} moves to {} states, in the automaton {}",
                    ours.len(),
                    list.len()
                ));
            }
        }
        seen.moves += count;
        let clear = ours.iter().filter(|(_, number)| number.is_some());
        let all: Vec<&Snapshot> = clear.map(|(snapshot, _)| snapshot).collect();
        if all.is_empty() {
            return Ok(());
        }
        let chosen = random.pick(&all);
        let moves = environment.moves().map_err(|fault| fault.to_string())?;
        let made = &moves[ours[*chosen].unwrap_or(0)];
        line.push(environment.describe(made));
        environment.play(made).map_err(|fault| format!("after {line:?}: {fault}"))?;
        state = theirs[*chosen].clone();
    }
    Ok(())
}

/// Where the moves lead, each with the number of a move; without one where several moves lead to states that look the same, but
/// have other scores assigned by effects. Returns `None` if a limit is reached.
fn successors(environment: &mut Environment) -> Option<BTreeMap<Snapshot, Option<usize>>> {
    let mut found: BTreeMap<Snapshot, (Option<usize>, Vec<i64>)> = BTreeMap::new();
    let moves = environment.moves().ok()?;
    for (number, chosen) in moves.iter().enumerate() {
        let before = environment.state().clone();
        environment.play(chosen).ok()?;
        let snapshot = of_environment(environment).ok()?;
        let scores = environment.state().scores().to_vec();
        environment.undo().ok()?;
        assert_eq!(before, *environment.state(), "undoing leads back");
        let known = found.entry(snapshot).or_insert_with(|| (Some(number), scores.clone()));
        if known.1 != scores {
            known.0 = None;
        }
    }
    Some(found.into_iter().map(|(snapshot, (number, _))| (snapshot, number)).collect())
}

fn same(what: &str, ours: &Snapshot, theirs: &Snapshot, line: &[String]) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    Err(format!("after {line:?} {what}: interpreter {ours:?}\nautomaton {theirs:?}"))
}

fn compare(
    ours: &BTreeMap<Snapshot, Option<usize>>,
    theirs: &BTreeMap<Snapshot, State>,
    environment: &mut Environment,
    line: &[String],
) -> Result<(), String> {
    let moves = environment.moves().map_err(|fault| fault.to_string())?;
    if let Some((snapshot, number)) = ours.iter().find(|(key, _)| !theirs.contains_key(*key)) {
        let text = number.map_or(String::new(), |number| environment.describe(&moves[number]));
        let rest: Vec<&Snapshot> = theirs.keys().filter(|key| !ours.contains_key(*key)).collect();
        return Err(format!(
            "after {line:?} only the interpreter has {text}: {snapshot:?}\nonly the automaton has {rest:?}"
        ));
    }
    if let Some(snapshot) = theirs.keys().find(|key| !ours.contains_key(*key)) {
        return Err(format!("after {line:?} only the automaton has {snapshot:?}"));
    }
    Ok(())
}
