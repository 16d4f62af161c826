//! Rules as source text, in the layout of the paper: one rule on a line, indented, words of the structure in capitals.

use std::fmt;

use crate::rules::{
    Assigner, Board, BoardType, Capture, Description, Effect, Goal, Inversion, Movement,
    MovementKind, Piece, PieceId, Pieces, Promotion, Rules, Setup, Square, Symmetries, Who,
};

/// Lines that would be longer are broken between words.
const WIDTH: usize = 100;

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = RulesPrinter { rules: self, text: String::new(), depth: 0 };
        printer.game();
        f.write_str(&printer.text)
    }
}

/// A goal as it is written.
pub(crate) fn goal(rules: &Rules, goal: &Goal) -> String {
    match goal {
        Goal::Arrive { piece, squares } => {
            format!("ARRIVE {} AT {}", description(rules, piece), square_set(squares))
        }
        Goal::Eradicate(pieces) => format!("ERADICATE {}", description(rules, pieces)),
        Goal::Stalemate(who) => format!("STALEMATE {who}"),
    }
}

struct RulesPrinter<'a> {
    rules: &'a Rules,
    text: String,
    depth: usize,
}

impl RulesPrinter<'_> {
    fn game(&mut self) {
        let rules = self.rules;
        self.line(&format!("GAME {}", rules.name));
        self.gap();
        self.block("GOALS", |printer| {
            for each in &rules.goals {
                printer.line(&goal(rules, each));
            }
        });
        self.gap();
        self.board(&rules.board);
        self.gap();
        self.block("SETUP", |printer| printer.setup(&rules.setup));
        if rules.must_capture {
            self.gap();
            self.line("CONSTRAINTS must_capture");
        }
        for piece in &rules.pieces {
            self.gap();
            self.piece(piece);
        }
        self.gap();
        self.line("END GAME.");
    }

    fn board(&mut self, board: &Board) {
        self.line(&format!("BOARD_SIZE {} BY {}", board.width, board.height));
        self.line(match board.board_type {
            BoardType::Planar => "BOARD_TYPE planar",
            BoardType::VerticalCylinder => "BOARD_TYPE vertical_cylinder",
        });
        // METAGAME has diagonal inversion and no word for it.
        if board.inversion == Inversion::Forward {
            self.line("INVERSION forward");
        }
        self.line(&format!("PROMOTE_RANK {}", board.promote_rank));
    }

    fn setup(&mut self, setup: &Setup) {
        match setup {
            Setup::Fixed(places) => {
                for id in self.rules.ids() {
                    let mut squares: Vec<Square> = places
                        .iter()
                        .filter(|(placed, _)| *placed == id)
                        .map(|&(_, square)| square)
                        .collect();
                    squares.sort_unstable_by_key(|square| (square.y, square.x));
                    if !squares.is_empty() {
                        let name = &self.rules[id].name;
                        self.line(&format!("{name} AT {}", square_set(&squares)));
                    }
                }
            }
            Setup::Assigned { by, pieces, squares } => {
                let by = match by {
                    Assigner::Player => "player",
                    Assigner::Opponent => "opponent",
                    Assigner::Random => "random",
                };
                let names = names(self.rules, pieces);
                self.line(&format!("DECISION {by} ASSIGNS {names}"));
                self.line(&format!("TO {}", square_set(squares)));
                self.line("END DECISION");
            }
        }
    }

    fn piece(&mut self, piece: &Piece) {
        self.section(&format!("DEFINE {}", piece.name), "END DEFINE", |printer| {
            printer.section("MOVING", "END MOVING", |printer| {
                piece.moving.iter().for_each(|movement| printer.movement(movement));
            });
            printer.section("CAPTURING", "END CAPTURING", |printer| {
                piece.capturing.iter().for_each(|capture| printer.capture(capture));
            });
            printer.section("PROMOTING", "END PROMOTING", |printer| {
                printer.promotion(&piece.promotion);
            });
            match (piece.must_capture, piece.continue_captures) {
                (true, true) => printer.line("CONSTRAINTS must_capture continue_captures"),
                (true, false) => printer.line("CONSTRAINTS must_capture"),
                (false, true) => printer.line("CONSTRAINTS continue_captures"),
                (false, false) => {}
            }
        });
    }

    fn movement(&mut self, movement: &Movement) {
        self.section("MOVEMENT", "END MOVEMENT", |printer| {
            match &movement.kind {
                MovementKind::Leap => printer.line("LEAP"),
                MovementKind::Ride { max, longest } => {
                    let max = max.map_or(String::new(), |max| format!(" MAX {max}"));
                    let longest = if *longest { " LONGEST" } else { "" };
                    printer.line(&format!("RIDE{max}{longest}"));
                }
                MovementKind::Hop { before, over, after, hop_over } => {
                    let hop_over = description(printer.rules, hop_over);
                    printer.line(&format!("HOP BEFORE {before} OVER {over} AFTER {after}"));
                    printer.line(&format!("HOP_OVER {hop_over}"));
                }
            }
            let (dx, dy) = movement.direction;
            let symmetry = symmetry(movement.symmetries);
            printer.line(&format!("<{dx},{dy}> SYMMETRY {symmetry}"));
        });
    }

    fn capture(&mut self, capture: &Capture) {
        self.section("CAPTURE", "END CAPTURE", |printer| {
            let methods = [
                (capture.retrieve, "retrieve"),
                (capture.clobber, "clobber"),
                (capture.hop, "hop"),
            ];
            printer.line(&format!("BY {}", chosen(methods)));
            printer.line(&format!("TYPE {}", description(printer.rules, &capture.captured)));
            printer.line(&match capture.effect {
                Effect::Remove => "EFFECT remove".to_owned(),
                Effect::Possess(who) => format!("EFFECT {who} possesses"),
            });
            capture.movements.iter().for_each(|movement| printer.movement(movement));
        });
    }

    fn promotion(&mut self, promotion: &Promotion) {
        match promotion {
            Promotion::To(id) => self.line(&format!("PROMOTE_TO {}", self.rules[*id].name)),
            Promotion::Decision { chooser, options } => {
                let options = description(self.rules, options);
                self.line(&format!("DECISION {chooser} OPTIONS {options}"));
            }
        }
    }

    /// A heading, what belongs to it, and its end.
    fn section(&mut self, start: &str, end: &str, inside: impl FnOnce(&mut Self)) {
        self.block(start, inside);
        self.line(end);
    }

    /// A heading and what belongs to it.
    fn block(&mut self, start: &str, inside: impl FnOnce(&mut Self)) {
        self.line(start);
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }

    fn gap(&mut self) {
        self.text.push('\n');
    }

    fn line(&mut self, line: &str) {
        let mut column = 2 * self.depth;
        self.text.push_str(&" ".repeat(column));
        for (place, word) in line.split(' ').enumerate() {
            if place > 0 && column + 1 + word.len() > WIDTH {
                column = 2 * self.depth + 4;
                self.text.push('\n');
                self.text.push_str(&" ".repeat(column));
            } else if place > 0 {
                column += 1;
                self.text.push(' ');
            }
            column += word.len();
            self.text.push_str(word);
        }
        self.text.push('\n');
    }
}

fn description(rules: &Rules, description: &Description) -> String {
    let owner = match description.owner {
        None => "any_player",
        Some(Who::Player) => "{player}",
        Some(Who::Opponent) => "{opponent}",
    };
    match &description.pieces {
        Pieces::Any => format!("[{owner} any_piece]"),
        Pieces::Some(list) => format!("[{owner} {}]", names(rules, list)),
    }
}

fn names(rules: &Rules, ids: &[PieceId]) -> String {
    let names: Vec<&str> = ids.iter().map(|&id| rules[id].name.as_str()).collect();
    format!("{{{}}}", names.join(" "))
}

fn square_set(squares: &[Square]) -> String {
    let squares: Vec<String> = squares.iter().map(Square::to_string).collect();
    format!("{{{}}}", squares.join(" "))
}

fn symmetry(symmetries: Symmetries) -> String {
    let Symmetries { forward, side, rotation } = symmetries;
    if forward && side && rotation {
        return "all_symmetry".to_owned();
    }
    chosen([(forward, "forward"), (side, "side"), (rotation, "rotation")])
}

/// The words that are wanted, as a set.
fn chosen(words: [(bool, &str); 3]) -> String {
    let wanted: Vec<&str> = words.iter().filter(|(is, _)| *is).map(|&(_, word)| word).collect();
    format!("{{{}}}", wanted.join(" "))
}
