//! Matches in an SQLite file, so that they survive the end of the server.
//!
//! One thread writes. Requests that arrive while it is busy are written together, and each is answered when it is safe: a commit
//! survives the end of the process at once, and that of the machine soon after. What is written goes to SQLite's log; a second thread
//! moves it from there into the file itself, since that waits for the disk, and no move shall wait for it. Matches that no one has
//! touched for long are removed when the file is opened.

use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::limits;
use crate::refusal::Refusal;

/// The version of the tables.
const VERSION: i64 = 1;

/// How often what was written is moved from the log into the file.
const EVERY: Duration = Duration::from_secs(1);

/// How many pages the log may have until the thread that writes moves them by itself, so that it cannot grow for ever: 64 MB.
const LONGEST_LOG: i64 = 16_384;

/// How many requests are written together at most.
const TOGETHER: usize = 512;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS matches (id TEXT PRIMARY KEY, game TEXT NOT NULL, seats TEXT NOT NULL, host TEXT NOT NULL,
        seed INTEGER, node INTEGER NOT NULL, changed INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS nodes (match TEXT NOT NULL, node INTEGER NOT NULL, parent INTEGER NOT NULL, player INTEGER NOT NULL,
        move TEXT NOT NULL, value REAL, PRIMARY KEY (match, node)) WITHOUT ROWID;
";

/// A match as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MatchRow {
    pub(crate) id: String,
    /// A game reference, as JSON.
    pub(crate) game: String,
    /// Who sits where, as JSON.
    pub(crate) seats: String,
    /// The secret of the client who made it.
    pub(crate) host: String,
    pub(crate) seed: Option<u64>,
    /// The node that is shown.
    pub(crate) node: usize,
}

/// A move of a match as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MoveRow {
    pub(crate) node: usize,
    pub(crate) parent: usize,
    pub(crate) player: u32,
    pub(crate) name: String,
    pub(crate) value: Option<f64>,
}

/// Something to be kept.
#[derive(Debug)]
pub(crate) enum ArchiveEntry {
    /// A new match, or all that can change about one but its moves.
    Match(MatchRow),
    /// A move, after which its node is shown.
    Move(String, MoveRow),
}

/// The file.
#[derive(Clone, Debug)]
pub(crate) struct Archive {
    requests: Sender<Request>,
}

#[derive(Debug)]
enum Request {
    Write(ArchiveEntry, SyncSender<Result<(), String>>),
    Read(String, SyncSender<Result<Option<StoredMatch>, String>>),
}

/// A match with its moves, in the order of their nodes.
pub(crate) type StoredMatch = (MatchRow, Vec<MoveRow>);

impl Archive {
    /// Opens a file, or makes it; without a path, matches are kept in memory as long as the server lives.
    pub(crate) fn open(path: Option<&Path>) -> Result<Archive, String> {
        let connection = match path {
            Some(path) => Connection::open(path),
            None => Connection::open_in_memory(),
        };
        let mut connection = connection.map_err(|error| error.to_string())?;
        check_version(&connection)?;
        let tables = prepare(&connection);
        tables
            .and_then(|()| remove_old(&mut connection, now(), limits::ARCHIVE_MATCHES))
            .map_err(|error| error.to_string())?;
        let (requests, received) = mpsc::channel();
        let (written, told) = mpsc::sync_channel(1);
        let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
            let spawned = thread::Builder::new().name(name.to_owned()).spawn(work);
            spawned.map(drop).map_err(|error| error.to_string())
        };
        if let Some(path) = path {
            let second = Connection::open(path).map_err(|error| error.to_string())?;
            spawn("archive log", Box::new(move || empty_log(&second, &told)))?;
        }
        spawn("archive", Box::new(move || serve(connection, &received, &written)))?;
        Ok(Archive { requests })
    }

    /// Keeps something; returns when it is safe.
    pub(crate) fn write(&self, entry: ArchiveEntry) -> Result<(), Refusal> {
        self.ask(|reply| Request::Write(entry, reply))
    }

    /// A match that was kept; `None` if there is none.
    pub(crate) fn read(&self, id: &str) -> Result<Option<StoredMatch>, Refusal> {
        self.ask(|reply| Request::Read(id.to_owned(), reply))
    }

    fn ask<T>(
        &self,
        request: impl FnOnce(SyncSender<Result<T, String>>) -> Request,
    ) -> Result<T, Refusal> {
        let (reply, answer) = mpsc::sync_channel(1);
        let failed = |why: &str| Refusal::broken(format!("the match could not be stored: {why}"));
        self.requests.send(request(reply)).map_err(|_| failed("the archive is closed"))?;
        let answered = answer.recv().map_err(|_| failed("the archive is closed"))?;
        answered.map_err(|why| failed(&why))
    }
}

/// Refuses a file that this program would misread; nothing in it is changed.
fn check_version(connection: &Connection) -> Result<(), String> {
    let number = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0));
    let failed = |error: rusqlite::Error| error.to_string();
    connection.busy_timeout(Duration::from_secs(10)).map_err(failed)?;
    let version = number("PRAGMA user_version").map_err(failed)?;
    let tables = number("SELECT count(*) FROM sqlite_schema").map_err(failed)?;
    match version {
        VERSION => Ok(()),
        0 if tables == 0 => Ok(()),
        0 => Err("the file is a database of something else".to_owned()),
        other => Err(format!(
            "the file has version {other}, and this program reads and writes version {VERSION}"
        )),
    }
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "wal_autocheckpoint", LONGEST_LOG)?;
    connection.execute_batch(TABLES)?;
    connection.pragma_update(None, "user_version", VERSION)
}

/// Removes matches that no one has touched for long, and those beyond the most that are kept.
fn remove_old(connection: &mut Connection, now: i64, most: u64) -> rusqlite::Result<()> {
    let age = limits::ARCHIVE_DAYS * 24 * 60 * 60;
    let transaction = connection.transaction()?;
    let oldest = now.saturating_sub_unsigned(age);
    let mut removed = transaction.execute("DELETE FROM matches WHERE changed < ?1", [oldest])?;
    let beyond = "SELECT id FROM matches ORDER BY changed DESC, id LIMIT -1 OFFSET ?1";
    let beyond = format!("DELETE FROM matches WHERE id IN ({beyond})");
    removed += transaction.execute(&beyond, [i64::try_from(most).unwrap_or(i64::MAX)])?;
    if removed > 0 {
        let orphans = "DELETE FROM nodes WHERE match NOT IN (SELECT id FROM matches)";
        transaction.execute(orphans, [])?;
    }
    transaction.commit()
}

/// The time in seconds.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    i64::try_from(since).unwrap_or(i64::MAX)
}

/// Moves what was written from the log into the file, until nothing is written any more.
fn empty_log(connection: &Connection, written: &Receiver<()>) {
    while written.recv().is_ok() {
        thread::sleep(EVERY);
        // If it fails, the thread that writes will do it, and tell why it cannot.
        let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    }
}

/// Answers requests until there are no more who could ask.
fn serve(mut connection: Connection, received: &Receiver<Request>, written: &SyncSender<()>) {
    while let Ok(first) = received.recv() {
        let mut batch = vec![first];
        batch.extend(received.try_iter().take(TOGETHER - 1));
        let mut writes = Vec::new();
        for request in batch {
            match request {
                Request::Write(entry, reply) => writes.push((entry, reply)),
                Request::Read(id, reply) => {
                    // What was asked to be written before it is read first.
                    write_all(&mut connection, std::mem::take(&mut writes));
                    let found = read(&connection, &id).map_err(|error| error.to_string());
                    // A client that is gone needs no answer.
                    let _ = reply.send(found);
                }
            }
        }
        write_all(&mut connection, writes);
        // It may be known already, or no one may want to know.
        let _ = written.try_send(());
    }
}

fn write_all(
    connection: &mut Connection,
    writes: Vec<(ArchiveEntry, SyncSender<Result<(), String>>)>,
) {
    if writes.is_empty() {
        return;
    }
    let written = write_together(connection, writes.iter().map(|(entry, _)| entry));
    let written = written.map_err(|error| error.to_string());
    for (_, reply) in writes {
        // A client that is gone needs no answer.
        let _ = reply.send(written.clone());
    }
}

fn write_together<'a>(
    connection: &mut Connection,
    entries: impl Iterator<Item = &'a ArchiveEntry>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    let now = now();
    for entry in entries {
        match entry {
            ArchiveEntry::Match(row) => {
                let insert = "INSERT OR REPLACE INTO matches VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
                let seed = row.seed.map(u64::cast_signed);
                transaction.prepare_cached(insert)?.execute(params![
                    row.id,
                    row.game,
                    row.seats,
                    row.host,
                    seed,
                    row.node as i64,
                    now
                ])?;
            }
            ArchiveEntry::Move(id, row) => {
                let insert = "INSERT OR REPLACE INTO nodes VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
                let (node, parent) = (row.node as i64, row.parent as i64);
                transaction
                    .prepare_cached(insert)?
                    .execute(params![id, node, parent, row.player, row.name, row.value])?;
                let update = "UPDATE matches SET node = ?2, changed = ?3 WHERE id = ?1";
                transaction.prepare_cached(update)?.execute(params![id, node, now])?;
            }
        }
    }
    transaction.commit()
}

fn read(connection: &Connection, id: &str) -> rusqlite::Result<Option<StoredMatch>> {
    let select = "SELECT id, game, seats, host, seed, node FROM matches WHERE id = ?1";
    let found = connection
        .prepare_cached(select)?
        .query_row([id], |row| {
            Ok(MatchRow {
                id: row.get(0)?,
                game: row.get(1)?,
                seats: row.get(2)?,
                host: row.get(3)?,
                seed: row.get::<_, Option<i64>>(4)?.map(i64::cast_unsigned),
                node: row.get::<_, i64>(5)? as usize,
            })
        })
        .optional()?;
    let Some(found) = found else { return Ok(None) };
    let select =
        "SELECT node, parent, player, move, value FROM nodes WHERE match = ?1 ORDER BY node";
    let mut statement = connection.prepare_cached(select)?;
    let rows = statement.query_map([id], |row| {
        Ok(MoveRow {
            node: row.get::<_, i64>(0)? as usize,
            parent: row.get::<_, i64>(1)? as usize,
            player: row.get(2)?,
            name: row.get(3)?,
            value: row.get(4)?,
        })
    })?;
    let moves = rows.collect::<rusqlite::Result<Vec<MoveRow>>>()?;
    Ok(Some((found, moves)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str) -> MatchRow {
        MatchRow {
            id: id.to_owned(),
            game: "{}".to_owned(),
            seats: "[]".to_owned(),
            host: "h".to_owned(),
            seed: Some(u64::MAX),
            node: 0,
        }
    }

    fn played() -> MoveRow {
        MoveRow { node: 1, parent: 0, player: 0, name: "a1".to_owned(), value: Some(0.5) }
    }

    #[test]
    fn matches_that_no_one_touches_are_removed() {
        let mut connection = Connection::open_in_memory().expect("memory");
        prepare(&connection).expect("tables");
        let day = 24 * 60 * 60;
        for (id, days) in [("a", 200), ("b", 91), ("c", 89), ("d", 10), ("e", 1), ("f", 0)] {
            let entries =
                [ArchiveEntry::Match(row(id)), ArchiveEntry::Move(id.to_owned(), played())];
            write_together(&mut connection, entries.iter()).expect("written");
            let age = "UPDATE matches SET changed = changed - ?2 WHERE id = ?1";
            connection.execute(age, params![id, days * day]).expect("aged");
        }
        let left = |connection: &Connection| {
            let list = |table: &str, name: &str| {
                let query = format!("SELECT group_concat({name}, '') FROM {table}");
                connection.query_row(&query, [], |row| row.get::<_, String>(0)).expect("some")
            };
            (list("matches", "id"), list("nodes", "match"))
        };
        let both = |ids: &str| (ids.to_owned(), ids.to_owned());
        remove_old(&mut connection, now(), 100).expect("removed");
        assert_eq!(left(&connection), both("cdef"));
        remove_old(&mut connection, now(), 3).expect("removed");
        assert_eq!(left(&connection), both("def"));
        remove_old(&mut connection, now(), 3).expect("nothing to do");
        assert_eq!(left(&connection), both("def"));
    }

    #[test]
    fn files_of_other_versions_and_programs_are_refused() {
        let folder = std::env::temp_dir().join(format!("regulus-archive-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let refused = |name: &str, change: &str| {
            let path = folder.join(name);
            Connection::open(&path).and_then(|file| file.execute_batch(change)).expect("a file");
            let before = std::fs::read(&path).expect("readable");
            let why = Archive::open(Some(&path)).expect_err("refused");
            assert_eq!(std::fs::read(&path).expect("readable"), before, "nothing is changed");
            why
        };
        assert_eq!(
            refused("newer", "CREATE TABLE matches (id TEXT); PRAGMA user_version = 2"),
            "the file has version 2, and this program reads and writes version 1"
        );
        assert_eq!(
            refused("other", "CREATE TABLE songs (id TEXT)"),
            "the file is a database of something else"
        );
        let path = folder.join("ours");
        let archive = Archive::open(Some(&path)).expect("a new file");
        archive.write(ArchiveEntry::Match(row("m"))).expect("kept");
        let again = Archive::open(Some(&path)).expect("our own file");
        assert_eq!(again.read("m").expect("readable"), Some((row("m"), Vec::new())));
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let archive = Archive::open(None).expect("memory");
        let (row, played) = (row("m"), played());
        archive.write(ArchiveEntry::Match(row.clone())).expect("kept");
        archive.write(ArchiveEntry::Move("m".to_owned(), played.clone())).expect("kept");
        let found = archive.read("m").expect("readable").expect("there");
        assert_eq!(found, (MatchRow { node: 1, ..row }, vec![played]));
        assert_eq!(archive.read("other").expect("readable"), None);
    }
}
