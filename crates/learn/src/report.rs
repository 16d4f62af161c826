//! `report.html` and `plots/`: a run for people to look at. Nothing in them depends on when or where it ran.

use std::fmt::Write as _;
use std::fs;

use regulus_automaton::svg::Escaped;

use crate::config::{Preset, TrainConfig};
use crate::error::TrainError;
use crate::folder::RunFolder;
use crate::metrics::{Iteration, Strength};
use crate::plot::{Curve, CurvePoint, Plot};
use crate::run_config::RunConfig;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #ddd}\
.words td,.words th{text-align:left}svg{max-width:100%;height:auto}.wide{overflow-x:auto}";

/// Writes the report of a run, and its plots.
pub(crate) fn write_report(
    folder: &RunFolder,
    run: &RunConfig,
    iterations: &[Iteration],
) -> Result<(), TrainError> {
    let plots = plots(iterations);
    let place = folder.file("plots");
    fs::create_dir_all(&place).map_err(|error| TrainError::File(place.clone(), error))?;
    for (name, plot) in &plots {
        folder.write_bytes(&place.join(format!("{name}.svg")), plot.as_bytes())?;
    }
    let pictures: String = plots.into_iter().map(|(_, plot)| plot).collect();
    folder.write_bytes(&folder.file("report.html"), page(run, iterations, &pictures).as_bytes())
}

/// The plots with the names of their files.
fn plots(iterations: &[Iteration]) -> Vec<(&'static str, String)> {
    let curve = |name: &str, value: fn(&Iteration) -> f64| {
        let point =
            |it: &Iteration| CurvePoint { iteration: it.number, value: value(it), interval: None };
        Curve { name: name.to_owned(), points: iterations.iter().map(point).collect() }
    };
    let loss = Plot {
        title: "Loss",
        range: None,
        unit: (1.0, ""),
        curves: vec![curve("on the positions learnt from", |it| it.loss)],
    };
    let length = Plot {
        title: "Length of games",
        range: None,
        unit: (1.0, ""),
        curves: vec![curve("moves of a game", |it| it.length)],
    };
    let balance = Plot {
        title: "Points of the first player",
        range: Some([0.0, 1.0]),
        unit: (100.0, " %"),
        curves: vec![curve("in games of the net against itself", |it| it.first)],
    };
    vec![
        ("strength", strength(iterations).svg()),
        ("loss", loss.svg()),
        ("length", length.svg()),
        ("first", balance.svg()),
    ]
}

/// The points against each opponent that is always the same.
fn strength(iterations: &[Iteration]) -> Plot {
    let mut curves: Vec<Curve> = Vec::new();
    for iteration in iterations {
        for strength in &iteration.strength {
            let (value, interval) = (strength.score.mean(), Some(strength.score.interval()));
            let point = CurvePoint { iteration: iteration.number, value, interval };
            let name = format!("against {}", strength.opponent());
            match curves.iter_mut().find(|curve| curve.name == name) {
                Some(curve) => curve.points.push(point),
                None => curves.push(Curve { name, points: vec![point] }),
            }
        }
    }
    Plot { title: "Points of the net", range: Some([0.0, 1.0]), unit: (100.0, " %"), curves }
}

fn page(run: &RunConfig, iterations: &[Iteration], pictures: &str) -> String {
    let title = format!("Training for {}", run.game);
    let title = Escaped(&title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<h1>{title}</h1>\n"
    );
    let positions: u64 = iterations.iter().map(|it| it.positions).sum();
    let games: u64 = iterations.iter().map(|it| it.games).sum();
    let _ = writeln!(
        page,
        "<p>{} iterations, {games} games, {positions} positions. {}</p>",
        iterations.len(),
        best_words(iterations)
    );
    page.push_str(pictures);
    page.push_str(&iteration_table(iterations));
    page.push_str(&setting_table(run));
    page.push_str("</body>\n</html>\n");
    page
}

/// Which net is the best one, and how strong it was measured to be.
fn best_words(iterations: &[Iteration]) -> String {
    let Some(last) = iterations.last() else { return String::new() };
    let best = iterations.iter().find(|it| it.number == last.best);
    let measured: Vec<String> = best.iter().flat_map(|it| &it.strength).map(words).collect();
    let measured = match measured.as_slice() {
        [] => "not measured".to_owned(),
        measured => measured.join("; "),
    };
    format!(
        "The best net, <code>best.safetensors</code>, is that of iteration {}: {measured}.",
        last.best
    )
}

fn words(strength: &Strength) -> String {
    format!(
        "{} of {} games against <code>{}</code>",
        part(strength),
        strength.score.games(),
        Escaped(&strength.against)
    )
}

/// A part of the points with its interval: `55 % (34 to 74)`.
fn part(strength: &Strength) -> String {
    let (low, high) = strength.score.interval();
    format!("{:.0} % ({:.0} to {:.0})", 100.0 * strength.score.mean(), 100.0 * low, 100.0 * high)
}

fn iteration_table(iterations: &[Iteration]) -> String {
    let mut opponents: Vec<&str> = Vec::new();
    for strength in iterations.iter().flat_map(|it| &it.strength) {
        if !opponents.contains(&strength.opponent()) {
            opponents.push(strength.opponent());
        }
    }
    let mut table = "<h2>Iterations</h2>\n<div class=\"wide\"><table>\n<tr><th>iteration</th><th>games</th><th>positions</th>\
                     <th>moves</th><th>first player</th><th>loss</th>"
        .to_owned();
    for opponent in &opponents {
        let _ = write!(table, "<th>against {}</th>", Escaped(opponent));
    }
    if !opponents.is_empty() {
        table.push_str("<th>against the best</th>");
    }
    table.push_str("<th>best</th></tr>\n");
    for it in iterations {
        let _ = write!(
            table,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.1}</td><td>{:.1} %</td><td>{:.4}</td>",
            it.number,
            it.games,
            it.positions,
            it.length,
            100.0 * it.first,
            it.loss
        );
        for opponent in &opponents {
            let found = it.strength.iter().find(|strength| strength.opponent() == *opponent);
            let _ = write!(table, "<td>{}</td>", found.map_or(String::new(), part));
        }
        if !opponents.is_empty() {
            let gate = it.gate.as_ref();
            let gate = gate.map(|gate| format!("{}: {}", Escaped(&gate.against), part(gate)));
            let _ = write!(table, "<td>{}</td>", gate.unwrap_or_default());
        }
        let _ = writeln!(table, "<td>{}</td></tr>", it.best);
    }
    table.push_str("</table></div>\n<p>Intervals hold with 95 % confidence (Wilson).</p>\n");
    table
}

fn setting_table(run: &RunConfig) -> String {
    let mut table = format!(
        "<h2>Settings</h2>\n<p>Game <code>{}</code>, number {:016x}; preset {}, {}; begun by {}.</p>\n<table class=\"words\">\n\
         <tr><th>setting</th><th>value</th><th>meaning</th></tr>\n",
        Escaped(&run.game),
        run.fingerprint,
        run.config.preset,
        net_size(&run.config),
        Escaped(&run.program)
    );
    for setting in run.config.settings() {
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            setting.name,
            Escaped(&setting.value(&run.config)),
            Escaped(setting.about)
        );
    }
    table.push_str("</table>\n");
    table
}

/// How large the net is, in words.
fn net_size(config: &TrainConfig) -> String {
    match config.preset {
        Preset::Fast => format!("{} sums × {} stages", config.sums, config.stages),
        Preset::Thesis | Preset::Small => {
            format!("{} filters × {} blocks", config.filters, config.blocks)
        }
    }
}
