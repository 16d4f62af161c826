//! Regulus as a UCI engine.
//!
//! Commands are read on the calling thread and thinking is done on another, so `stop` and `isready` are answered at once. What is
//! read is not trusted: a bad command is answered by `info string …` and changes nothing. Each `go` is answered by a `bestmove`,
//! which is always a legal move, or `(none)` if there is none.

mod options;
mod table;
mod thinking;
mod voice;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use regulus_agents::{Agent, KINDS, PlayerSpec, Stop};
use regulus_game::{Config, Game, Match};

use self::options::{Options, SPINS, Spin};
use self::table::{Table, read_position};
use self::thinking::{Gate, Thinking, Thought};
use self::voice::Voice;
use super::go::Go;
use super::moves::MoveText;
use super::variants::VARIANTS;
use crate::lines::{Line, read_line};

/// The longest command that is read, in bytes: a game of 200,000 moves.
const LONGEST_COMMAND: usize = 1 << 20;

/// How a UCI engine is set up.
#[derive(Clone, Debug, Default)]
pub struct ServeConfig {
    /// How games are loaded.
    pub config: Config,
    /// Games besides the bundled ones, each with the name of its variant.
    pub games: Vec<(String, Arc<Game>)>,
    /// The kind of player at first, by its name in [`KINDS`]; empty for `auto`.
    pub player: String,
}

/// Speaks UCI with the program that writes to `input` and reads `output`, until `quit` or the end of the input.
///
/// # Errors
///
/// If the input cannot be read. Output that no program reads ends the session.
pub fn serve<W: Write + Send + 'static>(
    mut input: impl BufRead,
    output: W,
    config: ServeConfig,
) -> io::Result<()> {
    let mut server = Server::new(Voice::new(output), config);
    loop {
        match read_line(&mut input, LONGEST_COMMAND)? {
            Line::Text(line) => {
                if server.obey(&line) == Next::Quit || server.voice.is_unheard() {
                    break;
                }
            }
            Line::TooLong => {
                server.complain(format!("a command has at most {LONGEST_COMMAND} bytes"));
            }
            Line::End => break,
        }
    }
    server.interrupt();
    Ok(())
}

/// Whether the session goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Command,
    Quit,
}

struct Server {
    voice: Voice,
    config: ServeConfig,
    options: Options,
    /// The game of the chosen variant and its position, once they are needed.
    table: Option<Table>,
    /// The player, while it does not think.
    agent: Option<Box<dyn Agent>>,
    thinking: Option<Thinking>,
}

impl Server {
    fn new(voice: Voice, config: ServeConfig) -> Server {
        let wanted = if config.player.is_empty() { "auto" } else { config.player.as_str() };
        let kind = KINDS.iter().find(|kind| kind.name == wanted).unwrap_or(&KINDS[0]);
        let first = config.games.first().map(|(name, _)| name.as_str());
        let variant = first.unwrap_or(VARIANTS[0].name).to_owned();
        let overhead = Duration::from_millis(20);
        let options = Options { variant, kind, threads: 1, megabytes: 256, seed: 1, overhead };
        Server { voice, config, options, table: None, agent: None, thinking: None }
    }

    fn complain(&self, problem: impl std::fmt::Display) {
        self.voice.remark(&format!("error: {problem}"));
    }

    /// Does what a command says.
    fn obey(&mut self, line: &str) -> Next {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((command, rest)) = words.split_first() else { return Next::Command };
        let done = match *command {
            "quit" => return Next::Quit,
            "uci" => {
                self.introduce();
                Ok(())
            }
            "isready" => self.ready(),
            "setoption" => self.set(rest),
            "ucinewgame" => {
                self.new_game();
                Ok(())
            }
            "position" => self.position(rest),
            "go" => {
                let started = self.go(rest);
                if started.is_err() {
                    self.voice.say("bestmove (none)");
                }
                started
            }
            "ponderhit" => self.ponder_hit(),
            "stop" => {
                self.stop();
                Ok(())
            }
            // Known, and of no meaning here.
            "debug" | "register" => Ok(()),
            other => {
                let other: String = other.chars().take(40).collect();
                Err(format!("there is no command `{other}`"))
            }
        };
        if let Err(problem) = done {
            self.complain(problem);
        }
        Next::Command
    }

    fn variant_names(&self) -> impl Iterator<Item = &str> {
        let given = self.config.games.iter().map(|(name, _)| name.as_str());
        given.chain(VARIANTS.iter().map(|variant| variant.name))
    }

    fn introduce(&self) {
        let combo = |name: &str, default: &str, values: &mut dyn Iterator<Item = &str>| {
            let values: String = values.map(|value| format!(" var {value}")).collect();
            self.voice.say(&format!("option name {name} type combo default {default}{values}"));
        };
        self.voice.say(&format!("id name Regulus {}", env!("CARGO_PKG_VERSION")));
        self.voice.say("id author the Regulus developers");
        let Options { variant, kind, .. } = &self.options;
        combo("UCI_Variant", variant, &mut self.variant_names());
        combo("Player", kind.name, &mut KINDS.iter().map(|kind| kind.name));
        for spin in SPINS {
            let Spin { name, default, least, most } = spin;
            self.voice.say(&format!(
                "option name {name} type spin default {default} min {least} max {most}"
            ));
        }
        self.voice.say("option name Ponder type check default false");
        self.voice.say("uciok");
    }

    fn ready(&mut self) -> Result<(), String> {
        let prepared = self.prepare();
        self.voice.say("readyok");
        prepared
    }

    /// Loads the game and lets the player get ready, unless it thinks.
    fn prepare(&mut self) -> Result<(), String> {
        let game = Arc::clone(self.table()?.play.game());
        if self.thinking.is_some() {
            return Ok(());
        }
        let mut agent = match self.agent.take() {
            Some(agent) => agent,
            None => self.player()?.create(&game, self.options.seed),
        };
        agent.prepare();
        self.agent = Some(agent);
        Ok(())
    }

    /// `setoption name … value …`
    fn set(&mut self, words: &[&str]) -> Result<(), String> {
        let value_at = words.iter().position(|word| *word == "value").unwrap_or(words.len());
        let (Some(("name", name)), value) = (
            words[..value_at].split_first().map(|(first, rest)| (*first, rest.join(" "))),
            words.get(value_at + 1..).unwrap_or_default().join(" "),
        ) else {
            return Err("an option is set by `setoption name NAME value VALUE`".to_owned());
        };
        if !self.settle() {
            return Err("options cannot be set while it thinks".to_owned());
        }
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => self.set_variant(&value)?,
            "player" => {
                let kind = KINDS.iter().find(|kind| kind.name.eq_ignore_ascii_case(&value));
                let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
                self.options.kind = kind.ok_or_else(|| {
                    format!("there is no player `{value}`; there are {}", names.join(", "))
                })?;
            }
            "ponder" => {}
            lower => {
                let spin = SPINS.iter().find(|spin| spin.name.eq_ignore_ascii_case(lower));
                let spin = spin.ok_or_else(|| format!("there is no option `{name}`"))?;
                let Spin { name, least, most, .. } = spin;
                let number = value.parse().ok().filter(|number| (*least..=*most).contains(number));
                let number = number.ok_or_else(|| {
                    format!("`{name}` cannot be `{value}`; it is a number from {least} to {most}")
                })?;
                match spin.name {
                    "Threads" => self.options.threads = number,
                    "Hash" => self.options.megabytes = number,
                    "Seed" => self.options.seed = number,
                    _ => self.options.overhead = Duration::from_millis(number),
                }
            }
        }
        // The next one is made as the options say.
        self.agent = None;
        Ok(())
    }

    fn set_variant(&mut self, value: &str) -> Result<(), String> {
        let known = self.variant_names().find(|name| name.eq_ignore_ascii_case(value));
        let known = known
            .map(str::to_owned)
            .ok_or_else(|| format!("there is no variant `{value}`; `uci` lists them"))?;
        if known != self.options.variant {
            self.table = None;
            self.options.variant = known;
        }
        let table = self.table()?;
        let (game, position) = (table.play.game(), table.play.fen());
        let position = position.unwrap_or_else(|| table.play.position());
        let (width, height) = (game.grid().width(), game.grid().height());
        let name = &self.options.variant;
        self.voice
            .remark(&format!("variant {name} files {width} ranks {height} startpos {position}"));
        Ok(())
    }

    /// Another game begins.
    fn new_game(&mut self) {
        self.interrupt();
        if let Some(agent) = &mut self.agent {
            agent.forget();
        }
        if let Some(table) = &mut self.table
            && let Ok(play) = Match::new(table.play.game())
        {
            table.play = play;
        }
    }

    /// The game of the variant at its first position, or the position that was set.
    fn table(&mut self) -> Result<&mut Table, String> {
        if self.table.is_none() {
            self.table = Some(self.load()?);
        }
        self.table.as_mut().ok_or_else(|| "there is no game".to_owned())
    }

    fn load(&self) -> Result<Table, String> {
        let wanted = &self.options.variant;
        let game = match self.config.games.iter().find(|(name, _)| name == wanted) {
            Some((_, game)) => Arc::clone(game),
            None => {
                let variant = VARIANTS.iter().find(|variant| variant.name == wanted);
                let variant = variant.ok_or_else(|| format!("there is no variant `{wanted}`"))?;
                Game::load(variant.game, &self.config.config).map_err(say)?
            }
        };
        let text = MoveText::new(&game).map_err(|unfit| unfit.to_string())?;
        Ok(Table { play: Match::new(&game).map_err(say)?, text: Arc::new(text) })
    }

    /// `position startpos|fen … moves …`
    fn position(&mut self, words: &[&str]) -> Result<(), String> {
        let moves_at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (start, moves) = (&words[..moves_at], words.get(moves_at + 1..).unwrap_or_default());
        let table = self.table()?;
        let (game, text) = (Arc::clone(table.play.game()), Arc::clone(&table.text));
        let play = match start.split_first() {
            Some((&"startpos", [])) => Match::new(&game).map_err(say)?,
            Some((&"fen", fen)) if !fen.is_empty() => read_position(&game, fen)?,
            _ => {
                return Err(
                    "a position is `startpos` or `fen …`, and may be followed by `moves …`"
                        .to_owned(),
                );
            }
        };
        let mut next = Table { play, text };
        for name in moves {
            next.advance(name)?;
        }
        *table = next;
        Ok(())
    }

    fn go(&mut self, words: &[&str]) -> Result<(), String> {
        let (go, unknown) = Go::parse(words);
        if let Some(unknown) = unknown {
            self.complain(unknown);
        }
        // A program that asks again does not want to wait for the first answer.
        self.interrupt();
        let table = self.table()?.revived();
        let mover = table.play.player();
        let (stop, gate) = (Stop::new(), Arc::new(Gate::default()));
        if !go.waits() {
            gate.open();
        }
        let budget =
            if go.waits() { go.endless() } else { go.budget(mover, self.options.overhead) };
        let agent = match self.agent.take() {
            Some(agent) => agent,
            None => self.player()?.create(table.play.game(), self.options.seed),
        };
        let thought = Thought {
            table,
            agent,
            budget,
            stop: stop.clone(),
            is_analysis: go.is_infinite,
            gate: Arc::clone(&gate),
            voice: self.voice.clone(),
            perft: go.perft,
        };
        let thread = std::thread::Builder::new().name("thinking".to_owned());
        let thread = thread.spawn(move || Some(thought.run()));
        let thread = thread.map_err(|error| format!("cannot think: {error}"))?;
        self.thinking = Some(Thinking { go, mover, stop, gate, thread });
        Ok(())
    }

    /// The player that the options describe.
    fn player(&self) -> Result<PlayerSpec, String> {
        let Options { kind, threads, megabytes, .. } = &self.options;
        let values = [("threads", threads), ("memory", megabytes)];
        let known = values.iter().filter(|(name, _)| kind.options.iter().any(|o| o.name == *name));
        let options: Vec<String> = known.map(|(name, value)| format!("{name}={value}")).collect();
        let spec = format!("{}?{}", kind.name, options.join("&"));
        spec.parse().map_err(|error: regulus_agents::BadSpec| error.to_string())
    }

    fn ponder_hit(&mut self) -> Result<(), String> {
        let overhead = self.options.overhead;
        let thinking = self.thinking.as_ref().filter(|thinking| thinking.go.is_ponder);
        let Some(thinking) = thinking else { return Err("it does not ponder".to_owned()) };
        thinking.gate.open();
        let Some(time) = thinking.go.budget(thinking.mover, overhead).time else { return Ok(()) };
        let (gate, stop) = (Arc::clone(&thinking.gate), thinking.stop.clone());
        let timer = std::thread::Builder::new().name("timer".to_owned()).spawn(move || {
            gate.wait_told(time);
            stop.stop();
        });
        timer.map(|_| ()).map_err(|error| {
            self.stop();
            format!("cannot measure time: {error}")
        })
    }

    /// Ends thinking; the move is told.
    fn stop(&self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.stop();
            thinking.gate.open();
        }
    }

    /// Ends thinking and waits until the move is told.
    fn interrupt(&mut self) {
        self.stop();
        self.join();
    }

    /// Takes the player back if the last move was told; says whether nothing is thought about now.
    fn settle(&mut self) -> bool {
        let is_told = self.thinking.as_ref().is_none_or(|thinking| thinking.gate.is_told());
        if is_told {
            self.join();
        }
        is_told
    }

    fn join(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            // After a panic there is no player any more; the next `go` makes one.
            self.agent = thinking.thread.join().ok().flatten();
        }
    }
}

fn say(error: impl std::fmt::Display) -> String {
    error.to_string()
}
