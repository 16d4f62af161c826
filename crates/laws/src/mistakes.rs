//! Texts that are nearly games: mistakes as people make them, and some that only fuzzers make.

use crate::automata::automaton;
use crate::choices::Choices;
use crate::games::{abg_game, game, metagame_game, sbg_game};

/// What is put into a text: tokens, beginnings of tokens, and what belongs to none.
const SCRAPS: &str = "( ) { } [ ] {? {! {$ [$ -> ->> * ^ ^0 ^2 ^99999999 + - / = == != < >= # #rules #players= \
    #x(a;b)=a~b ~ . , ; : // /* */ \n \r\n \0 _ \" é ∀ \u{feff} \u{1b}[31m 4294967296 2147483648 0 007 rectangle( \
    hexagon(up,down,left,right,a,b, [,] [] {} () piece( any any( p~ p9 m0(;) red ->red red(0) x up p0";

/// The same for the text form of automata.
const AUTOMATON_SCRAPS: &str = "players variables pieces registers directions board tables patterns rules point \
    hexagon each everywhere: skip on at compare check not shift walk recall jump put held assign save turn keeper n0 \
    n1: n99 -> # #0 #4294967295 @0..1 @ t0 t9 k0 k9 s0 p0 ?0 ?7 ? { } ( ) , : = + - * / == < >= -1 -2147483648 \
    2147483648 99999999999 count( column(cursor) \"p0\" \" \\ \"\\u{7f}\" // \n \r\n \0 é \u{feff} cursor";

/// The same for games in Simplified Boardgames.
const SBG_SCRAPS: &str = "( ) (0,0,w) (1,1,e) ^ ^* ^0 ^2 ^99999999 * + & && | || |.| |Aa| . , - -1 # @ #P @p 0 0 #P0 \
    << >> <BOARD> <PIECES> <GOALS> < > 007 4294967296 18446744073709551616 e p w E ~ // /* */ \n \r\n \0 _ \" é ∀ \
    \u{feff} \u{1b}[31m";

/// The same for games in Abstract Boardgames.
const ABG_SCRAPS: &str = "players pieces variable function effect macro victory draw outcome rule post board_size board \
    return from empty Move Empty Opponent True stuck current this.x from.y v0 v9 e0 m0( f0() count( pa.regex white \
    white.score Board[ ][ [1, [0,0,True] { } ( ) ; , | * + ? : = == != // % -1 0 2147483648 99999999999999999999 \
    # \n \r\n \0 _ \" é ∀ \u{feff} \u{1b}[31m";

/// The same for games in METAGAME.
const METAGAME_SCRAPS: &str = "game goals arrive eradicate stalemate board_size by planar vertical_cylinder inversion forward \
    promote_rank setup decision random assigns to at end constraints must_capture continue_captures define moving capturing \
    promoting movement leap ride min max longest hop before over after hop_over symmetry all_symmetry side rotation capture \
    retrieve clobber type effect remove player opponent possesses displaces promote_to options any_player any_piece acorn \
    { } [ ] ( ) < > , . ; = / -> >= <= [X [X>=0] {(1,1)} (0,0) (9,9) <0,0> <0,1> 0 1 1000000 1000001 99999999999 % : \
    \n \r\n \0 _ \" é ∀ \u{feff} \u{1b}[31m";

/// The text of a game made from these bytes, with a few changes that are likely to make it a bad one.
#[must_use]
pub fn nearly_a_game(bytes: &[u8]) -> String {
    changed(bytes, game, SCRAPS)
}

/// The text of an automaton made from these bytes, with a few changes that are likely to make it a bad one.
#[must_use]
pub fn nearly_an_automaton(bytes: &[u8]) -> String {
    changed(bytes, automaton, AUTOMATON_SCRAPS)
}

/// The text of a game in Simplified Boardgames made from these bytes, with a few changes that are likely to make it a bad
/// one.
#[must_use]
pub fn nearly_an_sbg_game(bytes: &[u8]) -> String {
    changed(bytes, sbg_game, SBG_SCRAPS)
}

/// The text of a game in Abstract Boardgames made from these bytes, with a few changes that are likely to make it a bad
/// one.
#[must_use]
pub fn nearly_an_abg_game(bytes: &[u8]) -> String {
    changed(bytes, abg_game, ABG_SCRAPS)
}

/// The text of a game in METAGAME made from these bytes, with a few changes that are likely to make it a bad one.
#[must_use]
pub fn nearly_a_metagame_game(bytes: &[u8]) -> String {
    changed(bytes, metagame_game, METAGAME_SCRAPS)
}

fn changed(bytes: &[u8], generate: fn(&[u8]) -> String, scraps: &'static str) -> String {
    let (changes, bytes) = bytes.split_at(bytes.len().min(16));
    let choices = &mut Choices::new(changes);
    let scraps: Vec<&str> = scraps.split(' ').collect();
    let mut text = generate(bytes);
    for _ in 0..choices.between(1, 3) {
        change(choices, &mut text, &scraps);
    }
    text
}

fn change(choices: &mut Choices<'_>, text: &mut String, scraps: &[&str]) {
    let start = place(choices, text);
    let length = *choices.pick(&[1, 2, 5, 20, 100]);
    let end = boundary(text, start + choices.below(length));
    let scrap = scraps[choices.below(scraps.len())];
    match choices.below(4) {
        0 => text.insert_str(start, scrap),
        1 => text.replace_range(start..end, ""),
        2 => text.replace_range(start..end, scrap),
        _ => {
            let copy = text[start..end].to_owned();
            text.insert_str(place(choices, text), &copy);
        }
    }
}

fn place(choices: &mut Choices<'_>, text: &str) -> usize {
    boundary(text, choices.place(text.len()))
}

/// The last place between two characters up to here.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
