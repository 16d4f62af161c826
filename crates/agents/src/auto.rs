//! The player `auto`: the one of the other players that plays the game best, by short matches between them; as strong as it can,
//! or weaker, by levels.

use std::sync::Arc;
use std::time::Duration;

use rand::RngExt as _;
use regulus_engine::{Generator, Move, generator};
use regulus_game::{Game, Match};

use crate::agent::{Agent, AgentError, Task, Thought, choices};
use crate::budget::Stop;
use crate::kept::Kept;
use crate::report::Report;
use crate::spec::PlayerSpec;
use crate::tuning::{PlayerChoice, Tuning, tuned, with_options};

/// How players are compared at a game that is not in the table.
const QUICKLY: Tuning = Tuning {
    players: &["alphabeta", "mcts"],
    games: 8,
    enough: 0.6,
    time: Duration::from_millis(3),
    longest: 80,
    most: Some(Duration::from_secs(4)),
    learning: 1,
};

/// The level at which nothing holds the player back.
pub(crate) const HIGHEST_LEVEL: u32 = 10;

/// What can be set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AutoOptions {
    /// How well it plays, up to [`HIGHEST_LEVEL`].
    pub(crate) level: u32,
    /// How much is learnt about the game before it is played.
    pub(crate) learning: u32,
    pub(crate) threads: usize,
    /// How much memory it takes, in megabytes; `None` for as much as the chosen player takes.
    pub(crate) memory: Option<u64>,
}

impl AutoOptions {
    /// A player that was chosen, with these options.
    fn spec(self, choice: &PlayerChoice) -> Result<PlayerSpec, AgentError> {
        let mut spec = with_options(&choice.player, self.learning, self.threads)?;
        if self.level < HIGHEST_LEVEL {
            // With a net, levels that look at few positions are nearly as strong as those that look at many.
            spec = spec.without("evaluation");
        }
        Ok(match self.memory {
            Some(memory) => spec.or("memory", memory as f64),
            None => spec,
        })
    }

    /// How many iterations a level allows; `None` for as many as there is time for. Positions of `alphabeta` are quicker than
    /// the random games of `mcts`, and tell less.
    fn most_iterations(self, player: &str) -> Option<u64> {
        let first = if player.starts_with("alphabeta") { 40.0 } else { 15.0 };
        let most = first * 2.5f64.powi(self.level as i32 - 1);
        (self.level < HIGHEST_LEVEL).then_some(most as u64)
    }

    /// How often a random move is played, without thinking.
    fn carelessness(self) -> f64 {
        match self.level {
            0 | 1 => 0.30,
            2 => 0.20,
            3 => 0.12,
            4 => 0.07,
            5 => 0.03,
            6 => 0.01,
            _ => 0.0,
        }
    }
}

pub(crate) struct Auto {
    game: Arc<Game>,
    options: AutoOptions,
    seed: u64,
    random: Generator,
    chosen: Option<Chosen>,
    /// The length of the play that was thought about last, its position, and how many iterations were made.
    spent: Option<(usize, u64, u64)>,
}

/// The player that was chosen.
struct Chosen {
    agent: Box<dyn Agent>,
    choice: PlayerChoice,
}

impl std::fmt::Debug for Auto {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let agent = self.chosen.as_ref().map(|chosen| &chosen.agent);
        f.debug_struct("Auto").field("agent", &agent).finish_non_exhaustive()
    }
}

impl Auto {
    pub(crate) fn new(game: &Arc<Game>, options: AutoOptions, seed: u64) -> Auto {
        let random = generator(seed);
        Auto { game: Arc::clone(game), options, seed, random, chosen: None, spent: None }
    }

    fn chosen(&mut self) -> Result<&mut Chosen, AgentError> {
        if self.chosen.is_none() {
            let choice = choose(&self.game, self.options.learning);
            let agent = self.options.spec(&choice)?.create(&self.game, self.seed);
            self.chosen = Some(Chosen { agent, choice });
        }
        let missing = || AgentError::Forfeit("no player was chosen".to_owned());
        self.chosen.as_mut().ok_or_else(missing)
    }
}

impl Agent for Auto {
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        let options = self.options;
        // What a level allows is for a move, however often it is asked about it.
        let at = (play.line().len(), play.state().fingerprint());
        let spent = self.spent.filter(|(length, state, _)| (*length, *state) == at);
        let is_first = spent.is_none();
        if is_first && !task.is_analysis && self.random.random_bool(options.carelessness()) {
            let (_, legal) = choices(play)?;
            if !legal.is_empty() {
                let steps = Move::from(legal.get(self.random.random_range(0..legal.len())));
                let report = Report { line: vec![steps.clone()], ..Report::default() };
                return Ok(Thought { steps, report });
            }
        }
        let spent = spent.map_or(0, |(_, _, iterations)| iterations);
        let Chosen { agent, choice } = self.chosen()?;
        if let Some(most) = options.most_iterations(&choice.player) {
            let most = most.saturating_sub(spent).max(1);
            let iterations = task.budget.iterations.map_or(most, |wanted| wanted.min(most));
            task.budget.iterations = Some(iterations);
        }
        let thought = agent.think(play, task)?;
        self.spent = Some((at.0, at.1, spent + thought.report.iterations));
        Ok(thought)
    }

    fn prepare(&mut self) {
        // If it fails, it fails again when it is asked for a move, which says why.
        if let Ok(chosen) = self.chosen() {
            chosen.agent.prepare();
        }
    }

    fn is_prepared(&self) -> bool {
        if let Some(chosen) = &self.chosen {
            return chosen.agent.is_prepared();
        }
        let key = (self.game.fingerprint(), self.options.learning);
        let spec = CHOSEN.known(key).or_else(|| tuned(&self.game)).map(|it| self.options.spec(&it));
        matches!(spec, Some(Ok(spec)) if spec.create(&self.game, self.seed).is_prepared())
    }

    fn forget(&mut self) {
        self.spent = None;
        if let Some(chosen) = &mut self.chosen {
            chosen.agent.forget();
        }
    }

    fn about(&self) -> Option<String> {
        self.chosen.as_ref().map(|chosen| chosen.choice.to_string())
    }
}

static CHOSEN: Kept<PlayerChoice> = Kept::new(1000);

/// The player that is best at a game.
fn choose(game: &Arc<Game>, learning: u32) -> PlayerChoice {
    CHOSEN.get((game.fingerprint(), learning), || {
        let measure = || Tuning { learning, ..QUICKLY }.choose(game, &Stop::new());
        // Where the rules fault, it fails again when it is asked for a move, which says why.
        tuned(game).or_else(|| measure().ok()).unwrap_or_else(|| PlayerChoice {
            player: QUICKLY.players[0].to_owned(),
            points: 0.0,
            games: 0,
            beaten: String::new(),
        })
    })
}
