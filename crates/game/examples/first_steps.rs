//! How long it takes to find the first steps of moves, and to list all moves, of a few positions of a game.
//!
//! `first_steps GAME [PLIES]` prints both for the first position and after each of some random moves.

#![expect(clippy::print_stdout, reason = "the figures are for the person who runs this")]

use std::time::Instant;

use regulus_engine::{MoveList, Rules as _, generator};
use regulus_game::{Building, Config, Game, Match};

fn main() -> Result<(), regulus_game::Error> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let name = args.first().map_or("arimaa", String::as_str);
    let plies = args.get(1).and_then(|plies| plies.parse().ok()).unwrap_or(4);
    let game = Game::load(name, &Config::default())?;
    game.rules().wait();
    let mut play = Match::new(&game)?;
    // What is prepared when it is first used is not measured.
    Building::new(&play)?;
    let mut random = generator(1);
    for ply in 0..=plies {
        let started = Instant::now();
        let building = Building::new(&play)?;
        let first = started.elapsed();
        let (mut list, rules) = (MoveList::new(), game.rules());
        let started = Instant::now();
        let listed = rules.moves(play.state(), &mut rules.scratch(), &mut list);
        let all = started.elapsed();
        listed.map_err(|fault| game.blame(&fault))?;
        println!(
            "ply {ply}: {} first choices in {first:?}, {} moves in {all:?}: {:.3} %",
            building.choices().len(),
            list.len(),
            100.0 * first.as_secs_f64() / all.as_secs_f64().max(1e-9),
        );
        // A move that is put together at random, so that no list is needed.
        let mut building = Building::new(&play)?;
        while let [_, ..] = building.choices() {
            use rand::RngExt as _;
            let choice = building.choices()[random.random_range(0..building.choices().len())];
            building.choose(choice.action)?;
        }
        if !building.is_complete() {
            break;
        }
        let steps = building.into_steps();
        play.play(&steps)?;
    }
    Ok(())
}
