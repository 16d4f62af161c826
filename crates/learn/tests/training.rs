//! Runs of training: what they learn, and that they come out the same however they are interrupted and whoever plays the games.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use regulus_agents::{Budget, Net, PlayerSpec, Stop, Task};
use regulus_automaton::{Id as _, Player};
use regulus_engine::generator;
use regulus_game::{Config, Game, Match};
use regulus_learn::{
    Iteration, LearningSearch, Shard, TrainConfig, TrainError, TrainProgress, Training, find_nets,
};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("regulus-learn-{}-{name}", std::process::id()));
    // It is not there unless a test with the same number was interrupted.
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn game() -> Arc<Game> {
    Game::load("breakthrough_4x4", &Config::default()).expect("it is bundled")
}

fn small() -> TrainConfig {
    TrainConfig {
        games: 150,
        nodes: 40,
        sums: 16,
        rounds: 8.0,
        replay: 2,
        measure: 2,
        trial: 6,
        trial_nodes: 30,
        ..TrainConfig::fast()
    }
}

/// A run whose strength does not matter.
fn tiny() -> TrainConfig {
    TrainConfig { games: 20, nodes: 10, sums: 4, rounds: 1.0, ..small() }
}

fn train(config: TrainConfig, folder: &Path) -> Training {
    Training::new(&game(), "breakthrough_4x4", config, folder).expect("it begins")
}

fn iterate(training: &mut Training) -> Iteration {
    let iteration = training.iterate(&Stop::new(), &mut |_| ()).expect("it can be played");
    iteration.expect("it is not stopped")
}

/// The files of a run with what is in them, except times.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            let inner = self::files(&path);
            files.extend(inner.into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else if name != "times.jsonl" {
            files.push((name, fs::read(&path).expect("a file")));
        }
    }
    files.sort();
    files
}

fn assert_same(one: &Path, other: &Path) {
    let (ones, others) = (files(one), files(other));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&ones), names(&others));
    for ((name, one), (_, other)) in ones.iter().zip(&others) {
        assert!(one == other, "{name} differs");
    }
}

#[test]
fn runs_are_the_same_when_they_are_interrupted_and_on_any_number_of_threads() {
    let whole = folder("whole");
    let mut training = train(small(), &whole);
    let told: Vec<Iteration> = (0..4).map(|_| iterate(&mut training)).collect();
    training.write_report().expect("it can be written");
    let parts = folder("parts");
    for number in 1..=4 {
        let config = TrainConfig { threads: 1 + number % 2, ..small() };
        let mut training = train(config, &parts);
        assert_eq!(training.done(), number as u64 - 1);
        // What was stopped has no effect, nor have files that were not finished.
        let stop = Stop::new();
        stop.stop();
        assert!(training.iterate(&stop, &mut |_| ()).expect("nothing fails").is_none());
        for name in ["net-0009.partial", "best.partial", "metrics.partial"] {
            fs::write(parts.join(name), "half a file").expect("it can be written");
        }
        let again = iterate(&mut training);
        assert_eq!(again.json(), told[number - 1].json());
    }
    train(small(), &parts).write_report().expect("it can be written");
    assert_same(&whole, &parts);
    let names: Vec<String> = files(&whole).into_iter().map(|(name, _)| name).collect();
    let expected = [
        "best.safetensors",
        "config.json",
        "lock",
        "metrics.jsonl",
        "net-0001.safetensors",
        "net-0002.safetensors",
        "net-0003.safetensors",
        "net-0004.safetensors",
        "plots/first.svg",
        "plots/length.svg",
        "plots/loss.svg",
        "plots/strength.svg",
        "positions-0003.bin",
        "positions-0004.bin",
        "report.html",
    ];
    assert_eq!(names, expected);
    fs::remove_dir_all(whole).and_then(|()| fs::remove_dir_all(parts)).expect("they are ours");
}

/// Stops an iteration when it tells something of some kind; says whether it did.
fn interrupt(folder: &Path, at: fn(&TrainProgress) -> bool) -> bool {
    let (stop, mut was_there) = (Stop::new(), false);
    let mut watch = |progress: TrainProgress| {
        if at(&progress) {
            was_there = true;
            stop.stop();
        }
    };
    let done = train(tiny(), folder).iterate(&stop, &mut watch).expect("it can be played");
    assert_eq!(done.is_none(), was_there);
    was_there
}

#[test]
fn runs_that_end_between_any_two_files_go_on() {
    let whole = folder("undisturbed");
    let mut training = train(tiny(), &whole);
    (0..4).for_each(|_| drop(iterate(&mut training)));
    drop(training);
    let parts = folder("disturbed");
    iterate(&mut train(tiny(), &parts));
    assert!(interrupt(&parts, |it| matches!(it, TrainProgress::Playing { done: 3, .. })));
    assert!(interrupt(&parts, |it| matches!(it, TrainProgress::Playing { done: 20, .. })));
    assert!(parts.join("games-0002-1-of-1.bin").is_file(), "the games are kept");
    assert!(!interrupt(&parts, |it| matches!(it, TrainProgress::Playing { .. })), "and not played");
    assert_eq!(train(tiny(), &parts).done(), 2);
    iterate(&mut train(tiny(), &parts));
    assert!(interrupt(&parts, |it| matches!(it, TrainProgress::Measuring { done: 1, .. })));
    assert!(parts.join("net-0004.safetensors").is_file(), "the net was written");
    assert_eq!(train(tiny(), &parts).done(), 3, "but the iteration is not done");
    iterate(&mut train(tiny(), &parts));
    assert_same(&whole, &parts);
    // As if killed after the metrics were written: nothing else of the iteration was done.
    let files_before = files(&parts);
    fs::write(parts.join("best.safetensors"), "another net").expect("it can be written");
    fs::write(parts.join("positions-0001.bin"), "old").expect("it can be written");
    fs::write(parts.join("games-0004-1-of-1.bin"), "old").expect("it can be written");
    drop(train(tiny(), &parts));
    assert!(files_before == files(&parts), "they were not put in order");
    // Who takes lines away goes back only as far as there are positions to learn from.
    let metrics = fs::read_to_string(parts.join("metrics.jsonl")).expect("it is there");
    let shorter: String = metrics.lines().take(3).map(|line| format!("{line}\n")).collect();
    fs::write(parts.join("metrics.jsonl"), shorter).expect("it can be written");
    let positions = whole.join("positions-0002.bin");
    assert!(!positions.exists(), "two iterations are learnt from");
    let lacks = Training::new(&game(), "breakthrough_4x4", tiny(), &parts).expect_err("it is gone");
    assert!(lacks.to_string().contains("positions-0002.bin"), "{lacks}");
    fs::remove_dir_all(whole).and_then(|()| fs::remove_dir_all(parts)).expect("they are ours");
}

#[test]
fn games_that_several_processes_play_are_those_of_one() {
    let whole = folder("one");
    let mut training = train(tiny(), &whole);
    (0..4).for_each(|_| drop(iterate(&mut training)));
    training.write_report().expect("it can be written");
    let shared = folder("three");
    let of = |index| TrainConfig { shard: Shard { index, count: 3 }, ..tiny() };
    let refused =
        Training::new(&game(), "breakthrough_4x4", of(2), &shared).expect_err("too early");
    assert!(refused.to_string().contains("the first shard begins it"), "{refused}");
    let first = train(of(1), &shared);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut first = first;
            (0..4).for_each(|_| drop(iterate(&mut first)));
            first.write_report().expect("it can be written");
        });
        for index in [2, 3] {
            let (shared, of) = (&shared, &of);
            scope.spawn(move || {
                // A shard begins anew after each iteration, as if it had been killed.
                for number in 0..4 {
                    let mut training = train(of(index), shared);
                    assert_eq!(training.done(), number);
                    assert_eq!(iterate(&mut training).number, number + 1);
                }
            });
        }
    });
    assert_same(&whole, &shared);
    // Without the others the first one waits, and says for whom.
    let (stop, mut missing) = (Stop::new(), Vec::new());
    let mut watch = |progress: TrainProgress| {
        if let TrainProgress::Waiting { missing: lacking, .. } = progress {
            missing = lacking;
            stop.stop();
        }
    };
    let iteration = train(of(1), &shared).iterate(&stop, &mut watch).expect("nothing fails");
    assert!(iteration.is_none());
    assert_eq!(missing, [2, 3]);
    fs::remove_dir_all(whole).and_then(|()| fs::remove_dir_all(shared)).expect("they are ours");
}

#[test]
fn runs_keep_their_game_and_their_settings() {
    let place = folder("kept");
    let mut training = train(tiny(), &place);
    iterate(&mut training);
    let refused = |config: TrainConfig| {
        let refused = Training::new(&game(), "breakthrough_4x4", config, &place);
        refused.expect_err("it cannot go on").to_string()
    };
    assert!(refused(tiny()).contains("another process trains there"), "{}", refused(tiny()));
    drop(training);
    let other = refused(TrainConfig { games: 21, ..tiny() });
    assert!(other.contains("has games=20, and games=21 was given"), "{other}");
    let other = refused(TrainConfig { seed: 2, ..tiny() });
    assert!(other.contains("has seed=1, and seed=2 was given"), "{other}");
    assert_eq!(train(TrainConfig { threads: 2, ..tiny() }, &place).done(), 1);
    let there = Training::config_of(&place).expect("it can be read");
    assert_eq!(there, Some(tiny()));
    assert_eq!(Training::config_of(&place.join("nowhere")).expect("no run is there"), None);
    // A run of another game is not gone on with.
    let connect_four = Game::load("connect_four", &Config::default()).expect("it is bundled");
    let refused = Training::new(&connect_four, "connect_four", tiny(), &place);
    let refused = refused.expect_err("another game");
    assert!(matches!(&refused, TrainError::OtherGame { .. }), "{refused}");
    assert!(refused.to_string().contains("`breakthrough_4x4` and not `connect_four`"), "{refused}");
    // Nor is one whose files are damaged, and nothing panics.
    fs::write(place.join("metrics.jsonl"), "{}\n").expect("it can be written");
    let damaged = Training::new(&game(), "breakthrough_4x4", tiny(), &place).expect_err("damaged");
    assert!(damaged.to_string().contains("line 1 is not what a run has written"), "{damaged}");
    fs::remove_file(place.join("config.json")).expect("it is there");
    let unknown =
        Training::new(&game(), "breakthrough_4x4", tiny(), &place).expect_err("no config");
    assert!(unknown.to_string().contains("no config.json"), "{unknown}");
    fs::remove_dir_all(place).expect("it is ours");
}

#[test]
fn strength_is_measured_and_the_best_net_is_kept() {
    let place = folder("best");
    let mut training = train(tiny(), &place);
    let told: Vec<Iteration> = (0..4).map(|_| iterate(&mut training)).collect();
    for iteration in &told {
        let is_measured = iteration.number % 2 == 0;
        assert_eq!(iteration.strength.len(), if is_measured { 2 } else { 0 });
        assert!(iteration.strength.iter().all(|strength| strength.score.games() == 6));
        let before = told.iter().rev().find(|it| it.number < iteration.number).map(|it| it.best);
        let best = match &iteration.gate {
            Some(gate) if gate.score.mean() < 0.5 => before.expect("there was one"),
            None if iteration.number == 3 => before.expect("there was one"),
            _ => iteration.number,
        };
        assert_eq!((iteration.gate.is_some(), iteration.best), (is_measured, best));
    }
    let opponents: Vec<&str> = told[1].strength.iter().map(|it| it.opponent()).collect();
    assert_eq!(opponents, ["alphabeta", "uct"]);
    let best = fs::read(training.best_file()).expect("it is there");
    assert_eq!(fs::read(training.net_file(told[3].best)).expect("it is there"), best);
    let page = fs::read_to_string(place.join("report.html")).expect("it was written");
    assert!(page.contains("against alphabeta") && page.contains("<td>games</td><td>20</td>"));
    // The nets are found with what is known of them; other files are told of.
    fs::write(place.join("odd.safetensors"), "odd").expect("it can be written");
    let list = find_nets(std::slice::from_ref(&place), false);
    let names = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    let found: Vec<String> = list.nets.iter().map(|net| names(&net.path)).collect();
    assert_eq!(found, ["best.safetensors", "net-0004.safetensors"]);
    assert!(list.problems[0].to_string().contains("odd.safetensors: this is no net"));
    let net = &list.nets[1];
    let known = (net.game.as_str(), net.shape.as_str(), net.iteration);
    assert_eq!(known, ("breakthrough_4x4", "4 sums × 8 stages", Some(4)));
    assert_eq!(net.fingerprint, game().fingerprint());
    let measured = net.measured.as_ref().expect("it was measured");
    assert_eq!(measured.json(), told[3].json());
    assert_eq!(find_nets(std::slice::from_ref(&place), true).nets.len(), 5);
    let third = find_nets(&[training.net_file(3)], false);
    assert_eq!(third.nets[0].measured.as_ref().map(|it| it.number), Some(2));
    fs::remove_dir_all(place).expect("it is ours");
}

/// How many of 40 games a net wins against random moves, looking at few positions.
fn won(game: &Arc<Game>, net: &Arc<Net>) -> usize {
    let spec = PlayerSpec::net("?learning=0&memory=1&iterations=30").expect("options");
    let mut random = generator(5);
    let mut won = 0;
    for number in 0..40 {
        let mut agent = spec.create_with_net(game, Arc::clone(net));
        let mut play = Match::new(game).expect("it begins");
        while let Some(player) = play.player() {
            if player.index() == number % 2 {
                let mut task = Task::new(spec.budget_or(Budget::default()));
                let thought = agent.think(&play, &mut task).expect("it has a move");
                play.play(&thought.steps.0).expect("it is legal");
            } else if !play.play_random(&mut random).expect("it is played") {
                break;
            }
        }
        won += usize::from(game.result(play.state(), Player::from_index(number % 2)) > 0.5);
    }
    won
}

#[test]
fn a_net_learns_to_win() {
    let game = game();
    let folder = folder("wins");
    let mut training = train(small(), &folder);
    let losses: Vec<f64> = (0..4).map(|_| iterate(&mut training).loss).collect();
    // Who guesses that both win equally often has an error of 0.69.
    assert!(losses[3] < 0.62, "{losses:?}");
    let net = Net::read(&game, &training.net_file(4)).expect("it was written");
    let won = won(&game, &Arc::new(net));
    assert!(won >= 34, "{won} of 40, {losses:?}");
    fs::remove_dir_all(folder).expect("it is ours");
}

/// A run of a residual net whose strength does not matter.
fn tiny_residual(preset: &TrainConfig) -> TrainConfig {
    TrainConfig {
        filters: 4,
        blocks: 1,
        games: 8,
        nodes: 6,
        rounds: 2.0,
        replay: 2,
        measure: 2,
        trial: 2,
        trial_nodes: 6,
        ..preset.clone()
    }
}

#[test]
fn runs_of_residual_nets_are_the_same_interrupted_shared_and_on_any_number_of_threads() {
    for preset in [TrainConfig::thesis(), TrainConfig::thesis_lookahead(), TrainConfig::small()] {
        let config = tiny_residual(&preset);
        let whole = folder("residual-whole");
        let mut training = train(config.clone(), &whole);
        (0..3).for_each(|_| drop(iterate(&mut training)));
        training.write_report().expect("it can be written");
        let parts = folder("residual-parts");
        let begin = |threads| train(TrainConfig { threads, ..config.clone() }, &parts);
        iterate(&mut begin(2));
        // Stopped while games are played, after them, and in a measurement.
        let stops: [fn(&TrainProgress) -> bool; 3] = [
            |it| matches!(it, TrainProgress::Playing { done: 3, .. }),
            |it| matches!(it, TrainProgress::Playing { done: 8, .. }),
            |it| matches!(it, TrainProgress::Measuring { done: 1, .. }),
        ];
        for at in stops {
            let stop = Stop::new();
            let mut watch = |progress: TrainProgress| {
                if at(&progress) {
                    stop.stop();
                }
            };
            let done = begin(1).iterate(&stop, &mut watch).expect("it can be played");
            assert!(done.is_none() && stop.is_stopped());
        }
        assert!(parts.join("net-0002.safetensors").is_file(), "the net was written");
        (0..2).for_each(|_| drop(iterate(&mut begin(3))));
        begin(1).write_report().expect("it can be written");
        assert_same(&whole, &parts);
        let shared = folder("residual-shared");
        let of = |index| TrainConfig { shard: Shard { index, count: 2 }, ..config.clone() };
        let mut first = train(of(1), &shared);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                (0..3).for_each(|_| drop(iterate(&mut first)));
                first.write_report().expect("it can be written");
            });
            scope.spawn(|| {
                let mut second = train(of(2), &shared);
                (0..3).for_each(|_| drop(iterate(&mut second)));
            });
        });
        drop(first);
        assert_same(&whole, &shared);
        for folder in [whole, parts, shared] {
            fs::remove_dir_all(folder).expect("it is ours");
        }
    }
}

#[test]
fn runs_keep_their_preset_and_nets_tell_their_size() {
    let place = folder("preset");
    let config = tiny_residual(&TrainConfig::small());
    let mut training = train(config.clone(), &place);
    let told: Vec<Iteration> = (0..2).map(|_| iterate(&mut training)).collect();
    let against: Vec<&str> = told[1].strength.iter().map(|it| it.against.as_str()).collect();
    let opponents = ["alphabeta?learning=2&memory=1&iterations=400", "uct?iterations=400"];
    assert_eq!(against, opponents);
    drop(training);
    let refused = |config: TrainConfig| {
        let refused = Training::new(&game(), "breakthrough_4x4", config, &place);
        refused.expect_err("it cannot go on").to_string()
    };
    let other = refused(tiny());
    assert!(other.contains("has preset=small, and preset=fast was given"), "{other}");
    let other = refused(TrainConfig { search: LearningSearch::Rounds, ..config.clone() });
    assert!(other.contains("has search=likely, and search=rounds was given"), "{other}");
    let there = Training::config_of(&place).expect("it can be read");
    assert_eq!(there, Some(config.clone()));
    let text = fs::read_to_string(place.join("config.json")).expect("it was written");
    assert!(text.contains("\"preset\": \"small\"") && !text.contains("sums"), "{text}");
    let page = fs::read_to_string(place.join("report.html")).expect("it was written");
    assert!(page.contains("preset small, 4 filters × 1 blocks"), "{page}");
    let list = find_nets(std::slice::from_ref(&place), false);
    let shapes: Vec<&str> = list.nets.iter().map(|net| net.shape.as_str()).collect();
    assert_eq!(shapes, ["4 filters × 1 blocks"; 2]);
    // A net of another size is not gone on with, nor one of the other kind.
    let (net, other) = (place.join("net-0002.safetensors"), folder("preset-other"));
    for config in
        [TrainConfig { blocks: 2, ..config.clone() }, TrainConfig { measure: 0, ..tiny() }]
    {
        let mut training = train(config, &other);
        iterate(&mut training);
        fs::copy(training.net_file(1), &net).expect("it can be copied");
        drop(training);
        let problem = refused(tiny_residual(&TrainConfig::small()));
        assert!(problem.contains("this is not a net of the size"), "{problem}");
        fs::remove_dir_all(&other).expect("it is ours");
    }
    fs::remove_dir_all(place).expect("it is ours");
}

#[test]
fn games_that_cannot_have_a_net_are_refused() {
    let game = Game::load("trio", &Config::default()).expect("it is bundled");
    let refused = Training::new(&game, "trio", small(), &folder("trio")).expect_err("for three");
    assert_eq!(refused.to_string(), "nets are for games of two players; this one has 3");
    let refused = Training::new(&game, "trio", TrainConfig::small(), &folder("trio"));
    let refused = refused.expect_err("for three");
    assert_eq!(refused.to_string(), "nets are for games of two players; this one has 3");
}
