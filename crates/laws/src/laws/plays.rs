//! A play is the same whatever engine runs it, comes back from its text, and can be taken back and put together.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::RngExt as _;
use regulus_engine::{Generator, generator};
use regulus_game::{Building, Config, EngineKind, Game, Match};
use regulus_lang::Source;

use crate::effort::{Effort, KeeperChoices};

/// Along random games of a text in any language, played through [`Match`]:
///
/// 1. engines list the same moves, sorted, with the same names, and tell the same outcome;
/// 2. a position written as text comes back as the same state with the same outcome;
/// 3. choices have numbers of their own, below the number of actions, and lead to legal moves;
/// 4. planes hold one piece for each square, and numbers from 0 to 1;
/// 5. moves taken back and played again lead to the same states.
///
/// Returns the number of positions that were compared.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn plays_are_consistent(text: &str, seed: u64, effort: &Effort) -> u64 {
    let names = ["game.rbg", "game.sbg", "game.abg", "game.mg"];
    let sources = names.into_iter().map(|name| Source::new(name, text));
    let games = sources.filter_map(|source| load(source, effort));
    games.map(|games| Plays { games, random: generator(seed), compared: 0 }.play(effort)).sum()
}

/// A game with each engine whose keeper makes the same choices; `None` if the text is no game, or too large a one.
fn load(source: Source, effort: &Effort) -> Option<Vec<Arc<Game>>> {
    let lowered = regulus_game::Lowered::new(source).ok()?;
    if lowered.size().edges > effort.edges {
        return None;
    }
    let lowered = lowered.optimised(&Config::default()).expect("no pass is left out");
    let walk = (effort.keeper == KeeperChoices::Confluent).then_some(EngineKind::Walk);
    let engines = walk.into_iter().chain([EngineKind::Plan, EngineKind::Jit]);
    let config = |engine| Config { engine, limits: effort.limits, ..Config::default() };
    Some(engines.map(|engine| lowered.ready(&config(engine))).collect())
}

struct Plays {
    games: Vec<Arc<Game>>,
    random: Generator,
    compared: u64,
}

impl Plays {
    fn play(mut self, effort: &Effort) -> u64 {
        let begun: Result<Vec<Match>, _> = self.games.iter().map(Match::new).collect();
        // Where a limit is reached the law looks no further.
        let Ok(mut plays) = begun else { return 0 };
        let mut states = vec![plays[0].state().clone()];
        while states.len() <= effort.states && self.check(&plays) {
            let chosen: u64 = self.random.random();
            let count = plays[0].moves().map_or(0, |moves| moves.len() as u64);
            if count == 0 {
                break;
            }
            let index = (chosen % count) as usize;
            if plays.iter_mut().any(|play| play.play_index(index).is_err()) {
                return self.compared;
            }
            states.push(plays[0].state().clone());
        }
        plays.iter_mut().for_each(|play| check_way_back(play, &states));
        self.compared
    }

    /// Compares everything in a position; returns whether it could be looked at.
    fn check(&mut self, plays: &[Match]) -> bool {
        let (play, others) = (&plays[0], &plays[1..]);
        let (Ok(moves), Ok(names)) = (play.moves(), play.names()) else { return false };
        let at = || format!("{}\n{}", play.position(), play.game().source().text());
        assert!(moves.iter().is_sorted(), "moves are not sorted: {}", at());
        assert_eq!(play.player().is_none(), moves.is_empty(), "over without an end: {}", at());
        for other in others {
            assert_eq!(other.state(), play.state(), "{}", at());
            assert_eq!(other.outcome(), play.outcome(), "{}", at());
            if let (Ok(other_moves), Ok(other_names)) = (other.moves(), other.names()) {
                assert_eq!(other_moves, moves, "{}", at());
                assert_eq!(other_names, names, "{}", at());
            }
        }
        self.check_position(play);
        check_planes(play);
        self.check_choices(play);
        self.compared += 1;
        true
    }

    fn check_position(&self, play: &Match) {
        let text = play.position();
        match Match::from_position(play.game(), &text) {
            Ok(again) => {
                assert_eq!(again.state(), play.state(), "{text}");
                assert_eq!(again.outcome(), play.outcome(), "{text}");
            }
            Err(error) => {
                // The keeper is asked whether it can go on, which may reach a limit.
                let is_limit = error.id().starts_with("run-");
                assert!(is_limit, "{text}: {error}\n{}", play.game().source().text());
            }
        }
    }

    /// Puts a move together at random.
    fn check_choices(&mut self, play: &Match) {
        let (Ok(moves), Ok(mut building)) = (play.moves(), Building::new(play)) else { return };
        let bound = play.game().actions().count();
        while let [_, ..] = building.choices() {
            let numbers: BTreeSet<u64> =
                building.choices().iter().map(|choice| choice.action.0).collect();
            let text = play.game().source().text();
            assert_eq!(numbers.len(), building.choices().len(), "choices share numbers in\n{text}");
            assert!(numbers.iter().all(|&number| number < bound), "numbers are too large");
            let choice = building.choices()[self.random.random_range(0..numbers.len())];
            if building.choose(choice.action).is_err() {
                return;
            }
        }
        let is_legal = moves.find(building.steps()).is_some();
        assert_eq!(building.is_complete(), is_legal, "{:?}", building.steps());
        assert_eq!(is_legal, !moves.is_empty(), "a dead end: {:?}", building.steps());
    }
}

fn check_planes(play: &Match) {
    let (automaton, shape) = (play.game().automaton(), play.game().plane_shape());
    if shape.len() > 1 << 16 {
        return;
    }
    let mut planes = vec![f32::NAN; shape.len()];
    play.planes(&mut planes);
    let pieces = automaton.pieces.len() * shape.height * shape.width;
    let squares = automaton.board.squares.len();
    assert_eq!(planes[..pieces].iter().sum::<f32>() as usize, squares, "a piece on each square");
    assert!(planes.iter().all(|value| (0.0..=1.0).contains(value)), "{planes:?}");
}

/// Takes all moves back and plays them again.
fn check_way_back(play: &mut Match, states: &[regulus_engine::State]) {
    for state in states.iter().rev().skip(1) {
        assert!(play.undo(), "there is a move to take back");
        assert_eq!(play.state(), state, "a move is not taken back");
    }
    assert!(!play.undo(), "there are no more moves than were made");
    for state in &states[1..] {
        if !play.redo().expect("it was played before") {
            panic!("a move cannot be played again");
        }
        assert_eq!(play.state(), state, "a move is not the same when it is played again");
    }
}
