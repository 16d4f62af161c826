//! Every action of the automaton does what its documentation says, on automata written in the text form.

use regulus_automaton::{Automaton, Draft};
use regulus_engine::notation::exact;
use regulus_engine::{Limits, MoveList, Rules, State, Walk};

/// Four squares in a ring-less row, `a` to `d`; `x` leads from `a` and from `b` to `c`.
const DECLARATIONS: &str = "
    players one 9, two 9
    variables v 5
    pieces e, w, b
    registers origin
    directions left, right, x
    board square
      a w (0, 0) right=b x=c
      b e (1, 0) left=a right=c x=c
      c e (2, 0) left=b right=d
      d b (3, 0) left=c
";

fn automaton(rules: &str) -> Automaton {
    let draft: Draft = match format!("{DECLARATIONS}\n{rules}").parse() {
        Ok(draft) => draft,
        Err(errors) => panic!("{errors}"),
    };
    draft.verify().expect("the automaton is well-formed")
}

/// The first state and its moves in the exact spelling, sorted.
fn first_moves(rules: &str) -> (Walk, State, Vec<String>) {
    let walk = Walk::new(automaton(rules));
    let mut scratch = walk.scratch();
    let state = walk.initial(&mut scratch).expect("the keeper ends");
    let mut list = MoveList::new();
    walk.moves(&state, &mut scratch, &mut list).expect("the search ends");
    let mut moves: Vec<String> = list.iter().map(exact).collect();
    moves.sort();
    (walk, state, moves)
}

#[track_caller]
fn check(rules: &str, expected: &[&str]) {
    assert_eq!(first_moves(rules).2, expected);
}

#[test]
fn walks_lead_where_they_say() {
    check(
        "tables
           t0 everywhere: a, d
           t1 each
             a: b, d
         rules n0
           n0: turn one #1 -> n1
           n1: shift right -> n2
               walk t0 -> n3
               walk t1 -> n4
               jump (column(cursor) + 2, row(cursor)) -> n5
               jump (9, 9) -> n5
           n2: keeper #2 -> n6
           n3: keeper #3 -> n6
           n4: keeper #4 -> n6
           n5: keeper #5 -> n6
           n6:",
        &["1 3", "2 2", "2 4", "3 5", "4 3", "4 4"],
    );
}

#[test]
fn tests_let_through_what_they_say() {
    check(
        "tables
           t0 everywhere: a, b, c, d
         patterns
           k0 n9 -> n10
         rules n0
           n0: turn one #1 -> n1
           n1: walk t0 -> n2
           n2: on {w, b} -> n3
               at {b} -> n4
               check k0 -> n5
               check not k0 -> n6
               compare count(e) * 10 + v == 20 -> n7
               compare column(cursor) / 0 == 0 -> n7
           n3: keeper #3 -> n8
           n4: keeper #4 -> n8
           n5: keeper #5 -> n8
           n6: keeper #6 -> n8
           n7: keeper #7 -> n8
           n8:
           n9: shift right -> n11
           n10:
           n11: on {b} -> n10",
        &["1 3", "1 6", "1 7", "2 4", "2 6", "2 7", "3 5", "3 7", "4 3", "4 6", "4 7"],
    );
}

#[test]
fn tests_in_a_row_all_count() {
    // The node with the last test has the smallest number; that order once lost a test.
    check(
        "tables
           t0 everywhere: a, b, c, d
         rules n0
           n0: turn one #1 -> n4
           n1: on {w} -> n3
           n2: on {w, e} -> n1
           n3: keeper #2 -> n5
           n4: walk t0 -> n2
           n5:",
        &["1 2"],
    );
    check(
        "tables
           t0 everywhere: a, b, c, d
         rules n0
           n0: turn one #1 -> n4
           n1: on {w} -> n2
           n2: on {e} -> n3
           n3: keeper #2 -> n5
           n4: walk t0 -> n1
           n5:",
        &[],
    );
}

#[test]
fn registers_remember_squares_and_their_pieces_can_be_copied() {
    let (walk, mut state, moves) = first_moves(
        "rules n0
           n0: turn one #1 -> n1
           n1: save origin #2 -> n2
           n2: shift right -> n3
           n3: put held origin #3 -> n4
           n4: recall origin -> n5
           n5: put e #4 -> n6
           n6: turn two #5 -> n7
           n7: recall origin -> n8
           n8: turn one #6 -> n1",
    );
    assert_eq!(moves, ["1 2 2 3 1 4 1 5"]);
    let mut scratch = walk.scratch();
    let steps = regulus_engine::notation::parse_exact(&moves[0]).expect("exact");
    let mut history = walk.history(&state);
    walk.play(&mut state, &mut history, &steps.0, &mut scratch).expect("legal");
    assert_eq!(&state.bytes()[..4], [0, 1, 0, 2], "the piece has moved from a to b");
    let mut list = MoveList::new();
    walk.moves(&state, &mut scratch, &mut list).expect("the search ends");
    assert_eq!(list.iter().map(exact).collect::<Vec<_>>(), ["1 6"], "origin is still a");
}

#[test]
fn assignments_out_of_bounds_are_no_moves() {
    check(
        "rules n0
           n0: assign v = 5 #1 -> n1
           n1: turn one #2 -> n2
           n2: assign v = v + 1 #3 -> n3
               assign v = v - 6 #4 -> n3
               assign v = v - 5 #5 -> n3
           n3: keeper #6 -> n4
           n4:",
        &["1 5 1 6"],
    );
}

#[test]
fn two_ways_to_the_same_writes_are_one_move() {
    // Both a and b lead to c, where something is written; and two edges share the modifier 3.
    check(
        "tables
           t0 everywhere: a, b
         rules n0
           n0: turn one #1 -> n1
           n1: walk t0 -> n2
           n2: shift x -> n3
           n3: put w #2 -> n4
           n4: on {w} -> n5
               on {w, b} -> n6
           n5: put b #3 -> n7
           n6: put b #3 -> n7
           n7: keeper #4 -> n8
           n8:",
        &["3 2 3 3 3 4"],
    );
}

#[test]
fn writes_inside_checks_are_undone() {
    let (_, state, moves) = first_moves(
        "patterns
           k0 n3 -> n5
         rules n0
           n0: turn one #1 -> n1
           n1: check k0 -> n2
           n2: on {w} -> n6
           n3: put b -> n4
           n4: assign v = 3 -> n5
           n5:
           n6: compare v == 0 -> n7
           n7: keeper #2 -> n8
           n8:",
    );
    assert_eq!(moves, ["1 2"]);
    assert_eq!(state.bytes()[0], 1);
}

#[test]
fn a_cursor_that_does_not_matter_is_forgotten() {
    let (walk, state, _) = first_moves(
        "tables
           t0 everywhere: a, b, c, d
         rules n0
           n0: turn one #1 -> n1
           n1: walk t0 -> n2
           n2: turn two #2 -> n1",
    );
    let mut scratch = walk.scratch();
    let play = |text: &str, scratch: &mut _| {
        let mut next = state.clone();
        let steps = regulus_engine::notation::parse_exact(text).expect("exact");
        walk.play(&mut next, &mut walk.history(&state), &steps.0, scratch).expect("legal");
        next
    };
    let (by_b, by_d) = (play("2 2", &mut scratch), play("4 2", &mut scratch));
    assert_eq!(by_b, by_d);
    assert_eq!(by_b.fingerprint(), by_d.fingerprint());
    assert_ne!(by_b, state);
}

/// What is said about rules that do not come to an end.
fn fault(rules: &str, limits: Limits) -> (&'static str, bool) {
    let walk = Walk::with_limits(automaton(rules), limits);
    let mut scratch = walk.scratch();
    let mut list = MoveList::new();
    let outcome =
        walk.initial(&mut scratch).and_then(|state| walk.moves(&state, &mut scratch, &mut list));
    let fault = outcome.expect_err("the rules do not end");
    (fault.id(), fault.origin().is_some())
}

#[test]
fn endless_rules_are_faults_with_a_place() {
    let keeper_loop = "rules n0\n n0: keeper #1 -> n0 @3..4";
    assert_eq!(fault(keeper_loop, Limits::default()), ("run-endless-keeper", true));

    let long_cycle = "rules n0
        n0: assign v = v + 1 #1 -> n1
            assign v = 0 #2 -> n1
        n1: keeper #3 -> n0 @3..4";
    assert_eq!(fault(long_cycle, Limits::default()), ("run-endless-keeper", true));

    let writes = "rules n0
        n0: turn one #1 -> n1
        n1: put e #2 -> n1 @5..6
            put w #3 -> n1
            keeper #4 -> n0";
    assert_eq!(fault(writes, Limits::default()), ("run-endless-move", true));

    let in_check = "patterns
          k0 n2 -> n3
        rules n0
          n0: turn one #1 -> n1
          n1: check not k0 -> n4
          n2: put e -> n2 @5..6
          n3:
          n4: keeper #2 -> n0";
    assert_eq!(fault(in_check, Limits::default()), ("run-endless-move", true));

    let many = "tables
          t0 everywhere: a, b, c, d
        rules n0
          n0: turn one #1 -> n1
          n1: walk t0 -> n2 @3..4
          n2: assign v = v + 1 #2 -> n1 @5..6
              keeper #3 -> n0 @7..8";
    let few_tries = Limits { tries: 1000, ..Limits::default() };
    assert_eq!(fault(many, few_tries), ("run-endless-search", true));
    let few_steps = Limits { stored_steps: 1000, ..Limits::default() };
    assert_eq!(fault(many, few_steps).0, "run-too-long-list");
    let few_moves = Limits { moves: 100, ..Limits::default() };
    assert_eq!(fault(many, few_moves).0, "run-too-many-moves");
}

#[test]
fn long_walks_need_no_stack() {
    // A chain of a hundred thousand skips, in a check within a check.
    let length = 100_000;
    let mut rules = String::from(
        "patterns
           k0 n3 -> n4
           k1 n5 -> n6
         rules n0
           n0: turn one #1 -> n1
           n1: check k0 -> n2
           n2: keeper #2 -> n0
           n3: check k1 -> n4
           n4:
           n5: skip -> n7
           n6:\n",
    );
    for node in 7..length {
        rules.push_str(&format!(
            "n{node}: skip -> n{}\n",
            if node + 1 == length { 6 } else { node + 1 }
        ));
    }
    check(&rules, &["1 2"]);
}

#[test]
fn bad_moves_are_refused_and_change_nothing() {
    let (walk, state, moves) = first_moves(
        "rules n0
           n0: turn one #1 -> n1
           n1: assign v = v + 1 #2 -> n2
           n2: turn two #3 -> n1",
    );
    assert_eq!(moves, ["1 2 1 3"]);
    let mut scratch = walk.scratch();
    for text in ["1 3", "1 2", "2 2 1 3", "1 9 1 3", "99 2 1 3", "1 2 1 3 1 3"] {
        let steps = regulus_engine::notation::parse_exact(text).expect("exact");
        let mut next = state.clone();
        let mut history = walk.history(&state);
        let played = walk.play(&mut next, &mut history, &steps.0, &mut scratch);
        let fault = played.expect_err("not legal");
        assert!(fault.is_bad_move());
        assert_eq!(next, state);
    }
}
