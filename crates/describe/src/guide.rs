//! "How to play": all that a newcomer must know of a game, in an order that can be read aloud.
//!
//! A [`Guide`] holds sentences; `render` turns it into text, Markdown and HTML.

use regulus_lang::sbg::{Game, Goal, Kind, Side};

use crate::diagram::{self, Diagram};
use crate::{Description, Size, TooManyWords, describe_words, piece_words, score_game};

/// How a game is played.
#[derive(Clone, Debug)]
pub struct Guide {
    /// The name of the game.
    pub title: String,
    /// Who plays on what.
    pub setting: Vec<String>,
    /// The initial position: rows from the top, a letter for each piece and a dot for each empty square.
    pub position: Vec<String>,
    /// The pieces in the order of the text.
    pub pieces: Vec<PieceGuide>,
    /// How the game is won and lost.
    pub winning: Vec<String>,
    /// How it is drawn.
    pub drawing: Vec<String>,
    /// How hard the game is to learn; nothing when a piece has no score.
    pub score: Option<f64>,
}

/// How a piece moves.
#[derive(Clone, Debug)]
pub struct PieceGuide {
    /// Its letter, upper-case.
    pub letter: char,
    /// Its name, if the game's text has one.
    pub name: Option<String>,
    /// How many white and black begin with.
    pub counts: [usize; 2],
    /// How it moves, unless that is too much to say.
    pub description: Result<Description, TooManyWords>,
    /// A picture of its moves; nothing when there are too many.
    pub diagram: Option<Diagram>,
}

impl PieceGuide {
    /// Its name for a heading: `Rook (R)`, or `R`.
    #[must_use]
    pub fn heading(&self) -> String {
        match &self.name {
            Some(name) => {
                let mut letters = name.chars();
                let first = letters.next().map(|c| c.to_uppercase().collect::<String>());
                format!("{}{} ({})", first.unwrap_or_default(), letters.as_str(), self.letter)
            }
            None => self.letter.to_string(),
        }
    }

    /// How many there are: `2 each`, `8 for white`.
    #[must_use]
    pub fn number(&self) -> String {
        match self.counts {
            [0, 0] => "none".to_owned(),
            [white, black] if white == black => format!("{white} each"),
            [white, 0] => format!("{white} for white"),
            [0, black] => format!("{black} for black"),
            [white, black] => format!("{white} for white, {black} for black"),
        }
    }

    /// The sentence, or why there is none.
    #[must_use]
    pub fn sentence(&self) -> String {
        match &self.description {
            Ok(description) => description.sentence.clone(),
            Err(too_many) => format!("{too_many}."),
        }
    }
}

/// Everything about a game.
#[must_use]
pub fn guide(game: &Game) -> Guide {
    let pieces: Vec<PieceGuide> = (0..game.pieces.len())
        .map(|kind| {
            let letter = game.pieces[kind].letter;
            let words = piece_words(game, kind);
            PieceGuide {
                letter,
                name: game.pieces[kind].name.clone(),
                counts: Side::BOTH.map(|side| game.count(side, kind)),
                diagram: words.as_ref().ok().and_then(|words| diagram::of_words(words, letter)),
                description: words.map(|words| describe_words(&words, Size::of(game))),
            }
        })
        .collect();
    let scores: Option<Vec<u64>> =
        pieces.iter().map(|piece| Some(piece.description.as_ref().ok()?.score)).collect();
    let rows = game.position.chunks(game.width as usize).map(|row| {
        let cell =
            |content: &Option<_>| content.map_or('.', |(side, kind)| game.letter(side, kind));
        row.iter().map(cell).collect()
    });
    Guide {
        title: game.name.clone(),
        setting: setting(game),
        position: rows.collect(),
        pieces,
        winning: winning(game),
        drawing: drawing(game),
        score: scores.and_then(|scores| score_game(game, &scores)),
    }
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
    let name = name(game, kind);
    match name.strip_suffix('f') {
        _ if name == "sheep" => name,
        Some(wol) if name == "wolf" => format!("{wol}ves"),
        _ if name.ends_with(['s', 'x']) => format!("{name}es"),
        _ => format!("{name}s"),
    }
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
    let names: Vec<String> = squares.iter().map(|(x, y)| square_name(*x, *y)).collect();
    match names.as_slice() {
        [] => "nowhere".to_owned(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

/// A square as in chess.
fn square_name(x: u32, y: u32) -> String {
    let mut column = String::new();
    let mut rest = i64::from(x);
    while rest >= 0 {
        column.insert(0, char::from(b'a' + (rest % 26) as u8));
        rest = rest / 26 - 1;
    }
    format!("{column}{}", y + 1)
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
