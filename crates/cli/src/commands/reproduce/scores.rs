//! Scores of chess-like games, by how long their descriptions are.

use regulus_describe::{Guide, Verdict};

use super::published::{NLD, SCORED_GAMES, ScoredGame};
use super::side_by_side::{FigureColumn, FigureRow, Origin, SideBySide, Spelling, TablePart};
use crate::args;
use crate::failure::Failure;
use crate::load::Loader;

/// Table 2 of the paper.
pub(super) fn run(loader: &Loader, _: &args::Reproduce) -> Result<SideBySide, Failure> {
    let column = |origin, spelling| FigureColumn { origin, name: "score", spelling };
    let columns = vec![
        column(Origin::Published, Spelling::Plain),
        column(Origin::Here, Spelling::Plain),
        FigureColumn { name: "difference", ..column(Origin::Compared, Spelling::Signed) },
    ];
    let rows = SCORED_GAMES.iter().map(|game| row(loader, game));
    let rows = rows.collect::<Result<Vec<_>, Failure>>()?;
    Ok(SideBySide {
        source: NLD,
        parts: vec![TablePart { title: "NLD score", columns, rows }],
        notes: vec!["docs/descriptions.md says how scores are computed.".to_owned()],
    })
}

fn row(loader: &Loader, game: &ScoredGame) -> Result<FigureRow, Failure> {
    let published = f64::from(game.score);
    let here = match game.bundled {
        Some(name) => score(loader, name)?,
        None => None,
    };
    let figures = vec![Some(published), here, here.map(|here| here - published)];
    Ok(FigureRow { game: game.name, figures, note: game.note.map(str::to_owned) })
}

/// The score of a bundled game; `None` if it cannot be described.
fn score(loader: &Loader, name: &str) -> Result<Option<f64>, Failure> {
    let guide = Guide::new(&loader.read(name)?, &loader.config)?;
    Ok(match guide.verdict {
        Verdict::Score(score) => Some(score),
        Verdict::BeyondMeasure | Verdict::NoScore => None,
    })
}
