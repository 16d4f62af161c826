//! The players: legal moves, the obvious ones, the same for a seed, within their budgets.

use std::sync::Arc;
use std::time::Duration;

use regulus_agents::{AgentError, Budget, KINDS, PlayerSpec, Report, Task};
use regulus_game::{Config, EngineKind, Game, Match};

fn load(name: &str) -> Arc<Game> {
    let config = Config { engine: EngineKind::Plan, ..Config::default() };
    Game::load(name, &config).expect("it is bundled")
}

fn after(game: &Arc<Game>, moves: &[&str]) -> Match {
    let mut play = Match::new(game).expect("it begins");
    moves.iter().for_each(|name| play.play_named(name).expect("legal"));
    play
}

fn choose(spec: &str, play: &Match, budget: Budget) -> (String, Report) {
    let spec: PlayerSpec = spec.parse().expect("a player");
    let mut agent = spec.create(play.game(), 1);
    let thought = agent.think(play, &mut Task::new(budget)).expect("it chooses");
    (play.written(&thought.steps.0).expect("it is legal"), thought.report)
}

#[test]
fn a_win_in_one_is_taken_and_a_loss_in_one_is_met() {
    let game = load("tic_tac_toe");
    let budget = Budget::iterations(2000);
    for player in ["greedy", "flat", "uct", "uct?threads=2"] {
        assert_eq!(choose(player, &after(&game, &["a1", "a2", "b1", "b2"]), budget).0, "c1");
    }
    for player in ["flat", "uct", "uct?threads=2"] {
        assert_eq!(choose(player, &after(&game, &["a1", "b2", "b1"]), budget).0, "c1");
    }
}

#[test]
fn every_kind_plays_legal_moves_of_many_games() {
    let mut moves = 0;
    for name in ["chess", "go", "hex", "english_checkers", "amazons", "fox_and_hounds", "muster"] {
        let game = load(name);
        for kind in KINDS {
            let spec: PlayerSpec = kind.name.parse().expect("a kind is a player");
            let mut agent = spec.create(&game, 3);
            let mut play = Match::seeded(&game, 3).expect("it begins");
            for _ in 0..6 {
                if play.player().is_none() {
                    break;
                }
                let thought = agent.think(&play, &mut Task::new(Budget::iterations(5)));
                play.play(&thought.expect("it chooses").steps.0).expect("it is legal");
                moves += 1;
            }
        }
    }
    assert!(moves >= 140);
}

#[test]
fn one_thread_plays_the_same_for_a_seed() {
    let game = load("breakthrough");
    let line = |seed: u64| {
        let spec: PlayerSpec = "uct".parse().expect("a player");
        let mut agent = spec.create(&game, seed);
        let mut play = Match::new(&game).expect("it begins");
        for _ in 0..10 {
            let thought = agent.think(&play, &mut Task::new(Budget::iterations(300)));
            play.play(&thought.expect("it chooses").steps.0).expect("it is legal");
        }
        play.line_names().expect("they have names")
    };
    assert_eq!(line(5), line(5));
    assert_ne!(line(5), line(6));
}

#[test]
fn the_tree_is_kept_for_the_next_move() {
    let game = load("connect_four");
    let spec: PlayerSpec = "uct".parse().expect("a player");
    let mut agent = spec.create(&game, 1);
    let mut play = Match::new(&game).expect("it begins");
    let first = agent.think(&play, &mut Task::new(Budget::iterations(5000))).expect("it chooses");
    assert_eq!(first.report.iterations, 5000);
    let visits = |report: &Report| report.candidates.iter().map(|it| it.visits).sum::<u64>();
    assert_eq!(visits(&first.report), 5000);
    play.play(&first.steps.0).expect("legal");
    let expected = first.report.candidates[0].visits;
    let second = agent.think(&play, &mut Task::new(Budget::iterations(1))).expect("it chooses");
    // The first visit of the position was no choice there.
    assert_eq!(visits(&second.report), expected);
    // Another play, or a position that was taken back, begins anew.
    play.undo();
    let third = agent.think(&play, &mut Task::new(Budget::iterations(7))).expect("it chooses");
    assert_eq!(visits(&third.report), 7);
}

#[test]
fn wide_positions_are_decided_step_by_step() {
    for (name, count) in [("amazons", 2176), ("chess", 20), ("english_checkers", 7)] {
        let game = load(name);
        let spec: PlayerSpec = "uct?wide=2".parse().expect("a player");
        let mut agent = spec.create(&game, 1);
        let mut play = Match::new(&game).expect("it begins");
        let mut kept = 0;
        for _ in 0..3 {
            let thought = agent.think(&play, &mut Task::new(Budget::iterations(200)));
            let thought = thought.expect("it chooses");
            let candidates = &thought.report.candidates;
            let mut listed: Vec<_> = candidates.iter().map(|it| &it.steps).collect();
            listed.sort_by(|one, other| one.0.cmp(&other.0));
            listed.dedup();
            assert_eq!(listed.len(), candidates.len(), "{name}: no move is listed twice");
            assert_eq!(listed.len(), play.moves().expect("listed").len(), "{name}");
            // Each iteration ends a move, and what is known of the position from before is kept.
            let visits: u64 = candidates.iter().map(|it| it.visits).sum();
            assert_eq!(visits, 200 + kept, "{name}");
            assert_eq!(candidates[0].steps, thought.steps);
            play.play(&thought.steps.0).expect("it is legal");
            // The only move of a position is played at once.
            if play.moves().expect("listed").len() < 2 {
                break;
            }
            // The first visit of a position is not one of a move there.
            let best = candidates[0].visits;
            let reply = agent.think(&play, &mut Task::new(Budget::iterations(1)));
            let reply = reply.expect("it chooses").report;
            let known: u64 = reply.candidates.iter().map(|it| it.visits).sum();
            assert_eq!(known, best, "{name}");
            kept = known;
        }
        assert_eq!(Match::new(&game).expect("it begins").moves().expect("listed").len(), count);
    }
}

#[test]
fn values_and_visits_fit_together() {
    let game = load("breakthrough_5x5");
    let play = Match::new(&game).expect("it begins");
    for player in ["flat", "uct", "uct?threads=3"] {
        let (_, report) = choose(player, &play, Budget::iterations(3000));
        assert!(report.iterations >= 3000 && report.iterations < 3003, "{}", report.iterations);
        assert_eq!(report.candidates.len(), play.moves().expect("listed").len());
        assert!(report.candidates.iter().all(|it| (0.0..=1.0).contains(&it.value)));
        assert!(report.candidates.is_sorted_by(|one, other| one.visits >= other.visits));
        assert_eq!(report.candidates[0].steps, report.line[0]);
    }
    let (_, report) = choose("uct", &play, Budget::iterations(3000));
    assert!((report.values.iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn memory_is_bounded() {
    let game = load("amazons");
    let play = Match::new(&game).expect("it begins");
    // A megabyte holds the moves of very few positions here: the tree stays flat, and the player goes on.
    let (_, small) = choose("uct?memory=1", &play, Budget::iterations(400));
    assert_eq!(small.iterations, 400);
    assert!(small.depth <= 2, "{}", small.depth);
}

#[test]
fn thinking_can_be_stopped_and_is_reported() {
    let game = load("hex");
    let play = Match::new(&game).expect("it begins");
    let spec: PlayerSpec = "uct?threads=2".parse().expect("a player");
    let mut agent = spec.create(&game, 1);
    let mut task = Task::new(Budget::default());
    let stop = task.stop.clone();
    let mut reports = 0;
    let mut watch = |report: &Report| {
        reports += 1;
        assert!(report.iterations > 0);
        if reports == 2 {
            stop.stop();
        }
    };
    task.watch = Some(&mut watch);
    let thought = agent.think(&play, &mut task).expect("it chooses");
    assert!(thought.report.time >= Duration::from_millis(100));
    assert_eq!(reports, 2);
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let game = load("tic_tac_toe");
    let play = after(&game, &["a1", "a2", "b1", "b2", "c1"]);
    for kind in KINDS {
        let spec: PlayerSpec = kind.name.parse().expect("a player");
        let thought = spec.create(&game, 1).think(&play, &mut Task::new(Budget::iterations(1)));
        assert!(matches!(thought, Err(AgentError::Forfeit(_))));
    }
}

#[test]
fn bad_names_are_told() {
    for (text, wanted) in [
        ("", "there is no player ``"),
        ("uct?", ""),
        ("utc", "there are random, greedy, flat, uct"),
        ("uct?threads=0", "a whole number from 1 to 256"),
        ("uct?threads=two", "a whole number"),
        ("uct?seconds=-1", "a number from"),
        ("uct?seconds=NaN", "a number from"),
        ("uct?threads", "write NAME=VALUE"),
        ("uct?threads=1&threads=2", "given twice"),
        ("random?seconds=1", "it has none"),
    ] {
        match text.parse::<PlayerSpec>() {
            Ok(_) => assert_eq!(wanted, "", "{text}"),
            Err(error) => {
                assert!(error.to_string().contains(wanted) && !wanted.is_empty(), "{text}: {error}")
            }
        }
    }
}
