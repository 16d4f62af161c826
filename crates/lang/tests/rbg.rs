//! What the specification of RBG says, sentence by sentence: macros, boards, arithmetic, lowering, printing.

use regulus_automaton::analyses::straightness;
use regulus_automaton::{Action, Automaton, Expression, Shape, Variable};
use regulus_lang::rbg::{self, Checked, WriteCount};
use regulus_lang::{Severity, Source, compile, render};

const STRIP: &str = include_str!("strip.rbg");

/// A game on a board of two by two squares with these macros and rules.
fn game(macros: &str, rules: &str) -> String {
    format!(
        "#players = a(9), b(9)\n#pieces = e, w\n#variables = v1(9), x(9), y(9), z(9)\n\
         #board = rectangle(up, down, left, right, [e, w][w, e])\n{macros}\n#rules = {rules}"
    )
}

fn check(text: &str) -> Checked {
    let source = Source::new("game.rbg", text);
    let (game, diagnostics) = rbg::check(&source);
    game.unwrap_or_else(|| panic!("{text}\n{}", render(&diagnostics, &source, false)))
}

fn automaton(text: &str) -> Automaton {
    rbg::lower(&check(text)).expect("checked games can be lowered")
}

/// The low-level text of the rules.
#[track_caller]
fn lowered(macros: &str, rules: &str) -> String {
    let text = rbg::lower_to_text(&check(&game(macros, rules)));
    assert_eq!(rbg::lower_to_text(&check(&text)), text, "printing is idempotent");
    let rules = text.split_once("#rules = \n").expect("the text has rules").1;
    rules.strip_suffix('\n').expect("the text ends with a line end").to_owned()
}

/// The ids of all findings about a game.
fn findings(macros: &str, rules: &str) -> Vec<&'static str> {
    let compilation = compile(&Source::new("game.rbg", game(macros, rules)));
    compilation.diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect()
}

/// The writes and switches of a game by their number.
fn modifiers(text: &str) -> Vec<String> {
    let automaton = automaton(text);
    let mut edges: Vec<_> = automaton
        .edges()
        .filter_map(|(_, edge)| Some((edge.modifier?.0, describe(&automaton, &edge.action))))
        .collect();
    edges.sort();
    for (number, (modifier, _)) in (1..).zip(&edges) {
        assert_eq!(*modifier, number);
    }
    edges.into_iter().map(|(_, text)| text).collect()
}

fn describe(automaton: &Automaton, action: &Action) -> String {
    match action {
        Action::Put(piece) => format!("[{}]", automaton.pieces[*piece]),
        Action::Assign(variable, _) => format!("[$ {}]", automaton.variables[*variable].name),
        Action::Turn(player) => format!("->{}", automaton.players[*player]),
        Action::Keeper => "->>".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn strip_has_its_modifiers_in_the_order_of_the_text() {
    let expected = "[$ blue] ->red [e] ->> [rMan] ->> [$ ply] [$ red] [$ blue] ->> \
                    ->blue [e] ->> [bMan] ->> [$ ply] [$ blue] [$ red] ->>";
    assert_eq!(modifiers(STRIP).join(" "), expected);
    assert_eq!(check(STRIP).sizes().modifiers, 19);
}

#[test]
fn strip_has_its_straightness() {
    let four = WriteCount::Finite(4);
    let one = WriteCount::Finite(1);
    let expected =
        rbg::Straightness { applicational: four, main: four, moves: one, semimoves: one };
    assert_eq!(rbg::straightness(&check(STRIP)), expected);
}

#[test]
fn straightness_counts_as_the_tables_say() {
    let vector = |rules: &str| {
        let checked = check(&game("", rules));
        let bounds = rbg::straightness(&checked);
        // The automaton says the same, but has no dots.
        let automaton = rbg::lower(&checked).expect("a game");
        let seen = rbg::Straightness { semimoves: bounds.moves, ..bounds };
        assert_eq!(straightness(&automaton), seen, "{rules}");
        [bounds.applicational, bounds.main, bounds.moves, bounds.semimoves].map(|count| match count
        {
            WriteCount::None => -1,
            WriteCount::Finite(number) => i64::try_from(number).expect("small"),
            WriteCount::Unbounded => -2,
        })
    };
    assert_eq!(vector("up"), [0, 0, -1, -1]);
    assert_eq!(vector("[w]^3"), [3, 3, -1, -1]);
    assert_eq!(vector("[w] ->a [w] [e] ->>"), [2, 2, 2, 2]);
    assert_eq!(vector("->a ([w] + [e] [e]) . [w] ->b"), [3, 3, 3, 2]);
    assert_eq!(vector("->a ([w])* ->>"), [-2; 4]);
    assert_eq!(vector("->a (up)* ->>"), [0; 4]);
    assert_eq!(vector("(->a [w] ->> [w] [w])*"), [2, 2, 1, 1]);
    assert_eq!(vector("(->a [w])*"), [1; 4]);
    assert_eq!(vector("->a {? [w] [w] } [e] ->b"), [2, 1, 1, 1]);
    assert_eq!(vector("->a [e] {! [w] {? [w] ([w])* } } [e] ->b"), [-2, 2, 2, 2]);
}

#[test]
fn strip_is_lowered_to_this_text() {
    let game = check(STRIP);
    let text = rbg::lower_to_text(&game);
    let expected = "#board =\n    rx0y0[rMan]{east:rx1y0}\n    rx1y0[e]{east:rx2y0,west:rx0y0}\n    \
                    rx2y0[e]{east:rx3y0,west:rx1y0}\n    rx3y0[bMan]{west:rx2y0}\n\
                    #players = red(100),blue(100)\n#pieces = bMan,e,rMan\n#variables = ply(4)\n\
                    #rules = \n[$ blue=100](->red (\n(\nwest *\n+ east *\n){rMan}[e]east {e}->>[rMan]\n\
                    + {?(\nwest *\n+ east *\n){rMan}east }->>\n)[$ ply=ply+1](\n{$ ply<4}\n\
                    + {$ ply==4}[$ red=50][$ blue=50]->>{}\n)";
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(rbg::lower_to_text(&check(&text)), text);
    assert_eq!(check(&text).sizes(), rbg::GameSizes { directions: 2, ..game.sizes() });
    assert_eq!(modifiers(&text), modifiers(STRIP));
}

#[test]
fn the_example_of_the_canonical_text_is_printed_byte_for_byte() {
    let text = lowered("", "->a (up + down^2) ({w})^2 [w,e] ->> {}");
    assert_eq!(text, "->a (\nup \n+ down down \n){w}{w}(\n[w]\n+ [e]\n)->>{}");
    assert!(rbg::lower_to_text(&check(&game("", "up"))).contains("\n#pieces = e,w\n"));
}

#[test]
fn brackets_that_do_nothing_go_away() {
    assert_eq!(lowered("", "((up)) (down (left right))"), "up down left right ");
    assert_eq!(lowered("", "(up + (down + left)) "), "\nup \n+ down \n+ left \n");
    assert_eq!(lowered("", "((up + down)^1 + left)"), "\nup \n+ down \n+ left \n");
    assert_eq!(lowered("", "{? (up + down)}"), "{?\nup \n+ down \n}");
    assert_eq!(lowered("", "[$ x=(y)+(1+(z)), y=2]"), "[$ x=y+1+z][$ y=2]");
}

#[test]
fn stars_are_printed_so_that_they_can_be_read() {
    let rules = "up* (up down)* ({w})* ([w])* ({$ x==1})* ({? up})* (up*)* ->a* ->>* .*";
    let text = "up *(up down )*({w})*([w])*({$ x==1})*({?up })*(up *)*->a *->>*.*";
    assert_eq!(lowered("", rules), text);
    assert_eq!(lowered("", "(up^2)* (up + down)*"), "(up up )*(\nup \n+ down \n)*");
}

#[test]
fn suffixes_follow_any_base() {
    assert_eq!(
        lowered("", "{w}* [w]^2 up** up^2* up^2^2"),
        "({w})*[w][w](up *)*(up up )*up up up up "
    );
    assert_eq!(lowered("", "{?up}* ->a *"), "({?up })*->a *");
}

#[test]
fn directions_without_edges_fail_in_the_printed_text_too() {
    let text = STRIP.replace("{? any {c~Man} dir}", "{? any {c~Man} (dir + north)} north*");
    let text = rbg::lower_to_text(&check(&text));
    assert!(text.contains("+ {}\n") && text.contains("({})*"), "{text}");
    assert_eq!(rbg::lower_to_text(&check(&text)), text);
}

#[test]
fn squares_without_edges_can_be_read() {
    let text =
        "#players = a(1)\n#pieces = e\n#variables =\n#board = p[e]{} q[e]{n: p}\n#rules = n ->>";
    let text = rbg::lower_to_text(&check(text));
    assert!(
        text.contains("    p[e]{}\n    q[e]{n:p}\n#players = a(1)\n#pieces = e\n#variables = \n")
    );
    assert_eq!(rbg::lower_to_text(&check(&text)), text);
}

#[test]
fn lists_of_writes_are_separate_writes() {
    let text = game("", "[$ x=x+1, y=x] [w,e] ([e] ->>)^2 {? [w] } {! [$ x=1] } [w]");
    assert_eq!(modifiers(&text).join(" "), "[$ x] [$ y] [w] [e] [e] ->> [e] ->> [w]");
}

#[test]
fn macros_add_no_brackets() {
    assert_eq!(lowered("#two = up left", "two*"), "up left *");
    assert_eq!(lowered("#alt = up + left", "alt right"), "\nup \n+ left right \n");
}

#[test]
fn arguments_do_not_capture_parameters() {
    assert_eq!(lowered("#in(q;r) = q r\n#out(q) = in(left; q)", "out(up)"), "left up ");
    assert_eq!(lowered("#up1 = down\n#f(up) = up", "f(left)"), "left ");
}

#[test]
fn a_macro_name_cannot_be_applied_as_an_argument() {
    assert_eq!(findings("#f(x) = x\n#ap(f) = f(up)", "ap(f) ->>"), ["rbg-bad-macro-call"]);
}

#[test]
fn macros_are_overloaded_by_the_number_of_parameters() {
    let macros = "#f(a) = a\n#f(a;b) = a b a\n#g(a;b) = a b";
    assert_eq!(lowered(macros, "f(up) f(up;down)"), "up up down up ");
    assert_eq!(lowered(macros, "g(;up) g(up;) g (up ; (down))"), "up up up down ");
    assert_eq!(lowered("#f(a) = a up", "f()"), "up ");
}

#[test]
fn brackets_other_than_parentheses_may_be_split() {
    assert_eq!(lowered("#o(l;r) = l w r", "o({;}) o([;])"), "{w}[w]");
    assert_eq!(findings("#o(l;r) = l w r", "o((;)) ->>"), ["rbg-wrong-argument-count"]);
}

#[test]
fn macros_are_visible_only_after_their_definition() {
    // `x` is a variable in the first body and a macro in the rules.
    assert_eq!(lowered("#set = [$ x = 1]\n#x(d) = d", "set x(up)"), "[$ x=1]up ");
    assert_eq!(lowered("#x = [$ x = 1]", "x"), "[$ x=1]");
    assert_eq!(
        lowered("#f(d) = d d\n#x = f(up)\n#f(d; g) = d g", "x f(up; down)"),
        "up up up down "
    );
    assert_eq!(findings("#f = later\n#later = up", "f ->>"), ["rbg-unknown-name"]);
    assert_eq!(findings("#g = f(up; down)\n#f(d; e) = d", "g ->>")[0], "rbg-unknown-name");
    assert_eq!(
        findings("#f(d) = d\n#g = f(up; down)\n#f(d; e) = d", "g ->>"),
        ["rbg-wrong-argument-count"]
    );
}

#[test]
fn pasting_glues_last_to_first() {
    let paste = |body: &str, call: &str| lowered(&format!("#none =\n#f(p;q) = {body}"), call);
    assert_eq!(paste("{$ p~q == 1}", "f(v;01)"), "{$ v1==1}");
    assert_eq!(paste("p~q", "f(down le;ft right)"), "down left right ");
    assert_eq!(paste("p~none~q", "f(u;p)"), "up ");
    assert_eq!(paste("none~p q~none", "f(up;down)"), "up down ");
    assert_eq!(paste("l~e~p~ft q", "f(;up)"), "left up ");
    assert_eq!(paste("p~>a q~? up }", "f(-;{)"), "->a {?up }");
    assert_eq!(paste("up^1~2 {$ x p~= q}", "f(<;1)"), format!("{}{{$ x<=1}}", "up ".repeat(12)));
    // What is glued is not looked up again.
    assert_eq!(lowered("#left1 = up\n#right = down\n#f(a) = ri~a", "f(ght)"), "right ");
}

#[test]
fn macros_work_in_all_sections() {
    let text = "#name(c) = c~Man\n#hundred = 100\n#row = [e, name(r)]\n#kind = rectangle\n\
                #players = a(hundred), b(1)\n#pieces = e, name(r)\n#variables = name(v)(2)\n\
                #board = kind(up, down, left, right, row row)\n#rules = ->a {name(r)} ->>";
    let game = check(text);
    assert_eq!(game.players.as_slice()[0].bound, 100);
    assert_eq!(game.variables[Variable(2)].name, "vMan");
    assert_eq!(game.board.squares.len(), 4);
}

#[test]
fn commas_may_be_too_many_in_lists() {
    let text = "#players = ,a(1),,b(2),\n#pieces = ,,e,w,\n#variables = ,\n\
                #board = rectangle(up, down, left, right, [e])\n#rules = ->a\n#";
    let sizes = check(text).sizes();
    assert_eq!((sizes.players, sizes.pieces, sizes.variables), (2, 2, 0));
}

fn board(board: &str) -> Checked {
    check(&format!("#players = a(1)\n#pieces = e, w\n#variables =\n#board = {board}\n#rules = ->a"))
}

fn places(game: &Checked) -> Vec<(i32, i32)> {
    game.board.squares.values().map(|square| (square.x, square.y)).collect()
}

#[test]
fn hexagons_have_these_neighbours() {
    let game = board("hexagon(NW,NE,E,SE,SW,W,[e,e][e])");
    let expected = "    hx0y0[e]{E:hx1y0,SE:hx0y1}\n    hx1y0[e]{SW:hx0y1,W:hx0y0}\n    \
                    hx0y1[e]{NE:hx1y0,NW:hx0y0}\n";
    assert!(rbg::lower_to_text(&game).contains(expected));
    assert_eq!(game.board.shape, Shape::Hexagon);
    assert_eq!(places(&game), [(0, 0), (2, 0), (1, 1)]);
}

#[test]
fn holes_count_as_columns_but_are_no_squares() {
    let game = board("rectangle(u,d,l,r,[e,,w][,e,][,,e])");
    let names: Vec<&str> = game.board.squares.values().map(|square| square.name.as_str()).collect();
    assert_eq!(names, ["rx0y0", "rx2y0", "rx1y1", "rx2y2"]);
    assert_eq!(places(&game), [(0, 0), (2, 0), (1, 1), (2, 2)]);
}

#[test]
fn cuboids_have_these_neighbours() {
    let game = board("cuboid(u,d,l,r,n,p,[[e,w][w,e]] [[e,e][,w]])");
    let text = rbg::lower_to_text(&game);
    assert!(text.contains("    cx0y0z0[e]{d:cx0y1z0,n:cx0y0z1,r:cx1y0z0}\n"), "{text}");
    assert!(text.contains("    cx1y1z1[w]{p:cx1y1z0,u:cx1y0z1}\n"), "{text}");
    assert_eq!(places(&game)[4..], [(3, 0), (4, 0), (4, 1)]);
    assert_eq!(game.board.shape, Shape::Square);
}

#[test]
fn printed_boards_are_drawn_as_the_generated_ones() {
    for text in [
        "rectangle(u,d,l,r,[e,e][,e])",
        "hexagon(i,j,k,l,m,n,[,e,][,e,e,][e,e,e,e,e][,e,e,][,e,])",
        "hexagon(i,j,k,l,m,n,[e,e,e][e,e])",
        "cuboid(u,d,l,r,n,p,[[e,w][w,e]] [[e,e][,w]])",
    ] {
        let generated = board(text);
        let printed = check(&rbg::lower_to_text(&generated));
        assert_eq!(printed.board.shape, generated.board.shape, "{text}");
        assert_eq!(places(&printed), places(&generated), "{text}");
    }
}

#[test]
fn graphs_are_drawn_from_names_or_labels() {
    let game = board("a1[e]{n: a2} a2[e]{s: a1} b1[w]{}");
    assert_eq!((game.board.shape, places(&game)), (Shape::Point, vec![(0, 1), (0, 0), (1, 1)]));
    let game = board("p[e]{n: q} q[e]{upLeft: r} r[e]{}");
    assert_eq!((game.board.shape, places(&game)), (Shape::Point, vec![(1, 2), (1, 1), (0, 0)]));
    let game = board("p[e]{n: q} q[e]{n: p} r[e]{}");
    assert_eq!(game.board.shape, Shape::Point);
}

fn evaluate(expression: &Expression, variables: &[i64]) -> Option<i64> {
    match expression {
        Expression::Constant(number) => Some(i64::from(*number)),
        Expression::Variable(variable) => Some(variables[variable.0 as usize]),
        Expression::Binary(operator, left, right) => {
            operator.apply(evaluate(left, variables)?, evaluate(right, variables)?)
        }
        other => panic!("{other:?} is not asked for"),
    }
}

/// The value of an expression over x, y, z.
fn value(expression: &str, x: i64, y: i64, z: i64) -> Option<i64> {
    let automaton = automaton(&game("", &format!("[$ v1 = {expression}] ->a")));
    let assigned = automaton.edges().find_map(|(_, edge)| match &edge.action {
        Action::Assign(_, expression) => Some(evaluate(expression, &[0, 0, 0, x, y, z])),
        _ => None,
    });
    assigned.expect("there is an assignment")
}

#[test]
fn each_operator_binds_differently() {
    assert_eq!(value("x*y/z", 7, 2, 4), Some(0));
    assert_eq!(value("(x*y)/z", 7, 2, 4), Some(3));
    assert_eq!(value("x/y*z", 7, 2, 4), Some(12));
    assert_eq!(value("x-y-z", 9, 3, 2), Some(4));
    assert_eq!(value("x-(y-z)", 9, 3, 2), Some(8));
    assert_eq!(value("x-y+z", 9, 3, 2), Some(8));
    assert_eq!(value("x+y-z", 9, 3, 2), Some(10));
    assert_eq!(value("x/y/z", 8, 2, 2), Some(2));
    assert_eq!(value("x*+3+1", 5, 0, 0), Some(16));
    assert_eq!(value("x/y", 5, 0, 0), None);
}

#[test]
fn arithmetic_is_printed_with_the_needed_brackets_only() {
    let rules = "[$ x=(x+y)*z-(x-y)-(x*y)/z+x/(y/z)+x/y*z]";
    assert_eq!(lowered("", rules), "[$ x=(x+y)*z-(x-y)-(x*y)/z+x/(y/z)+x/y*z]");
    assert_eq!(lowered("", "{$ ((x))-((y+1)) >= (x*(y*z)) }"), "{$ x-(y+1)>=x*y*z}");
}

#[test]
fn origins_are_the_text_in_the_body_of_the_macro() {
    let text = game("#f(p) = {p, e} [w] [e, w] [$ x = 1, y = 2]", "->a f(w) ->>");
    let automaton = automaton(&text);
    let origins: Vec<&str> = automaton
        .edges()
        .map(|(_, edge)| edge.origin.expect("every edge has an origin"))
        .map(|origin| &text[origin.start as usize..origin.end as usize])
        .collect();
    for expected in ["->a", "{p, e}", "[w]", "e", "w", "x = 1", "y = 2", "->>"] {
        assert!(origins.contains(&expected), "{expected} in {origins:?}");
    }
}

#[test]
fn endless_writes_are_those_of_players() {
    let endless = |rules: &str| findings("", rules).contains(&"rbg-endless-writes");
    for rules in [
        "->a ([w])* ->>",
        "([w] + ->a up)*",
        "(([w])* ->a)*",
        "(([w])* ->a up)^2 ->>",
        "->a (up + ->>) ([w])* ->>",
        "->a {? ([w])* up} ->>",
        "->a ((up ([w])*)* ->>)* ->a",
    ] {
        assert!(endless(rules), "{rules}");
    }
    for rules in [
        "([w])* ->a",
        "(->> ([w])* ->a)*",
        "->a up ->> (([w])* + up)* ->a",
        "->a ([w] up)* ->>",
        "->a ([$ x = x+1])* ->>",
        "(->a up ->> {? ([w])* up})*",
    ] {
        assert!(!endless(rules), "{rules}");
    }
}

#[test]
fn warnings_do_not_prevent_a_game() {
    let rules = "->a [w, w] {$ v1 == x+y+z} ->b ->>";
    let compilation = compile(&Source::new("game.rbg", game("", rules)));
    assert!(compilation.automaton.is_some());
    assert_eq!(compilation.diagnostics.len(), 1);
    assert_eq!(compilation.diagnostics[0].severity, Severity::Warning);
}

/// A small game with these pragma comments before its sections.
fn with_pragmas(pragmas: &str) -> String {
    format!(
        "{pragmas}\n#players = white(100), black(100)\n#pieces = e, wPawn, bPawn, wHasty, stone\n\
         #variables = quiet(9), turns(9)\n\
         #board = rectangle(up, down, left, right, [e, wPawn][bPawn, wHasty])\n\
         #over(me) = [$ me = 100]\n  //! end: {{winner}} moved | nobody won\n  ->> {{}}\n\
         #turn(me) = ->me up {{e}} [stone] over(me) + {{wHasty}} [$ quiet=1, turns=1] ->>\n\
         #rules = turn(white) + turn(black)"
    )
}

const PRAGMAS: &str = "//! empty: stone
//! owner none: bPawn
//! kind pawn: wHasty, stone
//! name white: pawn: wHasty
//! symbol w:: wHasty
//! colour red: black
//! player The Black Side: black
//! columns: a, b
//! rows: 2, 1
//! hand wPawn: turns
//! counter quiet turns: quiet
//! side white: top, bottom
//! surface: plain
//! history 3: black=20, white=50; ignoring turns, quiet
//! stuck: {stuck} is mated | stalemate";

#[test]
fn pragma_comments_state_what_names_do_not_tell() {
    let automaton = automaton(&with_pragmas(PRAGMAS));
    let text = automaton.to_string();
    let lines = |from: &str, to: &str| {
        let start = text.find(from).expect("the section is there");
        let end = text[start..].find(to).map_or(text.len(), |end| start + end);
        text[start..end].to_owned()
    };
    assert_eq!(
        lines("looks", "rules"),
        "looks
  piece e: empty, symbol \"·\", name \"empty\"
  piece wPawn: owner white, symbol \"P\", name \"white pawn\", kind pawn
  piece bPawn: symbol \"p\", name \"black pawn\", kind pawn
  piece wHasty: owner white, symbol \"w:\", name \"white: pawn\", kind pawn
  piece stone: empty, symbol \"·\", name \"empty\", kind pawn
  player black: name \"The Black Side\", colour red
  columns \"a\", \"b\"
  rows \"2\", \"1\"
  hand turns: wPawn
  counter quiet: \"quiet turns\"
  side top: white
  side bottom: white
  surface plain
"
    );
    let over = automaton.repetition.as_ref().expect("there is a rule").over;
    let again = &automaton.endings.at[&over];
    assert_eq!(again.text, "the same position occurred for the third time");
    assert_eq!(
        lines("repetition", "\n"),
        format!("repetition 3 over {over}: white 50, black 20 ignoring quiet, turns")
    );
    let stuck = automaton.endings.stuck.as_ref().expect("it is stated");
    assert_eq!(
        (stuck.text.as_str(), stuck.drawn.as_deref()),
        ("{stuck} is mated", Some("stalemate"))
    );
    // The switch in the body of the macro is there twice.
    let ends: Vec<_> = automaton.endings.at.iter().filter(|(node, _)| **node != over).collect();
    assert_eq!(ends.len(), 2);
    for (node, reason) in ends {
        assert_eq!(reason.text, "{winner} moved");
        assert_eq!(reason.drawn.as_deref(), Some("nobody won"));
        let to = automaton.edges().filter(|(_, edge)| edge.target == *node);
        assert!(to.map(|(_, edge)| &edge.action).eq([&Action::Keeper]));
    }
}

#[test]
fn low_level_text_keeps_what_pragma_comments_state() {
    for pragmas in
        [PRAGMAS, "", "//! end: at once", "//! kind rook: stone\n//! history 4: white=1, black=2"]
    {
        let game = check(&with_pragmas(pragmas));
        let text = rbg::lower_to_text(&game);
        let lowered = check(&text);
        assert_eq!(rbg::lower_to_text(&lowered), text);
        let describe = |game: &Checked| {
            let automaton = rbg::lower(game).expect("a checked game is well-formed");
            let mut pieces: Vec<_> =
                game.pieces.values().cloned().zip(game.looks.pieces.values().cloned()).collect();
            pieces.sort_by(|(one, _), (other, _)| one.cmp(other));
            let mut reasons: Vec<_> = automaton.endings.at.values().cloned().collect();
            reasons.sort();
            let scores = game.history.as_ref().map(|history| history.scores.clone());
            (pieces, game.looks.players.clone(), reasons, game.stuck.clone(), scores)
        };
        assert_eq!(describe(&lowered), describe(&game), "{text}");
    }
}

#[test]
fn the_first_of_two_reasons_for_one_node_stays() {
    let rules = "->a\n( up\n//! end: up\n->>\n + down\n//! end: down\n->> )";
    let automaton = automaton(&game("", rules));
    let reasons: Vec<&str> = automaton.endings.at.values().map(|r| r.text.as_str()).collect();
    assert_eq!(reasons, ["up"]);
}
