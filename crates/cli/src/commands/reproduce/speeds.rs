//! Speeds of perft and of random games.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use regulus_game::Game;

use super::published::{
    POSTER, POSTER_GAMES, POSTER_PROGRAMS, PosterGame, THESIS, THESIS_GAMES, THESIS_PROGRAMS,
    ThesisGame,
};
use super::side_by_side::{FigureColumn, FigureRow, Origin, SideBySide, Spelling, TablePart};
use crate::args;
use crate::commands::speed::{count_trees, play_games};
use crate::failure::Failure;
use crate::load::Loader;
use crate::progress::Progress;

const PERFT: &str = "perft, states/s";
const PLAYOUTS: &str = "random games (flat Monte-Carlo), states/s";

/// Table 1 of the report.
pub(super) fn thesis_perft(loader: &Loader, args: &args::Reproduce) -> Result<SideBySide, Failure> {
    thesis(loader, args, PERFT, |session, names, game| {
        let counted = names.map(|name| session.perft(name, game.depth));
        let [abg, rbg] = counted;
        let (abg, rbg) = (abg?, rbg?);
        let depth = abg.1.min(rbg.1);
        let shallow = || format!("depth {depth}; depth {} takes longer than --seconds", game.depth);
        let note = if depth < game.depth { shallow() } else { format!("depth {depth}") };
        Ok(([abg.0, rbg.0], game.perft, Some(note)))
    })
}

/// Table 2 of the report.
pub(super) fn thesis_playouts(
    loader: &Loader,
    args: &args::Reproduce,
) -> Result<SideBySide, Failure> {
    thesis(loader, args, PLAYOUTS, |session, names, game| {
        let [abg, rbg] = names.map(|name| session.playouts(name));
        Ok(([abg?, rbg?], game.playouts, None))
    })
}

/// What was computed for a game of the report in ABG and in RBG, what was published, and a note.
type ThesisFigures = ([f64; 2], [u32; 4], Option<String>);

/// One of the tables of the report.
fn thesis(
    loader: &Loader,
    args: &args::Reproduce,
    title: &'static str,
    measure: impl Fn(&mut Session<'_>, [&str; 2], &ThesisGame) -> Result<ThesisFigures, Failure>,
) -> Result<SideBySide, Failure> {
    let mut columns: Vec<FigureColumn> = THESIS_PROGRAMS.into_iter().map(published).collect();
    columns.extend(["ABG", "RBG"].map(here));
    columns.extend(["ABG to ABG", "RBG to compiler"].map(compared));
    let mut session = Session::new(loader, args, 2 * THESIS_GAMES.len() as u64);
    let mut rows = Vec::new();
    for game in &THESIS_GAMES {
        let ([abg, rbg], published, note) = measure(&mut session, game.bundled, game)?;
        let published = published.map(f64::from);
        let mut figures: Vec<Option<f64>> = published.into_iter().map(Some).collect();
        figures.extend([abg, rbg, abg / published[0], rbg / published[3]].map(Some));
        rows.push(FigureRow { game: game.name, figures, note });
    }
    let parts = vec![TablePart { title, columns, rows }];
    Ok(SideBySide { source: THESIS, parts, notes: session.notes() })
}

/// Figure 4 of the poster.
pub(super) fn poster(loader: &Loader, args: &args::Reproduce) -> Result<SideBySide, Failure> {
    let bundled = POSTER_GAMES.iter().filter(|game| game.bundled.is_some()).count();
    let mut session = Session::new(loader, args, 2 * bundled as u64);
    let mut perft = Vec::new();
    let mut playouts = Vec::new();
    for game in &POSTER_GAMES {
        let (counted, played) = match game.bundled {
            Some(name) => (Some(session.perft(name, u32::MAX)?.0), Some(session.playouts(name)?)),
            None => (None, None),
        };
        perft.push(poster_row(game, &game.perft, counted));
        playouts.push(poster_row(game, &game.playouts, played));
    }
    let part = |title, programs: usize, rows| {
        let mut columns: Vec<FigureColumn> =
            POSTER_PROGRAMS.into_iter().take(programs).map(published).collect();
        columns.extend([here("RBG"), compared("RBG to compiler")]);
        TablePart { title, columns, rows }
    };
    let parts = vec![part(PERFT, 3, perft), part(PLAYOUTS, 4, playouts)];
    let mut notes = session.notes();
    notes.push(
        "Trees are the deepest that fit into the time; the poster does not say how deep its were."
            .to_owned(),
    );
    Ok(SideBySide { source: POSTER, parts, notes })
}

fn poster_row(game: &PosterGame, published: &[Option<u32>], here: Option<f64>) -> FigureRow {
    let published = published.iter().map(|figure| figure.map(f64::from));
    let mut figures: Vec<Option<f64>> = published.collect();
    let ratio = here.zip(figures[0]).map(|(here, compiler)| here / compiler);
    figures.extend([here, ratio]);
    FigureRow { game: game.name, figures, note: game.note.map(str::to_owned) }
}

fn published(name: &'static str) -> FigureColumn {
    FigureColumn { origin: Origin::Published, name, spelling: Spelling::Grouped }
}

fn here(name: &'static str) -> FigureColumn {
    FigureColumn { origin: Origin::Here, name, spelling: Spelling::Grouped }
}

fn compared(name: &'static str) -> FigureColumn {
    FigureColumn { origin: Origin::Compared, name, spelling: Spelling::Ratio }
}

/// Measurements under way.
struct Session<'a> {
    loader: &'a Loader,
    limit: Duration,
    seconds: f64,
    seed: u64,
    progress: Progress,
    done: u64,
    all: u64,
    /// What has run the games.
    engines: BTreeSet<&'static str>,
}

impl Session<'_> {
    fn new<'a>(loader: &'a Loader, args: &args::Reproduce, all: u64) -> Session<'a> {
        Session {
            loader,
            limit: Duration::from_secs_f64(args.seconds),
            seconds: args.seconds,
            seed: args.seed,
            progress: Progress::new("measuring", loader.json),
            done: 0,
            all,
            engines: BTreeSet::new(),
        }
    }

    /// How many states of a tree are made in a second, and how deep the tree was.
    fn perft(&mut self, name: &str, deepest: u32) -> Result<(f64, u32), Failure> {
        let game = self.ready(name)?;
        let tree = count_trees(&game, self.limit, deepest)?;
        self.advance();
        Ok((tree.speed.per_second(), tree.depth))
    }

    /// How many states of random games are made in a second.
    fn playouts(&mut self, name: &str) -> Result<f64, Failure> {
        let game = self.ready(name)?;
        let (_, speed) = play_games(&game, self.seed, self.limit)?;
        self.advance();
        Ok(speed.per_second())
    }

    /// A bundled game with nothing left to be compiled.
    fn ready(&mut self, name: &str) -> Result<Arc<Game>, Failure> {
        let game = self.loader.load(name)?;
        game.rules().wait();
        self.engines.insert(game.rules().name());
        Ok(game)
    }

    fn advance(&mut self) {
        self.done += 1;
        self.progress.set(self.done, self.all);
    }

    /// How this was measured.
    fn notes(&self) -> Vec<String> {
        let engines: Vec<&str> = self.engines.iter().copied().collect();
        vec![
            format!(
                "Here: the bundled games, engine {}, one thread, about {} s for each figure, in processor time.",
                engines.join(" and "),
                self.seconds
            ),
            "Published figures were measured on other machines, with other texts of the games: only large differences \
             mean something."
                .to_owned(),
        ]
    }
}
