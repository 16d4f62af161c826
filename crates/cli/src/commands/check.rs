//! `regulus check`: what is wrong with a description.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use regulus_game::{KeeperCheck, KeeperReport, Lowered};
use regulus_lang::{Severity, render};
use serde_json::{Value, json};

use crate::args;
use crate::failure::{Failure, diagnostic_json};
use crate::load::Loader;
use crate::output::{complain, say};
use crate::progress::Progress;

pub(crate) fn run(loader: &Loader, args: &args::Check) -> Result<(), Failure> {
    let lowered = Lowered::new(loader.read(&args.game)?)?;
    let (diagnostics, source) = (lowered.warnings(), lowered.source());
    let report = args.deep.then(|| deep(loader, &lowered, args)).transpose()?;
    if loader.json {
        let diagnostics: Vec<_> = diagnostics.iter().map(|d| diagnostic_json(d, source)).collect();
        let mut answer = json!({ "ok": true, "diagnostics": diagnostics });
        if let Some(report) = &report {
            answer["keeper"] = report_json(report);
        }
        say!("{answer}");
        return Ok(());
    }
    complain!("{}", render(diagnostics, source, loader.colour_errors));
    let warnings = diagnostics.iter().filter(|d| d.severity == Severity::Warning).count();
    let but = match warnings {
        0 => String::new(),
        1 => ", with 1 warning".to_owned(),
        more => format!(", with {more} warnings"),
    };
    say!("{} is well-formed{but}", source.name());
    if let Some(report) = &report {
        say!("it does not matter what the keeper does first: {}", summary(report));
    }
    Ok(())
}

/// Follows the keeper; a failure if it matters what it does first.
fn deep(loader: &Loader, lowered: &Lowered, args: &args::Check) -> Result<KeeperReport, Failure> {
    let check =
        KeeperCheck { positions: args.positions, seed: args.seed, ..KeeperCheck::default() };
    let mut progress = Progress::new("following the keeper", loader.json);
    let report = lowered.check_keeper(&check, &mut |done, all| {
        progress.set(done, all);
        ControlFlow::Continue(())
    })?;
    drop(progress);
    if report.partings.is_empty() {
        return Ok(report);
    }
    let source = lowered.source();
    let mut findings = lowered.warnings().to_vec();
    findings.extend(report.partings.iter().map(|parting| parting.diagnostic.clone()));
    let places = match report.partings.len() {
        1 => "1 place".to_owned(),
        more => format!("{more} places"),
    };
    let message = format!(
        "in {places} of {} it matters what the keeper does first: {}",
        source.name(),
        summary(&report)
    );
    let failure = Failure::bad_game("keeper-choice", message, findings, source);
    Err(failure.with_details(examples(lowered, &report), "keeper", report_json(&report)))
}

/// How much was looked at.
fn summary(report: &KeeperReport) -> String {
    let counted =
        |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let mut words = format!(
        "followed in {}, after {}, through {}",
        counted(report.positions, "position"),
        counted(report.moves, "move"),
        counted(report.states, "state"),
    );
    if report.cut_short > 0 {
        // Writing to a string cannot fail.
        let _ = write!(
            words,
            "; after {} the keeper had more than {} states, which were not followed to the end",
            counted(report.cut_short, "move"),
            KeeperCheck::default().states,
        );
    }
    words
}

/// For each place a position in which it can be seen.
fn examples(lowered: &Lowered, report: &KeeperReport) -> String {
    let mut text = String::new();
    for parting in &report.partings {
        let place = lowered.source().position(parting.diagnostic.primary.span.start);
        let before = match (&parting.position, &parting.after) {
            (Some(position), Some(after)) => format!("after {after} in {position}"),
            _ => "before the first move".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}:{}, {before}", place.line, place.column);
        for outcome in &parting.outcomes {
            let _ = writeln!(text, "  - {outcome}");
        }
    }
    text
}

fn report_json(report: &KeeperReport) -> Value {
    let partings = report.partings.iter().map(|parting| {
        json!({
            "position": parting.position,
            "move": parting.after,
            "outcomes": parting.outcomes,
        })
    });
    json!({
        "positions": report.positions,
        "moves": report.moves,
        "states": report.states,
        "cut_short": report.cut_short,
        "partings": partings.collect::<Vec<_>>(),
    })
}
