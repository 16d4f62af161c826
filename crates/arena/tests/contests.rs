//! Contests, their records and transcripts.

use std::path::PathBuf;
use std::sync::Arc;

use regulus_agents::Budget;
use regulus_arena::{
    Conditions, Contest, Contestant, End, GameRecord, Keeper as _, Schedule, Setup, Store,
    Transcript,
};
use regulus_game::{Config, EngineKind, Game, bundled};

fn load(name: &str) -> Arc<Game> {
    let config = Config { engine: EngineKind::Plan, ..Config::default() };
    Game::load(name, &config).expect("it is bundled")
}

fn contest(games: &[&str], players: &[&str]) -> Contest {
    let games = games.iter().map(|name| load(name)).collect();
    let parse = |text: &&str| text.parse::<Contestant>().expect("a player");
    let conditions = Conditions { budget: Budget::iterations(40), ..Conditions::default() };
    Contest::new(games, players.iter().map(parse).collect(), conditions)
}

fn play(contest: &Contest, schedule: &Schedule, threads: usize) -> Vec<GameRecord> {
    let mut records = Vec::new();
    contest.play(schedule.fixtures(), threads, &mut records).expect("the games are played");
    records.sort_by_key(|record: &GameRecord| record.number);
    // Times are different each time.
    records
        .iter_mut()
        .flat_map(|record| &mut record.plies)
        .for_each(|ply| ply.time = Default::default());
    records
}

/// A file that is removed at the end of a test.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> File {
        let name = format!("regulus-{}-{name}.db", std::process::id());
        File(std::env::temp_dir().join(name))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        for ending in ["", "-wal", "-shm"] {
            let mut path = self.0.clone().into_os_string();
            path.push(ending);
            let _ = std::fs::remove_file(path);
        }
    }
}

fn setup(fixtures: usize) -> Setup {
    let players = vec!["uct".to_owned(), "random".to_owned()];
    Setup { text: "one\ntwo".to_owned(), players, fixtures: fixtures as u64 }
}

#[test]
fn threads_and_shards_do_not_change_the_games() {
    let contest = contest(&["tic_tac_toe", "breakthrough_5x5"], &["uct", "flat", "random"]);
    let schedule = Schedule::round_robin(&[2, 2], 3, 2, 7);
    let records = play(&contest, &schedule, 1);
    assert_eq!(records.len(), 24);
    assert_eq!(records, play(&contest, &schedule, 3));
    let mut shards: Vec<GameRecord> =
        (0..4).flat_map(|index| play(&contest, &schedule.clone().shard(index, 4), 1)).collect();
    shards.sort_by_key(|record| record.number);
    assert_eq!(records, shards);
    // Each opening is played from both seats.
    for pair in records.chunks(2) {
        assert_eq!(pair[0].players[0], pair[1].players[1]);
        let opening = |record: &GameRecord| record.plies[..record.opening].to_vec();
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
    }
}

#[test]
fn records_come_back_from_a_file() {
    let contest = contest(&["breakthrough_5x5"], &["uct", "random"]);
    let schedule = Schedule::single(2, 6, 1);
    let file = File::new("records");
    let mut store = Store::open(&file.0, &setup(6)).expect("a new file");
    contest.play(schedule.fixtures(), 2, &mut store).expect("the games are played");
    let mut found = Vec::new();
    let visited = store.visit(&mut |record| {
        found.push(record);
        Ok(())
    });
    visited.expect("the file can be read");
    found
        .iter_mut()
        .flat_map(|record| &mut record.plies)
        .for_each(|ply| ply.time = Default::default());
    assert_eq!(found, play(&contest, &schedule, 1));
    // Nothing is played twice.
    for fixture in schedule.fixtures() {
        assert!(!store.claim(fixture).expect("the file can be read"));
    }
    let other = Setup { text: "one\nthree".to_owned(), ..setup(6) };
    let error = Store::open(&file.0, &other).expect_err("it is another contest");
    assert!(error.to_string().contains("`two` there, `three` here"), "{error}");
}

#[test]
fn two_processes_share_a_file_and_the_games_of_dead_ones_are_played() {
    let file = File::new("claims");
    let schedule = Schedule::single(2, 3, 1);
    let mut store = Store::open(&file.0, &setup(3)).expect("a new file");
    let connection = rusqlite::Connection::open(&file.0).expect("the same file");
    let claim = |number: i64, process: &str| {
        connection
            .execute("INSERT INTO claims VALUES (?1, ?2)", (number, process))
            .expect("the table is there");
    };
    // A process that has never been, and one that runs: this one, when it began.
    claim(0, "4194999 17");
    let stat = std::fs::read_to_string("/proc/1/stat").unwrap_or_default();
    let began = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(19));
    claim(1, &format!("1 {}", began.unwrap_or_default()));
    let claimed: Vec<bool> = schedule
        .fixtures()
        .iter()
        .map(|fixture| store.claim(fixture).expect("the file can be read"))
        .collect();
    let gone = std::path::Path::new("/proc/self/stat").exists();
    assert_eq!(claimed, [gone, false, true]);
}

#[test]
fn files_of_one_contest_are_merged_and_others_refused() {
    let contest = contest(&["tic_tac_toe"], &["flat", "random"]);
    let schedule = Schedule::single(2, 8, 1);
    let (one, other, all) = (File::new("one"), File::new("other"), File::new("all"));
    for (index, file) in [&one, &other].into_iter().enumerate() {
        let mut store = Store::open(&file.0, &setup(8)).expect("a new file");
        let shard = schedule.clone().shard(index as u64, 2);
        contest.play(shard.fixtures(), 1, &mut store).expect("the games are played");
    }
    let mut merged = Store::open(&all.0, &setup(8)).expect("a new file");
    assert_eq!(merged.merge(&one.0).expect("the same contest"), 4);
    assert_eq!(merged.merge(&other.0).expect("the same contest"), 4);
    assert_eq!(merged.merge(&other.0).expect("nothing new"), 0);
    assert_eq!(merged.count().expect("it can be read"), 8);
    let strange = File::new("strange");
    Store::open(&strange.0, &setup(9)).expect("a new file");
    assert!(merged.merge(&strange.0).is_err());
    assert!(merged.merge(&PathBuf::from("no such file")).is_err());
}

/// A damaged file is told, and nothing panics.
#[test]
fn files_that_are_no_records_are_refused() {
    let file = File::new("text");
    std::fs::write(
        &file.0,
        "this is not a database, but a text that is long enough to be read as one".repeat(40),
    )
    .expect("it can be written");
    assert!(Store::open(&file.0, &setup(1)).is_err());
    let damaged = File::new("damaged");
    let store = Store::open(&damaged.0, &setup(1)).expect("a new file");
    let connection = rusqlite::Connection::open(&damaged.0).expect("the same file");
    let row = "INSERT INTO games VALUES (0, 'g', 1, 'a\nb', '0 1', 0, 'x\ny', '0 7', '- -', '1 2', '1 0', 'rules', '')";
    connection.execute(row, []).expect("the table is there");
    assert!(store.visit(&mut |_| Ok(())).is_err());
}

/// Games of every bundled game are written, read and replayed.
#[test]
fn transcripts_come_back_for_every_game() {
    let mut games = 0;
    for name in bundled::names() {
        // Whole turns of arimaa have too many moves to name.
        let game = load(name);
        let players = vec!["random".parse::<Contestant>().expect("a player"); game.player_count()];
        let conditions = Conditions { longest: 12, ..Conditions::default() };
        let contest = Contest::new(vec![Arc::clone(&game)], players, conditions);
        let mut records: Vec<GameRecord> = Vec::new();
        let schedule = Schedule::single(game.player_count(), 1, 3);
        contest.play(schedule.fixtures(), 1, &mut records).expect("the game is played");
        assert!(records[0].counts(), "{name}: {}", records[0].reason);
        let transcript = Transcript::of(&records[0], &["random".to_owned()]);
        let mut read = Transcript::read(&transcript.to_string()).expect("it can be read");
        let ended = read
            .replay(&game, &mut |_, _| Ok(()))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(ended.line().len(), records[0].plies.len());
        // Lines, and times of openings, are not in a transcript that was not read.
        assert_eq!(read.moves.len(), transcript.moves.len());
        read.moves.iter_mut().for_each(|entry| entry.line = 0);
        assert_eq!(read.to_string(), transcript.to_string());
        games += 1;
    }
    assert!(games >= 57);
}

#[test]
fn bad_transcripts_are_told_with_their_lines() {
    let game = load("tic_tac_toe");
    let good = "regulus transcript 1\ngame: tic_tac_toe\n\n1. crosses a1\n2. noughts b2\n";
    let problem = |text: &str| match Transcript::read(text) {
        Err(error) => error.to_string(),
        Ok(transcript) => match transcript.replay(&game, &mut |_, _| Ok(())) {
            Err(error) => error.to_string(),
            Ok(_) => "none".to_owned(),
        },
    };
    assert_eq!(problem(good), "none");
    for (bad, wanted) in [
        ("", "line 1: a transcript begins"),
        (&good.replace("game: tic_tac_toe", ""), "does not name its game"),
        (&good.replace("2. noughts b2", "2. noughts a1"), "line 5: `a1` is not a legal move"),
        (&good.replace("2. noughts b2", "2. crosses b2"), "line 5: it is noughts's turn"),
        (&good.replace("2. noughts", "3. noughts"), "line 5: this should be move 2"),
        (&good.replace("2. noughts b2", "2. noughts"), "line 5: `noughts` is not a move"),
        (&good.replace("2. noughts b2", "so what"), "line 5: `so what` is neither"),
        (&good.replace("game:", "color: red\ngame:"), "line 2: `color` means nothing"),
        (&good.replace("1. crosses", "seed: minus\n1. crosses"), "line 4: `minus` is not a whole"),
    ] {
        assert!(problem(bad).contains(wanted), "{bad}\n{}", problem(bad));
    }
}

/// A game that goes on too long is a draw, and one whose player cannot be started is lost.
#[test]
fn games_end_in_other_ways() {
    let schedule = Schedule::single(2, 2, 1);
    let parse = |text: &str| text.parse::<Contestant>().expect("a player");
    let conditions = Conditions { longest: 5, ..Conditions::default() };
    let contest = Contest::new(
        vec![load("breakthrough")],
        vec![parse("random"), parse("random")],
        conditions,
    );
    let records = play(&contest, &schedule, 1);
    assert!(
        records.iter().all(|record| record.end == End::TooLong && record.results == [0.5, 0.5])
    );
    let players = vec![parse("random"), parse("program:/no/such/program")];
    let contest = Contest::new(vec![load("breakthrough")], players, Conditions::default());
    let records = play(&contest, &schedule, 1);
    assert!(records.iter().all(|record| record.end == End::Forfeit && record.points_of(0) == 1.0));
}
