//! The commands that train nets and list them.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use regulus_learn::Preset;

use super::arena::shard;
use super::threads;

#[derive(Debug, Args)]
pub(crate) struct Train {
    /// Path or bundled name
    pub(crate) game: String,

    /// How long to train: minutes, or a number with a unit, as in 90s, 10m or 1.5h
    #[arg(long, default_value = "10m", value_name = "TIME", value_parser = long_time)]
    pub(crate) budget: Duration,

    /// How many iterations to make in all, instead of a time: the result is the same each time
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) iterations: Option<u64>,

    /// The folder of the run; a run that is there is gone on with, and keeps its settings
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// The seed of everything: 1, unless the run has another one
    #[arg(long)]
    pub(crate) seed: Option<u64>,

    /// How many threads play and learn
    #[arg(long, default_value = "2", value_parser = threads)]
    pub(crate) threads: NonZeroUsize,

    /// Which net is trained: `fast`, a small one for looking at many positions; `thesis`, the residual net of the ABG report; `small`, a
    /// smaller residual net that also says which moves are good. `fast`, unless the run has another one
    #[arg(long, value_name = "fast|thesis|small")]
    pub(crate) preset: Option<Preset>,

    /// Set something of a run that begins, such as games=500; docs/learning.md lists what can be set
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,

    /// Play only a part of the games, such as 2/4, with a folder that four machines share; the first one also learns
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<(u64, u64)>,
}

#[derive(Debug, Args)]
pub(crate) struct Nets {
    /// Files, folders with nets, and folders with folders of runs
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) places: Vec<PathBuf>,

    /// List the nets of all iterations, not only the best and the newest one of each run
    #[arg(long)]
    pub(crate) all: bool,
}

/// The longest time that can be asked for, in days.
const MOST_DAYS: f64 = 365.0;

/// A time in minutes, or with a unit.
fn long_time(text: &str) -> Result<Duration, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3_600.0), ("d", 86_400.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)))
        .unwrap_or((text, 60.0));
    let number: f64 =
        number.trim().parse().map_err(|_| "not a time such as 90s, 10m or 1.5h".to_owned())?;
    let seconds = number * unit;
    if seconds > 0.0 && seconds <= MOST_DAYS * 86_400.0 {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(format!("must be more than 0 and at most {MOST_DAYS} days"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_or_have_a_unit() {
        let good = [
            ("10", 600),
            ("10m", 600),
            ("90s", 90),
            ("1.5h", 5_400),
            ("2 d", 172_800),
            ("0.5", 30),
        ];
        for (text, seconds) in good {
            assert_eq!(long_time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "m", "ten", "10 minutes", "-1", "0", "NaN", "inf", "1e9h", "400d"] {
            assert!(long_time(text).is_err(), "{text}");
        }
    }
}
