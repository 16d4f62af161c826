//! Curves over the iterations of a run, as pictures in SVG.

use std::fmt::Write as _;

use regulus_automaton::svg::Escaped;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 44.0;

/// The colours and dashes of curves, in their order; dashes tell them apart without colours.
const INKS: [(&str, &str); 3] = [("#2a6f97", ""), ("#bc4b24", "7 4"), ("#4f7a1f", "2 3")];

/// With more points than these, only the line is drawn.
const MOST_DOTS: usize = 80;

/// A picture of curves.
#[derive(Debug)]
pub(crate) struct Plot {
    pub(crate) title: &'static str,
    /// Between which values it is drawn at least.
    pub(crate) range: Option<[f64; 2]>,
    /// What values are multiplied with, and what stands behind them.
    pub(crate) unit: (f64, &'static str),
    pub(crate) curves: Vec<Curve>,
}

/// A line through points.
#[derive(Debug)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) points: Vec<CurvePoint>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurvePoint {
    pub(crate) iteration: u64,
    pub(crate) value: f64,
    /// Between which values the true one lies.
    pub(crate) interval: Option<(f64, f64)>,
}

/// From where to where something is drawn.
#[derive(Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
    /// Where these are in the picture.
    from: f64,
    to: f64,
}

impl Scale {
    fn at(self, value: f64) -> f64 {
        self.from + (self.to - self.from) * (value - self.low) / (self.high - self.low)
    }

    /// Round numbers, at most about `most` of them.
    fn ticks(self, most: f64, least_step: f64) -> (Vec<f64>, usize) {
        let rough = ((self.high - self.low) / most).max(least_step);
        let power = rough.log10().floor();
        let unit = 10f64.powf(power);
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit);
        let step = step.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(10.0 * unit);
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step + 1e-9) as i64);
        let places = (-step.log10().floor()).max(0.0) as usize;
        ((first..=last).map(|number| number as f64 * step).collect(), places)
    }
}

impl Plot {
    /// The picture, which can stand alone and in a page.
    pub(crate) fn svg(&self) -> String {
        let (x, y) = self.scales();
        let title = Escaped(self.title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             role=\"img\" aria-label=\"{title}\" font-family=\"system-ui,sans-serif\" font-size=\"13\" fill=\"#222\">\n\
             <title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
             <text x=\"{LEFT}\" y=\"20\" font-weight=\"bold\">{title}</text>\n"
        );
        self.axes(&mut svg, x, y);
        for (number, curve) in self.curves.iter().enumerate() {
            let ink = INKS[number % INKS.len()];
            let at = LEFT + 210.0 * number as f64;
            let _ = writeln!(
                svg,
                "<line x1=\"{at}\" x2=\"{}\" y1=\"38\" y2=\"38\" {}/><text x=\"{}\" y=\"42\">{}</text>",
                at + 28.0,
                stroke(ink),
                at + 34.0,
                Escaped(&curve.name)
            );
            curve.draw(&mut svg, x, y, ink);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn scales(&self) -> (Scale, Scale) {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let last = points().map(|point| point.iteration).max().unwrap_or(1);
        let values = points().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.value, point.value));
            [low, point.value, high]
        });
        let whole = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = values
            .chain(self.range.into_iter().flatten())
            .fold(whole, |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let margin = match self.range {
            Some(_) => 0.0,
            None => ((high - low) * 0.05).max(high.abs().max(1e-3) * 0.01),
        };
        let x = Scale { low: 0.0, high: last as f64, from: LEFT, to: WIDTH - RIGHT };
        let (low, high) = (low - margin, high + margin);
        (x, Scale { low, high, from: HEIGHT - BOTTOM, to: TOP })
    }

    fn axes(&self, svg: &mut String, x: Scale, y: Scale) {
        let (factor, sign) = self.unit;
        let shown = Scale { low: y.low * factor, high: y.high * factor, ..y };
        let (ticks, places) = shown.ticks(5.0, 0.0);
        for tick in ticks {
            let at = shown.at(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick:.places$}{sign}</text>",
                WIDTH - RIGHT,
                LEFT - 8.0,
                at + 4.0
            );
        }
        let (ticks, _) = x.ticks(12.0, 1.0);
        for tick in ticks {
            let at = x.at(tick);
            let _ = writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{tick:.0}</text>",
                HEIGHT - BOTTOM + 18.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">iteration</text>",
            WIDTH - RIGHT,
            HEIGHT - 8.0
        );
    }
}

impl Curve {
    fn draw(&self, svg: &mut String, x: Scale, y: Scale, ink: (&str, &str)) {
        let mut line = String::new();
        for point in &self.points {
            let _ = write!(line, "{:.1},{:.1} ", x.at(point.iteration as f64), y.at(point.value));
        }
        let _ = writeln!(svg, "<polyline points=\"{}\" {}/>", line.trim_end(), stroke(ink));
        let dots = if self.points.len() > MOST_DOTS { &[] } else { self.points.as_slice() };
        for point in dots {
            let at = x.at(point.iteration as f64);
            if let Some((low, high)) = point.interval {
                let (low, high) = (y.at(low), y.at(high));
                let _ = writeln!(
                    svg,
                    "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{low:.1}\" y2=\"{high:.1}\" stroke=\"{}\" stroke-opacity=\"0.5\"/>",
                    ink.0
                );
            }
            let up = y.at(point.value);
            let _ = writeln!(
                svg,
                "<circle cx=\"{at:.1}\" cy=\"{up:.1}\" r=\"2.5\" fill=\"{}\"/>",
                ink.0
            );
        }
    }
}

fn stroke((colour, dashes): (&str, &str)) -> String {
    let dashes = match dashes {
        "" => String::new(),
        dashes => format!(" stroke-dasharray=\"{dashes}\""),
    };
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_of_anything_are_drawn() {
        let point = |iteration, value| CurvePoint { iteration, value, interval: Some((0.2, 0.9)) };
        let lists = [
            Vec::new(),
            vec![point(1, 0.5)],
            vec![point(1, 0.5), point(2, 0.5)],
            (1..=500).map(|number| point(number, 1.0 / number as f64)).collect(),
        ];
        for points in lists {
            for range in [None, Some([0.0, 1.0])] {
                let curves = vec![Curve { name: "a < b".to_owned(), points: points.clone() }];
                let svg = Plot { title: "t", range, unit: (100.0, " %"), curves }.svg();
                assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"), "{svg}");
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert!(svg.matches("<text").count() < 30, "{svg}");
            }
        }
    }

    #[test]
    fn ticks_are_round_numbers() {
        let ticks = |low, high, least| Scale { low, high, from: 0.0, to: 1.0 }.ticks(5.0, least);
        assert_eq!(ticks(0.0, 100.0, 0.0), (vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0], 0));
        assert_eq!(ticks(0.0, 3.0, 1.0), (vec![0.0, 1.0, 2.0, 3.0], 0));
        let (small, places) = ticks(0.61, 0.69, 0.0);
        assert_eq!((small.len(), places), (4, 2), "{small:?}");
    }
}
