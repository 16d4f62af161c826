//! The functions of [`crate::api`] for compiled games: thin calls of [`Rules`], so any engine will do.

use regulus_automaton::Id as _;
use regulus_engine::{Fault, MoveList, Rules, State, Step, UndoStack};

/// A compiled game that is being played.
///
/// # Examples
///
/// ```
/// use regulus_abg::Compiled;
/// use regulus_engine::Walk;
/// use regulus_lang::{Source, compile};
///
/// let text = "players = white; pieces = empty, pawn(white); rule pawn = [1, 0, Empty]; board_size = 2, 1; board = pawn, empty;";
/// let automaton = compile(&Source::new("walk.abg", text)).automaton.expect("no errors");
/// let mut game = Compiled::new(Walk::new(automaton))?;
/// let moves = game.generate_moves()?;
/// game.execute_move(&moves[0])?;
/// assert!(game.game_over()? && game.undo_move() && !game.game_over()?);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Debug)]
pub struct Compiled<R: Rules> {
    rules: R,
    scratch: R::Scratch,
    initial: State,
    state: State,
    before: UndoStack,
}

impl<R: Rules> Compiled<R> {
    /// A game in its initial state.
    ///
    /// # Errors
    ///
    /// When the keeper does not come to an end.
    pub fn new(rules: R) -> Result<Compiled<R>, Fault> {
        let mut scratch = rules.scratch();
        let initial = rules.initial(&mut scratch)?;
        let state = initial.clone();
        Ok(Compiled { rules, scratch, initial, state, before: UndoStack::new() })
    }

    /// The rules that are played by.
    #[must_use]
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The legal moves in the current state; none when the game is over.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn generate_moves(&mut self) -> Result<Vec<Vec<Step>>, Fault> {
        let mut moves = MoveList::new();
        if self.rules.player(&self.state).is_some() {
            self.rules.moves(&self.state, &mut self.scratch, &mut moves)?;
        }
        Ok(moves.iter().map(<[Step]>::to_vec).collect())
    }

    /// Plays a legal move.
    ///
    /// # Errors
    ///
    /// When it is not legal or a limit is reached; the state is then as it was.
    pub fn execute_move(&mut self, steps: &[Step]) -> Result<(), Fault> {
        self.before.save(&self.state);
        let mut history = self.rules.history(&self.state);
        let played = self.rules.play(&mut self.state, &mut history, steps, &mut self.scratch);
        if played.is_err() {
            self.before.undo(&mut self.state);
        }
        played
    }

    /// Takes back the last move; says whether there was one.
    pub fn undo_move(&mut self) -> bool {
        self.before.undo(&mut self.state)
    }

    /// Whether the game is over.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn game_over(&mut self) -> Result<bool, Fault> {
        self.rules.is_over(&self.state, &mut self.scratch)
    }

    /// The current state as planes of rows of numbers, the highest row first: for each piece a plane with 1 where it
    /// stands, then a plane with the number of the player to move everywhere. Squares that the board lacks hold 0.
    #[must_use]
    pub fn get_environment_representation(&self) -> Vec<Vec<Vec<u8>>> {
        let automaton = self.rules.automaton();
        let squares = &automaton.board.squares;
        let (left, top) = squares
            .values()
            .fold((i32::MAX, i32::MAX), |(x, y), square| (x.min(square.x), y.min(square.y)));
        let place = |x: i32, y: i32| (x.abs_diff(left) as usize, y.abs_diff(top) as usize);
        let (width, height) = squares.values().fold((0, 0), |(width, height), square| {
            let (x, y) = place(square.x, square.y);
            (width.max(x + 1), height.max(y + 1))
        });
        let plane = |value: u8| vec![vec![value; width]; height];
        let mut planes = vec![plane(0); automaton.pieces.len()];
        for (square, info) in squares.iter() {
            let (x, y) = place(info.x, info.y);
            planes[self.state.piece(square).index()][y][x] = 1;
        }
        let player = self.rules.player(&self.state).map_or(0, |player| player.index());
        planes.push(plane(u8::try_from(player).unwrap_or(u8::MAX)));
        planes
    }

    /// The name of the player who makes the first move, if there is one.
    #[must_use]
    pub fn get_first_player(&self) -> Option<&str> {
        self.name_of(&self.initial)
    }

    /// The name of the player who is to make the next move, if there is one.
    #[must_use]
    pub fn get_current_player(&self) -> Option<&str> {
        self.name_of(&self.state)
    }

    fn name_of(&self, state: &State) -> Option<&str> {
        let player = self.rules.player(state)?;
        Some(&self.rules.automaton().players[player])
    }

    /// The score of the player called `white`, or of the first when nobody is called so; it means something when the game is
    /// over.
    #[must_use]
    pub fn get_white_score(&self) -> i32 {
        let players = &self.rules.automaton().players;
        let white = players.iter().find(|(_, name)| *name == "white").map(|(player, _)| player);
        let player = white.or_else(|| players.keys().next());
        player.map_or(0, |player| self.rules.score(&self.state, player))
    }

    /// Goes back to the initial state.
    pub fn reset(&mut self) {
        self.state = self.initial.clone();
        self.before = UndoStack::new();
    }
}
