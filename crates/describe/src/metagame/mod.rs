//! Guides to games of METAGAME.
//!
//! ```text
//! powers ─▶ words of Simplified Boardgames, described and scored as there ┐
//!        └▶ special ways: longest rides, hops, retrieving ────────────────┴▶ piece ─▶ guide
//! ```

mod nouns;
mod piece;
mod powers;

use std::collections::BTreeSet;

use regulus_lang::metagame::{
    Assigner, Effect, Game, Goal, Inversion, Kind, Promotion, Setup, Side, Who,
};

use crate::guide::{Cell, Guide, GuideSection, PieceGuide, Verdict, counted, listed};
use nouns::{kinds_of, name, one_of, squares};

impl Guide {
    /// Everything about a game of METAGAME.
    #[must_use]
    pub fn of_metagame(game: &Game) -> Guide {
        let symbols = game.symbols();
        let effect = same_effect(game);
        let pieces: Vec<PieceGuide> = (0..game.kinds.len())
            .map(|kind| piece::piece_guide(game, kind, &symbols[kind], effect))
            .collect();
        let verdict = match pieces.iter().map(|piece| piece.score).collect::<Option<Vec<u64>>>() {
            Some(scores) => score(game, &scores).map_or(Verdict::NoScore, Verdict::Score),
            None => Verdict::BeyondMeasure,
        };
        let (winning, drawing) = ends(game);
        Guide {
            title: title(game),
            setting: setting(game, effect),
            position: position(game, &symbols),
            pieces,
            sections: setup(game)
                .map(|setup| GuideSection::new("Setup", vec![setup]))
                .into_iter()
                .chain([
                    GuideSection::new("Winning", winning),
                    GuideSection::new("Drawing", drawing),
                ])
                .collect(),
            verdict,
            ..Guide::default()
        }
        .with_bounded_picture()
    }
}

fn title(game: &Game) -> String {
    let mut words: Vec<String> = game.name.split('_').map(str::to_owned).collect();
    words.retain(|word| !word.is_empty());
    for word in &mut words {
        let first = word.remove(0).to_ascii_uppercase();
        word.insert(0, first);
    }
    if words.is_empty() { game.name.clone() } else { words.join(" ") }
}

/// How many pieces of a kind each player begins with, those to be set up included.
fn count(game: &Game, kind: Kind) -> usize {
    match &game.setup {
        Setup::Fixed(pieces) => pieces.iter().filter(|(other, _)| *other == kind).count(),
        Setup::Assigned { pieces, .. } => pieces.iter().filter(|other| **other == kind).count(),
    }
}

/// What becomes of captured pieces, if that is the same for all captures of the game.
fn same_effect(game: &Game) -> Option<Effect> {
    let mut effects =
        game.kinds.iter().flat_map(|kind| kind.capturing.iter().map(|capture| capture.effect));
    let first = effects.next()?;
    effects.all(|effect| effect == first).then_some(first)
}

fn has_hands(game: &Game) -> bool {
    let captures = game.kinds.iter().flat_map(|kind| &kind.capturing);
    captures.into_iter().any(|capture| capture.effect != Effect::Remove)
}

fn position(game: &Game, symbols: &[String]) -> Vec<Vec<Option<Cell>>> {
    let position = game.position();
    let cell = |(side, kind): &(Side, Kind)| Cell {
        symbol: match side {
            Side::White => symbols[*kind].to_uppercase(),
            Side::Black => symbols[*kind].clone(),
        },
        owner: Some(*side as usize),
    };
    let places: Vec<_> = game.board.places().collect();
    let rows = places.chunks(game.board.width as usize);
    rows.map(|row| row.iter().map(|place| position.get(place).map(cell)).collect()).collect()
}

fn setting(game: &Game, effect: Option<Effect>) -> Vec<String> {
    let (width, height) = (game.board.width as usize, game.board.height as usize);
    let mut sentences = vec![format!(
        "Two players, White and Black, take turns on a board of {} and {}. White begins.",
        counted(width, "column"),
        counted(height, "row")
    )];
    if game.board.is_cylinder {
        sentences.push("The left and the right edge are joined: whatever leaves the board there comes in on the other side.".to_owned());
    }
    sentences.push(match has_hands(game) {
        true => "A turn is a move of one piece, or the placing of a piece from the hand on any empty square.".to_owned(),
        false => "A turn is a move of one piece.".to_owned(),
    });
    match effect {
        Some(effect) => sentences.push(format!("A captured piece {}.", piece::fate(effect))),
        None if has_hands(game) => {
            sentences.push(
                "A captured piece leaves the game, where nothing else is said below.".to_owned(),
            );
        }
        None => {}
    }
    if has_hands(game) {
        sentences.push("A piece in a hand belongs to the player whose hand it is.".to_owned());
    }
    if game.must_capture {
        sentences.push("A player who can capture must.".to_owned());
    }
    if !game.position().is_empty() {
        sentences.push("Capital letters are White's pieces, small letters are Black's.".to_owned());
    }
    sentences.push(match game.board.inversion {
        Inversion::Diagonal => "Black sees the board turned by half a turn: forwards is down, and right is left.".to_owned(),
        Inversion::Forward => "Forwards is up the board for White and down for Black; left and right are the same for both.".to_owned(),
    });
    sentences
}

/// How the pieces come onto the board; `None` if the picture shows it.
fn setup(game: &Game) -> Option<String> {
    let Setup::Assigned { by, pieces, squares: places } = &game.setup else { return None };
    let kinds: BTreeSet<Kind> = pieces.iter().copied().collect();
    let list: Vec<String> =
        kinds.iter().map(|&kind| counted(count(game, kind), &name(game, kind))).collect();
    let (list, places) = (listed(&list, "and"), squares(game, places));
    let by_turns = |whose: &str, seen: &str| {
        format!(
            "The board is empty at first. In turn, White first, each player places one of {whose} pieces ({list}) on an empty square of {places}{seen}. When all are placed, White makes the first move."
        )
    };
    Some(match by {
        Assigner::Player => by_turns("their own", ""),
        Assigner::Opponent => by_turns("the other player's", ", as that player sees the board"),
        Assigner::Random => format!(
            "Chance places White's pieces ({list}) on squares of {places}, and Black's on the same squares as Black sees the board. The picture shows one way."
        ),
    })
}

/// How the game is won and how it is drawn.
fn ends(game: &Game) -> (Vec<String>, Vec<String>) {
    let stuck = |wanted: Who| {
        game.goals.iter().any(|goal| matches!(goal, Goal::Stalemate { who, .. } if *who == wanted))
    };
    let mut winning = Vec::new();
    for goal in &game.goals {
        let sentence = match goal {
            Goal::Arrive { what, squares: places, .. } => {
                let place = squares(game, places);
                let what = match what.owner {
                    Some(Who::Player) => {
                        let own =
                            regulus_lang::metagame::Description { owner: None, ..what.clone() };
                        format!("has {} on", one_of(game, &own).replace(" of either side", ""))
                    }
                    _ => format!("finds {} on", one_of(game, what)),
                };
                format!("A player wins who {what} {place}.")
            }
            Goal::Eradicate { what, .. } => {
                let kinds = kinds_of(game, what.kinds.as_ref(), false);
                match what.owner {
                    Some(Who::Opponent) => {
                        format!("A player wins when the opponent has no {kinds} on the board.")
                    }
                    Some(Who::Player) => {
                        format!("A player wins who has no {kinds} on the board.")
                    }
                    None => format!(
                        "A player wins when there is no {kinds} on the board, which is so for both: a draw."
                    ),
                }
            }
            // With both goals both players have won, which is a draw.
            Goal::Stalemate { .. } if stuck(Who::Player) && stuck(Who::Opponent) => continue,
            Goal::Stalemate { who: Who::Opponent, .. } => {
                "A player wins when the opponent is to move and cannot.".to_owned()
            }
            Goal::Stalemate { who: Who::Player, .. } => {
                "A player wins who is to move and cannot.".to_owned()
            }
        };
        if !winning.contains(&sentence) {
            winning.push(sentence);
        }
    }
    winning.push("This is looked at whenever a turn begins.".to_owned());
    let mut drawing = vec!["The game is drawn when both players have won at once.".to_owned()];
    if stuck(Who::Player) == stuck(Who::Opponent) {
        drawing.push("The game is drawn when a player is to move and cannot.".to_owned());
    }
    drawing.push(format!("The game is drawn after {}.", counted(game.turn_limit as usize, "turn")));
    drawing.push(format!(
        "The game is drawn when a position is there for the {} time.",
        ordinal(game.repetitions)
    ));
    (winning, drawing)
}

fn ordinal(number: u32) -> String {
    match number {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        n => format!("{n}th"),
    }
}

/// The kinds that can be on the board or in a hand: those of the beginning and what they become.
fn kinds_in_play(game: &Game) -> BTreeSet<Kind> {
    let mut found: BTreeSet<Kind> =
        (0..game.kinds.len()).filter(|&kind| count(game, kind) > 0).collect();
    loop {
        let mut next = found.clone();
        for &kind in &found {
            match &game.kinds[kind].promoting {
                Promotion::To(other) => next.extend([*other]),
                Promotion::Choice { options, .. } => {
                    next.extend(game.described(options, Side::White).map(|(_, kind)| kind));
                }
            }
        }
        if next == found {
            return found;
        }
        found = next;
    }
}

/// The score of a game as in `score_game`; kinds that come into play later are types too, and so is each rule that holds for
/// all pieces.
fn score(game: &Game, scores: &[u64]) -> Option<f64> {
    let pieces: usize = (0..scores.len()).map(|kind| count(game, kind)).sum();
    let sum: f64 =
        scores.iter().enumerate().map(|(kind, s)| count(game, kind) as f64 * *s as f64).sum();
    let rules = [
        game.board.is_cylinder,
        game.must_capture,
        has_hands(game),
        matches!(game.setup, Setup::Assigned { .. }),
    ];
    let types = kinds_in_play(game).len() + rules.iter().filter(|is_there| **is_there).count();
    (pieces > 0).then(|| sum * (10 + types) as f64 / pieces as f64)
}
