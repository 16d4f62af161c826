//! The texts of the thesis's appendix C, with what they leave to the program in Rust, and the interface of its appendix B.

mod common;

use common::{bundled, load};
use regulus_abg::{Environment, Fault, Perft, Registry, View, api, perft};
use regulus_lang::abg::{Externals, check};
use regulus_lang::{Code, Source};

/// Figure 25.
const BREAKTHROUGH: &str = "
players = white, black;

pieces = empty, wPawn(white),
                bPawn(black);

macro forward(dy) = [0, dy, Empty] | [-1, dy, Empty] | [1, dy, Empty];
macro capture(dy) = [-1, dy, Opponent] | [1, dy, Opponent];

rule bPawn = forward(-1) | capture(-1);
rule wPawn = forward( 1) | capture( 1);

board_size = 8, 8;
board = bPawn, bPawn, bPawn, bPawn, bPawn, bPawn, bPawn, bPawn,
        bPawn, bPawn, bPawn, bPawn, bPawn, bPawn, bPawn, bPawn,
        empty, empty, empty, empty, empty, empty, empty, empty,
        empty, empty, empty, empty, empty, empty, empty, empty,
        empty, empty, empty, empty, empty, empty, empty, empty,
        empty, empty, empty, empty, empty, empty, empty, empty,
        wPawn, wPawn, wPawn, wPawn, wPawn, wPawn, wPawn, wPawn,
        wPawn, wPawn, wPawn, wPawn, wPawn, wPawn, wPawn, wPawn;
";

/// Figure 27.
const CONNECT_4: &str = "
players = white, black;

pieces = empty(black, white), bPawn(black), wPawn(white);

rule empty = [0, 0, LowestUnoccupied];
rule bPawn = [0, 0, False];
rule wPawn = [0, 0, False];

board_size = 7, 6;
board = empty, empty, empty, empty, empty, empty, empty,
        empty, empty, empty, empty, empty, empty, empty,
        empty, empty, empty, empty, empty, empty, empty,
        empty, empty, empty, empty, empty, empty, empty,
        empty, empty, empty, empty, empty, empty, empty,
        empty, empty, empty, empty, empty, empty, empty;
";

/// Figure 28.
const TIC_TAC_TOE: &str = "
players = white, black;

pieces = empty(black, white), o(black), x(white);

rule empty = [0, 0, True];
rule x     = [0, 0, False];
rule o     = [0, 0, False];

board_size = 3, 3;
board = empty, empty, empty,
        empty, empty, empty,
        empty, empty, empty;
";

fn win(winner: &str) -> Option<Vec<i64>> {
    Some(if winner == "white" { vec![100, 0] } else { vec![0, 100] })
}

fn breakthrough() -> Environment {
    let mut registry = Registry::new();
    registry
        .terminal("BlackArrives", |view| {
            view.squares_of("bPawn").any(|(_, y)| y == 0).then(|| win("black")).flatten()
        })
        .terminal("WhiteArrives", |view| {
            view.squares_of("wPawn").any(|(_, y)| y == 7).then(|| win("white")).flatten()
        })
        .terminal("NoMoves", |view| {
            let winner = if view.current() == "white" { "black" } else { "white" };
            view.stuck().then(|| win(winner)).flatten()
        });
    load(&Source::new("figure_25.abg", BREAKTHROUGH), &registry)
}

/// Whether `length` pieces of a kind stand in a row.
fn connected(view: &View<'_>, piece: &str, length: i64) -> bool {
    view.squares_of(piece).any(|(x, y)| {
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|(dx, dy)| {
            (1..length).all(|step| view.piece_at(x + step * dx, y + step * dy) == Some(piece))
        })
    })
}

/// Games in which a piece of the current player is placed, and `length` in a row win.
fn placing(registry: &mut Registry, white: &'static str, black: &'static str, length: i64) {
    let own = move |player: &str| if player == "white" { white } else { black };
    registry
        .effect(
            "Default",
            move |change| {
                let ((x, y), piece) = (change.this(), own(change.view().current()));
                change.put(x, y, piece);
            },
            |change, ()| {
                let (x, y) = change.this();
                change.put(x, y, "empty");
            },
        )
        .terminal("Connected", move |view| {
            let player = view.current();
            connected(view, own(player), length).then(|| win(player)).flatten()
        })
        .terminal("NoMoves", |view| view.stuck().then(|| vec![50, 50]));
}

fn connect_4() -> Environment {
    let mut registry = Registry::new();
    registry.predicate("LowestUnoccupied", |view| {
        let below = view.this().map(|(x, y)| view.piece_at(x, y - 1));
        view.holds("empty") && below != Some(Some("empty"))
    });
    placing(&mut registry, "wPawn", "bPawn", 4);
    load(&Source::new("figure_27.abg", CONNECT_4), &registry)
}

fn tic_tac_toe() -> Environment {
    let mut registry = Registry::new();
    placing(&mut registry, "x", "o", 3);
    load(&Source::new("figure_28.abg", TIC_TAC_TOE), &registry)
}

#[test]
fn figure_25_is_breakthrough() {
    let counted = perft(&mut breakthrough(), 3).expect("no fault");
    assert_eq!(counted.leaves, 11_132);
    assert_eq!(
        counted,
        perft(&mut load(&bundled("breakthrough.abg"), &Registry::new()), 3).expect("no fault")
    );
}

#[test]
fn figure_27_is_connect_4() {
    let counted = perft(&mut connect_4(), 5).expect("no fault");
    assert_eq!(counted.leaves, 16_807);
}

#[test]
fn figure_28_is_tic_tac_toe() {
    let counted = perft(&mut tic_tac_toe(), 9).expect("no fault");
    assert_eq!(counted, Perft { leaves: 127_872, states: 549_946 });
}

#[test]
fn what_the_figures_leave_out_is_said_until_it_is_registered() {
    let codes = |text: &str, externals: &Externals| -> Vec<Code> {
        let (_, found) = check(&Source::new("figure.abg", text), externals);
        found.iter().map(|finding| finding.code).collect()
    };
    let nothing = Externals::default();
    assert_eq!(codes(BREAKTHROUGH, &nothing), [Code::AbgNoWinner]);
    assert_eq!(codes(CONNECT_4, &nothing), [Code::AbgUnknownName]);
    let placed = [Code::AbgNeverPlaced; 2];
    assert_eq!(codes(TIC_TAC_TOE, &nothing), [&[Code::AbgNoWinner][..], &placed].concat());
    let mut registry = Registry::new();
    placing(&mut registry, "x", "o", 3);
    assert_eq!(codes(TIC_TAC_TOE, &registry.externals()), []);
    registry.predicate("LowestUnoccupied", |_| true);
    assert_eq!(codes(CONNECT_4, &registry.externals()), []);
}

#[test]
fn figures_and_our_own_texts_are_the_same_games_to_the_end() {
    let pairs = [
        (breakthrough(), "breakthrough.abg"),
        (connect_4(), "connect_four.abg"),
        (tic_tac_toe(), "tic_tac_toe.abg"),
    ];
    for (mut figure, name) in pairs {
        let mut own = load(&bundled(name), &Registry::new());
        for seed in 0..10 {
            let mut random = common::SeededRandom::new(seed);
            api::reset(&mut figure);
            api::reset(&mut own);
            loop {
                let (left, right) = (figure.result(), own.result());
                assert_eq!(left, right, "{name}");
                if left.is_ok_and(|result| result.is_some()) {
                    break;
                }
                let moves = (figure.moves().expect("no fault"), own.moves().expect("no fault"));
                assert_eq!(moves.0.len(), moves.1.len(), "{name}");
                let number = random.below(moves.0.len());
                figure.play(&moves.0[number]).expect("a legal move");
                let path = moves.0[number].path();
                let same = moves.1.iter().find(|other| other.path() == path);
                own.play(same.expect("the same move")).expect("a legal move");
            }
        }
    }
}

#[test]
fn the_interface_of_appendix_b() -> Result<(), Fault> {
    let mut game = tic_tac_toe();
    assert_eq!(api::get_first_player(&game), "white");
    assert_eq!(api::get_current_player(&game), "white");
    assert_eq!(api::generate_moves(&mut game)?.len(), 9);
    assert!(!api::undo_move(&mut game)?, "nothing was played");

    // Lower left, upper left, lower middle, upper middle, lower right.
    for square in [0, 6, 1, 7, 2] {
        assert!(!api::game_over(&mut game)?);
        assert_eq!(api::get_white_score(&mut game)?, 0);
        let moves = api::generate_moves(&mut game)?;
        let chosen = moves.iter().find(|chosen| chosen.path() == [square, square]);
        api::execute_move(&mut game, chosen.expect("it is empty"))?;
    }
    assert!(api::game_over(&mut game)?);
    assert_eq!(api::get_white_score(&mut game)?, 100);
    assert!(api::generate_moves(&mut game)?.is_empty());

    assert!(api::undo_move(&mut game)?);
    assert!(!api::game_over(&mut game)?);
    assert_eq!(api::get_current_player(&game), "white");
    assert_eq!(api::generate_moves(&mut game)?.len(), 5);
    let planes = api::get_environment_representation(&game);
    let none = vec![0, 0, 0];
    // empty, o, x, and the first player's turn.
    assert_eq!(planes[0], [vec![0, 0, 1], vec![1, 1, 1], vec![0, 0, 1]]);
    assert_eq!(planes[1], [vec![1, 1, 0], none.clone(), none.clone()]);
    assert_eq!(planes[2], [none.clone(), none.clone(), vec![1, 1, 0]]);
    assert_eq!(planes[3], [none.clone(), none.clone(), none]);
    assert_eq!(planes.len(), 4);

    api::reset(&mut game);
    assert_eq!(api::generate_moves(&mut game)?.len(), 9);
    assert!(!api::undo_move(&mut game)?);
    Ok(())
}

#[test]
fn only_legal_moves_are_executed() -> Result<(), Fault> {
    let mut game = tic_tac_toe();
    let first = api::generate_moves(&mut game)?[0].clone();
    api::execute_move(&mut game, &first)?;
    let before = game.state().clone();
    assert_eq!(api::execute_move(&mut game, &first), Err(Fault::NotAMove));
    assert_eq!(*game.state(), before);
    for _ in 0..4 {
        let chosen = api::generate_moves(&mut game)?[1].clone();
        api::execute_move(&mut game, &chosen)?;
    }
    while !api::game_over(&mut game)? {
        let chosen = api::generate_moves(&mut game)?[0].clone();
        api::execute_move(&mut game, &chosen)?;
    }
    assert_eq!(api::execute_move(&mut game, &first), Err(Fault::Over));
    Ok(())
}
