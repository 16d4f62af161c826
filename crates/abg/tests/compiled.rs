//! The functions of appendix B give the same answers on compiled games as on the interpreter.

use regulus_abg::{Compiled, Environment, Registry, api};
use regulus_engine::Walk;
use regulus_lang::{Source, compile};

#[test]
fn agents_see_the_same_on_both() {
    for name in ["breakthrough_4x4", "tic_tac_toe", "trio", "animal_shogi"] {
        let path = format!("{}/../../games/abg/{name}.abg", env!("CARGO_MANIFEST_DIR"));
        let source = Source::new(&path, std::fs::read_to_string(&path).expect("the game is there"));
        let automaton = compile(&source).automaton.expect("no errors");
        let mut compiled = Compiled::new(Walk::new(automaton)).expect("no fault");
        let mut direct = Environment::load(&source, &Registry::new()).expect("no errors");
        assert_eq!(compiled.get_first_player(), Some(api::get_first_player(&direct)));
        let first = compiled.get_environment_representation();
        assert_eq!(first, api::get_environment_representation(&direct), "{name}");
        let mut played = 0;
        while !compiled.game_over().expect("no fault") && played < 60 {
            assert!(!api::game_over(&mut direct).expect("no fault"));
            assert_eq!(compiled.get_current_player(), Some(api::get_current_player(&direct)));
            // Some move, and the one that leads to the same position on the other side.
            let moves = compiled.generate_moves().expect("no fault");
            compiled.execute_move(&moves[played * 7 % moves.len()]).expect("legal");
            let wanted = &compiled.get_environment_representation()[..first.len() - 1];
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
        assert_eq!(
            api::game_over(&mut direct).expect("no fault"),
            compiled.game_over().expect("no fault")
        );
        if compiled.game_over().expect("no fault") {
            let score = api::get_white_score(&mut direct).expect("no fault");
            assert_eq!(i64::from(compiled.get_white_score()), score, "{name}");
        }
        assert!(compiled.undo_move());
        compiled.reset();
        api::reset(&mut direct);
        assert!(!compiled.undo_move());
        assert_eq!(compiled.get_environment_representation(), first);
        assert_eq!(api::get_environment_representation(&direct), first);
    }
}
