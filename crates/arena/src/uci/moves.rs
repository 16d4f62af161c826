//! Moves as UCI writes them: `e2e4`, `e7e8q`.
//!
//! A move of ours is a sequence of steps on squares. UCI knows only where a man comes from and where it arrives, which are the
//! squares of the first and of the last step: castling writes king, rook, rook, king and so is `e1g1`; a capture in passing
//! writes the pawn's square, the captured pawn's and the one it arrives on. Moves that share both squares are told apart by the
//! letter of the man that is put on the last one, so a letter stands exactly where there is a choice.
//!
//! That names are unique is looked at in every position; [`MoveText::check`] looks whether a game is of this kind at all.

use std::collections::HashMap;
use std::fmt;

use regulus_automaton::{Action, Id as _, IdVec, Modifier, Piece, PieceKind, Shape, Square};
use regulus_engine::{Step, generator};
use regulus_game::{Error, Game, Match};

/// The longest and the shorter side that a board can have.
const MOST_SQUARES: (usize, usize) = (16, 12);

/// How many random games are looked at, and how many moves of each.
const TRIED_GAMES: u64 = 12;
const TRIED_MOVES: usize = 150;

/// How the moves of one game are written in UCI.
///
/// # Examples
///
/// ```
/// use regulus_arena::uci::MoveText;
/// use regulus_game::{Config, Game, Match};
///
/// let game = Game::load("chess", &Config::default())?;
/// let text = MoveText::new(&game)?;
/// let mut play = Match::from_position(&game, "4k3/1P6/8/8/8/8/8/4K2R w K - 0 1")?;
/// let names = text.names(&play)?;
/// assert!(names.iter().flatten().any(|name| name == "b7b8n"));
/// let castling = text.find(&play, "e1g1")?.expect("white may castle");
/// play.play_index(castling)?;
/// assert_eq!(play.fen().as_deref(), Some("4k3/1P6/8/8/8/8/8/5RK1 b - - 1 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MoveText {
    labels: IdVec<Square, String>,
    /// The letters of the men that modifiers put on the board.
    letters: Vec<Option<char>>,
}

/// Why moves of a game cannot be written in UCI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(String);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unfit {}

impl MoveText {
    /// The text of moves of a game for two players on a rectangle of at most 12x16 squares. Whether its moves go from a square
    /// to another is not looked at; [`MoveText::check`] does.
    ///
    /// # Errors
    ///
    /// If the board or the number of players is another.
    pub fn new(game: &Game) -> Result<MoveText, Unfit> {
        let unfit = |reason: String| Err(Unfit(reason));
        let (board, grid) = (&game.automaton().board, game.grid());
        let (width, height) = (grid.width(), grid.height());
        let (long, short) = (width.max(height), width.min(height));
        if game.player_count() != 2 {
            return unfit(format!("UCI is for 2 players, not {}", game.player_count()));
        }
        if board.shape != Shape::Square || width * height != board.squares.len() {
            return unfit("the board is not a rectangle of squares".to_owned());
        }
        if long > MOST_SQUARES.0 || short > MOST_SQUARES.1 {
            return unfit(format!("the board is {width}x{height}; at most 12x16 is possible"));
        }
        let label = |square: Square| {
            let (column, row) = grid.place(square);
            format!("{}{}", char::from(b'a' + column as u8), height - row)
        };
        let mut letters = Vec::new();
        for (_, edge) in game.automaton().edges() {
            let (Some(modifier), Action::Put(piece)) = (edge.modifier, &edge.action) else {
                continue;
            };
            if letters.len() <= modifier.index() {
                letters.resize(modifier.index() + 1, None);
            }
            letters[modifier.index()] = letter(game, *piece);
        }
        Ok(MoveText { labels: board.squares.keys().map(label).collect(), letters })
    }

    /// The names of the legal moves, in the order of [`Match::moves`]; `None` where a move has none that is unique.
    ///
    /// # Errors
    ///
    /// As for [`Match::moves`].
    pub fn names(&self, play: &Match) -> Result<Vec<Option<String>>, Error> {
        let moves = play.moves()?;
        let mut names: Vec<Option<String>> =
            moves.iter().map(|steps| self.between(steps)).collect();
        let shared = repeated(&names);
        for (name, steps) in names.iter_mut().zip(moves.iter()) {
            if let Some(text) = name
                && shared.contains_key(text.as_str())
            {
                let letter = self.arriving(steps);
                *name = letter.map(|letter| format!("{text}{letter}"));
            }
        }
        let shared = repeated(&names);
        for name in &mut names {
            name.take_if(|name| shared.contains_key(name.as_str()));
        }
        Ok(names)
    }

    /// The name of a legal move; `None` if it has none, or is not legal.
    ///
    /// # Errors
    ///
    /// As for [`Match::moves`].
    pub fn name(&self, play: &Match, steps: &[Step]) -> Result<Option<String>, Error> {
        let Some(index) = play.moves()?.find(steps) else { return Ok(None) };
        Ok(self.names(play)?.swap_remove(index))
    }

    /// The number of the legal move with this name; `None` if there is none.
    ///
    /// # Errors
    ///
    /// As for [`Match::moves`].
    pub fn find(&self, play: &Match, name: &str) -> Result<Option<usize>, Error> {
        let wanted = name.to_ascii_lowercase();
        let names = self.names(play)?;
        Ok(names.iter().position(|name| name.as_deref() == Some(wanted.as_str())))
    }

    /// The name of a square.
    #[must_use]
    pub fn square(&self, square: Square) -> &str {
        &self.labels[square]
    }

    /// Looks at positions of random games whether every move takes a man of the player from a square to another, and has a
    /// name of its own.
    ///
    /// # Errors
    ///
    /// What is in the way.
    pub fn check(game: &std::sync::Arc<Game>) -> Result<MoveText, Unfit> {
        let text = MoveText::new(game)?;
        if game.has_chance() {
            return Err(Unfit("chance arranges the pieces".to_owned()));
        }
        let fault = |error: Error| Unfit(error.to_string());
        for seed in 0..TRIED_GAMES {
            let (mut play, mut generator) = (Match::new(game).map_err(fault)?, generator(seed));
            for _ in 0..TRIED_MOVES {
                text.check_names(&play)?;
                let before = play.clone();
                if !play.play_random(&mut generator).map_err(fault)? {
                    break;
                }
                text.check_last(&before, &play)?;
            }
        }
        Ok(text)
    }

    fn check_names(&self, play: &Match) -> Result<(), Unfit> {
        let names = self.names(play).map_err(|error| Unfit(error.to_string()))?;
        let Some(nameless) = names.iter().position(Option::is_none) else { return Ok(()) };
        let ours = play.names().ok().and_then(|names| names.get(nameless).cloned());
        let ours = ours.unwrap_or_default();
        Err(Unfit(format!("the move {ours} in {} has no name of its own", play.position())))
    }

    /// Looks whether the last move took a man of the player from a square to another.
    fn check_last(&self, before: &Match, after: &Match) -> Result<(), Unfit> {
        let (Some(ply), game) = (after.line().last(), before.game()) else { return Ok(()) };
        let owner = |play: &Match, square| game.piece_look(play.state().piece(square)).owner;
        let (Some(first), Some(last)) = (ply.steps.0.first(), ply.steps.0.last()) else {
            return Ok(());
        };
        let own = Some(ply.player);
        let is_good = owner(before, first.square) == own
            && owner(before, last.square) != own
            && owner(after, first.square) != own
            && owner(after, last.square) == own;
        let squares = game.automaton().board.squares.keys();
        let is_foe =
            |play: &Match, square| owner(play, square).is_some_and(|foe| foe != ply.player);
        let taken = squares.filter(|&square| is_foe(before, square) && !is_foe(after, square));
        if taken.count() > 1 {
            return Err(Unfit(
                "moves can take several men, on ways that two squares do not tell".to_owned(),
            ));
        }
        if is_good {
            return Ok(());
        }
        let name = self.between(&ply.steps.0).unwrap_or_default();
        Err(Unfit(format!("{name} in {} does not take a man there", before.position())))
    }

    /// The squares that a move comes from and goes to; `None` if they are the same.
    fn between(&self, steps: &[Step]) -> Option<String> {
        let (from, to) = (steps.first()?.square, steps.last()?.square);
        (from != to).then(|| format!("{}{}", self.labels[from], self.labels[to]))
    }

    /// The letter of the man that a move puts on its last square.
    fn arriving(&self, steps: &[Step]) -> Option<char> {
        let to = steps.last()?.square;
        let letter = |modifier: Modifier| self.letters.get(modifier.index()).copied().flatten();
        let mut arriving = steps.iter().rev().filter(|step| step.square == to);
        arriving.find_map(|step| letter(step.modifier))
    }
}

/// The names that occur more than once.
fn repeated(names: &[Option<String>]) -> HashMap<String, usize> {
    let mut uses: HashMap<String, usize> = HashMap::with_capacity(names.len());
    for name in names.iter().flatten() {
        *uses.entry(name.clone()).or_default() += 1;
    }
    uses.retain(|_, count| *count > 1);
    uses
}

/// The letter of a man; `None` for what stands for an empty square.
fn letter(game: &Game, piece: Piece) -> Option<char> {
    let look = game.piece_look(piece);
    let letter = match look.kind {
        _ if look.is_empty => return None,
        PieceKind::Pawn => 'p',
        PieceKind::Knight => 'n',
        PieceKind::Bishop => 'b',
        PieceKind::Rook => 'r',
        PieceKind::Queen => 'q',
        PieceKind::King => 'k',
        _ => {
            let word = look.name.split_whitespace().last()?;
            word.chars().find(char::is_ascii_alphabetic)?.to_ascii_lowercase()
        }
    };
    Some(letter)
}
