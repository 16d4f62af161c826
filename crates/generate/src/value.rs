//! The values that parameters can have: how they are read from TOML, printed and drawn from.

use std::fmt;

use toml_edit::Value;

use crate::random::Dice;
use crate::rules::{Assigner, BoardType, Comparison, Effect, Inversion, Who};

/// How far the probabilities of a distribution may be from summing to 1: room for three times 0.333.
const TOLERANCE: f64 = 0.0011;

/// A parameter that can be read and printed. It knows its key, under which draws are noted.
pub(crate) trait Parameter: Sized + PartialEq + fmt::Display {
    /// What its values are limited to.
    type Domain: Copy;

    /// Reads it; `None` if the value is not allowed.
    fn read(key: &'static str, value: &Value, domain: Self::Domain) -> Option<Self>;

    /// What is allowed, to stand after "must be".
    fn allowed(domain: Self::Domain) -> String;
}

/// Whether something happens. The domain is the greatest probability.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chance {
    key: &'static str,
    pub(crate) probability: f64,
}

/// A whole number of a range. The domain is the widest range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Whole {
    key: &'static str,
    pub(crate) low: u32,
    pub(crate) high: u32,
}

/// A fraction of a range within 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fraction {
    key: &'static str,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A number from 0 to 1 that nothing is drawn for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Factor(pub(crate) f64);

/// One of several values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Distribution<T> {
    key: &'static str,
    pub(crate) pairs: Vec<(T, f64)>,
}

/// A value of a distribution.
pub(crate) trait DrawnValue: Copy + PartialEq + fmt::Debug {
    fn read(value: &Value) -> Option<Self>;
    fn allowed() -> String;
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl Chance {
    pub(crate) fn draw(&self, dice: &mut Dice) -> bool {
        let happens = dice.unit() < self.probability;
        dice.note(self.key, f64::from(u8::from(happens)));
        happens
    }
}

impl Whole {
    pub(crate) fn draw(&self, dice: &mut Dice) -> u32 {
        let number = dice.between(self.low, self.high);
        dice.note(self.key, f64::from(number));
        number
    }
}

impl Fraction {
    pub(crate) fn draw(&self, dice: &mut Dice) -> f64 {
        let fraction = self.low + (self.high - self.low) * dice.unit();
        dice.note(self.key, fraction);
        fraction
    }
}

impl<T: DrawnValue> Distribution<T> {
    pub(crate) fn draw(&self, dice: &mut Dice) -> T {
        let total: f64 = self.pairs.iter().map(|(_, probability)| probability).sum();
        let mut rest = dice.unit() * total;
        let mut chosen = 0;
        for (place, &(_, probability)) in self.pairs.iter().enumerate() {
            // Rounding may leave a rest at the end: the last value that is possible has it.
            if probability > 0.0 {
                chosen = place;
                if rest < probability {
                    break;
                }
                rest -= probability;
            }
        }
        dice.note(self.key, chosen as f64);
        self.pairs[chosen].0
    }
}

impl Parameter for Chance {
    type Domain = f64;

    fn read(key: &'static str, value: &Value, most: f64) -> Option<Self> {
        let probability = number(value).filter(|p| (0.0..=most).contains(p))?;
        Some(Chance { key, probability })
    }

    fn allowed(most: f64) -> String {
        format!("a probability from 0 to {most}")
    }
}

impl Parameter for Whole {
    type Domain = (u32, u32);

    fn read(key: &'static str, value: &Value, (least, most): (u32, u32)) -> Option<Self> {
        let whole = |value: &Value| value.as_integer().and_then(|n| u32::try_from(n).ok());
        let (low, high) = pair(value)?;
        let (low, high) = (whole(low)?, whole(high)?);
        (least <= low && low <= high && high <= most).then_some(Whole { key, low, high })
    }

    fn allowed((least, most): (u32, u32)) -> String {
        format!("a range [a, b] of whole numbers, {least} <= a <= b <= {most}")
    }
}

impl Parameter for Fraction {
    type Domain = ();

    fn read(key: &'static str, value: &Value, (): ()) -> Option<Self> {
        let (low, high) = pair(value)?;
        let (low, high) = (number(low)?, number(high)?);
        (0.0 <= low && low <= high && high <= 1.0).then_some(Fraction { key, low, high })
    }

    fn allowed((): ()) -> String {
        "a range [a, b] of numbers, 0 <= a <= b <= 1".to_owned()
    }
}

impl Parameter for Factor {
    type Domain = ();

    fn read(_: &'static str, value: &Value, (): ()) -> Option<Self> {
        number(value).filter(|n| (0.0..=1.0).contains(n)).map(Factor)
    }

    fn allowed((): ()) -> String {
        "a number from 0 to 1".to_owned()
    }
}

impl<T: DrawnValue> Parameter for Distribution<T> {
    type Domain = ();

    fn read(key: &'static str, value: &Value, (): ()) -> Option<Self> {
        let mut pairs: Vec<(T, f64)> = Vec::new();
        for entry in value.as_array()? {
            let (outcome, probability) = pair(entry)?;
            let outcome = T::read(outcome)?;
            if pairs.iter().any(|(other, _)| *other == outcome) {
                return None;
            }
            pairs.push((outcome, number(probability).filter(|p| (0.0..=1.0).contains(p))?));
        }
        let sum: f64 = pairs.iter().map(|(_, probability)| probability).sum();
        ((sum - 1.0).abs() <= TOLERANCE).then_some(Distribution { key, pairs })
    }

    fn allowed((): ()) -> String {
        let values = T::allowed();
        format!(
            "a list of pairs [value, probability] with different values ({values}) and probabilities that sum to 1"
        )
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.probability)
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.low, self.high)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:?}, {:?}]", self.low, self.high)
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl<T: DrawnValue> fmt::Display for Distribution<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (place, (outcome, probability)) in self.pairs.iter().enumerate() {
            f.write_str(if place == 0 { "[" } else { ", [" })?;
            outcome.write(f)?;
            write!(f, ", {probability:?}]")?;
        }
        f.write_str("]")
    }
}

impl DrawnValue for f64 {
    fn read(value: &Value) -> Option<Self> {
        number(value).filter(|n| (0.0..=1.0).contains(n))
    }

    fn allowed() -> String {
        "from 0 to 1".to_owned()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// How pieces come to their first squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PlacementMethod {
    Arbitrary,
    By(Assigner),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MovementType {
    Leaper,
    Rider,
    Hopper,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GoalType {
    Eradicate,
    Arrive,
}

/// Gives the values of a type the names that they have in TOML.
macro_rules! outcomes {
    ($($type:ty { $($name:literal => $value:expr,)* })*) => {$(
        impl DrawnValue for $type {
            fn read(value: &Value) -> Option<Self> {
                match value.as_str()? {
                    $($name => Some($value),)*
                    _ => None,
                }
            }

            fn allowed() -> String {
                [$(concat!("\"", $name, "\"")),*].join(", ")
            }

            fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(if *self == $value {
                    return f.write_str(concat!("\"", $name, "\""));
                })*
                Ok(())
            }
        }
    )*};
}

outcomes! {
    BoardType {
        "planar" => BoardType::Planar,
        "vertical_cylinder" => BoardType::VerticalCylinder,
    }
    Inversion {
        "diagonal" => Inversion::Diagonal,
        "forward" => Inversion::Forward,
    }
    PlacementMethod {
        "arbitrary" => PlacementMethod::Arbitrary,
        "random" => PlacementMethod::By(Assigner::Random),
        "player" => PlacementMethod::By(Assigner::Player),
        "opponent" => PlacementMethod::By(Assigner::Opponent),
    }
    MovementType {
        "leaper" => MovementType::Leaper,
        "rider" => MovementType::Rider,
        "hopper" => MovementType::Hopper,
    }
    Comparison {
        "=" => Comparison::Equal,
        ">=" => Comparison::AtLeast,
        "<=" => Comparison::AtMost,
    }
    Effect {
        "remove" => Effect::Remove,
        "player_possesses" => Effect::Possess(Who::Player),
        "opponent_possesses" => Effect::Possess(Who::Opponent),
    }
    Who {
        "player" => Who::Player,
        "opponent" => Who::Opponent,
    }
    GoalType {
        "eradicate" => GoalType::Eradicate,
        "arrive" => GoalType::Arrive,
    }
}

/// A number, with or without a decimal point; never infinite and never NaN.
pub(crate) fn number(value: &Value) -> Option<f64> {
    let number = value.as_float().or_else(|| value.as_integer().map(|n| n as f64))?;
    number.is_finite().then_some(number)
}

/// The two elements of a list of two.
fn pair(value: &Value) -> Option<(&Value, &Value)> {
    let list = value.as_array().filter(|list| list.len() == 2)?;
    Some((list.get(0)?, list.get(1)?))
}
