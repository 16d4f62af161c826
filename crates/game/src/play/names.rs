//! The names of moves in a play: short, exact, and as the language of the game writes them.

use regulus_engine::notation::{exact, parse_exact};
use regulus_engine::{MoveList, Rules as _, Step};
use regulus_lang::metagame::{self, Side};
use regulus_lang::nearest;

use super::{LISTED_AT_ONCE, Match};
use crate::error::Error;

impl Match {
    /// The names of the legal moves, in the order of [`Match::moves`]; each is unique.
    ///
    /// # Errors
    ///
    /// As for [`Match::moves`].
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let play = Match::new(&Game::load("tic_tac_toe", &Config::default())?)?;
    /// assert!(play.names()?.contains(&"b2".to_owned()));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn names(&self) -> Result<&[String], Error> {
        let moves = self.moves()?;
        if let Some(names) = self.names.get() {
            return Ok(names);
        }
        let mut names = self.game.notation().name_moves(moves);
        // Where squares do not tell moves apart, the language of the game may have words for them.
        for (index, name) in names.iter_mut().enumerate().filter(|(_, name)| name.starts_with('('))
        {
            if let Some(spelling) = self.spelling(index)? {
                *name = spelling;
            }
        }
        Ok(self.names.get_or_init(|| names))
    }

    /// A legal move as the language of the game writes it; `None` if the language has no notation of its own.
    ///
    /// # Errors
    ///
    /// If the moves cannot be found.
    ///
    /// # Panics
    ///
    /// If there is no move of this number.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let play = Match::new(&Game::load("american_checkers", &Config::default())?)?;
    /// assert_eq!(play.names()?[0], "a3-b4");
    /// assert_eq!(play.spelling(0)?.as_deref(), Some("white man (1,3) -> (2,4)."));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn spelling(&self, index: usize) -> Result<Option<String>, Error> {
        let moves = self.moves()?;
        let (Some(deeds), Some(player)) = (self.game.deeds(), self.player()) else {
            return Ok(None);
        };
        let side = if player.0 == 0 { Side::White } else { Side::Black };
        let steps = moves.get(index).iter().map(|step| (step.modifier, step.square));
        Ok(Some(deeds.spell(side, |square| self.state.piece(square), steps)))
    }

    /// Whether the moves are few enough to be named. [`Match::names`] works in any case, but may take long.
    ///
    /// # Errors
    ///
    /// When the rules fault.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let game = Game::load("chess", &Config::default())?;
    /// assert!(Match::new(&game)?.is_named()?);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn is_named(&self) -> Result<bool, Error> {
        if self.moves.get().is_some() {
            return Ok(true);
        }
        if let Some(is_named) = self.is_named.get() {
            return Ok(*is_named);
        }
        let (rules, mut list) = (self.game.rules(), MoveList::new());
        let scratch = &mut self.scratch.borrow_mut();
        let listed = rules.moves_up_to(&self.state, scratch, LISTED_AT_ONCE, &mut list);
        let is_named = listed.map_err(|fault| self.game.blame(&fault))?;
        Ok(*self.is_named.get_or_init(|| is_named))
    }

    /// A legal move as it is written in records: as the language of the game writes it, else by its short name, or exactly
    /// where there are too many moves to name.
    ///
    /// # Errors
    ///
    /// If the steps are not a legal move.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let play = Match::new(&Game::load("breakthrough", &Config::default())?)?;
    /// let steps = play.moves()?.get(0);
    /// assert_eq!(play.written(steps)?, play.names()?[0]);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn written(&self, steps: &[Step]) -> Result<String, Error> {
        if !self.is_named()? {
            return Ok(exact(steps));
        }
        let moves = self.moves()?;
        let index = moves.find(steps);
        let index = index.ok_or_else(|| Error::bad_input("these steps are not a legal move"))?;
        match self.spelling(index)? {
            Some(spelling) => Ok(spelling),
            None => Ok(self.names()?[index].clone()),
        }
    }

    /// The number of the legal move with this name: short, exact or as the language of the game writes it.
    ///
    /// # Errors
    ///
    /// When there is none; the message says which moves are like it.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let play = Match::new(&Game::load("chess", &Config::default())?)?;
    /// let index = play.find("e2-e4")?;
    /// assert_eq!(play.names()?[index], "e2-e4");
    /// let error = play.find("e2-e5").expect_err("two squares at most");
    /// assert!(error.to_string().starts_with("`e2-e5` is not a legal move"));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn find(&self, name: &str) -> Result<usize, Error> {
        let wanted = name.trim();
        if let Some(index) = self.find_exactly(wanted)? {
            return Ok(index);
        }
        let (moves, names) = (self.moves()?, self.names()?);
        if self.is_spelled(wanted) {
            return self.find_spelled(wanted);
        }
        let begins: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| name.starts_with(wanted)).collect();
        let advice = match begins.as_slice() {
            _ if moves.is_empty() => "the game is over".to_owned(),
            [] => match nearest(wanted, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.len() == 1 => format!("the only legal move is `{}`", names[0]),
                None => format!("there are {} legal moves, such as `{}`", names.len(), names[0]),
            },
            names => {
                let more = if names.len() > 8 { ", …" } else { "" };
                let some = names[..names.len().min(8)].join(", ");
                format!("legal moves that begin so: {some}{more}")
            }
        };
        Err(Error::bad_input(format!("`{wanted}` is not a legal move; {advice}")))
    }

    /// The number of the legal move with exactly this name: short, exact or as the language of the game writes it.
    pub(super) fn find_exactly(&self, wanted: &str) -> Result<Option<usize>, Error> {
        let (moves, names) = (self.moves()?, self.names()?);
        if let Some(index) = names.iter().position(|name| name == wanted) {
            return Ok(Some(index));
        }
        let exact = parse_exact(wanted.trim_matches(['(', ')']));
        if let Some(index) = exact.and_then(|exact| moves.find(&exact.0)) {
            return Ok(Some(index));
        }
        Ok(if self.is_spelled(wanted) { self.find_spelled(wanted).ok() } else { None })
    }

    /// Whether a text may be a move as the language of the game writes it.
    fn is_spelled(&self, text: &str) -> bool {
        self.game.deeds().is_some() && (text.contains("->") || text.contains(';'))
    }

    /// The number of the legal move that the language of the game writes so.
    fn find_spelled(&self, text: &str) -> Result<usize, Error> {
        let wanted = metagame::canonical(text)
            .map_err(|reason| Error::bad_input(format!("`{text}` is not a move: {reason}")))?;
        let mut like: Option<(usize, String)> = None;
        let count = self.moves()?.len();
        for index in 0..count {
            let Some(spelled) = self.spelling(index)? else { continue };
            if spelled == wanted {
                return Ok(index);
            }
            // What has most in common from the beginning.
            let common = wanted.bytes().zip(spelled.bytes()).take_while(|(a, b)| a == b).count();
            if like.as_ref().is_none_or(|(most, _)| common > *most) {
                like = Some((common, spelled));
            }
        }
        let advice = match like {
            None => "the game is over".to_owned(),
            Some((_, like)) if count == 1 => format!("the only legal move is `{like}`"),
            Some((_, like)) => {
                format!("there are {count} legal moves; the most like it is `{like}`")
            }
        };
        Err(Error::bad_input(format!("`{wanted}` is not legal; {advice}")))
    }

    /// The names of the moves made so far.
    ///
    /// # Errors
    ///
    /// When the rules fault.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let mut play = Match::new(&Game::load("chess", &Config::default())?)?;
    /// play.play_named("e2-e4")?;
    /// play.play_named("e7-e5")?;
    /// assert_eq!(play.line_names()?, ["e2-e4", "e7-e5"]);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn line_names(&self) -> Result<Vec<String>, Error> {
        let mut play = Match::from_state(&self.game, self.first.clone())?;
        let mut names = Vec::with_capacity(self.line.len());
        for ply in &self.line {
            let name =
                play.moves()?.find(&ply.steps.0).and_then(|at| play.names().ok()?.get(at).cloned());
            names.extend(name);
            play.advance(ply.steps.clone())?;
        }
        Ok(names)
    }
}
