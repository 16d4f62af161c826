//! Runs of training: what they learn, and that they come out the same however they are interrupted.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use regulus_agents::{Budget, Net, PlayerSpec, Stop, Task};
use regulus_automaton::{Id as _, Player};
use regulus_engine::generator;
use regulus_game::{Config, Game, Match};
use regulus_learn::{TrainConfig, TrainError, Training};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("regulus-learn-{}-{name}", std::process::id()));
    // It is not there unless a test with the same number was interrupted.
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn small() -> TrainConfig {
    TrainConfig { games: 150, nodes: 40, sums: 16, rounds: 8.0, replay: 2, ..TrainConfig::fast() }
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.display().to_string(), fs::read(&path).expect("a file")))
        .map(|(name, bytes)| (name[folder.display().to_string().len()..].to_owned(), bytes))
        .collect();
    files.sort();
    files
}

#[test]
fn runs_are_the_same_when_they_are_interrupted_and_on_any_number_of_threads() {
    let game = Game::load("breakthrough_4x4", &Config::default()).expect("it is bundled");
    let whole = folder("whole");
    let mut training =
        Training::new(&game, "breakthrough_4x4", small(), &whole).expect("it begins");
    for _ in 0..4 {
        training.iterate(&Stop::new()).expect("it can be played").expect("it is not stopped");
    }
    let parts = folder("parts");
    for number in 1..=4 {
        let config = TrainConfig { threads: 1 + number % 2, ..small() };
        let mut training =
            Training::new(&game, "breakthrough_4x4", config, &parts).expect("it goes on");
        assert_eq!(training.done(), number as u64 - 1);
        // What was stopped has no effect, nor have files that were not finished.
        let stop = Stop::new();
        stop.stop();
        assert!(training.iterate(&stop).expect("nothing fails").is_none());
        fs::write(parts.join("net-0009.partial"), "half a file").expect("it can be written");
        training.iterate(&Stop::new()).expect("it can be played").expect("it is not stopped");
    }
    fs::remove_file(parts.join("net-0009.partial")).expect("it is there");
    let (whole_files, parts_files) = (files(&whole), files(&parts));
    assert_eq!(whole_files.len(), 4 + 2, "four nets, and the positions of two iterations");
    assert!(whole_files == parts_files, "the files differ");
    // A run of another game is not gone on with.
    let other = Game::load("connect_four", &Config::default()).expect("it is bundled");
    let refused = Training::new(&other, "connect_four", small(), &whole).expect_err("another game");
    assert!(matches!(&refused, TrainError::Net(_)), "{refused}");
    assert!(refused.to_string().contains("another game"), "{refused}");
    fs::remove_dir_all(whole).and_then(|()| fs::remove_dir_all(parts)).expect("they are ours");
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
    let game = Game::load("breakthrough_4x4", &Config::default()).expect("it is bundled");
    let folder = folder("wins");
    let mut training =
        Training::new(&game, "breakthrough_4x4", small(), &folder).expect("it begins");
    let mut losses = Vec::new();
    for _ in 0..4 {
        let iteration = training.iterate(&Stop::new()).expect("it can be played");
        losses.push(iteration.expect("it is not stopped").loss);
    }
    // Who guesses that both win equally often has an error of 0.69.
    assert!(losses[3] < 0.62, "{losses:?}");
    let net = Net::read(&game, &training.net_file(4)).expect("it was written");
    let won = won(&game, &Arc::new(net));
    assert!(won >= 34, "{won} of 40, {losses:?}");
    fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn games_that_cannot_have_a_net_are_refused() {
    let game = Game::load("trio", &Config::default()).expect("it is bundled");
    let refused = Training::new(&game, "trio", small(), &folder("trio")).expect_err("for three");
    assert_eq!(refused.to_string(), "nets are for games of two players; this one has 3");
}
