//! A guide to a game that is known only by playing it: its board, its players and pieces, where they can go at first, and how
//! the game can end.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{
    Action, Automaton, Id as _, Modifier, Piece, PieceLook, Player, Reason, Shape, Square,
};
use regulus_engine::{Limits, Step};
use regulus_game::{Config, EngineKind, Error, Game, Match, Theme};
use regulus_lang::Source;

use crate::guide::{Cell, Guide, GuideSection, MAX_SHOWN, PieceCount, PieceGuide};
use crate::{counted, listed};

/// The most squares that a piece is said to go from.
const MAX_FROM: usize = 8;
/// The most squares that a piece is said to go to.
const MAX_TO: usize = 12;
/// The most reasons for an end that are told.
const MAX_REASONS: usize = 20;
/// The most pieces that are told about.
const MAX_PIECES: usize = 60;
/// How many moves are looked at until every player has been seen.
const MAX_TURNS: usize = 4;

/// The guide to a game.
pub(crate) fn guide(source: Source, config: &Config) -> Result<Guide, Error> {
    // A few positions are looked at once: nothing is gained by preparing for more, and little effort must do.
    let limits = Limits {
        moves: 50_000,
        stored_steps: 1 << 20,
        keeper_moves: 1 << 16,
        tries: 1 << 23,
        memory: 1 << 26,
        ..Limits::default()
    };
    let config = Config { engine: EngineKind::Walk, limits, ..config.clone() };
    let game = Game::new(source, &config)?;
    let mut guide = Guide {
        title: title(game.source().name()),
        setting: vec![players(&game), board(&game)],
        sections: vec![GuideSection::new("Ending", endings(&game))],
        ..Guide::default()
    };
    match Match::new(&game) {
        Ok(mut play) => {
            if let Some(player) = play.player() {
                let name = &game.player_look(player).name;
                guide.setting[0] += &format!(" {} begins.", capitalised(name));
            }
            if let Some(over) = play.outcome().over() {
                guide.setting.push(format!("The game is over before it begins: {over}."));
            }
            show(&mut guide, &play);
            guide.pieces = pieces(&game, |piece| {
                let squares = game.automaton().board.squares.keys();
                squares.filter(|square| play.state().piece(*square) == piece).count()
            });
            let told = first_moves(&mut guide, &mut play);
            if !told.is_empty() {
                guide.sections.insert(0, GuideSection::new("Moves", told));
            }
        }
        Err(error) => {
            guide.setting.push(format!("The game cannot be begun: {error}."));
            guide.pieces = pieces(&game, |piece| {
                let squares = game.automaton().board.squares.values();
                squares.filter(|square| square.piece == piece).count()
            });
        }
    }
    Ok(guide)
}

/// The name of a text as a title: `nine_mens_morris.rbg` is Nine Mens Morris.
fn title(name: &str) -> String {
    let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = stem.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(stem);
    let words: Vec<String> =
        stem.split('_').filter(|word| !word.is_empty()).map(capitalised).collect();
    if words.is_empty() { stem.to_owned() } else { words.join(" ") }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|c| c.to_uppercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}

fn players(game: &Game) -> String {
    let looks = &game.automaton().looks.players;
    let mut names: Vec<String> = looks.values().map(|look| capitalised(&look.name)).collect();
    let count = counted(names.len(), "player");
    if names.len() > MAX_TO {
        names.truncate(MAX_TO - 1);
        names.push("others".to_owned());
    }
    format!("{count}: {}.", listed(&names, "and"))
}

fn board(game: &Game) -> String {
    let (board, grid) = (&game.automaton().board, game.grid());
    let squares = board.squares.len();
    let (columns, rows) = (counted(grid.width(), "column"), counted(grid.height(), "row"));
    match board.shape {
        Shape::Square if grid.width() * grid.height() == squares => {
            format!("The board has {columns} and {rows}.")
        }
        Shape::Square => {
            format!("The board has {} in {columns} and {rows}.", counted(squares, "square"))
        }
        Shape::Hexagon => format!("The board has {} in {rows}.", counted(squares, "hexagon")),
        Shape::Point => {
            format!("The board has {}, joined by lines.", counted(squares, "point"))
        }
    }
}

/// Puts the position into the guide.
fn show(guide: &mut Guide, play: &Match) {
    let (game, grid) = (play.game(), play.game().grid());
    let board = &game.automaton().board;
    if grid.width() * grid.height() > MAX_SHOWN || board.squares.len() > MAX_SHOWN {
        guide.setting.push("The board is too large to be shown here.".to_owned());
        return;
    }
    guide.drawing = play.board().lines().map(str::to_owned).collect();
    guide.picture = Some(play.svg(Theme::Light));
    if board.shape != Shape::Square {
        return;
    }
    let mut rows = vec![vec![None; grid.width()]; grid.height()];
    for square in board.squares.keys() {
        let look = game.piece_look(play.state().piece(square));
        if !look.is_empty {
            let (column, row) = grid.place(square);
            let owner = look.owner.map(Player::index);
            rows[row][column] = Some(Cell { symbol: look.symbol.clone(), owner });
        }
    }
    guide.position = rows;
}

/// Pieces that people see as one: same name, symbol and owner.
fn pieces(game: &Game, count: impl Fn(Piece) -> usize) -> Vec<PieceGuide> {
    let mut found: Vec<(&PieceLook, usize)> = Vec::new();
    for (piece, look) in game.automaton().looks.pieces.iter().filter(|(_, look)| !look.is_empty) {
        match found.iter_mut().find(|(known, _)| known.name == look.name) {
            Some((_, sum)) => *sum += count(piece),
            None => found.push((look, count(piece))),
        }
    }
    found.truncate(MAX_PIECES);
    let guide = |(look, count): (&PieceLook, usize)| PieceGuide {
        symbol: look.symbol.clone(),
        name: Some(look.name.clone()),
        counts: vec![PieceCount {
            player: look.owner.map(|owner| game.player_look(owner).name.clone()),
            count,
        }],
        ..PieceGuide::default()
    };
    found.into_iter().map(guide).collect()
}

/// What a player can do in a position, by the pieces that do it.
#[derive(Default)]
struct Doings {
    /// For each name of a piece, where it can go from where.
    goes: BTreeMap<String, BTreeMap<Square, BTreeSet<Square>>>,
    /// For each name of a piece, where it can be put.
    put: BTreeMap<String, BTreeSet<Square>>,
    /// Squares that are chosen for the rules to do something there.
    chosen: BTreeSet<Square>,
    /// Whether nothing need be done.
    passes: bool,
}

/// Says of each player's pieces where they can go when that player moves for the first time.
fn first_moves(guide: &mut Guide, play: &mut Match) -> Vec<String> {
    let mut told = Vec::new();
    let writes = writes(play.game().automaton());
    let mut seen = BTreeSet::new();
    let mut before: Vec<String> = Vec::new();
    for _ in 0..MAX_TURNS {
        let Some(player) = play.player() else { break };
        let (names, doings) = match play.names().map(<[String]>::to_vec) {
            Ok(names) => (names, doings(play, &writes)),
            Err(error) => {
                told.push(format!("The moves cannot be told: {error}."));
                break;
            }
        };
        if seen.insert(player) {
            let when = match before.as_slice() {
                [] => "At first".to_owned(),
                moves => format!("After {}", moves.join(", ")),
            };
            let mover = &play.game().player_look(player).name;
            let count = counted(names.len(), "legal move");
            told.push(format!("{when} {mover} has {count}."));
            told.extend(tell(&mut guide.pieces, play, &doings, &when, player));
        }
        if seen.len() == play.game().player_count() || play.play_index(0).is_err() {
            break;
        }
        before.push(names[0].clone());
    }
    told
}

/// The piece that each modifier puts.
fn writes(automaton: &Automaton) -> BTreeMap<Modifier, Piece> {
    let put = |action: &Action| match action {
        Action::Put(piece) => Some(*piece),
        _ => None,
    };
    automaton.edges().filter_map(|(_, edge)| Some((edge.modifier?, put(&edge.action)?))).collect()
}

fn doings(play: &Match, writes: &BTreeMap<Modifier, Piece>) -> Doings {
    let mut doings = Doings::default();
    let (Ok(moves), Ok(names)) = (play.moves(), play.names()) else { return doings };
    let look = |piece: Piece| play.game().piece_look(piece);
    for (steps, name) in moves.iter().zip(names) {
        // What is put where; empty squares are not things.
        let puts = |step: &Step| {
            let piece = *writes.get(&step.modifier)?;
            (!look(piece).is_empty).then_some((look(piece), step.square))
        };
        let put: Vec<(&PieceLook, Square)> = steps.iter().filter_map(puts).collect();
        let Some(first) = steps.first() else { continue };
        let mover = look(play.state().piece(first.square));
        if name == "pass" {
            doings.passes = true;
        } else if steps.len() == 1 && put.is_empty() {
            doings.chosen.insert(first.square);
        } else if mover.is_empty {
            if let Some((piece, square)) = put.last() {
                doings.put.entry(piece.name.clone()).or_default().insert(*square);
            }
        } else {
            // What follows the piece itself, such as an arrow, is not where it goes.
            let own = put.iter().rev().find(|(piece, _)| piece.name == mover.name);
            let last = steps.last().map_or(first.square, |step| step.square);
            let to = own.or(put.last()).map_or(last, |(_, square)| *square);
            let from = doings.goes.entry(mover.name.clone()).or_default();
            from.entry(first.square).or_default().insert(to);
        }
    }
    doings
}

/// Adds what a player can do to the guides of the pieces, and gives what no piece does.
fn tell(
    pieces: &mut [PieceGuide],
    play: &Match,
    doings: &Doings,
    when: &str,
    player: Player,
) -> Vec<String> {
    let notation = play.game().notation();
    let names = |squares: &BTreeSet<Square>| {
        let mut names: Vec<String> =
            squares.iter().map(|square| notation.square(*square).to_owned()).collect();
        names.sort_by_key(|name| natural(name));
        names
    };
    for piece in pieces {
        let Some(name) = piece.name.clone() else { continue };
        if let Some(from) = doings.goes.get(&name) {
            let mut ways: Vec<(String, String)> = from
                .iter()
                .map(|(square, to)| (notation.square(*square).to_owned(), some_of(&names(to))))
                .collect();
            ways.sort_by_key(|(from, _)| natural(from));
            let left = ways.len().saturating_sub(MAX_FROM);
            ways.truncate(MAX_FROM);
            let mut ways: Vec<String> =
                ways.into_iter().map(|(from, to)| format!("from {from} to {to}")).collect();
            if left > 0 {
                ways.push(format!("and from {}", counted(left, "other square")));
            }
            piece.sentences.push(format!("{when} it can go {}.", ways.join("; ")));
        }
        if let Some(squares) = doings.put.get(&name) {
            let squares = some_of(&names(squares));
            piece.sentences.push(format!("{when} it can be put on {squares}."));
        }
        let is_own = play
            .game()
            .automaton()
            .looks
            .pieces
            .values()
            .any(|look| look.name == name && look.owner == Some(player));
        let stands = piece.counts.iter().any(|count| count.count > 0);
        if piece.sentences.is_empty() && is_own && stands && !doings.goes.is_empty() {
            piece.sentences.push(format!("{when} it cannot move."));
        }
    }
    let mover = &play.game().player_look(player).name;
    let mut told = Vec::new();
    if !doings.chosen.is_empty() {
        let squares = some_of(&names(&doings.chosen));
        told.push(format!("{when} {mover} can choose {squares}."));
    }
    if doings.passes {
        told.push(format!("{when} {mover} can pass."));
    }
    told
}

/// All names, or how many there are and a few of them.
fn some_of(names: &[String]) -> String {
    if names.len() <= MAX_TO {
        return listed(names, "or");
    }
    format!("{} squares, such as {}", names.len(), listed(&names[..3], "or"))
}

/// An order of names in which a10 follows a9.
fn natural(name: &str) -> (String, usize, String) {
    let column: String = name.chars().take_while(|c| c.is_alphabetic()).collect();
    (column, name.len(), name.to_owned())
}

/// How the game can end, as far as its text says.
fn endings(game: &Game) -> Vec<String> {
    let automaton = game.automaton();
    let reasons: BTreeSet<&Reason> = automaton.endings.at.values().collect();
    let plain = |text: &str| {
        text.replace("{winner}", "the winner")
            .replace("{loser}", "the loser")
            .replace("{stuck}", "the player to move")
    };
    let mut sentences: Vec<String> = Vec::new();
    for reason in reasons.iter().take(MAX_REASONS) {
        sentences.push(format!("The game is over: {}.", plain(&reason.text)));
        let drawn = reason.drawn.iter();
        sentences.extend(drawn.map(|drawn| format!("The game is drawn: {}.", plain(drawn))));
    }
    if reasons.len() > MAX_REASONS {
        let left = counted(reasons.len() - MAX_REASONS, "other reason");
        sentences.push(format!("There are {left} to end it."));
    }
    sentences.push(match &automaton.endings.stuck {
        Some(Reason { text, drawn }) => {
            let or = drawn.iter().map(|drawn| format!(", or {}", plain(drawn)));
            let or: String = or.collect();
            format!("No legal move is left: {}{or}.", plain(text))
        }
        None => "The game is over when the player to move has no legal move.".to_owned(),
    });
    if let Some(repetition) = &automaton.repetition {
        sentences.push(format!(
            "The game is over when a position has occurred {} times.",
            repetition.times
        ));
    }
    if reasons.is_empty() && automaton.endings.stuck.is_none() {
        sentences.push("What else ends it, its text does not say in words.".to_owned());
    }
    sentences.dedup();
    sentences
}
