//! A game as a text of its own language.

use std::fmt::{self, Write};

use super::game::{Game, Goal, Letter};
use crate::regular::Regular;

/// The game as SBG text; reading it gives the same game.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, sbg};
///
/// # let text = "<<Duel>> <BOARD> 2 3 |kk| |..| |KK|
/// #     <PIECES> K (0,1,e) + (0,1,p) & <GOALS> 20 & @K 0 2, 1 2 & @k 0 0, 1 0 &";
/// let (game, _) = sbg::check(&Source::new("duel.sbg", text));
/// let printed = sbg::to_sbg(&game.expect("no errors"));
/// assert!(printed.starts_with("<<Duel>>\n<BOARD>\n2 3\n|kk|\n"));
/// ```
#[must_use]
pub fn to_sbg(game: &Game) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_game(&mut text, game);
    text
}

fn write_game(text: &mut String, game: &Game) -> fmt::Result {
    writeln!(text, "<<{}>>", game.name)?;
    writeln!(text, "<BOARD>\n{} {}", game.width, game.height)?;
    for row in game.position.chunks(game.width as usize) {
        let cell =
            |content: &Option<_>| content.map_or('.', |(side, kind)| game.letter(side, kind));
        writeln!(text, "|{}|", row.iter().map(cell).collect::<String>())?;
    }
    writeln!(text, "<PIECES>")?;
    for piece in &game.pieces {
        if let Some(rule) = &piece.rule {
            if let Some(name) = &piece.name {
                writeln!(text, "// {} - {name}", piece.letter)?;
            }
            write!(text, "{} ", piece.letter)?;
            write_expression(text, &rule.expression, Around::Whole)?;
            writeln!(text, " &")?;
        }
    }
    writeln!(text, "<GOALS>\n{} &", game.turn_limit)?;
    for goal in &game.goals {
        match goal {
            Goal::Count { side, kind, count, .. } => {
                writeln!(text, "#{} {count} &", game.letter(*side, *kind))?;
            }
            Goal::Reach { side, kind, squares, .. } => {
                let squares: Vec<String> =
                    squares.iter().map(|(x, y)| format!("{x} {y}")).collect();
                writeln!(text, "@{} {} &", game.letter(*side, *kind), squares.join(", "))?;
            }
        }
    }
    Ok(())
}

/// What surrounds an expression, which decides on its brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Whole,
    Factor,
    Power,
}

fn write_expression(
    text: &mut String,
    expression: &Regular<Letter>,
    around: Around,
) -> fmt::Result {
    let brackets = match expression {
        Regular::Letter(_) => false,
        Regular::Sum(_) => around != Around::Whole,
        Regular::Chain(_) | Regular::Star(_) | Regular::Power(..) | Regular::Empty => {
            around == Around::Power
        }
    };
    if brackets {
        text.push('(');
    }
    match expression {
        // The language has no sign for it.
        Regular::Empty => text.push_str("(0,0,e)^0"),
        Regular::Letter(letter) => write!(text, "{letter}")?,
        Regular::Sum(parts) => {
            for (index, part) in parts.iter().enumerate() {
                text.push_str(if index > 0 { " + " } else { "" });
                write_expression(text, part, Around::Whole)?;
            }
        }
        Regular::Chain(parts) => {
            for part in parts {
                write_expression(text, part, Around::Factor)?;
            }
        }
        Regular::Star(body) => {
            write_expression(text, body, Around::Power)?;
            text.push_str("^*");
        }
        Regular::Power(body, count) => {
            write_expression(text, body, Around::Power)?;
            write!(text, "^{count}")?;
        }
    }
    if brackets {
        text.push(')');
    }
    Ok(())
}
