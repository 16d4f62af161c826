//! A play is the same whatever engine runs it: one order of moves, one game for a seed.

mod common;

use common::games;
use regulus_engine::generator;
use regulus_game::{EngineKind, Match};

#[test]
fn moves_have_one_order_and_a_seed_gives_one_game() {
    let all = [EngineKind::Walk, EngineKind::Plan, EngineKind::Jit].map(games);
    let [walk, others @ ..] = all;
    let mut compared = 0;
    for (at, (name, game)) in walk.iter().enumerate() {
        assert_eq!(game.rules().name(), "walk");
        let mut random = generator(2);
        let mut plays = vec![Match::new(game).expect("the game begins")];
        for (games, engine) in others.iter().zip(["plan", "jit"]) {
            let game = &games[at].1;
            assert_eq!(game.rules().name(), engine, "{name}");
            plays.push(Match::new(game).expect("the game begins"));
        }
        for _ in 0..25 {
            let moves = plays[0].moves().expect("listed");
            assert!(moves.iter().is_sorted(), "{name}");
            for play in &plays[1..] {
                assert_eq!(play.moves().expect("listed"), moves, "{name}");
                assert_eq!(play.outcome(), plays[0].outcome(), "{name}");
                assert_eq!(play.names().expect("listed"), plays[0].names().expect("listed"));
                compared += 1;
            }
            let mut generators = [(); 3].map(|()| random.clone());
            let mut goes_on = true;
            for (play, random) in plays.iter_mut().zip(&mut generators) {
                goes_on &= play.play_random(random).expect("no fault");
            }
            random = generators[0].clone();
            if !goes_on {
                break;
            }
        }
    }
    assert!(compared > 1500, "{compared}");
}

#[test]
fn plays_can_be_taken_back_and_played_again() {
    for (name, game) in games(EngineKind::Auto) {
        let mut random = generator(6);
        let mut play = Match::new(&game).expect("the game begins");
        let mut states = vec![(play.state().clone(), play.position(), play.outcome().clone())];
        while states.len() < 30 && play.play_random(&mut random).expect("no fault") {
            states.push((play.state().clone(), play.position(), play.outcome().clone()));
        }
        let made = play.line().to_vec();
        for (state, position, outcome) in states.iter().rev().skip(1) {
            assert!(play.undo(), "{name}");
            assert_eq!(
                (play.state(), &play.position(), play.outcome()),
                (state, position, outcome)
            );
        }
        assert!(!play.undo() && play.line().is_empty());
        while play.redo().expect("no fault") {}
        assert_eq!(play.line(), made, "{name}");
        assert_eq!(play.state(), &states[states.len() - 1].0, "{name}");
        let (copy, mut other) = (play.clone(), play);
        assert_eq!(copy.position(), other.position());
        other.restart().expect("no fault");
        assert_eq!(other.state(), &states[0].0, "{name}");
    }
}

#[test]
fn planes_say_what_stands_where() {
    for (name, game) in games(EngineKind::Plan) {
        let shape = game.plane_shape();
        let automaton = game.automaton();
        let mut planes = vec![f32::NAN; shape.len()];
        let play = Match::new(&game).expect("the game begins");
        play.planes(&mut planes);
        let size = shape.height * shape.width;
        for (square, _) in automaton.board.squares.iter() {
            let (x, y) = game.grid().place(square);
            for (piece, plane) in automaton.pieces.keys().zip(planes.chunks(size)) {
                let expected = if play.state().piece(square) == piece { 1.0 } else { 0.0 };
                assert_eq!(plane[y * shape.width + x], expected, "{name}");
            }
        }
        let pieces = &planes[..automaton.pieces.len() * size];
        assert_eq!(pieces.iter().sum::<f32>() as usize, automaton.board.squares.len(), "{name}");
        assert!(planes.iter().all(|value| (0.0..=1.0).contains(value)), "{name}");
    }
}

#[test]
fn games_are_shared_by_threads_and_plays_go_to_others() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    fn is_sent<T: Send>(_: &T) {}
    let (_, game) = games(EngineKind::Auto).remove(0);
    is_shared(&game);
    is_sent(&Match::new(&game).expect("the game begins"));
}
