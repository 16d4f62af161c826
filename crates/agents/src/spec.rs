//! Players as users name them: a kind with options.

use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use regulus_game::{Game, Match};

use crate::agent::{Agent, AgentError, Task, Thought};
use crate::alphabeta::{AlphaBeta, AlphaBetaOptions, SearchParts};
use crate::auto::{Auto, AutoOptions, HIGHEST_LEVEL};
use crate::budget::Budget;
use crate::evaluation::EvaluationKind;
use crate::flat::Flat;
use crate::greedy::Greedy;
use crate::kept::Kept;
use crate::mcts::{Mcts, MctsOptions};
use crate::net::{BadNet, Net};
use crate::random::Random;
use crate::residual::{NetSearchKind, ResidualNet, ResidualPlayer, ResidualWeights};
use crate::uct::{Uct, UctOptions};

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in a [`PlayerSpec`].
    pub name: &'static str,
    /// How it chooses, in one line.
    pub about: &'static str,
    /// What can be set.
    pub options: &'static [OptionInfo],
    /// Whether it goes on from what it has found when it is asked about the same position again.
    pub goes_on: bool,
}

/// Something that can be set.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What values it can have.
    pub kind: OptionKind,
}

/// The values that an option can have.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// A whole number; `None` if it is not set unless told.
    Whole {
        /// The value unless told.
        default: Option<u64>,
        /// The smallest value.
        least: u64,
        /// The largest value.
        most: u64,
    },
    /// A number; `None` if it is not set unless told.
    Real {
        /// The value unless told.
        default: Option<f64>,
        /// The smallest value.
        least: f64,
        /// The largest value.
        most: f64,
    },
    /// One of some words, of which the first holds unless told; its value is the number of the word.
    Choice {
        /// The words.
        names: &'static [&'static str],
    },
}

const SECONDS: OptionInfo = OptionInfo {
    name: "seconds",
    about: "how long it thinks about a move",
    kind: OptionKind::Real { default: None, least: 0.001, most: 86_400.0 },
};

const ITERATIONS: OptionInfo = OptionInfo {
    name: "iterations",
    about: "how many random games or positions it looks at for a move",
    kind: OptionKind::Whole { default: None, least: 1, most: 1_000_000_000_000 },
};

const EXPLORATION: OptionInfo = OptionInfo {
    name: "exploration",
    about: "how much moves are favoured that were rarely tried",
    kind: OptionKind::Real { default: Some(0.6), least: 0.0, most: 100.0 },
};

const NET_EXPLORATION: OptionInfo = OptionInfo {
    kind: OptionKind::Real { default: Some(1.25), least: 0.0, most: 100.0 },
    ..EXPLORATION
};

const WIDE: OptionInfo = OptionInfo {
    name: "wide",
    about: "with more moves than this, a move is chosen step by step",
    kind: OptionKind::Whole { default: Some(100), least: 1, most: 1_000_000 },
};

const LEARNING: OptionInfo = OptionInfo {
    name: "learning",
    about: "how much it learns about the game before it plays: 1 is a second or two, 0 nearly nothing",
    kind: OptionKind::Whole { default: Some(1), least: 0, most: 10_000 },
};

const THREADS: OptionInfo = OptionInfo {
    name: "threads",
    about: "how many threads think",
    kind: OptionKind::Whole { default: Some(1), least: 1, most: 256 },
};

const MEMORY: OptionInfo = OptionInfo {
    name: "memory",
    about: "how many megabytes it may take",
    kind: OptionKind::Whole { default: Some(1024), least: 1, most: 1_000_000 },
};

const TABLE: OptionInfo = OptionInfo {
    name: "memory",
    about: "how many megabytes the table of positions takes",
    kind: OptionKind::Whole { default: Some(64), least: 1, most: 1_000_000 },
};

const SETTLING: OptionInfo = OptionInfo {
    name: "settling",
    about: "1 if moves that take or promote are followed until it is quiet",
    kind: OptionKind::Whole { default: Some(1), least: 0, most: 1 },
};

const REDUCING: OptionInfo = OptionInfo {
    name: "reducing",
    about: "1 if late moves are looked at with less depth",
    kind: OptionKind::Whole { default: Some(1), least: 0, most: 1 },
};

const PRUNING: OptionInfo = OptionInfo {
    name: "pruning",
    about: "1 if positions that are much too good are left near the full depth",
    kind: OptionKind::Whole { default: Some(1), least: 0, most: 1 },
};

/// How nets are asked; the first one is what suits the net.
const SEARCHES: &[&str] = &["usual", "likely", "rounds", "lookahead", "mcts"];

const SEARCH: OptionInfo = OptionInfo {
    name: "search",
    about: "how a net is asked: in the usual way, by mcts, or if it is a residual net where it finds moves likely, by rounds or some moves ahead as in the ABG report",
    kind: OptionKind::Choice { names: SEARCHES },
};

const DEPTH: OptionInfo = OptionInfo {
    name: "depth",
    about: "how many moves ahead a residual net is asked by `search=lookahead`",
    kind: OptionKind::Whole { default: Some(4), least: 1, most: 100 },
};

/// The kind of players with nets, which are named `net:FILE`.
static NET: Kind = Kind {
    name: "net",
    about: "looks ahead and judges by a net that was trained for the game",
    options: &[
        SECONDS,
        ITERATIONS,
        LEARNING,
        THREADS,
        TABLE,
        SETTLING,
        REDUCING,
        PRUNING,
        SEARCH,
        DEPTH,
        NET_EXPLORATION,
    ],
    goes_on: true,
};

/// All kinds of players that need no file.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "auto",
        about: "the one of the others that plays the game best, found by short matches",
        options: &[
            SECONDS,
            ITERATIONS,
            OptionInfo {
                name: "level",
                about: "how well it plays: 1 is for beginners, 10 as well as it can",
                kind: OptionKind::Whole {
                    default: Some(HIGHEST_LEVEL as u64),
                    least: 1,
                    most: HIGHEST_LEVEL as u64,
                },
            },
            LEARNING,
            THREADS,
            OptionInfo {
                kind: OptionKind::Whole { default: None, least: 1, most: 1_000_000 },
                ..MEMORY
            },
        ],
        goes_on: true,
    },
    Kind { name: "random", about: "plays any legal move", options: &[], goes_on: false },
    Kind {
        name: "greedy",
        about: "looks one move ahead: wins if it can, else keeps the most pieces",
        options: &[],
        goes_on: false,
    },
    Kind {
        name: "flat",
        about: "plays random games after every move, more of them after those that do well",
        options: &[SECONDS, ITERATIONS],
        goes_on: false,
    },
    Kind {
        name: "uct",
        about: "grows a tree of positions where random games do well",
        options: &[SECONDS, ITERATIONS, EXPLORATION, THREADS, WIDE, MEMORY],
        goes_on: true,
    },
    Kind {
        name: "mcts",
        about: "grows a tree of positions by random games, an evaluation and proof",
        options: &[
            SECONDS,
            ITERATIONS,
            OptionInfo {
                kind: OptionKind::Real { default: Some(0.3), least: 0.0, most: 100.0 },
                ..EXPLORATION
            },
            OptionInfo {
                name: "rave",
                about: "as how many visits moves count that were made later",
                kind: OptionKind::Real { default: Some(300.0), least: 0.0, most: 1_000_000.0 },
            },
            OptionInfo {
                name: "length",
                about: "after how many moves a random game is judged by the evaluation; 1000 plays it to its end",
                kind: OptionKind::Whole { default: Some(1_000), least: 0, most: 1_000 },
            },
            OptionInfo {
                name: "minimax",
                about: "how much of a move's value is backed up from evaluations as in minimax",
                kind: OptionKind::Real { default: Some(0.0), least: 0.0, most: 1.0 },
            },
            OptionInfo {
                name: "proof",
                about: "how much moves are favoured after which little is left to be proven",
                kind: OptionKind::Real { default: Some(0.0), least: 0.0, most: 10.0 },
            },
            OptionInfo {
                name: "mast",
                about: "1 if random games prefer moves that did well elsewhere",
                kind: OptionKind::Whole { default: Some(0), least: 0, most: 1 },
            },
            LEARNING,
            THREADS,
            WIDE,
            MEMORY,
        ],
        goes_on: true,
    },
    Kind {
        name: "alphabeta",
        about: "looks ahead and judges by an evaluation that is fitted to the game",
        options: &[
            SECONDS,
            ITERATIONS,
            OptionInfo {
                name: "evaluation",
                about: "by what it judges positions: learnt weights, numbers of pieces or of moves, or random games",
                kind: OptionKind::Choice { names: EvaluationKind::NAMES },
            },
            LEARNING,
            THREADS,
            TABLE,
            SETTLING,
            REDUCING,
            PRUNING,
        ],
        goes_on: true,
    },
];

/// A kind of player with options: `uct?iterations=1000&threads=2`.
///
/// # Examples
///
/// ```
/// use regulus_agents::PlayerSpec;
///
/// let spec: PlayerSpec = "uct?iterations=1000".parse()?;
/// assert_eq!(spec.to_string(), "uct?iterations=1000");
/// let error = "uct?itertions=5".parse::<PlayerSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "the player `uct` has no option `itertions`; it has seconds, iterations, exploration, \
///     threads, wide, memory");
/// # Ok::<(), regulus_agents::BadSpec>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    kind: &'static Kind,
    values: Vec<(&'static OptionInfo, f64)>,
    net: Option<NetFile>,
}

/// The file with the net of a player.
#[derive(Clone, Debug)]
struct NetFile {
    /// What stands behind `net:`.
    name: String,
    path: PathBuf,
}

/// A net of either kind.
#[derive(Clone)]
enum AnyNet {
    Sums(Arc<Net>),
    Residual(Arc<ResidualNet>),
}

impl AnyNet {
    /// Reads a file, unless the same one was read before.
    fn read(game: &Arc<Game>, path: &Path) -> Result<AnyNet, BadNet> {
        let about = std::fs::metadata(path).ok();
        let mut hasher = DefaultHasher::new();
        let modified = about.as_ref().and_then(|about| about.modified().ok());
        (path, game.fingerprint(), modified, about.map(|about| about.len())).hash(&mut hasher);
        NETS.get((hasher.finish(), 0), || {
            Ok(match ResidualWeights::read(game, path)? {
                Some(weights) => AnyNet::Residual(Arc::new(ResidualNet::new(game, &weights))),
                None => AnyNet::Sums(Arc::new(Net::read(game, path)?)),
            })
        })
    }
}

/// Nets that were read: a player is made for every game, and on a server for every move.
static NETS: Kept<Result<AnyNet, BadNet>> = Kept::new(16);

/// Why a text is not a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSpec(String);

impl fmt::Display for BadSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadSpec {}

impl PlayerSpec {
    /// The kind.
    #[must_use]
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// The budget that the options say; what they leave open is that of `otherwise` if they say nothing at all.
    #[must_use]
    pub fn budget_or(&self, otherwise: Budget) -> Budget {
        let budget = Budget {
            time: self.given("seconds").map(Duration::from_secs_f64),
            iterations: self.given("iterations").map(|count| count as u64),
            depth: None,
        };
        if budget.is_endless() { otherwise } else { budget }
    }

    /// A player of this kind for a game. A player with one thread and a budget of iterations plays the same for the same seed.
    #[must_use]
    pub fn create(&self, game: &Arc<Game>, seed: u64) -> Box<dyn Agent> {
        match self.kind.name {
            "greedy" => Box::new(Greedy::new(game, seed)),
            "flat" => Box::new(Flat::new(seed)),
            "uct" => {
                let options = UctOptions {
                    exploration: self.value("exploration") as f32,
                    threads: self.value("threads") as usize,
                    wide: self.value("wide") as usize,
                    bytes: self.value("memory") as usize * 1_000_000,
                };
                Box::new(Uct::new(options, seed))
            }
            "auto" => {
                let options = AutoOptions {
                    level: self.value("level") as u32,
                    memory: self.given("memory").map(|memory| memory as u64),
                    learning: self.value("learning") as u32,
                    threads: self.value("threads") as usize,
                };
                Box::new(Auto::new(game, options, seed))
            }
            "mcts" => Box::new(Mcts::new(game, self.mcts_options(), seed)),
            "alphabeta" => Box::new(AlphaBeta::new(game, self.alphabeta_options())),
            "net" => match self.read_net(game) {
                Ok(Some(AnyNet::Sums(net))) => self.create_with_net(game, net),
                Ok(Some(AnyNet::Residual(net))) => self.create_with_residual(game, net, seed),
                Ok(None) => Box::new(Unable::new("there is no net".to_owned())),
                Err(error) => Box::new(Unable::new(error.to_string())),
            },
            _ => Box::new(Random::new(seed)),
        }
    }

    /// A player that judges positions of a game by a net, with the options of `net:FILE`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use regulus_agents::{Budget, Net, NetInputs, NetWeights, PlayerSpec, Task};
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let game = Game::load("tic_tac_toe", &Config::default())?;
    /// let inputs = Arc::new(NetInputs::new(&game)?);
    /// let net = Net::new(Arc::clone(&inputs), &NetWeights::zero(&inputs, 16, 1));
    /// let spec = PlayerSpec::net("?learning=0&iterations=100")?;
    /// let mut agent = spec.create_with_net(&game, Arc::new(net));
    /// let mut task = Task::new(spec.budget_or(Budget::default()));
    /// assert!(agent.think(&Match::new(&game)?, &mut task).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn create_with_net(&self, game: &Arc<Game>, net: Arc<Net>) -> Box<dyn Agent> {
        if SEARCHES[self.value("search") as usize] == "mcts" {
            // The net takes the place of random games.
            let kind = KINDS.iter().find(|kind| kind.name == "mcts").unwrap_or(&NET);
            let usual = PlayerSpec { kind, values: Vec::new(), net: None };
            let options = MctsOptions {
                length: 0,
                learning: self.value("learning") as u32,
                threads: self.value("threads") as usize,
                ..usual.mcts_options()
            };
            return Box::new(Mcts::new(game, options, 1).with_net(net));
        }
        Box::new(AlphaBeta::new(game, self.alphabeta_options()).with_net(net))
    }

    /// A player that searches with a residual net of a game, with the options of `net:FILE`.
    #[must_use]
    pub fn create_with_residual(
        &self,
        game: &Arc<Game>,
        net: Arc<ResidualNet>,
        seed: u64,
    ) -> Box<dyn Agent> {
        let exploration = self.value("exploration") as f32;
        let is_guided = net.shape().choices > 0;
        let kind = match SEARCHES[self.value("search") as usize] {
            "lookahead" => NetSearchKind::Lookahead { depth: self.value("depth") as u32 },
            "rounds" => NetSearchKind::Rounds { exploration },
            "usual" if !is_guided => NetSearchKind::Rounds { exploration },
            _ => NetSearchKind::Likely { exploration, draws: false },
        };
        Box::new(ResidualPlayer::new(game, net, kind, seed))
    }

    /// A player with a net, by what stands behind `net:`: the file and options.
    ///
    /// # Errors
    ///
    /// If there are no such options.
    pub fn net(text: &str) -> Result<PlayerSpec, BadSpec> {
        let (path, options) = text.split_once('?').unwrap_or((text, ""));
        PlayerSpec::named_net(path, Path::new(path), options)
    }

    /// A player with the net of a file, which is called `net:NAME` and does not tell where the file is.
    ///
    /// # Errors
    ///
    /// If there are no such options.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use regulus_agents::PlayerSpec;
    ///
    /// let spec = PlayerSpec::named_net("mine", Path::new("runs/1/best.safetensors"), "threads=2")?;
    /// assert_eq!(spec.to_string(), "net:mine?threads=2");
    /// assert_eq!(spec.net_file(), Some(Path::new("runs/1/best.safetensors")));
    /// # Ok::<(), regulus_agents::BadSpec>(())
    /// ```
    pub fn named_net(name: &str, path: &Path, options: &str) -> Result<PlayerSpec, BadSpec> {
        let values = read_options(&NET, options)?;
        let net = NetFile { name: name.to_owned(), path: path.to_owned() };
        Ok(PlayerSpec { kind: &NET, values, net: Some(net) })
    }

    /// The kind of players with nets, which is not among [`KINDS`] since each of them needs a file.
    #[must_use]
    pub fn net_kind() -> &'static Kind {
        &NET
    }

    /// Reads a player as [`PlayerSpec::from_str`] does, or `net:FILE`. For texts of people who may read files here.
    ///
    /// # Errors
    ///
    /// If it is not a player.
    pub fn read(text: &str) -> Result<PlayerSpec, BadSpec> {
        match text.strip_prefix("net:") {
            Some(net) => PlayerSpec::net(net),
            None => text.parse(),
        }
    }

    /// Whether the player can play a game: a net must be there and be one of this game.
    ///
    /// # Errors
    ///
    /// If not, with the reason.
    pub fn check(&self, game: &Arc<Game>) -> Result<(), BadSpec> {
        self.read_net(game).map(|_| ())
    }

    /// The net, if the player has one. Where its file is, is told only to those who named it.
    fn read_net(&self, game: &Arc<Game>) -> Result<Option<AnyNet>, BadSpec> {
        let Some(NetFile { name, path }) = &self.net else { return Ok(None) };
        let told = |error: BadNet| error.to_string().replace(&path.display().to_string(), name);
        AnyNet::read(game, path).map(Some).map_err(|error| BadSpec(told(error)))
    }

    /// The file of the net; `None` if the player has none.
    #[must_use]
    pub fn net_file(&self) -> Option<&Path> {
        self.net.as_ref().map(|net| net.path.as_path())
    }

    /// The same player with at most so many megabytes of memory, if its kind can be told and its options do not say.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_agents::PlayerSpec;
    ///
    /// let spec: PlayerSpec = "uct?threads=2".parse()?;
    /// assert_eq!(spec.with_memory(40).to_string(), "uct?threads=2&memory=40");
    /// assert_eq!(spec.with_memory(40).with_memory(80).to_string(), "uct?threads=2&memory=40");
    /// # Ok::<(), regulus_agents::BadSpec>(())
    /// ```
    #[must_use]
    pub fn with_memory(&self, megabytes: u64) -> PlayerSpec {
        self.clone().or("memory", megabytes as f64)
    }

    /// What the options say about a player of the kinds `alphabeta` and `net`.
    fn alphabeta_options(&self) -> AlphaBetaOptions {
        AlphaBetaOptions {
            threads: self.value("threads") as usize,
            evaluation: EvaluationKind::from_number(self.value("evaluation") as usize),
            learning: self.value("learning") as u32,
            bytes: self.value("memory") as usize * 1_000_000,
            parts: SearchParts {
                settles: self.value("settling") > 0.0,
                reduces: self.value("reducing") > 0.0,
                prunes: self.value("pruning") > 0.0,
            },
        }
    }

    /// What the options say about a player of the kind `mcts`.
    pub(crate) fn mcts_options(&self) -> MctsOptions {
        MctsOptions {
            exploration: self.value("exploration") as f32,
            rave: self.value("rave") as f32,
            length: self.value("length") as u64,
            minimax: self.value("minimax") as f32,
            proof: self.value("proof") as f32,
            mast: self.value("mast") > 0.0,
            learning: self.value("learning") as u32,
            threads: self.value("threads") as usize,
            wide: self.value("wide") as usize,
            bytes: self.value("memory") as usize * 1_000_000,
        }
    }

    /// The value of an option that was given; `None` if it was left out, or if there is no such option.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_agents::PlayerSpec;
    ///
    /// let spec: PlayerSpec = "uct?iterations=1000".parse()?;
    /// assert_eq!((spec.given("iterations"), spec.given("threads")), (Some(1000.0), None));
    /// # Ok::<(), regulus_agents::BadSpec>(())
    /// ```
    #[must_use]
    pub fn given(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(option, _)| option.name == name).map(|(_, value)| *value)
    }

    /// Sets an option to a value in its range, if the kind has it and it is not given.
    pub(crate) fn or(mut self, name: &str, value: f64) -> PlayerSpec {
        let option = self.kind.options.iter().find(|option| option.name == name);
        if let Some(option) = option.filter(|_| self.given(name).is_none()) {
            self.values.push((option, value));
        }
        self
    }

    /// Takes an option back that may have been given.
    pub(crate) fn without(mut self, name: &str) -> PlayerSpec {
        self.values.retain(|(option, _)| option.name != name);
        self
    }

    /// The value of an option, given or not.
    fn value(&self, name: &str) -> f64 {
        let option = self.kind.options.iter().find(|option| option.name == name);
        let default = option.and_then(|option| match option.kind {
            OptionKind::Whole { default, .. } => default.map(|value| value as f64),
            OptionKind::Real { default, .. } => default,
            OptionKind::Choice { .. } => Some(0.0),
        });
        self.given(name).or(default).unwrap_or_default()
    }
}

impl FromStr for PlayerSpec {
    type Err = BadSpec;

    fn from_str(text: &str) -> Result<PlayerSpec, BadSpec> {
        let (name, options) = text.split_once('?').unwrap_or((text, ""));
        let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
            let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
            let names = names.join(", ");
            return Err(BadSpec(format!("there is no player `{name}`; there are {names}")));
        };
        let values = read_options(kind, options)?;
        Ok(PlayerSpec { kind, values, net: None })
    }
}

/// The values of the options of a kind of players, as a text says them.
fn read_options(
    kind: &'static Kind,
    options: &str,
) -> Result<Vec<(&'static OptionInfo, f64)>, BadSpec> {
    let mut values: Vec<(&'static OptionInfo, f64)> = Vec::new();
    for part in options.split('&').filter(|part| !part.is_empty()) {
        let Some((name, value)) = part.split_once('=') else {
            return Err(BadSpec(format!("`{part}` is not an option: write NAME=VALUE")));
        };
        let Some(option) = kind.options.iter().find(|option| option.name == name) else {
            let names: Vec<&str> = kind.options.iter().map(|option| option.name).collect();
            let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let kind = kind.name;
            return Err(BadSpec(format!(
                "the player `{kind}` has no option `{name}`; it has {has}"
            )));
        };
        if values.iter().any(|(known, _)| known.name == name) {
            return Err(BadSpec(format!("`{name}` is given twice")));
        }
        values.push((option, option.read(value)?));
    }
    Ok(values)
}

impl OptionInfo {
    /// The value that a text says.
    fn read(&self, text: &str) -> Result<f64, BadSpec> {
        let name = self.name;
        let bad = |range: String| BadSpec(format!("`{name}` cannot be `{text}`; it is {range}"));
        match self.kind {
            OptionKind::Whole { least, most, .. } => {
                let value: Option<u64> = text.parse().ok();
                let value = value.filter(|value| (least..=most).contains(value));
                let range = || bad(format!("a whole number from {least} to {most}"));
                value.map(|value| value as f64).ok_or_else(range)
            }
            OptionKind::Real { least, most, .. } => {
                let value: Option<f64> = text.parse().ok();
                let value = value.filter(|value| (least..=most).contains(value));
                value.ok_or_else(|| bad(format!("a number from {least} to {most}")))
            }
            OptionKind::Choice { names } => {
                let number = names.iter().position(|name| *name == text);
                number.map(|number| number as f64).ok_or_else(|| bad(names.join(", ")))
            }
        }
    }
}

/// A player that cannot play: it loses every game, and says why.
#[derive(Debug)]
struct Unable(String);

impl Unable {
    fn new(reason: String) -> Unable {
        Unable(reason)
    }
}

impl Agent for Unable {
    fn think(&mut self, _: &Match, _: &mut Task<'_>) -> Result<Thought, AgentError> {
        Err(AgentError::Forfeit(self.0.clone()))
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name)?;
        if let Some(net) = &self.net {
            write!(f, ":{}", net.name)?;
        }
        for (index, (option, value)) in self.values.iter().enumerate() {
            write!(f, "{}{}=", if index == 0 { '?' } else { '&' }, option.name)?;
            match option.kind {
                OptionKind::Choice { names } => f.write_str(names[*value as usize])?,
                _ => write!(f, "{value}")?,
            }
        }
        Ok(())
    }
}
