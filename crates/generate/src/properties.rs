//! Five properties of games, after section 4.3 of the paper, each of which sets a group of parameters.

use crate::config::Config;
use crate::rules::{Assigner, BoardType, Effect, Who};
use crate::value::{
    Chance, Distribution, DrawnValue, Fraction, MovementType, PlacementMethod, Whole,
};

/// Properties of games as numbers from 0 (least) to 1 (most); `None` leaves the parameters as they are.
///
/// 0.5 stands for the defaults. Between 0, 0.5 and 1 each parameter changes linearly; ends of ranges are rounded. Where
/// two properties set the same parameter, the later field decides.
///
/// # Examples
///
/// ```
/// use regulus_generate::{Config, Properties, generate};
///
/// let mut config = Config::default();
/// let properties =
///     Properties { rule_complexity: Some(0.0), board_size: Some(0.0), ..Properties::default() };
/// config.apply(&properties)?;
/// let rules = generate(1, &config).rules;
/// assert_eq!((rules.board.width, rules.board.height), (4, 4));
/// assert_eq!(rules.goals.len(), 1);
/// # Ok::<(), regulus_generate::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Properties {
    /// How long rules are: `movement_complexity` and `capture_complexity` (0, 0.2, 0.6), `goal_complexity` (0, 0.6, 0.9),
    /// `more_general_pieces` (0.3, 0.8, 0.95), `variety` (all 0.2, default, all 1).
    pub rule_complexity: Option<f64>,
    /// How much players decide instead of the rules: `specific_promotion` (1, 0.4, 0), `placement_method` (by rules or by
    /// chance, default, by players).
    pub decision_complexity: Option<f64>,
    /// How many moves a position has: `board_width` and `board_height` ([4, 4], [5, 6], [8, 9]), `rotation_symmetry`,
    /// `forward_symmetry` and `side_symmetry` (0.6, 0.9, 1), `piece_must_capture` and `global_must_capture`
    /// (0.8, 0.3, 0), `continue_captures` (0, 0.1, 0.4), `promotion_chooser` (all player, default, all opponent: the
    /// opponent's choices multiply with the moves), `capture_effect` (all remove, default, none: pieces in hand can be
    /// placed anywhere).
    pub search_complexity: Option<f64>,
    /// How much pieces act on their surroundings only: `reach` ([0.6, 1], [0.1, 0.8], [0.05, 0.2]), `board_type`
    /// (cylinders 0.5, 0.1, 0), `movement_type` (riders 0.6, 0.4, 0 at the cost of leapers: a ride that `reach` would
    /// limit to one leap has no limit), `hop_before_constrained` and `hop_after_constrained` (0, 0.5, 1),
    /// `hop_number_limit` (1, 1, 0.25).
    pub locality: Option<f64>,
    /// How large boards are: `board_width` and `board_height` ([4, 4], [5, 6], [10, 12]).
    pub board_size: Option<f64>,
}

impl Properties {
    /// All properties with their names.
    pub(crate) fn named(&self) -> [(&'static str, Option<f64>); 5] {
        [
            ("rule_complexity", self.rule_complexity),
            ("decision_complexity", self.decision_complexity),
            ("search_complexity", self.search_complexity),
            ("locality", self.locality),
            ("board_size", self.board_size),
        ]
    }

    /// The property of a name.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Option<f64>> {
        match name {
            "rule_complexity" => Some(&mut self.rule_complexity),
            "decision_complexity" => Some(&mut self.decision_complexity),
            "search_complexity" => Some(&mut self.search_complexity),
            "locality" => Some(&mut self.locality),
            "board_size" => Some(&mut self.board_size),
            _ => None,
        }
    }

    /// Takes over what `other` has.
    pub(crate) fn replace(&mut self, other: &Properties) {
        for (name, value) in other.named() {
            if let (Some(value), Some(place)) = (value, self.get_mut(name)) {
                *place = Some(value);
            }
        }
    }

    /// Sets the parameters; the properties are from 0 to 1.
    pub(crate) fn set(&self, config: &mut Config) {
        let groups = [set_rules, set_decisions, set_search, set_locality, set_size];
        for (group, (_, value)) in groups.into_iter().zip(self.named()) {
            if let Some(value) = value {
                group(config, value);
            }
        }
    }
}

fn set_rules(config: &mut Config, t: f64) {
    let Config { movement_complexity, capture_complexity, goal_complexity, .. } = config;
    set_chance(movement_complexity, t, [0.0, 0.2, 0.6]);
    set_chance(capture_complexity, t, [0.0, 0.2, 0.6]);
    set_chance(goal_complexity, t, [0.0, 0.6, 0.9]);
    set_chance(&mut config.more_general_pieces, t, [0.3, 0.8, 0.95]);
    let default = Config::default().variety;
    set_distribution(&mut config.variety, t, &[(0.2, 1.0)], &default, &[(1.0, 1.0)]);
}

fn set_decisions(config: &mut Config, t: f64) {
    use PlacementMethod::{Arbitrary, By};

    set_chance(&mut config.specific_promotion, t, [1.0, 0.4, 0.0]);
    let low = [(Arbitrary, 0.75), (By(Assigner::Random), 0.25)];
    let high = [(By(Assigner::Player), 0.5), (By(Assigner::Opponent), 0.5)];
    let default = Config::default().placement_method;
    set_distribution(&mut config.placement_method, t, &low, &default, &high);
}

fn set_search(config: &mut Config, t: f64) {
    let sizes = [(4.0, 4.0), (5.0, 6.0), (8.0, 9.0)];
    set_whole(&mut config.board_width, t, sizes);
    set_whole(&mut config.board_height, t, sizes);
    set_chance(&mut config.rotation_symmetry, t, [0.6, 0.9, 1.0]);
    set_chance(&mut config.forward_symmetry, t, [0.6, 0.9, 1.0]);
    set_chance(&mut config.side_symmetry, t, [0.6, 0.9, 1.0]);
    set_chance(&mut config.piece_must_capture, t, [0.8, 0.3, 0.0]);
    set_chance(&mut config.global_must_capture, t, [0.8, 0.3, 0.0]);
    set_chance(&mut config.continue_captures, t, [0.0, 0.1, 0.4]);
    let default = Config::default();
    let low = [(Who::Player, 1.0)];
    let high = [(Who::Opponent, 1.0)];
    set_distribution(&mut config.promotion_chooser, t, &low, &default.promotion_chooser, &high);
    let low = [(Effect::Remove, 1.0)];
    let high = [(Effect::Possess(Who::Player), 0.6), (Effect::Possess(Who::Opponent), 0.4)];
    set_distribution(&mut config.capture_effect, t, &low, &default.capture_effect, &high);
}

fn set_locality(config: &mut Config, t: f64) {
    set_fraction(&mut config.reach, t, [(0.6, 1.0), (0.1, 0.8), (0.05, 0.2)]);
    set_chance(&mut config.hop_before_constrained, t, [0.0, 0.5, 1.0]);
    set_chance(&mut config.hop_after_constrained, t, [0.0, 0.5, 1.0]);
    config.hop_number_limit.0 = between(t, [1.0, 1.0, 0.25]);
    let default = Config::default();
    let low = [(BoardType::Planar, 0.5), (BoardType::VerticalCylinder, 0.5)];
    let high = [(BoardType::Planar, 1.0)];
    set_distribution(&mut config.board_type, t, &low, &default.board_type, &high);
    let low =
        [(MovementType::Leaper, 0.2), (MovementType::Rider, 0.6), (MovementType::Hopper, 0.2)];
    let high = [(MovementType::Leaper, 0.8), (MovementType::Hopper, 0.2)];
    set_distribution(&mut config.movement_type, t, &low, &default.movement_type, &high);
}

fn set_size(config: &mut Config, t: f64) {
    let sizes = [(4.0, 4.0), (5.0, 6.0), (10.0, 12.0)];
    set_whole(&mut config.board_width, t, sizes);
    set_whole(&mut config.board_height, t, sizes);
}

/// What lies at `t` on the line through three points, without the noise of rounding.
fn between(t: f64, [low, middle, high]: [f64; 3]) -> f64 {
    let value = if t < 0.5 {
        low + (middle - low) * (t * 2.0)
    } else {
        middle + (high - middle) * (t * 2.0 - 1.0)
    };
    (value * 1e6).round() / 1e6
}

fn set_chance(chance: &mut Chance, t: f64, points: [f64; 3]) {
    chance.probability = between(t, points);
}

fn set_whole(range: &mut Whole, t: f64, points: [(f64, f64); 3]) {
    range.low = between(t, points.map(|(low, _)| low)).round() as u32;
    range.high = between(t, points.map(|(_, high)| high)).round() as u32;
}

fn set_fraction(range: &mut Fraction, t: f64, points: [(f64, f64); 3]) {
    range.low = between(t, points.map(|(low, _)| low));
    range.high = between(t, points.map(|(_, high)| high));
}

/// Mixes distributions; every value of the outer two is one of the default's.
fn set_distribution<T: DrawnValue>(
    distribution: &mut Distribution<T>,
    t: f64,
    low: &[(T, f64)],
    default: &Distribution<T>,
    high: &[(T, f64)],
) {
    let of = |pairs: &[(T, f64)], value: T| {
        pairs.iter().find(|(other, _)| *other == value).map_or(0.0, |&(_, probability)| probability)
    };
    distribution.pairs = default
        .pairs
        .iter()
        .map(|&(value, middle)| (value, between(t, [of(low, value), middle, of(high, value)])))
        .collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(value: f64) -> Properties {
        let mut properties = Properties::default();
        for (name, _) in properties.named() {
            *properties.get_mut(name).expect("a name of a property") = Some(value);
        }
        properties
    }

    #[test]
    fn one_half_is_the_default() {
        let mut config = Config::default();
        config.apply(&all(0.0)).expect("allowed");
        assert_ne!(config, Config::default());
        config.apply(&all(0.5)).expect("allowed");
        assert_eq!(config, Config::default());
    }

    #[test]
    fn every_setting_is_allowed_as_a_parameter() {
        for step in 0..=20 {
            let mut config = Config::default();
            config.apply(&all(f64::from(step) / 20.0)).expect("allowed");
            let mut again = Config::default();
            for (key, value) in config.differences() {
                again.set(key, &value).expect("allowed");
            }
            assert_eq!(again, config);
        }
    }
}
