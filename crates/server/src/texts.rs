//! What the page asks about texts: what is wrong with them, how their games are played, what their automata look like; and new
//! games from the generator.

use regulus_automaton::{GraphScope, svg, turn_count};
use regulus_describe::{Guide, PieceGuide, Verdict};
use regulus_game::{Config, Lowered, Match};
use regulus_generate::{Config as GeneratorConfig, Properties, generate};
use regulus_lang::{Diagnostic, Language, Severity, Source, format};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::extract::{object, whole_or_none};
use crate::library::{self, GameReference};
use crate::limits;
use crate::refusal::Refusal;
use crate::view;

/// The most findings that are told.
const MOST_FINDINGS: usize = 200;

/// What is to be checked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckRequest {
    text: String,
    #[serde(default)]
    language: Option<String>,
}

/// A text laid out evenly.
pub(crate) fn formatted(request: &CheckRequest) -> Result<Value, Refusal> {
    let source = library::source_of(&request.text, request.language.as_deref())?;
    let language = Language::of(&source).map_err(|finding| Refusal::bad(finding.message))?;
    Ok(json!({ "text": format(source.text(), language) }))
}

/// What is wrong with a text; if nothing is, its board and first position.
pub(crate) fn check(request: &CheckRequest) -> Result<Value, Refusal> {
    let source = library::source_of(&request.text, request.language.as_deref())?;
    let language = library::language_name(&source);
    let lowered = match Lowered::new(source.clone()) {
        Ok(lowered) => lowered,
        Err(error) => {
            let found = findings(error.diagnostics(), &source);
            let message = error.to_string();
            return Ok(json!({
                "ok": false, "language": language, "diagnostics": found, "message": message,
            }));
        }
    };
    let mut answer = json!({
        "ok": true, "language": language, "diagnostics": findings(lowered.warnings(), &source),
    });
    let squares = lowered.automaton().board.squares.len();
    if squares > limits::SQUARES {
        let most = limits::SQUARES;
        let message = format!("the board has {squares} squares; at most {most} can be shown here");
        answer["message"] = json!(message);
        return Ok(answer);
    }
    let config = library::quick_config();
    let game = lowered.optimised(&config)?.ready(&config);
    answer["board"] = view::board(&game);
    match Match::new(&game) {
        Ok(play) => answer["position"] = view::position(&play),
        Err(error) => {
            answer["ok"] = json!(false);
            answer["message"] = json!(error.to_string());
            answer["diagnostics"] = json!(findings(error.diagnostics(), &source));
        }
    }
    Ok(answer)
}

fn findings(found: &[Diagnostic], source: &Source) -> Vec<Value> {
    found.iter().take(MOST_FINDINGS).map(|finding| finding_json(finding, source)).collect()
}

fn finding_json(finding: &Diagnostic, source: &Source) -> Value {
    let span = finding.primary.span;
    let (start, end) = (source.position(span.start), source.position(span.end));
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning | Severity::Note => "warning",
    };
    let (from, to) = (utf16(source, span.start), utf16(source, span.end));
    // A name that macros have put together cannot be mended at one place.
    let is_plain = |c: char| c.is_alphanumeric() || c == '_';
    let fix = finding.replacement.as_ref().filter(|_| source.slice(span).chars().all(is_plain));
    json!({
        "id": finding.code.id(),
        "severity": severity,
        "message": finding.message,
        "label": finding.primary.text,
        "help": finding.help,
        "start": from, "end": to,
        "line": start.line, "column": start.column,
        "end_line": end.line, "end_column": end.column,
        "fix": fix.map(|text| json!({ "start": from, "end": to, "text": text })),
    })
}

/// A place in a text as JavaScript counts it.
fn utf16(source: &Source, offset: u32) -> usize {
    let before = source.text().get(..offset as usize).unwrap_or_else(|| source.text());
    before.encode_utf16().count()
}

/// How a game is played.
pub(crate) fn guide(reference: &GameReference) -> Result<Value, Refusal> {
    let guide = Guide::new(&reference.source()?, &library::quick_config())?;
    let piece = |piece: &PieceGuide| {
        json!({
            "heading": piece.heading(),
            "number": piece.number(),
            "text": piece.text(),
            "score": piece.score,
            "diagram": piece.diagram.as_ref().map(|diagram| &diagram.svg),
        })
    };
    let score = match guide.verdict {
        Verdict::Score(score) => Some(score),
        Verdict::BeyondMeasure | Verdict::NoScore => None,
    };
    let sections = guide.sections.iter();
    let sections = sections.map(|s| json!({ "heading": s.heading, "sentences": s.sentences }));
    Ok(json!({
        "title": guide.title,
        "setting": guide.setting,
        "pieces": guide.pieces.iter().map(piece).collect::<Vec<_>>(),
        "sections": sections.collect::<Vec<_>>(),
        "score": score,
    }))
}

/// What is to be drawn of an automaton.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AutomatonRequest {
    #[serde(deserialize_with = "object")]
    game: GameReference,
    #[serde(default, deserialize_with = "whole_or_none")]
    turn: Option<usize>,
}

/// The automaton of a game as a picture, or one turn of it.
pub(crate) fn automaton(request: &AutomatonRequest) -> Result<Value, Refusal> {
    let source = request.game.source()?;
    let title = source.name().to_owned();
    let lowered = Lowered::new(source)?.optimised(&Config::default())?;
    let scope = match request.turn {
        None => GraphScope::Folded,
        Some(turn) => {
            let turns = turn_count(lowered.automaton());
            if !(1..=turns).contains(&turn) {
                return Err(Refusal::bad(format!(
                    "there is no turn {turn}; the game has turns 1 to {turns}"
                )));
            }
            GraphScope::Turn(turn)
        }
    };
    Ok(json!({ "svg": svg::to_svg(&title, lowered.automaton(), scope) }))
}

/// What is to be generated.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GenerateRequest {
    #[serde(default, deserialize_with = "whole_or_none")]
    seed: Option<u64>,
    #[serde(default, deserialize_with = "object")]
    properties: PropertiesRequest,
}

/// Properties of a game to be generated, each from 0 to 1.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PropertiesRequest {
    rule_complexity: Option<f64>,
    decision_complexity: Option<f64>,
    search_complexity: Option<f64>,
    locality: Option<f64>,
    board_size: Option<f64>,
}

/// A new METAGAME game.
pub(crate) fn invent(request: &GenerateRequest) -> Result<Value, Refusal> {
    let wanted = &request.properties;
    let properties = Properties {
        rule_complexity: wanted.rule_complexity,
        decision_complexity: wanted.decision_complexity,
        search_complexity: wanted.search_complexity,
        locality: wanted.locality,
        board_size: wanted.board_size,
    };
    let mut config = GeneratorConfig::default();
    config.apply(&properties).map_err(|error| Refusal::bad(error.to_string()))?;
    limits::check_seed(request.seed)?;
    let seed = request.seed.unwrap_or_else(|| rand::random::<u64>() & limits::LARGEST_SEED);
    let game = generate(seed, &config);
    Ok(json!({ "text": game.text, "name": game.name, "seed": game.seed }))
}

/// What the generator can be told.
pub(crate) fn properties() -> Value {
    let properties = [
        ("rule_complexity", "how long the rules of pieces and goals are"),
        ("decision_complexity", "how much players decide instead of the rules"),
        ("search_complexity", "how many moves a position has"),
        ("locality", "how much pieces act on their surroundings only"),
        ("board_size", "how large the board is"),
    ];
    let properties = properties.map(|(name, about)| json!({ "name": name, "about": about }));
    json!({ "properties": properties })
}
