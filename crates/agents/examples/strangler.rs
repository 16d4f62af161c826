//! A player of one's own in fifty lines: it leaves the next player as few moves as possible.
//! `cargo run --release -p regulus-agents --example strangler -- GAME` lets it play a game against `random`.

#![expect(clippy::print_stdout, reason = "it is a program that prints")]

use regulus_agents::{Agent, AgentError, Budget, PlayerSpec, Report, Task, Thought};
use regulus_engine::Move;
use regulus_game::{Config, Game, Match};

#[derive(Debug)]
struct Strangler;

impl Agent for Strangler {
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        let moves: Vec<Move> = play.moves()?.iter().map(Move::from).collect();
        let mut trial = play.clone();
        let mut best = (usize::MAX, 0);
        for (index, steps) in moves.iter().enumerate() {
            trial.play(&steps.0)?;
            let left = if trial.outcome().over().is_some() { 0 } else { trial.moves()?.len() };
            trial.undo();
            best = best.min((left, index));
            if task.stop.is_stopped() {
                break;
            }
        }
        let steps = moves.get(best.1).cloned();
        let steps = steps.ok_or_else(|| AgentError::Forfeit("the game is over".to_owned()))?;
        let report = Report { line: vec![steps.clone()], ..Report::default() };
        Ok(Thought { steps, report })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "breakthrough".to_owned());
    let game = Game::load(&name, &Config::default())?;
    let mut play = Match::new(&game)?;
    let random: PlayerSpec = "random".parse()?;
    let mut players: [Box<dyn Agent>; 2] = [Box::new(Strangler), random.create(&game, 1)];
    while let Some(player) = play.player().filter(|_| play.outcome().over().is_none()) {
        let agent = &mut players[player.0 as usize % 2];
        play.play(&agent.think(&play, &mut Task::new(Budget::iterations(1)))?.steps.0)?;
    }
    println!("{:?}", play.outcome().over().map(|over| over.results.clone()));
    Ok(())
}
