//! Chromium and its driver, with which `crates/cli/tests/browser` uses the page; installed where they are missing.

use std::process::{Command, Stdio};

use crate::step;

/// What the programs may be called; tests look for the same names.
const CHROMIUM: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The packages of Debian, and those of Ubuntu.
const PACKAGES: [[&str; 2]; 2] =
    [["chromium", "chromium-driver"], ["chromium-browser", "chromium-chromedriver"]];

/// Makes sure that both programs are there.
pub(crate) fn install() -> Result<(), String> {
    if is_there() {
        return Ok(());
    }
    if says("id", &["-u"]).as_deref() != Some("0") || says("apt-get", &["--version"]).is_none() {
        return Err(advice());
    }
    // Lists that are old name files that are gone.
    step("lists of packages", apt(&["update", "--quiet"]))?;
    for packages in PACKAGES {
        let mut install = apt(&["install", "--yes", "--quiet", "--no-install-recommends"]);
        install.args(packages);
        if step(&packages.join(" and "), install).is_ok() && is_there() {
            return Ok(());
        }
    }
    Err(advice())
}

fn is_there() -> bool {
    let is_named = |variable: &str| std::env::var_os(variable).is_some();
    let starts = |program: &str| says(program, &["--version"]).is_some();
    (is_named("CHROMIUM") || CHROMIUM.iter().any(|program| starts(program)))
        && (is_named("CHROMEDRIVER") || starts("chromedriver"))
}

fn advice() -> String {
    "the page is tested with Chromium and chromedriver, which are not here and could not be installed. On Debian, \
     `apt-get install chromium chromium-driver` as root does it; elsewhere install them, and name them by the variables \
     CHROMIUM and CHROMEDRIVER if they are not on the path"
        .to_owned()
}

fn apt(args: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// What a program prints, if it can be run and succeeds.
fn says(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}
