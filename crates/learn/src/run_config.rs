//! `config.json`: what a run is about, written when it begins and never changed.

use std::fmt::Write as _;
use std::fs;
use std::io;

use regulus_game::Game;
use serde_json::Value;

use crate::config::{Preset, TrainConfig};
use crate::error::TrainError;
use crate::folder::RunFolder;

/// The version of the files in the folders of runs.
const FORMAT: u64 = 1;

/// What a run is about.
#[derive(Clone, Debug)]
pub(crate) struct RunConfig {
    /// The program that began the run, with its version.
    pub(crate) program: String,
    /// The name of the game.
    pub(crate) game: String,
    /// The number of the game: [`Game::fingerprint`].
    pub(crate) fingerprint: u64,
    pub(crate) config: TrainConfig,
}

impl RunConfig {
    pub(crate) fn new(game: &Game, name: &str, config: TrainConfig) -> RunConfig {
        RunConfig {
            program: format!("regulus {}", env!("CARGO_PKG_VERSION")),
            game: name.to_owned(),
            fingerprint: game.fingerprint(),
            config,
        }
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        let mut text = format!(
            "{{\n  \"format\": {FORMAT},\n  \"program\": {},\n  \"game\": {},\n  \"fingerprint\": \"{:016x}\",\n  \"preset\": \"{}\",\n  \"settings\": {{\n",
            quoted(&self.program),
            quoted(&self.game),
            self.fingerprint,
            self.config.preset
        );
        let settings: Vec<_> = self.config.settings().collect();
        for (index, setting) in settings.iter().enumerate() {
            let value = setting.value(&self.config);
            let is_number = value.parse::<f64>().is_ok();
            let value = if is_number { value } else { quoted(&value) };
            let comma = if index + 1 < settings.len() { "," } else { "" };
            let _ = writeln!(text, "    \"{}\": {value}{comma}", setting.name);
        }
        text.push_str("  }\n}\n");
        text
    }

    /// Reads that of a folder; `None` if no run has begun there.
    pub(crate) fn read(folder: &RunFolder) -> Result<Option<RunConfig>, TrainError> {
        let path = folder.config();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TrainError::File(path, error)),
        };
        let parsed =
            RunConfig::parse(&text).map_err(|problem| TrainError::Folder(path, problem))?;
        Ok(Some(parsed))
    }

    fn parse(text: &str) -> Result<RunConfig, String> {
        let bad = |what: &str| format!("this is not what a run has written: {what}");
        let value: Value = serde_json::from_str(text).map_err(|error| bad(&error.to_string()))?;
        let format = value["format"].as_u64();
        if format != Some(FORMAT) {
            let given = format.map_or("none".to_owned(), |format| format.to_string());
            return Err(format!(
                "its format is {given}, and this program reads {FORMAT}: go on with the program that began the run, or begin anew in \
                 another folder"
            ));
        }
        let word = |name: &str| {
            value[name].as_str().map(str::to_owned).ok_or_else(|| bad(&format!("no `{name}`")))
        };
        let fingerprint = u64::from_str_radix(&word("fingerprint")?, 16);
        let settings = value["settings"].as_object().ok_or_else(|| bad("no `settings`"))?;
        // Runs that began before there were presets are fast ones.
        let preset = match value.get("preset") {
            Some(_) => word("preset")?.parse().map_err(|error| bad(&format!("{error}")))?,
            None => Preset::Fast,
        };
        let mut config = TrainConfig::of(preset);
        for (name, value) in settings {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            config.set(name, &value).map_err(|error| bad(&error.to_string()))?;
        }
        if let Some(left) = config.settings().find(|setting| !settings.contains_key(setting.name)) {
            return Err(bad(&format!("no setting `{}`", left.name)));
        }
        Ok(RunConfig {
            program: word("program")?,
            game: word("game")?,
            fingerprint: fingerprint.map_err(|_| bad("`fingerprint` is not a number"))?,
            config,
        })
    }

    /// Makes sure that a run of this game with these settings may go on here.
    pub(crate) fn check(
        &self,
        folder: &RunFolder,
        game: &Game,
        name: &str,
        config: &TrainConfig,
    ) -> Result<(), TrainError> {
        let path = || folder.path().to_owned();
        if self.fingerprint != game.fingerprint() {
            let (there, given) = (self.game.clone(), name.to_owned());
            return Err(TrainError::OtherGame { folder: path(), there, given });
        }
        if self.config.preset != config.preset {
            let [there, given] = [&self.config, config].map(|it| it.preset.to_string());
            return Err(TrainError::OtherSetting { folder: path(), name: "preset", there, given });
        }
        for setting in config.settings() {
            let (there, given) = (setting.value(&self.config), setting.value(config));
            if there != given {
                let name = setting.name;
                return Err(TrainError::OtherSetting { folder: path(), name, there, given });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read_and_damage_is_told() {
        let config = TrainConfig { seed: u64::MAX, trace: 0.3, ..TrainConfig::fast() };
        let run = RunConfig {
            program: "regulus 0".to_owned(),
            game: "a \"game\"\n".to_owned(),
            fingerprint: 7,
            config,
        };
        let text = run.text();
        let read = RunConfig::parse(&text).expect("it was written");
        assert_eq!((read.text(), read.config, read.fingerprint), (text.clone(), run.config, 7));
        let older = text.replace("  \"preset\": \"fast\",\n", "");
        assert!(older != text && RunConfig::parse(&older).is_ok_and(|read| read.text() == text));
        let damaged = [
            (text.replace("\"format\": 1", "\"format\": 2"), "its format is 2"),
            (text.replace("\"stray\": 0.05,", ""), "no setting `stray`"),
            (text.replace("\"stray\": 0.05", "\"stray\": 7"), "`stray` cannot be `7`"),
            (text.replace("\"stray\"", "\"strays\""), "there is no `strays`"),
            (text.replace("\"game\"", "\"name\""), "no `game`"),
            (text.replace("\"fast\"", "\"slow\""), "there is no preset `slow`"),
            (text.replace("\"fast\"", "\"small\""), "`mirrors` is not a setting of preset `small`"),
            (text[..40].to_owned(), "EOF"),
        ];
        for (text, problem) in damaged {
            let refused = RunConfig::parse(&text).expect_err(problem);
            assert!(refused.contains(problem), "{refused}");
        }
    }
}
