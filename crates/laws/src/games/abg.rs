//! Random games in Abstract Boardgames: small, one definition to a line, and most of them without errors.

use std::fmt::Write;

use crate::choices::Choices;

const PLAYERS: [&str; 4] = ["white", "black", "red", "blue"];
const PIECES: [&str; 5] = ["pa", "pb", "pc", "pd", "pe"];

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq)]
enum ExpressionScope {
    /// There is a square that a letter leads to.
    Letter,
    /// There is none.
    Condition,
}

struct AbgGenerator<'a> {
    random: ByteDecisions<'a>,
    text: String,
    players: usize,
    size: (usize, usize),
    pieces: Vec<&'static str>,
    owned: Vec<&'static str>,
    variables: usize,
    /// Functions with the number of their parameters, and where they may be called.
    functions: Vec<(String, usize, ExpressionScope)>,
    macros: Vec<(String, usize)>,
    /// Macros whose letters have no effects.
    quiet_macros: Vec<(String, usize)>,
    effects: Vec<(String, usize)>,
    ruled: Vec<&'static str>,
    /// The parameters of what is being defined.
    parameters: Vec<&'static str>,
}

/// Decisions from bytes, and when these are used up, from a number that is made of them: a text of this language takes
/// more decisions than others.
struct ByteDecisions<'a> {
    choices: Choices<'a>,
    number: u64,
}

impl<'a> ByteDecisions<'a> {
    fn new(bytes: &'a [u8]) -> ByteDecisions<'a> {
        let mix = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        ByteDecisions {
            choices: Choices::new(bytes),
            number: bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix),
        }
    }

    fn below(&mut self, count: usize) -> usize {
        if !self.choices.is_empty() {
            return self.choices.below(count);
        }
        self.number =
            self.number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.number >> 33) as usize % count.max(1)
    }

    fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most + 1 - least)
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }
}

/// The text of a game in Abstract Boardgames made from these bytes. More than half of these texts have no errors.
#[must_use]
pub fn abg_game(bytes: &[u8]) -> String {
    let mut random = ByteDecisions::new(bytes);
    let players = *random.pick(&[1, 2, 2, 2, 2, 3, 4]);
    let count = random.between(2, PIECES.len());
    let size = (*random.pick(&[1, 2, 3, 3, 4]), *random.pick(&[1, 2, 3, 3, 4]));
    let mut generator = AbgGenerator {
        random,
        text: String::new(),
        players,
        size,
        pieces: PIECES[..count].to_vec(),
        owned: Vec::new(),
        variables: 0,
        functions: Vec::new(),
        macros: Vec::new(),
        quiet_macros: Vec::new(),
        effects: Vec::new(),
        ruled: Vec::new(),
        parameters: Vec::new(),
    };
    generator.game();
    generator.text
}

impl AbgGenerator<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn game(&mut self) {
        let players = PLAYERS[..self.players].join(", ");
        self.line(&format!("players = {players};"));
        self.define_pieces();
        self.variables = self.random.below(3);
        for number in 0..self.variables {
            let value = self.random.pick(&["0", "0", "1", "-1", "2", "3", "-2"]);
            let line = format!("variable v{number} = {value};");
            self.line(&line);
        }
        for number in 0..self.random.below(4) {
            self.define_function(number);
        }
        for number in 0..self.random.below(4) {
            self.define_effect(number);
        }
        for number in 0..self.random.below(3) {
            self.define_macro(number);
        }
        for _ in 0..self.random.below(4) {
            self.define_condition();
        }
        for piece in self.owned.clone() {
            if !self.random.one_in(6) {
                let sentence = self.sentence(2, true);
                let simple = self.simple();
                self.line(&format!("rule {piece} = {simple}{sentence};"));
                self.ruled.push(piece);
            }
        }
        for _ in 0..self.random.below(3) {
            let player = PLAYERS[self.random.below(self.players)];
            let piece = self.piece();
            let sentence = self.sentence(1, false);
            self.line(&format!("post {player} {piece} = {sentence};"));
        }
        let (width, height) = self.size;
        self.line(&format!("board_size = {width}, {height};"));
        let squares: Vec<&str> = (0..width * height)
            .map(|_| match self.random.below(5) {
                0 | 1 => "empty",
                2 => self.piece(),
                _ => *self.random.pick(&self.owned),
            })
            .collect();
        self.line(&format!("board = {};", squares.join(", ")));
    }

    /// A way to move that is often there.
    fn simple(&mut self) -> String {
        let tests = ["Empty", "Empty", "True", "Opponent", "not Opponent"];
        let (x, y) =
            *self.random.pick(&[(1, 0), (0, 1), (-1, 0), (1, 1), (0, -1), (-1, 1), (0, 0)]);
        match self.random.below(4) {
            0 => String::new(),
            1 => format!("[{x}, {y}, {}]{{Move}} | ", self.random.pick(&tests)),
            2 => {
                let effect = self.effect_call().unwrap_or("Move".to_owned());
                format!("[{x}, {y}, {}]{{{effect}}} | ", self.random.pick(&tests))
            }
            _ => format!(
                "[{x}, {y}, {}] | [{y}, {x}, {}] | ",
                self.random.pick(&tests),
                self.random.pick(&tests)
            ),
        }
    }

    fn define_pieces(&mut self) {
        let mut list = Vec::new();
        for piece in std::iter::once("empty").chain(self.pieces.clone()) {
            let chance = if piece == "empty" { 4 } else { 1 };
            let mut owners: Vec<&str> = Vec::new();
            for (number, player) in PLAYERS[..self.players].iter().enumerate() {
                let own = piece != "empty" && PIECES[number % self.pieces.len()] == piece;
                if own || self.random.one_in(3 * chance) {
                    owners.push(player);
                }
            }
            if owners.is_empty() {
                list.push(piece.to_owned());
            } else {
                self.owned.push(piece);
                list.push(format!("{piece}({})", owners.join(", ")));
            }
        }
        self.line(&format!("pieces = {};", list.join(", ")));
        self.pieces.push("empty");
    }

    fn piece(&mut self) -> &'static str {
        self.pieces[self.random.below(self.pieces.len())]
    }

    fn with_parameters(
        &mut self,
        most: usize,
        body: impl FnOnce(&mut Self) -> String,
    ) -> (String, usize) {
        let count = self.random.below(most + 1);
        self.parameters = ["i", "j"][..count].to_vec();
        let body = body(self);
        let parameters = std::mem::take(&mut self.parameters).join(", ");
        (format!("({parameters}) {body}"), count)
    }

    fn define_function(&mut self, number: usize) {
        let name = format!("f{number}");
        let scope = if self.random.one_in(2) {
            ExpressionScope::Letter
        } else {
            ExpressionScope::Condition
        };
        let (rest, count) = self.with_parameters(1, |generator| {
            if generator.random.one_in(2) {
                let value = generator.value(3, scope);
                return format!("{{ return {value} }}");
            }
            let sentence = generator.sentence(2, false);
            if scope == ExpressionScope::Letter && generator.random.one_in(2) {
                return format!("= {sentence}");
            }
            let mut from = generator.piece().to_owned();
            if generator.random.one_in(3) {
                from = format!("{from}, {}", generator.piece());
            }
            format!("= from {from}: {sentence}")
        });
        self.line(&format!("function {name}{rest};"));
        self.functions.push((name, count, scope));
    }

    fn define_effect(&mut self, number: usize) {
        let default =
            self.random.one_in(8) && !self.effects.iter().any(|(name, _)| name == "Default");
        let name = if default { "Default".to_owned() } else { format!("e{number}") };
        let (rest, count) = self.with_parameters(if default { 0 } else { 1 }, |generator| {
            let steps: Vec<String> =
                (0..generator.random.below(4)).map(|_| generator.statement()).collect();
            format!("{{ {} }}", steps.join(" "))
        });
        self.line(&format!("effect {name}{rest};"));
        self.effects.push((name, count));
    }

    fn statement(&mut self) -> String {
        match self.random.below(8) {
            0..=2 => "Move();".to_owned(),
            3 | 4 => {
                let square = match self.random.below(4) {
                    0 if self.variables > 0 => {
                        format!("Board[v0][{}]", self.random.below(self.size.1))
                    }
                    1 => {
                        let shift = self.random.pick(&["+ 1", "- 1", ""]).to_owned();
                        let other = *self.random.pick(&["this.x", "from.x"]);
                        format!("Board[{other} {shift}][this.y]")
                    }
                    2 => "Board[from.x][from.y]".to_owned(),
                    _ => "Board[this.x][this.y]".to_owned(),
                };
                let piece = match self.random.below(5) {
                    0 => self.value(2, ExpressionScope::Letter),
                    1 => format!("current == white ? {} : {}", self.piece(), self.piece()),
                    _ => self.piece().to_owned(),
                };
                format!("{square} = {piece};")
            }
            5 | 6 if self.variables > 0 => {
                let variable = self.random.below(self.variables);
                let value = match self.random.below(4) {
                    0 => self.value(2, ExpressionScope::Letter),
                    1 => format!("v{variable} + 1"),
                    _ => self.random.pick(&["0", "1", "2", "-1", "5"]).to_string(),
                };
                format!("v{variable} = {value};")
            }
            7 if self.random.one_in(2) => {
                let player = PLAYERS[self.random.below(self.players)];
                let value = match self.random.below(3) {
                    0 => self.value(2, ExpressionScope::Letter),
                    1 => format!("{player}.score + 1"),
                    _ => self.random.pick(&["0", "10", "100", "50"]).to_string(),
                };
                format!("{player}.score = {value};")
            }
            _ => match self.effect_call() {
                Some(call) => format!("{call};"),
                None => "Move();".to_owned(),
            },
        }
    }

    fn effect_call(&mut self) -> Option<String> {
        let (name, count) = match self.effects.len() {
            0 => return None,
            count => self.effects[self.random.below(count)].clone(),
        };
        let arguments: Vec<String> = (0..count).map(|_| self.number()).collect();
        Some(format!("{name}({})", arguments.join(", ")))
    }

    fn define_macro(&mut self, number: usize) {
        let name = format!("m{number}");
        let quiet = self.random.one_in(2);
        let (rest, count) =
            self.with_parameters(2, |generator| format!("= {}", generator.sentence(2, !quiet)));
        self.line(&format!("macro {name}{rest};"));
        self.macros.push((name.clone(), count));
        // Without effects it may stand where nothing acts, and where something does.
        if quiet {
            self.quiet_macros.push((name, count));
        }
    }

    fn define_condition(&mut self) {
        let player = PLAYERS[self.random.below(self.players)];
        let value = match self.random.below(6) {
            0 => format!("count({}) == {}", self.piece(), self.random.below(4)),
            1 => {
                let other = PLAYERS[self.random.below(self.players)];
                format!("stuck and current == {other}")
            }
            2 => format!("not stuck and {}", self.value(2, ExpressionScope::Condition)),
            3 => format!("stuck and {}", self.value(2, ExpressionScope::Condition)),
            4 => format!(
                "count({}) > 3 and {}",
                self.piece(),
                self.value(2, ExpressionScope::Condition)
            ),
            _ => {
                let value = self.value(3, ExpressionScope::Condition);
                format!(
                    "{value} and count({}) {} 2",
                    self.piece(),
                    self.random.pick(&["==", ">", "<"])
                )
            }
        };
        let outcome = match self.random.below(5) {
            0 => "draw".to_owned(),
            1 => {
                let scores: Vec<String> = PLAYERS[..self.players]
                    .iter()
                    .map(|player| {
                        format!("{player} = {}", self.random.pick(&["0", "30", "70", "100"]))
                    })
                    .collect();
                let shown = self.random.between(1, scores.len());
                format!("outcome {}", scores[..shown].join(", "))
            }
            _ => format!("victory {player}"),
        };
        self.line(&format!("{outcome} {{ return {value} }};"));
    }

    /// A number that is known beforehand.
    fn number(&mut self) -> String {
        if !self.parameters.is_empty() && self.random.one_in(2) {
            let parameter = *self.random.pick(&self.parameters.clone());
            return if self.random.one_in(4) {
                format!("-{parameter}")
            } else {
                parameter.to_owned()
            };
        }
        self.random.pick(&["0", "1", "-1", "1", "-1", "2"]).to_string()
    }

    fn sentence(&mut self, depth: usize, acts: bool) -> String {
        let words: Vec<String> =
            (0..self.random.between(1, 3)).map(|_| self.word(depth, acts)).collect();
        words.join(" | ")
    }

    fn word(&mut self, depth: usize, acts: bool) -> String {
        let length = *self.random.pick(&[1, 1, 1, 2, 2, 3]);
        let parts: Vec<String> = (0..length).map(|_| self.part(depth, acts)).collect();
        parts.join(" ")
    }

    fn part(&mut self, depth: usize, acts: bool) -> String {
        match self.random.below(12) {
            0 | 1 if depth > 0 => format!("({})", self.sentence(depth - 1, acts)),
            2 => {
                // A walk that ends by itself more often than not.
                let (x, y) =
                    *self.random.pick(&[(1, 0), (0, 1), (-1, 0), (1, 1), (0, -1), (-1, 1)]);
                let test = *self.random.pick(&["Empty", "Empty", "True", "Opponent"]);
                let none = self.effects.iter().find(|(_, count)| *count == 0);
                let effect = match none {
                    Some((name, _)) if acts && self.random.one_in(2) => format!("{{{name}}}"),
                    _ => String::new(),
                };
                let sign = self.random.pick(&["*", "+", "?"]);
                format!("[{x}, {y}, {test}]{effect}{sign}")
            }
            3 if depth > 0 => {
                let sign = if self.random.one_in(3) { "*" } else { "?" };
                format!("({}){sign}", self.sentence(depth - 1, acts))
            }
            4 | 5 => {
                let known = if acts { &self.macros } else { &self.quiet_macros };
                match known.len() {
                    0 => self.letter(acts),
                    count => {
                        let (name, count) = known[self.random.below(count)].clone();
                        let arguments: Vec<String> = (0..count).map(|_| self.number()).collect();
                        format!("{name}({})", arguments.join(", "))
                    }
                }
            }
            6 if !self.ruled.is_empty() && self.parameters.is_empty() => {
                let piece = *self.random.pick(&self.ruled.clone());
                format!("{piece}.regex")
            }
            7 if !self.functions.is_empty() => {
                let (name, count, _) = self.random.pick(&self.functions.clone()).clone();
                let arguments: Vec<String> = (0..count).map(|_| self.number()).collect();
                format!("{name}({})", arguments.join(", "))
            }
            _ => self.letter(acts),
        }
    }

    fn letter(&mut self, acts: bool) -> String {
        let (x, y) = (self.number(), self.number());
        let test = match self.random.below(8) {
            0 | 1 => "Empty".to_owned(),
            2 => "Opponent".to_owned(),
            3 => "True".to_owned(),
            4 => self.piece_predicate(),
            5 => self.piece().to_owned(),
            _ => self.value(2, ExpressionScope::Letter),
        };
        let mut effect = String::new();
        if acts && self.random.one_in(2) {
            effect = self.effect_call().map_or("{Move}".to_owned(), |call| format!("{{{call}}}"));
        }
        format!("[{x}, {y}, {test}]{effect}")
    }

    fn piece_predicate(&mut self) -> String {
        let piece = self.piece();
        format!("{}{}", piece[..1].to_uppercase(), &piece[1..])
    }

    fn value(&mut self, depth: usize, scope: ExpressionScope) -> String {
        if depth == 0 || self.random.one_in(4) {
            return self.leaf(scope);
        }
        let mut part = |scope| self.value(depth - 1, scope);
        let (a, b, c) = (part(scope), part(scope), part(scope));
        match self.random.below(12) {
            0 => format!("(not {a})"),
            1 => format!("(-{a})"),
            2 | 3 => format!("({a} and {b})"),
            4 | 5 => format!("({a} or {b})"),
            6 | 7 => {
                let sign = self.random.pick(&["==", "==", "!=", "<", "<=", ">", ">="]);
                format!("({a} {sign} {b})")
            }
            8 => {
                let sign = self.random.pick(&["+", "-", "*", "+", "-"]);
                format!("({a} {sign} {b})")
            }
            9 => {
                let sign = self.random.pick(&["/", "%", "//"]);
                format!("({a} {sign} {b})")
            }
            10 => format!("({a} ? {b} : {c})"),
            _ if scope == ExpressionScope::Letter => {
                let (dx, dy) = (
                    self.random.pick(&["- 1", "", "+ 1"]).to_owned(),
                    *self.random.pick(&["- 1", "", "+ 1"]),
                );
                format!("Board[this.x {dx}][this.y {dy}]")
            }
            _ => format!("({a} ? {c} : {b})"),
        }
    }

    fn leaf(&mut self, scope: ExpressionScope) -> String {
        let letter = scope == ExpressionScope::Letter;
        match self.random.below(14) {
            0 | 1 if self.variables > 0 => format!("v{}", self.random.below(self.variables)),
            2 => format!("{}.score", PLAYERS[self.random.below(self.players)]),
            3 | 4 if letter => {
                self.random.pick(&["this.x", "this.y", "from.x", "from.y"]).to_string()
            }
            5 => format!("count({})", self.piece()),
            6 if letter => self.random.pick(&["Empty", "Opponent"]).to_string(),
            7 if letter => self.piece_predicate(),
            8 => "current".to_owned(),
            9 => {
                // Sometimes beside the board.
                let x = self.random.below(self.size.0 + 1);
                format!("Board[{x}][{}]", self.random.below(self.size.1 + 1))
            }
            10 | 11 if !self.functions.is_empty() => {
                let (name, count, needs) = self.random.pick(&self.functions.clone()).clone();
                if needs == ExpressionScope::Letter && !letter {
                    return "1".to_owned();
                }
                let arguments: Vec<String> = (0..count).map(|_| self.number()).collect();
                format!("{name}({})", arguments.join(", "))
            }
            12 => self.number(),
            _ => self.random.pick(&["0", "1", "2", "3"]).to_string(),
        }
    }
}
