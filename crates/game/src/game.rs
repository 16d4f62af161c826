//! A game ready to be played.

use std::io::Read;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use regulus_automaton::{Automaton, Piece, PieceLook, Player, PlayerLook};
use regulus_engine::{Fault, History, Notation, Rules as _, State, Walk, walk};
use regulus_jit::Engine;
use regulus_lang::metagame::Deeds;
use regulus_lang::{Diagnostic, Source};

use crate::actions::Actions;
use crate::codes::Codes;
use crate::config::Config;
use crate::error::Error;
use crate::grid::Grid;
use crate::lowered::{Lowered, Size};
use crate::picture::{self, Theme};
use crate::planes::{self, PlaneShape};
use crate::read;

/// A game ready to be played, with everything that is known about it. Immutable; any number of plays ([`crate::Match`]) and
/// threads share one.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game};
/// use regulus_lang::Source;
///
/// let text = "
///     #players = one(1)
///     #pieces = e, x
///     #variables =
///     #board = rectangle(up, down, left, right, [e, e])
///     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let game = Game::new(Source::new("solo.rbg", text), &Config::default())?;
/// assert_eq!(game.player_count(), 1);
/// assert_eq!(game.result_range(regulus_automaton::Player(0)), 0..=1);
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Debug)]
pub struct Game {
    source: Source,
    rules: Engine,
    notation: Notation,
    actions: Actions,
    grid: Grid,
    codes: Codes,
    first_size: Size,
    warnings: Vec<Diagnostic>,
    /// How the language writes moves, if it says so.
    deeds: Option<Deeds>,
    /// Made when it is first asked for.
    fingerprint: OnceLock<u64>,
    /// Finds the steps of moves one by one; made when it is first asked for.
    walk: OnceLock<Walk>,
    /// Memory for that, to be used again: there may be much of it.
    spare: Mutex<Vec<walk::Scratch>>,
}

/// How many memories are kept to be used again.
const MAX_SPARE: usize = 4;

impl Game {
    /// Loads a file, or a bundled game of this name.
    ///
    /// # Errors
    ///
    /// If there is neither, if it cannot be read, or if its text has errors.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game};
    ///
    /// let game = Game::load("breakthrough", &Config::default())?;
    /// assert_eq!(game.player_count(), 2);
    /// let error = Game::load("brakethrough", &Config::default()).expect_err("no such game");
    /// assert!(error.to_string().contains("breakthrough"));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn load(name: &str, config: &Config) -> Result<Arc<Game>, Error> {
        Game::new(Game::read(name)?, config)
    }

    /// Makes a text in any of the languages ready to be played. The extension of its name tells the language.
    ///
    /// # Errors
    ///
    /// The findings, if there are errors among them.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game};
    /// use regulus_lang::Source;
    ///
    /// let source = Source::new("broken.rbg", "#players = white(0)");
    /// let error = Game::new(source, &Config::default()).expect_err("a bound of 0");
    /// assert_eq!(error.id(), "bad-game");
    /// assert!(!error.diagnostics().is_empty());
    /// ```
    pub fn new(source: Source, config: &Config) -> Result<Arc<Game>, Error> {
        let lowered = Lowered::new(source)?.optimised(config)?;
        Ok(Arc::new(Game::from_lowered(lowered, config)))
    }

    /// The text of a file, or of a bundled game of this name.
    ///
    /// # Errors
    ///
    /// If there is neither, or if it cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::Game;
    ///
    /// let source = Game::read("chess")?;
    /// assert_eq!(source.name(), "chess.rbg");
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn read(name: &str) -> Result<Source, Error> {
        read::by_name(name)
    }

    /// The text that a reader gives, such as standard input. `name` is its name in the findings, where the extension tells
    /// the language; `title` is what errors of reading call it.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::Game;
    ///
    /// let text = "#players = one(1)";
    /// let source = Game::read_from("solo.rbg", "standard input", text.as_bytes())?;
    /// assert_eq!((source.name(), source.text()), ("solo.rbg", text));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn read_from(name: &str, title: &str, reader: impl Read) -> Result<Source, Error> {
        read::from_reader(name, title, reader)
    }

    pub(crate) fn from_lowered(lowered: Lowered, config: &Config) -> Game {
        let Lowered { source, automaton, actions, first_size, warnings, deeds } = lowered;
        let notation = Notation::new(&automaton);
        let (grid, codes) = (Grid::new(&automaton.board), Codes::new(&automaton));
        let rules = Engine::new(automaton, &config.engine());
        let (fingerprint, walk, spare) = (OnceLock::new(), OnceLock::new(), Mutex::default());
        Game {
            source,
            rules,
            notation,
            actions,
            grid,
            codes,
            first_size,
            warnings,
            deeds,
            fingerprint,
            walk,
            spare,
        }
    }

    /// The text.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The engine, for searches that need every nanosecond.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_engine::Rules as _;
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let game = Game::load("breakthrough", &Config::default())?;
    /// let (rules, play) = (game.rules(), Match::new(&game)?);
    /// let moves = rules.move_count(play.state(), &mut rules.scratch());
    /// assert_eq!(moves, Ok(22));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn rules(&self) -> &Engine {
        &self.rules
    }

    /// Returns the pieces that a player holds beside the board in a state, with their numbers; those of which there are
    /// none are left out.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_automaton::Player;
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let game = Game::load("animal_shogi", &Config::default())?;
    /// let play = Match::new(&game)?;
    /// assert!(game.hand(play.state(), Player(0)).is_empty()); // nothing is captured yet
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn hand(&self, state: &State, player: Player) -> Vec<(Piece, i32)> {
        let looks = &self.automaton().looks;
        let own = looks.hands.iter().filter(|hand| looks.pieces[hand.piece].owner == Some(player));
        let held = own.map(|hand| (hand.piece, self.rules.variable(state, hand.variable)));
        held.filter(|(_, count)| *count > 0).collect()
    }

    /// The automaton that is run.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        self.rules.automaton()
    }

    /// A number for the automaton, the same for games that are alike, to keep what was found out about a game.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game};
    ///
    /// let number = |name| Game::load(name, &Config::default()).map(|game| game.fingerprint());
    /// assert_eq!(number("hex")?, number("hex")?);
    /// assert_ne!(number("hex")?, number("chess")?);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| {
            // FNV-1a of its text.
            let mut sum = 0xcbf2_9ce4_8422_2325_u64;
            for byte in self.automaton().to_string().bytes() {
                sum = (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
            sum
        })
    }

    /// How squares and moves are written.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game};
    ///
    /// let game = Game::load("tic_tac_toe", &Config::default())?;
    /// let names: Vec<&str> =
    ///     game.automaton().board.squares.keys().map(|square| game.notation().square(square)).collect();
    /// assert_eq!(names[..3], ["a3", "b3", "c3"]);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn notation(&self) -> &Notation {
        &self.notation
    }

    /// The numbers of the choices in moves.
    #[must_use]
    pub fn actions(&self) -> &Actions {
        &self.actions
    }

    /// The squares in rows and columns.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What planes of numbers a position is for a network.
    #[must_use]
    pub fn plane_shape(&self) -> PlaneShape {
        PlaneShape::of(self)
    }

    /// Writes a position as planes of numbers ([`Game::plane_shape`]), as [`crate::Match::planes`] does, with `player` as the one in
    /// control. For searches, which have states and histories of their own, and for positions where the game is over.
    ///
    /// # Panics
    ///
    /// When the memory has not exactly the length of the shape.
    pub fn write_planes(
        &self,
        state: &State,
        history: &History,
        player: Player,
        planes: &mut [f32],
    ) {
        planes::write(self, state, history, Some(player), planes);
    }

    /// The findings about the text that are not errors.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// How large the automaton was before any pass.
    #[must_use]
    pub fn size_as_lowered(&self) -> Size {
        self.first_size
    }

    /// How large the automaton is.
    #[must_use]
    pub fn size(&self) -> Size {
        Size::of(self.automaton())
    }

    /// How many players there are.
    #[must_use]
    pub fn player_count(&self) -> usize {
        self.automaton().players.len()
    }

    /// The player with this name in the text; `None` if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_automaton::Player;
    /// use regulus_game::{Config, Game};
    ///
    /// let game = Game::load("breakthrough", &Config::default())?;
    /// assert_eq!(game.player("black"), Some(Player(1)));
    /// assert_eq!(game.player("red"), None);
    /// assert_eq!(game.player_look(Player(1)).name, "black");
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn player(&self, name: &str) -> Option<Player> {
        let mut players = self.automaton().players.iter();
        players.find(|(_, player)| *player == name).map(|(player, _)| player)
    }

    /// What people are told about a player.
    #[must_use]
    pub fn player_look(&self, player: Player) -> &PlayerLook {
        &self.automaton().looks.players[player]
    }

    /// What people are told about a piece.
    #[must_use]
    pub fn piece_look(&self, piece: Piece) -> &PieceLook {
        &self.automaton().looks.pieces[piece]
    }

    /// The scores that a player can end with.
    #[must_use]
    pub fn result_range(&self, player: Player) -> std::ops::RangeInclusive<i32> {
        0..=self.automaton().variables[player.score()].bound
    }

    /// A player's result in a state in which the game is over, from 0 to 1: the score as a part of the highest score that the
    /// player can reach. For searches; in other states the score means nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_automaton::Player;
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let game = Game::load("breakthrough", &Config::default())?;
    /// let mut play = Match::new(&game)?;
    /// let mut generator = regulus_engine::generator(1);
    /// while play.play_random(&mut generator)? {}
    /// let results = [0, 1].map(|player| game.result(play.state(), Player(player)));
    /// assert_eq!(results.iter().sum::<f64>(), 1.0); // one wins, one loses
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn result(&self, state: &State, player: Player) -> f64 {
        let bound = *self.result_range(player).end();
        let score = self.rules.score(state, player);
        if bound == 0 { 0.0 } else { f64::from(score) / f64::from(bound) }
    }

    /// The board without pieces and with a disc on each square that has a number, as an SVG document: red above 0 and blue below, the
    /// stronger the further from it.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Theme};
    ///
    /// let game = Game::load("tic_tac_toe", &Config::default())?;
    /// let heat: Vec<Option<f64>> = (0..9).map(|square| (square != 4).then_some(0.5)).collect();
    /// assert_eq!(game.heat_svg(&heat, Theme::Light).matches("fill-opacity").count(), 8);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn heat_svg(&self, heat: &[Option<f64>], theme: Theme) -> String {
        picture::heat(self, heat, theme)
    }

    /// Whether positions that come again end the game, so that plays keep a history.
    #[must_use]
    pub fn keeps_history(&self) -> bool {
        self.automaton().repetition.is_some()
    }

    /// Whether chance arranges pieces before a play begins; [`crate::Match::seeded`] draws from a seed.
    #[must_use]
    pub fn has_chance(&self) -> bool {
        !self.automaton().shuffle.is_empty()
    }

    /// How the language writes moves; `None` if it has no notation of its own.
    pub(crate) fn deeds(&self) -> Option<&Deeds> {
        self.deeds.as_ref()
    }

    /// The letters that stand for pieces in positions written as text.
    pub(crate) fn codes(&self) -> &Codes {
        &self.codes
    }

    /// What finds the steps of moves one by one.
    pub(crate) fn walk(&self) -> &Walk {
        self.walk.get_or_init(|| {
            let automaton = Arc::clone(&self.rules.referee().automaton);
            Walk::with_limits(automaton, self.rules.limits())
        })
    }

    /// Memory for [`Game::walk`], to be given back.
    pub(crate) fn take_scratch(&self) -> walk::Scratch {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.unwrap_or_else(|| self.walk().scratch())
    }

    /// Takes memory back that is not needed any more.
    pub(crate) fn give_back(&self, scratch: walk::Scratch) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < MAX_SPARE {
            spare.push(scratch);
        }
    }

    /// Turns a fault of the rules into an error with its place in the text.
    #[must_use]
    pub fn blame(&self, fault: &Fault) -> Error {
        Error::fault(fault, &self.source)
    }
}
