//! Files of parameters: what they may say, and what is said about those that may not.

use regulus_generate::{Config, Properties};

#[track_caller]
fn check(text: &str, expected: &str) {
    let error = Config::from_toml(text).expect_err("not allowed").to_string();
    assert_eq!(error, expected);
}

#[test]
fn an_empty_file_is_the_default() {
    assert_eq!(Config::from_toml("").expect("allowed"), Config::default());
    assert_eq!(Config::from_toml(Config::DEFAULT_TOML).expect("allowed"), Config::default());
    assert!(Config::default().differences().is_empty());
}

#[test]
fn a_file_changes_only_what_it_names() {
    let text = "# mine\nmust_ride = 0\nboard_crowding = [[0.25, 0.5], [1, 0.5]]\n";
    let config = Config::from_toml(text).expect("allowed");
    let changed = [
        ("board_crowding", "[[0.25, 0.5], [1.0, 0.5]]".to_owned()),
        ("must_ride", "0.0".to_owned()),
    ];
    assert_eq!(config.differences(), changed);
}

#[test]
fn unknown_keys_are_named_with_those_that_are_known() {
    let error = Config::from_toml("\nmovment_type = 1").expect_err("not allowed").to_string();
    assert!(error.starts_with("line 2: unknown parameter `movment_type`; allowed: properties, "));
    for key in Config::keys() {
        assert!(error.contains(key));
    }
    check(
        "[properties]\ncolour = 1",
        "line 2: unknown property `colour`; allowed: rule_complexity, decision_complexity, search_complexity, \
         locality, board_size",
    );
}

#[test]
fn bad_values_are_named_with_what_is_allowed() {
    let probability = "must be a probability from 0 to 1, not";
    check("must_ride = -0.1", &format!("line 1: `must_ride` {probability} -0.1"));
    check("must_ride = nan", &format!("line 1: `must_ride` {probability} nan"));
    check("must_ride = 'often'", &format!("line 1: `must_ride` {probability} 'often'"));
    check(
        "movement_complexity = 1.0",
        "line 1: `movement_complexity` must be a probability from 0 to 0.95, not 1.0",
    );
    let sizes = "`board_width` must be a range [a, b] of whole numbers, 2 <= a <= b <= 32, not";
    for bad in ["[1, 5]", "[6, 5]", "[5, 33]", "[5.0, 6.0]", "[5]", "5", "[-3, 5]"] {
        check(&format!("board_width = {bad}"), &format!("line 1: {sizes} {bad}"));
    }
    let reach = "`reach` must be a range [a, b] of numbers, 0 <= a <= b <= 1, not";
    check("reach = [0.5, 1.5]", &format!("line 1: {reach} [0.5, 1.5]"));
}

#[test]
fn bad_distributions_are_named_with_their_values() {
    let allowed = "`board_type` must be a list of pairs [value, probability] with different values (\"planar\", \
                   \"vertical_cylinder\") and probabilities that sum to 1, not";
    for bad in [
        "[['round', 1.0]]",
        "[['planar', 0.9]]",
        "[['planar', 0.5], ['planar', 0.5]]",
        "[['planar', 1.5], ['vertical_cylinder', -0.5]]",
        "[]",
        "{ planar = 1.0 }",
    ] {
        check(&format!("board_type = {bad}"), &format!("line 1: {allowed} {bad}"));
    }
    let fractions = "`variety` must be a list of pairs [value, probability] with different values (from 0 to 1) and \
                     probabilities that sum to 1, not";
    check("variety = [[1.5, 1.0]]", &format!("line 1: {fractions} [[1.5, 1.0]]"));
}

#[test]
fn thirds_may_be_rounded() {
    let text = "movement_type = [['leaper', 0.333], ['rider', 0.333], ['hopper', 0.333]]";
    assert!(Config::from_toml(text).is_ok());
}

#[test]
fn all_problems_are_reported_in_order() {
    let text = "must_ride = 2\n[properties]\nlocality = 3\n";
    check(
        text,
        "line 1: `must_ride` must be a probability from 0 to 1, not 2\nline 3: property `locality` must be a number \
         from 0 to 1, not 3",
    );
    check("properties = 1", "line 1: `properties` must be a table, not 1");
    let error = Config::from_toml("must_ride = 0.1\nmust_ride = 0.2").expect_err("not TOML");
    assert!(error.to_string().starts_with("line 2: "), "{error}");
    let error = Config::from_toml("[must_ride]\nx = 1").expect_err("a table").to_string();
    assert!(error.contains("`must_ride` must be a probability from 0 to 1"), "{error}");
}

#[test]
fn properties_come_before_parameters() {
    let text = "movement_complexity = 0.5\n[properties]\nrule_complexity = 0\n";
    let config = Config::from_toml(text).expect("allowed");
    assert_eq!(config.value("movement_complexity").as_deref(), Some("0.5"));
    assert_eq!(config.value("capture_complexity").as_deref(), Some("0.0"));
    let given = Properties { rule_complexity: Some(1.0), ..Properties::default() };
    let config = Config::from_toml_with(text, &given).expect("allowed");
    assert_eq!(config.value("movement_complexity").as_deref(), Some("0.5"));
    assert_eq!(config.value("capture_complexity").as_deref(), Some("0.6"));
}

#[test]
fn properties_are_from_0_to_1() {
    for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let mut config = Config::default();
        let properties =
            Properties { locality: Some(bad), board_size: Some(1.0), ..Properties::default() };
        let error = config.apply(&properties).expect_err("not allowed").to_string();
        assert!(error.starts_with("property `locality` must be a number from 0 to 1, not "));
        assert_eq!(config, Config::default());
    }
}

#[test]
fn single_parameters_are_set_or_refused() {
    let mut config = Config::default();
    config.set("must_ride", "0.75").expect("allowed");
    assert_eq!(config.value("must_ride").as_deref(), Some("0.75"));
    let error = config.set("must_ride", "0.5\nany_piece = 1").expect_err("not one value");
    assert_eq!(
        error.to_string(),
        "`must_ride` must be a probability from 0 to 1, not 0.5 any_piece = 1"
    );
    assert!(config.set("nothing", "1").is_err());
    assert_eq!(config.value("nothing"), None);
}
