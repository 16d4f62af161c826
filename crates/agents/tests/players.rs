//! The players: legal moves, the obvious ones, the same for a seed, within their budgets.

use std::sync::Arc;
use std::time::Duration;

use regulus_agents::{AgentError, Budget, KINDS, PlayerSpec, Report, Task};
use regulus_automaton::{Id as _, Player};
use regulus_engine::generator;
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
    for player in ["greedy", "flat", "uct", "uct?threads=2", "mcts", "mcts?threads=2", "alphabeta"]
    {
        assert_eq!(choose(player, &after(&game, &["a1", "a2", "b1", "b2"]), budget).0, "c1");
    }
    for player in ["flat", "uct", "uct?threads=2", "mcts", "mcts?length=2&minimax=0.3", "auto"] {
        assert_eq!(choose(player, &after(&game, &["a1", "b2", "b1"]), budget).0, "c1");
    }
}

#[test]
fn every_kind_plays_legal_moves_of_many_games() {
    let mut moves = 0;
    for name in ["chess", "go", "hex", "english_checkers", "amazons", "fox_and_hounds", "muster"] {
        let game = load(name);
        for kind in KINDS {
            let can_learn = kind.options.iter().any(|option| option.name == "learning");
            // How `auto` chooses is tried elsewhere.
            if kind.name == "auto" {
                continue;
            }
            let options = if can_learn { "?learning=0" } else { "" };
            let spec: PlayerSpec = format!("{}{options}", kind.name).parse().expect("a player");
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
    let line = |player: &str, seed: u64| {
        let spec: PlayerSpec = player.parse().expect("a player");
        let mut agent = spec.create(&game, seed);
        let mut play = Match::new(&game).expect("it begins");
        for _ in 0..10 {
            let thought = agent.think(&play, &mut Task::new(Budget::iterations(300)));
            play.play(&thought.expect("it chooses").steps.0).expect("it is legal");
        }
        play.line_names().expect("they have names")
    };
    for player in ["uct", "mcts", "mcts?length=3&minimax=0.2&learning=0", "alphabeta?learning=0"] {
        assert_eq!(line(player, 5), line(player, 5), "{player}");
    }
    assert_ne!(line("uct", 5), line("uct", 6));
    assert_ne!(line("mcts", 5), line("mcts", 6));
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
    for player in ["flat", "uct", "uct?threads=3", "mcts"] {
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
        ("utc", "there are auto, random, greedy, flat, uct, mcts, alphabeta"),
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

/// The mean result of a player against another one: each opening of `plies` random moves is played from both seats.
fn meet(game: &Arc<Game>, players: [&str; 2], budget: Budget, games: u64) -> f64 {
    let mut agents = players.map(|player| {
        let spec: PlayerSpec = player.parse().expect("a player");
        spec.create(game, 1)
    });
    let mut points = 0.0;
    for number in 0..games {
        agents.iter_mut().for_each(|agent| agent.forget());
        let mut play = Match::new(game).expect("it begins");
        let mut random = generator(number / 2);
        for _ in 0..2 {
            play.play_random(&mut random).expect("it can be played");
        }
        let seat = number as usize % 2;
        while let Some(player) = play.player()
            && !play.moves().expect("listed").is_empty()
        {
            let agent = &mut agents[(player.index() + seat) % 2];
            let thought = agent.think(&play, &mut Task::new(budget)).expect("it chooses");
            play.play(&thought.steps.0).expect("it is legal");
        }
        points += game.result(play.state(), Player::from_index(seat));
    }
    points / games as f64
}

#[test]
fn what_is_learnt_helps() {
    let game = load("breakthrough_5x5");
    let budget = Budget::iterations(200);
    assert!(meet(&game, ["alphabeta", "random"], budget, 20) > 0.9);
    assert!(meet(&game, ["alphabeta", "uct"], budget, 20) > 0.6);
    // With as many positions, the one that has learnt more about the game is better.
    assert!(meet(&game, ["alphabeta", "alphabeta?learning=0"], budget, 40) > 0.55);
}

#[test]
fn a_forced_win_is_seen_to_its_end() {
    // White takes the last line in three moves whatever black does.
    let game = load("breakthrough_5x5");
    let play = Match::from_position(&game, "5/p3p/2P2/5/5 white").expect("a position");
    for player in ["alphabeta?learning=0", "mcts?learning=0"] {
        let (_, report) = choose(player, &play, Budget::iterations(20_000));
        assert!(report.values[0] > 0.99, "{player}: {:?}", report.values);
        assert!(report.iterations < 20_000, "{player} ends when it is sure");
    }
}

#[test]
fn three_players_can_play() {
    let game = load("trio");
    for player in ["alphabeta?learning=0", "mcts", "auto?learning=0"] {
        let play = Match::new(&game).expect("it begins");
        let (_, report) = choose(player, &play, Budget::iterations(500));
        assert_eq!(report.values.len(), 3, "{player}");
    }
}

#[test]
fn levels_look_at_more_and_more_and_the_lowest_is_careless() {
    let game = load("breakthrough");
    let play = Match::new(&game).expect("it begins");
    let mut last = 0;
    for level in [1, 4, 7] {
        let spec: PlayerSpec = format!("auto?level={level}&learning=0").parse().expect("a player");
        let mut agent = spec.create(&game, 1);
        agent.prepare();
        assert!(agent.about().is_some_and(|about| about.contains("points")), "it says why");
        let mut reports = Vec::new();
        for _ in 0..100 {
            agent.forget();
            let thought = agent.think(&play, &mut Task::new(Budget::iterations(5_000)));
            reports.push(thought.expect("it chooses").report.iterations);
        }
        let careless = reports.iter().filter(|&&iterations| iterations == 0).count();
        assert_eq!(careless > 0, level < 7, "level {level}: {careless} of 100");
        let most = reports.into_iter().max().unwrap_or(0);
        assert!(most > 2 * last, "level {level}: {most} after {last}");
        last = most;
    }
}

/// In slices a search gets as deep as in one go, nearly: it goes on where it was.
#[test]
fn alphabeta_goes_on_in_slices() {
    let game = load("breakthrough_5x5");
    let play = Match::new(&game).expect("it begins");
    let spec: PlayerSpec = "alphabeta?learning=0".parse().expect("a player");
    let mut agent = spec.create(&game, 1);
    assert!(!agent.is_prepared() || spec.create(&game, 2).is_prepared());
    agent.prepare();
    assert!(agent.is_prepared());
    let mut depths = Vec::new();
    for _ in 0..40 {
        let thought = agent.think(&play, &mut Task::new(Budget::iterations(1_000)));
        depths.push(thought.expect("it chooses").report.depth);
    }
    assert!(depths.is_sorted(), "{depths:?}");
    let whole = choose("alphabeta?learning=0", &play, Budget::iterations(40_000)).1.depth;
    assert!(depths[39] + 2 >= whole && depths[39] > depths[0] + 1, "{depths:?}, {whole} at once");
    // A new game begins anew.
    agent.forget();
    let thought = agent.think(&play, &mut Task::new(Budget::iterations(1_000)));
    assert_eq!(thought.expect("it chooses").report.depth, depths[0]);
}

/// An analysis says what the best moves are worth, and of the others that they are not better.
#[test]
fn alphabeta_compares_moves_for_an_analysis() {
    let game = load("breakthrough_5x5");
    let play = Match::new(&game).expect("it begins");
    let spec: PlayerSpec = "alphabeta?learning=0".parse().expect("a player");
    for is_analysis in [false, true] {
        let mut agent = spec.create(&game, 1);
        let mut task = Task { is_analysis, ..Task::new(Budget::iterations(30_000)) };
        let report = agent.think(&play, &mut task).expect("it chooses").report;
        let exact = report.candidates.iter().filter(|candidate| !candidate.is_bound).count();
        assert!(!report.candidates[0].is_bound);
        if is_analysis {
            assert!(report.candidates[..4].iter().all(|candidate| !candidate.is_bound), "{exact}");
            let values: Vec<f64> = report.candidates[..4].iter().map(|one| one.value).collect();
            assert!(values.is_sorted_by(|one, other| one >= other), "{values:?}");
            assert_eq!(report.line[0], report.candidates[0].steps);
        }
        let best = report.candidates[0].value;
        assert!(
            (report.values[0] - best).abs() < 1e-9,
            "the best move is worth what the position is"
        );
        assert!(exact < report.candidates.len());
    }
}

/// What a level allows is for a move, also if it is asked for in slices.
#[test]
fn a_level_is_not_stronger_in_slices() {
    let game = load("tic_tac_toe");
    let play = Match::new(&game).expect("it begins");
    let spec: PlayerSpec = "auto?level=7&learning=0&memory=8".parse().expect("a player");
    let mut agent = spec.create(&game, 1);
    agent.prepare();
    assert!(agent.is_prepared() && spec.create(&game, 2).is_prepared());
    let mut made = Vec::new();
    for _ in 0..20 {
        let thought = agent.think(&play, &mut Task::new(Budget::default()));
        made.push(thought.expect("it chooses").report.iterations);
    }
    assert!(made[0] > 100 && made[1..].iter().all(|more| *more < 20), "{made:?}");
}

#[test]
fn who_has_lost_holds_out_as_long_as_possible() {
    // Crosses threaten to win with a2, and will have two threats next. Noughts have lost, but not at once.
    let game = load("tic_tac_toe");
    let mut play = Match::new(&game).expect("it begins");
    for name in ["a1", "b1", "a3"] {
        play.play_named(name).expect("it is legal");
    }
    for player in ["mcts", "mcts?mast=1", "mcts?rave=0", "alphabeta?learning=0"] {
        let (name, report) = choose(player, &play, Budget::iterations(20_000));
        assert_eq!(name, "a2", "{player}");
        assert!(report.values[1] < 0.01, "{player}: {:?}", report.values);
    }
}
