//! The server is killed again and again in the middle of games, and nothing is lost that it had told of.
//!
//! `REGULUS_KILLS` says how many times (8 unless told).

#![expect(clippy::print_stdout, reason = "says how much was played")]

#[expect(dead_code, reason = "other tests use the rest of it")]
mod crowd;
#[expect(dead_code, reason = "other tests use the rest of it")]
mod served;

use std::time::Duration;

use crowd::{Guest, Random, Trouble};
use served::Served;

/// How many matches are played at a time.
const MATCHES: u64 = 6;

/// How long the server lives on average, once all clients play.
const LIFE: Duration = Duration::from_millis(200);

/// Plays without a pause until the server is gone; a match that is over is left for a new one. Returns the last match, and those
/// that are over.
async fn play_on(mut guest: Guest) -> Result<(Guest, Vec<Guest>), String> {
    let mut over = Vec::new();
    loop {
        let done = if guest.is_over {
            let next = Guest::begin(&guest.address, guest.random.clone()).await;
            next.map(|next| over.push(std::mem::replace(&mut guest, next)))
        } else {
            guest.play(|_, _| ()).await
        };
        match done {
            Ok(()) => {}
            Err(Trouble::Lost(_)) => return Ok((guest, over)),
            Err(Trouble::Wrong(what)) => return Err(what),
        }
    }
}

/// Looks at a match of a server that was killed, and goes on with it.
async fn resume(guest: &mut Guest, address: &str) -> Result<(), Trouble> {
    address.clone_into(&mut guest.address);
    guest.connect().await?;
    guest.compare().await?;
    if !guest.is_over {
        guest.play(|_, _| ()).await?;
    }
    Ok(())
}

#[test]
fn moves_that_were_told_survive_kills() {
    let kills = std::env::var("REGULUS_KILLS").ok();
    let kills: u64 = kills.map_or(8, |kills| kills.parse().expect("a number"));
    let folder = std::env::temp_dir().join(format!("regulus-kills-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let data = folder.join("matches.sqlite");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("threads");
    let mut served = Served::start(Some(&data));
    let mut random = Random(1);
    let begin = |number| Guest::begin(&served.address, Random(number << 32));
    let mut guests: Vec<Guest> =
        (1..=MATCHES).map(|number| runtime.block_on(begin(number)).expect("it begins")).collect();
    let mut over: Vec<Guest> = Vec::new();
    for kill in 1..=kills {
        let playing: Vec<_> = guests.drain(..).map(|guest| runtime.spawn(play_on(guest))).collect();
        std::thread::sleep(random.around(LIFE));
        served.kill();
        for task in playing {
            let (guest, ended) = runtime.block_on(task).expect("no panic").expect("as promised");
            guests.push(guest);
            over.extend(ended);
        }
        served = Served::start(Some(&data));
        for guest in &mut guests {
            let resumed = runtime.block_on(resume(guest, &served.address));
            resumed.unwrap_or_else(|trouble| panic!("after kill {kill}: {trouble}"));
        }
    }
    let moves: usize = guests.iter().chain(&over).map(|guest| guest.nodes.len() - 1).sum();
    for guest in &mut over {
        let compared = runtime.block_on(resume(guest, &served.address));
        compared.unwrap_or_else(|trouble| panic!("a match that is over: {trouble}"));
    }
    println!("{kills} kills, {moves} moves, {} games played to their end", over.len());
    assert!(moves as u64 > kills * MATCHES, "only {moves} moves were made");
    served.kill();
    let _ = std::fs::remove_dir_all(&folder);
}
