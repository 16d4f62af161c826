//! Programs from outside as players: a good one, and many that misbehave.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use regulus_agents::{Agent, AgentError, Budget, PlayerSpec, Stop};
use regulus_arena::protocol::{Patience, ProgramPlayer};
use regulus_arena::{Conditions, End, GameRecord, play_game};
use regulus_game::{Config, Game};

/// So little that players which never answer are not waited for long, and enough for a busy machine.
const PATIENCE: Patience =
    Patience { start: Duration::from_secs(2), grace: Duration::from_millis(500) };

fn game() -> Arc<Game> {
    Game::load("breakthrough_5x5", &Config::default()).expect("it is bundled")
}

/// A game of a program against a random player, which begins if it is not the program's turn.
fn play(game: &Arc<Game>, words: &[&str]) -> GameRecord {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let random: PlayerSpec = "random".parse().expect("a player");
    let started = ProgramPlayer::start(&words, game, PATIENCE);
    let program: Box<dyn Agent> = match started {
        Ok(player) => Box::new(player),
        Err(error) => Box::new(Broken(error)),
    };
    let mut agents = [program, random.create(game, 1)];
    let budgets = [Budget::time(Duration::from_millis(50)); 2];
    let conditions = Conditions { opening: 0, ..Conditions::default() };
    let played = play_game(game, &mut agents, &budgets, &conditions, 1, &Stop::new());
    played.expect("the game begins")
}

/// A program that could not be started.
#[derive(Debug)]
struct Broken(AgentError);

impl Agent for Broken {
    fn think(
        &mut self,
        _: &regulus_game::Match,
        _: &mut regulus_agents::Task<'_>,
    ) -> Result<regulus_agents::Thought, AgentError> {
        Err(self.0.clone())
    }
}

/// The player of docs/protocol.md plays whole games.
#[test]
fn the_documented_player_plays() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("left out: there is no python3 here");
        return;
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
    let text = std::fs::read_to_string(docs).expect("the document is there");
    let code = text.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    let code = code.expect("the document has a player");
    assert!(code.lines().filter(|line| !line.trim().is_empty()).count() <= 22, "a short player");
    let record = play(&game(), &["python3", "-c", code]);
    assert_eq!(record.end, End::Rules, "{}", record.reason);
    assert!(record.plies.len() > 4);
}

/// What comes before a program does something wrong.
const HELLO: &str = "read line; echo 'hello 1 bad wants legal'; ";
const READY: &str =
    "while read word rest; do case $word in start) echo ready; break;; esac; done; ";
const GO: &str = "while read word rest; do case $word in go) break;; esac; done; ";

#[test]
fn programs_that_misbehave_lose() {
    let game = game();
    let bad = [
        ("exit 0", "has ended"),
        ("exec sleep 100", "in time"),
        ("while true; do echo info; done", "too many lines"),
        ("while true; do echo nonsense; done", "instead of"),
        ("head -c 3000000 /dev/zero | tr '\\0' x; sleep 100", "too long"),
        ("printf '\\377\\376\\n'; sleep 100", "not text"),
        ("kill -9 $$", "has ended"),
        ("exec >&-; sleep 100", "has ended"),
        ("while true; do printf i; sleep 0.05; done", "in time"),
        ("sleep 100 & sleep 100", "in time"),
        // A child holds the output open; whether the program is gone before it is written to is up to chance.
        ("setsid sh -c 'sleep 100' & exit 0", "in time|has ended"),
        ("setsid setsid sleep 100 & echo nonsense; sleep 100", "instead of"),
    ];
    let mut tried = 0;
    for phase in [String::new(), HELLO.to_owned(), format!("{HELLO}{READY}{GO}")] {
        for (behaviour, reason) in bad {
            let record = play(&game, &["sh", "-c", &format!("{phase}{behaviour}")]);
            assert_eq!(record.end, End::Forfeit, "{phase}{behaviour}: {}", record.reason);
            let is_said = reason.split('|').any(|reason| record.reason.contains(reason));
            assert!(is_said, "{phase}{behaviour}: {}", record.reason);
            assert_eq!(record.results, [0.0, 1.0]);
            tried += 1;
        }
    }
    let go = format!("{HELLO}{READY}{GO}");
    for (behaviour, reason) in [
        ("echo 'move a9-a9'; sleep 100", "not legal"),
        ("echo 'move '; sleep 100", "not legal"),
        ("echo 'move a1-a2 a1-a3 a1-a4'; sleep 100", "not legal"),
        ("echo 'move a4-a3'; sleep 100", "not legal"),
    ] {
        let record = play(&game, &["sh", "-c", &format!("{go}{behaviour}")]);
        assert_eq!(record.end, End::Forfeit, "{behaviour}: {}", record.reason);
        assert!(record.reason.contains(reason), "{behaviour}: {}", record.reason);
        tried += 1;
    }
    for words in [&["/no/such/program"][..], &["/"]] {
        let record = play(&game, words);
        assert!(record.reason.contains("cannot be started"), "{}", record.reason);
        tried += 1;
    }
    let record = play(&game, &["sh", "-c", "read line; echo hello 7 odd; sleep 100"]);
    assert!(record.reason.contains("version"), "{}", record.reason);
    assert!(tried >= 42);
    assert_eq!(survivors(), 0, "no program is left");
}

/// How many processes that this test has started are still there.
fn survivors() -> usize {
    let mark = format!("REGULUS_PROGRAM={}-", std::process::id());
    let Ok(processes) = std::fs::read_dir("/proc") else { return 0 };
    let environment = |process: std::fs::DirEntry| std::fs::read(process.path().join("environ"));
    let marked = |bytes: &Vec<u8>| {
        bytes.split(|&byte| byte == 0).any(|part| part.starts_with(mark.as_bytes()))
    };
    processes.flatten().filter_map(|process| environment(process).ok()).filter(marked).count()
}
