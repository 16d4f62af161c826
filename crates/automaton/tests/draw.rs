//! Drawings: well-formed for every draft, complete for small ones, limited for large ones.

mod arbitrary;

use proptest::prelude::*;
use regulus_automaton::{Draft, GraphScope, dot, svg, turn_count};

/// Two players, a pattern, a loop, a way back, parallel edges, and an unreachable node.
const GAME: &str = r#"
players white 1, black 1
pieces e, w, "<&\">"
directions up, down
board point
    a e (0, 0)
patterns
    k0 n4 -> n5
rules n0
    n0: turn white #0 -> n1
    n1: shift up -> n2
        shift down -> n2
        on {e, w} -> n1
        check not k0 -> n3
    n2: put "<&\">" #1 -> n3
    n3: keeper #2 -> n0
        turn black #3 -> n1
    n4: check k0 -> n5
    n5:
    n6: skip -> n9
"#;

fn parse(text: &str) -> Draft {
    text.parse().unwrap_or_else(|errors| panic!("{errors}"))
}

fn to_dot(draft: &Draft) -> String {
    dot::to_dot(draft, GraphScope::Folded)
}

fn to_svg(draft: &Draft) -> String {
    svg::to_svg("a game", draft, GraphScope::Folded)
}

#[test]
fn dot_shows_everything() {
    let expected = r##"digraph automaton {
  graph [rankdir=LR, bgcolor="#ffffff", fontcolor="#33363b", fontname="DejaVu Sans Mono, monospace", fontsize=11];
  node [shape=circle, style=filled, width=0.4, margin=0.03, fontname="DejaVu Sans Mono, monospace", fontsize=11];
  edge [arrowsize=0.7, fontname="DejaVu Sans Mono, monospace", fontsize=11];
  label="on x: the current square holds x\nput x: puts x on the current square\nε: goes on\nif k: the pattern k leads to its end in some way\nunless k: it does not\nk0: if k0\n"; labelloc=b; labeljust=l;
  start_0 [shape=point, width=0.08, color="#33363b"];
  start_0 -> n0 [color="#33363b"];
  n0 [color="#5c4f38", fillcolor="#ebe5d6", peripheries=1];
  n1 [color="#c0721a", fillcolor="#fde6c8", peripheries=1];
  n2 [color="#6b7079", fillcolor="#ffffff", peripheries=1];
  n3 [color="#6b7079", fillcolor="#ffffff", peripheries=1];
  subgraph cluster_1 {
    label="pattern k0"; color="#b9bbc0"; style=rounded;
    start_1 [shape=point, width=0.08, color="#33363b"];
    start_1 -> n4 [color="#33363b"];
    n4 [color="#6b7079", fillcolor="#ffffff", peripheries=1];
    n5 [color="#6b7079", fillcolor="#ffffff", peripheries=2];
  }
  subgraph cluster_2 {
    label="unreachable"; color="#b9bbc0"; style=rounded;
    n6 [color="#6b7079", fillcolor="#ffffff", peripheries=1];
  }
  n0 -> n1 [label="→ white", color="#2f6db5", fontcolor="#2f6db5", penwidth=1.6];
  n1 -> n2 [label="up\ndown", color="#0e7a6e", fontcolor="#0e7a6e"];
  n1 -> n1 [label="on e or w", color="#6b7079", fontcolor="#6b7079"];
  n1 -> n3 [label="unless k0", color="#6b7079", fontcolor="#6b7079"];
  n2 -> n3 [label="put \"<&\\\">\"", color="#b3263a", fontcolor="#b3263a"];
  n3 -> n0 [label="→ keeper", color="#5c4f38", fontcolor="#5c4f38", penwidth=1.6];
  n3 -> n1 [label="→ black", color="#c0721a", fontcolor="#c0721a", penwidth=1.6];
  n4 -> n5 [label="if k0", color="#6b7079", fontcolor="#6b7079"];
  n6 -> n9 [label="ε", color="#6b7079", fontcolor="#6b7079"];
}
"##;
    assert_eq!(to_dot(&parse(GAME)), expected);
}

#[test]
fn svg_shows_everything() {
    let svg = to_svg(&parse(GAME));
    let elements = elements(&svg);
    let texts: Vec<&str> = elements.iter().map(|element| element.text.as_str()).collect();
    for node in ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n9"] {
        assert_eq!(texts.iter().filter(|text| **text == node).count(), 1, "{node}");
    }
    for text in [
        "a game: 7 nodes, 10 edges",
        "black to move",
        "ends the move; next: white",
        "the keeper acts: the rules go on by themselves",
        "a condition",
        "goes to another square, which is then the current one",
        "changes the board, a score or a variable",
        "rules",
        "pattern k0",
        "unreachable",
        "→ white",
        "up",
        "down",
        "on e or w",
        "unless k0",
        r#"put "<&\">""#,
        "→ keeper",
        "→ black",
        "if k0",
        "a node that is drawn elsewhere",
    ] {
        assert!(texts.contains(&text), "{text}");
    }
    assert!(!svg.contains("are drawn"));
}

#[test]
fn actions_have_short_labels() {
    let members: Vec<String> = (0..9).map(|number| format!("p{number}")).collect();
    let squares: String = (0..9).map(|x| format!("s{x} p0 ({x}, 0)\n")).collect();
    let all = members.join(", ");
    let dot = to_dot(&parse(&format!(
        "players white 1\nvariables turn 1\npieces {all}\nregisters r\ndirections up\nboard point\n{squares}
        rules n0
            n0: on {{p0, p1, p2, p3, p4}} -> n1
            n1: at {{s0, s1}} -> n2
            n2: compare turn + 1 < 2 -> n3
            n3: walk t0 -> n4
            n4: recall r -> n5
            n5: jump (column(r), 0) -> n6
            n6: put held r #0 -> n7
            n7: assign turn = turn * 2 #1 -> n8
            n8: save r #2 -> n9
            n9: put ?77 #3 -> n10
            n10: compare turn + turn + turn + turn + turn + turn + turn == 0 -> n0"
    )));
    let labels: Vec<&str> = dot
        .lines()
        .filter_map(|line| line.split_once("[label=\"")?.1.split_once("\","))
        .map(|(label, _)| label)
        .collect();
    assert_eq!(
        labels,
        [
            "on p0, p1, p2, p3 or p4",
            "at s0 or s1",
            "turn + 1 < 2",
            "walk t0",
            "to r",
            "to (column(r), 0)",
            "put the piece on r",
            "set turn to turn * 2",
            "save as r",
            "put ?77",
            "turn + turn + turn + turn + turn + turn + t…",
        ]
    );
}

/// A game whose automaton has more nodes than are drawn whole: two turns, one of them long, and a pattern.
fn large_game() -> Draft {
    let steps: String = (2..80).map(|n| format!("n{n}: shift up -> n{}\n", n + 1)).collect();
    parse(&format!(
        "players white 1, black 1\nvariables count 9\npieces e, w\ndirections up\nboard point\na e (0, 0)\n\
         patterns\nk0 n83 -> n84\nrules n0\n\
         n0: turn white #0 -> n1\n\
         n1: put w #1 -> n2\n{steps}\
         n80: check k0 -> n81\n\
         n81: assign count = count + 1 #2 -> n82\n\
         n82: keeper #3 -> n0\nkeeper #4 -> n85\n\
         n83: on {{w}} -> n84\nn84:\nn85:\n\
         endings\nn85: \"{{winner}} is there\""
    ))
}

fn texts(svg: &str) -> Vec<String> {
    elements(svg).into_iter().map(|element| element.text).filter(|text| !text.is_empty()).collect()
}

#[test]
fn large_automata_are_folded_by_turn() {
    let draft = large_game();
    assert_eq!(turn_count(&draft), 3);
    let folded = texts(&to_svg(&draft));
    for text in [
        "a game: 86 nodes, 85 edges, folded into 3 turns",
        "1: the keeper acts",
        "2: white moves",
        "82 nodes, 83 edges",
        "puts w",
        "changes count",
        "3: the game is over",
        "the winner is there",
        "a turn of white",
        "a turn of the keeper: the rules go on by themselves",
    ] {
        assert!(folded.iter().any(|found| found == text), "{text} in {folded:?}");
    }
    assert!(!folded.iter().any(|text| text == "n5" || text.contains("black")));
    assert_eq!(to_dot(&draft).matches("shape=box").count(), 3);
}

#[test]
fn turns_are_drawn_alone_and_together() {
    let draft = large_game();
    let turn = texts(&svg::to_svg("a game", &draft, GraphScope::Turn(2)));
    for text in [
        "a game: turn 2 of 3: 84 nodes, 84 edges",
        "turn 2: white moves",
        "pattern k0",
        "add 1 to count",
        "n0 (turn 1)",
        "n85 (turn 3)",
        "k0",
        "on w",
    ] {
        assert!(turn.iter().any(|found| found == text), "{text} in {turn:?}");
    }
    assert!(!turn.iter().any(|text| text == "the winner is there"));
    let all = texts(&svg::to_svg("a game", &draft, GraphScope::Unfolded));
    for text in ["turn 1: the keeper acts", "turn 2: white moves", "turn 3: the keeper acts", "n5"]
    {
        assert!(all.iter().any(|found| found == text), "{text}");
    }
}

#[test]
fn what_is_shortened_is_whole_in_a_tooltip() {
    let squares: String = (0..9).map(|x| format!("s{x} e ({x}, 0)\n")).collect();
    let svg = to_svg(&parse(&format!(
        "players a 1\npieces e\nboard point\n{squares}rules n0\nn0: at {{s0, s1, s2, s3, s4}} -> n1\nn1:"
    )));
    let texts = texts(&svg);
    assert!(texts.contains(&"at 5 squares: s0, s1, s2, …".to_owned()), "{texts:?}");
    assert!(texts.contains(&"at 5 squares: s0, s1, s2, s3, s4".to_owned()), "{texts:?}");
}

#[test]
fn legends_hold_only_what_occurs() {
    let svg = to_svg(&parse(
        "players a 1\npieces e\nboard point\nq e (0, 0)\nrules n0\nn0: on {e} -> n1\nn1:",
    ));
    for text in ["a condition", "the game is over", "the current square holds x"] {
        assert!(svg.contains(text), "{text}");
    }
    for text in
        ["to move", "goes to another", "changes the", "puts x", "goes on<", "pattern", "elsewhere"]
    {
        assert!(!svg.contains(text), "{text}");
    }
}

#[test]
fn many_edges_between_two_nodes_are_counted() {
    let edges = "skip -> n0\n".repeat(30);
    let game = format!("players a 1\npieces e\nboard point\na e (0, 0)\nrules n0\nn0: {edges}");
    let svg = to_svg(&parse(&game));
    assert_eq!(svg.matches(">ε</tspan>").count(), 7);
    assert!(svg.contains(">… 23 more<"));
}

#[test]
fn large_automata_are_drawn_in_part() {
    let head = "players a 1\npieces e\nboard point\na e (0, 0)\nrules n0\n";
    let chain = |count: usize| -> String {
        (0..count).map(|n| format!("n{n}: skip -> n{}\nskip -> n0\n", n + 1)).collect()
    };
    let svg = to_svg(&parse(&format!("{head}{}n7000:", chain(7_000))));
    assert!(svg.contains(">Only 5000 of 7001 nodes are drawn.<"));
    elements(&svg);

    let dense: String = (0..200)
        .map(|n| (0..200).map(|m| format!("skip -> n{m}\n")).fold(format!("n{n}: "), |a, b| a + &b))
        .collect();
    let svg = to_svg(&parse(&format!("{head}{dense}")));
    assert!(svg.contains(">Only 12000 of 40000 arrows are drawn.<"));
    elements(&svg);
}

#[test]
fn arrows_that_are_too_long_become_stubs() {
    let head = "players a 1\npieces e\nboard point\na e (0, 0)\nrules n0\n";
    let chain: String =
        (0..900).map(|n| format!("n{n}: skip -> n{}\nskip -> n0\n", n + 1)).collect();
    let svg = to_svg(&parse(&format!("{head}{chain}n900:")));
    elements(&svg);
    // One more stands in the legend.
    let stubs = svg.matches("stroke-dasharray").count() - 1;
    assert!((1..899).contains(&stubs), "{stubs}");
    assert_eq!(svg.matches(">n0</text>").count(), stubs + 1);
}

/// An element of a picture and the text directly inside it.
struct Element {
    text: String,
}

/// Reads the part of XML that pictures use; panics where it is not well-formed.
fn elements(xml: &str) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut rest = xml;
    while let Some((text, tag)) = rest.split_once('<') {
        match open.last() {
            Some(&(_, index)) => elements[index].text.push_str(&unescaped(text)),
            None => assert!(text.trim().is_empty(), "text outside: {text:?}"),
        }
        let (tag, after) = tag.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().expect("a tag is open").0, name);
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()), "{name:?}");
        check_attributes(attributes);
        elements.push(Element { text: String::new() });
        if !empty {
            open.push((name, elements.len() - 1));
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "everything is closed");
    elements
}

fn check_attributes(attributes: &str) {
    let mut rest = attributes.trim_start();
    let mut names = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").expect("an attribute has a value");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{name:?}");
        assert!(!names.contains(&name), "{name} is given twice");
        names.push(name);
        let (value, after) = after.split_once('"').expect("a value ends");
        assert!(!value.contains("NaN") && !value.contains("inf"), "{value} is not finite");
        rest = after.trim_start();
    }
}

fn unescaped(text: &str) -> String {
    let allowed = |c: char| matches!(c, '\n' | ' '..='\u{fffd}' | '\u{10000}'..) && c != '\u{7f}';
    assert!(text.chars().all(allowed), "{text:?}");
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    let names = entities.iter().fold(text.to_owned(), |text, (name, _)| text.replace(name, ""));
    assert!(!names.contains('&'), "{text:?}");
    entities.iter().fold(text.to_owned(), |text, (name, sign)| text.replace(name, sign))
}

/// Makes sure that quotes and brackets of a graph are balanced, and that nothing but spacing is between statements.
fn check_dot(dot: &str) {
    let mut open = Vec::new();
    let mut characters = dot.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => loop {
                match characters.next().expect("a string ends") {
                    '"' => break,
                    '\\' => assert!(matches!(characters.next(), Some('"' | '\\' | 'n'))),
                    character => assert!(!character.is_control(), "{character:?} in a string"),
                }
            },
            '{' | '[' => open.push(character),
            '}' => assert_eq!(open.pop(), Some('{')),
            ']' => assert_eq!(open.pop(), Some('[')),
            _ => assert!(character.is_ascii_graphic() || " \n".contains(character)),
        }
    }
    assert!(open.is_empty());
}

proptest! {
    #[test]
    fn every_draft_has_a_well_formed_picture(draft in arbitrary::draft()) {
        for scope in [GraphScope::Folded, GraphScope::Unfolded, GraphScope::Turn(1), GraphScope::Turn(9)] {
            elements(&svg::to_svg("a <game>", &draft, scope));
        }
    }

    #[test]
    fn every_draft_has_a_well_formed_graph(draft in arbitrary::draft()) {
        for scope in [GraphScope::Folded, GraphScope::Unfolded, GraphScope::Turn(1)] {
            check_dot(&dot::to_dot(&draft, scope));
        }
    }
}
