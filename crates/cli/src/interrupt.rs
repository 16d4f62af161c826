//! Ctrl-C for commands whose work can be gone on with: the first one lets them come to an end, the second one does not wait for it.

use regulus_agents::Stop;
use regulus_server::told_to_end;

/// The exit status of programs that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// A switch that is turned when the process is told to end: by Ctrl-C or, where there is such a thing, by a request of the system to
/// terminate. Where it cannot be told, Ctrl-C ends the process as always.
pub(crate) fn stop_when_told() -> Stop {
    let stop = Stop::new();
    let told = stop.clone();
    let listen = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            told_to_end().await;
            told.stop();
            told_to_end().await;
            std::process::exit(INTERRUPTED);
        });
    };
    // Without the thread there is no other handler, either.
    let _ = std::thread::Builder::new().name("interrupt".to_owned()).spawn(listen);
    stop
}
