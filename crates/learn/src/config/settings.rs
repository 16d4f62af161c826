//! The settings of a run by their names: how users write them, and how they stand in its folder.

use std::fmt;

use super::{LearningTarget, TrainConfig};

/// Something that can be set about a run.
///
/// # Examples
///
/// ```
/// use regulus_learn::{SETTINGS, TrainConfig};
///
/// let mut config = TrainConfig::fast();
/// config.set("games", "500")?;
/// assert_eq!(config.games, 500);
/// let games = SETTINGS.iter().find(|setting| setting.name == "games").expect("there is one");
/// assert_eq!(games.value(&config), "500");
/// let refused = config.set("games", "many").expect_err("this is no number");
/// assert_eq!(refused.to_string(), "`games` cannot be `many`; it is a number from 1 to 1000000");
/// # Ok::<(), regulus_learn::BadSetting>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    kind: SettingKind,
}

/// What a setting can be, with the field of [`TrainConfig`] it is about.
#[derive(Clone, Copy, Debug)]
enum SettingKind {
    Whole {
        least: u64,
        most: u64,
        get: fn(&TrainConfig) -> u64,
        set: fn(&mut TrainConfig, u64),
    },
    Real {
        least: f64,
        most: f64,
        get: fn(&TrainConfig) -> f64,
        set: fn(&mut TrainConfig, f64),
    },
    /// The first is not larger than the second.
    WholePair {
        most: u64,
        field: fn(&mut TrainConfig) -> &mut [u64; 2],
    },
    /// Steps in learning; the first is not smaller than the second.
    RealPair {
        least: f32,
        most: f32,
        field: fn(&mut TrainConfig) -> &mut [f32; 2],
    },
    Target,
}

/// A setting that does not exist, or that cannot be what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSetting(String);

impl fmt::Display for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadSetting {}

/// A setting that is a whole number, kept in a field of any type of whole numbers.
macro_rules! whole {
    ($name:literal, $field:ident, $least:expr, $most:expr, $about:literal) => {
        Setting {
            name: $name,
            about: $about,
            kind: SettingKind::Whole {
                least: $least,
                most: $most,
                get: |config| config.$field as u64,
                set: |config, number| config.$field = number as _,
            },
        }
    };
}

/// A setting that is any number, kept in a field of any type of floating-point numbers.
macro_rules! real {
    ($name:literal, $field:ident, $least:expr, $most:expr, $about:literal) => {
        Setting {
            name: $name,
            about: $about,
            kind: SettingKind::Real {
                least: $least,
                most: $most,
                // As it is written: 0.8 of 32 bits is not 0.8 of 64 bits.
                get: |config| config.$field.to_string().parse().unwrap_or(0.0),
                set: |config, number| config.$field = number as _,
            },
        }
    };
}

/// A setting that is 1 for yes and 0 for no.
macro_rules! switch {
    ($name:literal, $field:ident, $about:literal) => {
        Setting {
            name: $name,
            about: $about,
            kind: SettingKind::Whole {
                least: 0,
                most: 1,
                get: |config| u64::from(config.$field),
                set: |config, number| config.$field = number == 1,
            },
        }
    };
}

/// All settings that the result of a run depends on.
pub const SETTINGS: &[Setting] = &[
    whole!("seed", seed, 0, u64::MAX, "the seed of everything"),
    whole!("sums", sums, 1, 1024, "sums for each player"),
    whole!("games", games, 1, 1_000_000, "games of an iteration"),
    whole!("nodes", nodes, 2, 1_000_000_000, "positions looked at for a move"),
    Setting {
        name: "opening",
        about: "from how many to how many random moves games begin with",
        kind: SettingKind::WholePair { most: 1_000, field: |config| &mut config.opening },
    },
    real!("stray", stray, 0.0, 1.0, "how often a later move is random"),
    whole!("longest", longest, 1, 100_000, "after how many moves a game is a draw"),
    switch!("settling", settling, "0 if exchanges are not followed to their end"),
    Setting {
        name: "target",
        about: "what positions are taken to be worth",
        kind: SettingKind::Target,
    },
    real!("trace", trace, 0.0, 1.0, "how much of what a position is worth comes from later (λ)"),
    whole!("replay", replay, 1, 1_000, "how many iterations are learnt from"),
    real!("rounds", rounds, 0.01, 1_000.0, "how often each position is learnt from"),
    Setting {
        name: "rates",
        about: "the length of steps at the beginning and at the end of learning",
        kind: SettingKind::RealPair { least: 1e-8, most: 1.0, field: |config| &mut config.rates },
    },
    switch!("mirrors", mirrors, "0 if boards are not seen in mirrors"),
    whole!("measure", measure, 0, 1_000_000, "iterations between two measurements, 0 for none"),
    whole!("trial", trial, 2, 100_000, "games of a measurement against each opponent"),
    whole!("trial_nodes", trial_nodes, 2, 1_000_000_000, "positions for a move of those games"),
];

/// The words for what positions are taken to be worth.
const TARGETS: [(&str, LearningTarget); 3] = [
    ("outcome", LearningTarget::Outcome),
    ("search", LearningTarget::Search),
    ("trace", LearningTarget::Trace),
];

impl Setting {
    /// What it is in a run, as users write it.
    #[must_use]
    pub fn value(&self, config: &TrainConfig) -> String {
        match self.kind {
            SettingKind::Whole { get, .. } => get(config).to_string(),
            SettingKind::Real { get, .. } => get(config).to_string(),
            SettingKind::WholePair { field, .. } => {
                let [least, most] = *field(&mut config.clone());
                format!("{least}-{most}")
            }
            SettingKind::RealPair { field, .. } => {
                let [begin, end] = *field(&mut config.clone());
                format!("{begin}-{end}")
            }
            SettingKind::Target => {
                let word = TARGETS.iter().find(|(_, target)| *target == config.target);
                word.map_or("", |(word, _)| word).to_owned()
            }
        }
    }

    /// Sets it to what users write; `None` if it cannot be that.
    fn set(&self, config: &mut TrainConfig, text: &str) -> Option<()> {
        match self.kind {
            SettingKind::Whole { least, most, set, .. } => {
                // A number such as 1e6 is whole, too.
                let real = || {
                    text.parse::<f64>()
                        .ok()
                        .filter(|number| *number >= 0.0 && number.fract() == 0.0)
                };
                let number = text.parse().ok().or_else(|| real().map(|number| number as u64))?;
                (least..=most).contains(&number).then(|| set(config, number))
            }
            SettingKind::Real { least, most, set, .. } => {
                let number = text.parse().ok()?;
                (least..=most).contains(&number).then(|| set(config, number))
            }
            SettingKind::WholePair { most, field } => {
                let (low, high) = text.split_once('-')?;
                let (low, high) = (low.parse().ok()?, high.parse().ok()?);
                (low <= high && high <= most).then(|| *field(config) = [low, high])
            }
            SettingKind::RealPair { least, most, field } => {
                let (begin, end) = text.split_once('-')?;
                let (begin, end) = (begin.parse().ok()?, end.parse().ok()?);
                (begin <= most && end <= begin && end >= least)
                    .then(|| *field(config) = [begin, end])
            }
            SettingKind::Target => {
                let (_, target) = TARGETS.iter().find(|(word, _)| *word == text)?;
                config.target = *target;
                Some(())
            }
        }
    }

    /// What it can be, in words.
    fn range(&self) -> String {
        match self.kind {
            SettingKind::Whole { least, most, .. } => format!("a number from {least} to {most}"),
            SettingKind::Real { least, most, .. } => format!("a number from {least} to {most}"),
            SettingKind::WholePair { most, .. } => {
                format!("two numbers up to {most}, the smaller one first: 2-10")
            }
            SettingKind::RealPair { least, most, .. } => {
                format!("two numbers from {least} to {most}, the larger one first: 0.001-0.0001")
            }
            SettingKind::Target => "outcome, search or trace".to_owned(),
        }
    }
}

impl TrainConfig {
    /// Sets something by its name and by its value as users write it.
    ///
    /// # Errors
    ///
    /// If there is no such setting, or it cannot have this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), BadSetting> {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            let names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
            let names = names.join(", ");
            return Err(BadSetting(format!("there is no `{name}` to be set; there are {names}")));
        };
        setting.set(self, value).ok_or_else(|| {
            BadSetting(format!("`{name}` cannot be `{value}`; it is {}", setting.range()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_of_settings_can_be_read() {
        let mut config = TrainConfig::fast();
        let changed = [
            ("opening", "3-4"),
            ("target", "search"),
            ("rates", "0.002-0.0005"),
            ("trace", "0.7"),
            ("mirrors", "0"),
            ("games", "1e3"),
            ("seed", "18446744073709551615"),
        ];
        for (name, value) in changed {
            config.set(name, value).expect("it can be set");
        }
        let mut other = TrainConfig::fast();
        for setting in SETTINGS {
            other.set(setting.name, &setting.value(&config)).expect("it was written");
        }
        assert_eq!(config, other);
        assert_eq!((config.trace, config.games, config.seed), (0.7, 1_000, u64::MAX));
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_can_be() {
        let bad = [
            ("opening", "4-3"),
            ("opening", "4"),
            ("rates", "0.1-0.2"),
            ("target", "luck"),
            ("trial", "1"),
            ("stray", "NaN"),
            ("nodes", "2.5"),
            ("seed", "-1"),
        ];
        for (name, value) in bad {
            let refused = TrainConfig::fast().set(name, value).expect_err(value).to_string();
            assert!(refused.contains(&format!("`{name}` cannot be `{value}`")), "{refused}");
        }
        let refused = TrainConfig::fast().set("nodez", "1").expect_err("no such setting");
        assert!(refused.to_string().contains("nodes, opening"), "{refused}");
    }
}
