//! `regulus describe`: how a game is played, in plain English.

use regulus_describe::{Guide, PieceGuide, guide, sheet};
use regulus_game::Checked;
use serde_json::{Value, json};

use crate::args::{self, GuideFormat};
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw, write_file};

/// How long the lines of text are.
const WIDTH: usize = 100;

pub(crate) fn run(loader: &Loader, args: &args::Describe) -> Result<(), Failure> {
    let source = loader.read(&args.game)?;
    let Checked::Sbg(game) = loader.checked(&source)? else {
        let name = source.name();
        return Err(Failure::bad_input(format!(
            "{name} cannot be described; only games of Simplified Boardgames (.sbg) can"
        )));
    };
    let mut guide = guide(&game);
    if let Some(letter) = args.piece {
        let wanted = letter.to_ascii_uppercase();
        if guide.pieces.iter().all(|piece| piece.letter != wanted) {
            let letters: Vec<String> = guide.pieces.iter().map(|p| p.letter.to_string()).collect();
            return Err(Failure::bad_input(format!(
                "{} has no piece `{letter}`; the pieces are: {}",
                game.name,
                letters.join(", ")
            )));
        }
        guide.pieces.retain(|piece| piece.letter == wanted);
    }
    let format = format(args)?;
    let text = match format {
        GuideFormat::Text if args.piece.is_some() => piece_text(&guide.pieces[0]),
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
    let mut text = format!("{}, {}\n{}\n", piece.heading(), piece.number(), piece.sentence());
    if let Ok(description) = &piece.description {
        text += &format!("\nscore {}\n", description.score);
        for component in &description.components {
            text += &format!("{:>8}  {}\n", component.score, component.clause());
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
        let description = piece.description.as_ref().ok();
        let components = description.map(|description| {
            let component =
                |c: &regulus_describe::Component| json!({ "clause": c.clause(), "score": c.score });
            description.components.iter().map(component).collect::<Vec<_>>()
        });
        json!({
            "letter": piece.letter.to_string(),
            "name": piece.name,
            "white": piece.counts[0],
            "black": piece.counts[1],
            "sentence": piece.sentence(),
            "score": description.map(|description| description.score),
            "words": description.map(|description| description.words),
            "components": components,
        })
    };
    json!({
        "game": guide.title,
        "setting": guide.setting,
        "position": guide.position,
        "pieces": guide.pieces.iter().map(piece).collect::<Vec<_>>(),
        "winning": guide.winning,
        "drawing": guide.drawing,
        "score": guide.score,
    })
}
