//! `regulus manager`: games over the network, by the protocol of the RBG game manager.

use std::fs::File;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use regulus_arena::manager::{
    ClientConfig, ClientEvent, ClientGame, Ending, ManagerError, PlayedMove, ServedGame, Server,
    ServerConfig, ServerEvent, join,
};
use regulus_automaton::Player;
use regulus_game::{Game, Over};
use regulus_lang::{Language, Source};
use serde_json::{Value, json};

use crate::args;
use crate::commands::translate;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{self, complain, say};

pub(crate) fn run(loader: &Loader, args: &args::Manager) -> Result<(), Failure> {
    match args {
        args::Manager::Serve(args) => serve(loader, args),
        args::Manager::Join(args) => take_part(loader, args),
    }
}

fn serve(loader: &Loader, args: &args::Serve) -> Result<(), Failure> {
    let game = load_as_rbg(loader, &args.game)?;
    let config = ServerConfig {
        games: args.games,
        deadline: Duration::from_millis(args.deadline),
        preparation: Duration::from_millis(args.preparation.unwrap_or(args.deadline)),
        grace: Duration::from_millis(args.grace),
        wait: Duration::from_secs_f64(args.wait),
        ..ServerConfig::default()
    };
    let mut host = Host {
        loader,
        game: &game,
        moves: 0,
        move_log: Log::open(args.log_moves.as_deref())?,
        result_log: Log::open(args.log_results.as_deref())?,
    };
    let address = SocketAddr::new(args.bind, args.port).to_string();
    let server = Server::bind(Arc::clone(&game), &address, config)?;
    host.listening(server.address());
    server.run(&mut |event| host.see(event))?;
    host.move_log.close()?;
    host.result_log.close()
}

/// A game whose text is RBG, since that is what clients get: as it is, or translated.
fn load_as_rbg(loader: &Loader, name: &str) -> Result<Arc<Game>, Failure> {
    let source = loader.read(name)?;
    let game = if matches!(Language::of(&source), Ok(Language::Rbg)) {
        loader.game(source)?
    } else {
        let title = format!("{} in RBG", source.name());
        let text = translate::to_rbg(loader, loader.checked(&source)?, source)?;
        Game::new(Source::new(title, text).in_language(Language::Rbg), &loader.config)?
    };
    if game.keeps_history() {
        complain!(
            "note: this game ends when positions come again, which RBG cannot say; only clients that read our \
             comment know it\n"
        );
    }
    Ok(game)
}

/// Who is told what happens at the server.
struct Host<'a> {
    loader: &'a Loader,
    game: &'a Arc<Game>,
    /// The moves of the game that is being played.
    moves: usize,
    move_log: Log,
    result_log: Log,
}

impl Host<'_> {
    fn listening(&self, address: SocketAddr) {
        let needed = self.game.player_count();
        if self.loader.json {
            let address = address.to_string();
            say!("{}", json!({ "event": "listening", "address": address, "clients": needed }));
        } else {
            say!("listening at {address} for {needed} clients");
        }
        output::flush();
    }

    fn see(&mut self, event: &ServerEvent<'_>) {
        match event {
            ServerEvent::Played(played) => self.move_log.line(&played.wire()),
            ServerEvent::Over(record) => {
                if matches!(record.ending, Ending::Over(_)) {
                    self.move_log.line("reset");
                }
                if let Some(line) = record.log_line() {
                    self.result_log.line(&line);
                }
            }
            _ => {}
        }
        if self.loader.json {
            if let ServerEvent::Over(record) = event {
                say!("{}", record_json(self.game, record));
            }
        } else {
            self.tell(event);
        }
        output::flush();
    }

    fn tell(&mut self, event: &ServerEvent<'_>) {
        let name = |player: Player| self.loader.screen.player(self.game, player);
        match event {
            ServerEvent::Joined { player, address } => {
                say!("{} joins from {address}", name(*player))
            }
            ServerEvent::Lost { player, misconduct } => {
                say!("{} is gone: {misconduct}", name(*player));
            }
            ServerEvent::Ready(player) => say!("{} is ready", name(*player)),
            ServerEvent::Played(played) => {
                self.moves += 1;
                say_move(self.loader, self.game, self.moves, played);
            }
            ServerEvent::Over(record) => {
                self.moves = 0;
                say!("{}", record.ending);
            }
            _ => {}
        }
    }
}

fn record_json(game: &Game, record: &ServedGame) -> Value {
    let players = &game.automaton().players;
    let ending = match &record.ending {
        Ending::Over(over) => json!({ "kind": "over", "outcome": over_json(over) }),
        Ending::Forfeit { player, misconduct, .. } => json!({
            "kind": "forfeit",
            "loser": players[*player],
            "id": misconduct.id(),
            "reason": misconduct.to_string(),
        }),
        Ending::BrokenOff => json!({ "kind": "broken-off" }),
    };
    json!({
        "event": "game",
        "players": players.as_slice(),
        "moves": moves_json(game, &record.moves),
        "ending": ending,
        "seconds": record.time.as_secs_f64(),
        "late_moves": record.late_moves,
        "late_ready": record.late_ready,
    })
}

fn over_json(over: &Over) -> Value {
    json!({ "results": over.results, "scores": over.scores, "reason": over.reason })
}

fn moves_json(game: &Game, moves: &[PlayedMove]) -> Vec<Value> {
    let players = &game.automaton().players;
    let as_json = |played: &PlayedMove| json!({ "player": players[played.player], "move": played.name, "exact": played.wire() });
    moves.iter().map(as_json).collect()
}

fn say_move(loader: &Loader, game: &Game, number: usize, played: &PlayedMove) {
    let player = loader.screen.player(game, played.player);
    say!("{number:>3}. {player} {}", played.name);
}

fn take_part(loader: &Loader, args: &args::Join) -> Result<(), Failure> {
    let config = ClientConfig {
        seed: args.seed,
        patience: Duration::from_secs_f64(args.patience),
        load: loader.config.clone(),
        ..ClientConfig::new(args.player.clone())
    };
    let mut guest = Guest { loader, game: None, moves: 0 };
    join(&args.server, &config, &mut |event| guest.see(event))?;
    Ok(())
}

/// Who is told what happens at the client.
struct Guest<'a> {
    loader: &'a Loader,
    game: Option<Arc<Game>>,
    moves: usize,
}

impl Guest<'_> {
    fn see(&mut self, event: &ClientEvent<'_>) {
        if let ClientEvent::Joined { game, .. } = event {
            self.game = Some(Arc::clone(game));
        }
        let Some(game) = &self.game else { return };
        match event {
            ClientEvent::Joined { player, .. } if self.loader.json => {
                let player = &game.automaton().players[*player];
                say!("{}", json!({ "event": "joined", "player": player }));
            }
            ClientEvent::Joined { player, .. } => {
                say!("we are {}", self.loader.screen.player(game, *player));
            }
            ClientEvent::Over(played) if self.loader.json => say!("{}", game_json(game, played)),
            ClientEvent::Played(played) if !self.loader.json => {
                self.moves += 1;
                say_move(self.loader, game, self.moves, played);
            }
            ClientEvent::Over(played) => {
                self.moves = 0;
                match &played.over {
                    Some(over) => say!("{over}"),
                    None => say!("the server has ended the game"),
                }
            }
            _ => {}
        }
        output::flush();
    }
}

fn game_json(game: &Game, played: &ClientGame) -> Value {
    json!({
        "event": "game",
        "players": game.automaton().players.as_slice(),
        "moves": moves_json(game, &played.moves),
        "outcome": played.over.as_ref().map(over_json),
    })
}

/// A file that gets a line now and then; each is there at once.
struct Log {
    file: Option<(PathBuf, File)>,
    problem: Option<std::io::Error>,
}

impl Log {
    fn open(path: Option<&Path>) -> Result<Log, Failure> {
        let Some(path) = path else { return Ok(Log { file: None, problem: None }) };
        let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
        Ok(Log { file: Some((path.to_owned(), file)), problem: None })
    }

    /// Writes a line; what goes wrong is told at the end, so that games go on.
    fn line(&mut self, line: &str) {
        if let Some((_, file)) = &mut self.file
            && let Err(error) = file.write_all(format!("{line}\n").as_bytes())
        {
            self.problem.get_or_insert(error);
        }
    }

    fn close(self) -> Result<(), Failure> {
        match (self.file, self.problem) {
            (Some((path, _)), Some(error)) => Err(cannot_write(&path, &error)),
            _ => Ok(()),
        }
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::bad_input(format!("cannot write {}: {error}", path.display()))
}

impl From<ManagerError> for Failure {
    fn from(error: ManagerError) -> Failure {
        match error {
            ManagerError::Game(error) => error.into(),
            error => Failure::bad_input(error.to_string()),
        }
    }
}
