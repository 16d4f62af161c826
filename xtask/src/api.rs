//! `cargo xtask api`: schemathesis makes requests from the OpenAPI document of the server, good and bad ones, and compares the
//! answers with it.
//!
//! It is installed in a folder of its own below `target`, for which Python is needed. `schemathesis.toml` says what is expected.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::{cargo, root, step, target};

/// The version that is installed.
const VERSION: &str = "4.32.5";

/// Starts a server and lets schemathesis make requests: so many random ones for each kind of request, and others.
pub(crate) fn run(examples: &str) -> Result<(), String> {
    install()?;
    step("build regulus", cargo(&["build", "--release", "--package", "regulus"]))?;
    let server = Server::start()?;
    let mut requests = Command::new(program("schemathesis"));
    requests.current_dir(target()).arg("--config-file").arg(root().join("xtask/schemathesis.toml"));
    requests.arg("run").arg(format!("http://{}/api/openapi.json", server.address));
    requests.args(["--checks", "all", "--max-examples", examples]);
    // What is found is printed; no other reports are left behind.
    requests.args(["--generation-database", "none", "--no-color"]);
    step("api", requests)
}

/// Installs schemathesis unless it is there.
fn install() -> Result<(), String> {
    if program("schemathesis").exists() {
        return Ok(());
    }
    let mut folder = Command::new("python3");
    folder.args(["-m", "venv", "--clear"]).arg(folder_of_tools());
    step("folder for schemathesis", folder)?;
    let mut pip = Command::new(program("python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.arg(format!("schemathesis=={VERSION}"));
    step("schemathesis", pip)
}

fn folder_of_tools() -> PathBuf {
    let folder = target().join(format!("schemathesis-{VERSION}"));
    // It is called from another folder.
    std::path::absolute(&folder).unwrap_or(folder)
}

fn program(name: &str) -> PathBuf {
    folder_of_tools().join(if cfg!(windows) { "Scripts" } else { "bin" }).join(name)
}

/// A server that keeps nothing, and ends with this.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start() -> Result<Server, String> {
        let mut command = Command::new(target().join("release/regulus"));
        command.args(["serve", "--json", "--no-data", "--no-open", "--port", "0"]);
        let failed = |error: std::io::Error| format!("regulus serve: {error}");
        let mut process = command.stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut line).map_err(failed)?;
        }
        let server = Server { address: address_in(&line).to_owned(), process };
        if server.address.is_empty() {
            return Err(format!("regulus serve said {line:?}"));
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which the requests have shown.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Where the server listens, in the JSON that it prints.
fn address_in(line: &str) -> &str {
    let rest = line.split_once("\"address\":\"").map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default()
}
