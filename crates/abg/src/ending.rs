//! How games end: conditions of the text, terminal conditions of the registry, and what comes of a player without a move.

use regulus_lang::abg::Outcome;

use crate::fault::{Fault, TryBudget};
use crate::rules::{AbgRules, Evaluation};
use crate::state::State;
use crate::view::View;

/// The score of each player in a draw.
const DRAW: i64 = 50;
/// What winners share.
const WIN: i64 = 100;

/// The scores when the move that the current player has just made ends the game.
pub(crate) fn after_move(rules: &AbgRules, state: &State) -> Result<Option<Vec<i64>>, Fault> {
    decided(rules, state, false)
}

/// The scores when the current player has no legal move.
pub(crate) fn stuck(rules: &AbgRules, state: &State) -> Result<Vec<i64>, Fault> {
    let assigned = rules.scoring || state.scores.iter().any(|score| *score != 0);
    Ok(decided(rules, state, true)?.unwrap_or_else(|| {
        if assigned { state.scores.clone() } else { vec![DRAW; state.scores.len()] }
    }))
}

fn decided(rules: &AbgRules, state: &State, stuck: bool) -> Result<Option<Vec<i64>>, Fault> {
    let budget = TryBudget::new(rules.limits);
    let evaluation = Evaluation { rules, state, stuck, budget: &budget };
    let scores = by_text(&evaluation);
    budget.check()?;
    let view = View { rules, state, this: None, from: None, stuck };
    Ok(scores.or_else(|| {
        rules.registry.terminals.iter().find_map(|(_, terminal)| terminal(&view)).map(
            |mut scores| {
                scores.resize(rules.game.players.len(), 0);
                scores
            },
        )
    }))
}

/// Conditions are asked in the order of the text. Victories are collected; anything else decides if no player has won
/// before.
fn by_text(evaluation: &Evaluation<'_>) -> Option<Vec<i64>> {
    let Evaluation { rules, stuck, .. } = *evaluation;
    let nothing = || vec![0; rules.game.players.len()];
    let mut winners = Vec::new();
    for (condition, code) in rules.game.conditions.iter().zip(&rules.conditions) {
        if (stuck && !condition.when.mentions_stuck()) || !evaluation.holds(code) {
            continue;
        }
        match &condition.outcome {
            Outcome::Victory(player) => {
                if !winners.contains(player) {
                    winners.push(*player);
                }
            }
            _ if !winners.is_empty() => {}
            Outcome::Draw => return Some(vec![DRAW; rules.game.players.len()]),
            Outcome::Scores(given) => {
                let mut scores = nothing();
                given.iter().for_each(|(player, score)| scores[*player] = *score);
                return Some(scores);
            }
        }
    }
    let share = WIN / i64::try_from(winners.len()).unwrap_or(1).max(1);
    (!winners.is_empty()).then(|| {
        let mut scores = nothing();
        winners.iter().for_each(|player| scores[*player] = share);
        scores
    })
}
