//! The nets of a folder, which are opponents on the page, and the reports of the runs that trained them.

use std::path::{Path, PathBuf};

use regulus_agents::{BadSpec, Kind, PlayerSpec};
use regulus_learn::find_nets;

use crate::refusal::Refusal;

/// The file of a run that is for people.
const REPORT: &str = "report.html";

/// A report is not longer.
const LONGEST_REPORT: u64 = 16 << 20;

/// Where nets are looked for; nowhere if there is no folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct NetShelf {
    folder: Option<PathBuf>,
}

/// A net of the folder.
#[derive(Debug)]
pub(crate) struct ShelvedNet {
    /// Its path in the folder, without the extension: `breakthrough-net/best`.
    pub(crate) name: String,
    path: PathBuf,
    /// The number of the game that it plays.
    pub(crate) fingerprint: u64,
    /// What is known of it, in one line.
    pub(crate) about: String,
    /// The name of the run that trained it, if it has a report.
    pub(crate) report: Option<String>,
}

impl NetShelf {
    pub(crate) fn new(folder: Option<PathBuf>) -> NetShelf {
        NetShelf { folder }
    }

    /// The nets that are in the folder now.
    pub(crate) fn nets(&self) -> Vec<ShelvedNet> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let found = find_nets(std::slice::from_ref(folder), false).nets;
        let shelved = found.into_iter().filter_map(|net| {
            let place = net.path.strip_prefix(folder).ok()?;
            let name = place.with_extension("").to_str()?.replace('\\', "/");
            let run = net.path.parent()?;
            let has_report = run.join(REPORT).is_file();
            let trained = match net.iteration {
                Some(1) => ", trained for 1 iteration".to_owned(),
                Some(number) => format!(", trained for {number} iterations"),
                None => String::new(),
            };
            let about = format!("a net for {}: {}{trained}", net.game, net.shape);
            Some(ShelvedNet {
                report: has_report.then(|| run_name(folder, run)).flatten(),
                name,
                path: net.path,
                fingerprint: net.fingerprint,
                about,
            })
        });
        // What could end a name in `net:NAME?options` would make it another player.
        shelved.filter(|net| !net.name.contains('?')).collect()
    }

    /// The player with the net of a name and with options, as they stand behind `net:`.
    pub(crate) fn player(&self, text: &str) -> Result<PlayerSpec, Refusal> {
        let (name, options) = text.split_once('?').unwrap_or((text, ""));
        let nets = self.nets();
        let net = nets.iter().find(|net| net.name == name);
        let missing = || Refusal::bad(format!("there is no net `{name}` here"));
        let bad = |error: BadSpec| Refusal::bad(error.to_string());
        let net = net.ok_or_else(missing)?;
        PlayerSpec::named_net(name, &net.path, options).map_err(bad)
    }

    /// The report of a run.
    pub(crate) fn report(&self, run: &str) -> Result<String, Refusal> {
        let missing = || Refusal::missing(format!("there is no report of a run `{run}`"));
        let nets = self.nets();
        let net = nets.iter().find(|net| net.report.as_deref() == Some(run)).ok_or_else(missing)?;
        let path = net.path.with_file_name(REPORT);
        let length = std::fs::metadata(&path).map_or(0, |about| about.len());
        if length > LONGEST_REPORT {
            return Err(Refusal::broken(format!("the report of `{run}` is too long")));
        }
        std::fs::read_to_string(&path).map_err(|_| missing())
    }
}

/// What a run is called: the name of its folder, also if that is the folder that is looked at.
fn run_name(folder: &Path, run: &Path) -> Option<String> {
    let own = run.strip_prefix(folder).ok()?;
    let name = if own.as_os_str().is_empty() { folder.file_name()? } else { own.as_os_str() };
    name.to_str().map(str::to_owned)
}

/// The kind of players with nets.
pub(crate) fn kind() -> &'static Kind {
    PlayerSpec::net_kind()
}
