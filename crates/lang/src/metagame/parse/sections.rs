//! The sections before the pieces: goals, board, setup and constraints, and what they share with pieces: descriptions of
//! pieces, names and squares.

use super::{PARTS, Parser, RESERVED};
use crate::diagnostics::{Code, Diagnostic};
use crate::metagame::ast::{Board, Description, Goal, GoalKind, Names, Placed, Setup, Square};
use crate::metagame::game::{Assigner, Inversion, Who};
use crate::metagame::lex::TokenKind;
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn goals(&mut self) -> Vec<Goal> {
        const GOALS: [&str; 3] = ["arrive", "eradicate", "stalemate"];
        let stops = [&GOALS[..], &PARTS[..]].concat();
        let mut goals = Vec::new();
        loop {
            let start = self.cursor.place();
            let kind = if self.take_word("arrive").is_some() {
                let what = self.description();
                what.and_then(|what| {
                    self.expect_word("at", "the squares follow: `AT {(1,8)}`")?;
                    Some(GoalKind::Arrive(what, self.squares()?))
                })
            } else if self.take_word("eradicate").is_some() {
                self.description().map(GoalKind::Eradicate)
            } else if self.take_word("stalemate").is_some() {
                self.who().map(GoalKind::Stalemate)
            } else {
                let at_part = matches!(self.cursor.peek(), Some(TokenKind::Word(word)) if PARTS.contains(&word.as_str()));
                if at_part || self.cursor.peek().is_none() {
                    return goals;
                }
                let help = "a goal begins with `ARRIVE`, `ERADICATE` or `STALEMATE`";
                self.unexpected("`ARRIVE`, `ERADICATE`, `STALEMATE` or `BOARD_SIZE`", help);
                None
            };
            match kind {
                Some(kind) => goals.push(Goal { kind, span: start.to(self.cursor.before()) }),
                None => self.skip_to(&stops),
            }
        }
    }

    pub(super) fn who(&mut self) -> Option<Who> {
        self.expect_one(
            &[("player", Who::Player), ("opponent", Who::Opponent)],
            "a rule speaks of the player whose rule it is, or of the opponent",
        )
    }

    pub(super) fn description(&mut self) -> Option<Description> {
        let help = "pieces are described as `[{opponent} any_piece]` or `[any_player {pawn rook}]`";
        self.expect("[", help)?;
        let owner = if self.take_word("any_player").is_some() {
            None
        } else {
            self.expect("{", help)?;
            let who = self.who()?;
            self.expect("}", help)?;
            Some(who)
        };
        let kinds = self.names(help)?;
        self.expect("]", help)?;
        Some(Description { owner, kinds })
    }

    fn names(&mut self, help: &str) -> Option<Names> {
        if self.take_word("any_piece").is_some() {
            return Some(Names::All);
        }
        self.expect("{", help)?;
        let mut names = vec![self.name("the name of a piece", help)?];
        while self.take("}").is_none() {
            // Commas are a slip that is easily made.
            if self.is(",") {
                self.unexpected("a name or `}`", "names in braces have nothing between them");
                self.cursor.advance();
            }
            names.push(self.name("the name of a piece", help)?);
        }
        Some(Names::These(names))
    }

    fn squares(&mut self) -> Option<Vec<Square>> {
        let help = "squares are written `{(1,1) (2,1)}`, file and rank from 1";
        self.expect("{", help)?;
        let mut squares = Vec::new();
        loop {
            squares.push(self.pair("(", ")", help)?);
            if self.take("}").is_some() {
                return Some(squares);
            }
        }
    }

    pub(super) fn pair(
        &mut self,
        open: &'static str,
        close: &'static str,
        help: &str,
    ) -> Option<Placed<(u32, u32)>> {
        let start = self.expect(open, help)?;
        let x = self.number("a number", help)?;
        self.expect(",", help)?;
        let y = self.number("a number", help)?;
        let end = self.expect(close, help)?;
        Some(Placed { value: (x.value, y.value), span: start.to(end) })
    }

    pub(super) fn board(&mut self) -> Option<Board> {
        let help = "a board is `BOARD_SIZE 8 BY 8 BOARD_TYPE planar PROMOTE_RANK 8`";
        self.expect_word("board_size", help)?;
        let width = self.number("the number of files", help)?;
        self.expect_word("by", help)?;
        let height = self.number("the number of ranks", help)?;
        self.expect_word("board_type", help)?;
        let types = [("planar", false), ("vertical_cylinder", true)];
        let is_cylinder = self.expect_one(&types, help)?;
        let mut inversion = Inversion::Diagonal;
        if self.take_word("inversion").is_some() {
            let kinds = [("diagonal", Inversion::Diagonal), ("forward", Inversion::Forward)];
            inversion = self.expect_one(&kinds, help)?;
        }
        self.expect_word("promote_rank", help)?;
        let promote_rank = self.number("a rank", help)?;
        Some(Board { width, height, is_cylinder, inversion, promote_rank })
    }

    pub(super) fn setup(&mut self) -> Option<Setup> {
        if let Some(start) = self.take_word("decision") {
            let help =
                "pieces are assigned as `DECISION player ASSIGNS {pawn} TO {(1,1)} END DECISION`";
            let assigners = [
                ("player", Assigner::Player),
                ("opponent", Assigner::Opponent),
                ("random", Assigner::Random),
            ];
            let by = self.expect_one(&assigners, help)?;
            self.expect_word("assigns", help)?;
            let pieces = self.names(help)?;
            self.expect_word("to", help)?;
            let squares = self.squares()?;
            self.expect_word("end", help)?;
            let end = self.expect_word("decision", help)?;
            return Some(Setup::Assigned { by, pieces, squares, span: start.to(end) });
        }
        let help = "pieces are set up as `pawn AT {(1,2) (2,2)}`";
        let mut all = Vec::new();
        loop {
            let name = self.name("the name of a piece", help)?;
            self.expect_word("at", help)?;
            all.push((name, self.squares()?));
            let at_part = matches!(self.cursor.peek(), Some(TokenKind::Word(word)) if RESERVED.contains(&word.as_str()));
            if at_part || self.cursor.peek().is_none() {
                return Some(Setup::Fixed(all));
            }
        }
    }

    /// The constraints of the whole game.
    pub(super) fn constraints(&mut self) -> Option<Span> {
        self.cursor.advance();
        let mut must_capture = None;
        loop {
            if self.is_word("must_capture") {
                let first = must_capture.is_none();
                let span = self.cursor.advance();
                self.once(first, "must_capture", span);
                must_capture = Some(span);
            } else if self.is_word("continue_captures") {
                let span = self.cursor.advance();
                let message = "`CONTINUE_CAPTURES` is a constraint of pieces, not of the game";
                let diagnostic = Diagnostic::error(Code::MetagameGlobalContinue, span, message);
                self.sink.push(diagnostic.help("write it into the definitions of the pieces"));
                must_capture = must_capture.or(Some(span));
            } else {
                if must_capture.is_none() {
                    self.unexpected("`MUST_CAPTURE`", "the constraint of a game is `MUST_CAPTURE`");
                }
                return must_capture;
            }
        }
    }

    /// Reports a word that stands twice in a set.
    pub(super) fn once(&mut self, is_first: bool, word: &str, span: Span) {
        if !is_first {
            let message = format!("`{}` occurs twice", word.to_uppercase());
            let diagnostic = Diagnostic::error(Code::MetagameRepeatedWord, span, message);
            self.sink.push(diagnostic.help("write it once"));
        }
    }
}
