//! Laws that hold for every text: nothing panics, printing is idempotent, and hostile texts cost little.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use regulus_lang::rbg;
use regulus_lang::{Severity, Source, compile, render};

const STRIP: &str = include_str!("strip.rbg");

/// Compiles on a stack as small as that of any thread, draws all findings, and answers whether there is a game.
fn survives(text: String) -> bool {
    let work = move || {
        let source = Source::new("game.rbg", text);
        let compilation = compile(&source);
        let errors = compilation.diagnostics.iter().any(|d| d.severity == Severity::Error);
        assert_eq!(compilation.automaton.is_none(), errors);
        assert!(render(&compilation.diagnostics, &source, true).len() < 1 << 20);
        compilation.automaton.is_some()
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    thread.expect("a thread can be started").join().expect("no text makes the front-end panic")
}

/// Tokens and half tokens of the language, and some that are none.
fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        "# #f #g(x) #g(x;y) #players #pieces #variables #board #rules = = = ( ) ( ) [ ] { } {? {! {$ [$ -> ->> + - * \
         / ^ == != < <= > >= ~ ~ . , ; : $ ! ? f f( g g( x y e w rMan red(1) blue ply up west east north 0 1 2 7 \
         99999999999 rectangle( hexagon( cuboid( rectangle // /* */ \n \n _ é @ \" players"
            .split(' ')
            .collect::<Vec<_>>(),
    )
}

/// The text of a pragma comment, mostly a good one for the strip game.
fn pragma() -> impl Strategy<Value = String> {
    let word = prop::sample::select(
        " empty: % owner red: % owner none: % kind man: % kind king: % name a: b: % name é% symbol x: % symbol :::% \
         colour gold: % player Red: % columns: a, b, c, d, e, f% rows: 1, 2, 3% history 3: red=1, blue=0% end: over% \
         stuck: {stuck} % stuck: a | b%; ignoring ply%,%:%=% e% rMan% bMan% red% blue"
            .split('%')
            .map(str::trim_end)
            .collect::<Vec<_>>(),
    );
    prop_oneof![
        4 => prop::collection::vec(word, 0..5).prop_map(|words| words.concat()),
        1 => any::<String>().prop_map(|text| text.replace('\n', " ")),
    ]
}

/// Rules of random shape over the names of the strip game.
fn rules() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec!["ply", "red", "e", "7", "+2", "rMan"])
        .prop_map(str::to_owned)
        .prop_recursive(3, 12, 3, |inner| {
            let joined = |sign: &'static str| {
                prop::collection::vec(inner.clone(), 2..4).prop_map(move |parts| parts.join(sign))
            };
            let bracketed = inner.clone().prop_map(|part| format!("({part})"));
            prop_oneof![joined("+"), joined("-"), joined("*"), joined("/"), bracketed]
        });
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "north",
            "east",
            "west",
            "{}",
            "{e}",
            "{rMan,bMan,e}",
            "[e]",
            "[e,rMan]",
            "->red",
            "->>",
            ".",
        ])
        .prop_map(str::to_owned),
        value.clone().prop_map(|value| format!("[$ ply={value}, blue=1]")),
        (value.clone(), value).prop_map(|(left, right)| format!("{{$ {left} <= {right}}}")),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let parts = || prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            parts().prop_map(|parts| format!("({})", parts.join(" + "))),
            parts().prop_map(|parts| format!("({})", parts.join(" "))),
            inner.clone().prop_map(|rule| format!("{rule}*")),
            (inner.clone(), 1..4).prop_map(|(rule, count)| format!("{rule}^{count}")),
            // Switches are not allowed in look-aheads.
            inner.clone().prop_map(|rule| {
                format!("{{?{}}}", rule.replace("->>", ".").replace("->red", "."))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_text_does_not_panic(text in any::<String>()) {
        survives(text);
    }

    #[test]
    fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survives(String::from_utf8_lossy(&bytes).into_owned());
    }

    #[test]
    fn token_soup_does_not_panic(tokens in prop::collection::vec(token(), 0..200)) {
        survives(tokens.join(" "));
        survives(tokens.concat());
    }

    #[test]
    fn soup_in_a_game_does_not_panic(tokens in prop::collection::vec(token(), 0..20), at in 0..STRIP.len()) {
        survives(format!("{} {} {}", &STRIP[..at], tokens.join(" "), &STRIP[at..]));
    }

    #[test]
    fn games_with_a_part_missing_do_not_panic(from in 0..STRIP.len(), length in 1..60usize) {
        let to = (from + length).min(STRIP.len());
        survives(format!("{}{}", &STRIP[..from], &STRIP[to..]));
    }

    #[test]
    fn pragma_comments_never_prevent_a_game(
        comments in prop::collection::vec(pragma(), 0..12),
        at in 0..STRIP.len(),
    ) {
        // Comments go before the line that holds a place.
        let at = STRIP[..at].rfind('\n').map_or(0, |end| end + 1);
        let lines: String = comments.iter().map(|comment| format!("//!{comment}\n")).collect();
        let text = format!("{}{lines}{}", &STRIP[..at], &STRIP[at..]);
        prop_assert!(survives(text.clone()));
        let game = rbg::check(&Source::new("game.rbg", text)).0.expect("it is a game");
        let low = rbg::lower_to_text(&game);
        let (again, findings) = rbg::check(&Source::new("low.rbg", low.as_str()));
        let pragmas = findings.iter().filter(|finding| finding.code.id().starts_with("pragma"));
        prop_assert_eq!(pragmas.count(), 0, "{}", &low);
        let again = again.expect("low-level text is a game");
        prop_assert_eq!(rbg::lower_to_text(&again), low);
        let looks = |game: &rbg::Checked| {
            let mut looks: Vec<_> =
                game.pieces.values().cloned().zip(game.looks.pieces.values().cloned()).collect();
            looks.sort_by(|(one, _), (other, _)| one.cmp(other));
            (looks, game.looks.players.clone(), game.stuck.clone(), game.looks.rows.clone())
        };
        prop_assert_eq!(looks(&game), looks(&again));
    }

    #[test]
    fn printing_is_idempotent(rules in rules()) {
        let head = STRIP.split_once("#rules").expect("the game has rules").0;
        let source = Source::new("game.rbg", format!("{head}#rules = {rules}"));
        let (game, diagnostics) = rbg::check(&source);
        let game = game.ok_or_else(|| {
            TestCaseError::fail(format!("{rules}\n{}", render(&diagnostics, &source, false)))
        })?;
        let text = rbg::lower_to_text(&game);
        let (again, _) = rbg::check(&Source::new("low.rbg", text.as_str()));
        let again = again.ok_or_else(|| TestCaseError::fail(format!("{rules} is printed as\n{text}")))?;
        prop_assert_eq!(&rbg::lower_to_text(&again), &text);
        prop_assert_eq!(again.sizes().modifiers, game.sizes().modifiers);
        let automaton = rbg::lower(&game).expect("checked games can be lowered");
        let modifiers = automaton.edges().filter(|(_, edge)| edge.modifier.is_some()).count();
        prop_assert_eq!(modifiers as u64, game.sizes().modifiers);
    }
}

/// Texts of a megabyte that ask for much: each must be refused, or accepted, within seconds.
#[test]
fn hostile_texts_cost_little() {
    let head = STRIP.split_once("#rules").expect("the game has rules").0;
    let rules = |text: &str| format!("{head}#rules = {text}");
    let repeated = |text: &str| text.repeat((1 << 20) / text.len());
    let doubling: String =
        (1..60).map(|n| format!("#d{n}(x) = d{}(x) d{}(x)\n", n - 1, n - 1)).collect();
    let nothing: String = (1..60).map(|n| format!("#n{n} = n{} n{}\n", n - 1, n - 1)).collect();
    let gluing: String = (1..60).map(|n| format!("#g{n}(x) = g{}(x~x)\n", n - 1)).collect();
    let texts = [
        repeated("("),
        repeated("#"),
        repeated("#a(b)="),
        repeated("#a(b;"),
        repeated("é"),
        repeated("\u{1b}_@\n"),
        rules(&(0..150_000).map(|n| format!("p{} ", n % 70_000)).collect::<String>()),
        head.replace(
            "e, rMan",
            &(0..150_000).map(|n| format!("p{},", n % 70_000)).collect::<String>(),
        ) + "#rules = ->red",
        format!("#f({}x) = x", (0..100_000).map(|n| format!("p{n};")).collect::<String>()),
        rules(&repeated("(")),
        rules(&repeated(")")),
        rules(&repeated("{?")),
        rules(&repeated("()")),
        rules(&repeated("{! up }")),
        rules(&repeated("{")),
        rules(&repeated("[$ ply=(")),
        rules(&format!("[$ ply=1{}]", repeated("+1"))),
        rules(&format!("[$ ply={}1]", repeated("("))),
        rules(&format!("east{}", repeated("*"))),
        rules(&format!("east{}", repeated("^2"))),
        rules(&format!("east{}", repeated("^1"))),
        rules(&repeated("east + ")),
        rules(&repeated("any(")),
        rules(&repeated("go(")),
        rules(&repeated("go(;;;")),
        rules(&repeated("a~")),
        rules(&repeated("bad1 bad2 bad3 ")),
        rules("({e,rMan,bMan}^1000)^1000"),
        rules("([$ ply=ply+ply+ply+ply+ply]^60000)*"),
        rules(&format!("->> {}east ->red{} ->blue {{}}", "(".repeat(90), ")* ->red".repeat(90))),
        rules(&format!("->> {}[e]{} ->blue {{}}", "(".repeat(90), ")* ->red".repeat(90))),
        rules(&format!("->> {}[e]{} ->blue {{}}", "(".repeat(90), ")*".repeat(90))),
        format!("{head}#d0(x) = x x\n{doubling}#rules = d59(east)"),
        format!("{head}#n0 =\n{nothing}#rules = n59"),
        format!("{head}#g0(x) = x\n{gluing}#rules = g59(east)"),
        format!("{head}#id(x) = x\n#rules = {}east{}", "id(".repeat(100_000), ")".repeat(100_000)),
        head.replace("[rMan, e, e, bMan]", &repeated("[e,,,,]")) + "#rules = ->red",
        head.replace("[rMan, e, e, bMan]", &repeated("[")) + "#rules = ->red",
        head.replace("#variables = ply(4)", &format!("#variables = {}", repeated("a(1) b,")))
            + "#rules = ->red",
        format!(
            "#players = a(1)\n#pieces = e\n#variables =\n#board = {}\n#rules = l1 ->>",
            (0..30_000).map(|n| format!("v{n}[e]{{l{n}:v{n}}}")).collect::<String>()
        ),
        format!(
            "#players = a(1)\n#pieces = e\n#variables =\n#board = {}\n#rules = l ->>",
            (0..30_000).map(|n| format!("v{n}[e]{{l:w{n}}}")).collect::<String>()
        ),
    ];
    for text in texts {
        let shown: String = text.chars().skip(text.len() / 2).take(40).collect();
        let start = Instant::now();
        survives(text);
        assert!(start.elapsed() < Duration::from_secs(20), "{shown}");
    }
}

/// The same for sentences of ABG, whose stars are looked at one in the other; looking at each anew would take for ever.
#[test]
fn hostile_sentences_cost_little() {
    let game = |rule: &str| {
        format!(
            "players = white, black;\npieces = empty, w(white), b(black);\n\
             macro a() = [1, 0, True] | [0, 1, True] | [0, 0, Empty];\n\
             rule w = {rule};\nrule b = [0, -1, Empty];\n\
             board_size = 2, 2;\nboard = b, empty, empty, w;\n"
        )
    };
    let nested = |open: &str, inner: &str, close: &str| {
        game(&format!("{}{inner}{}", open.repeat(90), close.repeat(90)))
    };
    let many: Vec<String> = (0..30_000).map(|n| format!("[{}, {}, True]", n % 9, n % 7)).collect();
    let texts = [
        nested("(", "[0, 0, True]", " [1, 0, Empty]*)*"),
        nested("([1, 0, Empty]* ", "[0, 0, True]", ")*"),
        nested("(a() | ", "[0, 0, True]", ")+"),
        nested("(", &many.join(" | "), " | [1, 0, Empty])*"),
        nested("(", &many.join("* "), "*)*"),
    ];
    for text in texts {
        let _ = compile(&Source::new("game.abg", text.as_str()));
    }
}

#[test]
fn the_largest_allowed_rules_can_be_lowered() {
    let head = STRIP.split_once("#rules").expect("the game has rules").0;
    assert!(survives(format!("{head}#rules = ((((east)^100)^100)^19)")));
    let nested = format!("{head}#rules = {}east{}", "({?".repeat(99), "})*".repeat(99));
    assert!(!survives(nested), "200 levels are allowed");
    let nested = format!("{head}#rules = {}east{}", "{?".repeat(199), "}".repeat(199));
    assert!(survives(nested));
}
