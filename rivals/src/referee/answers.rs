//! What a player answers.

use std::sync::Arc;
use std::time::Duration;

use regulus_agents::{Agent, Budget, Task};
use regulus_arena::Contestant;
use regulus_engine::Limits;
use regulus_game::{Config, Game, Match};

use super::questions::Question;

/// Whether a player kept what positions were worth, in the order of the questions.
pub(crate) struct PlayerAnswers {
    pub(crate) player: String,
    pub(crate) kept: Vec<bool>,
}

impl PlayerAnswers {
    /// Asks a player; questions have nothing to do with each other, so it forgets each of them.
    pub(crate) fn of(
        player: &Contestant,
        questions: &[Question],
        seed: u64,
        seconds: f64,
    ) -> Result<PlayerAnswers, String> {
        let config = Config { limits: Limits::for_players(), ..Config::default() };
        let game = Game::load("connect_four", &config).map_err(|error| error.to_string())?;
        // What is compiled in the background would take time from the player.
        game.rules().wait();
        player.check(&game).map_err(|error| error.to_string())?;
        let mut agent = player.create(&game, seed).map_err(|error| error.to_string())?;
        agent.prepare();
        let budget = player.budget_or(Budget::time(Duration::from_secs_f64(seconds)));
        let mut kept = Vec::new();
        for question in questions {
            agent.forget();
            let answer = ask(&mut *agent, &game, question, budget);
            let answer = answer.map_err(|error| format!("{player}: {error}"))?;
            kept.push(question.keeping.contains(&answer));
        }
        Ok(PlayerAnswers { player: player.to_string(), kept })
    }
}

/// The name of the move that a player chooses.
fn ask(
    agent: &mut dyn Agent,
    game: &Arc<Game>,
    question: &Question,
    budget: Budget,
) -> Result<String, String> {
    let mut play = Match::new(game).map_err(|error| error.to_string())?;
    for name in &question.opening {
        play.play_named(name).map_err(|error| error.to_string())?;
    }
    let thought = agent.think(&play, &mut Task::new(budget)).map_err(|error| error.to_string())?;
    let steps = &thought.steps.0;
    let index = play.moves().map_err(|error| error.to_string())?.find(steps);
    let index = index.ok_or("it has chosen a move that is not legal")?;
    Ok(play.names().map_err(|error| error.to_string())?[index].clone())
}
