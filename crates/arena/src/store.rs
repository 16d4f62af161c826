//! Records of games in an SQLite file.
//!
//! Every game is written when it is over, so that a process which is killed loses the games under way and nothing else. Two
//! processes may play from one schedule into one file: a game is claimed before it is played, and a claim of a process that is
//! no more counts for nothing.

use std::path::Path;
use std::time::Duration;

use regulus_game::Error;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::contest::Keeper;
use crate::record::{End, GameRecord, PlyRecord};
use crate::schedule::Fixture;

/// The version of the tables.
const VERSION: i64 = 1;

/// How long a process waits for another that writes.
const PATIENCE: Duration = Duration::from_secs(60);

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS contest (id INTEGER PRIMARY KEY CHECK (id = 1), setup TEXT NOT NULL, players TEXT NOT NULL,
        fixtures INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS games (number INTEGER PRIMARY KEY, game TEXT NOT NULL, seed INTEGER NOT NULL,
        seats TEXT NOT NULL, players TEXT NOT NULL, opening INTEGER NOT NULL, moves TEXT NOT NULL, movers TEXT NOT NULL,
        estimates TEXT NOT NULL, times TEXT NOT NULL, results TEXT NOT NULL, ended TEXT NOT NULL, reason TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS claims (number INTEGER PRIMARY KEY, process TEXT NOT NULL);
";

/// A file of records.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    process: String,
}

/// What a file of records is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// All that decides what happens in the games, as text: two parts of one tournament have the same.
    pub text: String,
    /// The names of the contestants.
    pub players: Vec<String>,
    /// How many games there are in all.
    pub fixtures: u64,
}

impl Store {
    /// Opens a file, or makes it. If it has records already, they must be of the same setup.
    ///
    /// # Errors
    ///
    /// If the file cannot be used, or is about something else.
    pub fn open(path: &Path, setup: &Setup) -> Result<Store, Error> {
        let store = Store::connect(path)?;
        let found = store.find_setup()?;
        match found {
            Some(found) if found == *setup => {}
            Some(found) => {
                let why = difference(&found, setup);
                return Err(bad(path, &format!("it has the records of another contest: {why}")));
            }
            None => {
                let players = setup.players.join("\n");
                let values = params![setup.text, players, setup.fixtures as i64];
                let insert = "INSERT OR IGNORE INTO contest VALUES (1, ?1, ?2, ?3)";
                store.connection.execute(insert, values).map_err(|error| bad(path, &error))?;
            }
        }
        Ok(store)
    }

    /// Opens a file that exists.
    ///
    /// # Errors
    ///
    /// If there is none, or it has no records of games.
    pub fn open_existing(path: &Path) -> Result<(Store, Setup), Error> {
        if !path.is_file() {
            return Err(bad(path, &"there is no such file"));
        }
        let store = Store::connect(path)?;
        match store.find_setup()? {
            Some(setup) => Ok((store, setup)),
            None => Err(bad(path, &"it has no records of games")),
        }
    }

    fn connect(path: &Path) -> Result<Store, Error> {
        let failed = |error: rusqlite::Error| bad(path, &error);
        let connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        // Commits survive the end of the process at once, and that of the machine soon after.
        connection.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(failed)?;
        let version: i64 = connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .map_err(failed)?;
        if version != 0 && version != VERSION {
            return Err(bad(path, &format!("it was written by another version ({version})")));
        }
        connection.execute_batch(TABLES).map_err(failed)?;
        connection.pragma_update(None, "user_version", VERSION).map_err(failed)?;
        Ok(Store { connection, process: own_process() })
    }

    fn find_setup(&self) -> Result<Option<Setup>, Error> {
        let read = |row: &Row<'_>| {
            let players: String = row.get(1)?;
            Ok(Setup {
                text: row.get(0)?,
                players: players.split('\n').map(str::to_owned).collect(),
                fixtures: row.get::<_, i64>(2)? as u64,
            })
        };
        let select = "SELECT setup, players, fixtures FROM contest WHERE id = 1";
        self.connection.query_row(select, [], read).optional().map_err(|error| failed(&error))
    }

    /// How many games there are records of.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn count(&self) -> Result<u64, Error> {
        let count: Result<i64, _> =
            self.connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0));
        count.map(|count| count as u64).map_err(|error| failed(&error))
    }

    /// Shows every record, by number.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or a record is damaged, or what `show` says.
    pub fn visit(
        &self,
        show: &mut dyn FnMut(GameRecord) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let select = "SELECT * FROM games ORDER BY number";
        let mut select = self.connection.prepare(select).map_err(|error| failed(&error))?;
        let mut rows = select.query([]).map_err(|error| failed(&error))?;
        while let Some(row) = rows.next().map_err(|error| failed(&error))? {
            show(read_record(row)?)?;
        }
        Ok(())
    }

    /// Adds a record; says whether it is new.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&self, record: &GameRecord) -> Result<bool, Error> {
        let insert = "INSERT OR IGNORE INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        let mut insert = self.connection.prepare_cached(insert).map_err(|error| failed(&error))?;
        let plies = &record.plies;
        let estimate =
            |ply: &PlyRecord| ply.value.map_or("-".to_owned(), |value| value.to_string());
        let added = insert.execute(params![
            record.number as i64,
            record.game,
            record.seed as i64,
            record.seats.join("\n"),
            join(record.players.iter()),
            record.opening as i64,
            plies.iter().map(|ply| ply.name.as_str()).collect::<Vec<_>>().join("\n"),
            join(plies.iter().map(|ply| ply.seat)),
            join(plies.iter().map(estimate)),
            join(plies.iter().map(|ply| ply.time.as_micros())),
            join(record.results.iter()),
            record.end.name(),
            record.reason,
        ]);
        added.map(|count| count > 0).map_err(|error| failed(&error))
    }

    /// Adds all records of another file of the same setup; says how many are new.
    ///
    /// # Errors
    ///
    /// If one of the files cannot be used, or they are about different contests.
    pub fn merge(&mut self, path: &Path) -> Result<u64, Error> {
        let (other, setup) = Store::open_existing(path)?;
        let own = self.find_setup()?;
        if own.as_ref() != Some(&setup) {
            let why = own.map_or(String::new(), |own| difference(&own, &setup));
            return Err(bad(path, &format!("it has the records of another contest: {why}")));
        }
        self.connection.execute_batch("BEGIN").map_err(|error| failed(&error))?;
        let mut new = 0;
        let merged = other.visit(&mut |record| {
            new += u64::from(self.add(&record)?);
            Ok(())
        });
        let end = if merged.is_ok() { "COMMIT" } else { "ROLLBACK" };
        self.connection.execute_batch(end).map_err(|error| failed(&error))?;
        merged.map(|()| new)
    }
}

impl Keeper for Store {
    fn claim(&mut self, fixture: &Fixture) -> Result<bool, Error> {
        let number = fixture.number as i64;
        let claim = || -> Result<bool, rusqlite::Error> {
            let done = "SELECT 1 FROM games WHERE number = ?1";
            let mut done = self.connection.prepare_cached(done)?;
            if done.exists([number])? {
                return Ok(false);
            }
            let insert = "INSERT OR IGNORE INTO claims VALUES (?1, ?2)";
            let mut insert = self.connection.prepare_cached(insert)?;
            if insert.execute(params![number, self.process])? > 0 {
                return Ok(true);
            }
            let owner = "SELECT process FROM claims WHERE number = ?1";
            let owner: Option<String> =
                self.connection.query_row(owner, [number], |row| row.get(0)).optional()?;
            let Some(owner) = owner else { return Ok(false) };
            if owner == self.process || is_alive(&owner) {
                return Ok(false);
            }
            // Of several who see that the owner is gone, one takes the game over.
            let take = "UPDATE claims SET process = ?2 WHERE number = ?1 AND process = ?3";
            Ok(self.connection.execute(take, params![number, self.process, owner])? > 0)
        };
        claim().map_err(|error| failed(&error))
    }

    fn keep(&mut self, record: GameRecord) -> Result<bool, Error> {
        self.add(&record)?;
        Ok(true)
    }
}

fn join(values: impl Iterator<Item = impl ToString>) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
}

/// The record of a row.
fn read_record(row: &Row<'_>) -> Result<GameRecord, Error> {
    let text = |column: usize| row.get::<_, String>(column).map_err(|error| failed(&error));
    let whole = |column: usize| row.get::<_, i64>(column).map_err(|error| failed(&error));
    let number = whole(0)?;
    let damaged = |what: &str| Error::bad_input(format!("the {what} of game {number} are damaged"));
    fn numbers<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
        text.split_whitespace().map(|part| part.parse().ok()).collect()
    }
    let seats: Vec<String> = text(3)?.split('\n').map(str::to_owned).collect();
    let names = text(6)?;
    let names: Vec<&str> = if names.is_empty() { Vec::new() } else { names.split('\n').collect() };
    let movers: Vec<usize> = numbers(&text(7)?).ok_or_else(|| damaged("movers"))?;
    let times: Vec<u64> = numbers(&text(9)?).ok_or_else(|| damaged("times"))?;
    let estimates = text(8)?;
    let estimates: Vec<&str> = estimates.split_whitespace().collect();
    let is_whole =
        [movers.len(), times.len(), estimates.len()].iter().all(|&len| len == names.len());
    if !is_whole || movers.iter().any(|&seat| seat >= seats.len()) {
        return Err(damaged("moves"));
    }
    let plies = (0..names.len()).map(|index| PlyRecord {
        seat: movers[index],
        name: names[index].to_owned(),
        value: estimates[index].parse().ok(),
        time: Duration::from_micros(times[index]),
    });
    let players: Vec<usize> = numbers(&text(4)?).ok_or_else(|| damaged("players"))?;
    let results: Vec<f64> = numbers(&text(10)?).ok_or_else(|| damaged("results"))?;
    if players.len() != seats.len() || results.len() != seats.len() {
        return Err(damaged("results"));
    }
    Ok(GameRecord {
        game: text(1)?,
        number: number as u64,
        seed: whole(2)? as u64,
        plies: plies.collect(),
        seats,
        players,
        opening: whole(5)? as usize,
        results,
        end: End::from_name(&text(11)?).ok_or_else(|| damaged("ends"))?,
        reason: text(12)?,
    })
}

/// The first line in which two setups differ.
fn difference(one: &Setup, other: &Setup) -> String {
    let lines = one.text.lines().zip(other.text.lines());
    match lines.into_iter().find(|(one, other)| one != other) {
        Some((one, other)) => format!("`{one}` there, `{other}` here"),
        None => format!("{} games there, {} here", one.fixtures, other.fixtures),
    }
}

fn bad(path: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::bad_input(format!("{}: {why}", path.display()))
}

fn failed(error: &rusqlite::Error) -> Error {
    Error::bad_input(format!("the records cannot be used: {error}"))
}

/// A name of this process that no other has had on this machine: its number and when it began.
fn own_process() -> String {
    let id = std::process::id();
    format!("{id} {}", began(&id.to_string()).unwrap_or_default())
}

/// Whether the process with this name still runs. Where that cannot be found out, it counts as running.
fn is_alive(process: &str) -> bool {
    let (id, start) = process.split_once(' ').unwrap_or((process, ""));
    if start.is_empty() || !Path::new("/proc/self/stat").exists() {
        return true;
    }
    began(id).is_some_and(|now| now == start)
}

/// When a process began, in ticks since the machine did; `None` if there is no such process, or it is a dead one that was not
/// waited for.
fn began(id: &str) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in brackets, may hold anything.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    let state = fields.next()?;
    let start = fields.nth(18)?;
    (state != "Z" && state != "X").then(|| start.to_owned())
}
