//! Pragma comments of ABG, and what people are told about pieces whose owners the text declares.
//!
//! A comment that begins with `#!` and with none of the words of other pragma comments says why a game ends by the
//! declaration of a victory, a draw or an outcome that comes right after it; several such lines are one text.

use regulus_automaton::{Id, Looks, Piece, PieceLook, Player, Reason};

use super::game::{Condition, Game};
use super::lex::Token;
use crate::diagnostics::Sink;
use crate::looks;
use crate::pragma::{self, Comments, Subject};

/// The greatest score.
const MAX_SCORE: i32 = 100;

/// Fills in the looks and the reasons of a game.
pub(super) fn apply(game: &mut Game, tokens: &[Token], comments: &Comments, sink: &mut Sink) {
    game.looks = looks(game);
    if comments.all.is_empty() {
        return;
    }
    let mut looks = std::mem::take(&mut game.looks);
    let players: Vec<&str> = game.players.iter().map(String::as_str).collect();
    let further = game.variables.iter().map(|(name, _)| name.as_str());
    let subject = Subject {
        bounds: vec![MAX_SCORE; players.len()],
        pieces: game.pieces.iter().map(|piece| piece.name.as_str()).collect(),
        variables: players.iter().copied().chain(further).collect(),
        players,
        columns: game.width as usize,
        rows: game.height as usize,
        bare_reasons: true,
    };
    let stated = pragma::read(comments, &subject, &mut looks, sink);
    game.looks = looks;
    game.stuck = stated.stuck;
    game.history = stated.history;
    for (span, reason) in stated.ends {
        let next = tokens.partition_point(|token| token.span.start < span.end);
        let next = tokens.get(next).map(|token| token.span.start);
        let starts = |condition: &&mut Condition| Some(condition.origin.start) == next;
        match game.conditions.iter_mut().find(starts) {
            Some(condition) => add(&mut condition.reason, reason),
            None => sink.push(pragma::without_end(span, "`victory`, `draw` or `outcome`")),
        }
    }
}

/// Adds the words of a further line.
fn add(reason: &mut Option<Reason>, more: Reason) {
    let Some(reason) = reason else {
        *reason = Some(more);
        return;
    };
    let last = reason.drawn.as_mut().unwrap_or(&mut reason.text);
    last.push(' ');
    last.push_str(&more.text);
    if reason.drawn.is_none() {
        reason.drawn = more.drawn;
    }
}

/// What names and declared owners tell.
fn looks(game: &Game) -> Looks {
    let players = || game.players.iter().map(String::as_str);
    let mut looks = looks::guess(players(), game.pieces.iter().map(|piece| piece.name.as_str()));
    for (piece, info) in game.pieces.iter().enumerate() {
        let look = &mut looks.pieces[Piece::from_index(piece)];
        if look.is_empty && !info.owners.is_empty() && game.empty != Some(piece) {
            *look = PieceLook::plain(&info.name);
        }
        let owner = match info.owners.as_slice() {
            [owner] if !look.is_empty => Some(Player::from_index(*owner)),
            _ => None,
        };
        if let (Some(owner), None) = (owner, look.owner) {
            look.name = format!("{} {}", game.players[owner.index()], look.name);
        }
        look.owner = owner;
    }
    looks
}
