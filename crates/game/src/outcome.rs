//! Who is to move, or how a game has ended.

use regulus_automaton::{Automaton, Id as _, Player, Reason};
use regulus_engine::{Rules, State};

use crate::game::Game;

/// Where a play stands. This is the only way to read a result: scores in the middle of a game mean nothing, since many rules
/// store there what counts if the next player cannot move.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Player;
/// use regulus_game::{Config, Game, Match, Outcome, Summary};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let mut play = Match::new(&game)?;
/// assert_eq!(play.outcome().player(), Some(Player(0)));
/// assert!(play.outcome().over().is_none());
/// for name in ["a1", "b1", "a2", "b2", "a3"] {
///     play.play_named(name)?;
/// }
/// match play.outcome() {
///     Outcome::Ongoing { name, .. } => println!("{name} to move"),
///     Outcome::Over(over) => assert_eq!(over.summary, Summary::Won(Player(0))),
/// }
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A player is to move.
    Ongoing {
        /// The player.
        player: Player,
        /// The player's name for people.
        name: String,
    },
    /// The game is over.
    Over(Over),
}

/// How a game has ended. `Display` gives the winner and the reason: "white wins: black is checkmated".
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game, Match};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let mut play = Match::new(&game)?;
/// for name in ["a1", "b1", "a2", "b2", "a3"] {
///     play.play_named(name)?;
/// }
/// let over = play.outcome().over().expect("three in a column");
/// assert_eq!(over.results, [1.0, 0.0]);
/// assert_eq!(over.to_string(), "crosses win: crosses have three in a row");
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Over {
    /// Each player's result from 0 to 1: the score as a part of the highest score that the player can reach.
    pub results: Vec<f64>,
    /// The scores.
    pub scores: Vec<i32>,
    /// Who has won.
    pub summary: Summary,
    /// Why the game is over, in words.
    pub reason: String,
    names: Vec<String>,
}

/// Who has won.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Player;
/// use regulus_game::{Config, Game, Match, Summary};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let played = |moves: &str| -> Result<Option<Summary>, regulus_game::Error> {
///     let mut play = Match::new(&game)?;
///     moves.split(' ').try_for_each(|name| play.play_named(name))?;
///     Ok(play.outcome().over().map(|over| over.summary))
/// };
/// assert_eq!(played("a1 b1")?, None);
/// assert_eq!(played("a1 b1 a2 b2 a3")?, Some(Summary::Won(Player(0))));
/// assert_eq!(played("a3 c3 b3 a2 c2 b2 a1 b1 c1")?, Some(Summary::Drawn));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summary {
    /// One player has a better result than every other.
    Won(Player),
    /// All players have the same result.
    Drawn,
    /// Some players share the best result.
    Shared,
}

impl Outcome {
    /// The player to move; `None` if the game is over.
    #[must_use]
    pub fn player(&self) -> Option<Player> {
        match self {
            Outcome::Ongoing { player, .. } => Some(*player),
            Outcome::Over(_) => None,
        }
    }

    /// How the game has ended; `None` if it goes on.
    #[must_use]
    pub fn over(&self) -> Option<&Over> {
        match self {
            Outcome::Ongoing { .. } => None,
            Outcome::Over(over) => Some(over),
        }
    }

    pub(crate) fn ongoing(game: &Game, player: Player) -> Outcome {
        Outcome::Ongoing { player, name: game.player_look(player).name.clone() }
    }
}

impl Over {
    /// The end of a play in this state, in which the player in control, if any, has no move.
    pub(crate) fn new(game: &Game, state: &State) -> Over {
        let (rules, automaton) = (game.rules(), game.automaton());
        let scores = rules.scores(state);
        let players = automaton.players.keys();
        let results: Vec<f64> = players.map(|player| game.result(state, player)).collect();
        let summary = summary(&results);
        let stuck = rules.player(state);
        let names: Vec<String> =
            automaton.looks.players.values().map(|look| look.name.clone()).collect();
        let reason = reason(automaton, state.node(rules.layout()), stuck);
        let reason = match reason {
            Some(reason) => words(reason, &results, summary, stuck, &names),
            None => match stuck {
                Some(player) => format!("{} has no legal move", names[player.index()]),
                None => "the rules end the game".to_owned(),
            },
        };
        Over { results, scores, summary, reason, names }
    }
}

/// Why the game is over, as the game says it; `None` if it does not.
fn reason(
    automaton: &Automaton,
    node: regulus_automaton::Node,
    stuck: Option<Player>,
) -> Option<&Reason> {
    match stuck {
        Some(_) => automaton.endings.stuck.as_ref(),
        None => automaton.endings.at.get(&node),
    }
}

fn summary(results: &[f64]) -> Summary {
    let best = results.iter().copied().fold(f64::MIN, f64::max);
    let mut winners = (0..).zip(results).filter(|(_, result)| **result == best);
    match (winners.next(), winners.next()) {
        (Some((winner, _)), None) if results.len() > 1 || best > 0.0 => {
            Summary::Won(Player(winner))
        }
        _ if results.iter().all(|result| *result == best) => Summary::Drawn,
        _ => Summary::Shared,
    }
}

/// Whether the name of a player is a plural: "hounds win", but "black wins".
///
/// # Examples
///
/// ```
/// use regulus_game::is_plural;
///
/// assert!(is_plural("hounds") && !is_plural("black"));
/// ```
#[must_use]
pub fn is_plural(name: &str) -> bool {
    name.ends_with('s') && !name.ends_with("ss")
}

/// The words of a reason with the players' names in them.
fn words(
    reason: &Reason,
    results: &[f64],
    summary: Summary,
    stuck: Option<Player>,
    names: &[String],
) -> String {
    let text = match &reason.drawn {
        Some(drawn) if summary == Summary::Drawn => drawn,
        _ => &reason.text,
    };
    let with = |wanted: f64| -> String {
        let players = results.iter().zip(names).filter(|(result, _)| **result == wanted);
        players.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" and ")
    };
    let best = results.iter().copied().fold(f64::MIN, f64::max);
    let worst = results.iter().copied().fold(f64::MAX, f64::min);
    let stuck = stuck.map_or("", |player| names[player.index()].as_str());
    text.replace("{winner}", &with(best)).replace("{loser}", &with(worst)).replace("{stuck}", stuck)
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Ongoing { name, .. } => write!(f, "{name} to move"),
            Outcome::Over(over) => over.fmt(f),
        }
    }
}

impl std::fmt::Display for Over {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.summary {
            Summary::Won(player) => {
                let name = &self.names[player.index()];
                write!(f, "{name} {}", if is_plural(name) { "win" } else { "wins" })?;
            }
            Summary::Drawn => f.write_str("a draw")?,
            Summary::Shared => {
                let best = self.results.iter().copied().fold(f64::MIN, f64::max);
                let winners = self.names.iter().zip(&self.results);
                let winners = winners.filter(|(_, result)| **result == best).map(|(name, _)| name);
                let winners: Vec<&str> = winners.map(String::as_str).collect();
                write!(f, "{} share the win", winners.join(" and "))?;
            }
        }
        write!(f, ": {}", self.reason)
    }
}
