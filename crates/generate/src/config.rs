//! The parameters of the generator, read from TOML.
//!
//! `default.toml` in the folder of this crate names every parameter, says what it means and has its default. A
//! [`Config`] is always valid, whatever was read: the generator relies on it, for example on arrays that do not meet.

use std::fmt;
use std::sync::LazyLock;

use toml_edit::{Document, Item, Value};

use crate::names::MAX_KINDS;
use crate::properties::Properties;
use crate::rules::{BoardType, Comparison, Effect, Inversion, Who};
use crate::value::{
    Chance, Distribution, Factor, Fraction, GoalType, MovementType, Parameter, PlacementMethod,
    Whole, number,
};

/// The least and the greatest number of files or ranks. With one rank, the sides would begin on the same squares.
const SIZES: (u32, u32) = (2, 32);
/// The greatest probability of a choice that is repeated until it fails; with 1 it would never end.
const REPEATED: f64 = 0.95;

/// Defines [`Config`]: each parameter with its type and the limits of its values.
macro_rules! parameters {
    ($($name:ident: $type:ty [$domain:expr],)*) => {
        /// The parameters of the generator.
        ///
        /// # Examples
        ///
        /// ```
        /// use regulus_generate::Config;
        ///
        /// let config = Config::from_toml("board_width = [8, 8]\nmust_ride = 0.5")?;
        /// assert_eq!(config.value("board_width").as_deref(), Some("[8, 8]"));
        /// assert_eq!(config.value("board_height"), Config::default().value("board_height"));
        /// # Ok::<(), regulus_generate::ConfigError>(())
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        pub struct Config {
            $(pub(crate) $name: $type,)*
        }

        /// The names of all parameters, in the order of `default.toml`.
        const KEYS: &[&str] = &[$(stringify!($name)),*];

        impl Config {
            /// Reads a document that names every parameter.
            fn complete(document: &Document<&str>) -> Option<Config> {
                Some(Config {$(
                    $name: <$type>::read(
                        stringify!($name),
                        document.get(stringify!($name))?.as_value()?,
                        $domain,
                    )?,
                )*})
            }

            /// Sets one parameter; the error says what is allowed.
            fn assign(&mut self, key: &str, value: Option<&Value>) -> Result<(), Refused> {
                match key {
                    $(stringify!($name) => {
                        let read = |value| <$type>::read(stringify!($name), value, $domain);
                        let refused = || Refused::Value(<$type>::allowed($domain));
                        self.$name = value.and_then(read).ok_or_else(refused)?;
                        Ok(())
                    })*
                    _ => Err(Refused::Key),
                }
            }

            /// The value of a parameter as TOML; `None` if there is no such parameter.
            #[must_use]
            pub fn value(&self, key: &str) -> Option<String> {
                match key {
                    $(stringify!($name) => Some(self.$name.to_string()),)*
                    _ => None,
                }
            }
        }
    };
}

parameters! {
    board_width: Whole[SIZES],
    board_height: Whole[SIZES],
    board_type: Distribution<BoardType>[()],
    inversion: Distribution<Inversion>[()],
    board_crowding: Distribution<f64>[()],
    promotion_fraction: Distribution<f64>[()],
    row_crowding: Distribution<f64>[()],
    variety: Distribution<f64>[()],
    placement_method: Distribution<PlacementMethod>[()],
    promote_only_kinds: Whole[(0, MAX_KINDS as u32 - 2)],
    movement_complexity: Chance[REPEATED],
    reach: Fraction[()],
    rotation_symmetry: Chance[1.0],
    forward_symmetry: Chance[1.0],
    side_symmetry: Chance[1.0],
    movement_type: Distribution<MovementType>[()],
    must_ride: Chance[1.0],
    hop_before_constrained: Chance[1.0],
    hop_over_constrained: Chance[1.0],
    hop_after_constrained: Chance[1.0],
    hop_number_limit: Factor[()],
    hop_comparison: Distribution<Comparison>[()],
    capture_complexity: Chance[REPEATED],
    capture_retrieve: Chance[1.0],
    capture_clobber: Chance[1.0],
    capture_hop: Chance[1.0],
    capture_effect: Distribution<Effect>[()],
    specific_promotion: Chance[1.0],
    promotion_chooser: Distribution<Who>[()],
    piece_must_capture: Chance[1.0],
    continue_captures: Chance[1.0],
    global_must_capture: Chance[1.0],
    any_player: Chance[1.0],
    description_owner: Distribution<Who>[()],
    any_piece: Chance[1.0],
    more_general_pieces: Chance[1.0],
    stalemate_owner: Distribution<Who>[()],
    goal_complexity: Chance[REPEATED],
    goal_type: Distribution<GoalType>[()],
    eradicate_owner: Distribution<Who>[()],
    eradicate_any_piece: Chance[1.0],
    arrive_owner: Distribution<Who>[()],
}

/// Why a parameter was not set.
enum Refused {
    /// There is no such parameter.
    Key,
    /// The value is not what is allowed.
    Value(String),
}

static DEFAULT: LazyLock<Config> = LazyLock::new(|| {
    let document = Document::parse(Config::DEFAULT_TOML).expect("a test reads default.toml");
    Config::complete(&document).expect("a test finds every parameter in default.toml")
});

impl Default for Config {
    fn default() -> Self {
        DEFAULT.clone()
    }
}

impl Config {
    /// The file that names every parameter, says what it means and has its default.
    pub const DEFAULT_TOML: &str = include_str!("../default.toml");

    /// Reads the parameters that differ from the defaults.
    ///
    /// A table `[properties]` has numbers for the fields of [`Properties`], which are applied first.
    ///
    /// # Errors
    ///
    /// All that is wrong: the text is not TOML, a key is unknown, a value is not allowed.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_generate::Config;
    ///
    /// let error = Config::from_toml("must_ride = 1.5").expect_err("that is no probability");
    /// assert_eq!(error.to_string(), "line 1: `must_ride` must be a probability from 0 to 1, not 1.5");
    /// ```
    pub fn from_toml(text: &str) -> Result<Config, ConfigError> {
        Config::from_toml_with(text, &Properties::default())
    }

    /// The same with properties that replace those of the text. Parameters that the text names still take precedence.
    ///
    /// # Errors
    ///
    /// As [`Config::from_toml`]; also when a property is not from 0 to 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_generate::{Config, Properties};
    ///
    /// let large = Properties { board_size: Some(1.0), ..Properties::default() };
    /// let config = Config::from_toml_with("board_width = [7, 7]", &large)?;
    /// assert_eq!(config.value("board_width").as_deref(), Some("[7, 7]"));
    /// assert_eq!(config.value("board_height").as_deref(), Some("[10, 12]"));
    /// # Ok::<(), regulus_generate::ConfigError>(())
    /// ```
    pub fn from_toml_with(text: &str, properties: &Properties) -> Result<Config, ConfigError> {
        let document = Document::parse(text).map_err(|error| {
            let line = error.span().map(|span| line_of(text, span.start));
            ConfigError::from(Problem { line, message: error.message().to_owned() })
        })?;
        let mut problems = Vec::new();
        let mut all = Properties::default();
        if let Some(table) = document.get("properties") {
            read_properties(text, table, &mut all, &mut problems);
        }
        all.replace(properties);
        let mut config = Config::default();
        if let Err(error) = config.apply(&all) {
            problems.extend(error.problems);
        }
        for (key, item) in document.iter().filter(|(key, _)| *key != "properties") {
            if let Err(refused) = config.assign(key, item.as_value()) {
                problems.push(refused.problem(key, given(text, item)));
            }
        }
        problems.sort_by_key(|problem| problem.line);
        if problems.is_empty() { Ok(config) } else { Err(ConfigError { problems }) }
    }

    /// Sets the groups of parameters that the properties stand for.
    ///
    /// # Errors
    ///
    /// Returns an error if a property is not from 0 to 1; then nothing has changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_generate::{Config, Properties};
    ///
    /// let mut config = Config::default();
    /// config.apply(&Properties { rule_complexity: Some(0.0), ..Properties::default() })?;
    /// assert_eq!(config.value("movement_complexity").as_deref(), Some("0.0"));
    /// # Ok::<(), regulus_generate::ConfigError>(())
    /// ```
    pub fn apply(&mut self, properties: &Properties) -> Result<(), ConfigError> {
        let problems: Vec<Problem> = properties
            .named()
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)))
            .filter(|(_, value)| !(0.0..=1.0).contains(value))
            .map(|(key, value)| property_problem(None, key, &value.to_string()))
            .collect();
        if !problems.is_empty() {
            return Err(ConfigError { problems });
        }
        properties.set(self);
        Ok(())
    }

    /// Sets one parameter to a value written as in TOML.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such parameter, or the value is not allowed; then nothing has changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_generate::Config;
    ///
    /// let mut config = Config::default();
    /// config.set("inversion", r#"[["forward", 1.0]]"#)?;
    /// assert!(config.set("inversion", r#"[["sideways", 1.0]]"#).is_err());
    /// # Ok::<(), regulus_generate::ConfigError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let read: Option<Value> = value.parse().ok();
        self.assign(key, read.as_ref())
            .map_err(|refused| refused.problem(key, (None, shortened(value))).into())
    }

    /// The names of all parameters, in the order of the default file.
    #[must_use]
    pub fn keys() -> &'static [&'static str] {
        KEYS
    }

    /// The parameters that differ from the defaults, with their values as TOML.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_generate::Config;
    ///
    /// let config = Config::from_toml("must_ride = 0.5\nany_piece = 0.5")?;
    /// assert_eq!(config.differences(), [("must_ride", "0.5".to_owned())]);
    /// # Ok::<(), regulus_generate::ConfigError>(())
    /// ```
    #[must_use]
    pub fn differences(&self) -> Vec<(&'static str, String)> {
        let differs = |key: &&'static str| self.value(key) != DEFAULT.value(key);
        let with_value = |key: &'static str| Some((key, self.value(key)?));
        KEYS.iter().copied().filter(differs).filter_map(with_value).collect()
    }
}

/// All that is wrong with parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    problems: Vec<Problem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Problem {
    line: Option<usize>,
    message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.problems.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            if let Some(line) = problem.line {
                write!(f, "line {line}: ")?;
            }
            f.write_str(&problem.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

impl From<Problem> for ConfigError {
    fn from(problem: Problem) -> Self {
        ConfigError { problems: vec![problem] }
    }
}

impl Refused {
    fn problem(self, key: &str, (line, given): (Option<usize>, String)) -> Problem {
        let message = match self {
            Refused::Key => {
                format!("unknown parameter `{key}`; allowed: properties, {}", KEYS.join(", "))
            }
            Refused::Value(allowed) => format!("`{key}` must be {allowed}, not {given}"),
        };
        Problem { line, message }
    }
}

fn read_properties(
    text: &str,
    item: &Item,
    properties: &mut Properties,
    problems: &mut Vec<Problem>,
) {
    let Some(table) = item.as_table_like() else {
        let (line, given) = given(text, item);
        let message = format!("`properties` must be a table, not {given}");
        problems.push(Problem { line, message });
        return;
    };
    for (key, item) in table.iter() {
        let (line, given) = given(text, item);
        let Some(property) = properties.get_mut(key) else {
            let allowed = Properties::default().named().map(|(name, _)| name).join(", ");
            let message = format!("unknown property `{key}`; allowed: {allowed}");
            problems.push(Problem { line, message });
            continue;
        };
        match item.as_value().and_then(number).filter(|value| (0.0..=1.0).contains(value)) {
            Some(value) => *property = Some(value),
            None => problems.push(property_problem(line, key, &given)),
        }
    }
}

fn property_problem(line: Option<usize>, key: &str, given: &str) -> Problem {
    let message = format!("property `{key}` must be a number from 0 to 1, not {given}");
    Problem { line, message }
}

/// The line of an item and its text.
fn given(text: &str, item: &Item) -> (Option<usize>, String) {
    let Some(span) = item.span() else { return (None, item.type_name().to_owned()) };
    let source = text.get(span.clone()).unwrap_or_default();
    (Some(line_of(text, span.start)), shortened(source))
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}

/// A text on one line, and not too long for a message.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None if words.is_empty() => "nothing".to_owned(),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_file_is_complete_and_in_order() {
        let document = Document::parse(Config::DEFAULT_TOML).expect("TOML");
        let keys: Vec<&str> = document.iter().map(|(key, _)| key).collect();
        assert_eq!(keys, KEYS);
        for key in KEYS {
            let mut config = Config::default();
            assert!(config.assign(key, document.get(key).and_then(Item::as_value)).is_ok());
        }
        assert!(Config::complete(&document).is_some());
    }

    #[test]
    fn every_parameter_has_a_comment() {
        let mut explained = false;
        for line in Config::DEFAULT_TOML.lines() {
            let heading = line.starts_with("# ----");
            if line.is_empty() || heading {
                explained = false;
            } else if line.starts_with('#') {
                explained = true;
            } else {
                assert!(explained, "{line}");
            }
        }
    }

    #[test]
    fn values_print_as_they_are_read() {
        for key in KEYS {
            let default = Config::default().value(key).expect("a parameter");
            let mut config = Config::default();
            config.set(key, &default).expect("the default is allowed");
            assert_eq!(config, Config::default(), "{key}");
            let line = format!("{key} = {default}");
            assert!(Config::DEFAULT_TOML.lines().any(|other| other == line), "{line}");
        }
    }
}
