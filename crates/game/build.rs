//! Collects the games under `games/` so that the binary carries them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    println!("cargo:rerun-if-changed={}", games.display());
    let mut files: Vec<PathBuf> = Vec::new();
    for language in fs::read_dir(&games)? {
        let folder = language?.path();
        println!("cargo:rerun-if-changed={}", folder.display());
        for file in fs::read_dir(folder)? {
            files.push(file?.path().canonicalize()?);
        }
    }
    // Of games with one name that in RBG comes first.
    files.sort_by_key(|file| {
        (file.extension().is_none_or(|language| language != "rbg"), file.clone())
    });
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = file.display().to_string();
        writeln!(table, "    ({name:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("bundled.rs"), table)
}
