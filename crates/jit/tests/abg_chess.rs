//! Chess in ABG has the known trees of positions that move generators are tested with.

use std::collections::HashMap;

use regulus_automaton::passes;
use regulus_engine::{Counting, Rules as _, perft};
use regulus_jit::{Config, Engine, EngineKind};
use regulus_lang::{Source, compile};

/// Chess with another position: pieces and castling rights as a FEN has them, white to move.
fn chess(position: &str, castling: &str) -> Engine {
    let text = include_str!("../../../games/abg/chess.abg");
    let names = HashMap::from([
        ('p', "Pawn"),
        ('n', "Knight"),
        ('b', "Bishop"),
        ('r', "Rook"),
        ('q', "Queen"),
        ('k', "King"),
    ]);
    let mut squares = Vec::new();
    for (row, line) in position.split('/').enumerate() {
        let mut column = 0;
        for letter in line.chars() {
            if let Some(count) = letter.to_digit(10) {
                squares.extend(std::iter::repeat_n("empty".to_owned(), count as usize));
                column += count;
                continue;
            }
            let side = if letter.is_ascii_uppercase() { 'w' } else { 'b' };
            let home = row == if side == 'w' { 7 } else { 0 };
            let has = |right: char| {
                castling.contains(if side == 'w' { right } else { right.to_ascii_lowercase() })
            };
            let fresh = home
                && match (letter.to_ascii_lowercase(), column) {
                    ('k', 4) => has('K') || has('Q'),
                    ('r', 7) => has('K'),
                    ('r', 0) => has('Q'),
                    _ => false,
                };
            let name = names[&letter.to_ascii_lowercase()];
            squares.push(format!("{side}{}{name}", if fresh { "Fresh" } else { "" }));
            column += 1;
        }
    }
    let (rules, _) = text.rsplit_once("board =").expect("a board at the end");
    let text = format!("{rules}board = {};", squares.join(", "));
    let compilation = compile(&Source::new("chess.abg", text));
    let automaton = compilation.automaton.expect("no errors");
    let config = Config { kind: EngineKind::Jit, ..Config::default() };
    let engine = Engine::new(passes::optimise(automaton, &passes::Config::default()), &config);
    assert_eq!(engine.name(), "jit", "{:?}", engine.native_code());
    engine
}

fn leaves(engine: &Engine, depth: u32) -> u64 {
    let state = engine.initial(&mut engine.scratch()).expect("no fault");
    let history = engine.history(&state);
    let counted = perft(engine, &state, &history, depth, Counting::Each, &mut |_, _| {});
    counted.expect("no fault").leaves
}

#[test]
fn kiwipete() {
    let engine = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R", "KQkq");
    assert_eq!([1, 2, 3, 4].map(|depth| leaves(&engine, depth)), [48, 2039, 97_862, 4_085_603]);
}

#[test]
fn pins_and_passing_pawns() {
    let engine = chess("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8", "");
    let expected = [14, 191, 2812, 43_238, 674_624];
    assert_eq!([1, 2, 3, 4, 5].map(|depth| leaves(&engine, depth)), expected);
}
