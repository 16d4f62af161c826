//! Warnings about players who never get the turn; made when a game has no errors.
//!
//! Where no `->player` gives the turn to a player, the keeper acts without any warning: it takes the first way it finds.

use std::collections::BTreeSet;

use regulus_automaton::{Id, Player};

use crate::diagnostics::{Code, Diagnostic};

use super::ast::Ast;
use super::checked::{Checked, Leaf, Step};
use super::token::ParseContext;

/// Adds a warning for each player to whom no part of the rules that can be reached gives the turn, or one for the rules if
/// that is so for all.
pub(crate) fn report_missing_turns(ast: &Ast, game: &Checked, context: &mut ParseContext) {
    let mut turns = Turns::default();
    turns.reach(&game.rules);
    if turns.reached.is_empty() {
        let (place, message) =
            (ast.rules_place, "the rules give the turn to no player, so the keeper plays alone");
        let diagnostic = Diagnostic::warning(Code::NoTurn, place.span, message)
            .help("write `->player` where that player chooses, and `->>` where the keeper goes on");
        context.report(place, diagnostic);
        return;
    }
    for (number, item) in ast.players.items.iter().enumerate() {
        let player = Player::from_index(number);
        if turns.reached.contains(&player) {
            continue;
        }
        let name = item.word.name.map_or("", |name| ast.names.text(name));
        let message = format!("the rules never give `{name}` the turn");
        let help = if turns.written.contains(&player) {
            format!("`->{name}` is written, but nothing leads there")
        } else {
            format!(
                "write `->{name}` where `{name}` chooses; else the keeper or another player does"
            )
        };
        let place = item.word.place;
        context.report(place, Diagnostic::warning(Code::NoTurn, place.span, message).help(help));
    }
}

/// To whom the rules give the turn.
#[derive(Default)]
struct Turns {
    written: BTreeSet<Player>,
    /// Where something leads, as far as that is seen without playing.
    reached: BTreeSet<Player>,
    /// Whether what is looked at lies behind something that never succeeds.
    is_behind: bool,
}

impl Turns {
    /// Looks at a step; returns whether something can come after it.
    fn reach(&mut self, step: &Step) -> bool {
        match step {
            Step::Sum(parts) => parts.iter().fold(false, |passes, part| self.reach(part) | passes),
            Step::Chain(parts) => {
                let (before, mut passes) = (self.is_behind, true);
                for part in parts {
                    passes &= self.reach(part);
                    self.is_behind = before || !passes;
                }
                self.is_behind = before;
                passes
            }
            Step::Star(body, _) => {
                self.reach(body);
                true
            }
            Step::Power(body, _) => self.reach(body),
            // Switches have no place in it.
            Step::Look { .. } => true,
            Step::Leaf(Leaf::On(pieces), _) => !pieces.is_empty(),
            Step::Leaf(Leaf::Turn(player), _) => {
                self.written.insert(*player);
                if !self.is_behind {
                    self.reached.insert(*player);
                }
                true
            }
            Step::Leaf(..) => true,
        }
    }
}
