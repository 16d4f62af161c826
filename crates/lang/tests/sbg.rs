//! Simplified Boardgames: what texts mean as games, and that every example of the guide is one.

mod guide;

use regulus_lang::sbg::{self, Game, Goal, Side};
use regulus_lang::{Severity, Source, compile};

fn game(text: &str) -> Game {
    let (game, diagnostics) = sbg::check(&Source::new("game.sbg", text));
    game.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

#[test]
fn examples_of_the_guide_are_games() {
    let guide = include_str!("../../../docs/languages/sbg.md");
    guide::games(guide, "sbg");
    // The rules of the table.
    let rules = guide::table(guide, "rule | moves");
    assert_eq!(rules.len(), 5);
    for rule in rules.iter().flat_map(|row| guide::code(row[0])) {
        let text =
            format!("<<T>><BOARD>8 8{}<PIECES>X {rule} &<GOALS>9&", "|XXXXXXXX|\n".repeat(8));
        let found = compile(&Source::new("rule.sbg", text)).diagnostics;
        assert!(found.is_empty(), "{rule}: {found:?}");
    }
}

#[test]
fn everything_in_a_text_arrives() {
    let game = game(
        "/* a */ <<A /* b */ game  2>> <BOARD> 3 // three
         2 |Q.q| |/**/x.P| <PIECES> // Q - queen, P - pawn (small)
         Q ((0,1,e)^2 + (-1,0,p))^* (1,0,w) & /* P: none */ <GOALS> 7 & #Q 1 & @q 2 1, 0 0,2 1 &",
    );
    assert_eq!(game.name, "A game 2");
    assert_eq!((game.width, game.height, game.turn_limit), (3, 2, 7));
    let letters: Vec<char> = game.pieces.iter().map(|piece| piece.letter).collect();
    assert_eq!(letters, ['Q', 'X', 'P'], "with rules first, then as they stand on the board");
    let names: Vec<Option<&str>> = game.pieces.iter().map(|piece| piece.name.as_deref()).collect();
    assert_eq!(names, [Some("queen"), None, Some("pawn")]);
    assert!(game.pieces[0].rule.is_some() && game.pieces[1].rule.is_none());
    let position = [
        Some((Side::White, 0)),
        None,
        Some((Side::Black, 0)),
        Some((Side::Black, 1)),
        None,
        Some((Side::White, 2)),
    ];
    assert_eq!(game.position, position);
    let [
        Goal::Count { side: Side::White, kind: 0, count: 1, .. },
        Goal::Reach { side: Side::Black, kind: 0, squares, .. },
    ] = game.goals.as_slice()
    else {
        panic!("{:?}", game.goals);
    };
    assert_eq!(squares, &[(0, 0), (2, 1)]);
}

#[test]
fn printing_comes_back() {
    let text = "<<A>><BOARD>2 2|Kk||.K|<PIECES>K ((0,1,e)+(1,0,p)^2)^*(0,0,w)^0((1,0,e)(0,1,w))^3&<GOALS>9&#k 0&@K 1 1&";
    let first = game(text);
    let printed = sbg::to_sbg(&first);
    let second = game(&printed);
    assert_eq!(sbg::to_sbg(&second), printed);
    let rule = |game: &Game| game.pieces[0].rule.as_ref().map(|rule| rule.expression.clone());
    assert_eq!(rule(&first), rule(&second));
    assert_eq!(first.position, second.position);
}

#[test]
fn translations_of_odd_games_are_rbg() {
    // A side without pieces, no piece that moves, a game over at once, goals for pieces that are not there.
    for text in [
        "<<A>><BOARD>2 1|K.|<PIECES>K (1,0,e)&<GOALS>9&",
        "<<A>><BOARD>2 1|k.|<PIECES>K (1,0,e)+(-1,0,w)(1,0,w)&<GOALS>9&@K 0 0&",
        "<<A>><BOARD>2 1|..|<PIECES><GOALS>9&",
        "<<A>><BOARD>2 1|KX|<PIECES><GOALS>0&#k 0&",
        "<<A>><BOARD>1 1|K|<PIECES>K (0,0,w)^*+((0,0,w)^0)^*&<GOALS>3&#k 0&#K 5&",
    ] {
        let translated = sbg::to_rbg(&game(text));
        let compilation = compile(&Source::new("game.rbg", translated.as_str()));
        let errors = compilation.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{translated}\n{:?}", compilation.diagnostics);
    }
}

#[test]
fn pieces_and_ends_are_put_into_words() {
    let text = "<<A>><BOARD>2 3|rw||..||RW|<PIECES>// R - rook, W - gold wolf
        R (0,1,e)+(0,1,p)+(0,2,e)(0,-2,w)& W (1,0,e)& X (1,0,e)&
        <GOALS>100&@R 0 2,1 2&@r 0 0,0 1&#R 0&#w 2&#W 1&";
    let automaton = sbg::lower(&game(text)).expect("a checked game is well-formed");
    let looks: Vec<String> = automaton
        .looks
        .pieces
        .values()
        .map(|look| {
            let owner = look.owner.map_or("nobody", |owner| &automaton.players[owner]);
            format!("{} {}: {} of {owner}", look.symbol, look.name, look.kind.word())
        })
        .collect();
    assert_eq!(
        looks,
        [
            "· empty: token of nobody",
            "R white rook: rook of white",
            "W white gold wolf: token of white",
            "r black rook: rook of black",
            "w black gold wolf: token of black",
            "m moving piece: token of nobody",
        ]
    );
    let mut reasons: Vec<&str> =
        automaton.endings.at.values().map(|reason| reason.text.as_str()).collect();
    reasons.sort_unstable();
    assert_eq!(
        reasons,
        [
            "black has only 2 gold wolves left",
            "black's rook reached its goal",
            "the limit of 100 turns was reached",
            "white has no rook left",
            "white has only 1 gold wolf left",
            "white's rook reached the last row",
        ]
    );
    let stuck = automaton.endings.stuck.as_ref().expect("it has words of its own");
    assert_eq!(stuck.text, "{stuck} has no legal move");
}
