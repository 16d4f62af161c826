//! Nasty games in Simplified Boardgames.

use super::{NastyPart, amount};
use crate::choices::Choices;

/// A little more than the number of letters that a rule may have.
const ROOM: usize = 60_000;

/// The text of a nasty game in Simplified Boardgames made from these bytes.
#[must_use]
pub fn nasty_sbg_game(bytes: &[u8]) -> String {
    let mut choices = Choices::new(bytes);
    let sizes = [
        (3, 4),
        (5, 5),
        (8, 8),
        (1, 12),
        (20, 1),
        (16, 32),
        (19, 27),
        (1, 600),
        (2_000, 1),
        (100, 100),
        (10_000, 1),
        (101, 100),
    ];
    let (width, height) = sizes[choices.weighted(&[5, 4, 5, 3, 3, 2, 2, 1, 1, 1, 1, 1])];
    let count = *choices.pick(&[1, 1, 2, 3, 8, 26]);
    let letters: Vec<char> = ('A'..='Z').take(count).collect();
    let board = board(&mut choices, &letters, width, height);
    // Great rules for one piece, so that not every text has one that is too great.
    let mut writer = NastySbgWriter { choices, width: width as i64, height: height as i64 };
    let mut rules = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let rule = writer.part(if index == 0 { ROOM } else { 200 }, 4).text;
        let (x, y) = (usize::from(width > 1), usize::from(height > 1));
        rules += &format!("{letter} {rule} + ({x},0,e) + (0,{y},e) &\n");
    }
    let limit = amount(&mut writer.choices, i32::MAX as usize);
    let goals = writer.goals();
    format!(
        "<<Nasty>>\n<BOARD>\n{width} {height}\n{board}<PIECES>\n{rules}<GOALS>\n{limit} &\n{goals}"
    )
}

fn board(choices: &mut Choices<'_>, letters: &[char], width: usize, height: usize) -> String {
    // How many squares in a row of the text belong together: pieces of one side, or empty ones.
    let stretch = *choices.pick(&[width, 1, 2, width * height / 2 + 1]);
    let gaps = choices.between(0, 3);
    let square = |index: usize| {
        let letter = letters[index % letters.len()];
        match index / stretch.max(1) % (gaps + 2) {
            0 => letter.to_ascii_lowercase(),
            1 => letter,
            _ => '.',
        }
    };
    let row = |row: usize| {
        let row: String = (0..width).map(|column| square(row * width + column)).collect();
        format!("|{row}|\n")
    };
    (0..height).map(row).collect()
}

struct NastySbgWriter<'b> {
    choices: Choices<'b>,
    width: i64,
    height: i64,
}

impl NastySbgWriter<'_> {
    /// A part of a rule of about this size at most.
    fn part(&mut self, room: usize, depth: usize) -> NastyPart {
        if depth == 0 || room < 4 {
            return self.letter();
        }
        match self.choices.weighted(&[2, 5, 4, 3, 3, 2, 2]) {
            0 => self.letter(),
            1 => self.power(room, depth - 1),
            2 => self.part(room, depth - 1).within("(", ")^*"),
            3 => {
                let parts = [self.part(room / 2, depth - 1), self.part(room / 2, depth - 1)];
                NastyPart::join(&parts, " + ").within("(", ")")
            }
            4 => {
                let parts = [self.part(room / 2, depth - 1), self.part(room / 2, depth - 1)];
                NastyPart::join(&parts, "")
            }
            5 => self.fan_out(room),
            _ => self.bomb(room),
        }
    }

    fn letter(&mut self) -> NastyPart {
        let far = self.choices.one_in(6);
        let distance = |choices: &mut Choices<'_>, size: i64| {
            let most = if far { size - 1 } else { 1.min(size - 1) };
            most - choices.place(2 * most as usize) as i64
        };
        let (x, y) =
            (distance(&mut self.choices, self.width), distance(&mut self.choices, self.height));
        let on = self.choices.pick(&["e", "e", "e", "p", "w"]);
        NastyPart::new(format!("({x},{y},{on})"))
    }

    fn power(&mut self, room: usize, depth: usize) -> NastyPart {
        let small = amount(&mut self.choices, room / 2);
        let body = self.part(small, depth);
        let times = amount(&mut self.choices, room / body.size.max(1));
        let text = format!("({})^{times}", body.text);
        body.repeated(times, text)
    }

    fn fan_out(&mut self, room: usize) -> NastyPart {
        let count = amount(&mut self.choices, room.min(150));
        let letters: Vec<NastyPart> = (0..count).map(|_| self.letter()).collect();
        NastyPart::join(&letters, " + ").within("(", ")")
    }

    /// An expression that is short, and long when it is read letter by letter.
    fn bomb(&mut self, room: usize) -> NastyPart {
        let (one, other) = (self.letter().text, self.letter().text);
        let times = amount(&mut self.choices, room.min(17));
        let text = format!("({one}+{other})^*{one}({one}+{other})^{times}");
        NastyPart { text, size: 2 * times + 3 }
    }

    fn goals(&mut self) -> String {
        let count = amount(&mut self.choices, (self.width * self.height).min(300) as usize);
        let squares: Vec<String> = (0..count)
            .map(|index| {
                let index = index as i64;
                format!("{} {}", index % self.width, index / self.width % self.height)
            })
            .collect();
        match self.choices.below(3) {
            0 => String::new(),
            1 => format!("#A 0 &\n#a 0 &\n@A {} &\n", squares.join(", ")),
            _ => format!("@A {0} &\n@a {0} &\n", squares.join(", ")),
        }
    }
}
