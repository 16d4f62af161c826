//! `regulus reproduce`: published tables, computed here and now, beside the published figures.
//!
//! A table is a row of [`REPRODUCTIONS`] and a function in a file of the folder; what was published is in `published`.

mod learning;
mod published;
mod scores;
mod side_by_side;
mod speeds;

use serde_json::{Value, json};

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::say;
use side_by_side::SideBySide;

/// A table that can be computed.
struct Reproduction {
    /// How it is asked for.
    name: &'static str,
    /// What is in it, in one line.
    about: &'static str,
    run: fn(&Loader, &args::Reproduce) -> Result<SideBySide, Failure>,
}

/// All tables.
const REPRODUCTIONS: &[Reproduction] = &[
    Reproduction {
        name: "thesis-table1",
        about: "perft of four games: ABG, Ludii and RBG, in states a second",
        run: speeds::thesis_perft,
    },
    Reproduction {
        name: "thesis-table2",
        about: "random games of the same four, in states a second",
        run: speeds::thesis_playouts,
    },
    Reproduction {
        name: "thesis-table4",
        about: "what nets learn from games against themselves on 4×4 breakthrough (five minutes)",
        run: learning::run,
    },
    Reproduction {
        name: "poster-figure4",
        about: "perft and random games of twelve games: RBG and GDL, in states a second",
        run: speeds::poster,
    },
    Reproduction {
        name: "nld-table2",
        about: "how hard chess-like games are to learn, by their descriptions",
        run: scores::run,
    },
];

pub(crate) fn run(loader: &Loader, args: &args::Reproduce) -> Result<(), Failure> {
    let Some(name) = &args.name else {
        list(loader);
        return Ok(());
    };
    let Some(found) = REPRODUCTIONS.iter().find(|reproduction| reproduction.name == name) else {
        let names: Vec<&str> = REPRODUCTIONS.iter().map(|reproduction| reproduction.name).collect();
        return Err(Failure::usage(format!(
            "there is no table `{name}`; there are {}",
            names.join(", ")
        )));
    };
    let table = (found.run)(loader, args)?;
    if loader.json {
        say!("{}", table.json(found.name));
    } else {
        say!("{}", table.text());
    }
    Ok(())
}

fn list(loader: &Loader) {
    if loader.json {
        let tables = REPRODUCTIONS
            .iter()
            .map(|table| json!({ "name": table.name, "about": table.about }))
            .collect::<Vec<Value>>();
        say!("{}", json!({ "tables": tables }));
        return;
    }
    for table in REPRODUCTIONS {
        say!("{:16} {}", table.name, table.about);
    }
}
