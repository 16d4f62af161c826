//! Moves as people type them: `d2d3`, `D2-D3`, `Nf3`, `exd5`, `e8=Q`, `O-O`, the letter or number of a column.
//!
//! Nothing here is about one game. The legal moves are known by their names, by the squares they go over and by what stands
//! there before and after them. Ways to read a text are tried from strict to lenient, and the first one that fits any legal
//! move decides.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use regulus_automaton::{Id as _, PieceKind, PieceLook, Player, Square};
use regulus_engine::{Rules as _, State};
use regulus_lang::nearest;

use super::Match;
use crate::error::Error;

/// Longer texts are not read.
const LONGEST: usize = 200;

/// How many moves are suggested in place of one that is not legal.
const MOST_SUGGESTED: usize = 8;

/// What may stand between the squares of a move.
const SEPARATORS: [&str; 10] = ["->", "–", "→", "-", "x", "×", ":", ",", ">", ";"];

/// What may stand before the square on which a piece is put.
const DROPS: [&str; 2] = ["@", "*"];

/// What a person may have meant by a text.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game, Match, TypedMove};
///
/// let play = Match::new(&Game::load("chess", &Config::default())?)?;
/// let move_of = |text: &str| match play.read_move(text) {
///     Ok(TypedMove::Legal(index)) => Ok(play.names()?[index].clone()),
///     other => other.map(|_| "?".to_owned()),
/// };
/// assert_eq!(move_of("Nf3")?, "g1-f3");
/// assert_eq!(move_of("E2E4")?, "e2-e4");
/// assert_eq!(move_of("e5")?, "?");
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedMove {
    /// One legal move: its number in [`Match::moves`].
    Legal(usize),
    /// Several legal moves fit: their numbers.
    Ambiguous(Vec<usize>),
    /// No legal move fits: the numbers of a few that are like it.
    Illegal(Vec<usize>),
}

impl Match {
    /// What a person may have meant by a text: a move's name in any case and without its signs, its first and last square,
    /// the square where it ends, with the letter of a piece or without, or a column where that is enough.
    ///
    /// # Errors
    ///
    /// As for [`Match::moves`].
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match, TypedMove};
    ///
    /// let play = Match::new(&Game::load("connect_four", &Config::default())?)?;
    /// let index = play.find("d1")?;
    /// assert_eq!(play.read_move("d")?, TypedMove::Legal(index));
    /// assert_eq!(play.read_move("4")?, TypedMove::Legal(index));
    /// assert!(matches!(play.read_move("d2")?, TypedMove::Illegal(near) if !near.is_empty()));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn read_move(&self, text: &str) -> Result<TypedMove, Error> {
        let text = text.trim();
        if text.is_empty() || text.len() > LONGEST || self.player().is_none() {
            return Ok(TypedMove::Illegal(Vec::new()));
        }
        if let Some(index) = self.find_exactly(text)? {
            return Ok(TypedMove::Legal(index));
        }
        let reader = Reader::new(self)?;
        let typed = Typed::new(text, &reader);
        // Strict ones first.
        let ways: [&dyn Fn() -> Vec<usize>; 10] = [
            &|| reader.same_name(&typed),
            &|| reader.same_path(&typed),
            &|| reader.same_beginning(&typed),
            &|| reader.algebraic(&typed),
            &|| reader.careless_algebraic(&typed),
            &|| reader.same_ends(&typed),
            &|| reader.same_first_and_last(&typed),
            &|| reader.castling(&typed),
            &|| reader.column(&typed),
            &|| reader.piece_put(&typed),
        ];
        for way in ways {
            let fits = way();
            match fits.as_slice() {
                [] => {}
                [only] => return Ok(TypedMove::Legal(*only)),
                _ => return Ok(TypedMove::Ambiguous(fits)),
            }
        }
        Ok(TypedMove::Illegal(reader.suggestions(&typed)))
    }
}

/// What was typed.
struct Typed {
    /// As it is, but for spaces and the signs of check, mate and praise at its end.
    text: String,
    lower: String,
    /// The squares, if there is nothing else.
    squares: Option<Vec<Square>>,
}

impl Typed {
    fn new(text: &str, reader: &Reader<'_>) -> Typed {
        let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let text = text.trim_end_matches(['+', '#', '!', '?', '.']).to_owned();
        let lower = text.to_lowercase();
        let squares = reader.squares_in(&lower);
        Typed { text, lower, squares }
    }
}

/// What texts are compared with.
struct Reader<'a> {
    play: &'a Match,
    player: Player,
    names: &'a [String],
    /// The squares that the moves go over.
    paths: Vec<Vec<Square>>,
    /// The names of all squares in lower case, the long ones first.
    squares: Vec<(String, Square)>,
    facts: OnceCell<Vec<Option<Facts>>>,
}

/// What a move does, as far as people name it by that.
struct Facts {
    /// The square that a piece leaves; `None` if one is put on the board.
    from: Option<Square>,
    to: Square,
    /// What is moved or put on the board.
    moved: PieceLook,
    /// What it has become, if that is something else.
    becomes: Option<PieceLook>,
}

impl<'a> Reader<'a> {
    fn new(play: &'a Match) -> Result<Reader<'a>, Error> {
        let notation = play.game().notation();
        let keys = play.game().automaton().board.squares.keys();
        let mut squares: Vec<(String, Square)> =
            keys.map(|square| (notation.square(square).to_lowercase(), square)).collect();
        squares.sort_by_key(|(name, square)| (std::cmp::Reverse(name.len()), *square));
        let path = |steps: &[regulus_engine::Step]| {
            let mut path: Vec<Square> = steps.iter().map(|step| step.square).collect();
            path.dedup();
            path
        };
        Ok(Reader {
            play,
            player: play.player().unwrap_or(Player::from_index(0)),
            names: play.names()?,
            paths: play.moves()?.iter().map(path).collect(),
            squares,
            facts: OnceCell::new(),
        })
    }

    /// The moves whose number and squares are as wanted.
    fn select(&self, mut is_wanted: impl FnMut(usize, &[Square]) -> bool) -> Vec<usize> {
        let moves = self.paths.iter().enumerate();
        moves.filter(|(index, path)| is_wanted(*index, path)).map(|(index, _)| index).collect()
    }

    /// The name in any case.
    fn same_name(&self, typed: &Typed) -> Vec<usize> {
        self.select(|index, _| self.names[index].to_lowercase() == typed.lower)
    }

    /// All squares that the move goes over.
    fn same_path(&self, typed: &Typed) -> Vec<usize> {
        let Some(squares) = &typed.squares else { return Vec::new() };
        self.select(|_, path| path == squares)
    }

    /// The first squares, at least two.
    fn same_beginning(&self, typed: &Typed) -> Vec<usize> {
        self.select_by(typed, |path, squares| path.starts_with(squares))
    }

    /// The first and the last square, and maybe some of those between them.
    fn same_ends(&self, typed: &Typed) -> Vec<usize> {
        let passes = |path: &[Square], squares: &[Square]| {
            path.last() == squares.last() && passes_in_order(path, squares)
        };
        self.select_by(typed, passes)
    }

    /// The first and the last square, whatever people see between them.
    fn same_first_and_last(&self, typed: &Typed) -> Vec<usize> {
        self.select_by(typed, |path, squares| path.last() == squares.last())
    }

    /// The moves that begin where the text does, if it has several squares and these are as wanted.
    fn select_by(
        &self,
        typed: &Typed,
        is_wanted: impl Fn(&[Square], &[Square]) -> bool,
    ) -> Vec<usize> {
        let Some(squares) = typed.squares.as_ref().filter(|squares| squares.len() > 1) else {
            return Vec::new();
        };
        self.select(|_, path| path.first() == squares.first() && is_wanted(path, squares))
    }

    /// The notation of chess, where pieces are capitals and columns are not.
    fn algebraic(&self, typed: &Typed) -> Vec<usize> {
        let symbol = |look: &PieceLook| look.symbol.to_uppercase();
        self.fitting(&typed.text, &symbol, &|square| self.square(square).to_owned())
    }

    /// The same with letters of any case, and with the names of pieces.
    fn careless_algebraic(&self, typed: &Typed) -> Vec<usize> {
        let symbol = |look: &PieceLook| look.symbol.to_lowercase();
        self.fitting(&typed.lower, &symbol, &|square| self.square(square).to_lowercase())
    }

    fn fitting(
        &self,
        text: &str,
        symbol: &dyn Fn(&PieceLook) -> String,
        square: &dyn Fn(Square) -> String,
    ) -> Vec<usize> {
        let mut fits: Vec<(usize, bool)> = Vec::new();
        for (index, facts) in self.facts().iter().enumerate() {
            let Some(facts) = facts else { continue };
            let spellings = |look: &PieceLook| [symbol(look), self.bare_name(look)];
            let spelling = Spelling {
                pieces: spellings(&facts.moved),
                becomes: facts.becomes.as_ref().map(spellings),
                from: facts.from.map(square),
                to: square(facts.to),
            };
            match spelling.fits(text) {
                Fit::None => {}
                // As in chess, the commonest of men has no letter.
                Fit::WithoutPiece => fits.push((index, is_common(&facts.moved))),
                Fit::WithPiece => fits.push((index, true)),
            }
        }
        if fits.iter().any(|(_, is_meant)| *is_meant) {
            fits.retain(|(_, is_meant)| *is_meant);
        }
        fits.into_iter().map(|(index, _)| index).collect()
    }

    /// `O-O` and `O-O-O`: two pieces of the player change their places in one row, less than half the board apart or more.
    fn castling(&self, typed: &Typed) -> Vec<usize> {
        let is_short = match typed.lower.replace('0', "o").as_str() {
            "o-o" | "oo" => true,
            "o-o-o" | "ooo" => false,
            _ => return Vec::new(),
        };
        let board = &self.play.game().automaton().board.squares;
        let columns: BTreeSet<i32> = board.values().map(|info| info.x).collect();
        let own = |state: &State, square: Square| {
            self.play.game().piece_look(state.piece(square)).owner == Some(self.player)
        };
        let mut fits = Vec::new();
        self.try_moves(|index, before, after| {
            let [mut left, mut taken] = [Vec::new(), Vec::new()];
            for (square, info) in board.iter() {
                match (own(before, square), own(after, square)) {
                    (true, false) => left.push(info),
                    (false, true) => taken.push(info),
                    _ => {}
                }
            }
            if let ([one, other], [_, _]) = (left.as_slice(), taken.as_slice()) {
                let is_row = left.iter().chain(&taken).all(|info| info.y == one.y);
                let is_near = 2 * (one.x - other.x).unsigned_abs() < columns.len() as u32;
                if is_row && is_near == is_short {
                    fits.push(index);
                }
            }
        });
        fits
    }

    /// The letter or the number of the column where a piece is put.
    fn column(&self, typed: &Typed) -> Vec<usize> {
        let board = &self.play.game().automaton().board.squares;
        let columns: BTreeSet<i32> = board.values().map(|info| info.x).collect();
        let wanted: Option<usize> = typed.lower.parse().ok();
        self.select(|_, path| {
            let [only] = path else { return false };
            let place = columns.iter().position(|&x| x == board[*only].x).map(|place| place + 1);
            let (letters, _) = column_and_row(self.square(*only));
            wanted.is_some() && wanted == place || letters.to_lowercase() == typed.lower
        })
    }

    /// The piece that is put on the board, where it is enough to name it.
    fn piece_put(&self, typed: &Typed) -> Vec<usize> {
        let facts = self.facts();
        self.select(|index, _| {
            let put = facts[index].as_ref().filter(|facts| facts.from.is_none());
            put.is_some_and(|facts| {
                let symbol = facts.moved.symbol.to_lowercase();
                symbol == typed.lower || self.bare_name(&facts.moved) == typed.lower
            })
        })
    }

    /// A few legal moves that are like what was typed.
    fn suggestions(&self, typed: &Typed) -> Vec<usize> {
        let mentioned = self.mentioned(&typed.lower);
        let first = typed.text.chars().next().unwrap_or(' ').to_string();
        let begins = |_: usize, path: &[Square]| path.first() == mentioned.first();
        let ends = |_: usize, path: &[Square]| path.last() == mentioned.last();
        let is_piece = |index: usize, _: &[Square]| {
            let facts = self.facts()[index].as_ref();
            facts.is_some_and(|facts| facts.moved.symbol.to_uppercase() == first)
        };
        let near = nearest(&typed.lower, self.names.iter().map(String::as_str));
        let is_near = |index: usize, _: &[Square]| Some(self.names[index].as_str()) == near;
        let begins_with_square =
            self.squares.iter().any(|(name, _)| typed.lower.starts_with(name.as_str()));
        let mut found = Vec::new();
        if begins_with_square {
            found = self.select(begins);
        } else {
            found.extend(self.select(is_piece));
        }
        if found.is_empty() && !mentioned.is_empty() {
            found = self.select(ends);
        }
        if found.is_empty() {
            found = match typed.squares.as_deref() {
                // Who names a square alone may have gone too far.
                Some([only]) => {
                    let column = column_and_row(self.square(*only)).0;
                    let of = |square: &Square| column_and_row(self.square(*square)).0 == column;
                    self.select(|_, path| path.last().is_some_and(of))
                }
                _ => self.select(is_near),
            };
        }
        found.truncate(MOST_SUGGESTED);
        found
    }

    fn square(&self, square: Square) -> &str {
        self.play.game().notation().square(square)
    }

    /// The name of a piece without that of its owner, in one word and lower case.
    fn bare_name(&self, look: &PieceLook) -> String {
        let owner = look.owner.map(|player| self.play.game().player_look(player).name.as_str());
        let name = owner.and_then(|owner| look.name.strip_prefix(owner)).unwrap_or(&look.name);
        name.split_whitespace().collect::<String>().to_lowercase()
    }

    /// The squares that a text consists of, with nothing but separators between them; `None` if there is anything else.
    fn squares_in(&self, text: &str) -> Option<Vec<Square>> {
        // From each place of the text that was come to, the place before and the square between them.
        let mut came: Vec<Option<(usize, Option<Square>)>> = vec![None; text.len() + 1];
        let mut work = vec![0];
        while let Some(at) = work.pop() {
            let rest = &text[at..];
            let is_first = at == 0;
            let separators = SEPARATORS.iter().filter(|_| !is_first).map(|sign| (*sign, None));
            let squares = self.squares.iter().map(|(name, square)| (name.as_str(), Some(*square)));
            // What is put last on the pile is tried first: long names.
            let steps: Vec<_> = squares.chain(separators).collect();
            for (word, square) in steps.into_iter().rev() {
                let next = at + word.len();
                if !word.is_empty() && rest.starts_with(word) && came[next].is_none() {
                    came[next] = Some((at, square));
                    work.push(next);
                }
            }
        }
        let mut squares = Vec::new();
        let mut at = text.len();
        while at > 0 {
            let (before, square) = came[at]?;
            squares.extend(square);
            at = before;
        }
        squares.reverse();
        (!squares.is_empty()).then_some(squares)
    }

    /// The squares that are named anywhere in a text.
    fn mentioned(&self, text: &str) -> Vec<Square> {
        let mut squares = Vec::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let found = self.squares.iter().find(|(name, _)| rest.starts_with(name.as_str()));
            let length = match found {
                Some((name, square)) if !name.is_empty() => {
                    squares.push(*square);
                    name.len()
                }
                _ => letter.len_utf8(),
            };
            rest = &rest[length..];
        }
        squares
    }

    /// Shows each move's number, with the states before and after it.
    fn try_moves(&self, mut show: impl FnMut(usize, &State, &State)) {
        let (play, rules) = (self.play, self.play.game().rules());
        let Ok(moves) = play.moves() else { return };
        let mut scratch = rules.scratch();
        let mut history = play.history().clone();
        for (index, steps) in moves.iter().enumerate() {
            let mut after = play.state().clone();
            let applied = rules.apply(&mut after, &mut history, steps, &mut scratch);
            history.truncate(play.history().len());
            if applied.is_ok() {
                show(index, play.state(), &after);
            }
        }
    }

    fn facts(&self) -> &[Option<Facts>] {
        self.facts.get_or_init(|| {
            let mut all: Vec<Option<Facts>> = self.paths.iter().map(|_| None).collect();
            self.try_moves(|index, before, after| {
                let path = &self.paths[index];
                let (Some(&first), Some(&to)) = (path.first(), path.last()) else { return };
                let look = |state: &State, square: Square| {
                    self.play.game().piece_look(state.piece(square))
                };
                let arrived = look(after, to);
                let from = (look(before, first).owner == Some(self.player)).then_some(first);
                let moved = if from.is_some() { look(before, first) } else { arrived };
                let is_other = arrived.owner == moved.owner && arrived.symbol != moved.symbol;
                let becomes = is_other.then(|| arrived.clone());
                all[index] = Some(Facts { from, to, moved: moved.clone(), becomes });
            });
            all
        })
    }
}

/// Whether a path goes over some squares in this order.
fn passes_in_order(path: &[Square], squares: &[Square]) -> bool {
    let mut rest = path.iter();
    squares.iter().all(|square| rest.any(|other| other == square))
}

/// Whether a piece is of the kind that has no letter in the notation of chess.
fn is_common(look: &PieceLook) -> bool {
    matches!(look.kind, PieceKind::Pawn | PieceKind::Man)
}

/// The letters and the digits of a square's name.
fn column_and_row(name: &str) -> (&str, &str) {
    let digits = name.find(|letter: char| letter.is_ascii_digit()).unwrap_or(name.len());
    name.split_at(digits)
}

/// How a move can be spelled: a piece, where it comes from, where it goes, what it becomes.
struct Spelling {
    pieces: [String; 2],
    becomes: Option<[String; 2]>,
    from: Option<String>,
    to: String,
}

/// Whether a text spells a move.
enum Fit {
    None,
    WithoutPiece,
    WithPiece,
}

impl Spelling {
    fn fits(&self, text: &str) -> Fit {
        let rests = self.pieces.iter().filter(|piece| !piece.is_empty());
        let mut rests = rests.filter_map(|piece| text.strip_prefix(piece.as_str()));
        if rests.any(|rest| self.fits_places(rest)) {
            Fit::WithPiece
        } else if self.fits_places(text) {
            Fit::WithoutPiece
        } else {
            Fit::None
        }
    }

    /// Whether a text says from where to where, and maybe what the piece becomes.
    fn fits_places(&self, text: &str) -> bool {
        let from = self.from.as_deref().unwrap_or("");
        let (column, row) = column_and_row(from);
        let signs: &[&str] = if self.from.is_some() { &SEPARATORS } else { &DROPS };
        [from, column, row, ""].into_iter().any(|from| {
            let Some(rest) = text.strip_prefix(from) else { return false };
            let after_sign = signs.iter().filter_map(|sign| rest.strip_prefix(sign));
            after_sign.chain([rest]).any(|rest| {
                rest.strip_prefix(self.to.as_str()).is_some_and(|rest| self.fits_end(rest))
            })
        })
    }

    fn fits_end(&self, text: &str) -> bool {
        let piece = text.trim_start_matches(['=', '/', '(']).trim_end_matches(')');
        let is_named = |pieces: &[String; 2]| pieces.iter().any(|name| name == piece);
        text.is_empty() || self.becomes.as_ref().is_some_and(is_named)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, Game, Match, TypedMove};

    /// A play of a bundled game after some moves, which are typed too.
    fn after(game: &str, moves: &str) -> Match {
        let game = Game::load(game, &Config::default()).expect("a bundled game");
        let mut play = Match::new(&game).expect("it begins");
        for text in moves.split_whitespace() {
            let TypedMove::Legal(index) = play.read_move(text).expect("it can be read") else {
                panic!("`{text}` is not one legal move");
            };
            play.play_index(index).expect("it is legal");
        }
        play
    }

    fn position(game: &str, text: &str) -> Match {
        let game = Game::load(game, &Config::default()).expect("a bundled game");
        Match::from_position(&game, text).expect("a position")
    }

    /// What a text is taken for: a name, names with `|` between them, or suggestions behind a question mark.
    fn read(play: &Match, text: &str) -> String {
        let names = play.names().expect("few moves");
        let listed = |moves: &[usize]| {
            let mut listed: Vec<&str> = moves.iter().map(|&index| names[index].as_str()).collect();
            listed.sort_unstable();
            listed.join("|")
        };
        match play.read_move(text).expect("it can be read") {
            TypedMove::Legal(index) => names[index].clone(),
            TypedMove::Ambiguous(moves) => listed(&moves),
            TypedMove::Illegal(moves) => format!("?{}", listed(&moves)),
        }
    }

    #[test]
    fn names_need_no_signs_and_may_be_in_any_case() {
        let play = after("breakthrough", "");
        for text in ["d2-d3", "d2d3", "D2D3", " d2 d3 ", "D2-d3", "d2xd3", "d2 -> d3", "d2:d3"] {
            assert_eq!(read(&play, text), "d2-d3", "{text}");
        }
    }

    #[test]
    fn the_notation_of_chess_is_read_where_it_is_clear() {
        let play = after("chess", "e4 e5 Nf3 Nc6 Bc4 Nf6");
        for (text, name) in [
            ("d3", "d2-d3"),
            ("Ng5", "f3-g5"),
            ("ng5", "f3-g5"),
            ("Nf3-g5", "f3-g5"),
            ("knight g5", "f3-g5"),
            ("Nfg5", "f3-g5"),
            ("N3g5", "f3-g5"),
            ("Nxe5!", "f3-e5"),
            ("Bxf7+", "c4-f7"),
            // A pawn goes to c3, and a knight could too.
            ("c3", "c2-c3"),
            ("Nc3", "b1-c3"),
            ("O-O", "e1-h1-f1-g1"),
            ("0-0", "e1-h1-f1-g1"),
            ("e1g1", "e1-h1-f1-g1"),
            ("Kg1", "e1-h1-f1-g1"),
        ] {
            assert_eq!(read(&play, text), name, "{text}");
        }
        assert!(read(&play, "O-O-O").starts_with('?'));
        let play = position("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        assert!(read(&play, "o-o-o").ends_with("-c1"));
    }

    #[test]
    fn a_capital_is_a_piece_and_a_small_letter_a_column() {
        let play = position("chess", "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1");
        assert_eq!(read(&play, "bxc3"), "b2-c3");
        assert_eq!(read(&play, "Bxc3"), "d2-c3");
        assert_eq!(read(&play, "BXC3"), "b2-c3|d2-c3");
    }

    #[test]
    fn promotions_say_what_the_piece_becomes() {
        let play = position("chess", "3r3k/2P5/8/8/8/8/8/K7 w - - 0 1");
        for text in ["c8=Q", "c8Q", "c7c8q", "c7-c8=Q", "c8=queen", "c8(Q)"] {
            assert_eq!(read(&play, text), "c7-c8=wQueen", "{text}");
        }
        assert_eq!(read(&play, "cxd8=N"), "c7-d8=wKnight");
        assert_eq!(read(&play, "c8"), "c7-c8=wBishop|c7-c8=wKnight|c7-c8=wQueen|c7-c8=wRook");
    }

    #[test]
    fn what_is_not_clear_says_what_fits() {
        let play = position("chess", "4k3/8/8/8/8/8/8/RN2KN1R w - - 0 1");
        assert_eq!(read(&play, "Nd2"), "b1-d2|f1-d2");
        assert_eq!(read(&play, "Nbd2"), "b1-d2");
        let play = after("tic_tac_toe", "");
        assert_eq!(read(&play, "b"), "b1|b2|b3");
        let play = after("amazons", "");
        assert_eq!(read(&play, "d1d2e1"), "d1-d2-e1");
        let fits = read(&play, "d1d2");
        assert!(
            fits.split('|').count() > 5 && fits.split('|').all(|name| name.starts_with("d1-d2-")),
            "{fits}"
        );
    }

    #[test]
    fn what_is_not_legal_says_what_is_like_it() {
        let play = after("chess", "");
        assert_eq!(read(&play, "e2e5"), "?e2-e3|e2-e4");
        assert_eq!(read(&play, "Nf4"), "?b1-a3|b1-c3|g1-f3|g1-h3");
        assert_eq!(read(&play, "e5"), "?e2-e3|e2-e4");
        for text in ["", "  ", "-", "O-O", "🙂", "x", "e", "4", "e2-", "+", &"e2".repeat(500)] {
            assert!(read(&play, text).starts_with('?'), "{text}");
        }
    }

    #[test]
    fn a_column_is_enough_where_pieces_fall() {
        for game in ["connect_four", "connect_four.abg"] {
            let play = after(game, "d D 4");
            assert_eq!(read(&play, "d"), "d4");
            assert_eq!(read(&play, "1"), "a1");
            assert_eq!(read(&play, "8"), "?");
        }
    }

    #[test]
    fn squares_between_may_be_left_out() {
        let text = "8/8/8/4m3/8/2m5/1M6/8 black white=100";
        let play = position("english_checkers", text);
        let names = play.names().expect("few moves");
        // Only the men that are taken are named on the way, not the empty squares between them.
        assert_eq!(names, ["b2-c3-e5-f6"]);
        for text in ["b2f6", "b2-c3-f6", "b2-d4-f6", "b2xd4xf6", "b2c3", "f6"] {
            assert_eq!(read(&play, text), names[0], "{text}");
        }
    }

    #[test]
    fn pieces_in_hand_are_put_on_the_board() {
        let play = position(
            "animal_shogi",
            "gle/1c1/3/EL1 white black=100 plies=12 wGiraffes=1 wChicks=1",
        );
        let giraffe = read(&play, "G*a2");
        assert!(giraffe.starts_with("a2"), "{giraffe}");
        assert_eq!(read(&play, "g@a2"), giraffe);
        assert_ne!(read(&play, "C*a2"), giraffe);
        assert_eq!(read(&play, "La2"), "b1-a2");
        assert!(read(&play, "a2").contains('|'));
        // In arimaa the squares are filled one after the other.
        let play = after("arimaa", "rabbit");
        for text in ["elephant", "elephant b1", "Elephant"] {
            assert_eq!(read(&play, text), "b1=gElephant", "{text}");
        }
    }
}
