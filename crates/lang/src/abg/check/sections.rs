//! The sections of a game: players, pieces, the size of the board and the board, each of them once and in order.

use super::Checker;
use super::names::Meaning;
use crate::abg::MAX_SQUARES;
use crate::abg::ast::{Name, Placed};
use crate::abg::game::PieceInfo;
use crate::diagnostics::{Code, Diagnostic, counted};
use crate::source::Span;

impl Checker<'_> {
    /// Remembers that a section is there; returns whether it is the first of its kind.
    fn first(&mut self, section: &'static str, span: Span) -> bool {
        if let Some(before) = self.seen.insert(section, span) {
            let message = format!("`{section}` is there twice");
            let diagnostic = Diagnostic::error(Code::AbgDuplicateName, span, message);
            self.sink.push(diagnostic.also(before, "the first is here"));
            return false;
        }
        true
    }

    /// Returns whether a section came before; reports it once if it did not.
    pub(super) fn needs(&mut self, section: &'static str, what: &str, span: Span) -> bool {
        let there = self.seen.contains_key(section);
        if !there && self.missed.insert(section) {
            let message = format!("`{section}` must come before {what}");
            let help = "the order is: players, pieces, variables, macros, functions, effects, conditions, rules, posts, board_size, board";
            self.error(Code::AbgOrder, span, message, help);
        }
        there
    }

    /// Reports the sections that are not there at the end of the text.
    pub(super) fn missing(&mut self, end: Span) {
        let missing: Vec<String> = ["players", "pieces", "board_size", "board"]
            .iter()
            .filter(|section| {
                !self.seen.contains_key(**section) && !self.missed.contains(**section)
            })
            .map(|section| format!("`{section}`"))
            .collect();
        if !missing.is_empty() {
            let message = format!("the game lacks {}", missing.join(", "));
            self.error(
                Code::AbgMissingSection,
                end,
                message,
                "every game has players, pieces, board_size and board",
            );
        }
    }

    /// Adds the players.
    pub(super) fn players(&mut self, players: &[Name], span: Span) {
        if self.first("players", span) {
            for name in players {
                self.define(name, Meaning::Player(self.game.players.len()));
                self.game.players.push(name.value.clone());
            }
        }
    }

    /// Adds the pieces with their owners.
    pub(super) fn pieces(&mut self, pieces: &[(Name, Vec<Name>)], span: Span) {
        self.needs("players", "the pieces, which name their owners", span);
        if self.first("pieces", span) {
            pieces.iter().for_each(|(name, owners)| self.piece(name, owners));
        }
    }

    /// Adds a piece, which has no rule yet.
    fn piece(&mut self, name: &Name, owners: &[Name]) {
        let number = self.game.pieces.len();
        if number == 255 {
            self.error(Code::AbgTooMany, name.span, "a game has at most 255 pieces", "use fewer");
            return;
        }
        self.define(name, Meaning::Piece(number));
        let owners: Vec<usize> = owners.iter().filter_map(|owner| self.player(owner)).collect();
        if name.value == "empty" {
            self.game.empty = Some(number);
        }
        self.game.pieces.push(PieceInfo { name: name.value.clone(), owners });
        self.game.rules.push(None);
    }

    /// Sets the size of the board, if such a board is possible.
    pub(super) fn board_size(&mut self, width: &Placed<i64>, height: &Placed<i64>, span: Span) {
        if !self.first("board_size", span) {
            return;
        }
        let squares = width.value.saturating_mul(height.value);
        if width.value < 1 || height.value < 1 || squares > MAX_SQUARES {
            let message = format!(
                "a board of {} columns and {} rows is not possible",
                width.value, height.value
            );
            let help = format!("both are at least 1, and there are at most {MAX_SQUARES} squares");
            self.error(Code::AbgBoardSize, width.span.to(height.span), message, &help);
            return;
        }
        self.game.width = u32::try_from(width.value).unwrap_or(0);
        self.game.height = u32::try_from(height.value).unwrap_or(0);
    }

    /// Puts the pieces on the board.
    pub(super) fn board(&mut self, pieces: &[Name], span: Span) {
        let sized = self.needs("board_size", "the board", span);
        self.needs("pieces", "the board, which they stand on", span);
        if !self.first("board", span) {
            return;
        }
        let squares = self.game.width as usize * self.game.height as usize;
        if sized && squares > 0 && pieces.len() != squares {
            let message = format!(
                "the board has {}, {} columns and {} rows make {squares}",
                counted(pieces.len(), "square"),
                self.game.width,
                self.game.height
            );
            let place = pieces.last().map_or(span, |last| last.span);
            let diagnostic = Diagnostic::error(Code::AbgBoardSize, place, message)
                .label("the last square")
                .also(self.seen["board_size"], "the size is given here");
            self.sink.push(diagnostic);
        }
        self.game.board = pieces.iter().filter_map(|name| self.piece_named(name)).collect();
    }
}
