//! Shares of several players against the number of discs, as SVG.

use std::fmt::Write as _;

use super::report::{KeptShares, Report};

const HEIGHT: f64 = 420.0;
/// Where the lines are drawn: left, top, right, bottom.
const FRAME: [f64; 4] = [60.0, 30.0, 540.0, 360.0];
/// How wide a letter of a player's name is at most.
const LETTER: f64 = 8.0;
/// How far apart the marks of two players for the same number of discs are.
const APART: f64 = 4.0;

/// Colours that can also be told apart by people who do not see red and green.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#444444"];

/// A plot with a line for each player; bars are 95 % intervals.
pub(crate) fn svg(report: &Report<'_>) -> String {
    let discs: Vec<u32> = report.discs().collect();
    let scale = Scale::new(&discs, report.players());
    let names = report.players().iter().map(|shares| shares.player.chars().count());
    let width = FRAME[2] + 50.0 + LETTER * names.max().unwrap_or_default() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" \
         height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\" \
         aria-label=\"how often players keep what a position is worth\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fcfcfa\"/>\n"
    );
    axes(&mut svg, &scale, &discs);
    for (number, shares) in report.players().iter().enumerate() {
        line(&mut svg, &scale, shares, number, report.players().len());
    }
    svg + "</svg>\n"
}

/// Where numbers of discs and shares lie.
struct Scale {
    first: f64,
    step: f64,
    /// The share at the bottom.
    least: f64,
}

impl Scale {
    fn new(discs: &[u32], players: &[KeptShares]) -> Scale {
        let [left, _, right, _] = FRAME;
        let first = f64::from(discs.first().copied().unwrap_or_default());
        let last = f64::from(discs.last().copied().unwrap_or_default());
        let scores = players.iter().flat_map(|shares| &shares.by_discs);
        let least = scores.map(|(_, score)| score.interval().0).fold(1.0, f64::min);
        Scale {
            first,
            step: (right - left - 40.0) / (last - first).max(1.0),
            least: ((least * 10.0).floor() / 10.0).min(0.9),
        }
    }

    fn x(&self, discs: u32) -> f64 {
        FRAME[0] + 20.0 + (f64::from(discs) - self.first) * self.step
    }

    fn y(&self, share: f64) -> f64 {
        let [_, top, _, bottom] = FRAME;
        bottom - (share - self.least) / (1.0 - self.least) * (bottom - top)
    }
}

fn axes(svg: &mut String, scale: &Scale, discs: &[u32]) {
    let [left, top, right, bottom] = FRAME;
    let tenths = (scale.least * 10.0).round() as u32..=10;
    for share in tenths.map(|tenth| f64::from(tenth) / 10.0) {
        let y = scale.y(share);
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.0} %</text>",
            left - 6.0,
            y + 4.0,
            100.0 * share,
        );
    }
    for &number in discs {
        let (x, y) = (scale.x(number), bottom + 18.0);
        let _ =
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{number}</text>");
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"#444\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">discs on the board</text>\n\
         <text x=\"{left}\" y=\"{:.1}\">positions of connect four in which a player keeps what they are worth</text>",
        (left + right) / 2.0,
        bottom + 38.0,
        top - 12.0,
    );
}

fn line(svg: &mut String, scale: &Scale, shares: &KeptShares, number: usize, players: usize) {
    let colour = COLOURS[number % COLOURS.len()];
    let aside = APART * (number as f64 - (players as f64 - 1.0) / 2.0);
    let (mut path, mut marks) = (String::new(), String::new());
    for (discs, score) in &shares.by_discs {
        let (x, y) = (scale.x(*discs) + aside, scale.y(score.mean()));
        let (low, high) = score.interval();
        let _ = write!(path, "{}{x:.1} {y:.1}", if path.is_empty() { "M" } else { "L" });
        let _ = write!(
            marks,
            "<path d=\"M{x:.1} {:.1}V{:.1}\" stroke-opacity=\".35\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>",
            scale.y(low),
            scale.y(high),
        );
    }
    let (x, y) = (FRAME[2] + 16.0, FRAME[1] + 20.0 * number as f64);
    let _ = writeln!(
        svg,
        "<g stroke=\"{colour}\" stroke-width=\"1.5\"><path d=\"{path}\" fill=\"none\"/>{marks}\
         <path d=\"M{x:.1} {y:.1}h16\" stroke-width=\"3\"/></g>\
         <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        x + 22.0,
        y + 4.0,
        escaped(&shares.player),
    );
}

/// A text as it is written in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
