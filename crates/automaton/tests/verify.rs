//! The verifier: every invariant violated by a small draft, and what is said about it.

mod arbitrary;

use proptest::prelude::*;
use regulus_automaton::verify::{self, Region, Regions};
use regulus_automaton::{
    Draft, IdVec, Node, Pattern, PieceLook, Player, PlayerLook, Square, WalkTable,
};

/// Declarations without fault, to which tests add rules.
const FRAME: &str = "\
players white 9, black 9
variables x 9
pieces e, w
registers r
directions up
board square
  a e (0, 0) up=b
  b w (0, 1)
";

fn parse(text: &str) -> Draft {
    text.parse().unwrap_or_else(|errors| panic!("{errors}\nin\n{text}"))
}

fn frame() -> Draft {
    parse(&format!("{FRAME}rules n0\nn0:"))
}

/// Verifies a draft and compares the messages.
#[track_caller]
fn check_draft(draft: Draft, messages: &[&str]) {
    let found = match draft.verify() {
        Ok(_) => Vec::new(),
        Err(violations) => violations.messages().to_vec(),
    };
    assert_eq!(found, messages);
}

/// The same for a text.
#[track_caller]
fn check(text: &str, messages: &[&str]) {
    check_draft(parse(text), messages);
}

/// The same for what comes after the frame: tables, patterns and rules.
#[track_caller]
fn check_rules(rules: &str, messages: &[&str]) {
    check(&format!("{FRAME}{rules}"), messages);
}

#[test]
fn a_good_draft_passes() {
    check_rules(
        "
        tables
            t0 everywhere: a, b
            t1 each
                a: b
        patterns
            k0 n4 -> n5
            k1 n6 -> n5
        rules n0
            n0: turn black #0 -> n1
            n1: walk t0 -> n2
                walk t1 -> n2
            n2: put w #1 -> n3
                put w #1 -> n3
                check k0 -> n2
            n3: keeper #2 -> n0
            n4: put w -> n5
            n5:
            n6: on {w} -> n6
        ",
        &[],
    );
}

#[test]
fn sizes_are_limited() {
    check(
        "board square\nrules n0\nn0:",
        &[
            "0 players; 1 to 254 are allowed",
            "0 pieces; 1 to 255 are allowed",
            "0 squares; 1 to 65535 are allowed",
        ],
    );
    let names = |count: usize| (0..count).map(|number| format!("p{number}"));
    let mut draft = frame();
    draft.pieces = names(256).collect();
    draft.looks.pieces = names(256).map(|name| PieceLook::plain(&name)).collect();
    check_draft(draft, &["256 pieces; 1 to 255 are allowed"]);
    let players = names(255).map(|name| format!("{name} 1")).collect::<Vec<_>>().join(", ");
    check(
        &format!("players {players}\npieces e\nboard point\na e (0, 0)\nrules n0\nn0:"),
        &["255 players; 1 to 254 are allowed"],
    );
    let squares: String = (0..65_536).map(|x| format!("s{x} e ({x}, 0)\n")).collect();
    check(
        &format!("players p 1\npieces e\nboard point\n{squares}rules n0\nn0:"),
        &["65536 squares; 1 to 65535 are allowed"],
    );
}

#[test]
fn bounds_are_not_negative() {
    check(
        "players white -1\nvariables x 0, y -2\npieces e\nboard point\na e (0, 0)\nrules n0\nn0:",
        &["variable0 `white` has the bound -1", "variable2 `y` has the bound -2"],
    );
}

#[test]
fn names_are_plain() {
    for name in ["", "a b", "a,b", "{", "}", "(", ")", "a=b", "say\"", "#1", "@1", "\u{7f}"] {
        assert!(!verify::is_name(name), "{name:?}");
    }
    for name in ["a", "a-b", "12", "+p", "b#", "né", "board"] {
        assert!(verify::is_name(name), "{name:?}");
    }
    check(
        r##"players white 9
        variables "#x" 9
        pieces e, ""
        registers "a b"
        directions "u,p"
        board point
            "(a" e (0, 0)
        rules n0
            n0:"##,
        &[
            r#"the piece name "" cannot be written in the text form"#,
            r##"the variable name "#x" cannot be written in the text form"##,
            r#"the register name "a b" cannot be written in the text form"#,
            r#"the direction name "u,p" cannot be written in the text form"#,
            r#"the square name "(a" cannot be written in the text form"#,
            r#""" is not a valid symbol for piece1"#,
            r#""" is not a valid name for piece1"#,
        ],
    );
}

#[test]
fn names_are_unique_within_their_kind() {
    check(
        "players white 9
        variables white 9
        pieces e, w, e
        registers cursor
        directions up, up
        board point
            a e (0, 0)
            a e (1, 0)
        rules n0
            n0:",
        &[
            "the piece name `e` is used twice",
            "the variable name `white` is used twice",
            "the register name `cursor` is used twice",
            "the direction name `up` is used twice",
            "the square name `a` is used twice",
        ],
    );
    check(
        "players e 9\npieces e\nregisters e\ndirections e\nboard point\ne e (0, 0)\nrules n0\nn0:",
        &[],
    );
}

#[test]
fn the_first_variables_are_the_scores() {
    let mut draft = frame();
    draft.variables = draft.variables.values().skip(1).cloned().collect();
    check_draft(
        draft,
        &[
            "player0 `white` has no score variable of its name",
            "player1 `black` has no score variable of its name",
        ],
    );
}

#[test]
fn the_first_register_is_the_cursor() {
    let mut draft = frame();
    draft.registers = IdVec::new();
    check_draft(draft, &["the first register is not `cursor`"]);
    let mut draft = frame();
    draft.registers = vec!["r".to_owned(), "cursor".to_owned()].into();
    check_draft(draft, &["the first register is not `cursor`"]);
}

#[test]
fn the_board_is_closed() {
    check(
        "players white 9
        pieces e
        directions up
        board square
            a ?1 (0, 0)
            b e (0, 0)
            c e (1, 0) up=?3
        rules n0
            n0:",
        &[
            "square0 `a` holds piece1, which does not exist",
            "square1 `b` lies on another square",
            "square2 `c` has a neighbour that does not exist",
        ],
    );
    let mut draft = frame();
    draft.board.squares[Square(1)].neighbours = IdVec::new();
    check_draft(draft, &["square1 `b` has 0 directions"]);
}

#[test]
fn table_rows_ascend_within_the_board() {
    check_rules(
        "
        tables
            t0 everywhere: b, a
            t1 everywhere: a, a
            t2 everywhere: a, ?2
            t3 each
                b: b, a
            t4 everywhere:
        rules n0
            n0:
        ",
        &[
            "a row of t0 does not ascend or leaves the board",
            "a row of t1 does not ascend or leaves the board",
            "a row of t2 does not ascend or leaves the board",
            "a row of t3 does not ascend or leaves the board",
        ],
    );
    let mut draft = frame();
    draft.tables = vec![WalkTable::PerSquare(vec![vec![Square(0)]])].into();
    check_draft(draft, &["t0 has 1 rows"]);
}

#[test]
fn nodes_exist() {
    check_rules("rules n1\nn0:", &["the start n1 does not exist"]);
    check_rules(
        "patterns\nk0 n0 -> n5\nk1 n5 -> n0\nrules n0\nn0: skip -> n9",
        &[
            "an edge of n0 leads to n9, which does not exist",
            "the start or end of k0 does not exist",
            "the start or end of k1 does not exist",
        ],
    );
    let mut draft = frame();
    draft.nodes = IdVec::new();
    check_draft(draft, &["the start n0 does not exist"]);
}

#[test]
fn actions_refer_to_what_exists() {
    for (action, printed) in [
        ("on {e, ?2}", "On({piece0, piece2})"),
        ("at {?2}", "At({square2})"),
        ("compare ?3 < 1", "Compare(Variable(variable3), Less, Constant(1))"),
        ("compare 1 < count(?2)", "Compare(Constant(1), Less, Count(piece2))"),
        (
            "compare 1 + row(?2) > 0",
            "Compare(Binary(Add, Constant(1), Row(register2)), Greater, Constant(0))",
        ),
        ("jump (column(?2), 0)", "Jump(Column(register2), Constant(0))"),
        ("check k0", "Check(k0)"),
        ("check not k0", "CheckNot(k0)"),
        ("shift ?1", "Shift(direction1)"),
        ("walk t0", "Walk(t0)"),
        ("recall ?2", "Recall(register2)"),
        ("put ?2 #0", "Put(piece2)"),
        ("put held ?2 #0", "PutHeld(register2)"),
        ("assign ?3 = 1 #0", "Assign(variable3, Constant(1))"),
        ("assign x = ?3 #0", "Assign(variable2, Variable(variable3))"),
        ("save ?2 #0", "Save(register2)"),
        ("turn ?2 #0", "Turn(player2)"),
    ] {
        let message = format!("an edge of n0 refers to what does not exist: {printed}");
        check_rules(&format!("rules n0\nn0: {action} -> n0"), &[&message]);
    }
}

#[test]
fn modifiers_stand_on_writes_and_control_of_the_rules() {
    check_rules(
        "
        patterns
            k0 n2 -> n3
        rules n0
            n0: put w -> n1
                keeper -> n1
            n1: skip #0 -> n1
                check k0 -> n1
            n2: put w #1 -> n3
            n3:
        ",
        &[
            "an edge of n0 should have a modifier",
            "an edge of n0 should have a modifier",
            "an edge of n1 should not have a modifier",
            "an edge of n2 should not have a modifier",
        ],
    );
}

#[test]
fn nothing_is_asked_of_unreachable_nodes_but_their_indices() {
    let text = "
        patterns
            k0 n2 -> n2
        rules n0
            n0:
            n1: put w -> n0
                skip #3 -> n0
            n2: keeper -> n2
    ";
    check_rules(text, &[]);
    check_rules(
        "rules n0\nn0:\nn1: skip -> n2",
        &["an edge of n1 leads to n2, which does not exist"],
    );
}

#[test]
fn edges_of_one_modifier_do_the_same() {
    check_rules(
        "
        rules n0
            n0: put w #0 -> n1
                put e #0 -> n1
            n1: keeper #1 -> n0
                keeper #1 -> n1
                put w #2 -> n0
                put w #2 -> n0
        ",
        &["edges that share the modifier #0 differ", "edges that share the modifier #1 differ"],
    );
}

#[test]
fn patterns_hold_no_control() {
    check_rules(
        "
        patterns
            k0 n1 -> n2
        rules n0
            n0: check k0 -> n0
            n1: turn white -> n2
                keeper -> n2
            n2:
        ",
        &[
            "an edge of n1 ends the move inside a pattern",
            "an edge of n1 ends the move inside a pattern",
        ],
    );
}

#[test]
fn no_node_belongs_to_two_regions() {
    check_rules(
        "
        patterns
            k0 n0 -> n1
            k1 n2 -> n3
            k2 n3 -> n4
        rules n0
            n0: check k0 -> n0
                check k1 -> n0
                check k2 -> n0
            n1:
            n2: skip -> n3
            n3:
            n4:
        ",
        &[
            "n0 belongs to the rules and to k0 at once",
            "n3 belongs to k2 and to k1 at once",
            "a pattern contains itself",
        ],
    );
}

#[test]
fn no_pattern_contains_itself() {
    check_rules(
        "
        patterns
            k0 n1 -> n2
            k1 n3 -> n4
        rules n0
            n0: check k0 -> n0
            n1: check not k1 -> n2
            n2:
            n3: check k0 -> n4
            n4:
        ",
        &["a pattern contains itself"],
    );
}

#[test]
fn the_cursor_is_no_register_like_others() {
    check_rules(
        "rules n0\nn0: save cursor #0 -> n0",
        &["an edge of n0 uses the cursor as if it were another register"],
    );
}

#[test]
fn there_is_a_look_for_each_piece_and_player() {
    let mut draft = frame();
    draft.looks.pieces.push(PieceLook::plain("b"));
    draft.looks.players = vec![PlayerLook::plain("white", Player(0))].into();
    check_draft(draft, &["3 looks for 2 pieces", "1 looks for 2 players"]);
}

#[test]
fn looks_can_be_shown() {
    check_rules(
        r#"
        rules n0
            n0:
        looks
            piece e: symbol "", name "a\u{7}b"
            piece w: owner ?2, symbol "four"
            player white: name ""
            player black: name "né noir"
            columns ""
            rows "1"
        "#,
        &[
            r#""" is not a valid symbol for piece0"#,
            r#""a\u{7}b" is not a valid name for piece0"#,
            "piece1 belongs to player2, which does not exist",
            r#""four" is not a valid symbol for piece1"#,
            r#""" is not a valid name for player0"#,
            r#""" is not a valid name for one of the columns"#,
            "1 names for 2 rows",
        ],
    );
    for symbol in ["", "a b", "\t", "\u{a0}", "abcd"] {
        assert!(!verify::is_symbol(symbol), "{symbol:?}");
    }
    for symbol in ["·", "wP", "\u{2654}", "a\u{301}b"] {
        assert!(verify::is_symbol(symbol), "{symbol:?}");
    }
}

#[test]
fn reasons_are_texts_for_nodes_that_exist() {
    check_rules(
        r#"
        rules n0
            n0:
        endings
            n0: "" drawn "equal"
            n3: "over" drawn "\u{a}"
            stuck: "\u{0}"
        "#,
        &[
            r#""" is not a valid reason for an end"#,
            "n3, which has a reason for an end, does not exist",
            r#""\n" is not a valid reason for an end"#,
            r#""\0" is not a valid reason for an end"#,
        ],
    );
}

#[test]
fn squares_can_be_shuffled() {
    check_rules("shuffle\na\nb\nrules n0\nn0:", &[]);
    check_rules(
        "shuffle\na, ?9\nb\na\nrules n0\nn0:",
        &[
            "the lists of squares to shuffle are empty or not of one length",
            "square9, which is shuffled, does not exist",
            "square0 is shuffled twice",
        ],
    );
    let mut draft = frame();
    draft.shuffle = vec![Vec::new()];
    check_draft(draft, &["the lists of squares to shuffle are empty or not of one length"]);
}

#[test]
fn repetition_can_end_the_game() {
    check_rules("rules n0\nn0:\nn1:\nrepetition 2 over n1: white 9, black 0 ignoring x", &[]);
    check_rules(
        "rules n0\nn0:\nrepetition 1 over n1: white 10, black -1 ignoring x, x, ?8",
        &[
            "a game ends when a position occurs 1 times; 2 to 1000000 are allowed",
            "player0 gets 10 after repetition; 0 to 9 are allowed",
            "player1 gets -1 after repetition; 0 to 9 are allowed",
            "repetition ignores a variable that does not exist",
            "the variables that repetition ignores do not ascend",
            "n1, where repetition leads, does not exist",
        ],
    );
    check_rules(
        "
        patterns
            k0 n1 -> n1
        rules n0
            n0: check k0 -> n0
            n1: skip -> n1
        repetition 1000001 over n1: white 9, black 9
        ",
        &[
            "a game ends when a position occurs 1000001 times; 2 to 1000000 are allowed",
            "n1, where repetition leads, has edges",
            "n1, where repetition leads, is in a pattern",
        ],
    );
    let mut draft = parse(&format!("{FRAME}rules n0\nn0:\nrepetition 3 over n0: white 1, black 1"));
    if let Some(repetition) = &mut draft.repetition {
        repetition.scores.push(4);
    }
    check_draft(draft, &["3 scores after repetition for 2 players"]);
}

#[test]
fn violations_of_all_kinds_are_reported_together() {
    let draft = parse(
        "players white -1
        pieces e, e
        directions up
        board square
            a e (0, 0)
            b ?5 (0, 0) up=?9
        tables
            t0 everywhere: b, a
        patterns
            k0 n2 -> n2
        rules n0
            n0: put e -> n1
                save cursor #0 -> n1
            n1: check k0 -> n0
            n2: keeper -> n2",
    );
    let violations = draft.verify().expect_err("nearly everything is wrong");
    assert_eq!(
        violations.to_string(),
        "the automaton is not well-formed: \
         the piece name `e` is used twice; \
         variable0 `white` has the bound -1; \
         square1 `b` holds piece5, which does not exist; \
         square1 `b` has a neighbour that does not exist; \
         square1 `b` lies on another square; \
         a row of t0 does not ascend or leaves the board; \
         an edge of n0 should have a modifier; \
         an edge of n0 uses the cursor as if it were another register; \
         an edge of n2 ends the move inside a pattern"
    );
}

#[test]
fn regions_and_the_order_of_patterns() {
    let draft = parse(&format!(
        "{FRAME}
        patterns
            k0 n1 -> n2
            k1 n3 -> n4
        rules n0
            n0: check k0 -> n0
            n1: check not k1 -> n1
            n2:
            n3: skip -> n3
            n4:
            n5: skip -> n0"
    ));
    let regions = verify::regions(&draft);
    let (k0, k1) = (Region::Pattern(Pattern(0)), Region::Pattern(Pattern(1)));
    let expected = [Region::Rules, k0, k0, k1, k1].map(Regions::One);
    assert_eq!(regions.as_slice()[..5], expected);
    assert_eq!(regions.as_slice()[5], Regions::None);
    assert_eq!(verify::pattern_order(&draft), Some(vec![Pattern(1), Pattern(0)]));
    assert!(draft.nodes.contains(Node(5)));
}

/// Many patterns that share all their nodes, and a long chain of patterns in each other: neither takes long, or too much stack.
#[test]
fn large_drafts_are_verified() {
    let count = 20_000;
    let shared: String = (0..count).map(|k| format!("k{k} n1 -> n1\n")).collect();
    let checks: String = (0..count).map(|k| format!("check k{k} -> n0\n")).collect();
    let chain: String = (0..count).map(|n| format!("n{}: skip -> n{}\n", n + 1, n + 2)).collect();
    let text = format!("{FRAME}patterns\n{shared}rules n0\nn0: {checks}\n{chain}n{}:", count + 1);
    assert!(parse(&text).verify().is_err());

    let verify = |count: usize| {
        let nested = (0..count).map(|k| format!("k{k} n{} -> n{}\n", k + 1, k + 1));
        let nested: String = nested.collect();
        let chain: String = (1..count).map(|k| format!("n{k}: check k{k} -> n{k}\n")).collect();
        let rules = format!("rules n0\nn0: check k0 -> n0\n{chain}n{count}:");
        parse(&format!("{FRAME}patterns\n{nested}{rules}")).verify()
    };
    assert!(verify(verify::MAX_NESTING).is_ok());
    let violations = verify(count).expect_err("too many patterns within each other");
    assert!(violations.to_string().contains("patterns within each other: 20000"), "{violations}");
}

proptest! {
    #[test]
    fn no_draft_is_too_bad(draft in arbitrary::draft()) {
        let _ = draft.verify();
    }
}
