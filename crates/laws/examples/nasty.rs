//! Writes nasty games to a folder, for `cargo xtask hostile --seed`: `nasty FIRST_SEED COUNT FOLDER`.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [seed, count, folder] = words.as_slice() else {
        return Err("nasty FIRST_SEED COUNT FOLDER".into());
    };
    let (seed, count): (u64, u64) = (seed.parse()?, count.parse()?);
    for seed in seed..seed.saturating_add(count) {
        let (language, text) = regulus_laws::nasty(seed);
        std::fs::write(Path::new(folder).join(format!("nasty_{seed}.{language}")), text)?;
    }
    Ok(())
}
