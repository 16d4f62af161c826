//! Random boards of every kind, small enough for whole game trees.

use crate::choices::Choices;

/// The labels of a board, and its text.
pub(super) fn board(choices: &mut Choices<'_>, pieces: &[String]) -> (Vec<String>, String) {
    match choices.weighted(&[8, 8, 4, 2, 1]) {
        0 => rectangle(choices, pieces),
        1 => graph(choices, pieces),
        2 => hexagon(choices, pieces),
        3 => cuboid(choices, pieces),
        _ => large_rectangle(choices, pieces),
    }
}

/// A board of two to eight words of squares; lines are alike, so that bytes are left for the rules.
pub(super) fn large_board(choices: &mut Choices<'_>, pieces: &[String]) -> (Vec<String>, String) {
    if choices.one_in(4) {
        let side = *choices.pick(&[6, 8, 10, 13]);
        let cells: Vec<String> = (0..2 * side).map(|_| piece(choices, pieces)).collect();
        let lengths = (side..2 * side).chain((side..2 * side - 1).rev());
        let lines: Vec<String> =
            lengths.map(|length| format!("[{}]", cells[..length].join(", "))).collect();
        return generated("hexagon", &["nw", "ne", "east", "se", "sw", "west"], &lines);
    }
    let sizes = [(9, 8), (13, 10), (12, 11), (16, 16), (20, 14), (19, 19), (21, 20), (22, 23)];
    let (columns, rows) = *choices.pick(&sizes);
    let count = choices.between(1, 3);
    let different = lines(choices, pieces, &vec![columns; count]);
    let lines: Vec<String> = different.iter().cycle().take(rows).cloned().collect();
    generated("rectangle", &["up", "down", "left", "right"], &lines)
}

fn rectangle(choices: &mut Choices<'_>, pieces: &[String]) -> (Vec<String>, String) {
    let (columns, rows) = *choices.pick(&[(3, 1), (2, 2), (4, 1), (3, 2), (1, 1), (3, 3), (1, 3)]);
    let lines = lines(choices, pieces, &vec![columns; rows]);
    generated("rectangle", &["up", "down", "left", "right"], &lines)
}

/// More squares than fit a word, two words, four words; all lines are the same.
fn large_rectangle(choices: &mut Choices<'_>, pieces: &[String]) -> (Vec<String>, String) {
    let (columns, rows) = *choices.pick(&[(9, 8), (12, 11), (20, 14)]);
    let line = lines(choices, pieces, &[columns]).concat();
    generated("rectangle", &["up", "down", "left", "right"], &vec![line; rows])
}

fn hexagon(choices: &mut Choices<'_>, pieces: &[String]) -> (Vec<String>, String) {
    let shapes: [&[usize]; 5] = [&[2, 3], &[1, 2, 1], &[2, 1], &[2], &[2, 3, 2]];
    let lengths = *choices.pick(&shapes);
    let lines = lines(choices, pieces, lengths);
    generated("hexagon", &["nw", "ne", "east", "se", "sw", "west"], &lines)
}

fn cuboid(choices: &mut Choices<'_>, pieces: &[String]) -> (Vec<String>, String) {
    let (columns, rows, layers) = *choices.pick(&[(2, 1, 2), (1, 1, 3), (2, 2, 2)]);
    let lines = lines(choices, pieces, &vec![columns; rows * layers]);
    let layers: Vec<String> = lines.chunks(rows).map(|l| format!("[{}]", l.join(" "))).collect();
    generated("cuboid", &["up", "down", "left", "right", "next", "previous"], &layers)
}

fn generated(generator: &str, labels: &[&str], lines: &[String]) -> (Vec<String>, String) {
    let text = format!("{generator}({}, {})", labels.join(", "), lines.join(" "));
    (labels.iter().map(|label| (*label).to_owned()).collect(), text)
}

/// Lines of these lengths; the very first cell is never a hole, so there is always a square.
fn lines(choices: &mut Choices<'_>, pieces: &[String], lengths: &[usize]) -> Vec<String> {
    let mut first = true;
    let mut cell = |length: usize| {
        // A line of one hole cannot be written.
        let hole = choices.one_in(10) && !first && length > 1;
        first = false;
        if hole { String::new() } else { piece(choices, pieces) }
    };
    let lines = lengths.iter().map(|&length| {
        let cells: Vec<String> = (0..length).map(|_| cell(length)).collect();
        format!("[{}]", cells.join(", "))
    });
    lines.collect()
}

/// A piece, sometimes glued together by a macro.
fn piece(choices: &mut Choices<'_>, pieces: &[String]) -> String {
    let number = choices.below(pieces.len());
    if choices.one_in(8) { format!("piece({number})") } else { pieces[number].clone() }
}

/// Squares one by one: loops, sinks, islands, and several squares that lead to one.
fn graph(choices: &mut Choices<'_>, pieces: &[String]) -> (Vec<String>, String) {
    // The names of squares may be those of anything else.
    let prefix = *choices.pick(&["v", "p", "x"]);
    let squares = choices.between(1, 6);
    let labels = ["a", "b", "c"].map(str::to_owned);
    let labels = &labels[..choices.between(1, 3)];
    let mut used = vec![false; labels.len()];
    let mut vertices = Vec::new();
    for number in 0..squares {
        let mut edges = Vec::new();
        for (label, used) in labels.iter().zip(&mut used) {
            if !choices.one_in(4) {
                edges.push(format!("{label}: {prefix}{}", choices.below(squares)));
                *used = true;
            }
        }
        let piece = piece(choices, pieces);
        vertices.push(format!("{prefix}{number} [{piece}] {{{}}}", edges.join(", ")));
    }
    // A label that no square has is not declared.
    let labels = labels.iter().zip(used).filter(|(_, used)| *used).map(|(l, _)| l.clone());
    (labels.collect(), vertices.join(" "))
}
