//! Guides to games of Simplified Boardgames.

use regulus_lang::sbg::{Game, Goal, Kind, Side};

use crate::guide::{self, Cell, Guide, GuideSection, PieceCount, PieceGuide, Verdict};
use crate::{BoardSize, describe_words, diagram, piece_words, score_game};

impl Guide {
    /// Everything about a game of Simplified Boardgames.
    #[must_use]
    pub fn of_sbg(game: &Game) -> Guide {
        let pieces: Vec<PieceGuide> =
            (0..game.pieces.len()).map(|kind| piece_guide(game, kind)).collect();
        let scores: Option<Vec<u64>> = pieces.iter().map(|piece| piece.score).collect();
        let rows = game.position.chunks(game.width as usize).map(|row| {
            let cell = |content: &Option<_>| {
                content.map(|(side, kind): (Side, Kind)| Cell {
                    symbol: game.letter(side, kind).to_string(),
                    owner: Some(side as usize),
                })
            };
            row.iter().map(cell).collect()
        });
        Guide {
            title: game.name.clone(),
            setting: setting(game),
            position: rows.collect(),
            pieces,
            sections: vec![
                GuideSection::new("Winning", winning(game)),
                GuideSection::new("Drawing", drawing(game)),
            ],
            verdict: match scores {
                Some(scores) => score_game(game, &scores).map_or(Verdict::NoScore, Verdict::Score),
                None => Verdict::BeyondMeasure,
            },
            ..Guide::default()
        }
        .with_bounded_picture()
    }
}

fn piece_guide(game: &Game, kind: Kind) -> PieceGuide {
    let letter = game.pieces[kind].letter;
    let counts = Side::BOTH.map(|side| PieceCount {
        player: Some(side.name().to_owned()),
        count: game.count(side, kind),
    });
    let mut piece = PieceGuide {
        symbol: letter.to_string(),
        name: game.pieces[kind].name.clone(),
        counts: counts.to_vec(),
        ..PieceGuide::default()
    };
    match piece_words(game, kind) {
        Ok(words) => {
            piece.diagram = diagram::of_words(&words, &piece.symbol);
            piece.describe(&describe_words(&words, BoardSize::of(game)), &words);
        }
        Err(too_many) => piece.sentences.push(format!("{too_many}.")),
    }
    piece
}

fn setting(game: &Game) -> Vec<String> {
    let (width, height) = (game.width, game.height);
    let has_pieces = |side: Side| game.position.iter().flatten().any(|(whose, _)| *whose == side);
    let mut sentences = vec![
        format!("Two players, White and Black, take turns on a board of {width} columns and {height} rows. White begins."),
        "A turn is a move of one piece. A piece that ends its move on another takes it off the board.".to_owned(),
    ];
    if has_pieces(Side::White) && has_pieces(Side::Black) {
        sentences.push("Capital letters are White's pieces, small letters are Black's. Forwards is up the board for White and down for Black.".to_owned());
    }
    sentences
}

/// What a piece is called in a sentence.
fn name(game: &Game, kind: Kind) -> String {
    let piece = &game.pieces[kind];
    piece.name.clone().unwrap_or_else(|| piece.letter.to_string())
}

fn plural(game: &Game, kind: Kind) -> String {
    guide::plural(&name(game, kind))
}

fn winning(game: &Game) -> Vec<String> {
    let mut sentences = Vec::new();
    let goals: Vec<Said> = game.goals.iter().map(|goal| Said::new(game, goal)).collect();
    let mut done = vec![false; goals.len()];
    for index in 0..goals.len() {
        if done[index] {
            continue;
        }
        let goal = &goals[index];
        // The same for the other side, seen from there.
        let twin = (index + 1..goals.len()).find(|&other| {
            !done[other] && goals[other].what == goal.what && goals[other].side != goal.side
        });
        match twin {
            Some(twin) => {
                done[twin] = true;
                sentences.push(format!("A player {}.", goal.what));
            }
            None => {
                let side = if goal.side == Side::White { "White" } else { "Black" };
                sentences.push(format!("{side} {}.", goal.what));
            }
        }
    }
    sentences.push("A player who has no legal move at the beginning of a turn loses.".to_owned());
    sentences
}

/// What a goal says of its side, in words that do not depend on the side where they can.
struct Said {
    side: Side,
    what: String,
}

impl Said {
    fn new(game: &Game, goal: &Goal) -> Said {
        match goal {
            Goal::Count { side, kind, count, .. } => {
                let what = match (*count, game.count(*side, *kind)) {
                    (0, 1) => format!("loses when the {} is taken", name(game, *kind)),
                    (0, _) => format!("loses when the last {} is taken", name(game, *kind)),
                    (1, _) => format!("loses when only one {} is left", name(game, *kind)),
                    (count, _) => {
                        format!("loses when only {count} {} are left", plural(game, *kind))
                    }
                };
                Said { side: *side, what }
            }
            Goal::Reach { side, kind, squares, .. } => {
                let what = format!(
                    "wins by moving a {} to {}",
                    name(game, *kind),
                    places(game, *side, squares)
                );
                Said { side: *side, what }
            }
        }
    }
}

/// Squares in words: whole rows by how far away they are, others by name.
fn places(game: &Game, side: Side, squares: &[(u32, u32)]) -> String {
    let far = |y: u32| if side == Side::White { game.height - 1 - y } else { y };
    let row: Vec<(u32, u32)> =
        squares.iter().filter(|square| square.1 == squares[0].1).copied().collect();
    if row.len() == squares.len() && row.len() == game.width as usize {
        return match far(squares[0].1) {
            0 => "the farthest row".to_owned(),
            distance if distance == game.height - 1 => "the own first row".to_owned(),
            _ => format!("row {}", squares[0].1 + 1),
        };
    }
    let names: Vec<String> = squares.iter().map(|(x, y)| guide::square_name(*x, *y)).collect();
    guide::listed(&names, "or")
}

fn drawing(game: &Game) -> Vec<String> {
    let limit = game.turn_limit;
    let moves = match limit {
        0 => return vec!["The game is drawn before it begins.".to_owned()],
        1 => "White's first move".to_owned(),
        _ if limit.is_multiple_of(2) => format!("{} moves of each player", limit / 2),
        _ => format!("{} moves of White and {} of Black", limit.div_ceil(2), limit / 2),
    };
    vec![format!("The game is drawn after {moves}, if nothing else has ended it.")]
}
