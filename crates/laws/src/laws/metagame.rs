//! Games in METAGAME are played as they are defined.

use std::sync::Arc;

use rand::RngExt as _;
use regulus_automaton::Player;
use regulus_engine::{Limits, Rules as _, generator};
use regulus_game::{Config, EngineKind, Error, Game, Match, Outcome, Summary};
use regulus_lang::Source;
use regulus_lang::metagame::canonical;

use crate::metagame_definition::{Colour, MetagameDefinition, MetagamePosition};

/// The engines that must play a game alike.
const ENGINES: [EngineKind; 3] = [EngineKind::Walk, EngineKind::Plan, EngineKind::Jit];

/// What a law about METAGAME looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct MetagameComparison {
    /// Positions whose moves and results were compared.
    pub positions: u64,
    /// Their moves, each as text.
    pub moves: u64,
    /// Games that were played to their end.
    pub ended: u64,
    /// Games that were left because there were too many moves.
    pub left: u64,
}

impl std::ops::AddAssign for MetagameComparison {
    fn add_assign(&mut self, other: MetagameComparison) {
        self.positions += other.positions;
        self.moves += other.moves;
        self.ended += other.ended;
        self.left += other.left;
    }
}

/// Along random games in METAGAME every engine shows what an implementation of the definition shows which knows nothing of
/// automata: who is to move, the pieces, the hands, the moves in their notation, each once, and who wins. The texts of the
/// moves are read again as those moves.
///
/// # Panics
///
/// Panics if the law is broken.
#[must_use]
pub fn metagame_is_definition(text: &str, seed: u64, plies: usize) -> MetagameComparison {
    let mut compared = MetagameComparison::default();
    // Chains of captures over many pieces explode, and do so soon.
    let limits = Limits { moves: 1 << 18, tries: 1 << 24, ..Limits::default() };
    let games = ENGINES.map(|engine| {
        let config = Config { engine, limits, ..Config::default() };
        Game::new(Source::new("game.mg", text), &config)
    });
    let Ok(games): Result<Vec<Arc<Game>>, Error> = games.into_iter().collect() else {
        return compared;
    };
    let Ok(definition) = MetagameDefinition::read(text) else {
        panic!("it compiles, but is no game")
    };
    let plays = games.iter().map(|game| Match::seeded(game, seed)).collect();
    let Some(mut plays): Option<Vec<Match>> = unless_exploded(plays) else {
        compared.left += 1;
        return compared;
    };
    let arrangement = definition.arrangement(|x, y| white_kind(&definition, &plays[0], x, y));
    let mut position = definition.begin(&arrangement.expect("chance has placed the pieces"));
    let mut history = vec![position.key()];
    let mut generator = generator(seed);
    let mut line: Vec<String> = Vec::new();
    for _ in 0..=plies {
        let outcome = definition.outcome(&position, &history);
        for play in &plays {
            same_position(&definition, &position, play, &line);
            same_outcome(outcome.map(|outcome| outcome.winner), play, &line);
        }
        compared.positions += 1;
        if outcome.is_some() {
            compared.ended += 1;
            break;
        }
        let Ok(moves) = definition.moves(&position) else {
            compared.left += 1;
            break;
        };
        compared.moves += moves.len() as u64;
        let texts: Vec<&str> = moves.iter().map(|(text, _)| text.as_str()).collect();
        for play in &plays {
            same_moves(&texts, play, &line);
        }
        let (text, next) = &moves[generator.random_range(0..moves.len())];
        let played = plays.iter_mut().try_for_each(|play| play.play_named(text));
        if unless_exploded(played).is_none() {
            compared.left += 1;
            break;
        }
        line.push(text.clone());
        position = next.clone();
        history.push(position.key());
    }
    compared
}

/// What was answered; `None` if a position has more moves than limits allow.
fn unless_exploded<T>(answer: Result<T, Error>) -> Option<T> {
    let limits =
        ["run-too-many-moves", "run-too-long-list", "run-endless-search", "run-too-large-search"];
    answer.map_err(|error| assert!(limits.contains(&error.id()), "{error}")).ok()
}

/// The kind of white's piece on a square, given by file and rank.
fn white_kind(definition: &MetagameDefinition, play: &Match, x: i64, y: i64) -> Option<String> {
    let automaton = play.game().automaton();
    let (column, row) = (i32::try_from(x - 1).ok()?, i32::try_from(definition.height() - y).ok()?);
    let piece = play.state().piece(automaton.board.square_at(column, row)?);
    automaton.pieces[piece].strip_prefix("white_").map(str::to_owned)
}

fn same_moves(defined: &[&str], play: &Match, line: &[String]) {
    let count = play.moves().expect("moves can be found").len();
    let spelled = |index| play.spelling(index).expect("moves can be found").expect("a notation");
    let mut found: Vec<String> = (0..count).map(spelled).collect();
    found.sort();
    let engine = play.game().rules().name();
    let missing: Vec<&&str> =
        defined.iter().filter(|text| !found.iter().any(|f| f == **text)).collect();
    let extra: Vec<&String> =
        found.iter().filter(|text| !defined.contains(&text.as_str())).collect();
    let twice: Vec<&String> =
        found.iter().zip(found.iter().skip(1)).filter(|(a, b)| a == b).map(|(a, _)| a).collect();
    assert!(
        found == defined,
        "{engine} after {line:?}:\nmissing {missing:?}\nbeyond {extra:?}\ntwice {twice:?}"
    );
    for text in defined {
        assert_eq!(canonical(text).as_deref(), Ok(*text));
    }
}

fn same_position(
    definition: &MetagameDefinition,
    position: &MetagamePosition,
    play: &Match,
    line: &[String],
) {
    let engine = play.game().rules().name();
    let automaton = play.game().automaton();
    for (square, info) in automaton.board.squares.iter() {
        let piece = play.state().piece(square);
        let defined =
            position.piece_at(i64::from(info.x) + 1, definition.height() - i64::from(info.y));
        let defined =
            defined.map_or("empty".to_owned(), |(colour, kind)| format!("{colour}_{kind}"));
        assert_eq!(automaton.pieces[piece], defined, "{engine} on {} after {line:?}", info.name);
    }
    for (variable, info) in automaton.variables.iter() {
        let Some((side, kind)) = info.name.split_once("_hand_") else { continue };
        let colour = if side == "white" { Colour::White } else { Colour::Black };
        let held = position.hand(colour, kind);
        let number = play.game().rules().variable(play.state(), variable);
        assert_eq!(number as usize, held, "{engine}: {} after {line:?}", info.name);
    }
    if let Some(player) = play.player() {
        let colour = if player == Player(0) { Colour::White } else { Colour::Black };
        assert_eq!(colour, position.to_move(), "{engine} after {line:?}");
    }
}

fn same_outcome(defined: Option<Option<Colour>>, play: &Match, line: &[String]) {
    let engine = play.game().rules().name();
    let found = match play.outcome() {
        Outcome::Ongoing { .. } => None,
        Outcome::Over(over) => Some(match over.summary {
            Summary::Won(Player(0)) => Some(Colour::White),
            Summary::Won(_) => Some(Colour::Black),
            Summary::Drawn | Summary::Shared => None,
        }),
    };
    assert_eq!(found, defined, "{engine} after {line:?}");
}
