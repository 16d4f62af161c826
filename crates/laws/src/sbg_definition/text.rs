//! Reads the text of a game by the grammar of the language, symbol by symbol.
//!
//! White space and comments mean nothing between words; they end a number. The squares of a row are words of their own.

use std::collections::BTreeMap;

use super::{Place, SbgDefinition, SquareContent, StepExpression};

/// The game; `None` if the text is not a game.
pub(super) fn read(text: &str) -> Option<SbgDefinition> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let symbols: Vec<char> = without_comments(text)?.chars().collect();
    SymbolReader { symbols: &symbols }.game()
}

/// How deep brackets are nested, at least.
pub(super) fn nesting(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for symbol in text.chars() {
        match symbol {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// The text with a space for each comment; `None` if one does not end.
fn without_comments(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            plain.push(' ');
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = &comment[comment.find("*/")? + 2..];
            plain.push(' ');
        } else {
            rest = &rest[first.len_utf8()..];
            plain.push(first);
        }
    }
    Some(plain)
}

struct SymbolReader<'a> {
    symbols: &'a [char],
}

impl SymbolReader<'_> {
    fn game(mut self) -> Option<SbgDefinition> {
        self.word("<<")?;
        while self.accept(char::is_alphanumeric).is_some() {}
        self.word(">>")?;
        self.word("<BOARD>")?;
        let (width, height) = (self.number()?, self.number()?);
        let pieces = self.rows(width, height)?;
        self.word("<PIECES>")?;
        let mut rules = BTreeMap::new();
        while let Some(letter) = self.accept(|symbol| symbol.is_ascii_uppercase()) {
            let rule = self.sum()?;
            self.word("&")?;
            if rules.insert(letter, rule).is_some() {
                return None;
            }
        }
        self.word("<GOALS>")?;
        let limit = self.number()?;
        self.word("&")?;
        let (width, height) = (i64::try_from(width).ok()?, i64::try_from(height).ok()?);
        let (losing, winning) = (Vec::new(), Vec::new());
        let mut game = SbgDefinition { width, height, pieces, rules, limit, losing, winning };
        while self.peek().is_some() {
            self.goal(&mut game)?;
            self.word("&")?;
        }
        Some(game)
    }

    /// The rows of the board, the upper ones first.
    fn rows(&mut self, width: u64, height: u64) -> Option<BTreeMap<Place, char>> {
        let mut pieces = BTreeMap::new();
        let mut rows = 0;
        while self.word("|").is_some() {
            rows += 1;
            let y = i64::try_from(height.checked_sub(rows)?).ok()?;
            let mut columns = 0;
            while let Some(piece) =
                self.accept(|symbol| symbol == '.' || symbol.is_ascii_alphabetic())
            {
                if piece != '.' {
                    pieces.insert((i64::try_from(columns).ok()?, y), piece);
                }
                columns += 1;
            }
            self.word("|")?;
            if columns != width {
                return None;
            }
        }
        (rows == height && width > 0 && height > 0).then_some(pieces)
    }

    /// Alternatives; a concatenation binds tighter.
    fn sum(&mut self) -> Option<StepExpression> {
        let mut parts = vec![self.chain()?];
        while self.word("+").is_some() {
            parts.push(self.chain()?);
        }
        Some(StepExpression::Sum(parts))
    }

    fn chain(&mut self) -> Option<StepExpression> {
        let mut parts = vec![self.factor()?];
        while self.peek() == Some('(') {
            parts.push(self.factor()?);
        }
        Some(StepExpression::Chain(parts))
    }

    /// A letter or an expression in brackets, with its power.
    fn factor(&mut self) -> Option<StepExpression> {
        self.word("(")?;
        let body = if self.peek() == Some('(') { self.sum()? } else { self.letter()? };
        self.word(")")?;
        Some(if self.word("^").is_none() {
            body
        } else if self.word("*").is_some() {
            StepExpression::Star(Box::new(body))
        } else {
            StepExpression::Power(Box::new(body), self.number()?)
        })
    }

    /// What is inside the brackets of a letter.
    fn letter(&mut self) -> Option<StepExpression> {
        let columns = self.integer()?;
        self.word(",")?;
        let rows = self.integer()?;
        self.word(",")?;
        let on = match self.accept(|symbol| ['e', 'p', 'w'].contains(&symbol))? {
            'e' => SquareContent::Empty,
            'p' => SquareContent::Opponent,
            _ => SquareContent::Own,
        };
        Some(StepExpression::Letter(columns, rows, on))
    }

    fn goal(&mut self, game: &mut SbgDefinition) -> Option<()> {
        let loses = self.word("#").is_some();
        if !loses {
            self.word("@")?;
        }
        let piece = self.accept(|symbol| symbol.is_ascii_alphabetic())?;
        if loses {
            game.losing.push((piece, self.number()?));
            return Some(());
        }
        let mut places = vec![self.place()?];
        while self.word(",").is_some() {
            places.push(self.place()?);
        }
        game.winning.push((piece, places));
        Some(())
    }

    fn place(&mut self) -> Option<Place> {
        let column = i64::try_from(self.number()?).ok()?;
        let row = i64::try_from(self.number()?).ok()?;
        Some((column, row))
    }

    fn integer(&mut self) -> Option<i64> {
        let negative = self.word("-").is_some();
        if negative && !self.symbols.first()?.is_ascii_digit() {
            return None;
        }
        // Numbers that no board has are as good as any other, and cannot overflow when they are added.
        let number = i64::try_from(self.number()?.min(1 << 40)).ok()?;
        Some(if negative { -number } else { number })
    }

    fn number(&mut self) -> Option<u64> {
        let mut digits = String::from(self.accept(|symbol| symbol.is_ascii_digit())?);
        while let Some(digit) = self.take(|symbol| symbol.is_ascii_digit()) {
            digits.push(digit);
        }
        digits.parse().ok()
    }

    /// These symbols, after any space.
    fn word(&mut self, word: &str) -> Option<()> {
        self.peek();
        let before = self.symbols;
        for expected in word.chars() {
            if self.take(|symbol| symbol == expected).is_none() {
                self.symbols = before;
                return None;
            }
        }
        Some(())
    }

    /// Takes the next symbol after any space; `None` if it is not a wanted one.
    fn accept(&mut self, is_wanted: impl Fn(char) -> bool) -> Option<char> {
        self.peek();
        self.take(is_wanted)
    }

    /// Takes the very next symbol; `None` if it is not a wanted one.
    fn take(&mut self, is_wanted: impl Fn(char) -> bool) -> Option<char> {
        let (&symbol, rest) = self.symbols.split_first()?;
        is_wanted(symbol).then(|| {
            self.symbols = rest;
            symbol
        })
    }

    /// The next symbol that is not white space, without taking it.
    fn peek(&mut self) -> Option<char> {
        while let Some((_, rest)) = self.symbols.split_first().filter(|(s, _)| s.is_whitespace()) {
            self.symbols = rest;
        }
        self.symbols.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str =
        "<<A game>> <BOARD> 2 1 |A.| <PIECES> A (1,0,e)^* & <GOALS> 12 & #A 0 & @a 0 0, 1 0 &";

    #[test]
    fn all_parts_are_read() {
        let game = read(GAME).expect("a game");
        assert_eq!((game.width, game.height, game.limit), (2, 1, 12));
        assert_eq!(game.pieces, BTreeMap::from([((0, 0), 'A')]));
        assert_eq!(game.losing, [('A', 0)]);
        assert_eq!(game.winning, [('a', vec![(0, 0), (1, 0)])]);
    }

    #[test]
    fn space_and_comments_mean_nothing() {
        let dense = "<<A>><BOARD>2 1|A.|<PIECES>A(1,0,e)^*&<GOALS>12&#A0&@a0 0,1 0&";
        assert_eq!(read(dense), read(GAME));
        let commented = GAME.replace("^*", "^*/* a / * */// (\n").replace("12", "12// 13 &\r\n");
        assert_eq!(read(&commented), read(GAME));
        let broken = GAME.replace("|A.|", "|A// |\n./*|*/\n|");
        assert_eq!(read(&broken), read(GAME));
        assert_eq!(read(&GAME.replace("12", "1/**/2")), None);
        assert_eq!(read(&GAME.replace("12", "12 /*/")), None);
    }

    #[test]
    fn anything_else_is_no_game() {
        for (old, new) in [
            ("|A.|", "|A|"),
            ("|A.|", "|A.||A.|"),
            ("|A.|", ""),
            ("(1,0", "(- 1,0"),
            ("2 1 |A.|", "0 1 ||"),
            ("(1,0,e)^*", ""),
            ("(1,0,e)^*", "(1,0,e)^*^*"),
            ("(1,0,e)^*", "(1,0,x)"),
            ("(1,0,e)^*", "(1,0,e)+"),
            ("(1,0,e)^*", "()"),
            ("^* &", "^* & A (1,0,e) &"),
            ("@a 0 0, 1 0", "@a"),
            ("@a 0 0,", "@a 0 0,,"),
            ("12 &", ""),
        ] {
            assert!(read(GAME).is_some() && GAME.contains(old));
            assert_eq!(read(&GAME.replace(old, new)), None, "{new} for {old}");
        }
    }
}
