//! `regulus nets`: which nets there are, and what is known of them.

use regulus_learn::{FoundNet, Strength, find_nets};
use serde_json::{Value, json};

use crate::args;
use crate::failure::{Failure, visible};
use crate::load::Loader;
use crate::output::{complain, say};

pub(crate) fn run(loader: &Loader, args: &args::Nets) -> Result<(), Failure> {
    let list = find_nets(&args.places, args.all);
    if loader.json {
        let nets: Vec<Value> = list.nets.iter().map(as_json).collect();
        let problems: Vec<String> = list.problems.iter().map(ToString::to_string).collect();
        say!("{}", json!({ "nets": nets, "problems": problems }));
        return Ok(());
    }
    let paths: Vec<String> =
        list.nets.iter().map(|net| visible(&net.path.display().to_string())).collect();
    let games: Vec<String> = list.nets.iter().map(|net| visible(&net.game)).collect();
    let width = |words: &[String]| words.iter().map(|word| word.chars().count()).max().unwrap_or(0);
    let shapes: Vec<String> = list.nets.iter().map(|net| net.shape.clone()).collect();
    let (path_width, game_width) = (width(&paths).max(3), width(&games).max(4));
    let shape_width = width(&shapes).max(4);
    if !paths.is_empty() {
        say!(
            "{:path_width$}  {:game_width$}  iteration  {:shape_width$}  strength",
            "net",
            "game",
            "size"
        );
    }
    for ((net, path), game) in list.nets.iter().zip(&paths).zip(&games) {
        let iteration = net.iteration.map_or("–".to_owned(), |number| number.to_string());
        let strength = strength_words(net);
        say!(
            "{path:path_width$}  {game:game_width$}  {iteration:>9}  {:shape_width$}  {strength}",
            net.shape
        );
    }
    for problem in &list.problems {
        complain!("{}\n", visible(&problem.to_string()));
    }
    if list.nets.is_empty() {
        say!("no nets; `regulus train GAME` makes one");
    }
    Ok(())
}

/// What was measured last, with the iteration if it was another one.
fn strength_words(net: &FoundNet) -> String {
    let Some(measured) = &net.measured else { return "not measured".to_owned() };
    let part = |strength: &Strength| {
        let (low, high) = strength.score.interval();
        let [mean, low, high] = [strength.score.mean(), low, high].map(|part| 100.0 * part);
        format!("{} {mean:.0} % ({low:.0} to {high:.0})", strength.opponent())
    };
    let words: Vec<String> = measured.strength.iter().map(part).collect();
    let words = words.join(", ");
    match net.iteration {
        Some(number) if number != measured.number => {
            format!("{words} after iteration {}", measured.number)
        }
        _ => words,
    }
}

fn as_json(net: &FoundNet) -> Value {
    let mut measured = net.measured.as_ref().map(regulus_learn::Iteration::json);
    let strength = measured.as_mut().map(|measured| measured["strength"].take());
    json!({
        "path": net.path.display().to_string(), "game": net.game,
        "fingerprint": format!("{:016x}", net.fingerprint), "size": net.shape,
        "iteration": net.iteration, "strength": strength,
        "measured": net.measured.as_ref().map(|measured| measured.number),
    })
}
