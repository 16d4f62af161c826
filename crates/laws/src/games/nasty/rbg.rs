//! Nasty games in RBG.

use super::{NastyPart, amount};
use crate::choices::Choices;

/// A little more than the number of actions that rules may have.
const ROOM: usize = 1_200_000;

/// A walk from anywhere to anywhere.
const ANY: &str = "((up* + down*)(left* + right*))";

/// The text of a nasty game in RBG made from these bytes.
#[must_use]
pub fn nasty_game(bytes: &[u8]) -> String {
    let mut choices = Choices::new(bytes);
    let board = board(&mut choices);
    let pieces = [3, 4, 20, 60, 255, 256][choices.weighted(&[8, 4, 3, 2, 2, 1])];
    let players = [2, 1, 3, 100, 254, 255][choices.weighted(&[12, 2, 3, 2, 1, 1])];
    let variables = *choices.pick(&[1, 1, 1, 2, 2, 3, 40, 500]);
    let bound = *choices.pick(&[9, 100, 5_000, 1 << 20, 1 << 21, i32::MAX as usize]);
    let mut writer =
        NastyRbgWriter { choices, pieces, players, variables, bound, macros: Vec::new() };
    let rules = writer.rules();
    let macros = writer.macros.concat();
    let list = |count: usize, item: &dyn Fn(usize) -> String| {
        (0..count).map(item).collect::<Vec<_>>().join(", ")
    };
    format!(
        "#players = {}\n#pieces = {}\n#variables = {}\n#board = {board}\n#any = {ANY}\n{macros}#rules = {rules}\n",
        list(players, &|number| format!("player{number}(100)")),
        list(pieces, &piece),
        list(variables, &|number| format!("x{number}({bound})")),
    )
}

/// The first three are on the board.
fn piece(number: usize) -> String {
    match number {
        0..3 => ["e", "w", "b"][number].to_owned(),
        _ => format!("p{number}"),
    }
}

/// Small ones, long ones, and some around the numbers of squares where something changes.
fn board(choices: &mut Choices<'_>) -> String {
    let sizes = [
        (3, 3),
        (4, 1),
        (6, 6),
        (2, 2),
        (30, 1),
        (1, 9),
        (8, 8),
        (16, 16),
        (32, 16),
        (27, 19),
        (64, 64),
        (3_000, 1),
        (257, 255),
        (256, 256),
    ];
    let weights = [6, 3, 5, 2, 3, 2, 4, 2, 1, 1, 1, 1, 1, 1];
    let (columns, rows) = sizes[choices.weighted(&weights)];
    let cells = *choices.pick(&["e", "e", "eeew", "ewb", "w"]);
    let row = |row: usize| {
        let cells: Vec<String> =
            cells.chars().cycle().skip(row).take(columns).map(String::from).collect();
        format!("[{}]", cells.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("rectangle(up, down, left, right, {})", rows.join(" "))
}

struct NastyRbgWriter<'b> {
    choices: Choices<'b>,
    pieces: usize,
    players: usize,
    variables: usize,
    /// The greatest value of variables.
    bound: usize,
    macros: Vec<String>,
}

impl NastyRbgWriter<'_> {
    fn rules(&mut self) -> String {
        let turns = self.players.min(3);
        let room = ROOM / turns;
        let turns: Vec<String> = (0..turns)
            .map(|player| {
                let part = self.part(room, 4).text;
                let move_ = self.choices.pick(&["", " any {e} [w]", " [b]"]).to_owned();
                format!("->player{player} {part}{move_} {}", self.keeper())
            })
            .collect();
        match self.choices.below(4) {
            0 => format!("{} ->> {{}}", turns.join(" ")),
            1 => format!("({})^{}", turns.join(" "), self.choices.between(1, 9)),
            _ => format!("({})*", turns.join(" ")),
        }
    }

    /// What the keeper does after a move.
    fn keeper(&mut self) -> String {
        let (variable, count) = (self.variable(), amount(&mut self.choices, self.bound));
        match self.choices.weighted(&[8, 2, 2, 1, 2, 2]) {
            0 => String::new(),
            1 => format!(
                "->> [$ {variable} = 0] (->> {{$ {variable} < {count}}} [$ {variable} = {variable} + 1])* ->> {{$ {variable} == {count}}}"
            ),
            2 => format!("(->> [w] ->> [e])^{}", amount(&mut self.choices, 10_000)),
            3 => "(->> [w] ->> [e])*".to_owned(),
            4 => format!("->> ({} + .)", self.part(10_000, 2).text),
            _ => "->> (any {w} [e] ->>)* {! any {w}}".to_owned(),
        }
    }

    /// A part of a move of about this size at most.
    fn part(&mut self, room: usize, depth: usize) -> NastyPart {
        if depth == 0 || room < 10 {
            return self.step();
        }
        match self.choices.weighted(&[3, 5, 3, 3, 4, 2, 2, 2, 3, 1]) {
            0 => self.step(),
            1 => self.power(room, depth - 1),
            2 => self.part(room, depth - 1).within("(", ")*"),
            3 => self.check(room, depth - 1),
            4 => {
                let count = self.choices.between(2, 4);
                let parts: Vec<NastyPart> =
                    (0..count).map(|_| self.part(room / count, depth - 1)).collect();
                NastyPart::join(&parts, " ")
            }
            5 => self.fan_out(room),
            6 => self.doubled(room, depth - 1),
            7 => self.fill(room),
            8 => self.nest(room),
            _ => self.both_orders(room),
        }
    }

    fn step(&mut self) -> NastyPart {
        let piece = piece(self.choices.below(self.pieces));
        let variable = self.variable();
        let text = match self.choices.weighted(&[4, 3, 4, 1, 2, 1, 2]) {
            0 => (*self.choices.pick(&["right", "left", "up", "down"])).to_owned(),
            1 => format!("{{{piece}, e}}"),
            2 => format!("[{piece}]"),
            3 => format!("{{$ {} >= 0}}", self.value()),
            4 => format!("[$ {variable} = {variable} + 1]"),
            5 => format!("[$ {variable} = {}]", self.value()),
            _ => "any".to_owned(),
        };
        // Operands count, and so does every step of a macro.
        let size = if text == "any" { 4 } else { 1 + text.matches(' ').count() };
        NastyPart { text, size }
    }

    fn variable(&mut self) -> String {
        format!("x{}", self.choices.below(self.variables))
    }

    /// Arithmetic: short, long, and such that overflows.
    fn value(&mut self) -> String {
        let count = amount(&mut self.choices, 220) * 2 / 3;
        let operands = ["x0", "w", "2147483647", "0", "b", "(x0 - 1)"];
        let operators = [" + ", " - ", " * ", " / "];
        let mut value = (*self.choices.pick(&operands)).to_owned();
        for _ in 1..count {
            value += *self.choices.pick(&operators);
            value += *self.choices.pick(&operands);
        }
        value
    }

    fn power(&mut self, room: usize, depth: usize) -> NastyPart {
        let small = amount(&mut self.choices, room / 2);
        let body = if self.choices.below(2) == 0 {
            let parts = [self.part(small, depth), self.part(small, depth)];
            NastyPart::join(&parts, " + ")
        } else {
            self.part(small, depth)
        };
        let times = amount(&mut self.choices, room / body.size.max(1));
        let text = format!("({})^{times}", body.text);
        body.repeated(times, text)
    }

    fn check(&mut self, room: usize, depth: usize) -> NastyPart {
        let sign = *self.choices.pick(&["{? ", "{! "]);
        self.part(room, depth).within(sign, "}")
    }

    fn fan_out(&mut self, room: usize) -> NastyPart {
        let count = amount(&mut self.choices, room.min(200));
        let steps: Vec<NastyPart> =
            (0..count).map(|_| NastyPart::join(&[self.step(), self.step()], " ")).collect();
        NastyPart::join(&steps, " + ").within("(", ")")
    }

    /// A part that macros double some times.
    fn doubled(&mut self, room: usize, depth: usize) -> NastyPart {
        let small = amount(&mut self.choices, room / 2);
        let part = self.part(small, depth);
        let doublings = amount(&mut self.choices, room / part.size.max(1)).ilog2() as usize;
        let between = *self.choices.pick(&[" ", " + "]);
        let number = self.macros.len();
        let mut definitions = format!("#m{number}x0 = ({})\n", part.text);
        for index in 0..doublings {
            let half = format!("m{number}x{index}");
            definitions += &format!("#m{number}x{} = ({half}{between}{half})\n", index + 1);
        }
        self.macros.push(definitions);
        part.repeated(1 << doublings, format!("m{number}x{doublings}"))
    }

    /// A choice on each of many squares.
    fn fill(&mut self, room: usize) -> NastyPart {
        let times = amount(&mut self.choices, room.min(4_000) / 4);
        let step = *self.choices.pick(&["right", "(right + left)", "any", "."]);
        let choice = *self.choices.pick(&["{e} [w] + {e}", "[w] + [b]", "{e} [w] + {w} [e]"]);
        NastyPart::new("").repeated(4 * times, format!("(({choice}) {step})^{times}"))
    }

    /// Checks or stars in each other.
    fn nest(&mut self, room: usize) -> NastyPart {
        let (before, after) = *self.choices.pick(&[
            ("{? any {e} ", "}"),
            ("{! any {e} ", "}"),
            ("{! (left + right) ", "}"),
            ("((", ")* up)*"),
            ("{? [w] (left + right) ", "}"),
            ("((", ")* [w])*"),
        ]);
        let deepest = if before == "((" { 60 } else { 220 };
        let levels = amount(&mut self.choices, deepest).min(room / 2);
        let step = self.step();
        NastyPart {
            text: format!("{}{}{}", before.repeat(levels), step.text, after.repeat(levels)),
            size: 3 * levels + 1,
        }
    }

    /// The same squares by two ways, many times.
    fn both_orders(&mut self, room: usize) -> NastyPart {
        let times = amount(&mut self.choices, room / 8);
        let write = *self.choices.pick(&["", "[w] "]);
        let there = format!("({write}up left + left up)^{times}");
        NastyPart::new("")
            .repeated(8 * times, format!("{there} (right down + down right {write})^{times}"))
    }
}
