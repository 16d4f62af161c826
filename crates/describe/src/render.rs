//! Guides as text for a terminal, as Markdown, and as a page of HTML with pictures.

use std::fmt::Write;

use crate::guide::{Guide, PieceGuide};

impl Guide {
    /// What is said about the score of the whole game.
    #[must_use]
    pub fn verdict(&self) -> String {
        match self.score {
            Some(score) => format!(
                "Learning this game: {} (chess without its special moves is 168).",
                number(score)
            ),
            None => "Learning this game: beyond measure, since a piece is.".to_owned(),
        }
    }

    /// As text for a terminal, lines of at most this many characters.
    #[must_use]
    pub fn to_text(&self, width: usize) -> String {
        let mut text = format!("{}\n{}\n\n", self.title, "=".repeat(self.title.chars().count()));
        text += &wrapped(&self.setting.join(" "), width, "");
        text.push('\n');
        for row in &self.position {
            let cells: Vec<String> = row.chars().map(String::from).collect();
            text += &format!("    {}\n", cells.join(" "));
        }
        text += "\nPieces\n------\n";
        for piece in &self.pieces {
            text += &format!("{}, {}{}\n", piece.heading(), piece.number(), score(piece));
            text += &wrapped(&piece.sentence(), width, "    ");
        }
        for (heading, sentences) in [("Winning", &self.winning), ("Drawing", &self.drawing)] {
            text += &format!("\n{heading}\n-------\n");
            sentences.iter().for_each(|sentence| text += &wrapped(sentence, width, ""));
        }
        text + "\n" + &wrapped(&self.verdict(), width, "")
    }

    /// As Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n\n```text\n", self.title, self.setting.join(" "));
        for row in &self.position {
            text += &format!("{row}\n");
        }
        text +=
            "```\n\n## Pieces\n\n| piece | number | moves | score |\n| --- | --- | --- | --- |\n";
        for piece in &self.pieces {
            let score =
                piece.description.as_ref().map_or("–".to_owned(), |d| d.score.to_string());
            text += &format!(
                "| {} | {} | {} | {score} |\n",
                piece.heading(),
                piece.number(),
                piece.sentence()
            );
        }
        for (heading, sentences) in [("Winning", &self.winning), ("Drawing", &self.drawing)] {
            text += &format!("\n## {heading}\n\n");
            sentences.iter().for_each(|sentence| text += &format!("- {sentence}\n"));
        }
        text + &format!("\n{}\n", self.verdict())
    }

    /// As a page of HTML that needs nothing else.
    #[must_use]
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n",
            escaped(&self.setting.join(" "))
        );
        html += "<table class=\"board\">\n";
        for row in &self.position {
            html += "<tr>";
            for cell in row.chars() {
                let side = if cell.is_ascii_uppercase() { "white" } else { "black" };
                let cell = if cell == '.' { ' ' } else { cell };
                html += &format!("<td class=\"{side}\">{cell}</td>");
            }
            html += "</tr>\n";
        }
        html += "</table>\n<h2>Pieces</h2>\n";
        for piece in &self.pieces {
            let number = escaped(&format!("{}{}", piece.number(), score(piece)));
            html += "<section>\n";
            html += piece.diagram.as_ref().map_or("", |diagram| &diagram.svg);
            html += &format!(
                "<div><h3>{}</h3><p class=\"number\">{number}</p><p>{}</p></div>\n</section>\n",
                escaped(&piece.heading()),
                escaped(&piece.sentence())
            );
        }
        for (heading, sentences) in [("Winning", &self.winning), ("Drawing", &self.drawing)] {
            html += &format!("<h2>{heading}</h2>\n<ul>\n");
            sentences.iter().for_each(|s| html += &format!("<li>{}</li>\n", escaped(s)));
            html += "</ul>\n";
        }
        html + &format!("<p>{}</p>\n{LEGEND}</body>\n</html>\n", escaped(&self.verdict()))
    }
}

const STYLE: &str = "body{font:17px/1.5 Georgia,serif;max-width:46em;margin:2em auto;padding:0 1em;color:#33363b;background:#fcfcfa}\
h1,h2,h3{font-family:system-ui,sans-serif}section{display:flex;gap:1.2em;align-items:flex-start;margin:1.2em 0}\
section svg{flex:none}h3{margin:0}.number{color:#6f6a5f;margin:.1em 0}\
.board{border-collapse:collapse;margin:1em 0}.board td{width:1.9em;height:1.9em;text-align:center;border:1px solid #b9bbc0;font:bold 1em system-ui,sans-serif}\
.board tr:nth-child(odd) td:nth-child(even),.board tr:nth-child(even) td:nth-child(odd){background:#e3d9c4}\
.board .white{color:#2f6db5}.board .black{color:#b3263a}.legend{color:#6f6a5f;font-size:.85em}";

const LEGEND: &str = "<p class=\"legend\">Pictures: a blue disc is a square to move to or to capture on, a green ring to move to only, \
a red cross to capture on only; a violet frame means own pieces, a triangle that a piece is hopped over. Lines are ways that must be free.</p>\n";

fn score(piece: &PieceGuide) -> String {
    piece.description.as_ref().map_or(String::new(), |d| format!(", score {}", d.score))
}

/// A score as people write it: at most one digit behind the point.
fn number(score: f64) -> String {
    let text = format!("{score:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Text that means itself in HTML and SVG.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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
