//! Many games at once on one server: nothing is lost, whatever else it is asked for meanwhile.
//!
//! | variable | what it says | unless told |
//! | --- | --- | --- |
//! | `REGULUS_LOAD_GAMES` | how many games are played at a time | 60 |
//! | `REGULUS_LOAD_SECONDS` | how long | 4 |
//! | `REGULUS_LOAD_PAUSE` | how many milliseconds a player waits before a move on average; 0 is not at all | 1000 |
//!
//! How long answers take is printed and not judged. Halfway texts are sent that ask for as much time and memory as they can; they
//! are refused, and the games go on.

#![expect(clippy::print_stdout, reason = "times are printed, not judged")]

mod crowd;
#[expect(dead_code, reason = "other tests use the rest of it")]
mod served;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crowd::{Answer, Guest, Random, Trouble, ask};
use serde_json::{Value, json};
use served::{Served, client};
use tokio::sync::{Barrier, Semaphore};
use tokio::task::JoinSet;

/// What happens beside the games.
const PHASES: [&str; 3] = ["before hostile texts", "during hostile texts", "after them"];
/// The games are over.
const END: usize = PHASES.len();

/// How many clients connect at a time.
const CONNECTING: usize = 32;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// An answer: in which phase it was asked for, what it was, and how long it took.
type Sample = (usize, Answer, Duration);

/// What a client has done.
#[derive(Default)]
struct Tally {
    samples: Vec<Sample>,
    guests: Vec<Guest>,
}

/// Plays until the games are over.
async fn play(
    address: String,
    random: Random,
    pause: Duration,
    phase: Arc<AtomicUsize>,
    (gate, ready): (Arc<Semaphore>, Arc<Barrier>),
) -> Result<Tally, Trouble> {
    let mut tally = Tally::default();
    let turn = gate.acquire().await.expect("it stays open");
    let mut guest = Guest::begin(&address, random).await?;
    drop(turn);
    ready.wait().await;
    loop {
        tokio::time::sleep(guest.random.around(pause)).await;
        let now = phase.load(Ordering::Relaxed);
        if now == END {
            guest.leave().await;
            tally.guests.push(guest);
            return Ok(tally);
        }
        if guest.is_over {
            let next = Guest::begin(&address, guest.random.clone()).await?;
            guest.leave().await;
            tally.guests.push(std::mem::replace(&mut guest, next));
        }
        guest.play(|answer, time| tally.samples.push((now, answer, time))).await?;
    }
}

/// A game for one player with more moves than can be listed; it can be begun all the same, and moves be built.
const MILLION: &str = "a million moves";

/// Texts that ask for more than a server can give, for one player.
fn hostile_texts() -> Vec<(&'static str, String)> {
    let game = |macros: &str, board: &str, rules: &str| {
        format!(
            "#players = a(1)\n#pieces = e, x\n#variables =\n{macros}#board = rectangle(up, down, left, right, {board})\n\
            #rules = {rules}\n"
        )
    };
    let doubled: String =
        (1..60).map(|level| format!("#m{level} = m{last} m{last}\n", last = level - 1)).collect();
    let row = |squares: usize| format!("[{}]", vec!["e"; squares].join(","));
    let any = "#any = (left* + right*)(up* + down*)\n";
    vec![
        (
            "exponential macro",
            game(&format!("#m0 = left right\n{doubled}"), "[e,e]", "->a m59 {e} [x] ->> {}"),
        ),
        ("huge board", game("", &row(255).repeat(255), "->a {e} [x] ->> {}")),
        ("endless keeper", game("", "[e,e]", "->> ([x] ->> [e] ->>)* {x} ->a {}")),
        (MILLION, game(any, &row(12).repeat(12), "->a any {e} [x] any {e} [x] any {e} [x] ->> {}")),
        (
            "deep nesting",
            game(
                "",
                "[e,e]",
                &format!("->a {}{{e}}{} [x] ->> {{}}", "(".repeat(100_000), ")".repeat(100_000)),
            ),
        ),
        ("deep look-aheads", game("", "[e,e]", &format!("->a {}", "{? left ".repeat(100_000)))),
    ]
}

/// Begins a match of a hostile text; returns why that is refused, or its first move.
async fn begin_hostile(address: &str, text: &str, number: usize) -> Result<String, Trouble> {
    let game = json!({ "text": text });
    let request = json!({ "game": game, "seats": ["person"], "client": client(number) });
    let (status, body) = ask(address, "POST", "/api/matches", &request.to_string()).await?;
    if status != 201 {
        return said(status, &body);
    }
    // A move cannot be found by its name among too many.
    let mut guest = Guest::begin_game(address, &game, 1, Random(number as u64)).await?;
    guest.refusal(&json!({ "type": "play", "node": 0, "move": "a1" })).await
}

/// Checks a hostile text; returns what is said against it.
async fn check_hostile(address: &str, text: &str) -> Result<String, Trouble> {
    let request = json!({ "text": text });
    let (status, body) = ask(address, "POST", "/api/check", &request.to_string()).await?;
    said(status, &body)
}

/// What an answer says against a text; nothing if it is good.
fn said(status: u16, body: &str) -> Result<String, Trouble> {
    let answer: Value =
        serde_json::from_str(body).map_err(|error| Trouble::Wrong(format!("{error}: {body}")))?;
    let message = answer["message"].as_str().or(answer["error"]["message"].as_str());
    match (status, message) {
        (200 | 400..=499, Some(message)) => Ok(message.to_owned()),
        (200, None) => Ok(String::new()),
        _ => Err(Trouble::Wrong(format!("{status} {body}"))),
    }
}

/// Sends all hostile texts at the same time; prints what is said and how long it takes.
async fn send_hostile(address: &str) {
    let mut tasks = JoinSet::new();
    for (number, (name, text)) in hostile_texts().into_iter().enumerate() {
        let (address, text) = (address.to_owned(), Arc::new(text));
        let (other_address, other_text) = (address.clone(), Arc::clone(&text));
        tasks.spawn(async move {
            let began = Instant::now();
            let said = begin_hostile(&address, &text, number).await;
            (name, "/api/matches", said, began.elapsed())
        });
        tasks.spawn(async move {
            let began = Instant::now();
            let said = check_hostile(&other_address, &other_text).await;
            (name, "/api/check", said, began.elapsed())
        });
    }
    while let Some(done) = tasks.join_next().await {
        let (name, path, said, time) = done.expect("no panic");
        let said = said.unwrap_or_else(|trouble| panic!("{name}, {path}: {trouble}"));
        assert_eq!(said.is_empty(), (name, path) == (MILLION, "/api/check"), "{name}: {said}");
        let words: String = said.chars().take(60).collect();
        println!("{name:>18} {path:<13} {:>6.2} s  {words}", time.as_secs_f64());
    }
}

/// How long answers took, in milliseconds.
fn print_times(samples: &[Sample]) {
    println!("{:<30} {:>8} {:>7} {:>7} {:>7} {:>7}", "ms", "answers", "p50", "p90", "p99", "most");
    for (phase, words) in PHASES.iter().enumerate() {
        for (kind, name) in [(Answer::Move, "moves"), (Answer::Choices, "choices")] {
            let chosen = samples.iter().filter(|sample| (sample.0, sample.1) == (phase, kind));
            let mut times: Vec<f64> = chosen.map(|(_, _, time)| time.as_secs_f64() * 1e3).collect();
            times.sort_by(f64::total_cmp);
            let Some(last) = times.len().checked_sub(1) else { continue };
            let at = |part: f64| times[(last as f64 * part).round() as usize];
            println!(
                "{:<30} {:>8} {:>7.1} {:>7.1} {:>7.1} {:>7.1}",
                format!("{name} {words}"),
                times.len(),
                at(0.5),
                at(0.9),
                at(0.99),
                at(1.0)
            );
        }
    }
}

/// A line of what Linux tells about a process; empty elsewhere.
fn memory(process: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let found = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    found.unwrap_or("unknown").trim().to_owned()
}

#[test]
fn many_games_at_once_lose_nothing() {
    let games = setting("REGULUS_LOAD_GAMES", 60) as usize;
    let half = Duration::from_millis(setting("REGULUS_LOAD_SECONDS", 4) * 500);
    let pause = Duration::from_millis(setting("REGULUS_LOAD_PAUSE", 1_000));
    let folder = std::env::temp_dir().join(format!("regulus-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let served = Served::start(Some(&folder.join("matches.sqlite")));
    let process = served.process.id();
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build().expect("threads");
    runtime.block_on(async {
        let phase = Arc::new(AtomicUsize::new(0));
        let ready = Arc::new(Barrier::new(games + 1));
        let gate = Arc::new(Semaphore::new(CONNECTING));
        let mut tasks = JoinSet::new();
        for number in 1..=games as u64 {
            let gates = (Arc::clone(&gate), Arc::clone(&ready));
            let (address, phase) = (served.address.clone(), Arc::clone(&phase));
            tasks.spawn(play(address, Random(number << 32), pause, phase, gates));
        }
        // A client that cannot connect would be waited for in vain.
        tokio::select! {
            _ = ready.wait() => {}
            Some(failed) = tasks.join_next() => panic!("{:?}", failed.map(|done| done.err())),
        }
        println!("{games} games, memory {}", memory(process));
        let began = Instant::now();
        tokio::time::sleep(half).await;
        phase.store(1, Ordering::Relaxed);
        send_hostile(&served.address).await;
        phase.store(2, Ordering::Relaxed);
        println!("after hostile texts: memory {}", memory(process));
        tokio::time::sleep(half).await;
        phase.store(END, Ordering::Relaxed);
        let mut all = Tally::default();
        while let Some(done) = tasks.join_next().await {
            let tally = done.expect("no panic").unwrap_or_else(|trouble| panic!("{trouble}"));
            all.samples.extend(tally.samples);
            all.guests.extend(tally.guests);
        }
        let seconds = began.elapsed().as_secs_f64();
        print_times(&all.samples);
        for guest in &all.guests {
            guest.compare().await.unwrap_or_else(|trouble| panic!("{trouble}"));
        }
        let moves = all.samples.iter().filter(|sample| sample.1 == Answer::Move).count();
        let told: usize = all.guests.iter().map(|guest| guest.nodes.len() - 1).sum();
        println!("{moves} moves in {seconds:.1} s, {:.0} a second", moves as f64 / seconds);
        println!("{} matches read again; memory {}", all.guests.len(), memory(process));
        assert_eq!(moves, told, "every move has its node");
        assert!(moves >= games, "only {moves} moves were made");
    });
    drop(served);
    let _ = std::fs::remove_dir_all(&folder);
}
