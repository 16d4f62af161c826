//! The functions of appendix B give the same answers on compiled games as on the interpreter.

use regulus_abg::{Environment, Registry, api, match_api};
use regulus_game::{Config, EngineKind, Game, Match};
use regulus_lang::Source;

#[test]
fn agents_see_the_same_on_both() {
    for name in ["breakthrough_4x4", "tic_tac_toe", "trio", "animal_shogi"] {
        let path = format!("{}/../../games/abg/{name}.abg", env!("CARGO_MANIFEST_DIR"));
        let source = Source::new(&path, std::fs::read_to_string(&path).expect("the game is there"));
        let config = Config { engine: EngineKind::Walk, ..Config::default() };
        let game = Game::new(source.clone(), &config).expect("no errors");
        let mut compiled = Match::new(&game).expect("no fault");
        let mut direct = Environment::load(&source, &Registry::new()).expect("no errors");
        assert_eq!(match_api::get_first_player(&compiled), Some(api::get_first_player(&direct)));
        let first = match_api::get_environment_representation(&compiled);
        assert_eq!(first, api::get_environment_representation(&direct), "{name}");
        let mut played = 0;
        while !match_api::game_over(&compiled) && played < 60 {
            assert!(!api::game_over(&mut direct).expect("no fault"));
            assert_eq!(
                match_api::get_current_player(&compiled),
                Some(api::get_current_player(&direct))
            );
            // Some move, and the one that leads to the same position on the other side.
            let moves = match_api::generate_moves(&compiled).expect("no fault");
            match_api::execute_move(&mut compiled, &moves[played * 7 % moves.len()])
                .expect("legal");
            let wanted = &match_api::get_environment_representation(&compiled)[..first.len() - 1];
            let others = api::generate_moves(&mut direct).expect("no fault");
            let found = others.iter().any(|other| {
                api::execute_move(&mut direct, other).expect("legal");
                let same =
                    &api::get_environment_representation(&direct)[..first.len() - 1] == wanted;
                if !same {
                    api::undo_move(&mut direct).expect("no fault");
                }
                same
            });
            assert!(found, "{name}: after {played} moves");
            played += 1;
        }
        assert_eq!(api::game_over(&mut direct).expect("no fault"), match_api::game_over(&compiled));
        if match_api::game_over(&compiled) {
            let score = api::get_white_score(&mut direct).expect("no fault");
            assert_eq!(match_api::get_white_score(&compiled).map(i64::from), Some(score), "{name}");
        }
        assert!(match_api::undo_move(&mut compiled));
        match_api::reset(&mut compiled).expect("no fault");
        api::reset(&mut direct);
        assert!(!match_api::undo_move(&mut compiled));
        assert_eq!(match_api::get_environment_representation(&compiled), first);
        assert_eq!(api::get_environment_representation(&direct), first);
    }
}
