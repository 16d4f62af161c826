//! Positions of chess in the notation that chess programs exchange.
//!
//! FEN is understood for games with the men of chess on an 8x8 board under the names that the bundled games use: `wPawn` to
//! `bKing`, `FreshKing` and `FreshRook` for men that may still castle, and for captures in passing either a man `Hasty` or a
//! variable `hasty` with the column. It is also understood for chess on smaller or larger boards, up to 9x9, with some of
//! these men and neither castling nor captures in passing.

use regulus_automaton::{IdVec, Piece, Player, Square, Variable};
use regulus_engine::{Parts, Rules as _, State};

use crate::error::Error;
use crate::game::Game;
use crate::position::{first_place, rows, variable};

/// The board as FEN writes it: rows from the top, with a space for an empty square.
type Board = Vec<Vec<char>>;

/// How chess is written down in a game.
struct Chess<'a> {
    game: &'a Game,
    rows: Vec<Vec<Square>>,
    /// The variable for captures in passing, which is the column and one more; games without it have hasty men.
    hasty: Option<Variable>,
}

/// How many rows and columns a board can have: numbers of empty squares have one digit.
const MAX_SIDE: usize = 9;

/// The kinds of men by their letters.
const MEN: [(char, &str); 6] =
    [('P', "Pawn"), ('N', "Knight"), ('B', "Bishop"), ('R', "Rook"), ('Q', "Queen"), ('K', "King")];

/// The parts of the state that a FEN text describes; `None` if the text is not FEN or the game is not chess.
pub(crate) fn read(game: &Game, text: &str) -> Result<Option<Parts>, Error> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ([board, mover @ ("w" | "b"), rest @ ..], Some(chess)) =
        (words.as_slice(), Chess::of(game))
    else {
        return Ok(None);
    };
    let (castling, passing) = (rest.first().unwrap_or(&"-"), rest.get(1).unwrap_or(&"-"));
    let quiet = rest.get(2).unwrap_or(&"0");
    let board = chess.read_board(board)?;
    let mover = Player(u32::from(*mover == "b"));
    let mut pieces = chess.men(&board)?;
    chess.castling(castling, &mut pieces)?;
    let automaton = game.automaton();
    let mut variables = IdVec::filled(0, automaton.variables.len());
    chess.passing(passing, mover, &mut pieces, &mut variables)?;
    if let Some(count) = variable(game, "quiet") {
        let bound = automaton.variables[count].bound;
        let value = quiet.parse().ok().filter(|value| (0..=bound).contains(value));
        variables[count] = value.ok_or_else(|| {
            bad(format!(
                "`{quiet}` plies without a capture or a pawn's move; 0 to {bound} are possible"
            ))
        })?;
    }
    if let Some(empties) = variable(game, "empties") {
        variables[empties] = board.iter().flatten().filter(|&&man| man == ' ').count() as i32;
    }
    let scores = chess.scores_if_stuck(&board, mover);
    for (player, score) in [Player(0), Player(1)].into_iter().zip(scores) {
        let score_variable = player.score();
        variables[score_variable] = score.min(automaton.variables[score_variable].bound);
    }
    let node = first_place(game, mover).ok_or_else(|| bad("that player is never in control"))?;
    let registers = IdVec::filled(Square(0), automaton.registers.len());
    Ok(Some(Parts { pieces, variables, registers, node, mover: Some(mover) }))
}

/// The FEN text of a state in which a player is in control; `None` if the game is not chess.
pub(crate) fn write(game: &Game, state: &State) -> Option<String> {
    let chess = Chess::of(game)?;
    let rules = game.rules();
    let mover = rules.player(state)?;
    let mut text = Vec::new();
    let (mut castling, mut passing) = (Vec::new(), "-".to_owned());
    for (y, row) in chess.rows.iter().enumerate() {
        let mut line = String::new();
        for (x, &square) in row.iter().enumerate() {
            let (letter, name) = chess.letter(state.piece(square));
            match line.chars().last().and_then(|c| c.to_digit(10)) {
                Some(count) if letter == ' ' => {
                    line.pop();
                    line.push_str(&(count + 1).to_string());
                }
                _ if letter == ' ' => line.push('1'),
                _ => line.push(letter),
            }
            if name.contains("Hasty") {
                let behind = if letter == 'P' { y + 1 } else { y - 1 };
                passing = chess.name(x, behind);
            }
            if name.contains("FreshRook") && chess.king_is_fresh(state, y) {
                let side = if x > 4 { 'K' } else { 'Q' };
                castling.push(if letter == 'R' { side } else { side.to_ascii_lowercase() });
            }
        }
        text.push(line);
    }
    if let Some(variable) = chess.hasty
        && let Some(column) = rules.variable(state, variable).checked_sub(1).filter(|c| *c >= 0)
    {
        passing = chess.name(column as usize, if mover == Player(0) { 2 } else { 5 });
    }
    castling.sort_by_key(|right| "KQkq".find(*right));
    let castling = if castling.is_empty() { "-".to_owned() } else { castling.iter().collect() };
    let quiet = variable(game, "quiet").map_or(0, |quiet| rules.variable(state, quiet));
    let mover = if mover == Player(0) { "w" } else { "b" };
    Some(format!("{} {mover} {castling} {passing} {quiet} 1", text.join("/")))
}

fn bad(problem: impl std::fmt::Display) -> Error {
    Error::bad_input(format!("this is not a position in FEN: {problem}"))
}

impl<'a> Chess<'a> {
    /// How chess is written down in a game; `None` if it is not chess.
    fn of(game: &'a Game) -> Option<Chess<'a>> {
        let rows = rows(game);
        let width = rows.first().map_or(0, Vec::len);
        let is_board = rows.len() <= MAX_SIDE
            && width <= MAX_SIDE
            && rows.iter().all(|row| row.len() == width);
        let is_full_size = rows.len() == 8 && width == 8;
        let hasty = variable(game, "hasty+1");
        let chess = Chess { game, rows, hasty };
        let players = game.automaton().players.as_slice();
        let is_chess = is_board && players == ["white", "black"] && chess.empty().is_some();
        let has = |man: &str| {
            ['w', 'b'].iter().all(|side| chess.piece(&format!("{side}{man}")).is_some())
        };
        let has_men = if is_full_size {
            MEN.iter().all(|(_, man)| has(man))
        } else {
            has("Pawn") && has("King") && chess.has_plain_men_only()
        };
        (is_chess && has_men).then_some(chess)
    }

    /// Whether every piece is a man of chess that remembers nothing, or stands for an empty square.
    fn has_plain_men_only(&self) -> bool {
        let is_man = |name: &str| {
            let man = name.strip_prefix('w').or_else(|| name.strip_prefix('b'));
            man.is_some_and(|name| MEN.iter().any(|(_, man)| *man == name))
        };
        let mut pieces = self.game.automaton().pieces.iter();
        pieces.all(|(piece, name)| Some(piece) == self.empty() || is_man(name))
    }

    fn read_board(&self, text: &str) -> Result<Board, Error> {
        let (width, height) = (self.rows[0].len(), self.rows.len());
        let mut board = vec![vec![' '; width]; height];
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != height {
            return Err(bad(format!("the board has {height} rows, not {}", rows.len())));
        }
        for (y, row) in rows.into_iter().enumerate() {
            let mut x = 0;
            for c in row.chars() {
                match c {
                    '1'..='9' if c as usize - '0' as usize <= width => {
                        x += c as usize - '0' as usize;
                    }
                    _ if self.man(c).is_some() => {
                        if let Some(place) = board[y].get_mut(x) {
                            *place = c;
                        }
                        x += 1;
                    }
                    _ => return Err(bad(format!("`{c}` is no man and no number of squares"))),
                }
            }
            if x != width {
                return Err(bad(format!(
                    "row {} from the top has {width} squares, not {x}",
                    y + 1
                )));
            }
        }
        Ok(board)
    }

    /// The piece of a letter; `None` if the game has none.
    fn man(&self, letter: char) -> Option<Piece> {
        let (_, man) = MEN.iter().find(|(man, _)| *man == letter.to_ascii_uppercase())?;
        let side = if letter.is_ascii_uppercase() { 'w' } else { 'b' };
        self.piece(&format!("{side}{man}"))
    }

    /// Whether the men are those of the full game, with castling and captures in passing.
    fn has_memory(&self) -> bool {
        self.rows.len() == 8 && self.rows[0].len() == 8
    }

    fn piece(&self, name: &str) -> Option<Piece> {
        let mut pieces = self.game.automaton().pieces.iter();
        pieces.find(|(_, piece)| *piece == name).map(|(piece, _)| piece)
    }

    fn empty(&self) -> Option<Piece> {
        self.piece("e").or_else(|| self.piece("empty"))
    }

    /// The letter of a piece, and its name.
    fn letter(&self, piece: Piece) -> (char, &str) {
        let name = &self.game.automaton().pieces[piece];
        let kind = if name.ends_with("Hasty") { "Pawn" } else { name };
        let found = MEN.iter().find(|(_, man)| kind.ends_with(man));
        let letter = match found {
            Some((letter, _)) if name.starts_with('w') => *letter,
            Some((letter, _)) => letter.to_ascii_lowercase(),
            None => ' ',
        };
        (letter, name)
    }

    fn name(&self, x: usize, y: usize) -> String {
        self.game.notation().square(self.rows[y][x]).to_owned()
    }

    fn king_is_fresh(&self, state: &State, y: usize) -> bool {
        self.letter(state.piece(self.rows[y][4])).1.ends_with("FreshKing")
    }

    /// The men of a board; none of them may castle or be captured in passing.
    fn men(&self, board: &[Vec<char>]) -> Result<IdVec<Square, Piece>, Error> {
        let empty = self.empty().ok_or_else(|| bad("the game has no empty squares"))?;
        let mut pieces = IdVec::filled(empty, self.game.automaton().board.squares.len());
        for (row, squares) in board.iter().zip(&self.rows) {
            for (&letter, &square) in row.iter().zip(squares) {
                pieces[square] = self.man(letter).unwrap_or(empty);
            }
        }
        Ok(pieces)
    }

    /// Makes the men fresh that may castle.
    fn castling(&self, rights: &str, pieces: &mut IdVec<Square, Piece>) -> Result<(), Error> {
        for right in rights.chars().filter(|&right| right != '-') {
            if !self.has_memory() {
                return Err(bad("there is no castling in this game; write `-`"));
            }
            let (side, row) = if right.is_ascii_uppercase() { ('w', 7) } else { ('b', 0) };
            let column = match right.to_ascii_uppercase() {
                'K' => 7,
                'Q' => 0,
                _ => {
                    return Err(bad(format!("`{right}` is no right to castle; K, Q, k and q are")));
                }
            };
            for (column, man) in [(4, "King"), (column, "Rook")] {
                let square = self.rows[row][column];
                let (usual, fresh) = (format!("{side}{man}"), format!("{side}Fresh{man}"));
                let stands =
                    [&usual, &fresh].iter().any(|man| self.piece(man) == Some(pieces[square]));
                let fresh = self.piece(&fresh).filter(|_| stands);
                pieces[square] = fresh.ok_or_else(|| {
                    let name = self.game.notation().square(square);
                    bad(format!("there is no {} on {name} for `{right}`", man.to_lowercase()))
                })?;
            }
        }
        Ok(())
    }

    /// Notes the pawn that can be captured in passing.
    fn passing(
        &self,
        square: &str,
        mover: Player,
        pieces: &mut IdVec<Square, Piece>,
        variables: &mut IdVec<Variable, i32>,
    ) -> Result<(), Error> {
        if square == "-" {
            return Ok(());
        }
        if !self.has_memory() {
            return Err(bad("nothing is captured in passing in this game; write `-`"));
        }
        // White to move captures on the third row from the top, a pawn that stands on the fourth.
        let (row, pawn_row, side) = if mover == Player(0) { (2, 3, 'b') } else { (5, 4, 'w') };
        let column = (0..8).find(|&column| self.name(column, row) == square);
        let column = column
            .ok_or_else(|| bad(format!("nothing can be captured in passing on `{square}`")))?;
        let pawn = self.rows[pawn_row][column];
        if self.piece(&format!("{side}Pawn")) != Some(pieces[pawn]) {
            return Err(bad(format!("there is no pawn that has just passed `{square}`")));
        }
        if let Some(hasty) = self.hasty {
            variables[hasty] = column as i32 + 1;
        } else if let Some(hasty) = self.piece(&format!("{side}Hasty")) {
            pieces[pawn] = hasty;
        }
        Ok(())
    }

    /// The scores that count if the player in control has no move: these games store them before each turn.
    fn scores_if_stuck(&self, board: &[Vec<char>], mover: Player) -> [i32; 2] {
        let is_white = mover == Player(0);
        match (is_attacked(board, is_white), is_white) {
            (true, true) => [0, 100],
            (true, false) => [100, 0],
            (false, _) => [50, 50],
        }
    }
}

/// Whether the king of a side is attacked.
fn is_attacked(board: &[Vec<char>], is_white: bool) -> bool {
    let own = |letter: char| if is_white { letter } else { letter.to_ascii_lowercase() };
    let foe = |letter: char| if is_white { letter.to_ascii_lowercase() } else { letter };
    let (width, height) = (board.first().map_or(0, Vec::len) as i32, board.len() as i32);
    let squares = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let at = |x: i32, y: i32| {
        let row = board.get(usize::try_from(y).ok()?)?;
        row.get(usize::try_from(x).ok()?).copied()
    };
    let ahead = if is_white { -1 } else { 1 };
    squares.filter(|&(x, y)| at(x, y) == Some(own('K'))).any(|(x, y)| {
        let leaps = |steps: &[(i32, i32)], man| {
            steps.iter().any(|(dx, dy)| at(x + dx, y + dy) == Some(foe(man)))
        };
        let rides = |steps: &[(i32, i32)], man| {
            steps.iter().any(|(dx, dy)| {
                let mut ray = (1..).map_while(|n| at(x + n * dx, y + n * dy));
                let first = ray.find(|&found| found != ' ');
                first.is_some_and(|first| first == foe(man) || first == foe('Q'))
            })
        };
        const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        const SLANTING: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        const JUMPS: [(i32, i32); 8] =
            [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
        leaps(&[(-1, ahead), (1, ahead)], 'P')
            || leaps(&JUMPS, 'N')
            || leaps(&STRAIGHT, 'K')
            || leaps(&SLANTING, 'K')
            || rides(&STRAIGHT, 'R')
            || rides(&SLANTING, 'B')
    })
}
