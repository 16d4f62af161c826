//! On a machine that does not let memory become executable, games are played by `plan`, and the reason is known.
//!
//! The test takes that right from its own process, so it is alone in its file.

#![cfg(target_os = "linux")]

use regulus_engine::{Counting, Rules as _, perft};
use regulus_jit::{Config, Engine, EngineKind, NativeCode};
use regulus_lang::{Source, compile};

/// Memory that could be written is never made executable.
const PR_SET_MDWE: i32 = 65;
const PR_MDWE_REFUSE_EXEC_GAIN: u64 = 1;

#[test]
#[expect(unsafe_code, reason = "a system call")]
fn games_are_played_by_plan() {
    let none: u64 = 0;
    // SAFETY: the call reads nothing but its numbers; what it takes away is not needed by the rest of the process.
    let taken =
        unsafe { libc::prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, none, none, none) } == 0;
    let text = include_str!("../../../games/rbg/breakthrough.rbg");
    let compiled = compile(&Source::new("breakthrough.rbg", text));
    let automaton = compiled.automaton.expect("no errors");
    let config = Config { kind: EngineKind::Auto, ..Config::default() };
    let engine = Engine::new(automaton, &config);
    engine.wait();
    let mut scratch = engine.scratch();
    let state = engine.initial(&mut scratch).expect("a state");
    let history = engine.history(&state);
    let tree = perft(&engine, &state, &history, 3, Counting::Each, &mut |_, _| {});
    assert_eq!(tree.expect("a count").leaves, 11_132);
    // Kernels before 6.3 do not know how to refuse.
    if taken {
        let NativeCode::IsRefused(reason) = engine.native_code() else {
            panic!("native code runs: {:?}", engine.native_code())
        };
        let reason = reason.to_string();
        assert!(reason.starts_with("this machine does not run native code: "), "{reason}");
    }
}
