//! `regulus describe`: how a game is played, in plain English.

use regulus_describe::{Guide, MAX_SHOWN, PieceCount, PieceGuide, Verdict, sheet};
use regulus_game::{Config, EngineKind, Game, Match, Theme};
use regulus_lang::Source;
use serde_json::{Value, json};

use crate::args::{self, GuideFormat};
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw, write_file};

/// How long the lines of text are.
const WIDTH: usize = 100;

pub(crate) fn run(loader: &Loader, args: &args::Describe) -> Result<(), Failure> {
    let source = loader.read(&args.game)?;
    let mut guide = Guide::new(&source, &loader.config)?;
    if let Some(name) = &args.piece {
        select(&mut guide, name)?;
    }
    let format = format(args)?;
    if format == GuideFormat::Html && guide.picture.is_none() {
        guide.picture = picture(source, loader);
    }
    let text = match format {
        GuideFormat::Text if args.piece.is_some() => {
            guide.pieces.iter().map(piece_text).collect::<Vec<_>>().join("\n")
        }
        GuideFormat::Text => guide.to_text(WIDTH),
        GuideFormat::Markdown => guide.to_markdown(),
        GuideFormat::Html => guide.to_html(),
        GuideFormat::Svg => pictures(&guide),
    };
    match &args.output {
        Some(path) => write_file(path, &text)?,
        None if loader.json => say!("{}", answer(&guide)),
        None => say_raw!("{text}"),
    }
    Ok(())
}

/// The first position of a game; `None` if the game is too large to be drawn or played.
fn picture(source: Source, loader: &Loader) -> Option<String> {
    let config = Config { engine: EngineKind::Plan, ..loader.config.clone() };
    let game = Game::new(source, &config).ok()?;
    let is_small = game.automaton().board.squares.len() <= MAX_SHOWN;
    let play = Match::new(&game).ok().filter(|_| is_small)?;
    Some(play.svg(Theme::Light))
}

/// Keeps only the pieces with this symbol or name.
fn select(guide: &mut Guide, name: &str) -> Result<(), Failure> {
    if !guide.pieces.iter().any(|piece| piece.is_called(name)) {
        let names: Vec<String> = guide.pieces.iter().map(PieceGuide::heading).collect();
        return Err(Failure::bad_input(format!(
            "{} has no piece `{name}`; the pieces are: {}",
            guide.title,
            names.join(", ")
        )));
    }
    guide.pieces.retain(|piece| piece.is_called(name));
    Ok(())
}

fn format(args: &args::Describe) -> Result<GuideFormat, Failure> {
    let extension = args.output.as_ref().and_then(|path| path.extension()?.to_str());
    Ok(match (args.svg, args.format, extension) {
        (true, _, _) => GuideFormat::Svg,
        (_, Some(format), _) => format,
        (_, None, Some("md")) => GuideFormat::Markdown,
        (_, None, Some("html" | "htm")) => GuideFormat::Html,
        (_, None, Some("svg")) => GuideFormat::Svg,
        (_, None, Some("txt") | None) => GuideFormat::Text,
        (_, None, Some(other)) => {
            return Err(Failure::usage(format!(
                "`.{other}` says nothing about the format; use .md, .html, .svg or .txt, or --format"
            )));
        }
    })
}

/// One piece: its sentence, and where the score comes from.
fn piece_text(piece: &PieceGuide) -> String {
    /// The most parts of a score that are listed.
    const MAX_PARTS: usize = 40;
    let mut text = format!("{}, {}\n{}\n", piece.heading(), piece.number(), piece.text());
    if let Some(score) = piece.score {
        text += &format!("\nscore {score}\n");
        for part in piece.parts.iter().take(MAX_PARTS) {
            text += &format!("{:>8}  {}\n", part.score, part.clause);
        }
        if let Some(left @ 1..) = piece.parts.len().checked_sub(MAX_PARTS) {
            text += &format!("          and {left} more\n");
        }
    }
    text
}

fn pictures(guide: &Guide) -> String {
    let drawn = guide.pieces.iter();
    let drawn = drawn.filter_map(|piece| Some((piece.heading(), piece.diagram.clone()?)));
    sheet(&drawn.collect::<Vec<_>>())
}

fn answer(guide: &Guide) -> Value {
    let piece = |piece: &PieceGuide| {
        let parts = piece.parts.iter().map(|p| json!({ "clause": p.clause, "score": p.score }));
        let count = piece.counts.iter().map(|PieceCount { player, count }| {
            (player.clone().unwrap_or_else(|| "nobody".to_owned()), json!(count))
        });
        json!({
            "symbol": piece.symbol,
            "name": piece.name,
            "count": count.collect::<serde_json::Map<_, _>>(),
            "sentence": piece.text(),
            "score": piece.score,
            "words": piece.words,
            "components": parts.collect::<Vec<_>>(),
        })
    };
    let mut answer = json!({
        "game": guide.title,
        "setting": guide.setting,
        "position": guide.picture(false),
        "pieces": guide.pieces.iter().map(piece).collect::<Vec<_>>(),
        "score": match guide.verdict {
            Verdict::Score(score) => Some(score),
            Verdict::BeyondMeasure | Verdict::NoScore => None,
        },
    });
    for section in &guide.sections {
        answer[section.heading.to_lowercase()] = json!(section.sentences);
    }
    answer
}
