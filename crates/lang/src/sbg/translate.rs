//! A game as RBG text, for people to read and for other programs to run: the same game tree, the same moves.
//!
//! Each rule becomes a macro with the expression as it is written, so that the text can be compared with its source.

use std::fmt::{self, Write};

use super::game::{Game, Goal, Kind, Letter, On, PieceType, Rule};
use crate::regular::Regular;
use crate::side::Side;

/// The game as RBG text.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg, sbg};
///
/// # let text = "<<Duel>> <BOARD> 2 3 |kk| |..| |KK|
/// #     <PIECES> K (0,1,e) + (0,1,p) & <GOALS> 20 & @K 0 2, 1 2 & @k 0 0, 1 0 &";
/// let (game, _) = sbg::check(&Source::new("duel.sbg", text));
/// let translated = sbg::to_rbg(&game.expect("no errors"));
/// assert!(rbg::compile(&Source::new("duel.rbg", translated)).0.is_some());
/// ```
#[must_use]
pub fn to_rbg(game: &Game) -> String {
    let uses_moving = game.pieces.iter().any(returns);
    let mut writer = RbgWriter { game, uses_moving, text: String::new() };
    // Writing to a string does not fail.
    let _ = writer.game();
    writer.text
}

/// Whether a piece must be seen on its square while it moves.
fn returns(piece: &PieceType) -> bool {
    piece.rule.as_ref().is_some_and(|rule| rule.returns)
}

struct RbgWriter<'a> {
    game: &'a Game,
    uses_moving: bool,
    text: String,
}

impl RbgWriter<'_> {
    fn line(&mut self, line: fmt::Arguments<'_>) -> fmt::Result {
        self.text.write_fmt(line)?;
        self.text.write_char('\n')
    }

    /// The types of piece that a side has.
    fn kinds(&self, side: Side) -> Vec<Kind> {
        (0..self.game.pieces.len()).filter(|&kind| self.game.count(side, kind) > 0).collect()
    }

    fn piece(&self, side: Side, kind: Kind) -> String {
        format!("{}{}", side.name(), self.game.pieces[kind].letter)
    }

    fn army(&self, side: Side) -> String {
        let names: Vec<String> =
            self.kinds(side).into_iter().map(|kind| self.piece(side, kind)).collect();
        names.join(", ")
    }

    fn game(&mut self) -> fmt::Result {
        let game = self.game;
        self.line(format_args!("// {}", game.name))?;
        self.line(format_args!(
            "//\n// Translated from Simplified Boardgames: the same moves, the same game tree.\n"
        ))?;
        self.line(format_args!("#players = white(100), black(100)"))?;
        let mut pieces = vec!["empty".to_owned()];
        pieces.extend(
            Side::BOTH.map(|side| self.army(side)).into_iter().filter(|army| !army.is_empty()),
        );
        pieces.extend(self.uses_moving.then(|| "moving".to_owned()));
        self.line(format_args!("#pieces = {}", pieces.join(", ")))?;
        match game.turn_limit {
            0 => self.line(format_args!("#variables ="))?,
            limit => self.line(format_args!("#variables = turns({limit})"))?,
        }
        self.board()?;
        if game.turn_limit == 0 {
            return self.line(format_args!("\n#rules = [$ white=50, black=50] ->> {{}}"));
        }
        self.line(format_args!(
            "\n// From wherever the cursor stands to any square of the board."
        ))?;
        self.line(format_args!("#anySquare = ((up* + down*)(left* + right*))"))?;
        if self.uses_moving {
            self.line(format_args!(
                "\n// Takes away what a piece left where it was, unless it came back there."
            ))?;
            self.line(format_args!(
                "#clear = ({{$ moving == 0}} + {{$ moving > 0}} anySquare {{moving}} [empty])"
            ))?;
        }
        self.line(format_args!(
            "\n// How the pieces move: `own` and `foe` are sets of pieces, `ahead` is up or down."
        ))?;
        for piece in &game.pieces {
            if let Some(rule) = &piece.rule {
                self.rule(piece, rule)?;
            }
        }
        for side in Side::BOTH {
            self.turn(side)?;
        }
        self.line(format_args!("\n#rules = ( whiteTurn blackTurn )*"))
    }

    fn board(&mut self) -> fmt::Result {
        let game = self.game;
        self.line(format_args!("#board = rectangle(up, down, left, right,"))?;
        let rows: Vec<String> = game
            .position
            .chunks(game.width as usize)
            .map(|row| {
                let cell = |content: &Option<(Side, Kind)>| match content {
                    Some((side, kind)) => self.piece(*side, *kind),
                    None => "empty".to_owned(),
                };
                format!("    [{}]", row.iter().map(cell).collect::<Vec<_>>().join(", "))
            })
            .collect();
        self.line(format_args!("{})", rows.join("\n")))
    }

    fn rule(&mut self, piece: &PieceType, rule: &Rule) -> fmt::Result {
        if let Some(name) = &piece.name {
            self.line(format_args!("// {name}"))?;
        }
        write!(self.text, "#move{}(own; foe; ahead; back) =\n    (", piece.letter)?;
        self.expression(&rule.expression, true)?;
        self.line(format_args!(")"))
    }

    /// An expression; alternatives on lines of their own when nothing surrounds them.
    fn expression(&mut self, expression: &Regular<Letter>, whole: bool) -> fmt::Result {
        match expression {
            Regular::Empty | Regular::Power(_, 0) => self.text.write_str("."),
            Regular::Letter(letter) => self.letter(*letter),
            Regular::Sum(parts) => {
                self.text.push_str(if whole { "" } else { "(" });
                for (index, part) in parts.iter().enumerate() {
                    let separator = if whole { "\n    + " } else { " + " };
                    self.text.push_str(if index > 0 { separator } else { "" });
                    self.expression(part, false)?;
                }
                self.text.push_str(if whole { "" } else { ")" });
                Ok(())
            }
            Regular::Chain(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    self.text.push_str(if index > 0 { " " } else { "" });
                    self.expression(part, false)?;
                }
                Ok(())
            }
            Regular::Star(body) => self.repeated(body, "*"),
            Regular::Power(body, 1) => self.expression(body, false),
            Regular::Power(body, count) => self.repeated(body, &format!("^{count}")),
        }
    }

    fn repeated(&mut self, body: &Regular<Letter>, suffix: &str) -> fmt::Result {
        self.text.push('(');
        self.expression(body, true)?;
        self.text.push(')');
        self.text.write_str(suffix)
    }

    fn letter(&mut self, letter: Letter) -> fmt::Result {
        let horizontal = if letter.x < 0 { "left" } else { "right" };
        let vertical = if letter.y < 0 { "back" } else { "ahead" };
        for (step, count) in
            [(horizontal, letter.x.unsigned_abs()), (vertical, letter.y.unsigned_abs())]
        {
            match count {
                0 => {}
                1 => write!(self.text, "{step} ")?,
                _ => write!(self.text, "{step}^{count} ")?,
            }
        }
        self.text.write_str(match letter.on {
            On::Empty => "{empty}",
            On::Opponent => "{foe}",
            On::Own => "{own}",
        })
    }

    fn turn(&mut self, side: Side) -> fmt::Result {
        let (me, foe) = (side.name(), side.other().name());
        let movable: Vec<Kind> = self
            .kinds(side)
            .into_iter()
            .filter(|&kind| self.game.pieces[kind].rule.is_some())
            .collect();
        self.line(format_args!(
            "\n// Until {me} has moved, {me} has lost: that is what having no move means."
        ))?;
        self.line(format_args!("#{me}Turn ="))?;
        self.line(format_args!("    [$ {me}=0, {foe}=100] ->{me}"))?;
        let (mut own, opponents) = (self.army(side), self.army(side.other()));
        if self.uses_moving {
            own = if own.is_empty() { "moving".to_owned() } else { format!("{own}, moving") };
        }
        let (ahead, back) = if side == Side::White { ("up", "down") } else { ("down", "up") };
        let mut alternatives = Vec::new();
        for kind in movable {
            let piece = self.piece(side, kind);
            let letter = self.game.pieces[kind].letter;
            let returns = returns(&self.game.pieces[kind]);
            let left = if returns { "moving" } else { "empty" };
            let mut way = format!(
                "{{{piece}}} [{left}] move{letter}({own}; {opponents}; {ahead}; {back}) ->> [{piece}]"
            );
            let clear = if returns { " clear" } else { "" };
            let targets = self.game.targets(side, kind);
            if targets.is_empty() {
                way.push_str(clear);
            } else {
                let there = self.squares(&targets);
                write!(
                    way,
                    "\n        ( {{? {there}}}{clear} [$ {me}=100, {foe}=0] ->> {{}}\n        + {{! {there}}}{clear} )"
                )?;
            }
            alternatives.push(way);
        }
        match alternatives.is_empty() {
            true => self.line(format_args!("    {{}}"))?,
            false => {
                self.line(format_args!("    anySquare\n    ( {} )", alternatives.join("\n    + ")))?
            }
        }
        for loser in [side.other(), side] {
            for goal in &self.game.goals {
                if let Goal::Count { side: whose, kind, count, .. } = goal
                    && *whose == loser
                {
                    self.count_goal(loser, *kind, *count)?;
                }
            }
        }
        let limit = self.game.turn_limit;
        self.line(format_args!("    [$ turns=turns+1]"))?;
        self.line(format_args!(
            "    ( {{$ turns < {limit}}} + {{$ turns == {limit}}} [$ white=50, black=50] ->> {{}} )"
        ))
    }

    fn count_goal(&mut self, loser: Side, kind: Kind, count: u32) -> fmt::Result {
        let (name, winner) = (loser.name(), loser.other().name());
        let number = match self.game.count(loser, kind) {
            0 => "0".to_owned(),
            _ => self.piece(loser, kind),
        };
        self.line(format_args!(
            "    ( {{$ {number} != {count}}} + {{$ {number} == {count}}} [$ {winner}=100, {name}=0] ->> {{}} )"
        ))
    }

    /// A test that the cursor is on one of these squares, given by their distance from the left and the lower side.
    fn squares(&self, squares: &[(u32, u32)]) -> String {
        let steps = |direction: &str, count: u32| {
            let walk = match count {
                0 => String::new(),
                1 => format!("{direction} "),
                _ => format!("{direction}^{count} "),
            };
            format!("{walk}{{! {direction}}}")
        };
        let mut rows: Vec<u32> = squares.iter().map(|(_, y)| *y).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut ways = Vec::new();
        for y in rows {
            let row = steps("down", y);
            let columns: Vec<u32> =
                squares.iter().filter(|square| square.1 == y).map(|square| square.0).collect();
            if columns.len() == self.game.width as usize {
                ways.push(row);
                continue;
            }
            let columns: Vec<String> = columns.into_iter().map(|x| steps("left", x)).collect();
            ways.push(format!("{row} ({})", columns.join(" + ")));
        }
        ways.join(" + ")
    }
}
