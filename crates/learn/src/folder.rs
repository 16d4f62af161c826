//! The folder of a run: its files, how they are written, and what is left there by processes that were killed.
//!
//! Every file but `times.jsonl` is written under another name and then renamed, so it is there as a whole or not at all. An iteration
//! is done when its line is in `metrics.jsonl`; whatever belongs to later ones is made again, and comes out the same.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::config::Shard;
use crate::error::TrainError;

/// The ending of files that are not finished.
const PARTIAL: &str = "partial";

/// The folder of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    pub(crate) fn new(path: &Path) -> RunFolder {
        RunFolder { path: path.to_owned() }
    }

    /// Makes it, if it is not there.
    pub(crate) fn make(&self) -> Result<(), TrainError> {
        fs::create_dir_all(&self.path).map_err(|error| TrainError::File(self.path.clone(), error))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A file by its name.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.file("config.json")
    }

    pub(crate) fn metrics(&self) -> PathBuf {
        self.file("metrics.jsonl")
    }

    pub(crate) fn best(&self) -> PathBuf {
        self.file("best.safetensors")
    }

    /// The net of an iteration.
    pub(crate) fn net(&self, number: u64) -> PathBuf {
        self.file(&format!("net-{number:04}.safetensors"))
    }

    /// What was found in the games of an iteration.
    pub(crate) fn positions(&self, number: u64) -> PathBuf {
        self.file(&format!("positions-{number:04}.bin"))
    }

    /// The games of an iteration that a shard has played.
    pub(crate) fn games(&self, number: u64, shard: Shard) -> PathBuf {
        self.file(&format!("games-{number:04}-{}-of-{}.bin", shard.index, shard.count))
    }

    /// Takes the folder for this process, until the file is closed.
    pub(crate) fn lock(&self) -> Result<File, TrainError> {
        let path = self.file("lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| TrainError::File(path, error))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(TrainError::Busy(self.path.clone())),
            // Not every file system has locks; a run can do without.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        }
    }

    /// Writes a file as a whole or not at all.
    pub(crate) fn write(
        &self,
        path: &Path,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), TrainError> {
        let partial = path.with_extension(PARTIAL);
        let written = File::create(&partial).and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            fs::rename(&partial, path)
        });
        written.map_err(|error| TrainError::File(path.to_owned(), error))?;
        // After a loss of power files must not be there without those written before. Some systems cannot do this to folders.
        let _ = File::open(&self.path).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Writes a file with this content.
    pub(crate) fn write_bytes(&self, path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
        self.write(path, |file| file.write_all(bytes))
    }

    /// Adds a line about how long something took: the only file that depends on the machine, and in which a kill may leave out a line.
    pub(crate) fn add_times(&self, line: &str) -> Result<(), TrainError> {
        let path = self.file("times.jsonl");
        let file = File::options().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.map_err(|error| TrainError::File(path, error))
    }

    /// Removes what is not needed any more when `done` iterations are done and the last ones are learnt from: files of processes that
    /// were killed, games that were learnt from, and old positions. What cannot be removed does no harm.
    pub(crate) fn clean(&self, done: u64, replay: u64) -> Result<(), TrainError> {
        let entries = fs::read_dir(&self.path);
        let entries = entries.map_err(|error| TrainError::File(self.path.clone(), error))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_old = match name.split_once('-') {
                Some(("games", rest)) => number_of(rest).is_some_and(|number| number <= done),
                Some(("positions", rest)) => {
                    number_of(rest).is_some_and(|number| number + replay <= done)
                }
                _ => false,
            };
            // Other shards may be writing their games just now.
            let is_left = name.ends_with(&format!(".{PARTIAL}")) && !name.starts_with("games-");
            if is_old || is_left {
                let _ = fs::remove_file(&path);
            }
        }
        Ok(())
    }
}

/// The number that a part of a name begins with.
pub(crate) fn number_of(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}
