//! Every generated text is a text of the language: read here by a recogniser of the grammar that knows nothing of the
//! generator, and compared with the rules it was made from.

use std::collections::BTreeSet;

use regulus_generate::{Config, Goal, MovementKind, Properties, Setup, generate, seed_of};

#[test]
fn default_games_follow_the_grammar() {
    check(&Config::default(), 1000);
}

#[test]
fn games_of_any_properties_follow_the_grammar() {
    for (run, value) in [0.0, 0.25, 0.75, 1.0].into_iter().enumerate() {
        for changed in 0..32 {
            let set = |bit: u32| (changed >> bit & 1 == 1).then_some(value);
            let properties = Properties {
                rule_complexity: set(0),
                decision_complexity: set(1),
                search_complexity: set(2),
                locality: set(3),
                board_size: set(4),
            };
            let mut config = Config::default();
            config.apply(&properties).expect("allowed");
            check(&config, 2 + run as u64);
        }
    }
}

#[test]
fn games_of_extreme_parameters_follow_the_grammar() {
    let extremes = [
        "board_width = [2, 2]\nboard_height = [2, 2]\nreach = [1, 1]\nmovement_type = [[\"hopper\", 1]]",
        "board_width = [2, 3]\nboard_height = [2, 3]\nboard_crowding = [[1, 1]]\npromotion_fraction = [[1, 1]]",
        "board_width = [32, 32]\nboard_height = [32, 32]\nboard_crowding = [[1, 1]]\nvariety = [[1, 1]]",
        "inversion = [[\"forward\", 1]]\nboard_type = [[\"vertical_cylinder\", 1]]",
        "goal_complexity = 0.95\ngoal_type = [[\"eradicate\", 1]]\nmore_general_pieces = 1",
        "goal_complexity = 0.95\ngoal_type = [[\"arrive\", 1]]\nboard_width = [2, 2]\nboard_height = [2, 2]",
        "hop_over_constrained = 1\nhop_comparison = [[\"=\", 1]]\nhop_before_constrained = 1\nreach = [1, 1]\n\
         hop_after_constrained = 1\nmovement_type = [[\"hopper\", 1]]",
        "movement_complexity = 0.95\ncapture_complexity = 0.9\nboard_width = [3, 3]",
        "variety = [[0, 1]]\nrow_crowding = [[0, 1]]\npromote_only_kinds = [0, 0]\nreach = [0, 0]",
        "promote_only_kinds = [24, 24]\nboard_crowding = [[0, 1]]\nany_piece = 0\nmore_general_pieces = 1",
        "capture_clobber = 0\ncapture_hop = 0\ncapture_retrieve = 0",
    ];
    for extreme in extremes {
        check(&Config::from_toml(extreme).expect("allowed"), 5);
    }
}

fn check(config: &Config, count: u64) {
    for index in 0..count {
        let game = generate(seed_of(11, index), config);
        let mut reader = GrammarReader::new(&game.text);
        reader.game();
        let rules = &game.rules;
        let names: Vec<&str> = rules.pieces.iter().map(|piece| piece.name.as_str()).collect();
        assert_eq!(reader.defined, names);
        assert!(reader.used.iter().all(|used| names.contains(&used.as_str())), "{}", game.text);
        assert!(names.iter().collect::<BTreeSet<_>>().len() == names.len());
        assert_eq!(reader.goals, rules.goals.len());
        let movements = rules.pieces.iter().flat_map(|piece| {
            let captures = piece.capturing.iter().flat_map(|capture| &capture.movements);
            piece.moving.iter().chain(captures)
        });
        let hops =
            movements.filter(|movement| matches!(movement.kind, MovementKind::Hop { .. })).count();
        assert_eq!(reader.hops, hops);
        let arrivals = rules.goals.iter().map(|goal| match goal {
            Goal::Arrive { squares, .. } => squares.len(),
            _ => 0,
        });
        let places = match &rules.setup {
            Setup::Fixed(places) => places.len(),
            Setup::Assigned { squares, .. } => squares.len(),
        };
        assert_eq!(reader.squares, places + arrivals.sum::<usize>());
    }
}

/// Reads a text and panics where it does not follow the grammar.
struct GrammarReader {
    tokens: Vec<String>,
    next: usize,
    defined: Vec<String>,
    used: BTreeSet<String>,
    goals: usize,
    hops: usize,
    squares: usize,
}

impl GrammarReader {
    fn new(text: &str) -> Self {
        let mut tokens = Vec::new();
        for line in text.lines() {
            let line = line.split('%').next().unwrap_or_default();
            assert!(line.len() <= 100 && line.trim_end() == line, "{line}");
            let mut rest = line.trim_start();
            while let Some(first) = rest.chars().next() {
                let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let length = if word(first) {
                    rest.find(|c| !word(c)).unwrap_or(rest.len())
                } else if rest.starts_with(">=") || rest.starts_with("<=") {
                    2
                } else {
                    assert!("{}[]()<>,.=".contains(first), "{line}");
                    1
                };
                tokens.push(rest[..length].to_lowercase());
                rest = rest[length..].trim_start();
            }
        }
        GrammarReader {
            tokens,
            next: 0,
            defined: Vec::new(),
            used: BTreeSet::new(),
            goals: 0,
            hops: 0,
            squares: 0,
        }
    }

    fn game(&mut self) {
        self.words("game");
        self.name();
        self.words("goals");
        while self.goal() {
            self.goals += 1;
        }
        assert!(self.goals > 0);
        self.words("board_size");
        assert!(self.number() > 0);
        self.words("by");
        assert!(self.number() > 0);
        self.words("board_type");
        self.one_of(&["planar", "vertical_cylinder"]);
        if self.skip("inversion") {
            self.one_of(&["diagonal", "forward"]);
        }
        self.words("promote_rank");
        assert!(self.number() > 0);
        self.words("setup");
        self.setup();
        if self.skip("constraints") {
            self.words("must_capture");
        }
        while self.skip("define") {
            self.piece();
        }
        self.words("end game .");
        assert_eq!(self.next, self.tokens.len());
    }

    fn goal(&mut self) -> bool {
        if self.skip("arrive") {
            self.description();
            self.words("at");
            self.square_set();
        } else if self.skip("eradicate") {
            self.description();
        } else if self.skip("stalemate") {
            self.who();
        } else {
            return false;
        }
        true
    }

    fn setup(&mut self) {
        if self.skip("decision") {
            self.one_of(&["player", "opponent", "random"]);
            self.words("assigns");
            self.names();
            self.words("to");
            self.square_set();
            self.words("end decision");
            return;
        }
        while !["constraints", "define"].contains(&self.tokens[self.next].as_str()) {
            let name = self.name();
            self.used.insert(name);
            self.words("at");
            self.square_set();
        }
    }

    fn piece(&mut self) {
        let name = self.name();
        self.defined.push(name);
        self.words("moving");
        self.movements();
        self.words("end moving capturing");
        while self.skip("capture") {
            self.words("by");
            self.set(&["retrieve", "clobber", "hop"]);
            self.words("type");
            self.description();
            self.words("effect");
            if !self.skip("remove") {
                self.who();
                self.words("possesses");
            }
            self.movements();
            self.words("end capture");
        }
        self.words("end capturing promoting");
        if self.skip("promote_to") {
            let name = self.name();
            self.used.insert(name);
        } else {
            self.words("decision");
            self.who();
            self.words("options");
            self.description();
        }
        self.words("end promoting");
        if self.skip("constraints") {
            let must = self.skip("must_capture");
            let on = self.skip("continue_captures");
            assert!(must || on);
        }
        self.words("end define");
    }

    fn movements(&mut self) {
        let mut count = 0;
        while self.skip("movement") {
            count += 1;
            if self.skip("ride") {
                assert!(!self.skip("max") || self.number() > 0);
                self.skip("longest");
            } else if !self.skip("leap") {
                self.hops += 1;
                self.words("hop");
                for place in ["before", "over", "after"] {
                    self.words(place);
                    self.words("[ x");
                    self.one_of(&["=", ">=", "<="]);
                    self.number();
                    self.words("]");
                }
                self.words("hop_over");
                self.description();
            }
            self.words("<");
            let dx = self.number();
            self.words(",");
            let dy = self.number();
            assert!(dx > 0 || dy > 0);
            self.words("> symmetry");
            if !self.skip("all_symmetry") {
                self.set(&["forward", "side", "rotation"]);
            }
            self.words("end movement");
        }
        assert!(count > 0);
    }

    fn description(&mut self) {
        self.words("[");
        if !self.skip("any_player") {
            self.words("{");
            self.who();
            self.words("}");
        }
        self.names();
        self.words("]");
    }

    fn names(&mut self) {
        if self.skip("any_piece") {
            return;
        }
        self.words("{");
        loop {
            let name = self.name();
            self.used.insert(name);
            if self.skip("}") {
                return;
            }
        }
    }

    fn square_set(&mut self) {
        self.words("{");
        loop {
            self.words("(");
            assert!(self.number() > 0);
            self.words(",");
            assert!(self.number() > 0);
            self.words(")");
            self.squares += 1;
            if self.skip("}") {
                return;
            }
        }
    }

    /// Words of a set, each at most once and in this order.
    fn set(&mut self, words: &[&str]) {
        self.words("{");
        for word in words {
            self.skip(word);
        }
        self.words("}");
    }

    fn who(&mut self) {
        self.one_of(&["player", "opponent"]);
    }

    fn one_of(&mut self, words: &[&str]) {
        assert!(words.iter().any(|word| self.skip(word)), "{:?}", &self.tokens[self.next..]);
    }

    fn words(&mut self, words: &str) {
        for word in words.split(' ') {
            assert_eq!(self.take(), word);
        }
    }

    fn name(&mut self) -> String {
        let name = self.take();
        assert!(name.starts_with(|c: char| c.is_ascii_lowercase()), "{name}");
        name
    }

    fn number(&mut self) -> u32 {
        self.take().parse().expect("a number")
    }

    fn skip(&mut self, word: &str) -> bool {
        let found = self.tokens.get(self.next).is_some_and(|token| token == word);
        self.next += usize::from(found);
        found
    }

    fn take(&mut self) -> String {
        self.next += 1;
        self.tokens[self.next - 1].clone()
    }
}
