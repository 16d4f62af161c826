//! How players did, as a table and as data.

use std::fmt::Write as _;

use regulus_arena::Score;
use serde_json::{Value, json};

use super::RefereeOptions;
use super::answers::PlayerAnswers;
use super::questions::Question;
use super::solver::Worth;

/// The shares of all players.
pub(crate) struct Report<'a> {
    options: &'a RefereeOptions,
    questions: &'a [Question],
    players: Vec<KeptShares>,
}

/// How often a player kept what positions were worth.
pub(crate) struct KeptShares {
    pub(crate) player: String,
    all: Score,
    won: Score,
    drawn: Score,
    /// By the number of discs, which rises.
    pub(crate) by_discs: Vec<(u32, Score)>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(options: &'a RefereeOptions, questions: &'a [Question]) -> Report<'a> {
        Report { options, questions, players: Vec::new() }
    }

    pub(crate) fn add(&mut self, answers: &PlayerAnswers) {
        let score = |wanted: &dyn Fn(&Question) -> bool| {
            let mut score = Score::default();
            let both = self.questions.iter().zip(&answers.kept);
            let kept = both.filter(|(question, _)| wanted(question)).map(|(_, &kept)| kept);
            kept.for_each(|kept| score.add(f64::from(u8::from(kept))));
            score
        };
        let shares = KeptShares {
            player: answers.player.clone(),
            all: score(&|_| true),
            won: score(&|question| question.worth == Worth::Won),
            drawn: score(&|question| question.worth == Worth::Drawn),
            by_discs: self
                .discs()
                .map(|discs| (discs, score(&|question| question.discs() == discs)))
                .collect(),
        };
        self.players.push(shares);
    }

    /// The numbers of discs that positions have.
    pub(crate) fn discs(&self) -> impl Iterator<Item = u32> {
        let has = |&discs: &u32| self.questions.iter().any(|question| question.discs() == discs);
        self.options.discs.clone().filter(has)
    }

    pub(crate) fn players(&self) -> &[KeptShares] {
        &self.players
    }

    /// The share of a player who chooses any move, expected.
    fn chance(&self) -> f64 {
        let parts = self
            .questions
            .iter()
            .map(|question| question.keeping.len() as f64 / f64::from(question.legal));
        parts.sum::<f64>() / self.questions.len() as f64
    }

    pub(crate) fn text(&self) -> String {
        let width = self.players.iter().map(|shares| shares.player.chars().count()).max();
        let width = width.unwrap_or_default().max("any move".len());
        let discs = &self.options.discs;
        let mut text = format!(
            "{} positions with {} to {} discs, seed {}; {} s a move unless a player says otherwise\n\
             part of the positions in which what they are worth was kept, in percent, with 95 % intervals\n\n",
            self.questions.len(),
            discs.start(),
            discs.end(),
            self.options.seed,
            self.options.seconds,
        );
        let _ = writeln!(text, "{:width$}  {:20}{:20}{:20}", "player", "all", "won", "drawn");
        for shares in &self.players {
            let KeptShares { player, all, won, drawn, .. } = shares;
            let line = [all, won, drawn].map(|score| format!("{:20}", words(score))).concat();
            let _ = writeln!(text, "{player:width$}  {}", line.trim_end());
        }
        let _ = writeln!(text, "{:width$}  {:.1}\n", "any move", 100.0 * self.chance());
        let _ = write!(text, "{:width$}", "discs");
        self.discs().for_each(|discs| text += &format!("{discs:>6}"));
        for shares in &self.players {
            let _ = write!(text, "\n{:width$}", shares.player);
            shares.by_discs.iter().for_each(|(_, score)| {
                text += &format!("{:>6.1}", 100.0 * score.mean());
            });
        }
        text + "\n"
    }

    pub(crate) fn json(&self) -> Value {
        let players = self.players.iter().map(|shares| {
            let by_discs = shares.by_discs.iter().map(|(discs, score)| {
                let mut row = data(score);
                row["discs"] = json!(discs);
                row
            });
            json!({
                "player": shares.player,
                "all": data(&shares.all),
                "won": data(&shares.won),
                "drawn": data(&shares.drawn),
                "by_discs": by_discs.collect::<Vec<_>>(),
            })
        });
        json!({
            "positions": self.questions.len(),
            "discs": [self.options.discs.start(), self.options.discs.end()],
            "seed": self.options.seed,
            "seconds": self.options.seconds,
            "any_move": self.chance(),
            "players": players.collect::<Vec<_>>(),
        })
    }
}

/// A share in percent with its interval, and of how many.
fn words(score: &Score) -> String {
    let (low, high) = score.interval();
    match score.games() {
        0 => "-".to_owned(),
        _ => format!("{:.1} ({:.0} to {:.0})", 100.0 * score.mean(), 100.0 * low, 100.0 * high),
    }
}

fn data(score: &Score) -> Value {
    let (low, high) = score.interval();
    json!({
        "asked": score.games(),
        "kept": score.wins,
        "share": if score.games() > 0 { json!(score.mean()) } else { Value::Null },
        "interval": [low, high],
    })
}
