//! What can be typed during a game beside moves.

use regulus_lang::nearest;

/// Something to do that is not a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Help,
    Rules,
    Moves,
    Board,
    History,
    Hint,
    Think,
    Undo,
    Redo,
    Resign,
    New,
    Save,
    Quit,
}

/// The words for orders, with what stands behind them and what they do.
const ORDERS: [(Order, &str, &str, &str); 13] = [
    (Order::Help, "help", "", "says this"),
    (Order::Rules, "rules", "", "says how the game is played"),
    (Order::Moves, "moves", "[d2]", "lists the legal moves, or those that begin so"),
    (Order::Board, "board", "", "draws the board again"),
    (Order::History, "history", "", "lists the moves so far"),
    (Order::Hint, "hint", "", "says what the best computer would play"),
    (
        Order::Think,
        "think",
        "[on|off]",
        "says what the computer thought; `on`: at each of its moves",
    ),
    (Order::Undo, "undo", "", "takes back your last move and the answers to it"),
    (Order::Redo, "redo", "", "plays again what was taken back"),
    (Order::Resign, "resign", "", "gives up"),
    (Order::New, "new", "", "begins another game"),
    (Order::Save, "save", "FILE", "writes the game, for `regulus play --resume FILE`"),
    (Order::Quit, "quit", "", "leaves; so do Ctrl-D and, at any time, Ctrl-C"),
];

/// Other words for the same.
const OTHERS: [(&str, Order); 7] = [
    ("?", Order::Moves),
    ("exit", Order::Quit),
    ("takeback", Order::Undo),
    ("restart", Order::New),
    ("h", Order::Help),
    ("q", Order::Quit),
    ("u", Order::Undo),
];

impl Order {
    /// The order that a line begins with, and what stands behind it.
    pub(super) fn read(line: &str) -> Option<(Order, &str)> {
        let (word, rest) = split(line);
        let known = ORDERS.iter().find(|(_, known, ..)| *known == word.to_lowercase());
        known.map(|(order, ..)| (*order, rest))
    }

    /// The same for other words and single letters, which may also be columns of a board.
    pub(super) fn read_other(line: &str) -> Option<(Order, &str)> {
        let (word, rest) = split(line);
        let known = OTHERS.iter().find(|(known, _)| *known == word.to_lowercase());
        known.map(|(_, order)| (*order, rest))
    }

    /// All words.
    pub(super) fn words() -> Vec<String> {
        ORDERS.iter().map(|(_, word, ..)| (*word).to_owned()).collect()
    }

    /// The word that was probably meant.
    pub(super) fn nearest(line: &str) -> Option<&'static str> {
        nearest(split(line).0, ORDERS.iter().map(|(_, word, ..)| *word))
    }

    /// What can be typed, each with what it does.
    pub(super) fn help() -> String {
        let mut text =
            "  a move            as `moves` lists it, or d2d3, e4, Nf3, O-O, a column\n".to_owned();
        for (_, word, behind, about) in ORDERS {
            let line = format!("{word} {behind}");
            text.push_str(&format!("  {line:16}  {about}\n"));
        }
        text.push_str(
            "The Tab key completes moves and words, the arrow keys bring back earlier lines.\n",
        );
        text
    }
}

fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn orders_are_read_with_what_stands_behind_them() {
        assert_eq!(Order::read(" save my game.txt "), Some((Order::Save, "my game.txt")));
        assert_eq!(Order::read("UNDO"), Some((Order::Undo, "")));
        assert_eq!(Order::read("d2-d3"), None);
        assert_eq!(Order::read("q"), None);
        assert_eq!(Order::read_other("q"), Some((Order::Quit, "")));
        assert_eq!(Order::nearest("udno"), Some("undo"));
    }

    #[test]
    fn help_names_every_order_in_lines_of_80_columns() {
        let help = Order::help();
        for word in Order::words() {
            assert!(help.contains(&format!("  {word} ")), "{word}");
        }
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
