//! What a sentence says is what its piece can do: sentences are read back into movements, by a reader written from
//! docs/descriptions.md alone, and compared with the movements of the rule.

mod reading;

use std::collections::BTreeSet;

use reading::{Holds, Movement};
use regulus_describe::{BoardSize, describe_rule, words};
use regulus_lang::sbg::{self, Letter, On, Rule};
use regulus_lang::{Source, render};

/// The movements of a rule's words.
fn movements(words: &[Vec<Letter>], size: BoardSize) -> BTreeSet<Movement> {
    let letter = |letter: &Letter| {
        let holds = match letter.on {
            On::Empty => Holds::Empty,
            On::Opponent => Holds::Enemy,
            On::Own => Holds::Own,
        };
        (letter.x, letter.y, holds)
    };
    words
        .iter()
        .map(|word| {
            let word: Vec<(i32, i32, Holds)> = word.iter().map(letter).collect();
            reading::movement(&word, size.width, size.height).expect("words fit the board")
        })
        .collect()
}

/// Describes a rule and reads the sentence back; returns whether the rule was small enough.
fn check(rule: &Rule, size: BoardSize) -> bool {
    let Ok(words) = words(rule, size) else { return false };
    let description = describe_rule(rule, size).expect("the words are not too many");
    let meant = reading::read(&description.sentence, size.width, size.height);
    let meant = meant.unwrap_or_else(|error| panic!("{error}: {}", description.sentence));
    let expected = movements(&words, size);
    if meant != expected {
        let list = |set: &mut dyn Iterator<Item = &Movement>| -> Vec<String> {
            set.take(3).map(|movement| format!("{movement:?}")).collect()
        };
        let missing = list(&mut expected.difference(&meant));
        let wrong = list(&mut meant.difference(&expected));
        let sentence = &description.sentence;
        panic!("{size:?}: {sentence}\nnot said: {missing:#?}\nwrongly said: {wrong:#?}");
    }
    true
}

#[test]
fn sentences_of_all_bundled_pieces_mean_their_rules() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/sbg");
    let mut pieces = 0;
    for file in std::fs::read_dir(folder).expect("the games are there") {
        let text = std::fs::read_to_string(file.expect("readable").path()).expect("a text");
        let game = sbg::check(&Source::new("game.sbg", text)).0.expect("no errors");
        let size = BoardSize::of(&game);
        for piece in &game.pieces {
            if let Some(rule) = &piece.rule {
                assert!(check(rule, size), "{} of {} is described", piece.letter, game.name);
                pieces += 1;
            }
        }
    }
    assert!(pieces >= 80, "only {pieces} pieces");
}

/// Random numbers, the same for the same seed.
struct TestRandom(u64);

impl TestRandom {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    fn letter(&mut self, size: BoardSize) -> String {
        let mut number = |size: u32| {
            let reach = i64::from(size.min(4));
            self.below(2 * reach as u64 - 1) as i64 - reach + 1
        };
        let (x, y) = (number(size.width), number(size.height));
        format!("({x},{y},{})", self.one_of(&["e", "e", "p", "w"]))
    }

    /// An expression of a piece as people, or generators, might write it.
    fn expression(&mut self, size: BoardSize, depth: u64) -> String {
        match self.below(if depth == 0 { 3 } else { 9 }) {
            0 => self.letter(size),
            1 => {
                // A ride.
                let letter = self.letter(size);
                format!("{letter}^*({letter}+{})", letter.replace(['e', 'w'], "p"))
            }
            2 => {
                // The same in all four mirror images, moving or capturing.
                let (x, y) = (
                    self.below(u64::from(size.width.min(4))),
                    self.below(u64::from(size.height.min(4))),
                );
                let on = *self.one_of(&["e", "p", "w"]);
                let star = *self.one_of(&["", "^*", "^2"]);
                let image = |x: i64, y: i64| {
                    let more =
                        if star.is_empty() { String::new() } else { format!("({x},{y},e){star}") };
                    format!("{more}({x},{y},{on})")
                };
                let (x, y) = (x as i64, y as i64);
                [image(x, y), image(-x, y), image(x, -y), image(-x, -y)].join("+")
            }
            3 | 4 => {
                let parts = 2 + self.below(2);
                let parts: Vec<String> =
                    (0..parts).map(|_| self.expression(size, depth - 1)).collect();
                format!("({})", parts.join("+"))
            }
            5 | 6 => {
                format!(
                    "({})({})",
                    self.expression(size, depth - 1),
                    self.expression(size, depth - 1)
                )
            }
            7 => format!("({})^{}", self.expression(size, depth - 1), self.below(4)),
            _ => format!("({})^*", self.expression(size, depth - 1)),
        }
    }
}

/// How many random pieces are tried; `REGULUS_PIECES` says another number.
fn wanted() -> u64 {
    let wanted = std::env::var("REGULUS_PIECES").ok().and_then(|number| number.parse().ok());
    wanted.unwrap_or(if cfg!(debug_assertions) { 500 } else { 10_000 })
}

#[test]
fn sentences_of_random_pieces_mean_their_rules() {
    let mut described = 0;
    for seed in 0..wanted() {
        let mut random = TestRandom(seed);
        let size =
            BoardSize { width: 1 + random.below(9) as u32, height: 1 + random.below(9) as u32 };
        let depth = random.below(4);
        let expression = random.expression(size, depth);
        let rows = format!("|{}|\n", ".".repeat(size.width as usize)).repeat(size.height as usize);
        let text = format!(
            "<<T>><BOARD>{} {}\n{rows}<PIECES>X {expression} &<GOALS>9&",
            size.width, size.height
        );
        let source = Source::new("t.sbg", text);
        let (game, diagnostics) = sbg::check(&source);
        let game = game.unwrap_or_else(|| panic!("{}", render(&diagnostics, &source, false)));
        let rule = game.pieces[0].rule.as_ref().expect("a rule");
        described += u64::from(check(rule, size));
    }
    assert!(described > wanted() * 9 / 10, "only {described} were small enough");
}
