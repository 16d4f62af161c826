//! The settings of a run by their names: how users write them, and how they stand in its folder.

use std::fmt;

use super::{LearningSearch, LearningTarget, Preset, TrainConfig};

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
    /// Which presets have it.
    pub presets: &'static [Preset],
    kind: SettingKind,
}

/// The presets with residual nets, and those whose nets only judge positions.
const RESIDUAL: &[Preset] = &[Preset::Thesis, Preset::Small];
const JUDGING: &[Preset] = &[Preset::Fast, Preset::Thesis];
const FAST: &[Preset] = &[Preset::Fast];

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
    /// One of some words.
    Word {
        words: &'static [&'static str],
        get: fn(&TrainConfig) -> usize,
        set: fn(&mut TrainConfig, usize),
    },
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

/// What is said of a preset that does not exist.
pub(super) fn bad_preset(text: &str) -> BadSetting {
    let names: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
    BadSetting(format!("there is no preset `{text}`; it is {}", listed(&names)))
}

/// Words as people list them: `outcome, search or trace`.
fn listed(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// A setting that is a whole number, kept in a field of any type of whole numbers.
macro_rules! whole {
    ($presets:expr, $name:literal, $field:ident, $least:expr, $most:expr, $about:literal) => {
        Setting {
            name: $name,
            about: $about,
            presets: $presets,
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
    ($presets:expr, $name:literal, $field:ident, $least:expr, $most:expr, $about:literal) => {
        Setting {
            name: $name,
            about: $about,
            presets: $presets,
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
    ($presets:expr, $name:literal, $field:ident, $about:literal) => {
        Setting {
            name: $name,
            about: $about,
            presets: $presets,
            kind: SettingKind::Whole {
                least: 0,
                most: 1,
                get: |config| u64::from(config.$field),
                set: |config, number| config.$field = number == 1,
            },
        }
    };
}

/// The words for what positions are taken to be worth.
const TARGETS: [LearningTarget; 3] =
    [LearningTarget::Outcome, LearningTarget::Search, LearningTarget::Trace];

/// How moves are found.
const SEARCHES: [LearningSearch; 3] =
    [LearningSearch::Rounds, LearningSearch::Lookahead, LearningSearch::Likely];

/// The number of something in a list that has it.
fn place<T: PartialEq>(list: &[T], wanted: &T) -> usize {
    list.iter().position(|it| it == wanted).unwrap_or(0)
}

/// All settings that the result of a run depends on.
pub const SETTINGS: &[Setting] = &[
    whole!(Preset::ALL, "seed", seed, 0, u64::MAX, "the seed of everything"),
    whole!(FAST, "sums", sums, 1, 1024, "sums for each player"),
    whole!(FAST, "stages", stages, 1, 64, "stages of a game that are told apart"),
    whole!(RESIDUAL, "filters", filters, 1, 512, "numbers that a layer makes of each cell"),
    whole!(RESIDUAL, "blocks", blocks, 1, 64, "blocks of two layers"),
    whole!(Preset::ALL, "games", games, 1, 1_000_000, "games of an iteration"),
    Setting {
        name: "search",
        about: "how moves are found",
        presets: RESIDUAL,
        kind: SettingKind::Word {
            words: &["rounds", "lookahead", "likely"],
            get: |config| place(&SEARCHES, &config.search),
            set: |config, word| config.search = SEARCHES[word],
        },
    },
    whole!(Preset::ALL, "nodes", nodes, 2, 1_000_000_000, "positions looked at for a move"),
    Setting {
        name: "opening",
        about: "from how many to how many random moves games begin with",
        presets: Preset::ALL,
        kind: SettingKind::WholePair { most: 1_000, field: |config| &mut config.opening },
    },
    real!(Preset::ALL, "stray", stray, 0.0, 1.0, "how often a later move is random"),
    whole!(Preset::ALL, "longest", longest, 1, 100_000, "after how many moves a game is a draw"),
    switch!(FAST, "settling", settling, "0 if exchanges are not followed to their end"),
    Setting {
        name: "target",
        about: "what positions are taken to be worth",
        presets: FAST,
        kind: SettingKind::Word {
            words: &["outcome", "search", "trace"],
            get: |config| place(&TARGETS, &config.target),
            set: |config, word| config.target = TARGETS[word],
        },
    },
    real!(
        FAST,
        "trace",
        trace,
        0.0,
        1.0,
        "how much of what a position is worth comes from later (λ)"
    ),
    real!(
        RESIDUAL,
        "outcome",
        outcome,
        0.0,
        1.0,
        "how much of what a position is worth comes from the end of the game"
    ),
    whole!(Preset::ALL, "replay", replay, 1, 1_000, "how many iterations are learnt from"),
    real!(Preset::ALL, "rounds", rounds, 0.01, 1_000.0, "how often each position is learnt from"),
    whole!(RESIDUAL, "batch", batch, 1, 1024, "positions between two steps of learning"),
    Setting {
        name: "rates",
        about: "the length of steps at the beginning and at the end of learning",
        presets: FAST,
        kind: SettingKind::RealPair { least: 1e-8, most: 1.0, field: |config| &mut config.rates },
    },
    real!(RESIDUAL, "rate", rate, 1e-8, 1.0, "the length of steps of learning"),
    switch!(JUDGING, "mirrors", mirrors, "0 if boards are not seen in mirrors"),
    whole!(
        Preset::ALL,
        "measure",
        measure,
        0,
        1_000_000,
        "iterations between two measurements, 0 for none"
    ),
    whole!(Preset::ALL, "trial", trial, 2, 100_000, "games of a measurement against each opponent"),
    whole!(
        Preset::ALL,
        "trial_nodes",
        trial_nodes,
        2,
        1_000_000_000,
        "positions that the net looks at for a move of those games"
    ),
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
            SettingKind::Word { words, get, .. } => words[get(config)].to_owned(),
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
            SettingKind::Word { words, set, .. } => {
                let word = words.iter().position(|word| *word == text)?;
                set(config, word);
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
            SettingKind::Word { words, .. } => listed(words),
        }
    }
}

impl TrainConfig {
    /// The settings that its preset has.
    pub fn settings(&self) -> impl Iterator<Item = &'static Setting> {
        let preset = self.preset;
        SETTINGS.iter().filter(move |setting| setting.presets.contains(&preset))
    }

    /// Sets something by its name and by its value as users write it.
    ///
    /// # Errors
    ///
    /// If the preset has no such setting, or it cannot have this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), BadSetting> {
        let Some(setting) = self.settings().find(|setting| setting.name == name) else {
            let names: Vec<&str> = self.settings().map(|setting| setting.name).collect();
            let names = names.join(", ");
            let problem = match SETTINGS.iter().any(|setting| setting.name == name) {
                true => format!("`{name}` is not a setting of preset `{}`", self.preset),
                false => format!("there is no `{name}` to be set"),
            };
            return Err(BadSetting(format!("{problem}; there are {names}")));
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
        for setting in config.settings() {
            other.set(setting.name, &setting.value(&config)).expect("it was written");
        }
        assert_eq!(config, other);
        assert_eq!((config.trace, config.games, config.seed), (0.7, 1_000, u64::MAX));
    }

    #[test]
    fn presets_have_settings_of_their_own() {
        for preset in Preset::ALL {
            let mut config = TrainConfig::of(*preset);
            assert_eq!((config.preset, preset.name().parse()), (*preset, Ok(*preset)));
            for setting in SETTINGS {
                let value = setting.value(&config);
                let set = config.set(setting.name, &value);
                assert_eq!(set.is_ok(), setting.presets.contains(preset), "{}", setting.name);
            }
            assert_eq!(config, TrainConfig::of(*preset));
        }
        let refused = TrainConfig::thesis().set("sums", "8").expect_err("it has none").to_string();
        let expected = "`sums` is not a setting of preset `thesis`; there are seed, filters, ";
        assert!(refused.starts_with(expected), "{refused}");
        let refused = TrainConfig::small().set("search", "uct").expect_err("no such search");
        let expected = "`search` cannot be `uct`; it is rounds, lookahead or likely";
        assert_eq!(refused.to_string(), expected);
        let refused = "slow".parse::<Preset>().expect_err("no such preset").to_string();
        assert_eq!(refused, "there is no preset `slow`; it is fast, thesis or small");
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
