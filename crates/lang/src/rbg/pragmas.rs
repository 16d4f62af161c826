//! Pragma comments of RBG: what a text states about its pieces, players and ends.

use crate::pragma::{self, Subject};

use super::checked::Checked;
use super::token::ParseContext;

/// Changes a game as the pragma comments of its text say.
pub(crate) fn apply(game: &mut Checked, context: &mut ParseContext) {
    let (columns, rows) = pragma::lines(&game.board);
    let subject = Subject {
        players: game.players.values().map(|player| player.name.as_str()).collect(),
        bounds: game.players.values().map(|player| player.bound).collect(),
        pieces: game.pieces.values().map(String::as_str).collect(),
        variables: game.variables.values().map(|variable| variable.name.as_str()).collect(),
        columns,
        rows,
        bare_reasons: false,
    };
    let stated = pragma::read(&context.comments, &subject, &mut game.looks, &mut context.sink);
    game.stuck = stated.stuck;
    game.history = stated.history;
    let mut comments = std::collections::BTreeMap::new();
    for (span, reason) in stated.ends {
        let after = context.switches.partition_point(|&start| start < span.end);
        let Some(&switch) = context.switches.get(after) else {
            context.sink.push(pragma::without_end(span, "switch"));
            continue;
        };
        if let Some(&first) = comments.get(&switch) {
            context.sink.push(pragma::second_reason(span, first, "switch"));
            continue;
        }
        comments.insert(switch, span);
        game.ends.insert(switch, reason);
    }
}
