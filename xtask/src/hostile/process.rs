//! A program under hard limits of time and address space, and what became of it.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::Hasher as _;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What a run may take at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunLimits {
    /// Of all processors together; by the clock it may be [`PATIENCE`] times as much.
    pub(super) seconds: u64,
    /// Of address space.
    pub(super) megabytes: u64,
}

/// How much longer a run may take by the clock: the machine may be busy, and the run may wait for something.
const PATIENCE: u32 = 6;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Status(i32),
    /// By a signal that it caused itself.
    Signal,
    /// By us, when its time was over.
    Killed,
}

/// A run that has ended.
#[derive(Debug)]
pub(super) struct FinishedRun {
    pub(super) ended: Ended,
    /// The time of the processors, which other programs do not make longer; that of the clock where the system does not tell.
    pub(super) time: Duration,
    /// The most memory that it was seen to use; 0 where the system does not tell.
    pub(super) megabytes: u64,
    pub(super) output: Printed,
    pub(super) errors: Printed,
}

impl FinishedRun {
    pub(super) fn panicked(&self) -> bool {
        self.errors.text().contains("panicked at")
    }

    /// Whether it printed nothing at all.
    pub(super) fn says_nothing(&self) -> bool {
        self.output.length + self.errors.length == 0
    }

    /// What it said when it broke, or else its last line.
    pub(super) fn last_words(&self) -> String {
        let text = self.errors.text();
        let breaks = ["panicked at", "overflowed its stack", "memory allocation of"];
        let telling = text.lines().find(|line| breaks.iter().any(|words| line.contains(words)));
        telling.or(text.lines().last()).unwrap_or_default().chars().take(300).collect()
    }
}

/// What a program printed: all of it as a fingerprint, and its beginning.
#[derive(Debug)]
pub(super) struct Printed {
    beginning: Vec<u8>,
    pub(super) length: u64,
    pub(super) fingerprint: u64,
}

impl Printed {
    /// How much of it is kept.
    const KEPT: usize = 1 << 22;

    fn read(mut pipe: impl Read) -> Printed {
        let (mut hasher, mut buffer) = (DefaultHasher::new(), vec![0; 1 << 16]);
        let mut printed = Printed { beginning: Vec::new(), length: 0, fingerprint: 0 };
        // An error is the end as well: the program is gone.
        while let Ok(read @ 1..) = pipe.read(&mut buffer) {
            hasher.write(&buffer[..read]);
            printed.length += read as u64;
            let kept = read.min(Printed::KEPT - printed.beginning.len());
            printed.beginning.extend(&buffer[..kept]);
        }
        printed.fingerprint = hasher.finish();
        printed
    }

    /// The beginning as text.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.beginning).into_owned()
    }

    /// Whether all of it was kept.
    pub(super) fn is_whole(&self) -> bool {
        self.length == self.beginning.len() as u64
    }
}

/// Runs a program in a folder to its end or its limit; what it keeps for next time goes to `cache`. A shell sets the limits and becomes the program; that of the processor's time is for the
/// case that no process is left to kill it.
pub(super) fn run(
    program: &Path,
    words: &[String],
    folder: Option<&Path>,
    cache: &Path,
    limits: RunLimits,
) -> Result<FinishedRun, String> {
    let script = r#"ulimit -c 0; ulimit -v "$1"; ulimit -t "$2"; shift 2; exec "$@""#;
    let started = Instant::now();
    let mut child = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg((limits.megabytes * 1000).to_string())
        .arg((limits.seconds * 4).to_string())
        .arg(program)
        .args(words)
        .env("RUST_BACKTRACE", "0")
        .env("XDG_CACHE_HOME", cache)
        .current_dir(folder.unwrap_or(Path::new(".")))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("sh: {error}"))?;
    let output = child.stdout.take().map(|pipe| thread::spawn(|| Printed::read(pipe)));
    let errors = child.stderr.take().map(|pipe| thread::spawn(|| Printed::read(pipe)));
    let (ended, usage) = watch(&mut child, started, Duration::from_secs(limits.seconds))
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let time = usage.time.unwrap_or(started.elapsed());
    let megabytes = usage.kilobytes / 1000;
    let printed = |reader: Option<thread::JoinHandle<Printed>>| {
        reader.and_then(|reader| reader.join().ok()).ok_or("the output cannot be read")
    };
    Ok(FinishedRun { ended, time, megabytes, output: printed(output)?, errors: printed(errors)? })
}

/// Waits for the end of a run, or makes one; returns how it ended and what it took.
fn watch(child: &mut Child, started: Instant, limit: Duration) -> std::io::Result<(Ended, Usage)> {
    let mut usage = Usage::default();
    loop {
        usage.look(child.id());
        if let Some(status) = child.try_wait()? {
            return Ok((status.code().map_or(Ended::Signal, Ended::Status), usage));
        }
        let elapsed = started.elapsed();
        if usage.time.unwrap_or(elapsed) >= limit || elapsed >= PATIENCE * limit {
            child.kill()?;
            child.wait()?;
            return Ok((Ended::Killed, usage));
        }
        // Short runs are watched more closely, so that they are not made longer.
        thread::sleep((elapsed / 20).clamp(Duration::from_millis(1), Duration::from_millis(20)));
    }
}

/// What a process has used so far, as far as the system tells it in `/proc`.
#[derive(Debug, Default)]
struct Usage {
    time: Option<Duration>,
    /// The most memory at any time.
    kilobytes: u64,
}

impl Usage {
    /// Looks again; what is known of a process that has ended stays.
    fn look(&mut self, process: u32) {
        let read = |file| fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
        let status = read("status");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.split_whitespace().next()?.parse().ok());
        self.kilobytes = self.kilobytes.max(peak.unwrap_or(0));
        // Behind the name, which is in brackets, the 12th and 13th fields are hundredths of a second.
        let stat = read("stat");
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: Vec<u64> =
            fields.skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
        if let [user, system] = ticks[..] {
            let time = Duration::from_millis(10 * (user + system));
            self.time = self.time.max(Some(time));
        }
    }
}
