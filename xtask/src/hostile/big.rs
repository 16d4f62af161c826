//! Hostile texts that are too large to be kept as files: most are near the greatest length of a text, four megabytes.

use std::fs;
use std::io;
use std::path::Path;

/// The greatest length of a text that is read.
const LONGEST: usize = 4 << 20;

/// Writes all of them into a folder.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    for (name, text) in texts() {
        fs::write(folder.join(name), text)?;
    }
    // Not a text at all.
    fs::write(folder.join("big_bytes.rbg"), (0..=255).cycle().take(LONGEST).collect::<Vec<u8>>())
}

fn texts() -> Vec<(&'static str, String)> {
    let mut texts = vec![
        ("big_nothing.rbg", String::new()),
        ("big_nothing.sbg", String::new()),
        ("big_nothing.abg", String::new()),
    ];
    texts.extend(rbg());
    texts.extend(sbg());
    texts.extend(abg());
    texts
}

/// Numbered things, with something between them.
fn list(count: usize, between: &str, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(between)
}

fn rbg() -> Vec<(&'static str, String)> {
    let game = |rules: &str| {
        format!(
            "#players = w(100), b(100)\n#pieces = e, x, o\n#variables =\n#board = rectangle(u, d, l, r, [e, x] [o, e])\n#rules = {rules}"
        )
    };
    let with = |players: &str, pieces: &str, variables: &str, board: &str, rules: &str| {
        format!(
            "#players = {players}\n#pieces = {pieces}\n#variables = {variables}\n#board = {board}\n#rules = {rules}"
        )
    };
    let cells = |count: usize| format!("[{}]", vec!["e"; count].join(","));
    let graph = |count: usize| {
        let square = |n: usize| {
            format!("v{n}[e]{{a:v{},b:v{},c:v{}}}", (n + 1) % count, n * 7 % count, n * n % count)
        };
        list(count, "\n", square)
    };
    vec![
        // One after the other, side by side, and in each other.
        ("big_chain.rbg", game(&format!("->w {} [x] ->> {{}}", "l r ".repeat(490_000)))),
        ("big_sum.rbg", game(&format!("->w (l{}) [x] ->> {{}}", "+r".repeat(990_000)))),
        ("big_sum_of_writes.rbg", game(&format!("->w ([x]{}) ->> {{}}", "+[o]".repeat(900_000)))),
        ("big_chain_of_writes.rbg", game(&format!("->w {} ->> {{}}", "[x]".repeat(990_000)))),
        ("big_chain_of_turns.rbg", game(&format!("({})*", "->w[x]->b[o]".repeat(240_000)))),
        (
            "big_chain_of_checks.rbg",
            game(&format!("->w {} [x] ->> {{}}", "{?l+r}".repeat(300_000))),
        ),
        (
            "big_sum_of_stars.rbg",
            game(&format!("->w (l*{})* [x] ->> {{}}", "+(r*l)*".repeat(200_000))),
        ),
        ("big_power.rbg", game("->w ((l + r)^1000)^499 {e} [x] ->> {}")),
        (
            "big_brackets.rbg",
            game(&format!("->w {}l{}", "(".repeat(2_000_000), ")".repeat(2_000_000))),
        ),
        ("big_open_brackets.rbg", game(&"{?".repeat(2_000_000))),
        ("big_many_mistakes.rbg", game(&"?? ".repeat(1_300_000))),
        ("big_many_unknown_names.rbg", game(&list(400_000, " ", |n| format!("q{n}")))),
        ("big_comment.rbg", format!("/*{}", "*".repeat(LONGEST - 2))),
        ("big_comments.rbg", game("->w [x] ->> {}") + &"//\n".repeat(1_300_000)),
        (
            "big_pragmas.rbg",
            "//! name a: x\n//! end: nothing\n".repeat(100_000) + &game("->w [x] ->> {}"),
        ),
        ("big_one_name.rbg", game(&"q".repeat(LONGEST - 200))),
        ("big_too_long.rbg", game("->w [x] ->> {}") + &" ".repeat(LONGEST)),
        // Macros.
        (
            "big_many_macros.rbg",
            list(100_000, "\n", |n| format!("#m{n} = l r"))
                + "\n"
                + &game("->w m7 m99999 [x] ->> {}"),
        ),
        (
            "big_macros_of_macros.rbg",
            "#m0 = l\n".to_owned()
                + &list(90_000, "\n", |n| format!("#m{} = m{n} r", n + 1))
                + "\n"
                + &game("->w m90000 [x] ->> {}"),
        ),
        (
            "big_macro_of_a_long_argument.rbg",
            "#twice(x) = x x\n".to_owned()
                + &game(&format!("->w twice(twice({})) [x] ->> {{}}", "l r ".repeat(110_000))),
        ),
        // Declarations.
        (
            "big_variables.rbg",
            with(
                "w(1)",
                "e, x",
                &list(10_000, ",", |n| format!("v{n}(9)")),
                &format!("rectangle(u,d,l,r,{})", cells(9)),
                &format!(
                    "(->w {})*",
                    list(10_000, "", |n| format!("[$ v{n}=v{}+1]", (n + 1) % 10_000))
                ),
            ),
        ),
        (
            "big_pieces.rbg",
            with(
                "w(1)",
                &list(400_000, ",", |n| format!("p{n}")),
                "",
                "rectangle(u,d,l,r,[p0])",
                "->w [p1]",
            ),
        ),
        (
            "big_players.rbg",
            with(
                &list(400_000, ",", |n| format!("p{n}(1)")),
                "e",
                "",
                "rectangle(u,d,l,r,[e])",
                "->p1 [e]",
            ),
        ),
        (
            "big_board.rbg",
            with(
                "w(1)",
                "e, x",
                "",
                &format!("rectangle(u,d,l,r,{})", cells(255).repeat(257)),
                "(->w (u*+d*)(l*+r*){e}[x])*",
            ),
        ),
        // A player that learns what each piece is worth on each square to each player needs gigabytes.
        (
            "big_board_of_many_players.rbg",
            with(
                &list(100, ",", |n| format!("w{n}(1)")),
                &format!("e, x, {}", list(250, ",", |n| format!("p{n}"))),
                "",
                &format!("rectangle(u,d,l,r,{})", cells(255).repeat(257)),
                "(->w0 r{e}[p9] ->w1 r{e}[x])*",
            ),
        ),
        (
            "big_board_of_one_row.rbg",
            with(
                "w(1)",
                "e, x",
                "",
                &format!("rectangle(u,d,l,r,{})", cells(65_535)),
                "(->w r*{e}{!r{x}}[x]l*)*",
            ),
        ),
        (
            "big_board_too_large.rbg",
            with(
                "w(1)",
                "e, x",
                "",
                &format!("rectangle(u,d,l,r,{})", cells(1_000_000)),
                "->w r* [x]",
            ),
        ),
        (
            "big_board_of_holes.rbg",
            with(
                "w(1)",
                "e, x",
                "",
                &format!("rectangle(u,d,l,r,[e{}])", ",".repeat(4_000_000)),
                "->w r* [x]",
            ),
        ),
        ("big_graph.rbg", with("w(1)", "e, x", "", &graph(65_535), "(->w (a+b+c)*{e}[x])*")),
        (
            "big_graph_of_checks.rbg",
            with("w(1)", "e, x", "", &graph(20_000), "(->w (a+b)*{e}{!(a+b+c)*{x}}[x])*"),
        ),
        // A thousand pieces of arithmetic, each as long as is allowed.
        (
            "big_arithmetic.rbg",
            game(&format!(
                "->w {} [x] ->> {{}}",
                format!("{{$ {}>0}}", "e*x-o+".repeat(60) + "1").repeat(5_000)
            )),
        ),
    ]
}

fn sbg() -> Vec<(&'static str, String)> {
    let game = |width: usize, height: usize, rows: &str, rules: &str, goals: &str| {
        format!("<<Big>>\n<BOARD>\n{width} {height}\n{rows}<PIECES>\n{rules}\n<GOALS>\n{goals}\n")
    };
    let small = |rules: &str, goals: &str| game(3, 4, "|ppp|\n|...|\n|...|\n|PPP|\n", rules, goals);
    let column = "|p|\n".to_owned() + &"|.|\n".repeat(9_998) + "|P|\n";
    let square =
        "|pppppppppp..........PPPPPPPPPP|\n".replace("..........", &".".repeat(80)).repeat(100);
    vec![
        ("big_column.sbg", game(1, 10_000, &column, "P (0,1,e)^* + (0,1,p) + (0,-1,e) &", "100 &")),
        (
            "big_column_of_leaps.sbg",
            game(1, 10_000, &column, "P ((0,5000,e)+(0,-5000,e)+(0,1,e))^* &", "100 &"),
        ),
        (
            "big_square_of_walks.sbg",
            game(100, 100, &square, "P ((0,1,e)+(1,0,e)+(-1,0,e)+(0,-1,e))^* &", "100 &"),
        ),
        ("big_sum.sbg", small(&format!("P (0,1,e){} &", "+(0,1,e)".repeat(49_000)), "100 &")),
        (
            "big_chain.sbg",
            small(&format!("P (0,1,e){} &", "(0,1,e)(0,-1,e)".repeat(9_900)), "100 &"),
        ),
        ("big_chain_too_long.sbg", small(&format!("P {} &", "(0,1,e)".repeat(590_000)), "100 &")),
        (
            "big_chain_of_stars.sbg",
            small(&format!("P {} &", "(0,1,e)^*(1,0,e)^*(-1,-1,e)^*".repeat(6_000)), "100 &"),
        ),
        (
            "big_sum_of_chains.sbg",
            small(
                &format!(
                    "P {} &",
                    list(8_000, "+", |n| format!("({},1,e)({},-1,e)(1,{},p)", n % 3, n % 2, n % 4))
                ),
                "100 &",
            ),
        ),
        (
            "big_brackets.sbg",
            small(
                &format!("P {}(0,1,e){} &", "(".repeat(2_000_000), ")".repeat(2_000_000)),
                "100 &",
            ),
        ),
        ("big_many_mistakes.sbg", small(&"P ? & ".repeat(600_000), "100 &")),
        (
            "big_goals.sbg",
            small(
                "P (0,1,e) &",
                &format!("100 &\n@P {} &", list(500_000, ",", |n| format!("{} {}", n % 3, n % 4))),
            ),
        ),
        (
            "big_counts.sbg",
            small(
                "P (0,1,e) &",
                &format!("100 &\n{}", list(300_000, "\n", |n| format!("#P {n} &"))),
            ),
        ),
        ("big_comment.sbg", "/*".to_owned() + &"/".repeat(LONGEST - 2)),
    ]
}

fn abg() -> Vec<(&'static str, String)> {
    let on = |width: usize, height: usize, body: &str| {
        let mut squares = vec!["b"; width];
        squares.extend(vec!["empty"; width * (height - 2)]);
        squares.extend(vec!["w"; width]);
        format!(
            "players = white, black;\npieces = empty, w(white), b(black);\n{body}\nboard_size = {width}, {height};\nboard = {};\n",
            squares.join(",")
        )
    };
    let small = |body: &str| on(3, 4, body);
    let black = "rule b = [0,-1,Empty];";
    vec![
        (
            "big_letters.abg",
            small(&format!(
                "rule w = {};{black}",
                list(16_384, "", |n| format!("[0,{},True]", [1, -1][n % 2]))
            )),
        ),
        (
            "big_different_letters.abg",
            small(&format!(
                "rule w = {};{black}",
                list(16_384, "|", |n| format!("[0,1,this.x != {n}]"))
            )),
        ),
        (
            "big_letters_with_effects.abg",
            small(&format!(
                "variable n = 0; effect e(k) {{ n = k; }}; rule w = {};{black}",
                list(16_384, "|", |n| format!("[0,1,True]{{e({n})}}"))
            )),
        ),
        (
            "big_word_with_effects.abg",
            small(&format!(
                "variable n = 0; effect e(k) {{ n = k; }}; rule w = {};{black}",
                list(16_384, "", |n| format!("[0,0,True]{{e({n})}}"))
            )),
        ),
        (
            "big_sum.abg",
            small(&format!("rule w = [0,1,Empty]{};{black}", "|[1,0,Empty]".repeat(300_000))),
        ),
        (
            "big_brackets.abg",
            small(&format!(
                "rule w = {}[0,1,Empty]{};{black}",
                "(".repeat(2_000_000),
                ")".repeat(2_000_000)
            )),
        ),
        ("big_value.abg", small(&format!("rule w = [0,1,1{}];{black}", "+1".repeat(1_900_000)))),
        ("big_not.abg", small(&format!("rule w = [0,1,{}1];{black}", "not ".repeat(900_000)))),
        (
            "big_suffixes.abg",
            small(&format!("rule w = [0,1,Empty]{};{black}", "*".repeat(4_000_000))),
        ),
        (
            "big_many_functions.abg",
            small(&format!(
                "function f0() {{ return this.x }};{}rule w = [0,1,f60000() > 0];{black}",
                list(60_000, "\n", |n| format!("function f{}() {{ return f{n}() + 1 }};", n + 1))
            )),
        ),
        (
            "big_many_variables.abg",
            small(&format!(
                "{}rule w = [0,1,Empty];{black}",
                list(100_000, "\n", |n| format!("variable v{n} = {n};"))
            )),
        ),
        (
            "big_many_victories.abg",
            small(&format!(
                "{}rule w = [0,1,Empty];{black}",
                list(60_000, "\n", |n| format!("victory white {{ return count(w) == {n} }};"))
            )),
        ),
        (
            "big_many_posts.abg",
            small(&format!(
                "rule w = [0,1,Empty];{black}{}",
                "post white w = [0,1,True]*[1,0,False];".repeat(60_000)
            )),
        ),
        (
            "big_effect.abg",
            small(&format!(
                "variable n = 0; effect e() {{ Move(); {} }}; rule w = [0,1,Empty]{{e}};{black}",
                "n = n + 1;".repeat(300_000)
            )),
        ),
        (
            "big_board.abg",
            on(
                100,
                100,
                "macro any() = ([1,0,Empty]|[-1,0,Empty]|[0,1,Empty]|[0,-1,Empty])*; rule w = any(); rule b = any();",
            ),
        ),
        (
            "big_board_of_values.abg",
            on(
                100,
                100,
                "rule w = [0,1,Board[this.y][this.x] == empty and this.x * this.y % 7 != 3]; rule b = [0,-1,Board[99 - this.x][this.y] != w];",
            ),
        ),
        ("big_board_too_large.abg", on(1_000, 700, &format!("rule w = [0,1,Empty];{black}"))),
        ("big_many_mistakes.abg", small(&"rule ? = ;".repeat(400_000))),
    ]
}
