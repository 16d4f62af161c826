//! What many games say about many contestants, as a report in Markdown or HTML.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use regulus_automaton::svg::Escaped;

use crate::ratings::{Rating, pairs_of, ratings_of_pairs};
use crate::record::{End, GameRecord};
use crate::score::Score;

/// The results of a tournament so far.
///
/// # Examples
///
/// ```
/// use regulus_arena::Standings;
///
/// let standings = Standings::new(vec!["uct".to_owned(), "random".to_owned()], &[]);
/// assert_eq!(standings.games(), 0);
/// assert!(standings.markdown("Two players").starts_with("# Two players"));
/// ```
#[derive(Clone, Debug)]
pub struct Standings {
    players: Vec<String>,
    ratings: Vec<Rating>,
    scores: Vec<Score>,
    /// The score of one against another.
    crossed: BTreeMap<(usize, usize), Score>,
    /// The score in each game.
    by_game: BTreeMap<String, Vec<Score>>,
    ends: BTreeMap<&'static str, u64>,
    lengths: BTreeMap<String, (u64, u64)>,
    games: u64,
}

/// A table of a report.
struct Table {
    title: &'static str,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Standings {
    /// Adds up records.
    #[must_use]
    pub fn new(players: Vec<String>, records: &[GameRecord]) -> Standings {
        let count = players.len();
        let pairs = pairs_of(records);
        let mut crossed: BTreeMap<(usize, usize), Score> = BTreeMap::new();
        for &(one, other, points) in &pairs {
            crossed.entry((one, other)).or_default().add(points);
            crossed.entry((other, one)).or_default().add(1.0 - points);
        }
        let mut standings = Standings {
            ratings: ratings_of_pairs(count, &pairs),
            scores: vec![Score::default(); count],
            crossed,
            by_game: BTreeMap::new(),
            ends: BTreeMap::new(),
            lengths: BTreeMap::new(),
            games: records.len() as u64,
            players,
        };
        for record in records {
            *standings.ends.entry(record.end.name()).or_default() += 1;
            if record.end == End::Fault {
                continue;
            }
            let in_game = standings.by_game.entry(record.game.clone());
            let in_game = in_game.or_insert_with(|| vec![Score::default(); count]);
            for (seat, &player) in
                record.players.iter().enumerate().filter(|(_, player)| **player < count)
            {
                in_game[player].add(record.points(seat));
                standings.scores[player].add(record.points(seat));
            }
            let length = standings.lengths.entry(record.game.clone()).or_default();
            length.0 += 1;
            length.1 += record.plies.len() as u64;
        }
        standings
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The contestants' numbers, the strongest first.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&one, &other| self.ratings[other].elo.total_cmp(&self.ratings[one].elo));
        order
    }

    /// The name, rating and score of a contestant.
    #[must_use]
    pub fn of(&self, player: usize) -> (&str, Rating, Score) {
        (&self.players[player], self.ratings[player], self.scores[player])
    }

    fn tables(&self) -> Vec<Table> {
        let order = self.order();
        let percent = |score: &Score| match score.games() {
            0 => "–".to_owned(),
            _ => format!("{:.1} %", 100.0 * score.mean()),
        };
        let words =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let mut ratings = Vec::new();
        for (place, &player) in order.iter().enumerate() {
            let (name, rating, score) = self.of(player);
            ratings.push(vec![
                (place + 1).to_string(),
                name.to_owned(),
                format!("{:+.0} ± {:.0}", rating.elo, rating.margin),
                percent(&score),
                format!("{} / {} / {}", score.wins, score.draws, score.losses),
            ]);
        }
        let mut crossed = Vec::new();
        for &one in &order {
            let mut row = vec![self.players[one].clone()];
            row.extend(
                order
                    .iter()
                    .map(|&other| self.crossed.get(&(one, other)).map_or("–".to_owned(), percent)),
            );
            crossed.push(row);
        }
        let mut head = words(&["against"]);
        head.extend(order.iter().map(|&player| self.players[player].clone()));
        let mut by_game = Vec::new();
        for (game, scores) in &self.by_game {
            let (games, plies) = self.lengths.get(game).copied().unwrap_or_default();
            let mut row = vec![game.clone(), games.to_string()];
            row.push(format!("{:.1}", plies as f64 / games.max(1) as f64));
            row.extend(order.iter().map(|&player| percent(&scores[player])));
            by_game.push(row);
        }
        let mut game_head = words(&["game", "games", "moves"]);
        game_head.extend(order.iter().map(|&player| self.players[player].clone()));
        let ends = self.ends.iter().map(|(end, count)| vec![(*end).to_owned(), count.to_string()]);
        let table = |title, head, rows| Table { title, head, rows };
        vec![
            table(
                "Ratings",
                words(&["", "player", "Elo", "points", "won / drawn / lost"]),
                ratings,
            ),
            table("One against another", head, crossed),
            table("By game", game_head, by_game),
            table("How games ended", words(&["end", "games"]), ends.collect()),
        ]
    }

    /// The report in Markdown.
    #[must_use]
    pub fn markdown(&self, title: &str) -> String {
        let mut text = format!("# {title}\n\n{} games.\n", self.games);
        let cell = |cell: &String| cell.replace('|', "\\|");
        for Table { title, head, rows } in self.tables() {
            let _ = write!(text, "\n## {title}\n\n");
            let line = |cells: &[String]| {
                format!("| {} |\n", cells.iter().map(cell).collect::<Vec<_>>().join(" | "))
            };
            text.push_str(&line(&head));
            text.push_str(&format!("|{}\n", " --- |".repeat(head.len())));
            rows.iter().for_each(|row| text.push_str(&line(row)));
        }
        text.push_str("\nElo ratings are those of Bradley and Terry with a mean of 0; intervals hold with 95 % confidence.\n");
        text
    }

    /// The report as a page with a plot of the ratings.
    #[must_use]
    pub fn html(&self, title: &str) -> String {
        let title = Escaped(title);
        let mut text = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
             </head>\n<body>\n<h1>{title}</h1>\n<p>{} games</p>\n{}",
            self.games,
            self.plot()
        );
        for Table { title, head, rows } in self.tables() {
            let _ = write!(text, "<h2>{title}</h2>\n<table>\n<tr>");
            head.iter().for_each(|cell| text.push_str(&format!("<th>{}</th>", Escaped(cell))));
            text.push_str("</tr>\n");
            for row in rows {
                text.push_str("<tr>");
                row.iter().for_each(|cell| text.push_str(&format!("<td>{}</td>", Escaped(cell))));
                text.push_str("</tr>\n");
            }
            text.push_str("</table>\n");
        }
        text.push_str("<p>Elo ratings are those of Bradley and Terry with a mean of 0; intervals hold with 95 % confidence.</p>\n</body>\n</html>\n");
        text
    }

    /// The ratings with their intervals as a picture.
    fn plot(&self) -> String {
        let order = self.order();
        let ends = self
            .ratings
            .iter()
            .flat_map(|rating| [rating.elo - rating.margin, rating.elo + rating.margin]);
        let (low, high) =
            ends.fold((-50f64, 50f64), |(low, high), end| (low.min(end), high.max(end)));
        let (left, width, row) = (260.0, 480.0, 28.0);
        let x = |elo: f64| left + width * (elo - low) / (high - low);
        let height = 40.0 + row * order.len() as f64;
        let mut svg = format!(
            "<svg viewBox=\"0 0 760 {height}\" width=\"760\" role=\"img\" aria-label=\"ratings with intervals\">\n"
        );
        let step = [25.0, 50.0, 100.0, 200.0, 500.0, 1000.0]
            .into_iter()
            .find(|step| (high - low) / step <= 8.0)
            .unwrap_or(2000.0);
        let mut tick = (low / step).ceil() * step;
        while tick <= high {
            let at = x(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"10\" y2=\"{:.0}\" class=\"grid\"/><text x=\"{at:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{tick:.0}</text>",
                height - 24.0,
                height - 8.0
            );
            tick += step;
        }
        for (place, &player) in order.iter().enumerate() {
            let (name, rating, _) = self.of(player);
            let y = 24.0 + row * place as f64;
            let name: String = name.chars().take(36).collect();
            let _ = writeln!(
                svg,
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text><line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y}\" y2=\"{y}\" class=\"bar\"/><circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\"/>",
                left - 12.0,
                y + 4.0,
                Escaped(&name),
                x(rating.elo - rating.margin),
                x(rating.elo + rating.margin),
                x(rating.elo)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #ddd}\
td:nth-child(-n+2),th:nth-child(-n+2){text-align:left}svg{max-width:100%;height:auto}svg text{font-size:13px;fill:#222}\
.grid{stroke:#ddd}.bar{stroke:#2a6f97;stroke-width:3}circle{fill:#2a6f97}";
