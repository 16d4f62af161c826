//! Published mates in two and three of chess, found by the general player: it knows nothing of chess but the rules.

use std::path::Path;

use regulus_agents::{Budget, PlayerSpec, Task};
use regulus_game::{Config, Game, Match};

#[test]
fn fifty_published_mates_are_found() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mates.csv");
    let text = std::fs::read_to_string(&file).expect("it is there");
    let game = Game::load("chess", &Config::default()).expect("it is bundled");
    game.rules().wait();
    let spec: PlayerSpec = "alphabeta".parse().expect("a player");
    let mut agent = spec.create(&game, 1);
    let mut found = 0;
    for row in text.lines().skip(1) {
        let mut columns = row.splitn(3, ',');
        let mut column = || columns.next().expect("three columns");
        let moves: u32 = column().parse().expect("a number of moves");
        let play = Match::from_position(&game, column()).expect("a position");
        let name = column();
        agent.forget();
        let thought = agent.think(&play, &mut Task::new(Budget::iterations(2_000_000)));
        let report = thought.expect("it chooses").report;
        let player = play.player().expect("somebody is to move").0 as usize;
        assert!(report.values[player] > 0.99, "{name}: {report:?}");
        assert_eq!(report.ends_in, Some(2 * moves - 1), "{name}");
        found += 1;
    }
    assert_eq!(found, 50);
}
