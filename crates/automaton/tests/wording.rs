//! What actions say in pictures: text in, labels out.

use regulus_automaton::{Draft, GraphScope, dot};

/// Three columns and three rows, `a3` at the upper left.
const BOARD: &str = "
    players white 100, black 100
    variables turns 9, held 9
    pieces empty, wPawn, wKing, bPawn, bKing, wall
    registers origin
    directions up, down, left, right
    board square
        x0y2 bPawn (0, 0) down=x0y1 right=x1y2
        x1y2 bKing (1, 0) down=x1y1 left=x0y2 right=x2y2
        x2y2 bPawn (2, 0) down=x2y1 left=x1y2
        x0y1 empty (0, 1) up=x0y2 down=x0y0 right=x1y1
        x1y1 empty (1, 1) up=x1y2 down=x1y0 left=x0y1 right=x2y1
        x2y1 wall (2, 1) up=x2y2 down=x2y0 left=x1y1
        x0y0 wPawn (0, 2) up=x0y1 right=x1y0
        x1y0 wKing (1, 2) up=x1y1 left=x0y0 right=x2y0
        x2y0 wPawn (2, 2) up=x2y1 left=x1y0
    looks
        piece wPawn: owner white
        piece wKing: owner white
        piece bPawn: owner black
        piece bKing: owner black
    tables
        t0 everywhere: x0y2, x1y2, x2y2, x0y1, x1y1, x2y1, x0y0, x1y0, x2y0
        t1 everywhere: x0y2, x1y2, x2y2
        t2 everywhere: x1y1
        t3 each
            x0y0: x1y1
            x1y0: x0y1, x2y1
            x2y0: x1y1
        t4 each
            x0y2: x0y0
            x1y2: x0y0, x2y2
";

/// The labels of a graph with one edge for each line.
fn labels(actions: &str) -> Vec<String> {
    let lines: Vec<&str> = actions.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let edges: String = lines
        .iter()
        .enumerate()
        .map(|(node, action)| format!("n{node}: {action} -> n{}\n", node + 1))
        .collect();
    let text = format!("{BOARD}rules n0\n{edges}n{}:", lines.len());
    let draft: Draft = text.parse().unwrap_or_else(|errors| panic!("{errors}"));
    let dot = dot::to_dot(&draft, GraphScope::Folded);
    let arrows = dot.lines().filter(|line| line.contains(" -> "));
    let labels = arrows.filter_map(|line| line.split_once("[label=\"")?.1.split_once("\","));
    labels.map(|(label, _)| label.to_owned()).collect()
}

#[test]
fn pieces_are_named_by_what_they_have_in_common() {
    let found = labels(
        "on {empty}
        on {empty, wPawn}
        on {bPawn, bKing}
        on {empty, bPawn, bKing}
        on {wPawn, wKing, bPawn, bKing}
        on {empty, wPawn, wKing, bPawn, wall}
        on {empty, wPawn, wKing, bPawn, bKing, wall}",
    );
    let expected = [
        "on empty",
        "on empty or wPawn",
        "on any piece of black",
        "on empty or any piece of black",
        "on any piece of white or any piece of black",
        "on anything but bKing",
        "on anything",
    ];
    assert_eq!(found, expected);
}

#[test]
fn squares_are_named_as_on_the_board() {
    let found = labels(
        "at {x0y0}
        at {x0y2, x1y2, x2y2}
        at {x0y2, x1y2, x2y2, x0y1, x1y1, x2y1}
        at {x0y2, x0y1, x0y0}
        at {x0y2, x1y2, x2y2, x0y0, x1y0, x2y0}
        at {x0y2, x1y2, x0y0, x1y0}
        at {x1y2, x2y2, x1y1, x2y1, x1y0, x2y0}
        at {x0y2, x1y1}
        at {x0y2, x1y1, x0y1, x1y0, x2y0}
        at {x0y2, x1y2, x2y2, x0y1, x2y1, x0y0, x1y0, x2y0}
        at {x0y2, x1y2, x2y2, x0y1, x1y1, x2y1, x0y0, x1y0, x2y0}
        at {}",
    );
    let expected = [
        "at a1",
        "in row 3",
        "in rows 2, 3",
        "in column a",
        "in rows 1, 3",
        "at a3, b3, a1 or b1",
        "in columns b, c",
        "at a3 or b2",
        "at 5 squares: a3, a2, b2, …",
        "at any square but b2",
        "anywhere",
        "nowhere",
    ];
    assert_eq!(found, expected);
}

#[test]
fn walks_say_where_they_lead() {
    let found = labels(
        "walk t0
        walk t1
        walk t2
        walk t3
        walk t4
        walk t9
        shift up
        recall origin
        jump (column(cursor), 0)",
    );
    let expected = [
        "to any square",
        "to any square of row 3",
        "to b2",
        "up-left or up-right from row 1",
        "to 1–2 squares (t4)",
        "walk t9",
        "up",
        "to origin",
        "to (column(cursor), 0)",
    ];
    assert_eq!(found, expected);
}

#[test]
fn values_are_spoken_of_in_words() {
    let found = labels(
        "compare count(bPawn) == 0
        compare count(bPawn) > 0
        compare count(bPawn) > 1
        compare turns != held
        compare turns * 2 <= 8
        assign white = 100 #0
        assign white = turns #1
        assign turns = turns + 1 #2
        assign turns = turns - held #3
        assign turns = 0 #4
        put wKing #5
        put held origin #6
        save origin #7
        turn black #8
        keeper #9
        skip",
    );
    let expected = [
        "no bPawn on the board",
        "some bPawn on the board",
        "count(bPawn) > 1",
        "turns ≠ held",
        "turns * 2 ≤ 8",
        "white scores 100",
        "set white to turns",
        "add 1 to turns",
        "subtract held from turns",
        "set turns to 0",
        "put wKing",
        "put the piece on origin",
        "save as origin",
        "→ black",
        "→ keeper",
        "ε",
    ];
    assert_eq!(found, expected);
}

#[test]
fn names_that_are_not_the_games_are_explained() {
    let text = format!(
        "{BOARD}patterns\nk0 n3 -> n5\nrules n0\nn0: walk t4 -> n1\nn1: save origin #0 -> n2\nn2: check k0 -> n6\n\
         n3: shift up -> n4\nn4: on {{wall}} -> n5\nn5:\nn6:"
    );
    let draft: Draft = text.parse().unwrap_or_else(|errors| panic!("{errors}"));
    let dot = dot::to_dot(&draft, GraphScope::Folded);
    for explanation in [
        "k0: up, then on wall",
        "t4: from a3 to a1; from b3 to a1, c3",
        "origin: a square that is remembered",
    ] {
        assert!(dot.contains(explanation), "{explanation} in {dot}");
    }
}
