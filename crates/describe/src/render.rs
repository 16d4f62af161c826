//! Guides as text for a terminal, as Markdown, and as a page of HTML with pictures.

use std::fmt::Write;

use regulus_automaton::svg::Escaped;

use crate::guide::{Cell, Guide, GuideSection, PieceGuide, Verdict};

impl Guide {
    /// What is said about the score of the whole game; `None` where there are no scores.
    #[must_use]
    pub fn verdict(&self) -> Option<String> {
        match self.verdict {
            Verdict::Score(score) => Some(format!(
                "Learning this game: {} (chess without its special moves is 168).",
                number(score)
            )),
            Verdict::BeyondMeasure => {
                Some("Learning this game: beyond measure, since a piece is.".to_owned())
            }
            Verdict::NoScore => None,
        }
    }

    /// The initial position in lines of text: a dot for each empty square, and between squares a space if asked for or if
    /// symbols are of different lengths.
    #[must_use]
    pub fn picture(&self, with_spaces: bool) -> Vec<String> {
        if !self.drawing.is_empty() {
            return self.drawing.clone();
        }
        let length = |cell: &Cell| cell.symbol.chars().count();
        let width = self.position.iter().flatten().flatten().map(length).max().unwrap_or(1);
        let cell = |cell: &Option<Cell>| {
            let symbol = cell.as_ref().map_or(".", |cell| cell.symbol.as_str());
            format!("{symbol:width$}")
        };
        let between = if with_spaces || width > 1 { " " } else { "" };
        let row = |row: &Vec<_>| {
            let cells: Vec<String> = row.iter().map(cell).collect();
            cells.join(between).trim_end().to_owned()
        };
        self.position.iter().map(row).collect()
    }

    /// As text for a terminal, lines of at most this many characters.
    #[must_use]
    pub fn to_text(&self, width: usize) -> String {
        let mut text = format!("{}\n{}\n\n", self.title, "=".repeat(self.title.chars().count()));
        text += &wrapped(&self.setting.join(" "), width, "");
        text.push('\n');
        for row in self.picture(true) {
            text += format!("    {row}").trim_end();
            text.push('\n');
        }
        text += "\nPieces\n------\n";
        for piece in &self.pieces {
            text += &format!("{}, {}{}\n", piece.heading(), piece.number(), score(piece));
            if !piece.sentences.is_empty() {
                text += &wrapped(&piece.text(), width, "    ");
            }
        }
        for section in &self.sections {
            let heading = section.heading;
            text += &format!("\n{heading}\n{}\n", "-".repeat(heading.len()));
            section.sentences.iter().for_each(|sentence| text += &wrapped(sentence, width, ""));
        }
        if let Some(verdict) = self.verdict() {
            text += &format!("\n{}", wrapped(&verdict, width, ""));
        }
        text
    }

    /// As Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n\n```text\n", self.title, self.setting.join(" "));
        for row in self.picture(false) {
            text += &format!("{row}\n");
        }
        text +=
            "```\n\n## Pieces\n\n| piece | number | moves | score |\n| --- | --- | --- | --- |\n";
        for piece in &self.pieces {
            let score = piece.score.map_or("–".to_owned(), |score| score.to_string());
            text += &format!(
                "| {} | {} | {} | {score} |\n",
                piece.heading(),
                piece.number(),
                piece.text()
            );
        }
        for GuideSection { heading, sentences } in &self.sections {
            text += &format!("\n## {heading}\n\n");
            sentences.iter().for_each(|sentence| text += &format!("- {sentence}\n"));
        }
        if let Some(verdict) = self.verdict() {
            text += &format!("\n{verdict}\n");
        }
        text
    }

    /// As a page of HTML that needs nothing else.
    #[must_use]
    pub fn to_html(&self) -> String {
        let title = Escaped(&self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n",
            Escaped(&self.setting.join(" "))
        );
        html += &self.html_position();
        html += "<h2>Pieces</h2>\n";
        for piece in &self.pieces {
            let number = Escaped(&format!("{}{}", piece.number(), score(piece)));
            html += "<section>\n";
            html += piece.diagram.as_ref().map_or("", |diagram| &diagram.svg);
            html += &format!(
                "<div><h3>{}</h3><p class=\"number\">{number}</p><p>{}</p></div>\n</section>\n",
                Escaped(&piece.heading()),
                Escaped(&piece.text())
            );
        }
        for GuideSection { heading, sentences } in &self.sections {
            html += &format!("<h2>{heading}</h2>\n<ul>\n");
            sentences.iter().for_each(|s| html += &format!("<li>{}</li>\n", Escaped(s)));
            html += "</ul>\n";
        }
        if let Some(verdict) = self.verdict() {
            html += &format!("<p>{}</p>\n", Escaped(&verdict));
        }
        if self.pieces.iter().any(|piece| piece.diagram.is_some()) {
            html += LEGEND;
        }
        html + "</body>\n</html>\n"
    }

    /// The initial position for a page: the picture, or a table or lines of text.
    fn html_position(&self) -> String {
        if let Some(picture) = &self.picture {
            return format!("<figure>\n{picture}</figure>\n");
        }
        if self.position.is_empty() {
            // Each line by itself: the ends of lines are control characters.
            let lines = self.drawing.iter().map(|line| Escaped(line).to_string());
            let drawing = lines.collect::<Vec<_>>().join("\n");
            return if drawing.is_empty() {
                String::new()
            } else {
                format!("<pre>{drawing}</pre>\n")
            };
        }
        let mut html = "<table class=\"board\">\n".to_owned();
        for row in &self.position {
            html += "<tr>";
            for cell in row {
                html += &match cell {
                    None => "<td></td>".to_owned(),
                    Some(Cell { symbol, owner }) => {
                        let owner = owner.map_or("nobody".to_owned(), |owner| format!("p{owner}"));
                        format!("<td class=\"{owner}\">{}</td>", Escaped(symbol))
                    }
                };
            }
            html += "</tr>\n";
        }
        html + "</table>\n"
    }
}

const STYLE: &str = "body{font:17px/1.5 Georgia,serif;max-width:46em;margin:2em auto;padding:0 1em;color:#33363b;background:#fcfcfa}\
h1,h2,h3{font-family:system-ui,sans-serif}section{display:flex;gap:1.2em;align-items:flex-start;margin:1.2em 0}\
section svg{flex:none}figure{margin:1em 0}figure svg{max-width:100%;height:auto}h3{margin:0}.number{color:#6f6a5f;margin:.1em 0}\
.board{border-collapse:collapse;margin:1em 0}.board td{width:1.9em;height:1.9em;text-align:center;border:1px solid #b9bbc0;font:bold 1em system-ui,sans-serif}\
.board tr:nth-child(odd) td:nth-child(even),.board tr:nth-child(even) td:nth-child(odd){background:#e3d9c4}\
.board .p0{color:#2f6db5}.board .p1{color:#b3263a}.board .p2{color:#348046}.board .p3{color:#7a4fb0}.legend{color:#6f6a5f;font-size:.85em}";

const LEGEND: &str = "<p class=\"legend\">Pictures: a blue disc is a square to move to or to capture on, a green ring to move to only, \
a red cross to capture on only; a violet frame means own pieces, a triangle that a piece is hopped over, a red diamond that a piece is taken from a square where the move does not end. Lines are ways that must be free.</p>\n";

fn score(piece: &PieceGuide) -> String {
    piece.score.map_or(String::new(), |score| format!(", score {score}"))
}

/// A score as people write it: at most one digit behind the point.
fn number(score: f64) -> String {
    let text = format!("{score:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Words in lines of at most a width, each behind an indent.
fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let length = indent.len() + line.chars().count() + 1 + word.chars().count();
        if !line.is_empty() && length > width {
            let _ = writeln!(lines, "{indent}{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(lines, "{indent}{line}");
    lines
}
