//! The text form: printing and reading are inverse to each other, errors have their place, and no text is too bad.

mod arbitrary;

use proptest::prelude::*;
use regulus_automaton::{Draft, text};

/// One of every construct.
const EVERYTHING: &str = r#"players white 100, black 100
variables turn 5
pieces e, w, "+p"
registers origin
directions up, down
board square
  a1 w (0, 1) up=a2
  a2 e (0, 0) down=a1
shuffle
  a1
  a2
looks
  piece e: empty, symbol "."
  piece w: owner white, symbol "P", name "white pawn", kind pawn
  player black: name "Black", colour red
  columns "a", "b, c"
  rows "2", "1"
  hand turn: w
  counter turn: "turns left"
  side top: white
  side left: black
  surface lines
tables
  t0 everywhere: a1, a2
  t1 each
    a1: a2
patterns
  k0 n4 -> n5
rules n0
  n0: turn white #0 -> n1 @12..20
  n1: walk t0 -> n2
      walk t1 -> n2
      at {a1, a2} -> n2
      recall origin -> n2
      jump (column(cursor) + 1, row(origin)) -> n2
  n2: on {e, w} -> n3
      on {} -> n3
      check k0 -> n3
      check not k0 -> n3
      compare turn - (1 - count(w)) * 2 <= -3 -> n3
  n3: put "+p" #1 -> n6
      put held origin #2 -> n6
      assign turn = turn + 1 #3 -> n6
      save origin #4 -> n6
      keeper #5 -> n0
  n4: shift up -> n5
  n5:
  n6: skip -> n3
  n7:
endings
  n2: "white's pawn reached the last row"
  n7: "{winner} has more points" drawn "equal points"
  stuck: "{stuck} is checkmated" drawn "stalemate"
repetition 3 over n7: white 50, black 50 ignoring turn
"#;

/// What all tests of single lines have around them.
const FRAME: &str = "\
players white 9
variables x 9, y 9, z 9, count 9
pieces e, w, held
registers r
directions up
board point
  a e (0, 0) up=b
  b w (-1, 0)
";

fn parse(text: &str) -> Draft {
    text.parse().unwrap_or_else(|errors| panic!("{errors}\nin\n{text}"))
}

/// The error messages of a text.
fn errors(text: &str) -> String {
    text::parse(text).expect_err("the text has errors").to_string()
}

/// Whether this edge is printed as it is written.
fn check_edge(edge: &str) {
    let text = format!("{FRAME}rules n0\n  n0: {edge} -> n0\n");
    assert_eq!(parse(&text).to_string(), text);
}

/// The error message of this edge.
fn edge_error(edge: &str) -> String {
    errors(&format!("{FRAME}rules n0\nn0: {edge}"))
}

#[test]
fn every_construct_is_printed_as_it_is_written() {
    let draft = parse(EVERYTHING);
    assert_eq!(draft.to_string(), EVERYTHING);
    let automaton = draft.verify().expect("the example is well-formed");
    assert_eq!(automaton.to_string(), EVERYTHING);
}

#[test]
fn layout_and_order_do_not_matter() {
    let written = "
        rules n1 // the start
        n1: on {w,e}->n0
        n0:
        board point
            a e(0,0)up = b
            b w (-1,0) // no neighbour
        directions up
        pieces e,
            w,
            held
        players white 9
    ";
    let printed = "\
players white 9
pieces e, w, held
directions up
board point
  a e (0, 0) up=b
  b w (-1, 0)
rules n1
  n0:
  n1: on {e, w} -> n0
";
    assert_eq!(parse(written).to_string(), printed);
}

#[test]
fn windows_line_ends_are_white_space() {
    assert_eq!(parse(&EVERYTHING.replace('\n', "\r\n")), parse(EVERYTHING));
}

#[test]
fn expressions_keep_their_structure() {
    for expression in [
        "x - y - z",
        "x - (y - z)",
        "x + (y + z)",
        "(x + y) * z",
        "x + y * z",
        "x * y / z",
        "x * (y / z)",
        "x - -1",
        "-2147483648 - x",
        "count - count(w)",
        "count(held) / ((x + 1) * 2)",
        "column(cursor) * row(r)",
    ] {
        check_edge(&format!("assign x = {expression}"));
        check_edge(&format!("compare {expression} >= {expression}"));
        check_edge(&format!("jump ({expression}, {expression})"));
    }
}

#[test]
fn keywords_are_names_where_names_are_expected() {
    for edge in ["put held", "put held r", "put held #3", "put held r #3", "on {held}"] {
        check_edge(edge);
    }
    let text = "\
players keeper 1
pieces \"board\", \"12\", \"\", \"say \\\"hi\\\" \\\\ \\u{a}\"
directions each, up
board point
  \"tables\" \"board\" (0, 0) each=t0
  t0 \"12\" (1, 0) up=\"tables\"
tables
  t0 each
    t0: \"tables\", t0
    \"tables\": t0
rules n0
  n0: turn keeper -> n0
      at {\"tables\"} -> n0
";
    let reordered = text.replace("    t0: \"tables\", t0\n    \"tables\": t0\n", "");
    assert_eq!(parse(&reordered).to_string(), reordered);
    let draft = parse(text);
    assert_eq!(parse(&draft.to_string()), draft);
}

#[test]
fn what_has_no_name_of_its_own_is_written_by_number() {
    let text = "\
pieces e, e
board point
  a ?1 (0, 0)
  a ?7 (0, 0)
rules n9
  n0: put e -> n0
      put ?1 -> n7
      turn ?0 -> n0
      at {a, ?1, ?2} -> n0
      compare ?3 == count(?1) -> n0
      check k4 -> n0
";
    assert_eq!(parse(text).to_string(), text);
}

#[test]
fn all_errors_are_reported_with_their_places() {
    let text = r#"before
players white, black 10
pieces e, 3, w
board triangle
  a e (0, 0
  ( e (0, 0)
  b q (0, 0)
tables here
  t0 everywhere a
patterns
  k0 n0 n1
rules start
  n0: jump (1) -> n1
      fly -> n1
  n2: on {e w} -> n1
"#;
    assert_eq!(
        errors(text),
        "\
1:1: expected a section such as `players`, found `before`
2:14: expected a number, found `,`
3:11: expected the name of a piece, found `3`
4:7: expected `square`, `hexagon` or `point`, found `triangle`
5:12: expected `)`, found the end of the line
6:3: expected the name of a square, found `(`
7:5: there is no piece `q`
8:8: expected the end of the line, found `here`
9:17: expected `:` and squares, found `a`
11:9: expected `->` and a node, found `n1`
12:7: expected a node such as `n0`, found `start`
13:14: expected `,` and the second coordinate, found `)`
14:7: expected an action, found `fly`
15:3: n1 is not declared
15:13: expected `,` or `}`, found `w`"
    );
}

#[test]
fn errors_know_their_place() {
    let errors = text::parse("board point\nrules n0\n  n0: turn").expect_err("no player");
    let [error] = errors.errors() else { panic!("one error: {errors}") };
    assert_eq!((error.line(), error.column()), (3, 11));
    assert_eq!(error.to_string(), "3:11: expected a player, found the end of the line");
}

#[test]
fn every_kind_of_edge_error_has_its_message() {
    for (edge, message) in [
        ("skip", "expected `->` and a node, found the end of the line"),
        ("skip -> n01", "expected a node such as `n0`, found `n01`"),
        ("skip -> n0 @5", "expected `..` and the end of the origin, found the end of the line"),
        ("skip -> n0 skip", "expected the end of the line, found `skip`"),
        ("skip # -> n0", "expected a number, found `->`"),
        ("skip #-1 -> n0", "expected a number, found `-`"),
        ("skip #4294967296 -> n0", "the number 4294967296 is not between 0 and 4294967295"),
        ("put ?65536 -> n0", "the number 65536 is not between 0 and 65535"),
        ("put \"q\" -> n0", "there is no piece \"q\""),
        ("put \"q -> n0", "the quoted name does not end on its line"),
        (r#"put "\q" -> n0"#, r#"after `\` a quoted name may have `"`, `\` or `u{…}`"#),
        (r#"put "\u{d800}" -> n0"#, r#"after `\` a quoted name may have `"`, `\` or `u{…}`"#),
        ("put % -> n0", "the character '%' means nothing here"),
        ("shift down -> n0", "there is no direction `down`"),
        ("recall q -> n0", "there is no register `q`"),
        ("turn black -> n0", "there is no player `black`"),
        ("check not 4 -> n0", "expected a pattern such as `k0`, found `4`"),
        ("walk k0 -> n0", "expected a table such as `t0`, found `k0`"),
        ("compare x = y -> n0", "expected a relation such as `==`, found `=`"),
        ("compare x < q -> n0", "there is no variable `q`"),
        (
            "compare x + < y -> n0",
            "expected a number, a variable, `count`, `column`, `row` or `(`, found `<`",
        ),
        ("assign x = (x + 1 -> n0", "expected `)` or an operator, found `->`"),
        (
            "assign x = 2147483648 -> n0",
            "the number 2147483648 is not between -2147483648 and 2147483647",
        ),
    ] {
        let found = edge_error(edge);
        let (_, found) = found.split_once(": ").expect("a place and a message");
        assert_eq!(found, message, "for {edge}");
    }
}

#[test]
fn declarations_that_contradict_each_other_are_errors() {
    let text = "\
directions up
pieces e
board point
  a e (0, 0) up=a up=b
  b e (0, 0) ?3=a
  c e (0, 0)
tables
  a: b
  t0 each
    a: b
    a: c
    ?9: c
  t2 each
  t2 everywhere: a
rules n0
  skip -> n0
  n0:
  n0:
pieces e
";
    assert_eq!(
        errors(text),
        "\
4:19: the direction up is declared twice
5:14: there is no direction ?3
8:3: expected a table such as `t0 each`, found `a`
11:5: the row of a is declared twice
12:5: there is no square ?9
14:3: t2 is declared twice
14:3: t1 is not declared
16:3: expected a node such as `n0:`, found `skip`
18:3: n0 is declared twice
19:1: the section `pieces` is declared twice"
    );
    assert_eq!(
        errors(""),
        "1:1: the section `board` is not declared\n1:1: the section `rules` is not declared"
    );
}

#[test]
fn looks_endings_and_repetition_are_read_in_any_order() {
    let written = "
        players ignoring 9, black 9
        variables x 9, y 9
        pieces e, e
        board point
          a e (0, 0)
        repetition 2 over n0: black -1, ignoring 4 ignoring y, ?9
        endings
          stuck: stalemate
          n0: \"over\"
        looks
          rows upper, lower
          piece ?1: kind stone, owner ?7
        rules n0
          n0:
    ";
    let printed = "\
players ignoring 9, black 9
variables x 9, y 9
pieces e, e
board point
  a e (0, 0)
looks
  piece ?1: owner ?7, kind stone
  rows \"upper\", \"lower\"
rules n0
  n0:
endings
  n0: \"over\"
  stuck: \"stalemate\"
repetition 2 over n0: ignoring 4, black -1 ignoring y, ?9
";
    assert_eq!(parse(written).to_string(), printed);
    assert_eq!(parse(printed).to_string(), printed);
}

#[test]
fn errors_in_looks_endings_and_repetition_have_their_messages() {
    let text = "\
players white 9, black 9
pieces e, w
board point
  a e (0, 0)
looks now
  stone e: empty
  piece q: empty
  piece ?7: empty
  piece e: kind stone, kind man
  piece e: empty
  piece w: kind rock
  piece w
  player white: height 3
  player black: name
  player black: colour pink
  columns
  rows \"1\",
  rows \"1\"
rules n0
  n0:
endings here
  n0 \"over\"
  n0: \"over\" drawn
  n0: over
  n0: again
  stuck: \"a\"
  stuck: \"b\"
repetition 3 over n0: white 1, white 2
  white 3
";
    assert_eq!(
        errors(text),
        "\
5:7: expected the end of the line, found `now`
6:3: expected `piece`, `player`, `columns`, `rows`, `hand`, `counter`, `side` or `surface`, found `stone`
7:9: there is no piece `q`
8:9: there is no piece ?7
9:24: the property `kind` is declared twice
10:3: the look of the piece e is declared twice
11:17: expected a kind, found `rock`
12:10: expected `:`, found the end of the line
13:17: expected a property such as `name`, found `height`
14:21: expected a text in quotes, found the end of the line
15:3: the look of the player black is declared twice
16:10: expected a text in quotes, found the end of the line
17:12: expected a text in quotes, found the end of the line
18:3: the list of rows is declared twice
21:9: expected the end of the line, found `here`
22:6: expected `:` and a text in quotes, found \"over\"
23:19: expected a text in quotes, found the end of the line
25:3: the reason of n0 is declared twice
27:3: the reason of `stuck` is declared twice
28:32: the score of white is declared twice
29:3: expected a section such as `players`, found `white`"
    );
    for (rule, message) in [
        ("over n0:", "expected a number, found `over`"),
        ("3 n0:", "expected `over` and a node, found `n0`"),
        ("3 over n0", "expected `:` and scores, found the end of the line"),
        ("3 over n0: red 1", "there is no player `red`"),
        ("3 over n0: ?1 1", "there is no player ?1"),
        ("3 over n0:", "the score of white is not declared"),
        ("3 over n0: white 1 ignoring q", "there is no variable `q`"),
        ("3 over n0: white 1 white 2", "expected the end of the line, found `white`"),
    ] {
        let found = errors(&format!("{FRAME}rules n0\nn0:\nrepetition {rule}"));
        let (_, found) = found.split_once(": ").expect("a place and a message");
        assert_eq!(found, message, "for {rule}");
    }
}

#[test]
fn deep_expressions_are_refused_without_recursion() {
    let deep = "the expression is more than 256 levels deep";
    for nested in [
        format!("assign x = {}x{} -> n0", "(".repeat(100_000), ")".repeat(100_000)),
        format!("assign x = x{} -> n0", " + x".repeat(100_000)),
        format!("assign x = x{}", " + (x".repeat(100_000)),
        format!("assign x = {}", "x * (x + ".repeat(100_000)),
    ] {
        assert!(edge_error(&nested).contains(deep));
    }
    check_edge(&format!("assign x = x{}", " + x".repeat(255)));
    check_edge(&format!("assign x = x{} + x{}", " + (x".repeat(254), ")".repeat(254)));
}

#[test]
fn short_texts_do_not_ask_for_much_memory() {
    let names = |count: usize| (0..count).map(|i| format!("d{i}")).collect::<Vec<_>>().join(", ");
    let squares = |count: usize| (0..count).map(|i| format!("s{i} e (0, 0)\n")).collect::<String>();
    let text =
        format!("pieces e\ndirections {}\nboard point\n{}rules n0", names(9_000), squares(9_000));
    assert_eq!(errors(&text), "1:1: there are more than 16777216 neighbours");
    let tables: String = (0..9_000).map(|i| format!("t{i} each\n")).collect();
    let text = format!("pieces e\nboard point\n{}tables\n{tables}rules n0", squares(9_000));
    assert!(errors(&text).starts_with("10868:1: there are more than 16777216 rows of tables"));
}

proptest! {
    #[test]
    fn reading_is_the_inverse_of_printing(draft in arbitrary::draft()) {
        let text = draft.to_string();
        prop_assert_eq!(text::parse(&text), Ok(draft), "{}", text);
    }

    #[test]
    fn no_text_is_too_bad(text in any::<String>()) {
        let _ = text::parse(&text);
    }

    #[test]
    fn no_text_of_tokens_is_too_bad(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "players", "pieces", "board", "tables", "patterns", "rules", "point", "n0", "n1",
                "t0", "k0", "each", "on", "put", "held", "compare", "count", "jump", "w", "3", ":",
                ",", "->", "{", "}", "(", ")", "#", "@", "..", "?", "-", "=", "==", "\"", "\n",
                "\n", " ", " ", "é", "looks", "piece", "player", "rows", "symbol", "name", "endings",
                "stuck", "drawn", "repetition", "over", "ignoring",
            ]),
            0..60,
        )
    ) {
        if let Ok(draft) = text::parse(&tokens.join(" ")) {
            prop_assert_eq!(text::parse(&draft.to_string()), Ok(draft));
        }
    }

    #[test]
    fn no_damage_is_too_bad(
        (start, end) in (0..EVERYTHING.len(), 0..EVERYTHING.len()),
        insert in "[-a-z0-9 \\n\"{(]{0,3}",
    ) {
        let mut text = EVERYTHING.to_owned();
        text.replace_range(start.min(end)..start.max(end), &insert);
        if let Ok(draft) = text::parse(&text) {
            prop_assert_eq!(text::parse(&draft.to_string()), Ok(draft));
        }
    }
}
