//! `regulus serve`: the page, for people who play in the browser.

use std::env;
use std::fs;
use std::io::{IsTerminal as _, stdout};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use regulus_server::{PageServer, PageServerConfig, PageServerError};
use serde_json::json;

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{flush, say};

/// The port unless another is asked for.
const PORT: u16 = 7878;

pub(crate) fn run(loader: &Loader, args: &args::ServePage) -> Result<(), Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let thinkers = args.threads.map_or(cores.saturating_sub(1).max(1), usize::from);
    let data = if args.no_data { None } else { args.data.clone().or_else(data_file) };
    if let Some(nets) = args.nets.as_ref().filter(|nets| !nets.is_dir()) {
        let problem = format!("{}: this is no folder; --nets is one with nets", nets.display());
        return Err(Failure::bad_input(problem));
    }
    let (address, data, nets) = (at(args.host, PORT), data, args.nets.clone());
    let server = bind(args, &PageServerConfig { address, data: data.clone(), thinkers, nets })?;
    let address = server.address();
    let shown = if address.ip().is_unspecified() {
        at(localhost(address.ip()), address.port())
    } else {
        address
    };
    let url = format!("http://{shown}/");
    if loader.json {
        say!("{}", json!({ "url": url, "address": address.to_string(), "data": data }));
    } else {
        say!("Regulus is at {url}");
        match &data {
            Some(data) => say!("Matches are kept in {}. Ctrl-C ends the server.", data.display()),
            None => say!("Matches are kept until the server ends, with Ctrl-C."),
        }
        if !address.ip().is_loopback() {
            say!("Everyone who can reach this machine at port {} can play.", address.port());
        }
    }
    flush();
    if !args.no_open && !loader.json && stdout().is_terminal() {
        open_browser(&url);
    }
    server.run().map_err(|error| Failure::bad_input(error.to_string()))
}

/// Listens at the port that is asked for; if none is, at ours or at any free one.
fn bind(args: &args::ServePage, config: &PageServerConfig) -> Result<PageServer, Failure> {
    let with = |port: u16| {
        PageServer::bind(&PageServerConfig { address: at(args.host, port), ..config.clone() })
    };
    let bound = match args.port {
        Some(port) => with(port),
        None => match with(PORT) {
            Err(PageServerError::Address(..)) => with(0),
            bound => bound,
        },
    };
    bound.map_err(|error| Failure::bad_input(error.to_string()))
}

fn at(host: IpAddr, port: u16) -> SocketAddr {
    SocketAddr::new(host, port)
}

/// The address by which a machine reaches itself.
fn localhost(host: IpAddr) -> IpAddr {
    match host {
        IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
        IpAddr::V6(_) => IpAddr::from(std::net::Ipv6Addr::LOCALHOST),
    }
}

/// The file for matches in the user's data folder; `None` if there is no such folder and none can be made.
fn data_file() -> Option<PathBuf> {
    let variable =
        |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = variable("XDG_DATA_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".local/share")))?
        .join("regulus");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("matches.sqlite"))
}

/// Opens the browser where there is one; the address was printed, so it does not matter if not.
fn open_browser(url: &str) {
    let (program, words): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else if env::var_os("DISPLAY").is_some() || env::var_os("WAYLAND_DISPLAY").is_some() {
        ("xdg-open", &[])
    } else {
        return;
    };
    let mut command = Command::new(program);
    command.args(words).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}
