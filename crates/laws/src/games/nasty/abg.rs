//! Nasty games in Abstract Boardgames.

use super::{NastyPart, amount};
use crate::choices::Choices;

/// A little more than the number of letters that a sentence may have.
const ROOM: usize = 60_000;

/// The text of a nasty game in Abstract Boardgames made from these bytes.
#[must_use]
pub fn nasty_abg_game(bytes: &[u8]) -> String {
    let mut choices = Choices::new(bytes);
    let sizes = [(3, 4), (5, 5), (8, 8), (1, 9), (20, 1), (16, 32), (27, 19), (40, 40), (100, 100)];
    let (width, height) = sizes[choices.weighted(&[6, 5, 4, 3, 3, 2, 2, 1, 1])];
    let men = *choices.pick(&[2, 2, 2, 4, 30, 250]);
    let functions = amount(&mut choices, 10);
    let mut writer = NastyAbgWriter {
        choices,
        size: (width, height),
        men,
        functions: 0,
        macros: 0,
        text: String::new(),
    };
    writer.declare();
    for _ in 0..functions {
        writer.define_function();
    }
    writer.rules();
    let board: Vec<String> = (0..width * height)
        .map(|square| match square * 4 / (width * height) {
            0 => man((square % men) | 1),
            3 => man((square % men) & !1),
            _ => "empty".to_owned(),
        })
        .collect();
    let text = writer.text;
    format!("{text}board_size = {width}, {height};\nboard = {};\n", board.join(", "))
}

/// The name of a man; even ones are white.
fn man(number: usize) -> String {
    format!("m{number}")
}

struct NastyAbgWriter<'b> {
    choices: Choices<'b>,
    /// Columns and rows.
    size: (usize, usize),
    /// How many kinds of men there are, an even number.
    men: usize,
    /// How many functions are defined; each may call those before it.
    functions: usize,
    macros: usize,
    text: String,
}

/// Whether letters may have effects.
#[derive(Clone, Copy, PartialEq)]
enum Letters {
    Quiet,
    Acting,
}

impl NastyAbgWriter<'_> {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn declare(&mut self) {
        self.line("players = white, black;");
        let owner = |number: usize| ["white", "black"][number % 2];
        let men: Vec<String> =
            (0..self.men).map(|number| format!("{}({})", man(number), owner(number))).collect();
        self.line(&format!("pieces = empty, {};", men.join(", ")));
        self.line("variable n = 0;\nvariable k = 3;");
        self.line("effect more() { n = n + 1; };");
        self.line("effect put() { Board[this.x][this.y] = m0; };");
        self.line(
            "effect flip() { Board[this.x][this.y] = Board[this.x][this.y] == m0 ? m1 : m0; };",
        );
        let computed =
            "effect far() { Move(); Board[k][n % 3] = Board[this.y][this.x]; k = this.x; };";
        self.line(computed);
        // Effects that call each other twice.
        self.line("effect e0() { n = n + 1; k = n % 7; };");
        let doublings = amount(&mut self.choices, 10);
        for number in 1..=doublings {
            let before = number - 1;
            self.line(&format!("effect e{number}() {{ e{before}(); e{before}(); }};"));
        }
        self.line(&format!("effect many() {{ Move(); e{doublings}(); }};"));
        self.line("macro any() = ([1, 0, True] | [-1, 0, True] | [0, 1, True] | [0, -1, True])*;");
    }

    fn define_function(&mut self) {
        let body = match self.choices.weighted(&[3, 3, 2, 2]) {
            0 => format!("= from {}, empty: {};", man(0), self.part(200, 2, Letters::Quiet).text),
            1 => format!("= any() {};", self.letter(Letters::Quiet).text),
            2 => format!("= {};", self.part(200, 2, Letters::Quiet).text),
            _ => format!("{{ return {} }};", self.condition()),
        };
        let number = self.functions;
        self.line(&format!("function f{number}() {body}"));
        self.functions += 1;
    }

    fn rules(&mut self) {
        let white = self.part(ROOM, 4, Letters::Acting).text;
        self.line(&format!("rule m0 = {white} | [0, 1, Empty];"));
        for number in 1..self.men {
            let rule = if number < 4 && self.choices.one_in(3) {
                self.part(300, 3, Letters::Acting).text
            } else {
                "[1, 0, Empty]".to_owned()
            };
            self.line(&format!("rule {} = {rule} | [0, -1, Empty];", man(number)));
        }
        if self.choices.one_in(3) {
            let sentence = self.part(100, 2, Letters::Quiet).text;
            self.line(&format!("post white m0 = {sentence};"));
        }
        if self.choices.one_in(2) {
            self.line("victory white { return count(m1) == 0 };");
            let number = amount(&mut self.choices, 1 << 20);
            self.line(&format!("victory black {{ return n > {number} }};"));
        }
    }

    /// A part of a sentence of about this size at most.
    fn part(&mut self, room: usize, depth: usize, letters: Letters) -> NastyPart {
        if depth == 0 || room < 4 {
            return self.letter(letters);
        }
        match self.choices.weighted(&[2, 5, 4, 3, 3, 2, 2]) {
            0 => self.letter(letters),
            1 => self.doubled(room, depth - 1, letters),
            2 => {
                let sign = *self.choices.pick(&[")*", ")*", ")+", ")?"]);
                self.part(room, depth - 1, letters).within("(", sign)
            }
            3 => {
                let parts = [
                    self.part(room / 2, depth - 1, letters),
                    self.part(room / 2, depth - 1, letters),
                ];
                NastyPart::join(&parts, " | ").within("(", ")")
            }
            4 => {
                let parts = [
                    self.part(room / 2, depth - 1, letters),
                    self.part(room / 2, depth - 1, letters),
                ];
                NastyPart::join(&parts, " ")
            }
            5 => {
                let count = amount(&mut self.choices, room.min(80));
                let letters: Vec<NastyPart> = (0..count).map(|_| self.letter(letters)).collect();
                NastyPart::join(&letters, " | ").within("(", ")")
            }
            _ => self.bomb(room, letters),
        }
    }

    fn letter(&mut self, letters: Letters) -> NastyPart {
        let step = *self.choices.pick(&["0, 1", "1, 0", "-1, 0", "0, -1", "1, 1", "0, 0", "2, -1"]);
        let condition = match self.choices.weighted(&[5, 4, 1, 1]) {
            0 => "Empty".to_owned(),
            1 => "True".to_owned(),
            2 => "Opponent".to_owned(),
            _ => self.condition(),
        };
        let effects = ["", "", "{more}", "{put}", "{flip}", "{far}", "{many}", "{Move}"];
        let effect = if letters == Letters::Acting { *self.choices.pick(&effects) } else { "" };
        NastyPart::new(format!("[{step}, {condition}]{effect}"))
    }

    /// Something that holds or not: arithmetic, squares of computed numbers, functions that ask others.
    fn condition(&mut self) -> String {
        let count = amount(&mut self.choices, 12);
        let mut condition = "this.x >= 0".to_owned();
        for _ in 0..count {
            condition += *self.choices.pick(&[" and ", " or "]);
            condition += &match self.choices.weighted(&[2, 1, 1, 1, 3]) {
                0 => {
                    let (x, y) = (self.choices.below(self.size.0), self.choices.below(self.size.1));
                    format!("Board[{x}][{y}] == m0")
                }
                1 => "Board[this.y][this.x] != empty".to_owned(),
                2 => "n * n * 2147483647 / (k - 1) > 0".to_owned(),
                3 => "(n == 1 ? this.x : this.y) % 3 == k".to_owned(),
                _ if self.functions > 0 => format!("not f{}()", self.choices.below(self.functions)),
                _ => "Empty".to_owned(),
            };
        }
        condition
    }

    /// A part that macros double some times.
    fn doubled(&mut self, room: usize, depth: usize, letters: Letters) -> NastyPart {
        let small = amount(&mut self.choices, room / 2);
        let part = self.part(small, depth, letters);
        let doublings = amount(&mut self.choices, room / part.size.max(1)).ilog2() as usize;
        let number = self.macros;
        self.macros += 1;
        self.line(&format!("macro d{number}x0() = ({});", part.text));
        for index in 0..doublings {
            let half = format!("d{number}x{index}()");
            self.line(&format!("macro d{number}x{}() = {half} {half};", index + 1));
        }
        part.repeated(1 << doublings, format!("d{number}x{doublings}()"))
    }

    /// A sentence that is short, and long when it is read letter by letter.
    fn bomb(&mut self, room: usize, letters: Letters) -> NastyPart {
        let (one, other) = (self.letter(letters).text, self.letter(letters).text);
        let times = amount(&mut self.choices, room.min(16));
        let choice = format!("({one} | {other})");
        let text = format!("{choice}* {one} {}", vec![choice.as_str(); times].join(" "));
        NastyPart { text, size: 2 * times + 3 }
    }
}
