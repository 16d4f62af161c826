//! Random games in Simplified Boardgames, well-formed by construction.
//!
//! Most boards are small, and positions need not be fair. Some pieces move as chessmen do, others by any expression at all: stars
//! in stars, powers of 0, steps that stay, steps that can never be made, jumps across the board. Some cannot move.

use crate::choices::Choices;

/// The text of a game in Simplified Boardgames made from these bytes.
#[must_use]
pub fn sbg_game(bytes: &[u8]) -> String {
    let mut choices = Choices::new(bytes);
    let (width, height) = size(&mut choices);
    let letters = letters(&mut choices);
    let mut writer = SbgWriter {
        choices: &mut choices,
        width,
        height,
        letters,
        known: Vec::new(),
        words: Vec::new(),
        growth: 0,
    };
    writer.board();
    writer.pieces();
    writer.goals();
    let words = writer.words;
    let name = *choices.pick(&["A game", "x", "Simplified 5x5 Game", " 2 ", "0"]);
    format!("<<{name}>>{}", laid_out(&mut choices, &words))
}

/// Columns and rows: few, and sometimes more squares than fit a word.
fn size(choices: &mut Choices<'_>) -> (usize, usize) {
    if choices.one_in(32) {
        return *choices.pick(&[(9, 8), (12, 11), (3, 30)]);
    }
    let width = *choices.pick(&[3, 4, 2, 3, 5, 1, 4, 6]);
    (width, *choices.pick(&[4, 3, 3, 5, 2, 4, 1, 6]))
}

/// Mostly one to three, and sometimes all there are.
fn letters(choices: &mut Choices<'_>) -> Vec<char> {
    if choices.one_in(32) {
        return ('A'..='Z').collect();
    }
    // `E`, `P` and `W` are also what a step may ask of a square, in small.
    let alphabet = *choices.pick(&["PEW", "AKZ", "RPX", "MNO"]);
    alphabet.chars().take(choices.between(1, 3)).collect()
}

/// Writes the sections of a game, word by word.
struct SbgWriter<'c, 'b> {
    choices: &'c mut Choices<'b>,
    width: usize,
    height: usize,
    /// The pieces, as white's.
    letters: Vec<char>,
    /// Those that are on the board or have a rule.
    known: Vec<char>,
    words: Vec<String>,
    /// How many more powers may be used in an expression; in each other they grow fast.
    growth: usize,
}

/// How deep expressions are nested at most.
const DEPTH: usize = 3;

impl SbgWriter<'_, '_> {
    fn write(&mut self, words: &str) {
        self.words.extend(words.split(' ').map(str::to_owned));
    }

    fn board(&mut self) {
        self.write(&format!("<BOARD> {} {}", self.width, self.height));
        // A full board, an empty one, and others.
        let empty = *self.choices.pick(&[4, 4, 8, 1]);
        let mut squares: Vec<char> =
            (0..self.width * self.height).map(|_| self.square(empty)).collect();
        // A game without moves is soon told, so most have pieces of both sides.
        let lacks = |squares: &[char], is_own: fn(&char) -> bool| !squares.iter().any(is_own);
        if lacks(&squares, char::is_ascii_lowercase) && !self.choices.one_in(8) {
            squares[0] = self.letters[0].to_ascii_lowercase();
        }
        if lacks(&squares, char::is_ascii_uppercase) && !self.choices.one_in(8) {
            squares[self.width * self.height - 1] = self.letters[0];
        }
        let on_board = |letter: &char| squares.iter().any(|held| held.eq_ignore_ascii_case(letter));
        self.known = self.letters.iter().copied().filter(on_board).collect();
        for row in squares.chunks(self.width) {
            // Comments may stand between the squares of a row.
            let row: Vec<String> = row.iter().map(char::to_string).collect();
            self.write(&format!("|{}|", row.join(" ")));
        }
    }

    fn square(&mut self, empty: usize) -> char {
        match self.choices.weighted(&[2, empty, 2]) {
            0 => *self.choices.pick(&self.letters),
            1 => '.',
            _ => self.choices.pick(&self.letters).to_ascii_lowercase(),
        }
    }

    /// Rules for most pieces, and sometimes for one that is not there.
    fn pieces(&mut self) {
        self.write("<PIECES>");
        let mut letters = self.letters.clone();
        if self.choices.one_in(8) && !letters.contains(&'Q') {
            letters.insert(0, 'Q');
        }
        for letter in letters {
            if self.choices.one_in(8) {
                continue;
            }
            self.known.push(letter);
            self.growth = 4;
            let rule = self.rule();
            self.write(&format!("{letter} {rule} &"));
        }
    }

    fn rule(&mut self) -> String {
        match self.choices.below(6) {
            0 => format!("{} + {} + {}", self.chessman(), self.chessman(), self.chessman()),
            1 => format!("{} + {}", self.chessman(), self.sum(1)),
            2 => format!("{} + {}", self.chessman(), self.chessman()),
            3 => format!("{} + {}", self.sum(2), self.chessman()),
            4 => self.sum(2),
            _ => self.chain(DEPTH),
        }
    }

    /// A part of a rule as games have it.
    fn chessman(&mut self) -> String {
        let (x, y) = self.distance();
        let [empty, own, opponent] = ['e', 'w', 'p'].map(|on| self.step(x, y, on));
        match self.choices.below(10) {
            8 | 9 => {
                let steps = [(0, 1), (1, 0), (-1, 0), (0, -1), (1, 1)];
                let steps: Vec<String> = steps.iter().map(|&(x, y)| self.step(x, y, 'e')).collect();
                format!("{} + {opponent}", steps.join(" + "))
            }
            0 => format!("{empty} + {opponent}"),
            1 => format!("{empty} {empty} ^ * + {empty} ^ * {opponent}"),
            2 => format!(
                "{} + {} + {}",
                self.step(0, 1, 'e'),
                self.step(-1, 1, 'p'),
                self.step(1, 1, 'p')
            ),
            3 => format!("{empty} ^ * {opponent} {empty} ^ *"),
            4 => format!("{empty} ^ * {own}"),
            5 => self.step(0, 0, 'w'),
            // Only from the edge of the board, as when a pawn goes two squares.
            6 => format!("{own} ^ * {empty} {}", self.letter()),
            _ => format!("( {empty} + {opponent} ) ^ {}", self.choices.below(4)),
        }
    }

    fn sum(&mut self, depth: usize) -> String {
        let count = *self.choices.pick(&[1, 2, 1, 3]);
        let parts: Vec<String> = (0..count).map(|_| self.chain(depth)).collect();
        parts.join(" + ")
    }

    fn chain(&mut self, depth: usize) -> String {
        let count = *self.choices.pick(&[1, 2, 1, 3]);
        let parts: Vec<String> = (0..count).map(|_| self.factor(depth)).collect();
        parts.join(" ")
    }

    fn factor(&mut self, depth: usize) -> String {
        let body = match self.choices.below(2) {
            1 if depth > 0 => format!("( {} )", self.sum(depth - 1)),
            _ => self.letter(),
        };
        match self.choices.weighted(&[6, 5, 1, 1, 1, 1]) {
            0 => body,
            1 => format!("{body} ^ *"),
            _ if self.growth == 0 => body,
            power => {
                self.growth -= 1;
                format!("{body} ^ {}", power - 2)
            }
        }
    }

    fn letter(&mut self) -> String {
        let (x, y) = self.distance();
        let on = *self.choices.pick(&['e', 'p', 'e', 'w']);
        self.step(x, y, on)
    }

    /// A letter, with no greater distance than there is on the board.
    fn step(&self, x: i32, y: i32, on: char) -> String {
        let clamp = |distance: i32, size: usize| distance.clamp(1 - size as i32, size as i32 - 1);
        format!("( {} , {} , {on} )", clamp(x, self.width), clamp(y, self.height))
    }

    /// Columns and rows, mostly few.
    fn distance(&mut self) -> (i32, i32) {
        let near = [(0, 1), (1, 0), (1, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (-1, -1)];
        match self.choices.weighted(&[8, 1, 2, 2]) {
            0 => *self.choices.pick(&near),
            1 => (0, 0),
            2 => *self.choices.pick(&[(1, 2), (-1, 2), (2, -1), (0, 2), (2, 0), (-2, -2)]),
            _ => (self.below_size(self.width), self.below_size(self.height)),
        }
    }

    /// How far one can go on a board of this size.
    fn below_size(&mut self, size: usize) -> i32 {
        let most = size as i32 - 1;
        self.choices.below(2 * size - 1) as i32 - most
    }

    fn goals(&mut self) {
        let limit = *self.choices.pick(&[30, 12, 5, 100, 2, 7, 30, 40, 20, 1, 60, 8, 0]);
        self.write(&format!("<GOALS> {limit} &"));
        for _ in 0..self.choices.between(0, 4) {
            // Goals may be for pieces that no player has.
            let is_absent = self.known.is_empty() || self.choices.one_in(16);
            let mut piece = if is_absent { 'Y' } else { *self.choices.pick(&self.known) };
            if self.choices.below(2) == 1 {
                piece.make_ascii_lowercase();
            }
            if self.choices.below(2) == 1 {
                let number = *self.choices.pick(&[0, 1, 0, 2, 0, 3]);
                self.write(&format!("# {piece} {number} &"));
            } else {
                let count = *self.choices.pick(&[1, 2, 3]);
                let squares: Vec<String> = (0..count).map(|_| self.place()).collect();
                self.write(&format!("@ {piece} {} &", squares.join(" , ")));
            }
        }
    }

    fn place(&mut self) -> String {
        let beyond = usize::from(self.choices.one_in(16));
        let column = self.choices.below(self.width + beyond);
        format!("{column} {}", self.choices.below(self.height + beyond))
    }
}

/// The words with space between them: as people do, only where it is needed, or in any way, with comments.
fn laid_out(choices: &mut Choices<'_>, words: &[String]) -> String {
    let gaps = ["  ", " /* <GOALS> & */ ", "// & ) \"\n", "/***/", "/*/ */", "\r\n\t"];
    let style = choices.below(4);
    let mut text = String::new();
    for word in words {
        let numbers = text.ends_with(is_digit) && word.starts_with(is_digit);
        let gap = match style {
            2 if numbers => " ",
            2 => "",
            3 if choices.one_in(4) => choices.pick(&gaps),
            _ => usual_gap(&text, word),
        };
        text.extend([gap, word]);
    }
    text.push('\n');
    text
}

/// What people write between a text and its next word.
fn usual_gap(text: &str, word: &str) -> &'static str {
    let number = word.starts_with(is_digit) && text.ends_with(|s: char| s.is_ascii_alphanumeric());
    if word.starts_with(['<', '|', '#', '@']) || text.ends_with('&') {
        "\n"
    } else if word.starts_with(['+', '&']) || text.ends_with(['+', ',']) || number {
        " "
    } else {
        ""
    }
}

fn is_digit(symbol: char) -> bool {
    symbol.is_ascii_digit()
}
