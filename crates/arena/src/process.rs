//! Programs from outside, which are not trusted: they may hang, flood, drip, die, or leave children behind.
//!
//! A program runs in a process group of its own, and it and everything it starts carry a mark in their environment. When a
//! [`Program`] is dropped, the group is killed, and on Linux every process that carries the mark, also one that has left the
//! group.

use std::fmt;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use regulus_agents::AgentError;

/// The longest line that is read.
const MAX_LINE: u64 = 1 << 20;

/// How many lines may wait to be read or written.
const WAITING: usize = 256;

/// The variable that marks a program and its children.
const MARK: &str = "REGULUS_PROGRAM";

/// A program that is talked to line by line.
#[derive(Debug)]
pub struct Program {
    child: Child,
    mark: String,
    /// Lines on their way to the program; `None` once it has been told to end.
    input: Option<SyncSender<String>>,
    output: Receiver<Result<String, ProgramError>>,
}

/// What a program did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// It could not be started.
    NotStarted(String),
    /// It has ended, or closed its output.
    Ended,
    /// It did not answer in time.
    Late,
    /// It does not read what it is sent.
    Deaf,
    /// It wrote a line that is too long or not text.
    Garbage(&'static str),
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramError::NotStarted(why) => write!(f, "cannot be started: {why}"),
            ProgramError::Ended => f.write_str("has ended"),
            ProgramError::Late => f.write_str("does not answer in time"),
            ProgramError::Deaf => f.write_str("does not read what it is sent"),
            ProgramError::Garbage(what) => write!(f, "writes {what}"),
        }
    }
}

impl std::error::Error for ProgramError {}

/// A program that fails loses its game.
impl From<ProgramError> for AgentError {
    fn from(error: ProgramError) -> AgentError {
        AgentError::Forfeit(error.to_string())
    }
}

impl Program {
    /// Starts a program: its name or path, and its arguments.
    ///
    /// # Errors
    ///
    /// If there is no such program, or it cannot be run.
    pub fn start(words: &[String]) -> Result<Program, ProgramError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let failed = |why: String| ProgramError::NotStarted(why);
        let Some((name, arguments)) = words.split_first() else {
            return Err(failed("no program is named".to_owned()));
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{now}-{number}", std::process::id());
        let mut command = Command::new(name);
        command.args(arguments).env(MARK, &mark);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| failed(format!("{name}: {error}")))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(format!("{name} has no pipes")));
        };
        let (input, to_write) = sync_channel::<String>(WAITING);
        let (read, output) = sync_channel(WAITING);
        // Both threads end when the pipes are closed, which happens at the latest when the program is killed.
        std::thread::spawn(move || {
            let mut stdin = stdin;
            for line in to_write {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let line = read_line(&mut stdout);
                let is_last = line.is_err();
                if read.send(line).is_err() || is_last {
                    break;
                }
            }
        });
        Ok(Program { child, mark, input: Some(input), output })
    }

    /// Sends a line. Does not wait until the program has read it.
    ///
    /// # Errors
    ///
    /// If the program has ended, or does not read.
    pub fn write_line(&mut self, line: &str) -> Result<(), ProgramError> {
        let Some(input) = &self.input else { return Err(ProgramError::Ended) };
        input.try_send(format!("{line}\n")).map_err(|error| match error {
            TrySendError::Full(_) => ProgramError::Deaf,
            TrySendError::Disconnected(_) => ProgramError::Ended,
        })
    }

    /// The next line that the program writes, without its end.
    ///
    /// # Errors
    ///
    /// If there is none until the deadline, or the program has ended.
    pub fn read_line(&mut self, deadline: Instant) -> Result<String, ProgramError> {
        let wait = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(wait) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Err(ProgramError::Late),
            Err(RecvTimeoutError::Disconnected) => Err(ProgramError::Ended),
        }
    }

    /// Closes the program's input and gives it a little time to end by itself.
    pub fn say_goodbye(&mut self, patience: Duration) {
        self.input = None;
        let until = Instant::now() + patience;
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.input = None;
        // There is nothing to be done about a process that cannot be killed.
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id())
            && let Some(group) = rustix::process::Pid::from_raw(id)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        kill_marked(&self.mark);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Kills every process that carries a mark, and waits until each is gone. Those that are killed may have just started others,
/// so it looks again until there are none.
#[cfg(target_os = "linux")]
fn kill_marked(mark: &str) {
    /// How long to wait for a process that has been killed.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// How often it looks again because a process cannot be read while it is being replaced by another program.
    const LOOKS_AGAIN: usize = 5;

    let entry = format!("{MARK}={mark}");
    let until = Instant::now() + PATIENCE;
    let mut unreadable = 0;
    while Instant::now() < until {
        match kill_marked_once(entry.as_bytes()) {
            Marked::Found => unreadable = 0,
            Marked::Unreadable if unreadable < LOOKS_AGAIN => unreadable += 1,
            Marked::Unreadable | Marked::None => return,
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What a look at all processes has found.
#[cfg(target_os = "linux")]
enum Marked {
    /// Processes that carry the mark, which have been killed.
    Found,
    /// None, but there is a process whose environment is empty, as it is for a moment when a program is started.
    Unreadable,
    None,
}

/// Kills the processes with an entry in their environment that are there now.
#[cfg(target_os = "linux")]
fn kill_marked_once(entry: &[u8]) -> Marked {
    let own = std::process::id();
    let mut marked = Marked::None;
    let Ok(processes) = std::fs::read_dir("/proc") else { return marked };
    for process in processes.flatten() {
        let name = process.file_name();
        let Some(id) = name.to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let Ok(environment) = std::fs::read(process.path().join("environ")) else { continue };
        if environment.is_empty() {
            // A process that has ended, or belongs to the kernel, has no program.
            let has_program = std::fs::read_link(process.path().join("exe")).is_ok();
            if has_program && matches!(marked, Marked::None) {
                marked = Marked::Unreadable;
            }
        } else if environment.split(|&byte| byte == 0).any(|part| part == entry)
            && u32::try_from(id) != Ok(own)
            && let Some(id) = rustix::process::Pid::from_raw(id)
            && rustix::process::kill_process(id, rustix::process::Signal::KILL).is_ok()
        {
            marked = Marked::Found;
        }
    }
    marked
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(_: &str) {}

/// A line of bounded length, without its end.
fn read_line(reader: &mut impl std::io::BufRead) -> Result<String, ProgramError> {
    let mut bytes = Vec::new();
    let read = reader.take(MAX_LINE).read_until(b'\n', &mut bytes);
    match read {
        Ok(0) | Err(_) => return Err(ProgramError::Ended),
        Ok(_) => {}
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 >= MAX_LINE {
        return Err(ProgramError::Garbage("a line that is too long"));
    }
    let text = String::from_utf8(bytes).map_err(|_| ProgramError::Garbage("what is not text"))?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}
